from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from lydite.errors import InputError, UndefinedScoreError
from lydite.stats.ranks import midranks, resampled_midranks


def test_midranks_by_hand() -> None:
    # Sorted: -1, 2, 2, 2, 7; the three twos hold ranks 2, 3, 4, mean 3.
    assert midranks([2.0, 7.0, 2.0, -1.0, 2.0]).tolist() == [3.0, 5.0, 3.0, 1.0, 3.0]


@pytest.mark.parametrize("shape", [(1,), (50,), (20, 30), (3, 1), (0,), (2, 0)])
def test_midranks_equal_scipy(shape: tuple[int, ...]) -> None:
    x = np.random.default_rng(1).integers(0, 9, size=shape).astype(np.float64)
    np.testing.assert_array_equal(midranks(x), stats.rankdata(x, axis=-1))


def test_midranks_rank_infinities_and_both_zeros() -> None:
    assert midranks([np.inf, 0.0, -np.inf, -0.0]).tolist() == [4.0, 2.5, 1.0, 2.5]


def test_midranks_leave_their_input_alone() -> None:
    x = np.array([3.0, 1.0, 2.0])
    midranks(x)
    assert x.tolist() == [3.0, 1.0, 2.0]


def test_midranks_refuse_nan_and_count_it() -> None:
    with pytest.raises(UndefinedScoreError, match="1 of 3 values to rank are NaN"):
        midranks([1.0, np.nan, 2.0])


def test_midranks_refuse_three_axes() -> None:
    with pytest.raises(InputError, match=r"\(2, 2, 2\)"):
        midranks(np.zeros((2, 2, 2)))


def test_resampled_midranks_equal_the_ranks_of_the_resample() -> None:
    generator = np.random.default_rng(2)
    x = generator.integers(0, 12, size=40).astype(np.float64)
    codes = np.unique(x, return_inverse=True)[1]
    for width in (25, 40, 60):
        indices = generator.integers(0, 40, size=(15, width))
        np.testing.assert_array_equal(resampled_midranks(codes, indices), midranks(x[indices]))
