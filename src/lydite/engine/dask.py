"""Run independent jobs on a Dask cluster: one on this machine, or that of a scheduler.

Jobs, data and answers are pickled between this process, the scheduler and the workers, all of
which have to be trusted. A worker does one job at a time, whatever its number of threads.
"""

from __future__ import annotations

import contextlib
import logging
import os
import queue
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeAlias, TypeVar

from lydite.engine import WorkerDiedError
from lydite.engine.local import attempt
from lydite.errors import InputError, LyditeError, MissingExtraError
from lydite.threads import available_cores, limit_threads, thread_variables

#: distributed says of few of its methods what they take and return.
Client: TypeAlias = Any
Future: TypeAlias = Any
LocalCluster: TypeAlias = Any

J = TypeVar("J")
R = TypeVar("R")

logger = logging.getLogger(__name__)

#: Seconds after which a wait is looked up from, so that Ctrl-C and a lost scheduler are noticed.
_HEARTBEAT = 0.2
#: Jobs per worker that are handed over ahead of time.
_AHEAD = 3
#: Seconds to connect to a scheduler.
CONNECT = 10.0
#: Seconds to wait for a scheduler that is lost, or for a worker where there is none; a queue of
#: jobs may need more.
PATIENCE = "LYDITE_PATIENCE"
_PATIENCE = 300.0
#: Seconds for a cluster on this machine to start, and to end.
_START, _END = 120.0, 30.0
#: How often the answer to one job may be lost on its way before that is its answer.
_TIMES_LOST = 5
#: Seconds for which a count of the workers holds.
_COUNTED = 2.0
#: Seconds without any worker after which the user is told.
_LONELY = 15.0


class ClusterError(LyditeError, ConnectionError):
    """A Dask cluster cannot be reached, or was lost for good."""


@dataclass(frozen=True, kw_only=True)
class _Place:
    """Where this process stands: a worker takes it over as far as it has the same folders."""

    folder: str
    variables: tuple[tuple[str, str], ...]

    @classmethod
    def of_this_process(cls) -> _Place:
        names = ("LYDITE_DATA", "LYDITE_CACHE")
        given = ((name, os.environ.get(name, "")) for name in names)
        variables = tuple((name, str(Path(path).absolute())) for name, path in given if path)
        return cls(folder=str(Path.cwd()), variables=variables)

    def take(self) -> None:
        """Stand there; what the worker's own environment says is left as it is."""
        with contextlib.suppress(OSError):
            os.chdir(self.folder)
        for name, path in self.variables:
            if name not in _OWN and Path(path).is_dir():
                os.environ[name] = path


#: What the environment of this process said before any job came.
_OWN = frozenset(name for name in ("LYDITE_DATA", "LYDITE_CACHE") if name in os.environ)
#: A job changes the folder of its process, measures its memory and uses all its threads.
_one_at_a_time = threading.Lock()


def _attempt_there(
    work: Callable[..., R], job: J, data: tuple[Any, ...], place: _Place
) -> R | Exception:
    """Do a job in a worker; an exception comes back as a value, not as a failed task."""
    from distributed import get_worker

    with _one_at_a_time:
        place.take()
        if "LYDITE_THREADS" not in os.environ:
            limit_threads(max(1, get_worker().state.nthreads))
        return attempt(work, job, data)


class DaskEngine:
    """A Dask cluster.

    Parameters
    ----------
    address
        Of the scheduler; None starts a cluster on this machine, which ends with the engine.
    processes
        How many workers such a cluster has; by default one per core.
    """

    def __init__(self, address: str | None = None, *, processes: int | None = None) -> None:
        _import_distributed()
        self._address = address
        self._cluster: LocalCluster | None = None
        self._workers, self._counted = 0, -_COUNTED - 1
        self._patience = _read_patience()
        if address is None:
            self._cluster = _local_cluster(processes or available_cores())
        self._client: Client | None = None
        try:
            self._client = self._connected(CONNECT)
        except BaseException:
            self.close()
            raise

    @property
    def spec(self) -> str:
        """What makes this engine."""
        return self._address or "dask"

    @property
    def width(self) -> int:
        """How many workers there are now, at least one: more may come."""
        return max(1, self._count_workers())

    @property
    def elsewhere(self) -> bool:
        """Whether jobs run on other machines."""
        return True

    def close(self) -> None:
        """Leave the cluster, and end it if it was started here."""
        for each in (self._client, self._cluster):
            if each is not None:
                with contextlib.suppress(Exception):
                    each.close(timeout=_END)
        self._client = self._cluster = None

    def run(
        self,
        work: Callable[..., R],
        jobs: Iterable[J],
        *,
        data: tuple[Any, ...] = (),
        light: bool = False,
    ) -> Generator[tuple[J, R | Exception], None, None]:
        """Do the work of each job and yield the answers as they come.

        Jobs whose scheduler is lost are handed over again once there is one; an answer that was
        yielded is never asked for again.
        """
        tasks = _Tasks(work=work, data=data, waiting=iter(jobs))
        try:
            while True:
                self._hand_over(tasks)
                if not tasks.under_way:
                    if tasks.doubtful:
                        tasks.begin_alone()
                        continue
                    return
                try:
                    number, future = tasks.finished.get(timeout=_HEARTBEAT)
                except queue.Empty:
                    self._look_after(tasks)
                    continue
                if number not in tasks.under_way or tasks.under_way[number].future is not future:
                    continue  # of a scheduler that is lost
                answered, answer = self._answer(tasks, number)
                if answered:
                    yield tasks.under_way.pop(number).job, answer
        finally:
            tasks.forget()

    def _hand_over(self, tasks: _Tasks[J, R]) -> None:
        """Keep every worker busy, and no more in flight than that needs."""
        most = 1 if tasks.alone else _AHEAD * self.width + 1
        while len(tasks.under_way) < most and (task := tasks.next()) is not None:
            try:
                self._submit(tasks, task)
            except Exception as error:
                # The connection was lost in the middle of it; any other error would come again.
                tasks.put_back(task)
                if self._is_connected():
                    raise
                self._reconnect(tasks, error)

    def _submit(self, tasks: _Tasks[J, R], task: _Task[J]) -> None:
        client = self._open_client()
        if tasks.data and tasks.moved is None:
            self._wait_for_workers()
            tasks.moved = client.scatter(
                tasks.data, broadcast=True, hash=False, timeout=self._patience
            )
        task.future = client.submit(
            _attempt_there,
            tasks.work,
            task.job,
            tasks.moved if tasks.data else (),
            tasks.place,
            # A key of its own: equal jobs are not one job, and a run knows nothing of another.
            key=f"lydite-{tasks.name}-{task.number}-{uuid.uuid4().hex[:8]}",
            pure=False,
        )
        tasks.under_way[task.number] = task
        number = task.number
        task.future.add_done_callback(lambda future: tasks.finished.put((number, future)))

    def _answer(self, tasks: _Tasks[J, R], number: int) -> tuple[bool, Any]:
        """Return whether there is an answer to a job by now, and which."""
        from distributed import KilledWorker

        task = tasks.under_way[number]
        assert task.future is not None
        try:
            return True, task.future.result(timeout=self._patience)
        except KilledWorker:
            if tasks.alone:
                return True, _died()
            tasks.set_aside(number)
            return False, None
        except (CancelledError, OSError, TimeoutError) as error:
            # An error of the job itself comes back as a value: this one is of the connection,
            # which may break before the client knows of it.
            task.lost += 1
            if task.lost > _TIMES_LOST:
                return True, error
            if self._is_connected() and not task.future.cancelled():
                tasks.put_back(task)
            else:
                self._reconnect(tasks, error)
            return False, None
        except Exception as error:
            # The answer could not be sent, or the job could not be read.
            return True, error

    def _look_after(self, tasks: _Tasks[J, R]) -> None:
        """See while nothing comes whether the scheduler and any worker are still there."""
        if not self._is_connected():
            self._reconnect(tasks, None)
        now = time.monotonic()
        if self._count_workers():
            tasks.seen = now
        elif now - tasks.seen > self._patience:
            raise self._no_workers()
        elif now - tasks.seen > _LONELY and not tasks.told:
            tasks.told = True
            logger.warning("%s has no workers; waiting for one", self.spec)

    def _wait_for_workers(self) -> None:
        if not self._count_workers():
            try:
                self._open_client().wait_for_workers(1, timeout=self._patience)
            except TimeoutError as error:
                raise self._no_workers() from error

    def _no_workers(self) -> ClusterError:
        return ClusterError(
            f"{self.spec} has had no worker for {self._patience:g} seconds",
            hint="start workers (dask worker ADDRESS); where they wait in a queue, let this wait "
            f"longer with {PATIENCE}=SECONDS; finished results are kept",
        )

    def _reconnect(self, tasks: _Tasks[J, R], error: Exception | None) -> None:
        """Wait for a scheduler, and have everything that is not answered handed over again."""
        logger.warning(
            "the scheduler of %s is lost; waiting up to %.0f s for it to come back",
            self.spec,
            self._patience,
        )
        if self._client is not None:
            with contextlib.suppress(Exception):
                self._client.close(timeout=1)
            self._client = None
        tasks.begin_again()
        if self._cluster is not None:
            raise ClusterError("the Dask cluster on this machine has ended") from error
        self._client = self._connected(self._patience)
        logger.warning("%s is back; what was not finished is run again", self.spec)

    def _connected(self, patience: float) -> Client:
        import distributed

        client: Any = distributed.Client
        deadline = time.monotonic() + patience
        while True:
            try:
                return client(
                    self._cluster if self._cluster is not None else self._address,
                    timeout=CONNECT,
                    set_as_default=False,
                    name="lydite",
                )
            except (OSError, ValueError, TimeoutError) as error:
                if time.monotonic() + 1 > deadline or patience <= CONNECT:
                    raise ClusterError(
                        f"no Dask scheduler answers at {self.spec}: {error}",
                        hint="is it running (dask scheduler), and reachable from here? finished "
                        "results are kept; the same command continues",
                    ) from error
            time.sleep(0.5)

    def _open_client(self) -> Client:
        if self._client is None:
            raise ClusterError("the engine is closed")
        return self._client

    def _is_connected(self) -> bool:
        return self._client is not None and self._client.status == "running"

    def _count_workers(self) -> int:
        """Return how many workers there are, asked for every other second at most."""
        now = time.monotonic()
        if now - self._counted > _COUNTED:
            self._counted, self._workers = now, 0
            if self._client is not None and self._is_connected():
                with contextlib.suppress(OSError, TimeoutError, CancelledError):
                    self._workers = len(self._client.nthreads())
        return self._workers


@dataclass(eq=False)
class _Task(Generic[J]):
    number: int
    job: J
    future: Future | None = None
    lost: int = 0


@dataclass(kw_only=True)
class _Tasks(Generic[J, R]):
    """What became of the jobs of one call."""

    work: Callable[..., R]
    data: tuple[Any, ...]
    waiting: Iterator[J]
    name: str = field(default_factory=lambda: uuid.uuid4().hex[:12])
    place: _Place = field(default_factory=_Place.of_this_process)
    #: The data where the workers can have them.
    moved: Future | None = None
    under_way: dict[int, _Task[J]] = field(default_factory=dict)
    finished: queue.Queue[tuple[int, Future]] = field(default_factory=queue.Queue)
    #: To be handed over again before any other.
    again: deque[_Task[J]] = field(default_factory=deque)
    #: Whose worker died, maybe through no fault of theirs; each is tried once more, by itself.
    doubtful: deque[_Task[J]] = field(default_factory=deque)
    alone: bool = False
    number: int = 0
    seen: float = field(default_factory=time.monotonic)
    told: bool = False

    def next(self) -> _Task[J] | None:
        """Return what is to be handed over next."""
        if self.again:
            return self.again.popleft()
        if self.alone:
            return self.doubtful.popleft() if self.doubtful else None
        for job in self.waiting:
            self.number += 1
            return _Task(self.number, job)
        return None

    def put_back(self, task: _Task[J]) -> None:
        """Have a task handed over again that was not taken."""
        self.under_way.pop(task.number, None)
        if task not in self.again:
            self.again.appendleft(task)

    def set_aside(self, number: int) -> None:
        """Try a task again when the others are done."""
        self.doubtful.append(self.under_way.pop(number))

    def begin_alone(self) -> None:
        """Go on with those that were set aside, one at a time."""
        self.alone = True

    def begin_again(self) -> None:
        """Have everything handed over again that is not answered."""
        self.again.extend(self.under_way.values())
        self.under_way.clear()
        self.moved = None

    def forget(self) -> None:
        """Give up what is under way."""
        for task in self.under_way.values():
            if task.future is not None:
                with contextlib.suppress(Exception):
                    task.future.cancel()


def _died() -> WorkerDiedError:
    return WorkerDiedError(
        "the worker ended before it returned a result, twice",
        hint="it may have run out of memory; give workers more, or start fewer on a machine",
    )


def _import_distributed() -> None:
    try:
        import distributed  # noqa: F401
    except ImportError as error:
        raise MissingExtraError("--engine dask", extra="dask") from error
    # What it has to say is said by this engine, in its own words.
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] in {"distributed", "tornado"}:
            logging.getLogger(name).setLevel(logging.CRITICAL)


def _local_cluster(processes: int) -> LocalCluster:
    import dask
    import distributed

    cluster: Any = distributed.LocalCluster
    made: queue.Queue[LocalCluster | Exception] = queue.Queue()
    share = max(1, available_cores() // processes)
    settings = {
        # As on the local engine: a job whose process dies is tried once more, by itself.
        "distributed.scheduler.allowed-failures": 0,
        # Nobody is to look in from outside.
        "distributed.scheduler.http.routes": [],
        "distributed.worker.http.routes": [],
    }

    def start() -> None:
        try:
            made.put(
                cluster(
                    n_workers=processes,
                    threads_per_worker=1,
                    processes=True,
                    # Any free port: with none given, all would have the same one, on every network.
                    dashboard_address="127.0.0.1:0",
                    scheduler_kwargs={"dashboard": False},
                    env=thread_variables(share),
                    silence_logs=logging.CRITICAL,
                )
            )
        except Exception as error:
            made.put(error)

    with dask.config.set(settings):
        # It waits for its processes without end, so it is waited for in turn.
        threading.Thread(target=start, daemon=True).start()
        try:
            answer = made.get(timeout=_START)
        except queue.Empty:
            answer = TimeoutError(f"its processes did not start within {_START:.0f} s")
    if isinstance(answer, Exception):
        raise ClusterError(
            f"a Dask cluster cannot be started on this machine: {answer}",
            hint="the local engine needs none: --engine local",
        ) from answer
    return answer


def _read_patience() -> float:
    given = os.environ.get(PATIENCE, "")
    if not given:
        return _PATIENCE
    if not given.isdecimal() or not int(given):
        raise InputError(f"expected a number of seconds in {PATIENCE}, got {given!r}")
    return float(given)
