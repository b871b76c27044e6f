"""Compiled cosines of about 100 bits: what decides where float32, or float64, cannot.

A number is kept as the sum of two float64, high and low. The product of two float32 is exact in
float64, so only sums need care: each keeps what rounding would lose.

Reference: Ogita, Rump & Oishi, "Accurate sum and dot product", SIAM J. Sci. Comput. 26, 2005;
Dekker, "A floating-point technique for extending the available precision", 1971.
"""

from __future__ import annotations

from math import sqrt

import numpy as np
from numba import types
from numpy.typing import NDArray

from lydite.spaces.compiled import compiled, part

_SPLIT = 134217729.0  # 2^27 + 1
#: Any layout, and read-only, as vectors mapped from disk are.
_VECTORS = types.Array(types.float32, 2, "A", readonly=True)
_PLACES = types.Array(types.int64, 1, "A", readonly=True)


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


@compiled(types.void(_VECTORS, _VECTORS, _PLACES, _PLACES, types.float64[::1], types.float64[::1]))
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
