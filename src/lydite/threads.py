"""How many threads one process may use, so that parallel processes do not fight over cores."""

from __future__ import annotations

import os

_VARIABLE = "LYDITE_THREADS"


def thread_count() -> int:
    """Return how many threads to use: ``LYDITE_THREADS``, or all cores that this process has."""
    try:
        return max(1, int(os.environ[_VARIABLE]))
    except (KeyError, ValueError):
        return available_cores()


def available_cores() -> int:
    """Return how many cores this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def limit_threads(count: int) -> None:
    """Keep this process, its BLAS and its children to so many threads."""
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    os.environ[_VARIABLE] = str(count)
    threadpool_limits(count)
