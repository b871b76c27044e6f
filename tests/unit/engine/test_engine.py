from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lydite.engine import (
    check_engine,
    check_trusted,
    current_engine,
    in_order,
    opened_engine,
    running_on,
)
from lydite.engine.local import LocalEngine
from lydite.errors import InputError, MissingExtraError
from lydite.suite import Suite, Task, read_suite
from lydite.threads import available_cores


@pytest.mark.parametrize("name", ["local", "dask", "tcp://10.0.0.1:8786", "tls://head.lan:8786"])
def test_what_is_an_engine(name: str) -> None:
    assert check_engine(name) == name


@pytest.mark.parametrize(
    "name", ["", "spark", "tcp://", "tcp://host", "tcp://host:port", "http://host:80", "Local"]
)
def test_what_is_none(name: str) -> None:
    with pytest.raises(InputError, match="expected local, dask, or the address"):
        check_engine(name)


def test_a_scheduler_that_only_a_suite_names_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    address = "tcp://10.0.0.1:8786"
    assert check_trusted("dask") == "dask"
    with pytest.raises(InputError, match=r"whose owner could run code") as refused:
        check_trusted(address)
    assert f"--engine {address}" in str(refused.value)
    monkeypatch.setenv("LYDITE_SCHEDULERS", f"tcp://other:1,{address}")
    assert check_trusted(address) == address


def test_a_run_does_not_call_a_scheduler_that_only_its_suite_names(tmp_path: Path) -> None:
    from lydite.runner import run

    task = Task(evaluation="similarity", resources=("starter-similarity",))
    suite = Suite(name="s", models=("random(5)",), tasks=(task,), engine="tcp://127.0.0.1:1")
    with pytest.raises(InputError, match="could run code"):
        run(suite, out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_the_engine_is_a_key_of_a_suite(tmp_path: Path) -> None:
    task = Task(evaluation="similarity", resources=("starter-similarity",))
    suite = Suite(name="s", models=("random(5)",), tasks=(task,), engine="dask")
    path = tmp_path / "suite.toml"
    path.write_text(suite.to_toml())
    assert read_suite(path).engine == "dask"
    path.write_text(suite.to_toml().replace('"dask"', '"spark"'))
    with pytest.raises(InputError, match=r"suite\.toml: expected local, dask"):
        read_suite(path)


def test_work_is_done_in_this_process_unless_told() -> None:
    assert (current_engine().width, current_engine().elsewhere) == (1, False)
    with opened_engine("local") as engine, running_on(engine):
        assert current_engine() == LocalEngine(available_cores())
    with opened_engine("local", processes=3) as engine:
        assert engine.width == 3
        with opened_engine(engine) as same:
            assert same is engine


def test_answers_come_in_the_order_of_the_jobs_and_the_first_error_is_raised() -> None:
    assert list(in_order(int, ["3", "1", "2"])) == [3, 1, 2]
    with pytest.raises(ValueError, match="invalid literal"):
        list(in_order(int, ["3", "x", "y"]))


def test_jobs_of_light_work_are_taken_one_by_one() -> None:
    taken: list[int] = []

    def jobs() -> Iterator[int]:
        for job in range(1_000_000):
            taken.append(job)
            yield job

    with running_on(LocalEngine(2)):
        answers = in_order(abs, jobs(), light=True)
        assert [next(answers) for _ in range(3)] == [0, 1, 2]
    assert len(taken) <= 4


def test_without_the_extra_the_error_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(MissingExtraError, match=r"pip install 'lydite\[dask\]'"),
        opened_engine("dask"),
    ):
        pass
