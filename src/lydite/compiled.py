"""Compile hot loops when they are first called, and keep the machine code between runs.

Numba takes long to import, so a module may define kernels without importing it: a kernel
is a light callable until somebody calls it. Signatures are functions of the module
``numba.types`` for the same reason: ``lambda t: t.void(t.f4[:, ::1], t.i8)``.
"""

from __future__ import annotations

import dis
import functools
import importlib
import operator
import threading
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType
from typing import Any, TypeAlias, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])

#: The module ``numba.types``, and a type from it; Numba has no types for them.
Types: TypeAlias = Any
Type: TypeAlias = Any

#: Kernels are called from threads: one of them compiles, the others wait. The lock is taken again
#: where a kernel calls others.
_lock = threading.RLock()
#: Parts of which Numba has not been told.
_unknown_parts: set[Callable[..., Any]] = set()


class _Deferred:
    """A function that Numba makes something else of when it is first needed."""

    def __init__(self, function: Callable[..., Any], make: Callable[[Any], Any]) -> None:
        self._function = function
        self._make = make
        self._made: Any = None
        functools.update_wrapper(self, function)

    def __call__(self, *arguments: Any) -> Any:  # noqa: ANN401
        made = self._made
        return (self.made() if made is None else made)(*arguments)

    def __reduce__(self) -> tuple[Any, ...]:
        # Not by name alone, as of functions: compiled code may have put what was made in its place.
        return _look_up, (self._function.__module__, self._function.__qualname__)

    def made(self) -> Any:  # noqa: ANN401
        """Return what Numba makes of the function, together with everything that it calls."""
        with _lock:
            if self._made is None:
                _resolve_names(self._function)
                self._made = self._make(self._function)
            return self._made


def compiled(signature: Callable[[Types], Type], **options: Any) -> Callable[[F], F]:  # noqa: ANN401
    """Compile a function for one signature, outside the interpreter lock, at its first call.

    Numba refuses to compile at all where it finds no folder for its cache (a read-only
    installation without a home); there the code is compiled anew in each process.
    """

    def make(function: Callable[..., Any]) -> Any:  # noqa: ANN401
        from numba import njit, types

        kind = signature(types)
        try:
            return njit(kind, nogil=True, cache=True, **options)(function)
        except RuntimeError:
            return njit(kind, nogil=True, **options)(function)

    def defer(function: F) -> F:
        return cast("F", _Deferred(function, make))

    return defer


def compile_ahead(kernel: Callable[..., Any]) -> None:
    """Compile a kernel, or load its machine code, before its first call."""
    cast("_Deferred", kernel).made()


def record(
    kind: type[tuple[Any, ...]], fields: Callable[[Types], tuple[Type, ...]]
) -> Callable[[Types], Type]:
    """Return what gives the type of a named tuple in a signature."""
    return lambda t: t.BaseTuple.from_types(fields(t), kind)


def part(function: F) -> F:
    """Mark a function that compiled ones call: it is compiled with them and kept with them.

    Loading the machine code of a kernel takes a tenth of a second; its parts then cost nothing.
    No way is made into them from Python, which takes as long to compile as a part itself: called
    from Python, they are Python.
    """
    _unknown_parts.add(function)
    return function


def part_with(**options: Any) -> Callable[[F], F]:  # noqa: ANN401
    """Mark a function that compiled ones call, and that is compiled with options of its own."""

    def make(function: Callable[..., Any]) -> Any:  # noqa: ANN401
        from numba import njit

        return njit(nogil=True, **options)(function)

    def defer(function: F) -> F:
        return cast("F", _Deferred(function, make))

    return defer


def intrinsic_part(function: F) -> F:
    """Mark a function that writes the machine code of a part itself.

    It runs while Numba compiles, so it may import Numba and llvmlite.
    """

    def make(function: Callable[..., Any]) -> Any:  # noqa: ANN401
        from numba.extending import intrinsic

        return intrinsic(function)

    return cast("F", _Deferred(function, make))


def _resolve_names(function: Callable[..., Any]) -> None:
    """Tell Numba of the parts that a function names, and put what was made for deferred ones.

    Numba looks names up while it compiles, and takes nothing there but its own.
    """
    from numba.extending import register_jitable

    for value, put in _named(cast("FunctionType", function)):
        if isinstance(value, _Deferred):
            put(value.made())
        elif isinstance(value, FunctionType) and value in _unknown_parts:
            _unknown_parts.remove(value)
            register_jitable(no_cfunc_wrapper=True)(value)
            _resolve_names(value)


def _named(function: FunctionType) -> Iterator[tuple[Any, Callable[[Any], None]]]:
    """Yield the global and enclosed values that a function names, each with what replaces it."""
    space = function.__globals__
    for name in _names(function.__code__) & space.keys():
        yield space[name], functools.partial(operator.setitem, space, name)
    for cell in function.__closure__ or ():
        yield cell.cell_contents, functools.partial(setattr, cell, "cell_contents")


def _names(code: CodeType) -> set[str]:
    """Return the global names of a function and of those inside it, such as comprehensions."""
    inner = (_names(constant) for constant in code.co_consts if isinstance(constant, CodeType))
    loaded = (step.argval for step in dis.get_instructions(code) if step.opname == "LOAD_GLOBAL")
    return set(loaded).union(*inner)


def _look_up(module: str, name: str) -> Any:  # noqa: ANN401
    return operator.attrgetter(name)(importlib.import_module(module))
