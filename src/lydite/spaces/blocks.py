"""Similarities of many queries with many words, block by block in threads."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from lydite.threads import thread_count
from lydite.types import Indices, Vectors

T = TypeVar("T")

#: Words and queries whose similarities a thread holds at a time, at 4 bytes a similarity.
WORDS = 4096
QUERIES = 256


@dataclass(frozen=True, kw_only=True, eq=False)
class LeftOut:
    """Words that do not count for a query.

    Attributes
    ----------
    words
        Rows of the space, ascending.
    queries
        The query for which each is left out.
    """

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
