from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import ArrayLike
from scipy import stats

from lydite.errors import InputError, UndefinedScoreError
from lydite.stats import correlation
from lydite.stats.correlation import (
    correlation_matrix,
    pearson,
    pearson_influence,
    pearson_rows,
    resampled_spearman,
    spearman,
    spearman_influence,
    spearman_rows,
)
from lydite.types import Floats

Correlation = Callable[[ArrayLike, ArrayLike], float]
Influence = Callable[[ArrayLike, ArrayLike], Floats]


def tied_pair(n: int, seed: int) -> tuple[Floats, Floats]:
    generator = np.random.default_rng(seed)
    x = generator.normal(size=n)
    y = 0.6 * x + generator.normal(size=n)
    return np.round(x * 3), np.round(y * 2)


def test_pearson_by_hand() -> None:
    # x - mean = (-1, 0, 1), y - mean = (-4, -1, 5) / 3: 3 / sqrt(2 * 42 / 9).
    assert pearson([1.0, 2.0, 3.0], [1.0, 2.0, 4.0]) == pytest.approx(3 / np.sqrt(2 * 42 / 9))


def test_spearman_by_hand_without_ties() -> None:
    # Rank differences 0, 1, -1, 0, 0: 1 - 6 * 2 / (5 * 24).
    assert spearman([1.0, 5.0, 3.0, 6.0, 9.0], [0.1, 0.2, 0.3, 0.4, 0.5]) == pytest.approx(0.9)


def test_spearman_by_hand_with_ties() -> None:
    # Ranks (1, 2, 3, 4) and (1, 2.5, 2.5, 4): covariance sum 4.5, squares 5 and 4.5.
    assert spearman([1, 2, 3, 4], [10, 100, 100, 1000]) == pytest.approx(4.5 / np.sqrt(22.5))


@pytest.mark.parametrize("seed", range(5))
def test_correlations_equal_scipy(seed: int) -> None:
    x, y = tied_pair(80, seed)
    assert pearson(x, y) == pytest.approx(stats.pearsonr(x, y).statistic, abs=1e-14)
    assert spearman(x, y) == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-14)


def test_pearson_keeps_its_digits_under_a_large_offset() -> None:
    x = np.array([0.0, 1.0, 2.0, 4.0])
    y = np.array([1.0, 0.0, 3.0, 4.0])
    assert pearson(x + 2.0**50, y * 2.0**900) == pytest.approx(pearson(x, y), abs=1e-15)


@pytest.mark.parametrize("function", [pearson, spearman, pearson_influence, spearman_influence])
@pytest.mark.parametrize(
    ("x", "y", "reason"),
    [
        ([1.0, 2.0], [2.0, 1.0], "at least 3 items, got 2"),
        ([], [], "at least 3 items, got 0"),
        ([0.1, 0.1, 0.1], [1.0, 2.0, 3.0], "first variable has no variance"),
        ([1.0, 2.0, 3.0], [7.0, 7.0, 7.0], "second variable has no variance"),
        ([1.0, np.nan, 3.0], [1.0, 2.0, 3.0], "NaN|not finite"),
    ],
)
def test_undefined_correlations_say_why(
    function: Correlation, x: list[float], y: list[float], reason: str
) -> None:
    with pytest.raises(UndefinedScoreError, match=reason):
        function(x, y)


def test_infinity_has_a_rank_but_no_product() -> None:
    x, y = [1.0, 2.0, np.inf], [1.0, 2.0, 3.0]
    assert spearman(x, y) == pytest.approx(1.0)
    with pytest.raises(UndefinedScoreError, match="1 values that are not finite among 3"):
        pearson(x, y)


def test_a_span_beyond_a_double_is_refused() -> None:
    with pytest.raises(UndefinedScoreError, match="spans more"):
        pearson([-1.5e308, 0.0, 1.5e308], [1.0, 2.0, 3.0])


@pytest.mark.parametrize("function", [pearson, spearman, pearson_influence, spearman_influence])
def test_variables_of_different_length_are_refused(function: Correlation) -> None:
    with pytest.raises(InputError, match=r"\(3,\) and \(4,\)"):
        function([1.0, 2.0, 3.0], [1.0, 2.0, 3.0, 4.0])


def test_rows_equal_single_correlations() -> None:
    generator = np.random.default_rng(5)
    X = generator.integers(0, 9, size=(6, 30)).astype(np.float64)
    Y = generator.integers(0, 9, size=(6, 30)).astype(np.float64)
    assert pearson_rows(X, Y).tolist() == [pearson(x, y) for x, y in zip(X, Y, strict=True)]
    assert spearman_rows(X, Y).tolist() == [spearman(x, y) for x, y in zip(X, Y, strict=True)]
    assert pearson_rows(X, Y[0]).tolist() == [pearson(x, Y[0]) for x in X]
    assert spearman_rows(X, Y[0]).tolist() == [spearman(x, Y[0]) for x in X]


def test_undefined_rows_are_nan_and_leave_the_others_alone() -> None:
    X = [[1.0, 2.0, 3.0], [0.1, 0.1, 0.1], [1.0, np.nan, 2.0], [1.0, np.inf, 2.0]]
    values = pearson_rows(X, [1.0, 2.0, 3.0])
    assert values[0] == pytest.approx(1.0)
    assert np.isnan(values[1:]).all()
    assert np.isnan(pearson_rows([[1.0, 2.0]], [1.0, 2.0])).all()


def test_rows_of_other_shapes_are_refused() -> None:
    with pytest.raises(InputError, match=r"\(2, 3\) and \(3, 3\)"):
        pearson_rows(np.zeros((2, 3)), np.zeros((3, 3)))


def test_resampled_spearman_equals_ranking_each_resample() -> None:
    x, y = tied_pair(50, 6)
    for width in (40, 50, 65):
        indices = np.random.default_rng(7).integers(0, 50, size=(20, width))
        expected = spearman_rows(x[indices], y[indices])
        np.testing.assert_array_equal(resampled_spearman(x, y)(indices), expected)


def test_correlation_matrix_equals_numpy_column_by_column() -> None:
    generator = np.random.default_rng(8)
    X = generator.normal(size=(40, 5)).astype(np.float32)
    S = generator.integers(0, 2, size=(40, 3))
    values = correlation_matrix(X, S).values
    expected = np.corrcoef(np.hstack([X.astype(np.float64), S]), rowvar=False)[:5, 5:]
    assert values.shape == (5, 3)
    assert values.dtype == np.float64
    np.testing.assert_allclose(values, expected, atol=1e-14)


def test_constant_columns_are_nan_and_named() -> None:
    X = np.array([[0.1, 1.0], [0.1, 2.0], [0.1, 4.0]])
    S = np.array([[1.0, 0.3], [2.0, 0.3], [4.0, 0.3]])
    result = correlation_matrix(X, S)
    assert result.left_constant.tolist() == [True, False]
    assert result.right_constant.tolist() == [False, True]
    assert np.isnan(result.values).tolist() == [[True, True], [False, True]]
    assert result.values[1, 0] == pytest.approx(1.0)


def test_correlation_matrix_refuses_what_it_cannot_use() -> None:
    with pytest.raises(UndefinedScoreError, match="at least 3 items, got 2"):
        correlation_matrix(np.eye(2), np.eye(2))
    with pytest.raises(UndefinedScoreError, match="right matrix holds values"):
        correlation_matrix(np.eye(3), np.full((3, 1), np.nan))
    with pytest.raises(InputError, match=r"\(3, 3\) and \(4, 4\)"):
        correlation_matrix(np.eye(3), np.eye(4))


def weighted_pearson(x: Floats, y: Floats, weights: Floats) -> float:
    x, y = x - weights @ x, y - weights @ y
    return float(weights @ (x * y) / np.sqrt((weights @ x**2) * (weights @ y**2)))


def weighted_spearman(x: Floats, y: Floats, weights: Floats) -> float:
    def below(values: Floats) -> Floats:
        kernel = (values[:, None] < values) + 0.5 * (values[:, None] == values)
        return np.asarray(weights @ kernel)

    return weighted_pearson(below(x), below(y), weights)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("influence", "functional"),
    [(pearson_influence, weighted_pearson), (spearman_influence, weighted_spearman)],
)
def test_influence_is_the_derivative_by_an_items_weight(
    influence: Influence, functional: Callable[[Floats, Floats, Floats], float], seed: int
) -> None:
    x, y = tied_pair(30, seed)
    step = 1e-5
    even = np.full(30, 1 / 30)
    derivatives = []
    for item in np.eye(30):
        up = functional(x, y, even + step * (item - even))
        down = functional(x, y, even - step * (item - even))
        derivatives.append((up - down) / (2 * step))
    np.testing.assert_allclose(influence(x, y), derivatives, atol=1e-6)


def test_the_weighted_functionals_of_these_tests_are_the_correlations() -> None:
    x, y = tied_pair(30, 4)
    even = np.full(30, 1 / 30)
    assert weighted_pearson(x, y, even) == pytest.approx(pearson(x, y))
    assert weighted_spearman(x, y, even) == pytest.approx(spearman(x, y))


@pytest.mark.parametrize(
    ("influence", "rows"),
    [(pearson_influence, pearson_rows), (spearman_influence, spearman_rows)],
)
def test_influence_agrees_with_the_jackknife(
    influence: Influence, rows: Callable[[ArrayLike, ArrayLike], Floats]
) -> None:
    n = 400
    x, y = tied_pair(n, 9)
    kept = np.array([np.delete(np.arange(n), item) for item in range(n)])
    pseudo = (n - 1) * (rows(x[None], y) - rows(x[kept], y[kept]))
    np.testing.assert_allclose(influence(x, y), pseudo, atol=0.06)
    assert influence(x, y).std() == pytest.approx(pseudo.std(), rel=0.01)


@pytest.mark.parametrize("influence", [pearson_influence, spearman_influence])
def test_influence_has_mean_zero(influence: Influence) -> None:
    x, y = tied_pair(1000, 10)
    assert abs(influence(x, y).mean()) < 1e-13


def test_rank_terms_matter_for_the_standard_error() -> None:
    # Without dependence the variance of rho is 1 / (n - 1), so the mean square is about 1. With
    # it, Pearson's influence of the ranks, which holds the ranks fixed, gives another value.
    generator = np.random.default_rng(11)
    x, y = generator.normal(size=(2, 4000))
    independent = float(np.mean(spearman_influence(x, y) ** 2))
    assert independent == pytest.approx(1.0, abs=0.1)
    y = 2 * x + y
    ranks = stats.rankdata(x), stats.rankdata(y)
    dependent = float(np.mean(spearman_influence(x, y) ** 2))
    fixed_ranks = float(np.mean(pearson_influence(*ranks) ** 2))
    assert abs(dependent / fixed_ranks - 1) > 0.05


def test_the_minimum_of_items_is_three() -> None:
    assert correlation.MIN_ITEMS == 3
    assert pearson([1.0, 2.0, 3.0], [3.0, 2.0, 1.0]) == pytest.approx(-1.0)
