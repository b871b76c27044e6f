from __future__ import annotations

import numpy as np
import pytest

from lydite.stats import cca as module
from lydite.stats.cca import shuffled_products
from lydite.types import Floats

DRAWS = 7
SHAPES = [(40, 3, 8), (40, 8, 3), (300, 25, 30), (300, 60, 12), (5, 1, 1)]


def oracle(n: int, p: int, seed: int = 0) -> Floats:
    """Draw a matrix with one value or two in a row, and none in the last column."""
    generator = np.random.default_rng(seed)
    S = np.zeros((n, p + 1))
    for _ in range(2):
        S[np.arange(n), generator.integers(p, size=n)] = generator.random(n)
    return S


def centred(matrix: Floats) -> Floats:
    return np.asarray(matrix - matrix.mean(axis=0))


def expected(x: Floats, s: Floats) -> Floats:
    shuffles = np.random.default_rng(3)
    return np.array([s[shuffles.permutation(len(s))].T @ x for _ in range(DRAWS)])


def found(x: Floats, s: Floats, S: Floats, weights: Floats) -> Floats:
    shuffles = np.random.default_rng(3)
    tables = list(shuffled_products(x, s, S, weights, draws=DRAWS, shuffles=shuffles))
    # What is drawn next is what would be drawn after so many orders.
    after = np.random.default_rng(3)
    for _ in range(DRAWS):
        after.permutation(len(s))
    assert shuffles.random() == after.random()
    return np.array(tables)


@pytest.fixture
def sparse_whatever_the_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_SMALL", 0)
    monkeypatch.setattr(module, "_DENSE", 1.0)


@pytest.fixture(params=["1", "3"])
def threads(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LYDITE_THREADS", request.param)


@pytest.mark.usefixtures("sparse_whatever_the_size", "threads")
@pytest.mark.parametrize(("n", "d", "p"), SHAPES)
def test_rows_added_up_are_the_product_of_dense_matrices(n: int, d: int, p: int) -> None:
    generator = np.random.default_rng(1)
    x, S = centred(generator.normal(size=(n, d))), oracle(n, p)
    weights = generator.normal(size=(p + 1, 4))
    s = centred(S @ weights)
    tables = expected(x, s)
    assert found(x, s, S, weights) == pytest.approx(tables, abs=1e-5 * np.abs(tables).max())


@pytest.mark.parametrize(("n", "d", "p"), SHAPES)
def test_small_matrices_are_multiplied_as_they_are(n: int, d: int, p: int) -> None:
    generator = np.random.default_rng(1)
    x, s = centred(generator.normal(size=(n, d))), centred(oracle(n, p))
    tables = expected(x, s)
    # Neither the sparse matrix nor its weights are looked at.
    unused = np.full((n, 1), np.nan), np.full((1, p + 1), np.nan)
    assert found(x, s, *unused) == pytest.approx(tables, abs=1e-5 * np.abs(tables).max())


def test_a_dense_matrix_is_multiplied_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_SMALL", 0)
    monkeypatch.setattr(module, "_sparse_products", None)
    generator = np.random.default_rng(2)
    x, S = centred(generator.normal(size=(50, 4))), generator.random((50, 6))
    tables = expected(x, centred(S))
    assert found(x, centred(S), S, np.eye(6)) == pytest.approx(tables, abs=1e-5)


@pytest.mark.usefixtures("sparse_whatever_the_size")
@pytest.mark.parametrize("closeness", [1e-2, 1e-5, 1e-9, 1e-13])
def test_columns_that_are_almost_the_same_cost_no_digits(closeness: float) -> None:
    # The difference of the two columns is a column of its own once it is divided by its size.
    generator = np.random.default_rng(4)
    x, S = centred(generator.normal(size=(200, 5))), oracle(200, 10)
    s = centred(S[:, :2]) @ [[1.0, 0.0], [0.0, 1.0]]
    S[:, 1] = S[:, 0] + closeness * S[:, 1]
    weights = np.zeros((11, 2))
    weights[:2] = [[1.0, -1 / closeness], [0.0, 1 / closeness]]
    tables = expected(x, s)
    assert found(x, s, S, weights) == pytest.approx(tables, abs=2e-4 * np.abs(tables).max())


@pytest.mark.usefixtures("sparse_whatever_the_size")
def test_no_draws_are_no_products() -> None:
    x, S = centred(np.arange(6.0)[:, None]), oracle(6, 2)
    tables = shuffled_products(x, S, S, np.eye(3), draws=0, shuffles=np.random.default_rng(0))
    assert list(tables) == []
