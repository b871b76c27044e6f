"""Positive pointwise mutual information of words and contexts, from counts."""

from __future__ import annotations

import itertools
import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lydite.errors import InputError
from lydite.spaces.sparse_kernel import add_columns, positive_information
from lydite.spaces.vocabulary import bounds
from lydite.threads import thread_count
from lydite.types import Floats, Indices, Vectors

#: Entries that are weighted at a time, by each thread.
_BLOCK = 1 << 20


@dataclass(frozen=True, kw_only=True, eq=False)
class SparseMatrix:
    """A matrix in compressed rows.

    Attributes
    ----------
    starts
        Shape (n + 1,): row i is ``starts[i]`` to ``starts[i + 1]`` of the other two.
    columns
        Ascending in each row.
    values
        None of them 0.
    width
        The number of columns.
    """

    starts: Indices
    columns: NDArray[np.int32]
    values: Vectors
    width: int

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and columns."""
        return len(self.starts) - 1, self.width


def ppmi(
    starts: Indices,
    columns: NDArray[np.int32],
    values: NDArray[np.uint32],
    *,
    width: int | None = None,
    cds: float = 1.0,
    shift: float = 1.0,
) -> SparseMatrix:
    """Weigh counts by their positive pointwise mutual information, as Hyperwords does.

    ``max(log(#(w,c) · Σ #(c)^cds / (#(w) · #(c)^cds)) - log(shift), 0)``

    Parameters
    ----------
    starts, columns, values
        Counts of n words, in compressed rows.
    width
        The number of contexts; n by default.
    cds
        Context distribution smoothing: the exponent of the counts of contexts. 0.75 makes rare
        contexts count less.
    shift
        How many negative samples; its logarithm is subtracted (``neg``).

    References
    ----------
    Levy, Goldberg & Dagan (2015), Improving distributional similarity with lessons learned from
    word embeddings, TACL 3, sections 2 and 3.

    Examples
    --------
    >>> counts = np.array([3, 1, 1, 3], dtype=np.uint32)
    >>> weighed = ppmi(np.array([0, 2, 4]), np.array([0, 1, 0, 1], dtype=np.int32), counts)
    >>> weighed.columns.tolist(), np.exp(weighed.values).round(6).tolist()
    ([0, 1], [1.5, 1.5])
    """
    if not 0 <= cds <= 1:
        raise InputError(f"expected cds from 0 to 1, got {cds}", hint="0.75 is usual, 1 is none")
    if not (math.isfinite(shift) and shift > 0):
        raise InputError(f"expected a shift above 0, got {shift}", hint="1 shifts nothing")
    width = len(starts) - 1 if width is None else width
    row_sums, column_sums = _margins(starts, columns, values, width)
    contexts = np.power(column_sums, cds, where=column_sums > 0, out=np.zeros(width))
    return _weighed(starts, columns, values, row_sums, contexts, math.log(shift))


def _margins(
    starts: Indices, columns: NDArray[np.int32], values: NDArray[np.uint32], width: int
) -> tuple[Floats, Floats]:
    row_sums, column_sums = np.zeros(len(starts) - 1), np.zeros(width)
    for first, last in _row_blocks(starts):
        begin, end = int(starts[first]), int(starts[last])
        counted = np.ascontiguousarray(values[begin:end])
        running = bounds(counted.astype(np.int64))
        row_sums[first:last] = np.diff(running[starts[first : last + 1] - begin])
        add_columns(np.array(columns[begin:end]), counted.copy(), column_sums)
    return row_sums, column_sums


def _weighed(
    starts: Indices,
    columns: NDArray[np.int32],
    values: NDArray[np.uint32],
    row_sums: Floats,
    contexts: Floats,
    shift: float,
) -> SparseMatrix:
    total = float(contexts.sum())

    def weigh(block: tuple[int, int]) -> tuple[NDArray[np.int32], Vectors, Indices]:
        first, last = block
        begin, end = int(starts[first]), int(starts[last])
        kept = np.empty(end - begin, dtype=np.int32)
        information = np.empty(end - begin, dtype=np.float32)
        lengths = np.empty(last - first, dtype=np.int64)
        filled = positive_information(
            starts[first : last + 1] - begin,
            # Mapped arrays may be read-only, which compiled code does not take.
            np.array(columns[begin:end]),
            np.array(values[begin:end]),
            row_sums[first:last],
            contexts,
            total,
            shift,
            kept,
            information,
            lengths,
        )
        return kept[:filled].copy(), information[:filled].copy(), lengths

    with ThreadPoolExecutor(thread_count()) as pool:
        parts = list(pool.map(weigh, _row_blocks(starts)))
    return SparseMatrix(
        starts=bounds(np.concatenate([part[2] for part in parts])),
        columns=np.concatenate([part[0] for part in parts]),
        values=np.concatenate([part[1] for part in parts]),
        width=len(contexts),
    )


def _row_blocks(starts: Indices) -> list[tuple[int, int]]:
    """Divide rows into blocks of about so many entries."""
    rows = len(starts) - 1
    marks = np.arange(starts[0], starts[-1], _BLOCK)
    edges = np.unique(np.append(np.searchsorted(starts[:-1], marks), [0, rows])).tolist()
    return list(itertools.pairwise(edges))
