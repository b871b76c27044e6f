"""Where jobs run: in processes on this machine, or on a Dask cluster.

Whoever has many independent jobs asks `current_engine` and never knows which it is. In a worker it
is this process alone: jobs within jobs are done in place.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Generator, Iterable, Iterator
from contextvars import ContextVar
from typing import Any, Protocol, TypeVar

from lydite.errors import InputError, LyditeError
from lydite.threads import available_cores

J = TypeVar("J")
R = TypeVar("R")

#: What a user may write for an engine, for messages.
CHOICES = "local, dask, or the address of a scheduler such as tcp://host:8786"
#: Addresses that a suite may name, separated by commas: whoever runs a scheduler can run code here.
TRUSTED = "LYDITE_SCHEDULERS"


class WorkerDiedError(LyditeError, RuntimeError):
    """A worker process ended without an answer, for example for want of memory."""


class Engine(Protocol):
    """Runs independent jobs."""

    @property
    def spec(self) -> str:
        """What makes this engine: ``local``, ``dask`` or an address."""

    @property
    def width(self) -> int:
        """How many jobs run at once; with 1 on this machine, in this process."""

    @property
    def elsewhere(self) -> bool:
        """Whether jobs may run on other machines, which see other files."""

    def run(
        self,
        work: Callable[..., R],
        jobs: Iterable[J],
        *,
        data: tuple[Any, ...] = (),
        light: bool = False,
    ) -> Generator[tuple[J, R | Exception], None, None]:
        """Do the work of each job and yield the answers as they come.

        Parameters
        ----------
        work
            Called with a job, then the data. A function at the top level of a module, and jobs,
            data and answers that can be pickled, unless the work is light.
        jobs
            Taken a few at a time, so that they may be many and large.
        data
            What all jobs need; it is moved to a worker once.
        light
            So little work a job that starting a process would cost more: on this machine it is
            done in this process, in the order of the jobs.

        Yields
        ------
        The job, with its answer or the exception that it raised. A job whose process dies is tried
        once more by itself, so that one that takes all memory does not take others with it; the
        second time it is a `WorkerDiedError`. Every job is answered exactly once.
        """


_CURRENT: ContextVar[Engine | None] = ContextVar("engine", default=None)


def current_engine() -> Engine:
    """Return where jobs of this call run; by default in this process."""
    engine = _CURRENT.get()
    if engine is not None:
        return engine
    from lydite.engine.local import LocalEngine

    return LocalEngine(1)


@contextlib.contextmanager
def running_on(engine: Engine) -> Iterator[Engine]:
    """Run the jobs of everything inside on this engine, however deep."""
    token = _CURRENT.set(engine)
    try:
        yield engine
    finally:
        _CURRENT.reset(token)


@contextlib.contextmanager
def opened_engine(engine: str | Engine, *, processes: int | None = None) -> Iterator[Engine]:
    """Open an engine by its name for the time inside; one that is open already stays so.

    Parameters
    ----------
    engine
        ``local``; ``dask``, a cluster on this machine; or the address of a scheduler.
    processes
        How many processes ``local`` and ``dask`` use; by default one per core.
    """
    if not isinstance(engine, str):
        yield engine
        return
    if check_engine(engine) == "local":
        from lydite.engine.local import LocalEngine

        yield LocalEngine(processes or available_cores())
        return
    from lydite.engine.dask import DaskEngine

    address = None if engine == "dask" else engine
    with contextlib.closing(DaskEngine(address, processes=processes)) as opened:
        yield opened


def check_engine(engine: str) -> str:
    """Return the name of an engine, or say that it is none.

    >>> check_engine("tcp://10.0.0.1:8786")
    'tcp://10.0.0.1:8786'
    >>> check_engine("spark")
    Traceback (most recent call last):
        ...
    lydite.errors.InputError: expected local, dask, ... for the engine, got 'spark'
    """
    scheme, separator, place = engine.partition("://")
    host, _, port = place.rpartition(":")
    is_address = scheme in {"tcp", "tls"} and bool(separator and host) and port.isdecimal()
    if engine not in {"local", "dask"} and not is_address:
        raise InputError(f"expected {CHOICES} for the engine, got {engine!r}")
    return engine


def check_trusted(engine: str) -> str:
    """Return an engine that a suite names, or refuse a scheduler that the user has not named.

    Workers and scheduler exchange pickled objects: who answers at that address can run code here.
    """
    if "://" in engine and engine not in os.environ.get(TRUSTED, "").split(","):
        raise InputError(
            f"the suite wants to run on {engine}, whose owner could run code on this machine",
            hint=f"if it is yours, say so: --engine {engine}, or set {TRUSTED}={engine}",
        )
    return engine


def in_order(
    work: Callable[..., R],
    jobs: Iterable[J],
    *,
    data: tuple[Any, ...] = (),
    light: bool = False,
) -> Iterator[R]:
    """Yield the answers in the order of the jobs, or raise the first error.

    >>> list(in_order(pow, [1, 2, 3], data=(2,), light=True))
    [1, 4, 9]
    """
    early: dict[int, R] = {}
    due = 0
    numbered = current_engine().run(_Numbered(work), enumerate(jobs), data=data, light=light)
    with contextlib.closing(numbered) as answers:
        for (number, _), answer in answers:
            if isinstance(answer, Exception):
                raise answer
            early[number] = answer
            while due in early:
                yield early.pop(due)
                due += 1


class _Numbered:
    """The work of a job that carries its number."""

    def __init__(self, work: Callable[..., Any]) -> None:
        self._work = work

    def __call__(self, job: tuple[int, Any], *data: Any) -> Any:  # noqa: ANN401
        return self._work(job[1], *data)
