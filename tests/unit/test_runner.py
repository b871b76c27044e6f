from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
import weakref
from pathlib import Path
from typing import Any

import pytest

import lydite
from lydite.errors import InputError, UnknownNameError
from lydite.results.store import RunStore
from lydite.runner import _Inputs, _kept_open, _work, open_run, run
from lydite.suite import Suite, Task


def small_suite(*models: str, seeds: tuple[int, ...] = (0,)) -> Suite:
    return Suite(
        name="small",
        models=models,
        tasks=(
            Task(evaluation="similarity", resources=("starter-similarity",)),
            Task(evaluation="qvec(method=qvec)", resources=("starter-supersenses",)),
        ),
        seeds=seeds,
    )


def test_results_do_not_depend_on_the_number_of_processes(tmp_path: Path) -> None:
    suite = small_suite("random(10)", "random(20)")
    alone = run(suite, processes=1)
    together = run(suite, out=tmp_path, processes=2)
    assert [(r.key, r.score, r.interval, r.baseline) for r in alone.results] == [
        (r.key, r.score, r.interval, r.baseline) for r in together.results
    ]


def test_a_second_run_computes_nothing_again(tmp_path: Path) -> None:
    suite = small_suite("random(10)")
    first = run(suite, out=tmp_path, processes=1)
    lines = (tmp_path / "results.jsonl").read_text()
    second = run(suite, out=tmp_path, processes=1)
    assert (first.resumed, second.resumed) == (0, 2)
    assert second.results == first.results
    assert (tmp_path / "results.jsonl").read_text() == lines


def test_the_spaces_of_a_zoo_are_trained_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("book.txt").write_text("The cat sees the dog.\nA car sees the cat.\n" * 20)
    Path("pairs.tsv").write_text("cat\tdog\t3\ncat\tcar\t1\ndog\tcar\t2\nsees\tcat\t0\n")
    Path("suite.toml").write_text(
        '[zoo]\nfolder = "zoo"\ncorpus = ["book.txt"]\nfamilies = ["cbow"]\ndims = [2]\n'
        '[[evaluations]]\nevaluation = "similarity"\nresources = ["pairs.tsv"]\n'
        '[[evaluations]]\nevaluation = "localization"\nresources = ["starter-groups"]\n'
        'wrap = "mean({})"\n'
    )
    first = run("suite.toml", out="run", processes=1)
    space = "zoo/cbow-2d-w5.safetensors"
    assert first.failures == ()
    assert [result.model for result in first.results] == [space, f"mean({space})"]
    # What is written beside the results asks the same again, of the same spaces.
    Path(space).touch()
    again = run("run/suite.toml", out="run", processes=1)
    assert (again.resumed, again.results) == (2, first.results)
    Path(space).unlink()
    assert run("suite.toml", out="run", processes=1).resumed == 2


def test_a_worker_keeps_the_model_that_it_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []

    def counted(model: str) -> object:
        opened.append(model)
        return lydite.load(model)

    monkeypatch.setattr("lydite.runner.load", counted)
    inputs = _Inputs()
    suite = small_suite("random(10)", "random(20)")
    jobs = [inputs.job(cell) for cell in inputs.cells(suite)]
    opened.clear()
    _kept_open.cache_clear()
    assert [_work(job).result.model for job in jobs] == [
        "random(10)",
        "random(10)",
        "random(20)",
        "random(20)",
    ]
    assert opened == ["random(10)", "random(20)"]
    _kept_open.cache_clear()


def test_a_model_is_closed_after_its_last_question(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: dict[str, weakref.ref[Any]] = {}
    alive: list[list[str]] = []

    def watched(model: str) -> object:
        found = lydite.load(model)
        opened[model] = weakref.ref(found)
        return found

    def told(what: str, done: int, total: int | None) -> None:
        alive.append([model for model, found in opened.items() if found() is not None])

    monkeypatch.setattr("lydite.runner.load", watched)
    run(small_suite("random(10)", "random(20)"), processes=1, progress=told)
    both = ["random(10)", "random(20)"]
    assert alive == [both, both, ["random(20)"], ["random(20)"], []]


def test_another_seed_or_parameter_is_another_question(tmp_path: Path) -> None:
    run(small_suite("random(10)"), out=tmp_path, processes=1)
    assert run(small_suite("random(10)", seeds=(0, 1)), out=tmp_path, processes=1).resumed == 2


def test_a_changed_vector_file_is_evaluated_again(tmp_path: Path) -> None:
    vectors = tmp_path / "vectors.txt"
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("cat\tdog\t3\ncat\tcar\t1\ndog\tcar\t2\n")
    vectors.write_text("cat 1 0\ndog 1 1\ncar 0 1\n")
    task = Task(evaluation="similarity", resources=(str(pairs),))
    suite = Suite(name="t", models=(str(vectors),), tasks=(task,))
    first = run(suite, out=tmp_path / "run", processes=1)
    vectors.write_text("cat 1 0\ndog 0 1\ncar 1 1\n")
    second = run(suite, out=tmp_path / "run", processes=1)
    assert second.resumed == 0
    assert second.results[0].score != first.results[0].score


def test_what_cannot_be_opened_is_a_recorded_failure_and_the_rest_runs(tmp_path: Path) -> None:
    suite = small_suite("random(10)", "no-such-model", "random(0)")
    finished = run(suite, out=tmp_path, processes=1)
    assert len(finished.results) == 2
    assert [failure.error for failure in finished.failures] == [
        "UnknownNameError",
        "UnknownNameError",
        "InputError",
        "InputError",
    ]
    assert "lydite models ls" in finished.failures[0].message
    assert open_run(tmp_path).failures == finished.failures


def test_a_failure_says_whether_the_input_was_wrong(tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("cat\tdog\t3\ncat\tcar\t1\n")
    tasks = tuple(
        Task(evaluation=evaluation, resources=(resource,))
        for evaluation, resource in (
            ("similarity", str(pairs)),
            ("similarity", str(tmp_path / "none.tsv")),
            ("similarity(metric=kendall)", str(pairs)),
            ("not-installed(depth=2)", str(pairs)),
        )
    )
    finished = run(Suite(name="t", models=("random(5)",), tasks=tasks), processes=1)
    assert [(each.evaluation, each.error, each.wrong_input) for each in finished.failures] == [
        ("similarity", "UndefinedScoreError", False),
        ("similarity", "ResourceError", True),
        ("similarity(metric=kendall)", "InputError", True),
        ("not-installed(depth=2)", "UnknownNameError", True),
    ]


@pytest.mark.parametrize(
    ("model", "evaluation", "resource", "error"),
    [
        ("no-such-model", "similarity", "starter-similarity", UnknownNameError),
        ("random(5)", "similarity", "no-such-pairs", UnknownNameError),
        ("random(5)", "similarity(oov=no)", "starter-similarity", InputError),
    ],
)
def test_a_strict_run_raises_before_anything_is_written(
    model: str, evaluation: str, resource: str, error: type[Exception], tmp_path: Path
) -> None:
    task = Task(evaluation=evaluation, resources=("starter-similarity", resource))
    suite = Suite(name="t", models=("random(5)", model), tasks=(task,))
    with pytest.raises(error):
        run(suite, out=tmp_path / "run", processes=1, strict=True)
    assert not (tmp_path / "run").exists()
    assert run(suite, out=tmp_path / "run", processes=1).failures


def test_failures_are_tried_again(tmp_path: Path) -> None:
    missing = tmp_path / "vectors.txt"
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("cat\tdog\t3\ncat\tcar\t1\ndog\tcar\t2\n")
    task = Task(evaluation="similarity", resources=(str(pairs),))
    suite = Suite(name="t", models=(str(missing),), tasks=(task,))
    assert len(run(suite, out=tmp_path / "run", processes=1).failures) == 1
    missing.write_text("cat 1 0\ndog 1 1\ncar 0 1\n")
    finished = run(suite, out=tmp_path / "run", processes=1)
    assert (len(finished.results), finished.failures) == (1, ())
    assert open_run(tmp_path / "run").failures == ()


def test_an_undefined_score_is_a_failure_with_its_reason(tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("cat\tdog\t3\ncat\tcar\t1\n")
    task = Task(evaluation="similarity", resources=(str(pairs),))
    suite = Suite(name="t", models=("random(5)",), tasks=(task,))
    (failure,) = run(suite, processes=1).failures
    assert failure.error == "UndefinedScoreError"
    assert "at least 3 pairs" in failure.message


# With a second argument, jobs from the sixth seed on never end: there is always something left.
_KILLED = """
import sys, time
from pathlib import Path
from typing import Any
import lydite.runner
from lydite.runner import run
from lydite.suite import Suite, Task

work = lydite.runner._work


def first_seeds_only(job):
    if job.cell.seed >= 6:
        time.sleep(3600)
    return work(job)


if len(sys.argv) > 2:
    lydite.runner._work = first_seeds_only
if __name__ == "__main__":
    tasks = (Task(evaluation="qvec(method=cca)", resources=("starter-supersenses",)),)
    suite = Suite(name="k", models=("random(20)",), tasks=tasks, seeds=tuple(range(12)))
    run(suite, out=Path(sys.argv[1]), processes=2)
"""


def _wait_for_a_result(victim: subprocess.Popen[Any], folder: Path) -> None:
    """Wait for a whole line: the file is there before anything is in it."""
    results = folder / "results.jsonl"
    while victim.poll() is None and not (results.exists() and b"\n" in results.read_bytes()):
        time.sleep(0.01)


def test_a_killed_run_resumes_without_losing_or_repeating_a_result(tmp_path: Path) -> None:
    script = tmp_path / "suite_run.py"
    script.write_text(_KILLED)
    folder = tmp_path / "run"
    command = [sys.executable, str(script), str(folder)]
    victim = subprocess.Popen([*command, "stuck"], start_new_session=True)
    try:
        _wait_for_a_result(victim, folder)
    finally:
        os.killpg(victim.pid, signal.SIGKILL)
        victim.wait()
    # As if the kill had come in the middle of a line.
    with (folder / "results.jsonl").open("ab") as file:
        file.write(b'{"key": "half a li')
    before = {result.key for result in RunStore(folder).results()}
    assert 0 < len(before) < 12
    subprocess.run(command, check=True)
    results = RunStore(folder).results()
    lines = (folder / "results.jsonl").read_text().splitlines()
    assert len(lines) == len(results) == 12
    assert before < {result.key for result in results}
    assert all((folder / str(result.items)).is_file() for result in results)


# The command line itself, with jobs that never end but for those of the first seed.
_INTERRUPTED = """
import os, sys, time
import lydite.runner
from lydite.cli.app import run_app

work = lydite.runner._work


def first_seed_only(job):
    if job.cell.seed:
        os.write(1, b"busy\\n")
        time.sleep(3600)
    return work(job)


lydite.runner._work = first_seed_only
if __name__ == "__main__":
    sys.exit(run_app(["run", *sys.argv[1:]]))
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signal")
def test_an_interrupt_ends_the_command_at_once_and_keeps_results(tmp_path: Path) -> None:
    script = tmp_path / "interrupted.py"
    script.write_text(_INTERRUPTED)
    folder = tmp_path / "run"
    task = Task(evaluation="similarity", resources=("starter-similarity",))
    suite = Suite(name="i", models=("random(5)",), tasks=(task,), seeds=(0, 1, 2))
    (tmp_path / "suite.toml").write_text(suite.to_toml())
    command = [sys.executable, str(script), str(tmp_path / "suite.toml")]
    victim = subprocess.Popen(
        [*command, "--out", str(folder), "--jobs", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert victim.stdout is not None
    try:
        assert [victim.stdout.readline() for _ in range(2)] == ["busy\n"] * 2
        _wait_for_a_result(victim, folder)
        # A second run into the folder of one that is under way.
        with pytest.raises(InputError, match="another run is writing to"):
            run(suite, out=folder)
        os.killpg(victim.pid, signal.SIGINT)
        # Ends when the last worker, which has the other end of the pipe, has gone.
        _, said = victim.communicate(timeout=60)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(victim.pid, signal.SIGKILL)
        victim.communicate()
    assert victim.returncode == 130
    assert "interrupted" in said
    assert "Traceback" not in said
    (result,) = RunStore(folder).results()
    assert RunStore(folder).holds(result)


@pytest.mark.parametrize("damage", ["missing", "garbage"])
def test_a_result_whose_items_are_lost_is_computed_again(damage: str, tmp_path: Path) -> None:
    suite = small_suite("random(10)")
    first = run(suite, out=tmp_path, processes=1)
    table = tmp_path / str(first.results[0].items)
    whole = table.read_bytes()
    if damage == "missing":
        table.unlink()
    else:
        table.write_bytes(b"\x00" * len(whole))
    second = run(suite, out=tmp_path, processes=1)
    assert second.resumed == 1
    assert [(r.key, r.score) for r in second.results] == [(r.key, r.score) for r in first.results]
    assert table.read_bytes() == whole
    assert run(suite, out=tmp_path, processes=1).resumed == 2


def test_results_of_a_version_with_other_numbers_are_computed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite = small_suite("random(10)")
    run(suite, out=tmp_path, processes=1)
    monkeypatch.setattr("lydite.results.record.NUMBERS", 0)
    assert run(suite, out=tmp_path, processes=1).resumed == 0


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the mark cannot be reset")
def test_the_memory_of_a_result_is_its_own() -> None:
    import numpy as np

    class Greedy:
        def encode(self, texts: list[str], /) -> object:
            np.ones(40_000_000)  # 320 MB
            return np.array([[len(text), 1.0] for text in texts], dtype=np.float32)

    greedy = lydite.evaluate(Greedy(), "similarity", "starter-similarity").provenance
    modest = lydite.evaluate("random(5)", "similarity", "starter-similarity").provenance
    assert greedy.peak_memory_mb > modest.peak_memory_mb + 200


def test_a_file_in_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="expected a folder for the run"):
        run(small_suite("random(5)"), out=tmp_path / "file" / "run")


def test_an_object_of_a_strangers_can_be_evaluated() -> None:
    class Lengths:
        def encode(self, texts: list[str], /) -> object:
            import numpy as np

            return np.array([[len(text), 1.0] for text in texts], dtype=np.float32)

    result = lydite.evaluate(Lengths(), "similarity", "starter-similarity")
    assert (result.model, result.provenance.model_sha256) == ("Lengths", None)
    assert abs(result.score) < 0.3


def test_a_folder_without_a_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected the folder of a run"):
        open_run(tmp_path)
