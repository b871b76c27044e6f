from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from lydite.errors import InputError
from lydite.spaces.cosine import (
    check_queries,
    check_rows,
    exact_cosine,
    exact_cosine_of_pairs,
    rounding_margin,
    tie_width,
    unit_rows,
)
from lydite.types import Vectors


def random_vectors(n: int, dim: int, seed: int = 0) -> Vectors:
    return np.random.default_rng(seed).standard_normal((n, dim)).astype(np.float32)


@pytest.mark.parametrize("scale", [1e-45, 1e-38, 1e-20, 1.0, 1e20, 3e38])
def test_unit_rows_of_every_length(scale: float) -> None:
    rows = (np.array([[1.0, -1.0, 0.0], [0.0, 1.0, 0.0]]) * scale).astype(np.float32)
    expected = [[0.5**0.5, -(0.5**0.5), 0], [0, 1, 0]]
    np.testing.assert_allclose(unit_rows(rows), expected, rtol=2e-7)


def test_unit_rows_keep_zero_and_refuse_nan() -> None:
    assert unit_rows(np.zeros((2, 3), dtype=np.float32)).tolist() == [[0, 0, 0], [0, 0, 0]]
    with pytest.raises(InputError, match="expected vectors of finite numbers, got NaN"):
        unit_rows(np.array([[1, np.nan]], dtype=np.float32))


@pytest.mark.parametrize("dim", [1, 2, 50, 300, 2000])
def test_float32_cosines_stay_within_the_margin(dim: int) -> None:
    # Sums of one sign are the worst case for rounding.
    vectors = np.abs(random_vectors(200, dim))
    quick = unit_rows(vectors) @ unit_rows(vectors).T
    exact = exact_cosine(np.repeat(vectors, 200, axis=0), np.tile(vectors, (200, 1)))
    assert np.abs(quick.ravel() - exact).max() < rounding_margin(dim) / 2


def test_exact_cosine_against_fractions() -> None:
    a, b = random_vectors(20, 300, 1), random_vectors(20, 300, 2)
    for left, right, cosine in zip(a.tolist(), b.tolist(), exact_cosine(a, b), strict=True):
        exact_left, exact_right = list(map(Fraction, left)), list(map(Fraction, right))
        dot = sum(x * y for x, y in zip(exact_left, exact_right, strict=True))
        norms = sum(x * x for x in exact_left) * sum(y * y for y in exact_right)
        # cos² = dot² / (|a|² |b|²), in exact arithmetic.
        assert float(dot * dot / norms) ** 0.5 == pytest.approx(abs(cosine), abs=tie_width(300))


def test_equal_vectors_give_equal_bits_whatever_stands_around_them() -> None:
    query, word = random_vectors(2, 77)
    alone = exact_cosine(query[None], word[None])[0]
    for n in (2, 3, 8, 100):
        among = np.asfortranarray(random_vectors(n, 77))
        among[n // 2] = word
        assert exact_cosine(np.repeat(query[None], n, axis=0), among)[n // 2] == alone


def test_a_zero_vector_has_cosine_zero() -> None:
    rows = np.array([[0, 0], [1, 2]], dtype=np.float32)
    assert exact_cosine(rows, rows).tolist() == [0, 1]


def test_pairs_in_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    queries, vectors = random_vectors(5, 8), random_vectors(30, 8)
    rows, words = np.repeat(np.arange(5), 30), np.tile(np.arange(30), 5)
    whole = exact_cosine(queries[rows], vectors[words])
    for step in (1, 8, 100):
        monkeypatch.setattr("lydite.spaces.cosine._STEP", step)
        assert exact_cosine_of_pairs(queries, vectors, rows, words).tolist() == whole.tolist()


SPACE = np.eye(3, dtype=np.float32)


@pytest.mark.parametrize(
    ("vectors", "queries", "message"),
    [
        (SPACE[:0], SPACE, r"expected a space with words, got vectors of shape \(0, 3\)"),
        (SPACE, SPACE[:, :2], r"expected queries of 3 dimensions, got shape \(3, 2\)"),
        (SPACE, SPACE[0], r"expected queries of 3 dimensions, got shape \(3,\)"),
        (SPACE, SPACE * [[1], [0], [1]], "with a direction, got a zero vector at row 1"),
        (SPACE, SPACE + [[0], [0], [np.nan]], "with a direction, got NaN or infinity at row 2"),
    ],
)
def test_queries_without_an_answer(vectors: Vectors, queries: Vectors, message: str) -> None:
    with pytest.raises(InputError, match=message):
        check_queries(vectors, queries)


@pytest.mark.parametrize(
    ("rows", "shape", "message"),
    [
        ([0, 1], (3,), r"expected targets of shape \(3,\), got \(2,\)"),
        ([[0], [1]], (2,), r"expected targets of shape \(2,\), got \(2, 1\)"),
        ([0, -1], (2,), r"expected targets to be rows from 0 to 2, got -1"),
        ([0, 3], (2,), r"expected targets to be rows from 0 to 2, got 3"),
        ([[0], [-2]], (2, 1), r"expected targets to be rows from -1 to 2, got -2"),
    ],
)
def test_rows_that_are_not_in_the_space(
    rows: list[int], shape: tuple[int, ...], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        check_rows(np.array(rows), shape, SPACE, what="targets")
