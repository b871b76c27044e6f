"""Compiled retrofitting."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lydite.spaces.compiled import compiled, intrinsic_part

Int32s: TypeAlias = NDArray[np.int32]
Int64s: TypeAlias = NDArray[np.int64]
Singles: TypeAlias = NDArray[np.float32]
#: What Numba hands over while it compiles: types, values, a builder; it has no types for them.
Stage: TypeAlias = Any

#: Dimensions that are moved together: as many as a line of the processor's cache has room for.
LANES = 16

_LARGEST = np.finfo(np.float32).max


# Read-only, because perhaps mapped from disk.
@compiled(lambda t: t.void(t.Array(t.f4, 2, "C", readonly=True), t.f4[:, ::1]), error_model="numpy")
def unit_rows(vectors: Singles, out: Singles) -> None:
    """Write vectors (n, d), each divided by its length; zeros stay zeros.

    The same as :func:`lydite.spaces.cosine.unit_rows`, in one pass and without copies.
    """
    for row in range(vectors.shape[0]):
        total = 0.0
        for k in range(vectors.shape[1]):
            total += np.float64(vectors[row, k]) * np.float64(vectors[row, k])
        scale = 1.0 / np.sqrt(total) if total > 0 else 0.0
        for k in range(vectors.shape[1]):
            out[row, k] = vectors[row, k] * scale


@intrinsic_part
def _move(
    _: Stage,
    moved: Stage,
    first: Stage,
    word: Stage,
    near: Stage,
    begin: Stage,
    end: Stage,
    own: Stage,
    scale: Stage,
) -> Stage:
    """Set ``moved[word] = (own · first[word] + Σ moved[near[begin:end]]) · scale``.

    All lanes at once and the sum in registers: from a loop over them Numba makes one number at a
    time, or one that goes through memory, and takes twice to four times as long.
    """
    from llvmlite import ir  # type: ignore[import-untyped]
    from numba import types
    from numba.core import cgutils

    lanes = ir.VectorType(ir.FloatType(), LANES)

    def generate(context: Stage, builder: Stage, signature: Stage, arguments: Stage) -> Stage:
        def pointer(which: int, index: Stage) -> Stage:
            kind = signature.args[which]
            held = context.make_array(kind)(context, builder, arguments[which])
            element: Stage = cgutils.get_item_pointer
            place = [index, index.type(0)][: kind.ndim]
            return element(context, builder, kind, held, place, wraparound=False)

        def row(which: int, index: Stage) -> Stage:
            return builder.bitcast(pointer(which, index), lanes.as_pointer())

        def spread(number: Stage) -> Stage:
            one = builder.insert_element(lanes(ir.Undefined), number, ir.IntType(32)(0))
            zeros = ir.VectorType(ir.IntType(32), LANES)(None)
            return builder.shuffle_vector(one, lanes(ir.Undefined), zeros)

        _, _, word, _, begin, end, own, scale = arguments
        variable: Stage = cgutils.alloca_once_value
        total = variable(builder, builder.fmul(builder.load(row(1, word), align=4), spread(own)))
        with cgutils.for_range_slice(builder, begin, end, word.type(1)) as (at, _):
            other = builder.sext(builder.load(pointer(3, at)), word.type)
            added = builder.fadd(builder.load(total), builder.load(row(0, other), align=4))
            builder.store(added, total)
        builder.store(builder.fmul(builder.load(total), spread(scale)), row(0, word), align=4)
        return context.get_dummy_value()

    numbers = (types.intp, types.intp, types.float32, types.float32)
    return types.none(moved, first, types.intp, near, *numbers), generate


@compiled(
    lambda t: t.b1(t.i8[::1], t.i4[::1], t.i8[::1], t.f4[:, ::1], t.i8, t.f4, t.i8),
    error_model="numpy",
)
def move_words(
    starts: Int64s,
    others: Int32s,
    rows: Int64s,
    vectors: Singles,
    column: int,
    alpha: float,
    iterations: int,
) -> bool:
    """Move each vector towards those of its neighbours, in order, in place.

    Parameters
    ----------
    starts, others
        The neighbours of n words, numbers below m; no word is its own.
    rows
        Shape (m,): where the words stand among the vectors, the first n of them to be moved.
    vectors
        All vectors, of which a few dimensions are moved.
    column
        The first of these.
    alpha
        How much the first place of a vector counts, against 1 for all its neighbours together.
    iterations
        How often to go through the words.

    Returns
    -------
    Whether all numbers are finite.
    """
    count, width = starts.shape[0] - 1, min(LANES, vectors.shape[1] - column)
    moved = np.zeros((rows.shape[0], LANES), np.float32)
    for word in range(rows.shape[0]):
        here, there = moved[word], vectors[rows[word], column : column + width]
        for k in range(width):
            here[k] = there[k]
    first = moved[:count].copy()
    for _ in range(iterations):
        for word in range(count):
            begin, end = starts[word], starts[word + 1]
            own = alpha * np.float32(end - begin)
            scale = np.float32(1.0) / (own + np.float32(end - begin))
            _move(moved, first, word, others, begin, end, own, scale)  # type: ignore[call-arg]
    finite = True
    for word in range(count):
        here, there = moved[word], vectors[rows[word], column : column + width]
        for k in range(width):
            there[k] = here[k]
            finite &= abs(here[k]) <= _LARGEST
    return finite
