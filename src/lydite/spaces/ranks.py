"""The exact cosine rank of a word among all words of a space, in blocks on BLAS.

Products are made in float32, whose rounding alone would put many ranks wrong by one or more. So
the target's own cosine is taken precisely, every word whose float32 cosine lies within the
rounding error of it is compared again precisely, and the target and the query's own word are
masked. The answer is that of exact arithmetic, at the speed of float32.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

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

Ties: TypeAlias = Literal["min", "mean", "max"]


def cosine_ranks(
    vectors: Vectors,
    queries: Vectors,
    targets: Indices,
    *,
    exclude: Indices | None = None,
    ties: Ties = "mean",
    progress: Progress = silent,
) -> Floats:
    """Rank each target among all words by cosine with its query, 1 being the nearest.

    Parameters
    ----------
    vectors
        Shape (n, d): the space.
    queries
        Shape (m, d).
    targets
        Shape (m,): the row of the word whose rank is asked for.
    exclude
        Shape (m, e): rows left out of the ranking, usually the query's own word; -1 for none.
    ties
        Rank among words of equal cosine: the best place (``min``), the middle (``mean``) or the
        worst (``max``). Cosines are equal if exact arithmetic finds them so.

    Returns
    -------
    Shape (m,): the ranks. A zero row of the space has cosine 0 with everything.

    Examples
    --------
    >>> space = np.array([[1, 0], [1, 1], [0, 1], [0, 2]], dtype=np.float32)
    >>> cosine_ranks(space, space[:1], np.array([2]), exclude=np.array([[0]]), ties="min")
    array([2.])
    >>> cosine_ranks(space, space[:1], np.array([2]), exclude=np.array([[0]]), ties="max")
    array([3.])
    """
    check_queries(vectors, queries)
    check_rows(targets, (len(queries),), vectors, what="targets")
    exclude = _checked_exclude(exclude, len(targets), vectors)
    vectors, queries = as_float32(vectors), as_float32(queries)
    own = PreciseCosines.of(queries, vectors, np.arange(len(queries)), targets)
    left_out = LeftOut.of(np.column_stack([targets, exclude]))
    comparison = _Comparison.of(vectors, queries, np.arange(len(queries)), own, left_out)
    return _ranks(comparison, len(vectors), ties, progress)


def cosine_ranks_of_vectors(
    vectors: Vectors,
    queries: Vectors,
    targets: Vectors,
    *,
    query_of: Indices | None = None,
    exclude: Indices | None = None,
    ties: Ties = "mean",
    progress: Progress = silent,
) -> Floats:
    """Rank target vectors that are not in the space among all its words and themselves.

    Parameters
    ----------
    vectors
        Shape (n, d): the space.
    queries, targets
        Shapes (q, d) and (m, d): the rank of ``targets[i]`` by its cosine with
        ``queries[query_of[i]]`` is asked for.
    query_of
        Shape (m,), in ascending order; by default target i has query i. A query of many targets
        is compared with all words once.
    exclude
        Shape (m, e): rows left out of the ranking of a target, such as the word whose vector it
        is; -1 for none.
    ties
        As in :func:`cosine_ranks`.

    Returns
    -------
    Shape (m,): 1 where no word is nearer to the query than the target is.

    Examples
    --------
    >>> space = np.array([[1, 0], [1, 1], [0, 1]], dtype=np.float32)
    >>> one, other = np.array([[2, 0]], dtype=np.float32), np.array([[3, 1]], dtype=np.float32)
    >>> cosine_ranks_of_vectors(space, one, other)
    array([2.])
    """
    check_queries(vectors, queries)
    check_queries(vectors, targets)
    if query_of is None:
        query_of = np.arange(len(queries))
    if len(query_of) != len(targets):
        raise InputError(f"expected a target a query, got {len(targets)} for {len(query_of)}")
    check_rows(query_of, (len(targets),), queries, what="query_of")
    if (np.diff(query_of) < 0).any():
        raise InputError("expected query_of in ascending order")
    left_out = LeftOut.of(_checked_exclude(exclude, len(targets), vectors))
    vectors, queries, targets = map(as_float32, (vectors, queries, targets))
    own = PreciseCosines.of(queries, targets, query_of, np.arange(len(targets)))
    comparison = _Comparison.of(vectors, queries, query_of, own, left_out)
    return _ranks(comparison, len(vectors), ties, progress)


def _checked_exclude(exclude: Indices | None, targets: int, vectors: Vectors) -> Indices:
    if exclude is None:
        return np.empty((targets, 0), dtype=np.int64)
    check_rows(exclude, (targets, exclude.shape[-1]), vectors, what="exclude")
    return exclude


def _ranks(comparison: _Comparison, words: int, ties: Ties, progress: Progress) -> Floats:
    if ties not in get_args(Ties):
        raise InputError(f"expected ties among {', '.join(get_args(Ties))}, got {ties!r}")
    counts = _count(comparison, words, progress)
    share = {"min": 0.0, "mean": 0.5, "max": 1.0}[ties]
    return 1.0 + counts[:, 0] + share * counts[:, 1]


def _count(comparison: _Comparison, words: int, progress: Progress) -> Indices:
    counts = np.zeros((len(comparison.query_of), 2), dtype=np.int64)
    starts = range(0, words, WORDS)
    with contextlib.closing(over_blocks(comparison.block, starts)) as blocks:
        for done, found in enumerate(blocks, 1):
            counts += found
            progress("ranking", done, len(starts))
    return counts


@dataclass(frozen=True, kw_only=True, eq=False)
class _Comparison:
    """Queries, which of them each target has, and the bounds of cosines too close to call."""

    vectors: Vectors
    queries: Vectors
    units: Vectors
    query_of: Indices
    own: PreciseCosines
    low: Vectors
    high: Vectors
    left_out: LeftOut

    @classmethod
    def of(
        cls,
        vectors: Vectors,
        queries: Vectors,
        query_of: Indices,
        own: PreciseCosines,
        left_out: LeftOut,
    ) -> _Comparison:
        margin = rounding_margin(vectors.shape[1])
        return cls(
            vectors=vectors,
            queries=queries,
            units=unit_rows(queries),
            query_of=query_of,
            own=own,
            low=(own.high - margin).astype(np.float32),
            high=(own.high + margin).astype(np.float32),
            left_out=left_out,
        )

    def block(self, start: int) -> Indices:
        """Count the words from ``start`` on that are nearer than the target, and tied with it."""
        words = unit_rows(self.vectors[start : start + WORDS])
        counts = np.empty((len(self.query_of), 2), dtype=np.int64)
        buffer = np.empty((QUERIES, len(words)), dtype=np.float32)
        for query in range(0, len(self.units), QUERIES):
            units = self.units[query : query + QUERIES]
            cosines = np.matmul(units, words.T, out=buffer[: len(units)])
            begin, end = np.searchsorted(self.query_of, [query, query + len(units)]).tolist()
            for first in range(begin, end, QUERIES):
                last = min(first + QUERIES, end)
                rows = self.query_of[first:last] - query
                counts[first:last] = self._compare(cosines, rows, first, start)
        return counts

    def _compare(self, cosines: Vectors, rows: Indices, first: int, start: int) -> Indices:
        """Count for the targets from ``first`` on, whose queries have these rows of cosines."""
        low, high = self.low[first : first + len(rows)], self.high[first : first + len(rows)]
        cells = self.left_out.within(
            len(rows), cosines.shape[1], first_query=first, first_word=start
        )
        counts = np.empty((len(rows), 2), dtype=np.int64)
        count_above(cosines, rows, low, high, counts)
        _uncount(counts, cosines[rows[cells[0]], cells[1]], cells[0], low, high)
        unsure = np.flatnonzero(counts[:, 0] != counts[:, 1])
        cells = _among(cells, unsure)
        at, words = _close(cosines[rows[unsure]], low[unsure], high[unsure], cells)
        # All words may be close: in place, so that no more than a few numbers a pair are held.
        at = unsure[at]
        words += start
        return self._settled(counts, at, first, words)

    def _settled(self, counts: Indices, at: Indices, first: int, words: Indices) -> Indices:
        """Compare again, in higher precision, targets with words that are too close to call."""
        exact = PreciseCosines.of(self.queries, self.vectors, self.query_of[at + first], words)
        ahead = exact - self.own[at + first]
        width = tie_width(self.vectors.shape[1])
        counts[:, 0] += np.bincount(at[ahead > width], minlength=len(counts))
        counts[:, 1] = np.bincount(at[np.abs(ahead) <= width], minlength=len(counts))
        return counts


def _uncount(
    counts: Indices, cosines: Vectors, targets: Indices, low: Vectors, high: Vectors
) -> None:
    """Take words left out from the counts again: a row of cosines is shared by targets."""
    for column, over in enumerate((cosines > high[targets], cosines >= low[targets])):
        counts[:, column] -= np.bincount(targets[over], minlength=len(counts))


def _close(
    cosines: Vectors, low: Vectors, high: Vectors, left_out: tuple[Indices, Indices]
) -> tuple[Indices, ...]:
    """Return row and column of the cosines that lie within the bounds of their row."""
    within = (cosines >= low[:, None]) & (cosines <= high[:, None])
    within[left_out] = False
    return np.nonzero(within)


def _among(cells: tuple[Indices, Indices], targets: Indices) -> tuple[Indices, Indices]:
    """Return the cells of some targets, ascending, with their places among these."""
    places = np.searchsorted(targets, cells[0])
    kept = np.isin(cells[0], targets)
    return places[kept], cells[1][kept]
