"""A matrix of counts in compressed rows, and the sum of several such."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from lydite.corpora.cooccurrence.cooccurrence_kernel import merge_rows
from lydite.errors import InputError
from lydite.spaces.vocabulary import bounds
from lydite.types import Indices

#: Columns, counts and row lengths of a few rows.
Piece: TypeAlias = tuple[NDArray[np.int32], NDArray[np.uint32], Indices]

_BLOCK = 1 << 21


@dataclass(frozen=True, kw_only=True, eq=False)
class CountMatrix:
    """Counts in compressed rows.

    Attributes
    ----------
    starts
        Shape (n + 1,): row i is ``starts[i]`` to ``starts[i + 1]`` of the other two.
    columns
        Ascending in each row.
    values
        The counts, none of them 0.
    """

    starts: Indices
    columns: NDArray[np.int32]
    values: NDArray[np.uint32]

    def __len__(self) -> int:
        return len(self.starts) - 1

    def row_sums(self) -> Indices:
        """Return the sum of each row, (n,)."""
        sums = np.zeros(len(self), dtype=np.int64)
        for first, last in row_blocks(np.diff(self.starts), _BLOCK):
            begin, end = self.starts[first], self.starts[last]
            running = bounds(self.values[begin:end].astype(np.int64))
            sums[first:last] = np.diff(running[self.starts[first : last + 1] - begin])
        return sums


def write_counts(pieces: Iterable[Piece], folder: Path) -> CountMatrix:
    """Write rows into a folder as they come, and map them.

    The files are ``columns``, ``values`` and ``starts``.
    """
    folder.mkdir(parents=True, exist_ok=True)
    lengths = []
    with (folder / "columns").open("wb") as columns, (folder / "values").open("wb") as values:
        for piece in pieces:
            columns.write(piece[0].data)
            values.write(piece[1].data)
            lengths.append(piece[2])
    starts = bounds(np.concatenate(lengths))
    starts.tofile(folder / "starts")
    if not starts[-1]:
        empty = np.empty(0, dtype=np.int32)
        return CountMatrix(starts=starts, columns=empty, values=empty.astype(np.uint32))
    # Compiled code takes no read-only arrays; of this kind nothing is ever written back.
    return CountMatrix(
        starts=starts,
        columns=np.memmap(folder / "columns", dtype=np.int32, mode="c").view(np.ndarray),
        values=np.memmap(folder / "values", dtype=np.uint32, mode="c").view(np.ndarray),
    )


def add_counts(runs: Sequence[CountMatrix], width: int, folder: Path) -> CountMatrix:
    """Add matrices up, a few rows at a time.

    Parameters
    ----------
    runs
        A matrix may have fewer rows than the result; the others are empty.
    width
        The number of rows and columns of the sum.
    folder
        Where it goes.
    """
    return write_counts(_added(runs, width), folder)


def _added(runs: Sequence[CountMatrix], width: int) -> Iterator[Piece]:
    starts = np.stack([np.pad(run.starts, (0, width - len(run)), mode="edge") for run in runs])
    sums = np.zeros(width, dtype=np.int64)
    for first, last in row_blocks(np.diff(starts).sum(axis=0), _BLOCK):
        taken = [slice(row[first], row[last]) for row in starts]
        columns = np.concatenate([run.columns[s] for run, s in zip(runs, taken, strict=True)])
        values = np.concatenate([run.values[s] for run, s in zip(runs, taken, strict=True)])
        before = bounds(np.array([s.stop - s.start for s in taken]))[:-1]
        inside = starts[:, first : last + 1] - starts[:, first : first + 1] + before[:, None]
        out = np.empty_like(columns), np.empty_like(values), np.empty(last - first, dtype=np.int64)
        filled = merge_rows(np.ascontiguousarray(inside), columns, values, sums, *out)
        if filled < 0:
            raise too_many()
        yield out[0][:filled], out[1][:filled], out[2]


def too_many() -> InputError:
    """Build the error for a count that takes more than 32 bits."""
    return InputError(
        f"expected no two words to stand together more than {(1 << 32) - 1} times, got more",
        hint="leave out frequent words with sample=1e-4",
    )


def row_blocks(sizes: Indices, most: int) -> Iterator[tuple[int, int]]:
    """Divide rows into blocks of at most so many entries, or of one row.

    >>> list(row_blocks(np.array([2, 2, 9, 1, 1]), 4))
    [(0, 2), (2, 3), (3, 5)]
    """
    ends = bounds(sizes)
    first = 0
    while first < len(sizes):
        last = int(np.searchsorted(ends, ends[first] + most, side="right")) - 1
        last = max(last, first + 1)
        yield first, last
        first = last
