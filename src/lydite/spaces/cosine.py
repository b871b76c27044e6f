"""Cosines: quick in float32, good in float64, precise in twice that, and their errors.

A number is kept as the sum of two float64, high and low. The product of two float32 is exact in
float64, so only sums need care: each keeps what rounding would lose.

Reference: Ogita, Rump & Oishi, "Accurate sum and dot product", SIAM J. Sci. Comput. 26, 2005;
Dekker, "A floating-point technique for extending the available precision", 1971.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from lydite.compiled import Type, Types, compiled, part
from lydite.errors import InputError
from lydite.types import Floats, Indices, Vectors

_SPLIT = 134217729.0  # 2^27 + 1


def _signature(t: Types) -> Type:
    # Any layout, and read-only, as vectors mapped from disk are.
    vectors = t.Array(t.f4, 2, "A", readonly=True)
    places = t.Array(t.i8, 1, "A", readonly=True)
    return t.void(vectors, vectors, places, places, t.f8[::1], t.f8[::1])


@part
def _sum(a: float, b: float) -> tuple[float, float]:
    """Return a + b and what rounding took from it."""
    high = a + b
    part = high - a
    return high, (a - (high - part)) + (b - part)


@part
def _product(a: float, b: float) -> tuple[float, float]:
    """Return a · b and what rounding took from it."""
    high = a * b
    scaled_a, scaled_b = _SPLIT * a, _SPLIT * b
    a1, b1 = scaled_a - (scaled_a - a), scaled_b - (scaled_b - b)
    a2, b2 = a - a1, b - b1
    return high, a2 * b2 - (((high - a1 * b1) - a2 * b1) - a1 * b2)


@part
def _dot(
    left: NDArray[np.float32], i: int, right: NDArray[np.float32], j: int
) -> tuple[float, float]:
    """Return the product of row i of ``left`` and row j of ``right``."""
    high = low = 0.0
    for at in range(left.shape[1]):
        # Numba's float() would leave them in float32.
        high, lost = _sum(high, np.float64(left[i, at]) * np.float64(right[j, at]))
        low += lost
    return _sum(high, low)


@part
def _cosine(
    dot: tuple[float, float], a: tuple[float, float], b: tuple[float, float]
) -> tuple[float, float]:
    """Return dot / sqrt(a · b)."""
    square, lost = _product(a[0], b[0])
    if square == 0:
        return 0.0, 0.0
    square, lost = _sum(square, lost + (a[0] * b[1] + a[1] * b[0]))
    root = sqrt(square)
    again, error = _product(root, root)
    root, rest = _sum(root, (((square - again) - error) + lost) / (2 * root))
    cosine = dot[0] / root
    again, error = _product(cosine, root)
    return _sum(cosine, ((((dot[0] - again) - error) + dot[1]) - cosine * rest) / root)


@compiled(_signature)
def cosines_of_pairs(
    queries: NDArray[np.float32],
    vectors: NDArray[np.float32],
    rows: NDArray[np.int64],
    words: NDArray[np.int64],
    high: NDArray[np.float64],
    low: NDArray[np.float64],
) -> None:
    """Fill in the cosine of query ``rows[p]`` with word ``words[p]``; a zero vector gives 0."""
    for pair in range(rows.shape[0]):
        i, j = rows[pair], words[pair]
        dot = _dot(queries, i, vectors, j)
        own, other = _dot(queries, i, queries, i), _dot(vectors, j, vectors, j)
        high[pair], low[pair] = _cosine(dot, own, other)


#: Beyond these the inverse of a norm is not a normal float32.
_SHORTEST, _LONGEST = 1e-37, 1e37


def rounding_margin(dim: int) -> float:
    """Bound the error of a float32 cosine of d dimensions against the true one.

    The worst case of a dot product of unit vectors is d units of rounding (Higham, "Accuracy and
    Stability of Numerical Algorithms", section 3.1), and normalizing adds a few.
    """
    return float((dim + 8) * np.finfo(np.float32).eps)


def tie_width(dim: int) -> float:
    """Bound the error of the difference of two precise cosines of d dimensions.

    Cosines that differ by less count as equal, so that copies and multiples of a vector tie
    whatever rounding does to them. It is some 1e-26, so nothing else does.
    """
    return float(4 * ((dim + 8) * np.finfo(np.float64).eps) ** 2)


def as_float32(vectors: Vectors) -> Vectors:
    """Return vectors in the precision in which all comparisons are made."""
    return vectors.astype(np.float32, copy=False)


def unit_rows(vectors: Vectors) -> Vectors:
    """Scale rows to length one; a zero row stays zero.

    >>> unit_rows(np.array([[3, 4], [0, 0]], dtype=np.float32)).round(3).tolist()
    [[0.6000000238418579, 0.800000011920929], [0.0, 0.0]]
    """
    norms = np.sqrt(np.einsum("ij,ij->i", vectors, vectors, dtype=np.float64))
    if not np.isfinite(norms).all():
        raise InputError("expected vectors of finite numbers, got NaN or infinity")
    scale = np.divide(1.0, norms, out=np.zeros_like(norms), where=norms > 0)
    if ((norms < _SHORTEST) | (norms > _LONGEST)).any():
        return np.asarray(vectors * scale[:, None], dtype=np.float32)
    return np.asarray(vectors * scale[:, None].astype(np.float32), dtype=np.float32)


def exact_cosine(left: Vectors, right: Vectors) -> Floats:
    """Return the float64 cosine of each row of ``left`` with the same row of ``right``.

    Equal vectors give equal bits, whatever stands around them; a zero vector gives 0. To order
    cosines, take :class:`PreciseCosines`.

    >>> exact_cosine(np.array([[1, 0]], dtype=np.float32), np.array([[2, 0]], dtype=np.float32))
    array([1.])
    """
    # Row by row in memory, since the order of summation must not depend on the layout.
    a, b = (np.ascontiguousarray(rows, dtype=np.float64) for rows in (left, right))
    dots = (a * b).sum(axis=1)
    norms = np.sqrt((a * a).sum(axis=1) * (b * b).sum(axis=1))
    return np.asarray(np.divide(dots, norms, out=np.zeros_like(dots), where=norms > 0))


@dataclass(frozen=True, kw_only=True, eq=False)
class PreciseCosines:
    """Cosines of p pairs, each the sum of two float64 (p,): the nearest one, and the rest."""

    high: Floats
    low: Floats

    @classmethod
    def of(
        cls, queries: Vectors, vectors: Vectors, rows: Indices, words: Indices
    ) -> PreciseCosines:
        """Take the cosine of query ``rows[p]`` with word ``words[p]``; a zero vector gives 0."""
        high, low = np.empty(len(rows)), np.empty(len(rows))
        cosines_of_pairs(queries, vectors, rows, words, high, low)
        return cls(high=high, low=low)

    def __getitem__(self, pairs: Indices) -> PreciseCosines:
        return PreciseCosines(high=self.high[pairs], low=self.low[pairs])

    def __sub__(self, other: PreciseCosines) -> Floats:
        # Cosines whose order is in doubt are so close that the first difference is exact.
        return (self.high - other.high) + (self.low - other.low)


def check_queries(vectors: Vectors, queries: Vectors) -> None:
    """Refuse queries of another dimension, or without a direction."""
    if vectors.ndim != 2 or not vectors.size:
        raise InputError(f"expected a space with words, got vectors of shape {vectors.shape}")
    if queries.ndim != 2 or queries.shape[1] != vectors.shape[1]:
        raise InputError(
            f"expected queries of {vectors.shape[1]} dimensions, got shape {queries.shape}"
        )
    flat = np.flatnonzero(~(queries.any(axis=1) & np.isfinite(queries).all(axis=1)))
    if len(flat):
        zero = not queries[flat[0]].any()
        raise InputError(
            f"expected queries with a direction, got "
            f"{'a zero vector' if zero else 'NaN or infinity'} at row {flat[0]}",
            hint="leave words without a vector out before asking for neighbours or ranks",
        )


def check_rows(rows: Indices, shape: tuple[int, ...], vectors: Vectors, *, what: str) -> None:
    """Refuse row numbers that are not rows of the space; -1 may stand for none in a matrix."""
    least = 0 if len(shape) == 1 else -1
    if rows.shape[:1] != shape[:1] or rows.ndim != len(shape):
        raise InputError(f"expected {what} of shape {shape}, got {rows.shape}")
    outside = rows[(rows < least) | (rows >= len(vectors))]
    if len(outside):
        raise InputError(
            f"expected {what} to be rows from {least} to {len(vectors) - 1}, got {outside[0]}",
            hint="-1 is what a space gives for a word that it does not have",
        )
