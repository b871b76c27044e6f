from __future__ import annotations

import numpy as np
import pytest

from lydite.spaces.factorization import SparseMatrix
from lydite.spaces.vocabulary import Vocabulary, bounds
from lydite.trained.cheung_penn import erk_pado as module
from lydite.trained.cheung_penn.erk_pado import Preferences, Scaled, contextualized
from lydite.trained.cheung_penn.named_rows import NamedRows, dense
from lydite.trained.cheung_penn.related_words import RelatedWords
from lydite.types import Floats, Vectors


def rows(vectors: dict[str, list[float]]) -> NamedRows:
    matrix = np.array(list(vectors.values()), dtype=np.float32)
    places, columns = np.nonzero(matrix)
    return NamedRows(
        words=Vocabulary.of(vectors),
        dimensions=Vocabulary.of([f"c{i}" for i in range(matrix.shape[1])]),
        matrix=SparseMatrix(
            starts=bounds(np.bincount(places, minlength=len(matrix))),
            columns=columns.astype(np.int32),
            values=matrix[places, columns],
            width=matrix.shape[1],
        ),
    )


def related(lemmas: list[str], relations: list[str], counts: Floats) -> RelatedWords:
    """Return related words from counts of word, directed relation, other word."""
    flat = counts.reshape(len(lemmas), -1)
    places, columns = np.nonzero(flat)
    return RelatedWords(
        lemmas=Vocabulary.of(lemmas),
        relations=(*relations, *(f"{name}^-1" for name in relations)),
        starts=bounds(np.bincount(places, minlength=len(lemmas))),
        columns=columns,
        values=flat[places, columns].astype(np.float32),
    )


def whole(found: Scaled) -> Floats:
    """Return vectors with the lengths that they have."""
    return np.asarray(found.vectors * np.exp(found.logs)[:, None])


VECTORS = {"throw": [1.0, 2.0], "catch": [3.0, 1.0], "ball": [2.0, 0.0], "cold": [0.0, 4.0]}


@pytest.fixture
def toy() -> Preferences:
    """Caught are balls (20) and colds (15), thrown are balls (12)."""
    lemmas = list(VECTORS)
    counts = np.zeros((4, 2, 4))
    for head, dependent, count in (
        ("catch", "ball", 20),
        ("catch", "cold", 15),
        ("throw", "ball", 12),
    ):
        counts[lemmas.index(head), 0, lemmas.index(dependent)] = count
        counts[lemmas.index(dependent), 1, lemmas.index(head)] = count
    return Preferences(rows(VECTORS), related(lemmas, ["dobj"], counts))


def test_preferences_by_hand(toy: Preferences) -> None:
    # ball is the object of throw 12 (1, 2) + catch 20 (3, 1) = (72, 44); catch has the objects
    # ball 20 (2, 0) + cold 15 (0, 4) = (40, 60); nothing has throw as its object.
    found = toy.take(np.array([2, 1, 0]), np.array([1, 0, 1]))
    np.testing.assert_allclose(whole(found), [[72, 44], [40, 60], [0, 0]], rtol=1e-6)
    np.testing.assert_allclose(found.vectors.max(axis=1), [1, 1, 0])


def test_words_in_context_by_hand(toy: Preferences) -> None:
    # Equations 17 and 18. catch with the object ball: (3, 1) x (72, 44) = (216, 44);
    # ball as the object of catch: (2, 0) x (40, 60) = (80, 0).
    vectors = np.array([VECTORS["catch"], VECTORS["ball"]], dtype=np.float32)
    preferences = toy.take(np.array([2, 1]), np.array([1, 0]))
    found = contextualized(vectors, np.array([0, 1]), preferences)
    np.testing.assert_allclose(whole(found), [[216, 44], [80, 0]], rtol=1e-6)
    # The same directions, as long as (3, 1) and (2, 0).
    kept = contextualized(vectors, np.array([0, 1]), preferences, "kept")
    catch = np.array([216, 44]) * np.sqrt(10) / np.hypot(216, 44)
    np.testing.assert_allclose(whole(kept), [catch, [2, 0]], rtol=1e-6)


def test_what_was_made_before_is_the_same(toy: Preferences) -> None:
    words, kinds = np.array([2, 1, 2]), np.array([1, 0, 1])
    first = toy.take(words, kinds)
    again = toy.take(words[::-1], kinds[::-1])
    np.testing.assert_array_equal(whole(again), whole(first)[::-1])


def test_no_more_is_remembered_than_is_allowed(
    toy: Preferences, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_REMEMBERED", 1)
    words, kinds = np.array([2, 1, 0]), np.array([1, 0, 0])
    first = toy.take(words, kinds)
    assert len(toy._made) == 1
    np.testing.assert_array_equal(whole(toy.take(words, kinds)), whole(first))


def test_several_contexts_multiply_and_empty_ones_do_nothing() -> None:
    vectors = np.array([[1, 2, 3], [1, 1, 0]], dtype=np.float32)
    preferences = Scaled.of(np.array([[10, 5, 0], [0, 0, 0], [0, 0, 1], [2, 4, 4.0]]))
    places = np.array([0, 0, 1, 0])
    # The first: (1, 2, 3) x (10, 5, 0) x (2, 4, 4) = (20, 40, 0). The second has nothing in common
    # with its preference.
    found = contextualized(vectors, places, preferences)
    np.testing.assert_allclose(whole(found), [[20, 40, 0], [1, 1, 0]])
    kept = contextualized(vectors, places, preferences, "kept")
    expected = np.array([20, 40, 0]) * np.sqrt(14) / np.sqrt(2000)
    np.testing.assert_allclose(whole(kept), [expected, [1, 1, 0]])


def test_long_products_neither_vanish_nor_overflow() -> None:
    preferences = Scaled.of(np.full((400, 2), 1e-30))
    found = contextualized(np.ones((1, 2), np.float32), np.zeros(400, np.int64), preferences)
    np.testing.assert_allclose(found.vectors, [[1, 1]])
    np.testing.assert_allclose(found.logs, [400 * np.log(1e-30)])


def test_no_words_and_no_contexts() -> None:
    none = np.zeros((0, 3), dtype=np.float32)
    found = contextualized(none, np.zeros(0, np.int64), Scaled.of(np.zeros((0, 3))))
    assert found.vectors.shape == (0, 3)
    zero = np.zeros((1, 3), dtype=np.float32)
    for length in ("paper", "kept"):
        found = contextualized(zero, np.zeros(1, np.int64), Scaled.of(np.ones((1, 3))), length)
        assert whole(found).tolist() == [[0, 0, 0]]


@pytest.mark.parametrize("seed", range(5))
def test_against_loops(seed: int) -> None:
    random = np.random.default_rng(seed)
    lemmas, relations = [f"w{i}" for i in range(8)], ["nsubj", "dobj"]
    table: Vectors = (random.random((8, 5)) * (random.random((8, 5)) < 0.7)).astype(np.float32)
    vectors = dict(zip(lemmas, table.tolist(), strict=True))
    counts = random.integers(11, 40, (8, 4, 8)) * (random.random((8, 4, 8)) < 0.3)
    made = Preferences(rows(vectors), related(lemmas, relations, counts.astype(float)))
    words, kinds = random.integers(0, 8, 20), random.integers(0, 4, 20)
    found = made.take(words, kinds)
    for word, kind, got in zip(words, kinds, whole(found), strict=True):
        total = np.zeros(5)
        for other in range(8):
            total += counts[word, kind, other] * np.array(vectors[f"w{other}"])
        np.testing.assert_allclose(got, total, rtol=1e-5)


def test_rows_with_their_zeros() -> None:
    assert dense(rows(VECTORS).take(["cold", "emu", "catch"])).tolist() == [[0, 4], [0, 0], [3, 1]]
