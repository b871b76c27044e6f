from __future__ import annotations

import subprocess
import sys

import pytest
from numba import njit

from lydite.spaces import compiled as module
from lydite.spaces.compiled import compiled


def test_a_kernel_runs_where_nothing_can_be_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    def without_a_place(signature: str, *, nogil: bool, cache: bool = False) -> object:
        if cache:
            raise RuntimeError("cannot cache function: no locator available")
        return njit(signature, nogil=nogil)

    monkeypatch.setattr(module, "njit", without_a_place)

    @compiled("i8(i8)")
    def double(number: int) -> int:
        return 2 * number

    assert double(21) == 42


def test_opening_a_space_does_not_import_numba() -> None:
    code = "import sys, lydite.spaces.cache; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
