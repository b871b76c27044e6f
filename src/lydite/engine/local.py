"""Run independent jobs in parallel processes on this machine."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import chain, islice
from multiprocessing.connection import wait as wait_for_sentinel
from typing import Any, TypeVar

from lydite.engine import WorkerDiedError
from lydite.threads import available_cores, children_limited, limit_threads, thread_count

J = TypeVar("J")
R = TypeVar("R")

#: Seconds after which a wait is looked up from. Polars has the system go on with a wait when
#: Ctrl-C comes, and Windows does so anyway; Python would learn of it with the next answer only.
_HEARTBEAT = 0.2
#: Jobs per process that are handed over ahead of time, so that none waits for its next one.
_AHEAD = 2


@dataclass(frozen=True)
class LocalEngine:
    """Processes on this machine.

    With one process, and for a single job, everything is done in this one. The cores are shared
    out, so that BLAS in each process uses no more than its part. The processes end at once when
    the answers are closed, when an exception such as ``KeyboardInterrupt`` passes through them,
    and when this process dies.
    """

    width: int

    @property
    def spec(self) -> str:
        """What makes this engine."""
        return "local"

    @property
    def elsewhere(self) -> bool:
        """Whether jobs run on other machines."""
        return False

    def run(
        self,
        work: Callable[..., R],
        jobs: Iterable[J],
        *,
        data: tuple[Any, ...] = (),
        light: bool = False,
    ) -> Generator[tuple[J, R | Exception], None, None]:
        """Do the work of each job and yield the answers as they come."""
        waiting = iter(jobs)
        first = list(islice(waiting, 1 if light else self.width))
        waiting = chain(first, waiting)
        if len(first) <= 1:
            for job in waiting:
                yield job, attempt(work, job, data)
            return
        doubtful: list[J] = []
        while (job := next(waiting, _NONE)) is not _NONE:
            # One that was broken is replaced: what it had not begun does not depend on it.
            rest = chain([job], waiting)
            with contextlib.closing(_in_pool(work, rest, len(first), data)) as answers:
                for job, answer in answers:
                    if isinstance(answer, BrokenProcessPool):
                        doubtful.append(job)
                    else:
                        yield job, answer
        for suspect in doubtful:
            with contextlib.closing(_in_pool(work, iter([suspect]), 1, data)) as answers:
                for job, answer in answers:
                    yield job, _died() if isinstance(answer, BrokenProcessPool) else answer


_NONE: Any = object()


def attempt(work: Callable[..., R], job: J, data: tuple[Any, ...]) -> R | Exception:
    """Return the answer to a job, or the exception that it raised."""
    try:
        return work(job, *data)
    except Exception as error:
        return error


def _died() -> WorkerDiedError:
    return WorkerDiedError(
        "the process ended before it returned a result",
        hint="it may have run out of memory; try with --jobs 1",
    )


def _in_pool(
    work: Callable[..., R], jobs: Iterator[J], count: int, data: tuple[Any, ...]
) -> Generator[tuple[J, R | Exception], None, None]:
    """Yield answers until there are no more jobs, or the pool is broken and has said of which."""
    share = max(1, min(thread_count(), available_cores() // count))
    # A fresh interpreter, because a fork would copy the locks of BLAS threads.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(count, context, initializer=_begin, initargs=(share, data))
    others = set(multiprocessing.active_children())
    pending: dict[Future[R], J] = {}
    broken = False
    try:
        while True:
            for job in islice(jobs, 0 if broken else _AHEAD * count - len(pending)):
                try:
                    # The pool starts its processes while it is given jobs.
                    with children_limited(share), _interrupts_held_back():
                        pending[pool.submit(_work_with_data, work, job)] = job
                except BrokenProcessPool as error:
                    broken = True
                    yield job, error
                    break
            if not pending:
                return
            done, _ = wait(pending, timeout=_HEARTBEAT, return_when=FIRST_COMPLETED)
            for future in done:
                answer = _answer(future)
                broken = broken or isinstance(answer, BrokenProcessPool)
                yield pending.pop(future), answer
    except BaseException:
        for child in set(multiprocessing.active_children()) - others:
            child.terminate()
        raise
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


#: What all jobs of the pool that this process belongs to need.
_data: tuple[Any, ...] = ()


def _work_with_data(work: Callable[..., R], job: J) -> R:
    return work(job, *_data)


def _answer(future: Future[R]) -> R | Exception:
    raised = future.exception()
    if raised is None:
        return future.result()
    if isinstance(raised, Exception):
        return raised
    raise raised


@contextlib.contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Let Ctrl-C wait, and have processes that are started meanwhile never see it.

    One that has yet to import this module could not ignore it otherwise.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    # Its first start lets signals through again.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(threads: int, data: tuple[Any, ...]) -> None:
    """Prepare a worker: it leaves Ctrl-C to its parent, and ends when that ends."""
    global _data  # noqa: PLW0603 - the one place where a process keeps what it was started with
    _data = data
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    limit_threads(threads)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait_for_sentinel([parent.sentinel])
        os._exit(1)
