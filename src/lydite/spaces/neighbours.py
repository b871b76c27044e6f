"""The exact nearest neighbours of vectors in a space, in blocks on BLAS.

Words are picked by their float32 cosine, with all that lie within the rounding error of the k-th
kept; those are compared again precisely. Words of equal cosine come in the vocabulary's order.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field

import numpy as np

from lydite.errors import InputError
from lydite.spaces.blocks import QUERIES, WORDS, LeftOut, over_blocks
from lydite.spaces.cosine import (
    PreciseCosines,
    as_float32,
    check_queries,
    check_rows,
    rounding_margin,
    tie_width,
    unit_rows,
)
from lydite.spaces.rank_kernel import count_above
from lydite.types import Floats, Indices, Progress, Vectors, silent

#: Candidates held at a time; where they are more, the queries are taken in smaller groups.
_CANDIDATES = 1 << 20


@dataclass(frozen=True, kw_only=True, eq=False)
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

    Returns
    -------
    The neighbours. Words whose cosines are equal in exact arithmetic come in the vocabulary's
    order.

    Examples
    --------
    >>> space = np.array([[1, 0], [1, 1], [0, 1]], dtype=np.float32)
    >>> nearest_words(space, space[:1], 2, exclude=np.array([[0]])).indices
    array([[1, 2]])
    """
    check_queries(vectors, queries)
    if exclude is None:
        exclude = np.empty((len(queries), 0), dtype=np.int64)
    check_rows(exclude, (len(queries), exclude.shape[-1]), vectors, what="exclude")
    most = len(vectors) - _most_left_out(exclude)
    if not 0 < k <= most:
        raise InputError(f"expected k from 1 to {most}, got {k}")
    vectors, queries = as_float32(vectors), as_float32(queries)
    found = Neighbours(
        indices=np.empty((len(queries), k), dtype=np.int64), cosines=np.empty((len(queries), k))
    )
    group = max(1, min(QUERIES, _CANDIDATES // (2 * k)))
    for first in range(0, len(queries), group):
        rows = slice(first, first + group)
        _fill(vectors, queries[rows], exclude[rows], found.indices[rows], found.cosines[rows])
        progress("finding neighbours", min(first + group, len(queries)), len(queries))
    return found


def _most_left_out(exclude: Indices) -> int:
    """Return how many different words are left out for one query at most."""
    ascending = np.sort(exclude, axis=1)
    new = np.diff(ascending, axis=1, prepend=-1) > 0
    return int(new.sum(axis=1).max(initial=0))


def _fill(
    vectors: Vectors, queries: Vectors, exclude: Indices, indices: Indices, cosines: Floats
) -> None:
    """Write the neighbours of a group of queries into ``indices`` and ``cosines`` (m, k)."""
    m, k = indices.shape
    search = _Search(vectors=vectors, units=unit_rows(queries), left_out=LeftOut.of(exclude), k=k)
    with contextlib.closing(over_blocks(search.block, range(0, len(vectors), WORDS))) as blocks:
        for rows, words, similarities in blocks:
            search.add(rows, words, similarities)
            if len(search.rows) > _CANDIDATES and m > 1:
                break
    if len(search.rows) > _CANDIDATES and m > 1:
        for half in (slice(m // 2), slice(m // 2, m)):
            _fill(vectors, queries[half], exclude[half], indices[half], cosines[half])
        return
    rows, words = search.rows, search.words
    cosine = PreciseCosines.of(queries, vectors, rows, words)
    order = _by_nearness(rows, words, cosine, tie_width(vectors.shape[1]))
    # The first k of each query's run.
    first = np.searchsorted(rows[order], np.arange(m))
    picked = order[first[:, None] + np.arange(k)]
    indices[:], cosines[:] = words[picked], cosine.high[picked]


def _by_nearness(rows: Indices, words: Indices, cosines: PreciseCosines, width: float) -> Indices:
    """Sort by query, then by cosine, then, where cosines are equal, by word."""
    order = np.lexsort((-cosines.low, -cosines.high, rows))
    new = np.ones(len(order), dtype=np.bool_)
    steps = cosines[order[:-1]] - cosines[order[1:]]
    new[1:] = (steps > width) | (np.diff(rows[order]) > 0)
    runs = np.empty_like(order)
    runs[order] = np.cumsum(new)
    return np.lexsort((words, runs))


@dataclass(kw_only=True, eq=False)
class _Search:
    """Words that may still be among the k nearest of each query."""

    vectors: Vectors
    units: Vectors
    left_out: LeftOut
    k: int
    rows: Indices = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    words: Indices = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    cosines: Vectors = field(default_factory=lambda: np.empty(0, dtype=np.float32))

    def __post_init__(self) -> None:
        # A cosine at least this high can still be one of the k highest.
        self._floor = np.full(len(self.units), -1.5, dtype=np.float32)
        self._margin = np.float32(2 * rounding_margin(self.vectors.shape[1]))

    def block(self, start: int) -> tuple[Indices, Indices, Vectors]:
        """Return query, word and cosine of what is within reach among the words from ``start``."""
        cosines = self.units @ unit_rows(self.vectors[start : start + WORDS]).T
        self.left_out.mask(cosines, first_query=0, first_word=start)
        # Raised by other blocks meanwhile; an old value only lets more through.
        floor = self._floor
        if floor.min() < -1 and cosines.shape[1] > self.k:
            kth = np.partition(cosines, -self.k, axis=1)[:, -self.k]
            floor = np.maximum(floor, kth - self._margin)
        counts = np.empty((len(cosines), 2), dtype=np.int64)
        count_above(cosines, np.arange(len(cosines)), floor, floor, counts)
        some = np.flatnonzero(counts[:, 1])
        at, columns = np.nonzero(cosines[some] >= floor[some, None])
        return some[at], columns + start, cosines[some[at], columns]

    def add(self, rows: Indices, words: Indices, cosines: Vectors) -> None:
        """Take in what a block found and drop what has fallen out of reach."""
        rows = np.concatenate([self.rows, rows])
        words = np.concatenate([self.words, words])
        cosines = np.concatenate([self.cosines, cosines])
        order = np.lexsort((-cosines, rows))
        rows, words, cosines = rows[order], words[order], cosines[order]
        first = np.searchsorted(rows, np.arange(len(self.units)))
        counts = np.diff(first, append=len(rows))
        full = np.flatnonzero(counts >= self.k)
        kth = cosines[first[full] + self.k - 1]
        floor = self._floor.copy()
        floor[full] = np.maximum(floor[full], kth - self._margin)
        self._floor = floor
        keep = cosines >= floor[rows]
        self.rows, self.words, self.cosines = rows[keep], words[keep], cosines[keep]
