from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from types import ModuleType

import pytest

from lydite.engine.local import WorkerDiedError, run_jobs
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
"""


@pytest.fixture
def jobs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    (tmp_path / "jobs_of_test.py").write_text(_JOBS)
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    monkeypatch.delitem(sys.modules, "jobs_of_test", raising=False)
    return importlib.import_module("jobs_of_test")


def test_every_job_is_answered_in_one_process_and_in_several(jobs: ModuleType) -> None:
    for processes in (1, 2):
        answers = dict(run_jobs(jobs.square, [1, 2, 4], processes=processes))
        assert answers == {1: 1, 2: 4, 4: 16}


def test_an_error_comes_back_whole_from_another_process(jobs: ModuleType) -> None:
    for processes in (1, 2):
        error = dict(run_jobs(jobs.square, [1, 3], processes=processes))[3]
        assert isinstance(error, FormatError)
        assert (error.line, error.hint) == (3, "skip it")
        assert str(error) == "jobs.txt:3: expected an even number, got 3\nhint: skip it"


def test_a_job_that_kills_its_process_does_not_take_the_others_with_it(jobs: ModuleType) -> None:
    answers = dict(run_jobs(jobs.kill_on_two, [1, 2, 3, 4], processes=2))
    assert {job: answers[job] for job in (1, 3, 4)} == {1: 1, 3: 3, 4: 4}
    assert isinstance(answers[2], WorkerDiedError)
    assert "--jobs 1" in str(answers[2])


def test_processes_share_out_the_cores(jobs: ModuleType) -> None:
    answers = dict(run_jobs(jobs.threads_of, [1, 2], processes=2))
    cores = len(os.sched_getaffinity(0))
    assert set(answers.values()) == {str(max(1, cores // 2))}
