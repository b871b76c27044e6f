"""Compiled counting of words within windows, a row of the matrix at a time.

All places of a word are visited together, so that the counts of its row stay in the processor's
cache; nothing is hashed and no pair is ever written down.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lydite.spaces.compiled import compiled, part

#: A place whose word is out of the vocabulary or was sampled away.
GAP: Final = -1
#: A place that no window reaches across.
BOUNDARY: Final = -2

_STEP = np.uint64(0x9E3779B97F4A7C15)
_LARGEST = np.int64(0xFFFFFFFF)

Ids: TypeAlias = NDArray[np.int32]
Int64s: TypeAlias = NDArray[np.int64]
Tallies: TypeAlias = NDArray[np.uint32]
Floats: TypeAlias = NDArray[np.float64]


@part
def _chance(seed: np.uint64, place: int) -> np.uint64:
    """Return 64 random bits that belong to a place of the corpus (splitmix64)."""
    bits = seed + (np.uint64(place) + np.uint64(1)) * _STEP
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


@compiled(lambda t: t.i8(t.i4[::1], t.i8, t.i4[::1], t.f8[::1], t.u8, t.b1, t.i4[::1], t.i8[::1]))
def prepare(
    ids: Ids,
    first: int,
    rows: Ids,
    dropped: Floats,
    seed: np.uint64,
    delete: bool,
    tokens: Ids,
    sizes: Int64s,
) -> int:
    """Turn numbers of words into rows of the matrix.

    Parameters
    ----------
    ids
        Numbers of words; negative after each sentence.
    first
        The place of ``ids[0]`` in the corpus.
    rows
        The row of each word, negative out of the vocabulary.
    dropped
        For each row, how likely a place of it is sampled away; empty: never.
    seed
        Of the sampling.
    delete
        Whether words without a row leave no gap.
    tokens
        Filled with rows, `GAP` and `BOUNDARY`; two longer than ``ids``.
    sizes
        Shape (n,): raised by the number of places of each row.

    Returns
    -------
    How many tokens were filled.
    """
    tokens[0] = BOUNDARY
    filled = 1
    for i in range(ids.shape[0]):
        row = np.int32(BOUNDARY)
        if ids[i] >= 0:
            row = rows[ids[i]]
            if row >= 0 and dropped.shape[0] > 0 and dropped[row] > 0.0:
                chance = float(_chance(seed, first + i) >> np.uint64(11)) * 2.0**-53
                if chance <= dropped[row]:
                    row = np.int32(GAP)
            if row >= 0:
                sizes[row] += 1
            elif delete:
                continue
            else:
                row = np.int32(GAP)
        tokens[filled] = row
        filled += 1
    tokens[filled] = BOUNDARY
    return filled + 1


@compiled(lambda t: t.void(t.i4[::1], t.i8[::1], t.i4[::1]))
def list_places(tokens: Ids, ends: Int64s, places: Ids) -> None:
    """List the places of each row, row by row.

    Parameters
    ----------
    tokens
        As `prepare` fills them.
    ends
        Where the places of each row begin in ``places``; moved to where they end.
    places
        Filled.
    """
    for i in range(tokens.shape[0]):
        row = tokens[i]
        if row >= 0:
            places[ends[row]] = i
            ends[row] += 1


@part
def _sort_columns(sums: NDArray[np.integer[Any]], columns: Ids, start: int, stop: int) -> None:
    """Put the columns whose sums are not 0, and which are listed here, in order."""
    if (stop - start) * 16 <= sums.shape[0]:
        columns[start:stop].sort()
        return
    at = start
    for column in range(sums.shape[0]):
        if sums[column] != 0:
            columns[at] = column
            at += 1


@compiled(
    lambda t: t.i8(
        t.i4[::1],
        t.i8[::1],
        t.i4[::1],
        t.i8,
        t.i8,
        t.i8[::1],
        t.b1,
        t.u8,
        t.i8,
        t.u4[::1],
        t.i4[::1],
        t.u4[::1],
        t.i8[::1],
    )
)
def count_rows(  # noqa: PLR0913, PLR0917 - compiled code takes arrays one by one
    tokens: Ids,
    starts: Int64s,
    places: Ids,
    first: int,
    last: int,
    weights: Int64s,
    sampled: bool,
    seed: np.uint64,
    base: int,
    sums: Tallies,
    columns: Ids,
    values: Tallies,
    lengths: Int64s,
) -> int:
    """Count the contexts of the rows from ``first`` to before ``last``.

    Parameters
    ----------
    tokens, starts, places
        As `prepare` and `list_places` leave them; row i has ``places[starts[i]:starts[i + 1]]``.
    first, last
        Which rows.
    weights
        Shape (window + 1,): what a context at each distance counts.
    sampled
        Whether each place has a window of its own, of 1 to ``window`` words.
    seed
        Of these windows.
    base
        How many tokens of the corpus stand before these.
    sums
        Shape (m,), zeros; are zeros again at the end. Only the words of the first m rows are taken
        for contexts. The caller sees to it that no sum can take more than 32 bits.
    columns, values
        Filled with the columns and counts of each row, in order.
    lengths
        Shape (last - first,): filled with how many columns each row has.

    Returns
    -------
    How many columns were filled.
    """
    filled = 0
    window = weights.shape[0] - 1
    for row in range(first, last):
        start = filled
        for k in range(starts[row], starts[row + 1]):
            place = int(places[k])
            reach = window
            if sampled:
                chance = _chance(seed, base + place) >> np.uint64(32)
                reach = 1 + int((chance * np.uint64(window)) >> np.uint64(32))
            for side in (-1, 1):
                at = place
                for distance in range(1, reach + 1):
                    at += side
                    token = tokens[at]
                    if token == BOUNDARY:
                        break
                    if 0 <= token < sums.shape[0]:
                        if sums[token] == 0:
                            columns[filled] = token
                            filled += 1
                        sums[token] += np.uint32(weights[distance])
        lengths[row - first] = filled - start
        _sort_columns(sums, columns, start, filled)
        for at in range(start, filled):
            values[at] = sums[columns[at]]
            sums[columns[at]] = 0
    return filled


@compiled(
    lambda t: t.i8(t.i8[:, ::1], t.i4[::1], t.u4[::1], t.i8[::1], t.i4[::1], t.u4[::1], t.i8[::1])
)
def merge_rows(
    bounds: Int64s,
    run_columns: Ids,
    run_values: Tallies,
    sums: Int64s,
    columns: Ids,
    values: Tallies,
    lengths: Int64s,
) -> int:
    """Add up rows of several runs.

    Parameters
    ----------
    bounds
        Shape (runs, rows + 1): row i of run r is ``bounds[r, i]`` to ``bounds[r, i + 1]`` of
        ``run_columns`` and ``run_values``.
    run_columns, run_values
        The rows of all runs.
    sums
        Shape (n,), zeros; are zeros again at the end.
    columns, values, lengths
        Filled as by `count_rows`.

    Returns
    -------
    How many columns were filled, or -1 if a count takes more than 32 bits.
    """
    filled = 0
    for row in range(bounds.shape[1] - 1):
        start = filled
        for run in range(bounds.shape[0]):
            for at in range(bounds[run, row], bounds[run, row + 1]):
                column = run_columns[at]
                if sums[column] == 0:
                    columns[filled] = column
                    filled += 1
                sums[column] += run_values[at]
        lengths[row] = filled - start
        _sort_columns(sums, columns, start, filled)
        for at in range(start, filled):
            if sums[columns[at]] > _LARGEST:
                return -1
            values[at] = sums[columns[at]]
            sums[columns[at]] = 0
    return filled
