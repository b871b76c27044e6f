"""Exact nearest neighbours and exact ranks of words in a space, in blocks on BLAS.

Products are made in float32, whose rounding alone would put many ranks wrong by one or more. So
every word whose float32 cosine lies within the rounding error of the k-th, or of the target's, is
compared again precisely. The answer is that of exact arithmetic, at the speed of float32. Words of
equal cosine come in the vocabulary's order.
"""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from lydite.compiled import compiled
from lydite.errors import InputError
from lydite.progress import Progress, silent
from lydite.spaces.cosine import (
    PreciseCosines,
    as_float32,
    check_queries,
    check_rows,
    rounding_margin,
    tie_width,
    unit_rows,
)
from lydite.threads import thread_count
from lydite.types import Floats, Indices, Vectors

T = TypeVar("T")

#: Words and queries whose similarities a thread holds at a time, at 4 bytes a similarity.
WORDS = 4096
QUERIES = 256


@dataclass(frozen=True, kw_only=True, eq=False)
class LeftOut:
    """Words that do not count for a query: rows of the space, ascending, and the query of each."""

    words: Indices
    queries: Indices

    @classmethod
    def of(cls, columns: Indices) -> LeftOut:
        """Take a matrix (m, e) of rows left out for each of m queries; -1 for none."""
        queries = np.repeat(np.arange(len(columns)), columns.shape[1])
        words = columns.ravel().astype(np.int64)
        order = np.lexsort((queries, words))
        words, queries = words[order], queries[order]
        again = (np.diff(words, prepend=-1) == 0) & (np.diff(queries, prepend=-1) == 0)
        kept = (words >= 0) & ~again
        return cls(words=words[kept], queries=queries[kept])

    def within(
        self, queries: int, words: int, *, first_query: int, first_word: int
    ) -> tuple[Indices, Indices]:
        """Return what is left out of a block of so many queries and words, each cell once."""
        left, right = np.searchsorted(self.words, [first_word, first_word + words])
        rows = self.queries[left:right] - first_query
        inside = (rows >= 0) & (rows < queries)
        return rows[inside], self.words[left:right][inside] - first_word

    def mask(self, cosines: Vectors, *, first_query: int, first_word: int) -> None:
        """Put the words left out below every threshold in a block of similarities."""
        cells = self.within(*cosines.shape, first_query=first_query, first_word=first_word)
        cosines[cells] = -2.0


def over_blocks(work: Callable[[int], T], starts: Sequence[int]) -> Generator[T, None, None]:
    """Run blocks of a matrix product in threads, a few at a time, and yield them in order.

    Each thread gets one core of BLAS, so that what is done with a product runs in parallel too.
    """
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    workers = min(thread_count(), len(starts))
    pending: deque[Future[T]] = deque()
    pool = ThreadPoolExecutor(workers)
    with threadpool_limits(1, user_api="blas"):
        try:
            for start in starts:
                pending.append(pool.submit(work, start))
                if len(pending) > 2 * workers:
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
        finally:
            # Not waited for: an abandoned generator may be closed by the garbage collector
            # inside the start of another thread, where joining one never ends.
            pool.shutdown(wait=False, cancel_futures=True)


@compiled(lambda t: t.void(t.f4[:, ::1], t.i8[::1], t.f4[::1], t.f4[::1], t.i8[:, ::1]))
def count_above(
    similarities: NDArray[np.float32],
    rows: NDArray[np.int64],
    low: NDArray[np.float32],
    high: NDArray[np.float32],
    counts: NDArray[np.int64],
) -> None:
    """Count similarities above ``high`` and from ``low`` upwards, for each of some rows."""
    for target in range(len(rows)):
        row, floor, ceiling = rows[target], low[target], high[target]
        above, near = np.int32(0), np.int32(0)
        # Indexed on purpose: iterating over the row keeps the compiler from vectorizing the loop.
        for column in range(similarities.shape[1]):
            above += np.int32(similarities[row, column] > ceiling)
            near += np.int32(similarities[row, column] >= floor)
        counts[target, 0] = above
        counts[target, 1] = near


#: Columns that are looked at together before each by itself.
_STRIP = 64


@compiled(
    lambda t: t.i8(t.f4[:, ::1], t.i8[::1], t.f4[::1], t.f4[::1], t.i8[::1], t.i8[::1], t.i8[::1])
)
def list_close(
    similarities: NDArray[np.float32],
    rows: NDArray[np.int64],
    low: NDArray[np.float32],
    high: NDArray[np.float32],
    asked: NDArray[np.int64],
    targets: NDArray[np.int64],
    columns: NDArray[np.int64],
) -> int:
    """List the similarities from ``low`` to ``high`` of the targets asked for, in their order."""
    found = 0
    for target in asked:
        row, floor, ceiling = rows[target], low[target], high[target]
        for start in range(0, similarities.shape[1], _STRIP):
            stop = min(start + _STRIP, similarities.shape[1])
            close = np.int32(0)
            for column in range(start, stop):
                near = similarities[row, column] >= floor
                close += np.int32(near and similarities[row, column] <= ceiling)
            if close == 0:
                continue
            for column in range(start, stop):
                if floor <= similarities[row, column] <= ceiling:
                    targets[found], columns[found] = target, column
                    found += 1
    return found


#: Candidates held at a time; where they are more, the queries are taken in smaller groups.
_CANDIDATES = 1 << 20


@dataclass(frozen=True, kw_only=True, eq=False)
class Neighbours:
    """The nearest words of m queries, nearest first: rows of the space and cosines, both (m, k)."""

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

    Words whose cosines are equal in exact arithmetic come in the vocabulary's order.

    Parameters
    ----------
    vectors, queries
        Shapes (n, d), the space, and (m, d).
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

    A zero row of the space has cosine 0 with everything.

    Parameters
    ----------
    vectors, queries
        Shapes (n, d), the space, and (m, d).
    targets
        Shape (m,): the row of the word whose rank is wanted.
    exclude
        Shape (m, e): rows left out of the ranking, usually the query's own word; -1 for none.
    ties
        Rank among words of equal cosine: the best place (``min``), the middle (``mean``) or the
        worst (``max``). Cosines are equal if exact arithmetic finds them so.

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
    queries, targets
        Shapes (q, d) and (m, d): the rank of ``targets[i]`` by its cosine with
        ``queries[query_of[i]]`` is wanted.
    query_of
        Shape (m,), in ascending order; by default target i has query i. A query of many targets
        is compared with all words once.
    exclude
        Shape (m, e): rows left out of the ranking of a target, such as the word whose vector it
        is; -1 for none.

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
        raise InputError(f"expected a target per query, got {len(targets)} for {len(query_of)}")
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
        near = counts[:, 1] - counts[:, 0]
        asked = np.flatnonzero(near)
        at, words = (np.empty(int(near.sum()), dtype=np.int64) for _ in range(2))
        list_close(cosines, rows, low, high, asked, at, words)
        _uncount(counts, cosines[rows[cells[0]], cells[1]], cells[0], low, high)
        at, words = _without(at, words, cells, cosines.shape[1])
        # All words may be close: in place, so that no more than a few numbers a pair are held.
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


def _without(
    at: Indices, words: Indices, cells: tuple[Indices, Indices], width: int
) -> tuple[Indices, Indices]:
    """Drop the cells that are left out; none stands twice in either."""
    kept = np.isin(at * width + words, cells[0] * width + cells[1], invert=True)
    return (at, words) if kept.all() else (at[kept], words[kept])
