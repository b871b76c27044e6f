"""The exact cosine rank of a word among all words of a space, in blocks on BLAS.

Products are made in float32, whose rounding alone would put many ranks wrong by one or more. So
the target's own cosine is taken in float64, every word whose float32 cosine lies within the
rounding error of it is compared again in float64, and the target and the query's own word are
masked. The answer is that of a float64 computation, at the speed of float32.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from lydite.spaces.cosine import (
    check_queries,
    exact_cosine,
    over_blocks,
    rounding_margin,
    unit_rows,
)
from lydite.types import Floats, Indices, Progress, Vectors, silent

Ties: TypeAlias = Literal["min", "mean", "max"]

#: Words and queries whose similarities a thread holds at a time, at 4 bytes a similarity.
_WORDS = 4096
_QUERIES = 256


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
        Rank among words of equal float64 cosine: the best place (``min``), the middle (``mean``)
        or the worst (``max``).

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
    comparison = _Comparison.of(vectors, queries, targets, exclude)
    nearer = np.zeros(len(queries), dtype=np.int64)
    tied = np.zeros(len(queries), dtype=np.int64)
    starts = range(0, len(vectors), _WORDS)
    for done, (surely, close) in enumerate(over_blocks(comparison.block, starts), 1):
        nearer += surely
        cosines = exact_cosine(queries[close[0]], vectors[close[1]])
        own = comparison.own[close[0]]
        np.add.at(nearer, close[0], cosines > own)
        np.add.at(tied, close[0], cosines == own)
        progress("ranking", done, len(starts))
    return 1.0 + nearer + tied * {"min": 0.0, "mean": 0.5, "max": 1.0}[ties]


@dataclass(frozen=True, kw_only=True)
class _Comparison:
    """Queries and the bounds between which a float32 cosine is too close to call."""

    vectors: Vectors
    units: Vectors
    own: Floats
    low: Vectors
    high: Vectors
    masked: tuple[Indices, Indices]

    @classmethod
    def of(
        cls, vectors: Vectors, queries: Vectors, targets: Indices, exclude: Indices | None
    ) -> _Comparison:
        own = exact_cosine(queries, vectors[targets])
        margin = rounding_margin(vectors.shape[1])
        return cls(
            vectors=vectors,
            units=unit_rows(queries),
            own=own,
            low=(own - margin).astype(np.float32),
            high=(own + margin).astype(np.float32),
            masked=_masked(targets, exclude),
        )

    def block(self, start: int) -> tuple[Indices, Indices]:
        """Compare the words from ``start`` on with every target.

        Returns
        -------
        How many are surely nearer (m,), and the pairs (query, word) too close to call (2, c).
        """
        from lydite.spaces.rank_kernel import count_above

        words = unit_rows(self.vectors[start : start + _WORDS])
        counts = np.empty((len(self.units), 2), dtype=np.int64)
        close = [np.empty((2, 0), dtype=np.int64)]
        buffer = np.empty((_QUERIES, len(words)), dtype=np.float32)
        for first in range(0, len(self.units), _QUERIES):
            units = self.units[first : first + _QUERIES]
            rows = slice(first, first + len(units))
            cosines = np.matmul(units, words.T, out=buffer[: len(units)])
            self._mask(cosines, first, start)
            count_above(cosines, self.low[rows], self.high[rows], counts[rows])
            close += self._close(cosines, counts[rows], first, start)
        return counts[:, 0], np.concatenate(close, axis=1)

    def _mask(self, cosines: Vectors, first: int, start: int) -> None:
        """Put targets and excluded words below every threshold."""
        words, queries = self.masked
        left, right = np.searchsorted(words, [start, start + cosines.shape[1]])
        inside = np.flatnonzero(
            (queries[left:right] >= first) & (queries[left:right] < first + len(cosines))
        )
        at = inside + left
        cosines[queries[at] - first, words[at] - start] = -2.0

    def _close(self, cosines: Vectors, counts: Indices, first: int, start: int) -> list[Indices]:
        found = []
        for row in np.flatnonzero(counts[:, 0] != counts[:, 1]).tolist():
            query = first + row
            at = np.flatnonzero(
                (cosines[row] >= self.low[query]) & (cosines[row] <= self.high[query])
            )
            found.append(np.stack([np.full_like(at, query), at + start]))
        return found


def _masked(targets: Indices, exclude: Indices | None) -> tuple[Indices, Indices]:
    """Return the words to mask, sorted, and the query for which each is masked."""
    columns = targets[:, None] if exclude is None else np.column_stack([targets, exclude])
    words = columns.ravel().astype(np.int64)
    queries = np.repeat(np.arange(len(targets)), columns.shape[1])
    order = np.argsort(words, kind="stable")
    return words[order], queries[order]
