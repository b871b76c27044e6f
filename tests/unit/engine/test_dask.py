"""The same answers on a real cluster, whatever of it dies meanwhile."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

pytest.importorskip("distributed")

from lydite.engine import WorkerDiedError, in_order, opened_engine, running_on
from lydite.engine.dask import ClusterError, DaskEngine
from lydite.runner import run
from lydite.stats.bootstrap import bootstrap_replicates
from lydite.stats.permutation import paired_permutation_test
from lydite.suite import Suite, Task

from .conftest import Cluster

# A job writes down that it began, then waits until the test lets it go on.
_JOBS = """
import os
import signal
import time
from pathlib import Path


def noted(job, folder):
    folder = Path(folder)
    with (folder / "begun").open("a") as file:
        file.write(f"{job} {os.getpid()}\\n")
    while job and not (folder / "go").exists():
        time.sleep(0.02)
    return job * job


def fail(job):
    if job == 3:
        raise ValueError("three")
    if job == 5:
        os.kill(os.getpid(), signal.SIGKILL)
    return job


def swallow(job):
    blocks = []
    # Much more than the worker may have, and less than would harm the machine.
    while job == 1 and len(blocks) < 100:
        blocks.append(bytearray(os.urandom(1 << 20) * 20))
        time.sleep(0.01)
    return job


def place(job):
    return os.getcwd(), os.environ.get("LYDITE_CACHE"), os.environ["LYDITE_THREADS"]
"""


@pytest.fixture
def jobs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    name = f"jobs_{uuid.uuid4().hex}"
    (tmp_path / f"{name}.py").write_text(_JOBS)
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    return importlib.import_module(name)


def _begun(folder: Path) -> list[tuple[int, int]]:
    with contextlib.suppress(FileNotFoundError):
        lines = (folder / "begun").read_text().splitlines()
        return [(int(job), int(process)) for job, process in map(str.split, lines)]
    return []


def _wait_for(what: Callable[[], Any]) -> Any:  # noqa: ANN401 - whatever is waited for
    deadline = time.monotonic() + 120
    while not (found := what()):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return found


def test_a_killed_worker_and_a_scheduler_started_again_lose_and_repeat_nothing(
    cluster: Cluster, jobs: ModuleType, tmp_path: Path
) -> None:
    cluster.start()
    told: list[tuple[int, Any]] = []

    def collect() -> None:
        with opened_engine(cluster.address) as engine:
            told.extend(engine.run(jobs.noted, range(12), data=(str(tmp_path),)))

    collecting = threading.Thread(target=collect, daemon=True)
    collecting.start()
    try:
        process = _wait_for(lambda: next((p for job, p in _begun(tmp_path) if job), None))
        os.kill(process, signal.SIGKILL)
        cluster.start_worker()
        _wait_for(lambda: len({p for job, p in _begun(tmp_path) if job}) >= 3)
        cluster.kill_scheduler()
        cluster.start(workers=2)
        before = len(_begun(tmp_path))
        _wait_for(lambda: len(_begun(tmp_path)) > before)
    finally:
        (tmp_path / "go").touch()
        collecting.join(120)
    assert not collecting.is_alive()
    assert sorted(told) == [(job, job * job) for job in range(12)]


def test_errors_and_deaths_are_answers_as_on_the_local_engine(
    cluster: Cluster, jobs: ModuleType
) -> None:
    cluster.start_scheduler()
    for _ in range(2):
        cluster.start_worker("--nanny")
    with opened_engine(cluster.address) as engine:
        answers = dict(engine.run(jobs.fail, range(8)))
    assert {job: answers[job] for job in (0, 1, 2, 4, 6, 7)} == {j: j for j in (0, 1, 2, 4, 6, 7)}
    assert isinstance(answers[3], ValueError)
    assert isinstance(answers[5], WorkerDiedError)
    assert "memory" in str(answers[5])


def test_a_job_that_takes_all_memory_ends_alone(cluster: Cluster, jobs: ModuleType) -> None:
    cluster.start_scheduler()
    for _ in range(2):
        cluster.start_worker("--nanny", "--memory-limit", "400MB")
    with opened_engine(cluster.address) as engine:
        answers = dict(engine.run(jobs.swallow, [0, 1, 2]))
    assert isinstance(answers.pop(1), WorkerDiedError)
    assert answers == {0: 0, 2: 2}


def test_a_worker_stands_where_the_run_was_started(
    cluster: Cluster, jobs: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LYDITE_CACHE", raising=False)
    cluster.start(workers=1)
    (tmp_path / "work").mkdir()
    (tmp_path / "cache").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setenv("LYDITE_CACHE", str(tmp_path / "cache"))
    with opened_engine(cluster.address) as engine:
        ((_, found),) = engine.run(jobs.place, [1])
    assert found == (str(tmp_path / "work"), str(tmp_path / "cache"), "1")


def _facts(folder: Path) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Return the results of a run without the time and memory that they took, and their items."""
    lines = (folder / "results.jsonl").read_text().splitlines()
    found = [json.loads(line) for line in lines]
    for each in found:
        for name in ("wall_seconds", "peak_memory_mb", "created"):
            del each["provenance"][name]
    results = {each["key"]: each for each in found}
    assert len(results) == len(lines)
    return results, {path.name: path.read_bytes() for path in (folder / "items").iterdir()}


def _suite() -> Suite:
    evaluations = {
        "similarity": "starter-similarity",
        "qvec(method=cca)": "starter-supersenses",
        "separation": "starter-relations",
    }
    return Suite(
        name="both",
        models=("random(20)", "mean(random(10))"),
        tasks=tuple(Task(evaluation=e, resources=(r,)) for e, r in evaluations.items()),
        seeds=tuple(range(4)),
    )


def test_a_suite_gives_the_same_files_on_a_cluster_that_is_damaged_meanwhile(
    cluster: Cluster, tmp_path: Path
) -> None:
    local = run(_suite(), out=tmp_path / "local", processes=2)
    cluster.start()
    (tmp_path / "suite.toml").write_text(_suite().to_toml())
    command = [sys.executable, "-c", "from lydite.cli import main; main()", "run"]
    command += [str(tmp_path / "suite.toml"), "--quiet", "--engine", cluster.address]
    command += ["--out", str(tmp_path / "dask")]
    results = tmp_path / "dask" / "results.jsonl"
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as running:
        try:
            _wait_for(lambda: results.exists() and results.read_bytes().count(b"\n") >= 3)
            cluster.workers[0].kill()
            cluster.start_worker()
            kept = results.read_bytes()
            cluster.kill_scheduler()
            cluster.start()
            assert running.wait(timeout=120) == (1 if local.failures else 0)
        finally:
            running.kill()
    assert results.read_bytes().startswith(kept)
    assert _facts(tmp_path / "dask") == _facts(tmp_path / "local")
    assert len(_facts(tmp_path / "dask")[0]) == len(local.results)


def test_other_bytes_and_missing_files_on_a_worker_are_failures_that_say_so(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The worker starts in another folder, where the files are others, and cannot see this one.
    cluster.start(workers=1)
    here = tmp_path / "here"
    here.mkdir()
    for folder, first in ((here, "cat 1 0"), (tmp_path, "cat 0 1")):
        (folder / "v.txt").write_text(f"{first}\ndog 1 1\ncar 0 1\n")
    (here / "only-here.txt").write_text("cat 1 0\ndog 1 1\ncar 0 1\n")
    (tmp_path / "pairs.tsv").write_text("cat\tdog\t3\ncat\tcar\t1\ndog\tcar\t2\n")
    task = Task(evaluation="similarity", resources=(str(tmp_path / "pairs.tsv"),))
    suite = Suite(name="s", models=("v.txt", "only-here.txt"), tasks=(task,))
    monkeypatch.chdir(here)
    elsewhere = tmp_path / "nowhere"
    monkeypatch.setattr("lydite.engine.dask.Path.cwd", lambda: elsewhere)
    finished = run(suite, engine=cluster.address)
    assert not finished.results
    messages = [failure.message for failure in finished.failures]
    assert "v.txt is another model on the worker" in messages[0]
    assert "on the worker" in messages[1]
    assert "only-here.txt" in messages[1]
    assert all("same path" in message for message in messages)


def test_resamples_are_the_same_on_a_cluster_of_this_machine() -> None:
    scores = np.random.default_rng(1).normal(size=(2, 3000))
    gold = scores.sum(axis=0)

    def drawn() -> tuple[bytes, float]:
        replicates = bootstrap_replicates(
            lambda items: (scores[0][items] * gold[items]).mean(axis=1), 3000, seed=3
        )
        test = paired_permutation_test(
            lambda rows: (rows * gold).mean(axis=1), *scores, resamples=500, seed=4
        )
        return replicates.tobytes(), test.p_value

    with opened_engine("dask", processes=2) as engine:
        assert engine.width == 2
        with running_on(engine):
            there = drawn()
            assert list(in_order(abs, [-3, -1, -2])) == [3, 1, 2]
    assert there == drawn()


def test_where_no_scheduler_is_the_error_names_the_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("lydite.engine.dask.CONNECT", 0.5)
    with pytest.raises(ClusterError, match="no Dask scheduler answers at tcp"):
        DaskEngine("tcp://127.0.0.1:1")


def _counted(folder: Path, text: Path, **windows: Any) -> list[bytes]:  # noqa: ANN401
    """Prepare and count a corpus; return what is on disk."""
    from lydite.corpora.documents import open_corpus
    from lydite.trained.cooccurrence import Windows, count_cooccurrences
    from lydite.trained.encoded_corpus import encode_sentences, frequent_words

    folder.mkdir()
    corpus = encode_sentences(open_corpus([text]).sentences(), folder)
    kept = frequent_words(corpus)
    made = count_cooccurrences(
        corpus, kept.rows, kept.counts, Windows(**windows), folder / "counts"
    )
    parts = (corpus.words.letters, corpus.ids, made.starts, made.columns, made.values)
    return [np.ascontiguousarray(part).tobytes() for part in parts]


@pytest.mark.parametrize(
    "windows",
    [
        {"size": 3},
        {"size": 4, "dynamic": "sampled", "sample": 0.01, "seed": 5},
        {"size": 4, "dynamic": "sampled", "sample": 0.01, "seed": 5, "delete": True},
    ],
)
def test_a_corpus_is_prepared_and_counted_to_the_same_bits(
    windows: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draws = np.random.default_rng(2).zipf(1.5, size=(900, 12)) % 300
    text = tmp_path / "text.txt"
    text.write_text("".join(" ".join(f"w{i}" for i in row) + ".\n" for row in draws))
    # Small enough that there are several parts.
    monkeypatch.setattr("lydite.corpora.documents._SENT", 100)
    monkeypatch.setattr("lydite.trained.cooccurrence._SENT", 2000)
    alone = _counted(tmp_path / "alone", text, **windows)
    with opened_engine("dask", processes=2) as engine, running_on(engine):
        assert _counted(tmp_path / "spread", text, **windows) == alone


def test_texts_of_a_file_are_encoded_to_the_same_bits(tmp_path: Path) -> None:
    from lydite.models.texts import encode_file

    texts = tmp_path / "texts.txt"
    texts.write_text("".join(f"The cat number {i}.\n" for i in range(2500)))
    assert encode_file("mean(random(7))", texts, tmp_path / "a.npy") == (2500, 7)
    with opened_engine("dask", processes=2) as engine, running_on(engine):
        encode_file("mean(random(7))", texts, tmp_path / "b.npy")
    assert (tmp_path / "a.npy").read_bytes() == (tmp_path / "b.npy").read_bytes()
    assert np.load(tmp_path / "a.npy").shape == (2500, 7)


def test_a_grid_is_trained_to_the_same_bits(tmp_path: Path) -> None:
    from lydite.trained.zoo.grid import Grid
    from lydite.trained.zoo.training import train_zoo

    draws = np.random.default_rng(3).zipf(1.6, size=(600, 12)) % 60
    text = tmp_path / "text.txt"
    text.write_text("".join(" ".join(f"w{i}" for i in row) + ".\n" for row in draws))
    grid = Grid(
        corpus=(str(text),), families=("ppmi-svd", "glove"), dims=(5, 10), windows=(2,), min_count=2
    )
    here = train_zoo(grid, tmp_path / "here")
    with opened_engine("dask", processes=2) as engine, running_on(engine):
        there = train_zoo(grid, tmp_path / "there")
        assert train_zoo(grid, tmp_path / "there").trained == ()
    assert [path.name for path in there.trained] == [path.name for path in here.trained]
    assert len(there.trained) == 4
    for path in there.paths:
        assert path.read_bytes() == (tmp_path / "here" / path.name).read_bytes()


@pytest.mark.parametrize("engine", ["local", "dask"])
def test_a_cache_that_is_deleted_meanwhile_changes_no_result(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = [f"w{i}" for i in range(60)]
    numbers = np.random.default_rng(4).normal(size=(60, 5)).round(3)
    lines = (f"{w} {' '.join(map(str, row))}" for w, row in zip(words, numbers, strict=True))
    (tmp_path / "v.txt").write_text("\n".join(lines) + "\n")
    drawn = np.random.default_rng(5).integers(0, 60, size=(40, 2))
    pairs = "".join(f"w{a}\tw{b}\t{i % 7}\n" for i, (a, b) in enumerate(drawn) if a != b)
    (tmp_path / "pairs.tsv").write_text(pairs)
    task = Task(evaluation="similarity", resources=(str(tmp_path / "pairs.tsv"),))
    models = (str(tmp_path / "v.txt"), f"vectors({tmp_path / 'v.txt'}, limit=50)")
    suite = Suite(name="s", models=models, tasks=(task,), seeds=(0, 1, 2))
    expected = [(r.key, r.score) for r in run(suite, processes=1).results]
    monkeypatch.setenv("LYDITE_CACHE", str(tmp_path / "cache"))

    def delete(what: str, done: int, total: int | None) -> None:
        shutil.rmtree(tmp_path / "cache", ignore_errors=True)

    finished = run(suite, out=tmp_path / "run", engine=engine, processes=2, progress=delete)
    assert finished.failures == ()
    assert [(r.key, r.score) for r in finished.results] == expected
