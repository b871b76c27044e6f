from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import ArrayLike

from lydite.stats.auc import auc
from lydite.stats.bootstrap import bootstrap_interval
from lydite.stats.correlation import (
    correlation_matrix,
    pearson,
    pearson_influence,
    spearman,
    spearman_influence,
)
from lydite.stats.dyadic import correlation_interval, dyadic_standard_error
from lydite.stats.multiple import benjamini_hochberg, holm
from lydite.stats.permutation import paired_permutation_test, row_means
from lydite.stats.ranks import midranks
from lydite.stats.seeds import child_seed
from lydite.types import Floats, Indices

# No time limit: a slow machine is no failure.
unhurried = settings(deadline=None, max_examples=60)

Correlation = Callable[[ArrayLike, ArrayLike], float]
Influence = Callable[[ArrayLike, ArrayLike], Floats]

# A coarse grid: ties are common, and sums are exact enough for tight tolerances.
GRID = st.integers(-12, 12).map(lambda value: value / 4)


@st.composite
def paired_values(draw: st.DrawFn, least: int = 3) -> tuple[Floats, Floats]:
    pairs = draw(st.lists(st.tuples(GRID, GRID), min_size=least, max_size=30))
    x, y = np.array(pairs).T
    assume(np.ptp(x) > 0 and np.ptp(y) > 0)
    return x, y


@st.composite
def dyads(draw: st.DrawFn) -> tuple[Floats, Indices, Indices]:
    node = st.integers(0, 6)
    items = draw(st.lists(st.tuples(GRID, node, node), min_size=1, max_size=25))
    values, left, right = (np.array(column) for column in zip(*items, strict=True))
    return values.astype(np.float64), left, right


p_values = st.lists(st.integers(0, 100).map(lambda value: value / 100), max_size=20).map(np.array)
correlations = pytest.mark.parametrize("correlation", [pearson, spearman])
influences = pytest.mark.parametrize("influence", [pearson_influence, spearman_influence])


def shuffled(n: int, seed: int) -> Indices:
    return np.random.default_rng(seed).permutation(n)


@correlations
@unhurried
@given(values=paired_values(), shift=st.integers(-1000, 1000), scale=st.integers(1, 1000))
def test_shift_and_scale_change_no_correlation(
    correlation: Correlation, values: tuple[Floats, Floats], shift: int, scale: int
) -> None:
    x, y = values
    expected = correlation(x, y)
    assert correlation(x * scale + shift, y) == pytest.approx(expected, abs=1e-12)
    assert correlation(-x * scale + shift, y) == pytest.approx(-expected, abs=1e-12)


@correlations
@unhurried
@given(values=paired_values(), seed=st.integers(0, 99))
def test_item_order_and_roles_change_no_correlation(
    correlation: Correlation, values: tuple[Floats, Floats], seed: int
) -> None:
    x, y = values
    order = shuffled(x.size, seed)
    assert correlation(x[order], y[order]) == pytest.approx(correlation(x, y), abs=1e-12)
    assert correlation(y, x) == correlation(x, y)
    assert correlation(x, x) == pytest.approx(1.0)
    assert -1 <= correlation(x, y) <= 1


@unhurried
@given(values=paired_values())
def test_monotone_transformation_changes_no_bit_of_spearman(values: tuple[Floats, Floats]) -> None:
    x, y = values
    assert spearman(np.exp(x), y**3) == spearman(x, y)


@influences
@unhurried
@given(values=paired_values(), seed=st.integers(0, 99))
def test_influence_sums_to_nothing_and_follows_its_items(
    influence: Influence, values: tuple[Floats, Floats], seed: int
) -> None:
    x, y = values
    expected = influence(x, y)
    assert expected.sum() == pytest.approx(0.0, abs=1e-10)
    order = shuffled(x.size, seed)
    np.testing.assert_allclose(influence(x[order], y[order]), expected[order], atol=1e-10)
    np.testing.assert_allclose(influence(y, x), expected, atol=1e-10)
    np.testing.assert_allclose(influence(-x, y), -expected, atol=1e-10)


@influences
@unhurried
@given(values=paired_values())
def test_a_perfect_correlation_is_moved_by_no_item(
    influence: Influence, values: tuple[Floats, Floats]
) -> None:
    x, _ = values
    np.testing.assert_allclose(influence(x, 2 * x + 1), 0.0, atol=1e-10)


@unhurried
@given(values=paired_values())
def test_matrix_of_two_columns_is_the_correlation(values: tuple[Floats, Floats]) -> None:
    x, y = values
    cell = correlation_matrix(x[:, np.newaxis], y[:, np.newaxis]).values[0, 0]
    assert cell == pytest.approx(pearson(x, y), abs=1e-12)


@unhurried
@given(values=st.lists(GRID, max_size=30))
def test_midranks_keep_their_sum_and_mirror(values: list[float]) -> None:
    x = np.array(values)
    ranks = midranks(x)
    assert ranks.sum() == x.size * (x.size + 1) / 2
    np.testing.assert_array_equal(midranks(-x), x.size + 1 - ranks)


@unhurried
@given(high=st.lists(GRID, min_size=1, max_size=20), low=st.lists(GRID, min_size=1, max_size=20))
def test_auc_is_the_share_of_comparisons_won(high: list[float], low: list[float]) -> None:
    wins = sum((a > b) + (a == b) / 2 for a in high for b in low)
    assert auc(high, low) == wins / (len(high) * len(low))
    assert auc(high, low) + auc(low, high) == pytest.approx(1.0)


@unhurried
@given(items=dyads(), seed=st.integers(0, 99))
def test_dyadic_error_knows_neither_sides_nor_names_nor_order(
    items: tuple[Floats, Indices, Indices], seed: int
) -> None:
    values, left, right = items
    expected = pytest.approx(dyadic_standard_error(values, left, right), abs=1e-12)
    order = shuffled(values.size, seed)
    names = shuffled(7, seed)
    turned = np.random.default_rng(seed).random(values.size) < 0.5
    first, second = np.where(turned, right, left), np.where(turned, left, right)
    assert dyadic_standard_error(values, first, second) == expected
    assert dyadic_standard_error(values, names[left], names[right]) == expected
    assert dyadic_standard_error(values[order], left[order], right[order]) == expected
    assert dyadic_standard_error(-3 * values, left, right) / 3 == expected


@unhurried
@given(items=dyads())
def test_dyadic_error_equals_the_sum_over_all_pairs(
    items: tuple[Floats, Indices, Indices],
) -> None:
    values, left, right = items
    n = values.size
    nodes = [{int(a), int(b)} for a, b in zip(left, right, strict=True)]
    heavy = {c: min(sum(c in own for own in nodes) / n, 0.5) for c in set().union(*nodes)}
    total = 0.0
    for p, one in enumerate(nodes):
        for q, other in enumerate(nodes):
            common = one & other
            if p == q:
                total += values[p] * values[q]
            elif common:
                # What is shared at two nodes is counted at both, and once taken away.
                times = sum(1 / (1 - heavy[c]) ** 2 for c in common) - (len(common) - 1)
                total += values[p] * values[q] * times
    variance = max(total, float(values @ values)) / n / max(n - 2, 1)
    assert dyadic_standard_error(values, left, right) ** 2 == pytest.approx(variance, abs=1e-12)


@unhurried
@given(r=st.floats(-1, 1), error=st.floats(0, 10), level=st.floats(0.01, 0.99))
def test_a_correlation_lies_in_its_interval(r: float, error: float, level: float) -> None:
    interval = correlation_interval(r, error, level)
    mirrored = correlation_interval(-r, error, level)
    assert -1 <= interval.low <= r + 1e-12
    assert r - 1e-12 <= interval.high <= 1
    assert (mirrored.low, mirrored.high) == (-interval.high, -interval.low)


@unhurried
@given(p=p_values, seed=st.integers(0, 99))
def test_adjusted_p_values_are_ordered_and_follow_their_tests(p: Floats, seed: int) -> None:
    strict, lenient = holm(p), benjamini_hochberg(p)
    assert (p - 1e-12 <= lenient).all()
    assert (lenient <= strict + 1e-12).all()
    assert (strict <= np.minimum(p * p.size, 1) + 1e-12).all()
    order = shuffled(p.size, seed)
    np.testing.assert_array_equal(holm(p[order]), strict[order])
    np.testing.assert_array_equal(benjamini_hochberg(p[order]), lenient[order])
    ascending = np.argsort(p)
    assert (np.diff(strict[ascending]) >= 0).all()
    assert (np.diff(lenient[ascending]) >= 0).all()


@unhurried
@given(values=paired_values(), seed=st.integers(0, 99))
def test_exchanging_the_sides_mirrors_the_permutation_test(
    values: tuple[Floats, Floats], seed: int
) -> None:
    a, b = values
    forth = paired_permutation_test(row_means, a, b, resamples=200, seed=seed)
    back = paired_permutation_test(row_means, b, a, resamples=200, seed=seed)
    assert back.difference == -forth.difference
    assert back.p_value == forth.p_value
    assert 0 < forth.p_value <= 1


@unhurried
@given(
    values=paired_values(),
    shift=st.integers(-8, 8),
    scale=st.sampled_from([0.25, 1.0, 4.0]),
    method=st.sampled_from(["percentile", "normal"]),
)
def test_intervals_move_and_stretch_with_the_scores(
    values: tuple[Floats, Floats], shift: int, scale: float, method: str
) -> None:
    scores = values[0]

    def ends(moved: Floats) -> tuple[float, float]:
        interval = bootstrap_interval(
            lambda items: np.asarray(moved[items].mean(axis=1)),
            moved.size,
            method="normal" if method == "normal" else "percentile",
            resamples=50,
            seed=1,
        )
        return interval.low, interval.high

    low, high = ends(scores)
    assert ends(scale * scores + shift) == pytest.approx(
        (scale * low + shift, scale * high + shift)
    )
    assert low <= high


@unhurried
@given(seed=st.integers(0, 2**32), names=st.lists(st.text('ab",é', max_size=5), max_size=3))
def test_child_seeds_are_stable_and_apart(seed: int, names: list[str]) -> None:
    assert child_seed(seed, *names) == child_seed(seed, *names)
    assert child_seed(seed, *names) != child_seed(seed, *names, "")
