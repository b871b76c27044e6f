from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from lydite.errors import InputError
from lydite.stats.bootstrap import Interval
from lydite.stats.crossed import crossed_interval
from lydite.types import Floats, Indices


def grid(rows: int, columns: int) -> tuple[Indices, Indices]:
    return np.repeat(np.arange(rows), columns), np.tile(np.arange(columns), rows)


def interval(scores: Floats, rows: Indices, columns: Indices) -> Interval:
    found = crossed_interval(scores, rows, columns)
    assert found is not None
    return found


def wilson(mean: float, items: float, quantile: float) -> tuple[float, float]:
    """Solve (m - p)² = z² p (1 - p) / n for p, which is what Wilson's interval is."""
    a = 1 + quantile**2 / items
    b = -(2 * mean + quantile**2 / items)
    ends = np.roots([a, b, mean**2])
    return float(min(ends)), float(max(ends))


def test_two_rows_and_two_columns_by_hand() -> None:
    # Scores 1, 1, 1, 0: the mean is 3/4. Rows have sums 2 and 1 where 1.5 would be even; so do
    # columns: 2 · (.5 / .5)² / 16 each, together .25. m (1 - m) / v = .75 items count as 1, and
    # two clusters of a kind give t with two degrees of freedom.
    found = interval(np.array([1.0, 1.0, 1.0, 0.0]), *grid(2, 2))
    expected = wilson(0.75, 1.0, stats.t.ppf(0.975, 2))
    assert (found.low, found.high) == pytest.approx(expected)
    assert found.method == "crossed"


def test_what_columns_decide_is_as_uncertain_as_the_columns_are_few() -> None:
    rows, columns = grid(200, 8)
    found = interval((columns % 2 == 0).astype(float), rows, columns)
    # All rows are alike. Columns: 8 · (100 / (7/8))² / 1600² = 1 / 24.5; .25 / v = 6.125 items.
    assert (found.low, found.high) == pytest.approx(wilson(0.5, 6.125, stats.t.ppf(0.975, 8)))


def test_rows_and_columns_are_exchangeable_and_their_labels_are_any_numbers() -> None:
    rows, columns = grid(10, 5)
    scores = np.random.default_rng(0).random(50)
    found = interval(scores, rows, columns)
    assert interval(scores, columns, rows) == found
    assert interval(scores, rows * 7 + 3, columns - 9) == found


def test_effective_clusters_count_where_sizes_are_uneven() -> None:
    # One column has 17 of 20 items: 20² / (17² + 3) = 1.37 columns, all of whose items agree.
    columns = np.array([0] * 17 + [1, 2, 3])
    found = interval(np.ones(20), np.arange(20), columns)
    clusters = 400 / 292
    low, _ = wilson(1.0, clusters, stats.t.ppf(0.975, clusters))
    assert (found.low, found.high) == pytest.approx((low, 1.0))


@pytest.mark.parametrize("scores", [0.0, 1.0])
def test_items_that_agree_leave_room(scores: float) -> None:
    found = interval(np.full(30, scores), *grid(6, 5))
    assert found.low <= scores <= found.high
    assert found.high - found.low > 0.4


def test_it_holds_the_truth_when_rows_and_columns_both_have_luck() -> None:
    rows, columns = grid(30, 8)
    held = 0
    for seed in range(200):
        generator = np.random.default_rng(seed)
        lean = generator.normal(size=30)[rows] + generator.normal(size=8)[columns]
        kept = (lean + generator.normal(size=240) > 0).astype(float)
        found = interval(kept, rows, columns)
        held += found.low <= 0.5 <= found.high
    assert held >= 180


def test_too_few_have_none() -> None:
    assert crossed_interval([1, 0], [0, 1], [0, 1]) is None
    assert crossed_interval([1, 0, 1], [0, 0, 0], [0, 1, 2]) is None
    assert crossed_interval([1, 0, 1], [0, 1, 2], [0, 0, 0]) is None
    assert crossed_interval([1, 0, 1], [0, 1, 2], [0, 0, 1]) is not None


def test_a_cluster_a_triple_is_needed() -> None:
    with pytest.raises(InputError, match="3 items"):
        crossed_interval(np.ones(3), [0, 1], [0, 1, 2])


def test_ends_stay_within_bounds() -> None:
    found = interval(np.array([1.0, 1.0, 1.0, 0.0]), *grid(2, 2))
    assert 0 <= found.low < found.high <= 1
    assert not math.isnan(found.low)
