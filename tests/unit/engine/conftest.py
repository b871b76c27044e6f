"""A real Dask cluster: a scheduler and workers, each a process of its own."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

# Tests and workers share this folder of the workers' own modules.
_LIMIT = 120.0
# Without an address all would try the same port.
_NO_DASHBOARD = ("--no-dashboard", "--dashboard-address", "127.0.0.1:0")


class Cluster:
    """What a test may start, kill and start again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.scheduler: subprocess.Popen[bytes] | None = None
        self.workers: list[subprocess.Popen[bytes]] = []

    @property
    def address(self) -> str:
        return f"tcp://127.0.0.1:{self.port}"

    def start(self, *, workers: int = 2) -> None:
        self.start_scheduler()
        for _ in range(workers):
            self.start_worker()

    def start_scheduler(self) -> None:
        self.scheduler = self._started(
            "scheduler", "--host", "127.0.0.1", "--port", str(self.port), *_NO_DASHBOARD
        )
        deadline = time.monotonic() + _LIMIT
        while time.monotonic() < deadline:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port)):
                return
            time.sleep(0.05)
        raise TimeoutError("the scheduler does not start")

    def start_worker(self, *options: str) -> None:
        options = options or ("--no-nanny",)
        self.workers.append(
            self._started("worker", self.address, "--nthreads", "1", *_NO_DASHBOARD, *options)
        )

    def kill_scheduler(self) -> None:
        """Kill it without a word; its workers find out by themselves."""
        assert self.scheduler is not None
        self.scheduler.kill()
        self.scheduler.wait(_LIMIT)

    def stop(self) -> None:
        for process in (*self.workers, *([self.scheduler] if self.scheduler else [])):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait(_LIMIT)
        self.workers.clear()

    def _started(self, *arguments: str) -> subprocess.Popen[bytes]:
        environment = dict(os.environ)
        paths = [str(self.folder), environment.get("PYTHONPATH", "")]
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
        environment["DASK_LOGGING__DISTRIBUTED"] = "critical"
        # One more worker may die before a task is given up; a scheduler allows three by default.
        environment["DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES"] = "1"
        with (self.folder / "cluster.log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "dask", *arguments],
                cwd=self.folder,
                env=environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    made = Cluster(tmp_path)
    try:
        yield made
    finally:
        made.stop()
