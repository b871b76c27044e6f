"""Compiled loops over sparse matrices in compressed rows."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from lydite.spaces.compiled import compiled

Columns: TypeAlias = NDArray[np.int32]
Int64s: TypeAlias = NDArray[np.int64]
Tallies: TypeAlias = NDArray[np.uint32]
Singles: TypeAlias = NDArray[np.float32]
Floats: TypeAlias = NDArray[np.float64]


@compiled(lambda t: t.void(t.i4[::1], t.u4[::1], t.f8[::1]))
def add_columns(columns: Columns, values: Tallies, sums: Floats) -> None:
    """Add entries up by column."""
    for at in range(columns.shape[0]):
        sums[columns[at]] += values[at]


@compiled(
    lambda t: t.i8(
        t.i8[::1],
        t.i4[::1],
        t.u4[::1],
        t.f8[::1],
        t.f8[::1],
        t.f8,
        t.f8,
        t.i4[::1],
        t.f4[::1],
        t.i8[::1],
    ),
    error_model="numpy",
)
def positive_information(  # noqa: PLR0913, PLR0917 - compiled code takes arrays one by one
    starts: Int64s,
    columns: Columns,
    values: Tallies,
    row_sums: Floats,
    column_sums: Floats,
    total: float,
    shift: float,
    kept: Columns,
    information: Singles,
    lengths: Int64s,
) -> int:
    """Keep the entries whose pointwise mutual information exceeds the shift.

    Parameters
    ----------
    starts, columns, values
        Counts of r rows; ``starts`` begins with 0.
    row_sums, column_sums, total
        Shapes (r,), (n,): what an entry is divided by, and multiplied with.
    shift
        Subtracted from the logarithm.
    kept, information
        Filled with the columns that stay, and what stands there.
    lengths
        Shape (r,): filled with how many stay in each row.

    Returns
    -------
    How many stay in all.
    """
    filled = 0
    for row in range(row_sums.shape[0]):
        before = filled
        for at in range(starts[row], starts[row + 1]):
            product = row_sums[row] * column_sums[columns[at]]
            value = np.float32(np.log(values[at] * total / product) - shift)
            if value > 0:
                kept[filled] = columns[at]
                information[filled] = value
                filled += 1
        lengths[row] = filled - before
    return filled


@compiled(
    lambda t: t.void(t.i8[::1], t.i4[::1], t.f4[::1], t.f8[::1], t.f8[::1], t.i8, t.i8),
    fastmath=True,
)
def multiply_rows(
    starts: Int64s,
    columns: Columns,
    values: Singles,
    vector: Floats,
    out: Floats,
    first: int,
    last: int,
) -> None:
    """Multiply the rows from ``first`` to before ``last`` with a vector."""
    for row in range(first, last):
        total = 0.0
        for at in range(starts[row], starts[row + 1]):
            total += values[at] * vector[columns[at]]
        out[row] = total
