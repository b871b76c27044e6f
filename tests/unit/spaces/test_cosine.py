from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from lydite.errors import InputError
from lydite.spaces.cosine import (
    PreciseCosines,
    check_queries,
    check_rows,
    exact_cosine,
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


@pytest.mark.parametrize("dim", [1, 2, 50, 300])
def test_float32_cosines_stay_within_the_margin(dim: int) -> None:
    # Sums of one sign are the worst case for rounding.
    vectors = np.abs(random_vectors(60, dim))
    quick = unit_rows(vectors) @ unit_rows(vectors).T
    exact = exact_cosine(np.repeat(vectors, 60, axis=0), np.tile(vectors, (60, 1)))
    assert np.abs(quick.ravel() - exact).max() < rounding_margin(dim) / 2


def squared_cosine(left: Vectors, right: Vectors) -> Fraction:
    """Return cos² = (a · b)² / (|a|² |b|²) in exact arithmetic."""
    a, b = list(map(Fraction, left.tolist())), list(map(Fraction, right.tolist()))
    zero = Fraction(0)
    dot = sum((x * y for x, y in zip(a, b, strict=True)), zero)
    return dot * dot / (sum((x * x for x in a), zero) * sum((y * y for y in b), zero))


@pytest.mark.parametrize("scale", [1e-42, 1.0, 1e37])
@pytest.mark.parametrize("dim", [1, 3, 300])
def test_cosines_against_exact_arithmetic(dim: int, scale: float) -> None:
    a = (random_vectors(20, dim, 1) * np.float64(scale)).astype(np.float32)
    a[a == 0] = np.float32(scale)
    b = random_vectors(20, dim, 2)
    b[:5] = a[:5] + b[:5] * np.float32(1e-7)
    good = exact_cosine(a, b)
    precise = PreciseCosines.of(a, b, np.arange(20), np.arange(20))
    for row in range(20):
        true = squared_cosine(a[row], b[row])
        assert abs(Fraction(good[row]) ** 2 - true) < 1e-14
        both = Fraction(precise.high[row]) + Fraction(precise.low[row])
        assert abs(both**2 - true) < tie_width(dim)
        assert precise.high[row] == pytest.approx(good[row], abs=1e-14)


def test_precise_cosines_tell_apart_what_float64_cannot() -> None:
    # 2^-30 off in one of two numbers turns a vector by less than float64 sees in a cosine near 1:
    # 1 - cos is about 2^-62.
    query = np.array([[1, 2**-100]], dtype=np.float32)
    words = np.array([[1, 2**-31], [1, 2**-30], [2, 2**-30]], dtype=np.float32)
    rows = np.zeros(3, dtype=np.int64)
    cosines = PreciseCosines.of(query, words, rows, np.arange(3))
    assert cosines.high.tolist() == [1, 1, 1]
    first, second = cosines[np.array([0, 0])], cosines[np.array([1, 2])]
    ahead = first - second
    assert ahead[0] == pytest.approx(0.5 * (2**-60 - 2**-62), rel=1e-6)
    assert abs(ahead[1]) < tie_width(2)


def test_vectors_mapped_read_only_and_in_every_layout() -> None:
    vectors = random_vectors(10, 6)
    rows, words = np.array([0, 1, 2]), np.array([9, 1, 4])
    plain = PreciseCosines.of(vectors, vectors, rows, words)
    frozen = vectors.copy()
    frozen.flags.writeable = False
    wide = np.zeros((20, 12), dtype=np.float32)
    wide[::2, ::2] = vectors
    for other in (frozen, np.asfortranarray(vectors), wide[::2, ::2]):
        same = PreciseCosines.of(other, other, rows, words)
        assert same.high.tolist() == plain.high.tolist()
        assert same.low.tolist() == plain.low.tolist()


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
    both = np.arange(2)
    assert PreciseCosines.of(rows, rows, both, both).high.tolist() == [0, 1]


SPACE = np.eye(3, dtype=np.float32)


@pytest.mark.parametrize(
    ("vectors", "queries", "message"),
    [
        (SPACE[:0], SPACE, r"expected a space with words, got vectors of shape \(0, 3\)"),
        (SPACE, SPACE[:, :2], r"expected queries of 3 dimensions, got shape \(3, 2\)"),
        (SPACE, SPACE[0], r"expected queries of 3 dimensions, got shape \(3,\)"),
        (SPACE, SPACE * [[1], [0], [1]], "with a direction, got a zero vector at row 1"),
        (SPACE, np.diag([1, 1, np.nan]), "with a direction, got NaN or infinity at row 2"),
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
