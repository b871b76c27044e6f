from __future__ import annotations

import numpy as np
import pytest

from lydite.evaluations.subsumption.scoring import MEASURES, inclusion
from lydite.types import Floats

names = pytest.mark.parametrize("name", sorted(MEASURES))

X = np.array([[3.0, 4.0]])
Y = np.array([[4.0, -3.0]])
Z = np.array([[0.0, 2.0]])


def of(name: str, left: Floats, right: Floats) -> float:
    both = np.vstack([left, right])
    return float(MEASURES[name].of_pairs(both, np.array([0]), np.array([1]))[0])


def test_by_hand() -> None:
    # x = (3, 4), y = (4, -3) is at right angles, z = (0, 2) has 8 / (5 · 2) with x.
    assert of("cosine", X, Y) == 0
    assert of("cosine", X, Z) == pytest.approx(0.8)
    assert of("dot", X, Z) == 8
    # Differences (3, 2) and (-1, 7).
    assert of("euclidean", X, Z) == pytest.approx(-np.sqrt(13))
    assert of("euclidean", X, Y) == pytest.approx(-np.sqrt(50))
    # Of x, z holds 2 of 7; of z, x holds all; y shares the first axis only: 3 of 7.
    assert of("inclusion", X, Z) == pytest.approx(2 / 7)
    assert of("inclusion", Z, X) == 1
    assert of("inclusion", X, Y) == pytest.approx(3 / 7)


@names
def test_of_all_is_of_pairs_for_every_pair(name: str) -> None:
    vectors = np.random.default_rng(1).normal(size=(13, 5))
    vectors[4] = vectors[7]
    measure = MEASURES[name]
    rows, columns = np.indices((13, 13)).reshape(2, -1)
    one_by_one = measure.of_pairs(vectors, rows, columns).reshape(13, 13)
    # The distance of a vector to itself is a root of rounding errors.
    assert measure.of_all(vectors) == pytest.approx(one_by_one, abs=1e-6)


def test_inclusion_is_the_only_one_that_is_not_symmetric() -> None:
    vectors = np.random.default_rng(2).normal(size=(6, 4))
    symmetric = {
        name: bool(np.allclose(m.of_all(vectors), m.of_all(vectors).T))
        for name, m in MEASURES.items()
    }
    assert symmetric == {"cosine": True, "dot": True, "euclidean": True, "inclusion": False}


def test_inclusion_goes_from_nothing_to_all() -> None:
    vectors = np.random.default_rng(3).normal(size=(50, 4))
    table = MEASURES["inclusion"].of_all(vectors)
    assert table.min() >= 0
    assert table.max() <= 1 + 1e-12
    assert np.diag(table) == pytest.approx(1)
    assert inclusion(vectors, -vectors) == pytest.approx(0)
    assert inclusion(vectors, 3 * vectors) == pytest.approx(1)
    # A third of a vector holds a third of it.
    assert inclusion(vectors, vectors / 3) == pytest.approx(1 / 3)


def test_a_zero_vector_is_like_nothing_and_in_nothing() -> None:
    zero = np.zeros((1, 2))
    for name in ("cosine", "inclusion"):
        assert of(name, zero, X) == of(name, X, zero) == 0
        assert MEASURES[name].of_all(np.vstack([zero, X]))[0, 1] == 0


def test_blocks_of_inclusion_are_put_together(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = np.random.default_rng(4).normal(size=(9, 3))
    whole = MEASURES["inclusion"].of_all(vectors)
    monkeypatch.setattr("lydite.evaluations.subsumption.scoring._BLOCK_CELLS", 7)
    assert np.array_equal(MEASURES["inclusion"].of_all(vectors), whole)
