"""Run independent jobs in parallel processes on this machine."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait as wait_for_sentinel
from typing import TypeVar

from lydite.errors import LyditeError
from lydite.threads import available_cores, children_limited, limit_threads, thread_count

J = TypeVar("J")
R = TypeVar("R")

#: Seconds after which a wait is looked up from. Polars has the system go on with a wait when
#: Ctrl-C comes, and Windows does so anyway; Python would learn of it with the next answer only.
_HEARTBEAT = 0.2


class WorkerDiedError(LyditeError, RuntimeError):
    """A worker process ended without an answer, for example for want of memory."""


def run_jobs(
    work: Callable[[J], R], jobs: Sequence[J], *, processes: int | None = None
) -> Generator[tuple[J, R | Exception], None, None]:
    """Do the work of each job and yield the answers as they come.

    Parameters
    ----------
    work
        A function at the top level of a module; jobs and answers are pickled on the way.
    processes
        How many at once; by default one per core. With one, everything runs in this process. The
        cores are shared out, so that BLAS in each process uses no more than its part.

    Yields
    ------
    The job, with its answer or the exception that it raised. A job whose process dies is tried
    once more by itself, so that one that takes all memory does not take others with it.

    Notes
    -----
    The processes end at once when the generator is closed, when an exception such as
    ``KeyboardInterrupt`` passes through it, and when this process dies.
    """
    count = min(processes or available_cores(), len(jobs))
    if count <= 1:
        for job in jobs:
            yield job, _attempt(work, job)
        return
    doubtful: list[J] = []
    with contextlib.closing(_in_pool(work, jobs, count)) as answers:
        for job, answer in answers:
            if isinstance(answer, BrokenProcessPool):
                doubtful.append(job)
            else:
                yield job, answer
    for suspect in doubtful:
        with contextlib.closing(_in_pool(work, [suspect], 1)) as answers:
            for job, answer in answers:
                yield job, _died() if isinstance(answer, BrokenProcessPool) else answer


def _attempt(work: Callable[[J], R], job: J) -> R | Exception:
    try:
        return work(job)
    except Exception as error:
        return error


def _died() -> WorkerDiedError:
    return WorkerDiedError(
        "the process ended before it returned a result",
        hint="it may have run out of memory; try with --jobs 1",
    )


def _in_pool(
    work: Callable[[J], R], jobs: Sequence[J], count: int
) -> Generator[tuple[J, R | Exception], None, None]:
    share = max(1, min(thread_count(), available_cores() // count))
    # A fresh interpreter, because a fork would copy the locks of BLAS threads.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(count, context, initializer=_begin, initargs=(share,))
    others = set(multiprocessing.active_children())
    try:
        # The pool starts its processes while it is given jobs, and none later.
        with children_limited(share), _interrupts_held_back():
            pending, refused = _submit(pool, work, jobs)
        yield from refused
        while pending:
            done, _ = wait(pending, timeout=_HEARTBEAT, return_when=FIRST_COMPLETED)
            for future in done:
                answer = _answer(future)
                yield pending.pop(future), answer
    except BaseException:
        for child in set(multiprocessing.active_children()) - others:
            child.terminate()
        raise
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _submit(
    pool: ProcessPoolExecutor, work: Callable[[J], R], jobs: Sequence[J]
) -> tuple[dict[Future[R], J], list[tuple[J, BrokenProcessPool]]]:
    pending: dict[Future[R], J] = {}
    refused: list[tuple[J, BrokenProcessPool]] = []
    for job in jobs:
        try:
            pending[pool.submit(work, job)] = job
        except BrokenProcessPool as error:
            refused.append((job, error))
    return pending, refused


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


def _begin(threads: int) -> None:
    """Prepare a worker: it leaves Ctrl-C to its parent, and ends when that ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    limit_threads(threads)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait_for_sentinel([parent.sentinel])
        os._exit(1)
