from __future__ import annotations

import os
import tracemalloc
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from lydite.errors import InputError
from lydite.spaces import neighbours as blocks
from lydite.spaces import neighbours as ranks
from lydite.spaces.neighbours import Ties, cosine_ranks, cosine_ranks_of_vectors
from lydite.types import Indices, Vectors


def exact_keys(vectors: Vectors, query: Vectors) -> list[Fraction]:
    """Return cos · |cos| · |q|² in exact arithmetic: the order of the true cosines."""
    # Every float32 of these tests is a whole multiple of 2^-100.
    words: NDArray[Any] = np.array(
        [[int(Fraction(x) * 2**100) for x in row] for row in vectors.tolist()]
    )
    q: NDArray[Any] = np.array([int(Fraction(x) * 2**100) for x in query.tolist()])
    dots, norms = words @ q, (words * words).sum(axis=1)
    return [Fraction(d * abs(d), n) if n else Fraction(0) for d, n in zip(dots, norms, strict=True)]


def exact_ranks(vectors: Vectors, query: Vectors, ties: Ties) -> list[float]:
    """Return the true rank of every word for one query."""
    keys = np.array(exact_keys(vectors, query))
    share = {"min": 0.0, "mean": 0.5, "max": 1.0}[ties]
    return [1 + int((keys > key).sum()) + share * (int((keys == key).sum()) - 1) for key in keys]


def ranks_of_all(vectors: Vectors, query: Vectors, ties: Ties) -> list[float]:
    n = len(vectors)
    queries = np.repeat(query[None], n, axis=0)
    return list(cosine_ranks(vectors, queries, np.arange(n), ties=ties))


def random_vectors(n: int, dim: int, seed: int = 0) -> Vectors:
    return np.random.default_rng(seed).standard_normal((n, dim)).astype(np.float32)


def test_by_hand() -> None:
    # Angles to the query of 0, 45, 90, 180 degrees, and a copy of the second, twice as long.
    space = np.array([[1, 0], [1, 1], [0, 1], [-1, 0], [2, 2]], dtype=np.float32)
    queries, targets = np.repeat(space[:1], 5, axis=0), np.arange(5)
    assert cosine_ranks(space, queries, targets, ties="min").tolist() == [1, 2, 4, 5, 2]
    assert cosine_ranks(space, queries, targets).tolist() == [1, 2.5, 4, 5, 2.5]
    assert cosine_ranks(space, queries, targets, ties="max").tolist() == [1, 3, 4, 5, 3]


@pytest.mark.parametrize("dim", [50, 300])
def test_near_ties_of_float32_are_ranked_exactly(dim: int) -> None:
    rng = np.random.default_rng(dim)
    word, query = random_vectors(2, dim, dim)
    vectors = np.repeat(word[None], 400, axis=0)
    # Each copy is off by a few units in the last place of one number.
    at = rng.integers(0, dim, 400)
    steps = rng.integers(-3, 4, 400)
    rows = np.arange(400)
    vectors[rows, at] += steps * np.spacing(vectors[rows, at])
    assert np.ptp((vectors @ query) / np.linalg.norm(vectors, axis=1)) < 1e-4
    assert ranks_of_all(vectors, query, "mean") == exact_ranks(vectors, query, "mean")


@pytest.mark.parametrize("ties", ["min", "mean", "max"])
def test_copies_multiples_and_zero_rows_tie(ties: Ties) -> None:
    vectors = random_vectors(40, 20)
    vectors = np.concatenate([vectors, vectors[:20], np.zeros((5, 20), dtype=np.float32)])
    vectors[40:45] *= 2
    # Whole numbers times three are exact, so the direction is the same.
    vectors[:5] = np.round(vectors[:5] * 8)
    vectors[50:55] = vectors[:5] * 3
    vectors[-1] = 0
    vectors[-2] = -vectors[0]
    query = random_vectors(1, 20, 9)[0]
    assert ranks_of_all(vectors, query, ties) == exact_ranks(vectors, query, ties)


def test_all_words_in_one_direction() -> None:
    vectors = np.outer(np.arange(1, 101), [1, 2, 3]).astype(np.float32)
    assert ranks_of_all(vectors, vectors[0], "mean") == [50.5] * 100
    assert ranks_of_all(vectors, vectors[0], "min") == [1] * 100


@pytest.mark.parametrize("scale", [1e-42, 1e-30, 1e30, 3e37])
def test_lengths_at_the_ends_of_float32(scale: float) -> None:
    vectors = random_vectors(60, 5)
    vectors[::2] = (vectors[::2] * np.float64(scale)).astype(np.float32)
    words: Vectors = np.clip(vectors, -3e38, 3e38)
    reference = words.astype(np.float64)
    reference /= np.linalg.norm(reference, axis=1, keepdims=True)
    for query in words[:4]:
        direction = query.astype(np.float64) / np.linalg.norm(query.astype(np.float64))
        cosines = reference @ direction
        expected = [1 + int((cosines > own + 1e-14).sum()) for own in cosines]
        assert ranks_of_all(words, query, "min") == expected


@pytest.mark.parametrize(("words", "queries"), [(1, 1), (7, 3), (64, 5), (4096, 256)])
def test_blocks_of_every_size_give_the_same(
    monkeypatch: pytest.MonkeyPatch, words: int, queries: int
) -> None:
    monkeypatch.setattr(ranks, "WORDS", words)
    monkeypatch.setattr(ranks, "QUERIES", queries)
    vectors = random_vectors(150, 6)
    vectors[100:] = vectors[:50]
    own = np.arange(0, 20)
    targets = np.arange(120, 140)
    found = cosine_ranks(vectors, vectors[own], targets, exclude=own[:, None])
    expected = []
    for query, target in zip(own.tolist(), targets.tolist(), strict=True):
        kept = [row for row in range(150) if row != query]
        expected.append(exact_ranks(vectors[kept], vectors[query], "mean")[kept.index(target)])
    assert found.tolist() == expected


def test_excluded_words_do_not_count() -> None:
    space = np.array([[1, 0], [1, 1], [0, 1], [-1, 0]], dtype=np.float32)
    exclude = np.array([[0, 1], [-1, -1], [2, 2], [3, 0]])
    found = cosine_ranks(space, np.repeat(space[:1], 4, axis=0), np.full(4, 2), exclude=exclude)
    # Excluding the target itself changes nothing.
    assert found.tolist() == [1, 3, 3, 2]


def test_no_queries() -> None:
    space = random_vectors(5, 3)
    assert cosine_ranks(space, space[:0], np.arange(0)).shape == (0,)


def test_other_precisions_are_taken_as_float32() -> None:
    vectors = random_vectors(50, 10)
    query: Any = np.random.default_rng(3).standard_normal(10)
    expected = ranks_of_all(vectors, query.astype(np.float32), "mean")
    assert ranks_of_all(vectors, query, "mean") == expected
    double: Any = vectors.astype(np.float64)
    assert ranks_of_all(double, query, "mean") == expected


def test_a_missing_word_is_not_the_last_one() -> None:
    # -1, which a space gives for an absent word, would index the last row.
    space = random_vectors(5, 3)
    with pytest.raises(InputError) as caught:
        cosine_ranks(space, space[:1], np.array([-1]))
    assert str(caught.value) == (
        "expected targets to be rows from 0 to 4, got -1\n"
        "hint: -1 is what a space gives for a word that it does not have"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"targets": np.arange(2)}, r"expected targets of shape \(1,\), got \(2,\)"),
        ({"exclude": np.array([0])}, r"expected exclude of shape \(1, 1\), got \(1,\)"),
        ({"exclude": np.array([[9]])}, "expected exclude to be rows from -1 to 4, got 9"),
        ({"ties": "best"}, "expected ties among min, mean, max, got 'best'"),
    ],
)
def test_calls_that_make_no_sense(arguments: dict[str, Any], message: str) -> None:
    space = random_vectors(5, 3)
    with pytest.raises(InputError, match=message):
        cosine_ranks(space, space[:1], **{"targets": np.array([0]), **arguments})


def test_a_space_with_nan_is_refused() -> None:
    space = random_vectors(5, 3)
    space[3, 1] = np.nan
    with pytest.raises(InputError, match="expected vectors of finite numbers, got NaN"):
        cosine_ranks(space, space[:1], np.array([0]))


def test_progress_counts_the_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranks, "WORDS", 2)
    told: list[tuple[int, int | None]] = []
    space = random_vectors(5, 3)
    cosine_ranks(
        space, space[:1], np.array([1]), progress=lambda _, done, total: told.append((done, total))
    )
    assert told == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize("tied", [False, True])
def test_memory_is_bounded_by_the_blocks(tied: bool) -> None:
    n, m, dim = (20_000, 300, 40) if tied else (50_000, 2000, 20)
    vectors = np.ones((n, dim), dtype=np.float32) if tied else random_vectors(n, dim)
    targets: Indices = np.arange(m)
    cosine_ranks(vectors[:10], vectors[:10], np.arange(10))
    tracemalloc.start()
    found = cosine_ranks(vectors, vectors[:m], targets)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found[0] == ((n + 1) / 2 if tied else 1)
    # A worker holds a block of similarities, a copy and masks of it and, if all are close, five
    # numbers a pair; besides there are the queries and what the waiting blocks counted.
    workers = os.cpu_count() or 1
    a_block = blocks.WORDS * blocks.QUERIES * (4 + 4 + 3 + (9 * 8 if tied else 0))
    assert peak < workers * a_block + m * dim * 40 + (2 * workers + 2) * m * 32


def exact_rank_of_vector(vectors: Vectors, query: Vectors, target: Vectors, ties: Ties) -> float:
    """Return the true rank of a vector among all words and itself."""
    return exact_ranks(np.concatenate([vectors, target[None]]), query, ties)[-1]


def test_ranks_of_vectors_by_hand() -> None:
    # A word in the direction of the query, one in that of the target, twice as long, and two that
    # are farther off.
    space = np.array([[2, 0], [6, 2], [1, 1], [-1, 0]], dtype=np.float32)
    query, target = np.array([[1, 0]], dtype=np.float32), np.array([[3, 1]], dtype=np.float32)
    found = [
        cosine_ranks_of_vectors(space, query, target, ties=t)[0] for t in ("min", "mean", "max")
    ]
    assert found == [2, 2.5, 3]
    assert cosine_ranks_of_vectors(space, target, query).tolist() == [2.5]


@pytest.mark.parametrize("ties", ["min", "mean", "max"])
def test_ranks_of_vectors_as_exact_arithmetic_finds_them(ties: Ties) -> None:
    vectors = random_vectors(80, 12)
    vectors[60:] = vectors[:20] * 2
    vectors[-1] = 0
    queries, targets = random_vectors(30, 12, 1), random_vectors(30, 12, 2)
    # Targets that are near the query, or copies, multiples and neighbours of words.
    targets[:10] = queries[:10] + targets[:10] / 4
    targets[10:15] = vectors[:5]
    targets[15:20] = vectors[5:10] * 4
    targets[20:25] = np.nextafter(vectors[20:25], np.float32(9))
    targets[25] = queries[25]
    found = cosine_ranks_of_vectors(vectors, queries, targets, ties=ties)
    expected = [
        exact_rank_of_vector(vectors, query, target, ties)
        for query, target in zip(queries, targets, strict=True)
    ]
    assert found.tolist() == expected
    assert found[25] == 1


def test_near_ties_with_a_vector_are_ranked_exactly() -> None:
    word, query = random_vectors(2, 100, 4)
    rng = np.random.default_rng(4)
    vectors, rows = np.repeat(word[None], 300, axis=0), np.arange(300)
    at = rng.integers(0, 100, 300)
    vectors[rows, at] += rng.integers(-3, 4, 300) * np.spacing(vectors[rows, at])
    found = cosine_ranks_of_vectors(vectors, query[None], word[None])
    assert found[0] == exact_rank_of_vector(vectors, query, word, "mean")


def test_the_rank_of_a_words_vector_is_its_rank_and_a_tie_with_itself() -> None:
    vectors = random_vectors(500, 20)
    queries, rows = random_vectors(40, 20, 7), np.arange(40)
    found = cosine_ranks_of_vectors(vectors, queries, vectors[rows])
    assert found.tolist() == (cosine_ranks(vectors, queries, rows) + 0.5).tolist()


@pytest.mark.parametrize(("words", "queries"), [(1, 1), (7, 3), (4096, 256)])
def test_blocks_of_every_size_rank_vectors_alike(
    monkeypatch: pytest.MonkeyPatch, words: int, queries: int
) -> None:
    vectors = random_vectors(60, 6)
    asked, targets = random_vectors(10, 6, 1), random_vectors(10, 6, 2)
    expected = cosine_ranks_of_vectors(vectors, asked, targets)
    monkeypatch.setattr(ranks, "WORDS", words)
    monkeypatch.setattr(ranks, "QUERIES", queries)
    assert cosine_ranks_of_vectors(vectors, asked, targets).tolist() == expected.tolist()


def test_no_vectors_to_rank() -> None:
    space = random_vectors(5, 3)
    assert cosine_ranks_of_vectors(space, space[:0], space[:0]).shape == (0,)


def test_vectors_that_cannot_be_ranked() -> None:
    space = random_vectors(5, 3)
    with pytest.raises(InputError, match="expected a target per query, got 1 for 2"):
        cosine_ranks_of_vectors(space, space[:2], space[:1])
    with pytest.raises(InputError, match="got"):
        cosine_ranks_of_vectors(space, space[:1], random_vectors(1, 4))
    for wrong, what in ((0, "a zero vector"), (np.nan, "NaN or infinity")):
        flat = np.full((1, 3), wrong, dtype=np.float32)
        for queries, targets in ((flat, space[:1]), (space[:1], flat)):
            with pytest.raises(InputError, match=f"with a direction, got {what} at row 0"):
                cosine_ranks_of_vectors(space, queries, targets)


def test_ties_of_vectors_that_make_no_sense() -> None:
    space, wrong = random_vectors(5, 3), "best"
    with pytest.raises(InputError, match="expected ties among min, mean, max, got 'best'"):
        cosine_ranks_of_vectors(space, space[:1], space[:1], ties=wrong)  # type: ignore[arg-type]


def test_a_query_of_many_targets_ranks_each_as_if_it_were_asked_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ranks, "QUERIES", 4)
    space, queries, targets = random_vectors(50, 6), random_vectors(7, 6), random_vectors(9, 6)
    # Some queries have no target, and blocks of four end between the targets of one query.
    query_of = np.array([0, 0, 2, 2, 2, 2, 5, 6, 6])
    found = ranks.cosine_ranks_of_vectors(space, queries, targets, query_of=query_of)
    alone = ranks.cosine_ranks_of_vectors(space, queries[query_of], targets)
    assert found.tolist() == alone.tolist()
    with pytest.raises(InputError, match="ascending"):
        ranks.cosine_ranks_of_vectors(space, queries, targets, query_of=query_of[::-1].copy())


def test_words_left_out_for_one_target_count_for_another_of_the_same_query(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ranks, "QUERIES", 4)
    space, queries = random_vectors(50, 6), random_vectors(5, 6)
    query_of = np.sort(np.arange(30) % 5)
    words = np.arange(30) + 7
    # Asked as rows, and as the vectors of these rows that are themselves left out, twice.
    exclude = np.column_stack([words, words, np.where(words % 3, -1, 2)])
    found = cosine_ranks_of_vectors(
        space, queries, space[words], query_of=query_of, exclude=exclude
    )
    assert (
        found.tolist()
        == cosine_ranks(space, queries[query_of], words, exclude=exclude[:, 2:]).tolist()
    )
    with pytest.raises(InputError, match="exclude"):
        cosine_ranks_of_vectors(space, queries, queries, exclude=np.full((5, 1), 50))
