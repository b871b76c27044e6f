from __future__ import annotations

import os
import tracemalloc
from fractions import Fraction

import numpy as np
import pytest

from lydite.errors import InputError
from lydite.spaces import neighbours
from lydite.spaces import neighbours as blocks
from lydite.spaces.cosine import exact_cosine
from lydite.spaces.neighbours import nearest_words
from lydite.types import Vectors


def random_vectors(n: int, dim: int, seed: int = 0) -> Vectors:
    return np.random.default_rng(seed).standard_normal((n, dim)).astype(np.float32)


def exact_order(vectors: Vectors, query: Vectors, left_out: list[int] | None = None) -> list[int]:
    """Sort all words by true cosine, in exact arithmetic, then by their place."""
    keys = []
    exact_query = list(map(Fraction, query.tolist()))
    for row, vector in enumerate(vectors.tolist()):
        exact = list(map(Fraction, vector))
        dot = sum((x * y for x, y in zip(exact, exact_query, strict=True)), Fraction(0))
        square = sum((x * x for x in exact), Fraction(0))
        keys.append((-dot * abs(dot) / square if square else Fraction(0), row))
    return [row for _, row in sorted(keys) if row not in (left_out or [])]


def test_by_hand() -> None:
    # Angles to the query of 0, 45, 90 and 180 degrees.
    space = np.array([[0, 1], [-1, 0], [1, 1], [1, 0]], dtype=np.float32)
    found = nearest_words(space, space[3:], 4)
    assert found.indices.tolist() == [[3, 2, 0, 1]]
    assert found.cosines.tolist() == [[1, pytest.approx(0.5**0.5, abs=1e-16), 0, -1]]


@pytest.mark.parametrize("k", [1, 10, 119])
@pytest.mark.parametrize(("words", "group"), [(4096, 256), (7, 3), (1, 1)])
def test_against_exact_arithmetic(
    monkeypatch: pytest.MonkeyPatch, k: int, words: int, group: int
) -> None:
    monkeypatch.setattr(neighbours, "WORDS", words)
    monkeypatch.setattr(neighbours, "QUERIES", group)
    vectors = random_vectors(120, 7)
    # Copies, multiples, opposites and zero rows.
    vectors[60:80] = vectors[:20]
    vectors[80:90] = vectors[:10] * 4
    vectors[90:100] = -vectors[:10]
    vectors[100:110] = np.round(vectors[100:110] * 8)
    vectors[110:115] = vectors[100:105] * 3
    vectors[115:118] = 0
    own = np.arange(0, 110, 11)
    found = nearest_words(vectors, vectors[own], k, exclude=own[:, None])
    for row, query in enumerate(own.tolist()):
        expected = exact_order(vectors, vectors[query], [query])[:k]
        assert found.indices[row].tolist() == expected
        repeated = np.repeat(vectors[query][None], k, axis=0)
        np.testing.assert_allclose(
            found.cosines[row], exact_cosine(repeated, vectors[expected]), atol=1e-15
        )


@pytest.mark.parametrize("dim", [50, 300])
def test_near_ties_of_float32_are_ordered_exactly(dim: int) -> None:
    rng = np.random.default_rng(dim)
    word, query = random_vectors(2, dim, dim)
    vectors = np.repeat(word[None], 200, axis=0)
    rows = np.arange(200)
    at = rng.integers(0, dim, 200)
    vectors[rows, at] += rng.integers(-3, 4, 200) * np.spacing(vectors[rows, at])
    order = exact_order(vectors, query)
    for k in (1, 17, 200):
        assert nearest_words(vectors, query[None], k).indices[0].tolist() == order[:k]


def test_many_identical_vectors_come_in_order_and_in_bounded_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(neighbours, "_CANDIDATES", 1 << 15)
    vectors = np.tile(random_vectors(1, 10), (40_000, 1))
    vectors[5000] = random_vectors(1, 10, 5)
    nearest_words(vectors[:10], vectors[:1], 1)
    tracemalloc.start()
    found = nearest_words(vectors, vectors[:32], 5)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (found.indices == np.arange(5)).all()
    # Blocks in which every word is a candidate, of 20 bytes each while they wait, and those that
    # are sorted; without smaller groups of queries it would be all 32 x 40,000 of them.
    waiting = 2 * min(os.cpu_count() or 1, 10) + 2
    assert peak < 32 * blocks.WORDS * (20 * waiting + 12 * 8)


def test_excluded_words_are_left_out_once_and_minus_one_is_none() -> None:
    vectors = random_vectors(6, 3)
    exclude = np.array([[0, 0, 1], [-1, -1, -1], [5, -1, 5]])
    found = nearest_words(vectors, vectors[:3], 4, exclude=exclude)
    for row in range(3):
        left_out = [place for place in exclude[row].tolist() if place >= 0]
        assert found.indices[row].tolist() == exact_order(vectors, vectors[row], left_out)[:4]


def test_all_words_but_one() -> None:
    vectors = random_vectors(50, 4)
    found = nearest_words(vectors, vectors, 49, exclude=np.arange(50)[:, None])
    assert [sorted([row, *found.indices[row].tolist()]) for row in range(50)] == [
        list(range(50))
    ] * 50


@pytest.mark.parametrize(
    ("k", "exclude", "message"),
    [
        (0, None, "expected k from 1 to 5, got 0"),
        (6, None, "expected k from 1 to 5, got 6"),
        (5, [[0]], "expected k from 1 to 4, got 5"),
        (5, [[0, 0, -1]], "expected k from 1 to 4, got 5"),
        (4, [[0, 1]], "expected k from 1 to 3, got 4"),
        (1, [[5]], "expected exclude to be rows from -1 to 4, got 5"),
        (1, [[0], [1]], r"expected exclude of shape \(1, 1\), got \(2, 1\)"),
    ],
)
def test_calls_that_make_no_sense(k: int, exclude: list[list[int]] | None, message: str) -> None:
    space = random_vectors(5, 3)
    rows = None if exclude is None else np.array(exclude)
    with pytest.raises(InputError, match=message):
        nearest_words(space, space[:1], k, exclude=rows)


def test_zero_and_nan_queries_are_refused() -> None:
    space = random_vectors(5, 3)
    with pytest.raises(InputError) as caught:
        nearest_words(space, space[:1] * 0, 1)
    assert str(caught.value) == (
        "expected queries with a direction, got a zero vector at row 0\n"
        "hint: leave words without a vector out before asking for neighbours or ranks"
    )
    with pytest.raises(InputError, match="got NaN or infinity at row 0"):
        nearest_words(space, space[:1] * np.inf, 1)


def test_no_queries() -> None:
    space = random_vectors(5, 3)
    assert nearest_words(space, space[:0], 2).indices.shape == (0, 2)


def test_progress_ends_at_the_number_of_queries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbours, "QUERIES", 2)
    told: list[tuple[int, int | None]] = []
    space = random_vectors(5, 3)
    nearest_words(space, space, 1, progress=lambda _, done, total: told.append((done, total)))
    assert told == [(2, 5), (4, 5), (5, 5)]


def test_memory_is_bounded_by_the_blocks() -> None:
    n, m, dim, k = 50_000, 2000, 20, 10
    vectors = random_vectors(n, dim)
    nearest_words(vectors[:10], vectors[:1], 1)
    tracemalloc.start()
    nearest_words(vectors, vectors[:m], k)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # Blocks at work and waiting: similarities, the copy that is partitioned, a mask; then what
    # the groups and the answer hold.
    workers = os.cpu_count() or 1
    block = blocks.WORDS * blocks.QUERIES * (4 + 4 + 1)
    assert peak < (workers + 1) * block + 2 * m * k * 16 + m * dim * 8 + (8 << 20)
    assert peak < n * m * 4 / 5
