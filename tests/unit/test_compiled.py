from __future__ import annotations

import inspect
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest
from numpy.typing import NDArray

import lydite
from lydite.compiled import compile_ahead, compiled, intrinsic_part, part, part_with, record

_ROOT = Path(lydite.__file__).parent
_USES = "from lydite.compiled import"
_HEAVY = {"llvmlite", "numba", "scipy"}


class Span(NamedTuple):
    first: int
    last: int


_span = record(Span, lambda t: (t.i8, t.i8))


@intrinsic_part
def _one(_typing: Any) -> Any:  # noqa: ANN401
    from numba import types

    return types.i8(), lambda context, *_: context.get_constant(types.i8, 1)


@part_with(inline="always")
def _next(number: int) -> int:
    return number + _one()  # type: ignore[call-arg, no-any-return]


@part
def _after(number: int) -> int:
    return _next(number)


@compiled(lambda t: t.i8(t.i8))
def _twice(number: int) -> int:
    return number + number


@compiled(lambda t: t.i8(_span(t)))
def odd_after(span: Span) -> int:
    """Return 2 (last - first) + 1."""
    return _after(_twice(span.last - span.first))


@compiled(lambda t: t.f4(t.f4[::1]), fastmath=True)
def _sum(numbers: NDArray[np.float32]) -> np.float32:
    return np.float32(sum([number for number in numbers]))  # noqa: C416 - a comprehension is tried


def test_a_kernel_calls_kernels_and_parts_of_all_kinds() -> None:
    assert odd_after(Span(1, 21)) == 41
    assert odd_after(Span(1, 22)) == 43
    assert _twice(4) == 8


def test_a_kernel_runs_compiled() -> None:
    assert _sum(np.arange(4, dtype=np.float32)) == 6.0
    # Python would have taken this.
    with pytest.raises(TypeError, match="No matching definition"):
        _sum(np.arange(4, dtype=np.float64))  # type: ignore[arg-type]


def test_a_kernel_keeps_name_docstring_and_signature() -> None:
    assert odd_after.__doc__ == "Return 2 (last - first) + 1."
    assert (odd_after.__name__, odd_after.__module__) == ("odd_after", __name__)
    assert list(inspect.signature(odd_after).parameters) == ["span"]


@pytest.mark.parametrize("kernel", [odd_after, _twice])
def test_a_kernel_goes_to_other_processes_by_its_name(kernel: Callable[..., object]) -> None:
    compile_ahead(odd_after)
    again = pickle.loads(pickle.dumps(kernel))
    assert (again.__module__, again.__name__) == (kernel.__module__, kernel.__name__)


def test_a_kernel_called_from_two_threads_is_compiled_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun: list[str] = []
    both = threading.Barrier(2)

    def counted(*arguments: Any, **options: Any) -> Any:  # noqa: ANN401
        begun.append(threading.current_thread().name)
        return njit(*arguments, **options)

    njit = numba.njit
    monkeypatch.setattr(numba, "njit", counted)

    @compiled(lambda t: t.i8(t.i8))
    def triple(number: int) -> int:
        return 3 * number

    def call(number: int) -> int:
        both.wait(timeout=60)
        return triple(number)

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(call, [1, 2])) == [3, 6]
    assert len(begun) == 1


def test_a_kernel_inside_a_function_calls_what_is_around_it() -> None:
    @compiled(lambda t: t.i8(t.i8))
    def inner(number: int) -> int:
        return number - 1

    @compiled(lambda t: t.i8(t.i8))
    def outer(number: int) -> int:
        return inner(number) * 2

    assert outer(4) == 6


def test_a_kernel_runs_where_nothing_can_be_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    njit = numba.njit

    def without_a_place(signature: object, *, nogil: bool, cache: bool = False) -> object:
        if cache:
            raise RuntimeError("cannot cache function: no locator available")
        return njit(signature, nogil=nogil)

    monkeypatch.setattr(numba, "njit", without_a_place)

    @compiled(lambda t: t.i8(t.i8))
    def double(number: int) -> int:
        return 2 * number

    assert double(21) == 42


def test_opening_a_space_does_not_import_numba() -> None:
    code = "import sys, lydite.spaces.cache; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_importing_kernels_imports_nothing_heavy() -> None:
    paths = [path.relative_to(_ROOT) for path in _ROOT.rglob("*.py") if _USES in path.read_text()]
    names = [".".join(("lydite", *path.with_suffix("").parts)) for path in paths]
    assert len(names) > 10
    code = f"import sys, {', '.join(names)}; print({_HEAVY} & {{*sys.modules}})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
