from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import ArrayLike
from scipy import stats

from lydite.errors import InputError
from lydite.stats.multiple import benjamini_hochberg, holm
from lydite.types import Floats

Adjustment = Callable[[ArrayLike], Floats]


def test_holm_by_hand() -> None:
    # Sorted 0.005, 0.01, 0.03, 0.04 times 4, 3, 2, 1: 0.02, 0.03, 0.06, 0.04 -> 0.06.
    adjusted = holm([0.01, 0.04, 0.03, 0.005])
    assert adjusted.tolist() == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_benjamini_hochberg_by_hand() -> None:
    # Sorted 0.005, 0.01, 0.03, 0.04 times 4/1, 4/2, 4/3, 4/4: 0.02, 0.02, 0.04, 0.04.
    adjusted = benjamini_hochberg([0.01, 0.04, 0.03, 0.005])
    assert adjusted.tolist() == pytest.approx([0.02, 0.04, 0.04, 0.02])


@pytest.mark.parametrize("seed", range(4))
def test_benjamini_hochberg_equals_scipy(seed: int) -> None:
    p = np.random.default_rng(seed).random(25).round(2) ** 2
    expected = stats.false_discovery_control(p, method="bh")
    np.testing.assert_allclose(benjamini_hochberg(p), expected, rtol=1e-14)


@pytest.mark.parametrize("adjust", [holm, benjamini_hochberg])
def test_one_test_needs_no_adjustment(adjust: Adjustment) -> None:
    assert adjust([0.03]).tolist() == [0.03]
    assert adjust([]).tolist() == []


def test_adjusted_values_stay_below_one() -> None:
    assert holm([0.9, 0.8]).tolist() == [1.0, 1.0]
    assert benjamini_hochberg([1.0, 1.0]).tolist() == [1.0, 1.0]


@pytest.mark.parametrize("adjust", [holm, benjamini_hochberg])
@pytest.mark.parametrize("wrong", [np.nan, -0.1, 1.1])
def test_what_is_no_p_value_is_refused(adjust: Adjustment, wrong: float) -> None:
    with pytest.raises(InputError, match=f"between 0 and 1, got {wrong}"):
        adjust([0.5, wrong])


@pytest.mark.parametrize("adjust", [holm, benjamini_hochberg])
def test_a_matrix_is_refused(adjust: Adjustment) -> None:
    with pytest.raises(InputError, match=r"\(1, 2\)"):
        adjust([[0.1, 0.2]])
