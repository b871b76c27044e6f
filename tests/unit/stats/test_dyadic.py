from __future__ import annotations

import dataclasses
import json
import math

import numpy as np
import pytest
from scipy import stats

from lydite.errors import InputError, UndefinedScoreError
from lydite.stats.bootstrap import Interval, bootstrap_interval
from lydite.stats.correlation import resampled_spearman, spearman, spearman_influence
from lydite.stats.dyadic import (
    correlation_interval,
    dyadic_interval,
    dyadic_standard_error,
    effective_nodes,
)
from lydite.types import Floats, Indices


def by_all_pairs(influence: Floats, left: Indices, right: Indices) -> float:
    """Sum over all ordered pairs of items, as the definition says."""
    nodes = [{int(a), int(b)} for a, b in zip(left, right, strict=True)]
    n = len(nodes)
    share = {node: sum(node in each for each in nodes) / n for each in nodes for node in each}
    total = sum(
        influence[p] * influence[q] * (1 if p == q else weight(nodes[p] & nodes[q], share))
        for p in range(n)
        for q in range(n)
    )
    return math.sqrt(max(total, float((influence**2).sum())) / n / (n - 2))


def weight(shared: set[int], share: dict[int, float]) -> float:
    """Return what a pair of items counts: once, and more where a node is in many items."""
    each = [1 / (1 - min(share[node], 0.5)) ** 2 for node in shared]
    return sum(each) - max(len(each) - 1, 0)


def test_items_with_one_shared_node_by_hand() -> None:
    # A chain 1-2, 2-3, 3-4, 5-6 with influence 3, 1, -2, 0: squares 9 + 1 + 4, twice 3 * 1 at a
    # node that is in 2 of 4 items and counts 1 / (1/2)², twice 1 * (-2) at another; 4 (4 - 2).
    error = dyadic_standard_error([3.0, 1.0, -2.0, 0.0], [1, 2, 3, 5], [2, 3, 4, 6])
    assert error == pytest.approx(math.sqrt((14 + 4 * 2 * (3 - 2)) / 8))


def test_items_with_both_nodes_shared_count_once() -> None:
    # The first two items are the same pair in two orders, whose product 3 * 1 counts 4 + 4 - 1.
    error = dyadic_standard_error([3.0, 1.0, -2.0, 0.0], [1, 2, 5, 7], [2, 1, 6, 8])
    assert error == pytest.approx(math.sqrt((14 + 7 * 2 * 3) / 8))


def test_an_item_of_one_node_counts_once() -> None:
    # Items 1-1, 1-1 and 1-2 of four share node 1: squares 14, twice 3 + 6 + 2 times 4.
    error = dyadic_standard_error([3.0, 1.0, 2.0, 0.0], [1, 1, 1, 3], [1, 1, 2, 4])
    assert error == pytest.approx(math.sqrt((14 + 4 * 2 * 11) / 8))


def test_the_floor_is_the_error_of_independent_items() -> None:
    # Shared: 2 - 4 * 2 < 0, a variance of nothing; independent: 2 / (4 * 2).
    error = dyadic_standard_error([1.0, -1.0, 0.0, 0.0], [1, 1, 4, 6], [2, 3, 5, 7])
    assert error == pytest.approx(math.sqrt(2 / 8))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("nodes", [3, 12])
def test_sums_by_node_equal_sums_over_all_pairs(seed: int, nodes: int) -> None:
    generator = np.random.default_rng(seed)
    # Few nodes: many items share both nodes, many have one node twice.
    left, right = generator.integers(0, nodes, size=(2, 40))
    influence = generator.normal(size=40) + 0.5
    expected = by_all_pairs(influence, left, right)
    assert dyadic_standard_error(influence, left, right) == pytest.approx(expected)


def test_any_integers_are_labels() -> None:
    influence = [3.0, 1.0, -2.0]
    far = dyadic_standard_error(influence, [-(2**62), 0, 5], [0, 5, 2**62])
    assert far == dyadic_standard_error(influence, [1, 2, 3], [2, 3, 4])


def test_without_influence_values_there_is_no_error() -> None:
    with pytest.raises(UndefinedScoreError, match="got 0 values"):
        dyadic_standard_error([], [], [])
    with pytest.raises(UndefinedScoreError, match="1 of them not finite"):
        dyadic_standard_error([1.0, np.nan], [1, 2], [3, 4])
    with pytest.raises(InputError, match=r"\(2,\), \(2,\) and \(3,\)"):
        dyadic_standard_error([1.0, 2.0], [1, 2], [3, 4, 5])


def test_interval_by_hand() -> None:
    # atanh 0.6 = ln 2; reach 1.644854 * 0.08 / 0.64.
    interval = correlation_interval(0.6, 0.08, 0.9)
    reach = float(stats.norm.ppf(0.95)) * 0.08 / 0.64
    assert interval.low == pytest.approx(math.tanh(math.log(2) - reach))
    assert interval.high == pytest.approx(math.tanh(math.log(2) + reach))
    assert (interval.level, interval.method) == (0.9, "dyadic")
    assert json.loads(json.dumps(dataclasses.asdict(interval)))["low"] == interval.low


def test_interval_equals_scipys_for_independent_normal_items() -> None:
    # There the standard error is (1 - r²) / sqrt(n - 3) on Fisher's own account.
    x, y = np.random.default_rng(1).normal(size=(2, 50))
    r = stats.pearsonr(x, x + y)
    expected = r.confidence_interval(0.95)
    interval = correlation_interval(r.statistic, (1 - r.statistic**2) / math.sqrt(47))
    assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high))


def test_a_perfect_correlation_of_few_items_is_not_sure() -> None:
    # n = 5: the next value below 1 is 1 - 12 / 120 = 0.9, atanh 0.9 = ln(19) / 2.
    low = math.tanh(math.log(19) / 2 - float(stats.norm.ppf(0.975)) / math.sqrt(2))
    up, down = correlation_interval(1.0, 0.0, n=5), correlation_interval(-1.0, 0.0, n=5)
    assert (up.low, up.high) == pytest.approx((low, 1))
    assert (down.low, down.high) == pytest.approx((-1, -low))


@pytest.mark.parametrize("r", [-1.0, 0.3, 1.0])
def test_three_items_tell_nothing(r: float) -> None:
    interval = correlation_interval(r, 0.0, n=3)
    assert (interval.low, interval.high) == (-1, 1)


@pytest.mark.parametrize("r", [-1.0, 1.0])
def test_a_perfect_correlation_of_unknown_many_items_tells_nothing(r: float) -> None:
    expected = Interval(low=-1.0, high=1.0, level=0.95, method="dyadic")
    assert correlation_interval(r, 0.0) == expected


def test_no_correlation_is_surer_than_a_perfect_one() -> None:
    perfect = correlation_interval(1.0, 0.0, n=6)
    nearly = correlation_interval(1 - 1e-15, 1e-16, n=6)
    assert nearly.low == perfect.low
    assert nearly.high == pytest.approx(1)


def test_the_number_of_items_does_not_matter_where_there_are_many() -> None:
    assert correlation_interval(0.8, 0.02, n=400) == correlation_interval(0.8, 0.02)
    huge = correlation_interval(1.0, 0.0, n=10_000_000)
    assert huge.low == pytest.approx(1)


@pytest.mark.parametrize(
    ("r", "error", "level"),
    [(1.1, 0.1, 0.95), (math.nan, 0.1, 0.95), (0.5, -0.1, 0.95), (0.5, math.nan, 0.95), (0, 1, 1)],
)
def test_impossible_correlations_and_errors_are_refused(
    r: float, error: float, level: float
) -> None:
    with pytest.raises(InputError, match="expected a correlation within -1 and 1"):
        correlation_interval(r, error, level)


def pairs_with_shared_nodes(seed: int) -> tuple[Floats, Floats, Indices, Indices]:
    """Draw 400 pairs of 100 nodes; nodes carry 80 % of the variance of both variables."""
    generator = np.random.default_rng(seed)
    left = generator.integers(0, 100, size=400)
    right = (left + generator.integers(1, 100, size=400)) % 100
    mix = np.array([[1.0, 0.0], [0.6, 0.8]])
    nodes = generator.normal(size=(100, 2)) @ mix.T
    noise = generator.normal(size=(400, 2)) @ mix.T
    x, y = (np.sqrt(0.4) * (nodes[left] + nodes[right]) + np.sqrt(0.2) * noise).T
    return x, y, left, right


def test_coverage_where_pairs_share_nodes() -> None:
    # Normal variables with r = 0.6 have rho = 6 / pi * asin(0.3).
    truth = 6 / math.pi * math.asin(0.3)
    worlds = 150
    dyadic = plain = 0
    for seed in range(worlds):
        x, y, left, right = pairs_with_shared_nodes(seed)
        robust = dyadic_interval(spearman(x, y), spearman_influence(x, y), left, right, ranked=True)
        assert robust is not None
        naive = bootstrap_interval(resampled_spearman(x, y), 400, resamples=150, seed=seed)
        dyadic += robust.low <= truth <= robust.high
        plain += naive.low <= truth <= naive.high
    assert dyadic / worlds >= 0.90
    assert plain / worlds <= 0.75


def test_few_items_claim_no_more_than_independent_normal_ones() -> None:
    # Influence of nothing: sqrt((1 + .25 / 2) / 9) on Fisher's scale, t with 12 - 2 degrees.
    nodes = np.arange(24).reshape(2, 12)
    interval = dyadic_interval(0.5, np.zeros(12), *nodes, ranked=True)
    assert interval is not None
    reach = stats.t.ppf(0.975, 10) * math.sqrt((1 + 0.25 / 2) / 9)
    assert interval.low == pytest.approx(math.tanh(math.atanh(0.5) - reach))
    assert interval.high == pytest.approx(math.tanh(math.atanh(0.5) + reach))
    # Pearson's r: 1 / sqrt(9).
    plain = dyadic_interval(0.5, np.zeros(12), *nodes, ranked=False)
    assert plain is not None
    assert plain.high == pytest.approx(math.tanh(math.atanh(0.5) + stats.t.ppf(0.975, 10) / 3))


def test_uneven_nodes_leave_fewer_degrees_of_freedom() -> None:
    # A star of 12 pairs: its middle is in 12 of 24 places, (24)² / (12² + 12) = 3.69 nodes.
    middle, tips = np.zeros(12), np.arange(1, 13)
    assert effective_nodes(middle, tips) == pytest.approx(576 / 156)
    interval = dyadic_interval(0.5, np.zeros(12), middle, tips, ranked=False)
    assert interval is not None
    reach = stats.t.ppf(0.975, 576 / 156 - 2) / 3
    assert interval.high == pytest.approx(math.tanh(math.atanh(0.5) + reach))


@pytest.mark.parametrize("n", [1, 2, 3])
def test_three_items_have_no_interval(n: int) -> None:
    assert dyadic_interval(0.5, np.ones(n), np.arange(n), np.arange(n) + n, ranked=True) is None
