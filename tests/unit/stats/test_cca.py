from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import ArrayLike
from scipy import linalg

from lydite.errors import InputError, UndefinedScoreError
from lydite.stats.cca import canonical_correlations, canonical_influence
from lydite.stats.correlation import pearson
from lydite.types import Floats

# The eight corners of a cube: a, b, c and their products are seven columns of mean 0 and
# variance 1, each uncorrelated with all others, so that correlations can be read off.
A, B, C = np.array([[i & 1, i >> 1 & 1, i >> 2 & 1] for i in range(8)], dtype=np.float64).T * 2 - 1


def by_eigenvalues(X: Floats, S: Floats) -> Floats:
    """Square roots of the eigenvalues of Cxs Css⁻¹ Csx relative to Cxx (Hotelling 1936)."""
    x, s = X - X.mean(axis=0), S - S.mean(axis=0)
    cross = x.T @ s
    values = linalg.eigh(cross @ linalg.solve(s.T @ s, cross.T), x.T @ x, eigvals_only=True)
    largest = np.asarray(values, dtype=np.float64)[::-1][: min(X.shape[1], S.shape[1])]
    roots: Floats = np.sqrt(largest.clip(0, 1))
    return roots


def related(
    n: int, d: int, p: int, seed: int, strengths: ArrayLike | None = None
) -> tuple[Floats, Floats]:
    """Draw Gaussian matrices whose canonical correlations in the population are the strengths."""
    generator = np.random.default_rng(seed)
    k = min(d, p)
    usual = 0.8 * 0.6 ** np.arange(k)
    rho = np.asarray(usual if strengths is None else strengths, dtype=np.float64)
    U, V = generator.normal(size=(n, d)), generator.normal(size=(n, p))
    V[:, :k] = rho * U[:, :k] + np.sqrt(1 - rho**2) * V[:, :k]
    mix = np.random.default_rng(0)
    return U @ mix.normal(size=(d, d)), V @ mix.normal(size=(p, p))


def test_two_single_columns_give_the_size_of_their_correlation() -> None:
    # Deviations -1.5 -0.5 0.5 1.5 and -1.5 0.5 -0.5 1.5: 4 / 5. Direction does not count.
    x, s = np.array([[1.0], [2.0], [3.0], [4.0]]), np.array([[1.0], [3.0], [2.0], [4.0]])
    assert canonical_correlations(x, s).correlations.tolist() == pytest.approx([0.8])
    assert canonical_correlations(x, -s).correlations.tolist() == pytest.approx([0.8])


def test_one_column_against_two_gives_the_multiple_correlation() -> None:
    # y = 3a + 4b + 12c: of its variance 9 + 16 + 144 = 169, a and b explain 25.
    y = (3 * A + 4 * B + 12 * C)[:, None]
    found = canonical_correlations(y, np.column_stack([A, B])).correlations
    assert found.tolist() == pytest.approx([5 / 13])


def test_two_by_two_on_a_cube() -> None:
    # a with (3a + 4c) / 5 correlates by 3/5, b with (5b + 12ac) / 13 by 5/13, all else by 0.
    X, S = np.column_stack([A, B]), np.column_stack([3 * A + 4 * C, 5 * B + 12 * A * C])
    mixed_X, mixed_S = X @ [[2.0, 1.0], [1.0, 1.0]] + 7, S @ [[1.0, 3.0], [0.0, -2.0]] - 1
    for left, right in ((X, S), (mixed_X, mixed_S)):
        found = canonical_correlations(left, right).correlations
        assert found.tolist() == pytest.approx([3 / 5, 5 / 13])


def test_influence_on_a_cube() -> None:
    # u = a and v = (3a + 4c) / 5. Where a = c = 1, v = 7/5 and u v - 0.3 (u² + v²) =
    # 1.4 - 0.3 · 2.96 = 0.512; where a = 1, c = -1, v = -1/5 and -0.2 - 0.3 · 1.04 = -0.512.
    X, S = np.column_stack([A, B]), np.column_stack([3 * A + 4 * C, 5 * B + 12 * A * C])
    influence = canonical_influence(canonical_correlations(X, S))[:, 0]
    assert influence.tolist() == pytest.approx(np.where(A == C, 0.512, -0.512).tolist())


@pytest.mark.parametrize(("n", "d", "p"), [(40, 3, 5), (40, 5, 3), (200, 10, 12), (30, 1, 1)])
def test_agrees_with_the_generalised_eigenproblem(n: int, d: int, p: int) -> None:
    X, S = related(n, d, p, seed=n + d)
    expected = by_eigenvalues(X, S)
    assert canonical_correlations(X, S).correlations == pytest.approx(expected, abs=1e-9)


def test_variates_correlate_as_promised() -> None:
    X, S = related(60, 4, 3, seed=1)
    analysis = canonical_correlations(X, S)
    n = len(X)
    assert analysis.left.T @ analysis.left / n == pytest.approx(np.eye(3), abs=1e-12)
    assert analysis.right.T @ analysis.right / n == pytest.approx(np.eye(3), abs=1e-12)
    expected = np.diag(analysis.correlations)
    assert analysis.left.T @ analysis.right / n == pytest.approx(expected, abs=1e-12)
    assert analysis.left.mean(axis=0) == pytest.approx(np.zeros(3), abs=1e-12)


def test_constant_and_collinear_columns_change_nothing() -> None:
    X, S = related(50, 3, 2, seed=2)
    wider = np.column_stack([X, X[:, 0] - 2 * X[:, 1], np.full(50, 0.1)])
    found = canonical_correlations(wider, S)
    assert found.left_basis.shape == (50, 3)
    assert found.correlations == pytest.approx(canonical_correlations(X, S).correlations)


def test_a_column_of_small_numbers_counts_as_much_as_others() -> None:
    X, S = related(50, 3, 2, seed=3)
    found = canonical_correlations(X * [1.0, 1e-15, 1e12] + [0.0, 0.0, 1e13], S)
    assert found.correlations == pytest.approx(canonical_correlations(X, S).correlations, abs=1e-4)


def test_columns_that_are_constant_but_for_rounding_do_not_vary() -> None:
    # The mean of seven times 0.1 is not 0.1 in binary, so that centred values are not quite 0.
    constant = np.full((7, 1), 0.1)
    assert (constant - constant.mean()).any()
    with pytest.raises(UndefinedScoreError, match="left matrix do not vary"):
        canonical_correlations(constant, np.arange(7.0)[:, None])


def test_as_many_items_as_variables_are_refused() -> None:
    # Subspaces of 3 and 2 dimensions in the 4 that centring leaves of 5 share a line.
    generator = np.random.default_rng(0)
    X, S = generator.normal(size=(6, 3)), generator.normal(size=(6, 2))
    assert canonical_correlations(X, S).correlations[0] < 1 - 1e-6
    with pytest.raises(UndefinedScoreError, match="5 items with 5 independent variables") as caught:
        canonical_correlations(X[:5], S[:5])
    assert caught.value.hint == "more than 5 items are needed: more words, or fewer dimensions"
    left, right = (linalg.orth(M[:5] - M[:5].mean(axis=0)) for M in (X, S))
    assert linalg.svdvals(left.T @ right)[0] == pytest.approx(1)


def test_wrong_shapes_and_numbers_are_named() -> None:
    good = np.arange(12.0).reshape(6, 2) ** 2
    with pytest.raises(InputError, match="got 6 and 5 rows"):
        canonical_correlations(good, good[:5])
    with pytest.raises(InputError, match="right matrix to be \\(n, columns\\), got shape \\(6,\\)"):
        canonical_correlations(good, good[:, 0])
    with pytest.raises(InputError, match="1 others in the left matrix"):
        canonical_correlations(np.where(good == 4, np.nan, good), good)


@pytest.mark.parametrize("first", [True, False])
def test_influence_is_what_leaving_an_item_out_shows(first: bool) -> None:
    used = slice(0, 1) if first else slice(None)
    X, S = related(200, 6, 4, seed=5)
    analysis = canonical_correlations(X, S)
    influence = canonical_influence(analysis)[:, used].mean(axis=1)
    assert influence.mean() == pytest.approx(0, abs=1e-12)
    rows = np.arange(200)
    left_out = np.array(
        [canonical_correlations(X[rows != i], S[rows != i]).correlations[used].mean() for i in rows]
    )
    jackknife = 199 * (analysis.correlations[used].mean() - left_out)
    assert pearson(influence, jackknife - jackknife.mean()) > 0.995
    assert influence.std() == pytest.approx(jackknife.std(), rel=0.1)


def test_a_correlation_of_one_has_no_influence() -> None:
    x = np.arange(6.0)[:, None]
    analysis = canonical_correlations(x, 3 - x)
    assert math.isclose(analysis.correlations[0], 1)
    assert canonical_influence(analysis) == pytest.approx(np.zeros((6, 1)), abs=1e-12)
