"""Where a number came from: versions, time, memory."""

from __future__ import annotations

import contextlib
import functools
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

_PACKAGES = ("lydite", "numpy", "scipy", "scikit-learn", "polars", "numba")
_CLEAR_REFS = Path("/proc/self/clear_refs")
_STATUS = Path("/proc/self/status")


def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that can change a number."""
    return dict(_versions())


@functools.cache
def _versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def reset_peak_memory() -> None:
    """Begin anew to look for the largest memory of this process; does nothing but on Linux."""
    with contextlib.suppress(OSError):
        # The mark of the largest resident memory; proc(5), /proc/pid/clear_refs.
        _CLEAR_REFS.write_text("5")


def peak_memory_mb() -> float:
    """Return the largest memory that this process has had, in MB; 0 where unknown.

    On Linux since :func:`reset_peak_memory`, elsewhere since the process began.
    """
    with contextlib.suppress(OSError):
        for line in _STATUS.read_text("utf-8").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024 / 1e6
    try:
        import resource
    except ImportError:
        return 0.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # Bytes on macOS, kibibytes elsewhere.
    return peak / 1e6 if sys.platform == "darwin" else peak * 1024 / 1e6
