"""The exact nearest neighbours of vectors in a space, in blocks on BLAS.

Words are picked by their float32 cosine, with all that lie within the rounding error of the k-th
kept; those are compared again in float64. Words of equal cosine come in the vocabulary's order.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lydite.errors import InputError
from lydite.spaces.cosine import check_queries, exact_cosine, rounding_margin, unit_rows
from lydite.types import Floats, Indices, Progress, Vectors, silent

#: Words and queries whose similarities are held at a time, at 4 bytes a similarity.
_WORDS = 1 << 14
_QUERIES = 256


@dataclass(frozen=True, kw_only=True)
class Neighbours:
    """The nearest words of m queries, nearest first.

    Attributes
    ----------
    indices
        Shape (m, k), rows of the space.
    cosines
        Shape (m, k), in float64.
    """

    indices: Indices
    cosines: Floats


def nearest_words(
    vectors: Vectors,
    queries: Vectors,
    k: int,
    *,
    exclude: Indices | None = None,
    progress: Progress = silent,
) -> Neighbours:
    """Find the k words nearest to each query by cosine.

    Parameters
    ----------
    vectors
        Shape (n, d): the space.
    queries
        Shape (m, d).
    k
        How many neighbours, at most n less the excluded ones.
    exclude
        Shape (m, e): rows left out, usually the query's own word; -1 for none.

    Examples
    --------
    >>> space = np.array([[1, 0], [1, 1], [0, 1]], dtype=np.float32)
    >>> nearest_words(space, space[:1], 2, exclude=np.array([[0]])).indices
    array([[1, 2]])
    """
    check_queries(vectors, queries)
    left_out = 0 if exclude is None else exclude.shape[1]
    if not 0 < k <= len(vectors) - left_out:
        raise InputError(f"expected k from 1 to {len(vectors) - left_out}, got {k}")
    found = []
    for first in range(0, len(queries), _QUERIES):
        rows = slice(first, first + _QUERIES)
        mine = None if exclude is None else exclude[rows]
        found.append(_nearest_of_block(vectors, queries[rows], k, mine))
        progress("finding neighbours", min(first + _QUERIES, len(queries)), len(queries))
    return Neighbours(
        indices=np.concatenate([indices for indices, _ in found]),
        cosines=np.concatenate([cosines for _, cosines in found]),
    )


def _nearest_of_block(
    vectors: Vectors, queries: Vectors, k: int, exclude: Indices | None
) -> tuple[Indices, Floats]:
    units = unit_rows(queries)
    margin = np.float32(2 * rounding_margin(vectors.shape[1]))
    candidates = _Candidates(len(queries), k, margin)
    for start in range(0, len(vectors), _WORDS):
        cosines = units @ unit_rows(vectors[start : start + _WORDS]).T
        if exclude is not None:
            rows, columns = np.nonzero((exclude >= start) & (exclude < start + cosines.shape[1]))
            cosines[rows, exclude[rows, columns] - start] = -np.inf
        candidates.add(cosines, start)
    rows, words = candidates.rows, candidates.words
    exact = exact_cosine(queries[rows], vectors[words])
    order = np.lexsort((words, -exact, rows))
    rows, words, exact = rows[order], words[order], exact[order]
    # The first k of each query's run.
    first = np.searchsorted(rows, np.arange(len(queries)))
    at = first[:, None] + np.arange(k)
    return words[at], exact[at]


class _Candidates:
    """Words that may still be among the k nearest of each query."""

    def __init__(self, queries: int, k: int, margin: np.float32) -> None:
        self.rows = np.empty(0, dtype=np.int64)
        self.words = np.empty(0, dtype=np.int64)
        self._cosines = np.empty(0, dtype=np.float32)
        self._floor = np.full(queries, -3.0, dtype=np.float32)
        self._k, self._margin = k, margin

    def add(self, cosines: Vectors, start: int) -> None:
        """Take in a block of similarities and drop what has fallen out of reach."""
        k = self._k
        if len(self.rows) == 0 and cosines.shape[1] > k:
            kth = np.partition(cosines, -k, axis=1)[:, -k]
            self._floor = np.maximum(self._floor, kth - self._margin)
        rows, columns = np.nonzero(cosines >= self._floor[:, None])
        self.rows = np.concatenate([self.rows, rows])
        self.words = np.concatenate([self.words, columns + start])
        self._cosines = np.concatenate([self._cosines, cosines[rows, columns]])
        self._prune()

    def _prune(self) -> None:
        order = np.lexsort((-self._cosines, self.rows))
        rows, cosines = self.rows[order], self._cosines[order]
        place = np.arange(len(rows)) - np.searchsorted(rows, rows)
        kth = np.flatnonzero(place == self._k - 1)
        self._floor[rows[kth]] = np.maximum(self._floor[rows[kth]], cosines[kth] - self._margin)
        keep = cosines >= self._floor[rows]
        self.rows, self.words = rows[keep], self.words[order][keep]
        self._cosines = cosines[keep]
