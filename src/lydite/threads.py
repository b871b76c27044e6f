"""How many threads one process may use, so that parallel processes do not fight over cores."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

_VARIABLE = "LYDITE_THREADS"
#: Read once, by each library when it is loaded.
_OF_LIBRARIES = (
    "OPENBLAS_NUM_THREADS",
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMBA_NUM_THREADS",
)


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


def thread_variables(count: int) -> dict[str, str]:
    """Return the environment of a process that is to use so many threads, whatever it loads."""
    return dict.fromkeys((_VARIABLE, *_OF_LIBRARIES), str(count))


@contextlib.contextmanager
def children_limited(count: int) -> Iterator[None]:
    """Keep processes that are started meanwhile to so many threads, whatever they load."""
    limits = thread_variables(count)
    before = {name: os.environ.get(name) for name in limits}
    os.environ.update(limits)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def limit_threads(count: int) -> None:
    """Keep this process and its BLAS to so many threads."""
    # A pool of threads can be limited only after its library is loaded.
    import numpy  # noqa: F401
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    os.environ[_VARIABLE] = str(count)
    threadpool_limits(count)
