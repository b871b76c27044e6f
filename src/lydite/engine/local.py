"""Run independent jobs in parallel processes on this machine."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

from lydite.errors import LyditeError
from lydite.threads import available_cores, limit_threads

J = TypeVar("J")
R = TypeVar("R")


class WorkerDiedError(LyditeError, RuntimeError):
    """A worker process ended without an answer, for example for want of memory."""


def run_jobs(
    work: Callable[[J], R], jobs: Sequence[J], *, processes: int | None = None
) -> Iterator[tuple[J, R | Exception]]:
    """Do the work of each job and yield the answers as they come.

    Parameters
    ----------
    work
        A function at the top level of a module.
    jobs
        What it is called with, each in some process; job and answer are pickled on the way.
    processes
        How many at once; by default one a core. With one, everything runs in this process. The
        cores are shared out, so that BLAS in each process uses no more than its part.

    Yields
    ------
    The job, with its answer or the exception that it raised. A job whose process dies is tried
    once more by itself, so that one that takes all memory does not take others with it.
    """
    count = min(processes or available_cores(), len(jobs))
    if count <= 1:
        for job in jobs:
            yield job, _attempt(work, job)
        return
    doubtful: list[J] = []
    for job, answer in _in_pool(work, jobs, count):
        if isinstance(answer, BrokenProcessPool):
            doubtful.append(job)
        else:
            yield job, answer
    for suspect in doubtful:
        for job, answer in _in_pool(work, [suspect], 1):
            if isinstance(answer, BrokenProcessPool):
                yield (
                    job,
                    WorkerDiedError(
                        "the process died before it had an answer",
                        hint="it may have run out of memory; try with --jobs 1",
                    ),
                )
            else:
                yield job, answer


def _attempt(work: Callable[[J], R], job: J) -> R | Exception:
    try:
        return work(job)
    except Exception as error:
        return error


def _in_pool(
    work: Callable[[J], R], jobs: Sequence[J], count: int
) -> Iterator[tuple[J, R | Exception]]:
    # A fresh interpreter, because a fork would copy the locks of BLAS threads.
    pool = ProcessPoolExecutor(
        count,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=limit_threads,
        initargs=(max(1, available_cores() // count),),
    )
    try:
        pending: dict[Future[R], J] = {}
        for job in jobs:
            try:
                pending[pool.submit(work, job)] = job
            except BrokenProcessPool as error:
                yield job, error
        while pending:
            done, _ = wait(pending, return_when=FIRST_COMPLETED)
            for future in done:
                job = pending.pop(future)
                raised = future.exception()
                if raised is None:
                    yield job, future.result()
                elif isinstance(raised, Exception):
                    yield job, raised
                else:
                    raise raised
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
