from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from scipy import stats

from lydite.errors import InputError, UndefinedScoreError
from lydite.stats.correlation_tests import (
    compare_correlations,
    difference_interval,
    squared_williams_t,
)
from lydite.types import Floats


def three(n: int, seed: int) -> tuple[Floats, Floats, Floats]:
    """Two variables that go with a third, the first better than the second."""
    generator = np.random.default_rng(seed)
    z = generator.normal(size=n)
    return z + 0.5 * generator.normal(size=n), z + generator.normal(size=n), z


def formula(r_xz: float, r_yz: float, r_xy: float, n: int) -> float:
    """Williams' t as Steiger (1980, equation 7) prints it."""
    determinant = 1 - r_xz**2 - r_yz**2 - r_xy**2 + 2 * r_xz * r_yz * r_xy
    mean = (r_xz + r_yz) / 2
    below = 2 * (n - 1) / (n - 3) * determinant + mean**2 * (1 - r_xy) ** 3
    return (r_xz - r_yz) * math.sqrt((n - 1) * (1 + r_xy) / below)


def williams_t(r_xz: float, r_yz: float, r_xy: float, n: int) -> float:
    squared = squared_williams_t(np.array(r_xz), np.array(r_yz), np.array(r_xy), n)
    return math.copysign(math.sqrt(float(squared)), r_xz - r_yz)


def r(x: Floats, y: Floats) -> float:
    return float(np.corrcoef(x, y)[0, 1])


def test_by_hand() -> None:
    # x is z and y is unrelated to it: r = 1 and 0. The first and last items have equal values, so
    # four kinds of exchange remain, four times each: none and both are as clear as the observed
    # one. After either alone the deviations are (-3 1 1 1) / 2 and (-1 -1 -1 3) / 2, and both
    # correlations are 1 / sqrt(3): no difference. p = 8 / 16.
    found = compare_correlations([-1, -1, 1, 1], [-1, 1, -1, 1], [-1, -1, 1, 1], seed=0)
    assert found.first == pytest.approx(1)
    assert found.second == pytest.approx(0)
    assert found.difference == pytest.approx(1)
    assert (found.p_value, found.resamples, found.exact) == (0.5, 16, True)


def test_williams_t_is_that_of_others() -> None:
    # Case A of the example in the manual of R's psych::r.test (t = -0.89, p = 0.37), and the
    # example of bruceR::cor_diff (t(97) = -4.56, p = 1e-05).
    first, second = williams_t(0.4, 0.5, 0.1, 103), williams_t(0.2, 0.45, 0.8, 100)
    assert first == pytest.approx(-0.89, abs=0.005)
    assert 2 * stats.t.sf(-first, 100) == pytest.approx(0.37, abs=0.005)
    assert second == pytest.approx(-4.56, abs=0.005)
    assert 2 * stats.t.sf(-second, 97) == pytest.approx(1e-5, abs=1e-5)


def test_williams_t_is_its_formula() -> None:
    for seed in range(20):
        x, y, z = three(9, seed)
        values = r(x, z), r(y, z), r(x, y)
        assert williams_t(*values, 9) == pytest.approx(formula(*values, 9))


def test_williams_t_where_the_formula_has_no_value() -> None:
    assert williams_t(0.3, 0.3, 1.0, 10) == 0
    # y = -x: half the difference is r itself, and t is that of one correlation with n - 3 degrees.
    assert williams_t(0.6, -0.6, -1.0, 19) == pytest.approx(0.6 * 4 / 0.8)
    assert williams_t(1.0, -1.0, -1.0, 10) == math.inf


@pytest.mark.parametrize("ranked", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_p_is_that_of_all_exchanges_tried_one_by_one(ranked: bool, seed: int) -> None:
    x, y, z = three(8, seed)
    if seed == 0:
        x, y = x.round(), y.round()
    ours = compare_correlations(x, y, z, ranked=ranked, seed=0)
    if ranked:
        x, y, z = (stats.rankdata(each) for each in (x, y, z))
    u, v = stats.zscore(x), stats.zscore(y)
    observed = abs(formula(r(u, z), r(v, z), r(u, v), 8))
    clear = 0
    for exchange in product([False, True], repeat=8):
        first, second = np.where(exchange, v, u), np.where(exchange, u, v)
        t = formula(r(first, z), r(second, z), r(first, second), 8)
        clear += abs(t) >= observed - 1e-9
    assert ours.exact
    assert ours.p_value == clear / 256
    assert ours.difference == pytest.approx(r(x, z) - r(y, z))


def test_random_exchanges_come_close_to_all() -> None:
    x, y, z = three(12, 3)
    exact = compare_correlations(x, y, z, resamples=4096, seed=0)
    drawn = compare_correlations(x, y, z, resamples=4095, seed=0)
    assert exact.exact
    assert not drawn.exact
    assert drawn.p_value == pytest.approx(exact.p_value, abs=0.03)


def test_p_is_close_to_williams_test_of_normal_data() -> None:
    x, y, z = three(60, 5)
    y = y + 0.3 * np.random.default_rng(0).normal(size=60)
    ours = compare_correlations(x, y, z, resamples=20_000, seed=0)
    t = williams_t(r(x, z), r(y, z), r(x, y), 60)
    assert ours.p_value == pytest.approx(2 * stats.t.sf(abs(t), 57), abs=0.02)


@pytest.mark.parametrize("ranked", [False, True])
def test_the_order_of_the_two_turns_the_sign_and_nothing_else(ranked: bool) -> None:
    x, y, z = three(15, 1)
    one = compare_correlations(x, y, z, ranked=ranked, resamples=500, seed=3)
    two = compare_correlations(y, x, z, ranked=ranked, resamples=500, seed=3)
    assert two.difference == -one.difference
    assert two.p_value == one.p_value
    first = difference_interval(x, y, z, ranked=ranked)
    second = difference_interval(y, x, z, ranked=ranked)
    assert (second.low, second.high) == pytest.approx((-first.high, -first.low))


def test_the_same_score_twice_is_no_difference() -> None:
    x, _, z = three(15, 1)
    for again in (x, 3 * x - 1):
        found = compare_correlations(x, again, z, resamples=500, seed=0)
        assert found.difference == pytest.approx(0, abs=1e-12)
        assert found.p_value == 1
        interval = difference_interval(x, again, z)
        assert (interval.low, interval.high) == pytest.approx((0, 0), abs=1e-12)


def test_units_change_nothing() -> None:
    x, y, z = three(15, 2)
    one = compare_correlations(x, y, z, resamples=500, seed=0)
    other = compare_correlations(1e6 * x + 5, 1e-6 * y - 3, 7 * z, resamples=500, seed=0)
    assert other.difference == pytest.approx(one.difference)
    assert other.p_value == one.p_value
    first, second = difference_interval(x, y, z), difference_interval(9 * x, y + 2, 7 * z)
    assert (second.low, second.high) == pytest.approx((first.low, first.high))


def test_ranks_are_all_that_counts_where_they_are_asked_for() -> None:
    x, y, z = three(12, 4)
    one = compare_correlations(x, y, z, ranked=True, resamples=500, seed=0)
    assert one == compare_correlations(np.exp(x), y**3, z, ranked=True, resamples=500, seed=0)


def test_a_score_turned_round_is_told_from_itself() -> None:
    # Exchanging x and -x turns the signs of values: of 999 times hardly ever all that matter.
    x, _, z = three(20, 6)
    assert compare_correlations(x, -x, z, resamples=999, seed=0).p_value < 0.01
    noise = np.random.default_rng(1).normal(size=20)
    assert compare_correlations(noise, -noise, z, resamples=999, seed=0).p_value > 0.05


def test_exchanges_that_leave_no_correlation_count_as_clear() -> None:
    # Standardised, both have the values -1 and 1, each other's opposite but for the middle: half
    # of all exchanges give constants or nearly so, and p may not profit from them.
    x, y = [0, 1, 0, 1], [1, 0, 1, 0]
    assert compare_correlations(x, y, [1, 2, 4, 7], seed=0).p_value >= 2 / 16


def test_the_interval_is_its_formula() -> None:
    x, y, z = three(11, 7)
    n = 11
    moved = np.array(
        [[r(np.delete(each, i), np.delete(z, i)) for i in range(n)] for each in (x, y)]
    )
    covariance = (n - 1) ** 2 / n * np.cov(moved)
    ends = []
    for place, value in enumerate((r(x, z), r(y, z))):
        reach = stats.t.ppf(0.95, n - 1) * math.sqrt(covariance[place, place]) / (1 - value**2)
        ends.append((value, *(math.tanh(math.atanh(value) + s * reach) for s in (-1, 1))))
    c = covariance[0, 1] / math.sqrt(covariance[0, 0] * covariance[1, 1])
    (r1, l1, u1), (r2, l2, u2) = ends
    low = r1 - r2 - math.sqrt((r1 - l1) ** 2 + (u2 - r2) ** 2 - 2 * c * (r1 - l1) * (u2 - r2))
    high = r1 - r2 + math.sqrt((u1 - r1) ** 2 + (r2 - l2) ** 2 - 2 * c * (u1 - r1) * (r2 - l2))
    ours = difference_interval(x, y, z, level=0.9)
    assert (ours.low, ours.high) == pytest.approx((low, high))
    assert ours.level == 0.9


def test_the_interval_is_zous_for_much_normal_data() -> None:
    # By normal theory (Zou 2007, section on overlapping correlations), which the jackknife must
    # come to.
    n = 2000
    x, y, z = three(n, 8)
    r1, r2, r3 = r(x, z), r(y, z), r(x, y)
    above = (r3 - r1 * r2 / 2) * (1 - r1**2 - r2**2 - r3**2) + r3**3
    c = above / ((1 - r1**2) * (1 - r2**2))
    k = 1.96 / math.sqrt(n - 3)
    l1, u1 = (math.tanh(math.atanh(r1) + s * k) for s in (-1, 1))
    l2, u2 = (math.tanh(math.atanh(r2) + s * k) for s in (-1, 1))
    low = r1 - r2 - math.sqrt((r1 - l1) ** 2 + (u2 - r2) ** 2 - 2 * c * (r1 - l1) * (u2 - r2))
    high = r1 - r2 + math.sqrt((u1 - r1) ** 2 + (r2 - l2) ** 2 - 2 * c * (u1 - r1) * (r2 - l2))
    ours = difference_interval(x, y, z)
    assert ours.low == pytest.approx(low, abs=0.002)
    assert ours.high == pytest.approx(high, abs=0.002)


def test_the_level_is_held_where_there_is_no_difference() -> None:
    generator = np.random.default_rng(9)
    rejected = missed = 0
    for _ in range(1000):
        z = generator.normal(size=12)
        x, y = z + generator.normal(size=(2, 12))
        rejected += compare_correlations(x, y, z, resamples=199, seed=0).p_value <= 0.05
        interval = difference_interval(x, y, z)
        missed += not interval.low <= 0 <= interval.high
    # Of 1000 tests at 5 % 50 are expected, give or take 7.
    assert 22 <= rejected <= 78
    assert 22 <= missed <= 78


def test_what_cannot_be_compared_is_refused() -> None:
    x, y, z = three(10, 0)
    with pytest.raises(UndefinedScoreError, match="at least 4 items, got 3"):
        compare_correlations([1, 2, 3], [1, 3, 2], [2, 1, 3], seed=0)
    with pytest.raises(UndefinedScoreError, match="no variance"):
        compare_correlations(np.ones(10), y, z, seed=0)
    with pytest.raises(InputError, match="at least 1 resample"):
        compare_correlations(x, y, z, resamples=0, seed=0)
    with pytest.raises(UndefinedScoreError, match="interval of the difference of 1 and"):
        difference_interval(z, y, z)
    with pytest.raises(UndefinedScoreError, match="interval of the difference"):
        difference_interval([0.0] * 9 + [1.0], y, z)


def test_the_seed_decides() -> None:
    x, y, z = three(20, 0)
    one = compare_correlations(x, y, z, resamples=500, seed=1)
    assert one == compare_correlations(x, y, z, resamples=500, seed=1)
    assert one != compare_correlations(x, y, z, resamples=500, seed=2)
