from __future__ import annotations

import contextlib
import importlib
import os
import signal
import subprocess
import sys
import threading
import uuid
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from lydite.engine import WorkerDiedError
from lydite.engine.local import LocalEngine
from lydite.errors import FormatError

# Worker processes import the function that they are to run, so it stands in a module of its own.
_JOBS = """
import os
import signal

from lydite.errors import FormatError


def square(job):
    if job == 3:
        raise FormatError("expected an even number, got 3", path="jobs.txt", line=3, hint="skip it")
    return job * job


def kill_on_two(job):
    if job == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return job


def threads_of(_):
    return os.environ["LYDITE_THREADS"]


def add(job, *data):
    return job + sum(data)


def process_of(job):
    if job == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return os.getpid()
"""


@pytest.fixture
def jobs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    # A name of its own: a pool that was closed may still look at the module of an earlier test.
    name = f"jobs_{uuid.uuid4().hex}"
    (tmp_path / f"{name}.py").write_text(_JOBS)
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    return importlib.import_module(name)


def test_every_job_is_answered_in_one_process_and_in_several(jobs: ModuleType) -> None:
    for processes in (1, 2):
        answers = dict(LocalEngine(processes).run(jobs.square, [1, 2, 4]))
        assert answers == {1: 1, 2: 4, 4: 16}


def test_an_error_comes_back_whole_from_another_process(jobs: ModuleType) -> None:
    for processes in (1, 2):
        error = dict(LocalEngine(processes).run(jobs.square, [1, 3]))[3]
        assert isinstance(error, FormatError)
        assert (error.line, error.hint) == (3, "skip it")
        assert str(error) == "jobs.txt:3: expected an even number, got 3\nhint: skip it"


def test_a_job_that_kills_its_process_does_not_take_the_others_with_it(jobs: ModuleType) -> None:
    answers = dict(LocalEngine(2).run(jobs.kill_on_two, [1, 2, 3, 4]))
    assert {job: answers[job] for job in (1, 3, 4)} == {1: 1, 3: 3, 4: 4}
    assert isinstance(answers[2], WorkerDiedError)
    assert "--jobs 1" in str(answers[2])


def test_data_are_given_to_every_job(jobs: ModuleType) -> None:
    for processes in (1, 2):
        answers = dict(LocalEngine(processes).run(jobs.add, range(6), data=(10, 100)))
        assert answers == {job: job + 110 for job in range(6)}


def test_jobs_are_taken_a_few_at_a_time(jobs: ModuleType) -> None:
    taken: list[int] = []

    def many() -> Iterator[int]:
        for job in range(1_000_000):
            taken.append(job)
            yield job

    with contextlib.closing(LocalEngine(2).run(jobs.add, many())) as answers:
        for _ in range(20):
            job, answer = next(answers)
            assert answer == job
    assert len(taken) < 40


def test_jobs_that_wait_when_a_process_dies_do_not_run_one_by_one(jobs: ModuleType) -> None:
    answers = dict(LocalEngine(2).run(jobs.process_of, range(40)))
    assert isinstance(answers.pop(2), WorkerDiedError)
    assert len(answers) == 39
    # A process each for the few that were under way; the others share those of a new pool.
    assert len(set(answers.values())) < 12


def test_processes_share_out_the_cores(jobs: ModuleType) -> None:
    answers = dict(LocalEngine(2).run(jobs.threads_of, [1, 2]))
    cores = len(os.sched_getaffinity(0))
    assert set(answers.values()) == {str(max(1, cores // 2))}


def test_a_smaller_limit_of_the_user_is_kept(
    jobs: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LYDITE_THREADS", "1")
    assert set(dict(LocalEngine(2).run(jobs.threads_of, [1, 2])).values()) == {"1"}


# The workers inherit standard output, which therefore ends when the last of them has gone.
_SLEEPERS = """
import contextlib, os, sys, time
from lydite.engine.local import LocalEngine


def sleep(job):
    if job == 0:
        return 0
    os.write(1, b"asleep\\n")
    time.sleep(3600)


if __name__ == "__main__":
    try:
        with contextlib.closing(LocalEngine(2).run(sleep, [0, 1, 2])) as answers:
            for _ in answers:
                os.write(1, b"answer\\n")
                if sys.argv[1] == "close":
                    break
    except KeyboardInterrupt:
        sys.exit(130)
"""


@contextlib.contextmanager
def _sleepers(tmp_path: Path, what: str) -> Iterator[subprocess.Popen[str]]:
    script = tmp_path / "sleepers.py"
    script.write_text(_SLEEPERS)
    with subprocess.Popen(
        [sys.executable, str(script), what],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as sleepers:

        def end() -> None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(sleepers.pid, signal.SIGKILL)

        # Whatever reads from them comes to an end.
        watchdog = threading.Timer(120, end)
        watchdog.daemon = True
        watchdog.start()
        try:
            yield sleepers
        finally:
            watchdog.cancel()
            end()


def _wait_until_asleep(sleepers: subprocess.Popen[str]) -> None:
    assert sleepers.stdout is not None
    lines = [sleepers.stdout.readline() for _ in range(3)]
    assert sorted(lines) == ["answer\n", "asleep\n", "asleep\n"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
@pytest.mark.parametrize("whole_group", [False, True])
def test_an_interrupt_ends_the_workers_at_once_and_quietly(
    whole_group: bool, tmp_path: Path
) -> None:
    with _sleepers(tmp_path, "interrupt") as sleepers:
        _wait_until_asleep(sleepers)
        # A terminal sends Ctrl-C to all processes.
        (os.killpg if whole_group else os.kill)(sleepers.pid, signal.SIGINT)
        assert sleepers.communicate(timeout=60)[1] == ""
        assert sleepers.returncode == 130


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
def test_the_workers_of_a_killed_process_end_too(tmp_path: Path) -> None:
    with _sleepers(tmp_path, "kill") as sleepers:
        _wait_until_asleep(sleepers)
        sleepers.kill()
        sleepers.communicate(timeout=60)
        assert sleepers.returncode == -signal.SIGKILL


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
def test_closing_the_answers_ends_the_workers(tmp_path: Path) -> None:
    with _sleepers(tmp_path, "close") as sleepers:
        assert sleepers.communicate(timeout=60)[1] == ""
        assert sleepers.returncode == 0
