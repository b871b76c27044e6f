from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

from lydite.errors import InputError, UndefinedScoreError
from lydite.stats.bootstrap import bootstrap_interval, share_interval, wilson_interval

Z2 = 1.959963984540054**2


def test_items_that_are_all_right_are_no_proof() -> None:
    found = share_interval(np.ones(4), seed=0)
    assert found.low == pytest.approx(4 / (4 + Z2), abs=1e-12)
    assert (found.high, found.method, found.level) == (1.0, "wilson", 0.95)


@pytest.mark.parametrize("n", range(2, 60))
def test_the_share_itself_is_never_outside(n: int) -> None:
    assert share_interval(np.ones(n), seed=0).high == 1
    assert share_interval(np.zeros(n), seed=0).low == 0


def test_items_that_are_all_wrong_are_none_either() -> None:
    found = share_interval(np.zeros(4), np.array([3, 1, 2, 5]), seed=0)
    assert found.high == pytest.approx(Z2 / (4 + Z2), abs=1e-12)
    assert (found.low, found.method) == (0.0, "wilson")


def test_equal_shares_of_unequal_sizes_have_no_spread_but_rounding() -> None:
    sizes = np.array([3, 7, 11, 13])
    found = share_interval(sizes * 0.7, sizes, seed=0)
    assert (found.low, found.high) == pytest.approx(tuple(wilson_interval(2.8, 4)))
    assert found.method == "wilson"


@pytest.mark.parametrize("sized", [False, True])
def test_where_items_differ_it_is_the_bootstrap_bit_by_bit(sized: bool) -> None:
    generator = np.random.default_rng(3)
    sizes = generator.integers(1, 30, 101)
    right = generator.integers(0, sizes + 1) / 3 if sized else generator.integers(0, 6, 101) / 5
    expected = bootstrap_interval(
        lambda items: (
            right[items].sum(axis=1) / sizes[items].sum(axis=1)
            if sized
            else right[items].mean(axis=1)
        ),
        101,
        seed=5,
    )
    assert share_interval(right, sizes if sized else None, seed=5) == expected


def test_wilson_solves_its_equation() -> None:
    # The ends are the shares q for which (p - q)^2 = z^2 q (1 - q) / n.
    low, high = wilson_interval(20, 25)
    for end in (low, high):
        assert (0.8 - end) ** 2 == pytest.approx(Z2 * end * (1 - end) / 25)
    assert low < 0.8 < high


def test_no_trials_have_no_interval_and_one_item_has_none() -> None:
    assert np.isnan(wilson_interval([0, 1], [0, 2])).tolist() == [[True, True], [False, False]]
    with pytest.raises(InputError, match="expected a level between 0 and 1"):
        wilson_interval(1, 2, level=1.0)
    with pytest.raises(UndefinedScoreError, match="at least 2 items"):
        share_interval([1.0], seed=0)


@pytest.mark.parametrize(("successes", "trials"), [(0, 5), (5, 5), (3, 7), (50, 200), (0, 1)])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_wilson_is_that_of_scipy(successes: int, trials: int, level: float) -> None:
    theirs = binomtest(successes, trials).proportion_ci(level, method="wilson")
    ours = wilson_interval(successes, trials, level=level)
    np.testing.assert_allclose(ours, [theirs.low, theirs.high], atol=1e-12)


def test_wilson_takes_arrays() -> None:
    ends = wilson_interval(np.array([[1, 0]]), np.array([[2, 0]]))
    assert ends.shape == (1, 2, 2)
    assert np.isnan(ends[0, 1]).all()
    assert not np.isnan(ends[0, 0]).any()


@pytest.mark.parametrize("level", [0, 1, 95])
def test_wilson_needs_a_level(level: float) -> None:
    with pytest.raises(InputError, match="level"):
        wilson_interval(1, 2, level=level)
