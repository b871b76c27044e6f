"""Compile a hot loop, and keep the machine code between runs where there is a place for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit
from numba.extending import register_jitable

F = TypeVar("F", bound=Callable[..., Any])


def compiled(signature: object, **options: Any) -> Callable[[F], F]:  # noqa: ANN401
    """Compile a function for one signature, outside the interpreter lock.

    Numba refuses to compile at all where it finds no folder for its cache (a read-only
    installation without a home); there the code is compiled anew in each process.
    """

    def compile_(function: F) -> F:
        try:
            kernel = njit(signature, nogil=True, cache=True, **options)(function)
        except RuntimeError:
            kernel = njit(signature, nogil=True, **options)(function)
        return cast("F", kernel)

    return compile_


def part(function: F) -> F:
    """Mark a function that compiled ones call: it is compiled with them and kept with them.

    Loading the machine code of a kernel takes a tenth of a second; its parts then cost nothing.
    No way is made into them from Python, which takes as long to compile as a part itself: called
    from Python, they are Python.
    """
    return register_jitable(no_cfunc_wrapper=True)(function)
