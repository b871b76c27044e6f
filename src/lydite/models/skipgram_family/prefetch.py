"""Ask the processor for memory before it is needed."""

from __future__ import annotations

from typing import Any

from lydite.models.skipgram_family.layout import Float32s, Int64s
from lydite.spaces.compiled import intrinsic_part, part

#: Numbers of four bytes in a line of cache.
_LINE = 16


@intrinsic_part
def _fetch(_typing: Any, array: Any, row: Any, matrix: Any, column: Any) -> Any:  # noqa: ANN401
    """Ask for the line that an element is in, to write to it; nothing waits for it."""
    from llvmlite import ir  # type: ignore[import-untyped]
    from numba import types
    from numba.core import cgutils

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ANN401
        kind = signature.args[0]
        held = context.make_array(kind)(context, builder, arguments[0])
        place: Any = cgutils.get_item_pointer
        element = place(context, builder, kind, held, arguments[1:], wraparound=False)
        pointer, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        asked = ir.FunctionType(ir.VoidType(), [pointer, number, number, number])
        prefetch = builder.module.declare_intrinsic("llvm.prefetch", [pointer], asked)
        write, near, data = number(1), number(3), number(1)
        builder.call(prefetch, [builder.bitcast(element, pointer), write, near, data])
        return context.get_dummy_value()

    return types.none(array, types.intp, types.intp, types.intp), generate


@part
def fetch_words(outputs: Float32s, matrix: int, words: Int64s, count: int) -> None:
    """Ask for the output vectors of all words of a step at once.

    Where there is a matrix for each position, they are seldom in the cache, and asking for one
    after the other takes longer than all products with them.
    """
    for k in range(count):
        for i in range(0, outputs.shape[2], _LINE):
            _fetch(outputs, words[k], matrix, i)  # type: ignore[call-arg]
