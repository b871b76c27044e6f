"""Kill -9, a full disk, two runs into one folder: nothing is lost and nothing is doubled."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lydite.results.record import Result
from lydite.results.store import RunStore
from lydite.suite import Suite, Task

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals and mounts as Linux has them")

KILLS = 20
LYDITE = "import sys; from lydite.cli import main; sys.exit(main())"
SUITE = Suite(
    name="faults",
    models=("random(20)", "random(20, seed=1)"),
    tasks=(
        Task(evaluation="similarity", resources=("starter-similarity",)),
        Task(evaluation="qvec(method=cca)", resources=("starter-supersenses",)),
    ),
    seeds=(0, 1, 2, 3),
)
JOBS = 16


@pytest.fixture(name="start")
def _start(tmp_path: Path) -> Callable[..., subprocess.Popen[str]]:
    """Start the suite as a user does, in a session of its own."""
    suite = tmp_path / "suite.toml"
    suite.write_text(SUITE.to_toml())

    def start(folder: Path) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", LYDITE, "run", str(suite), "--out", str(folder)]
        return subprocess.Popen(
            [*command, "--jobs", "2"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    return start


def _said(result: Result) -> tuple[object, ...]:
    return (result.key, result.score, result.interval, result.baseline, result.n_items)


def _told(folder: Path) -> list[tuple[object, ...]]:
    """Return what a run has found, after a look at its files: all lines whole, all items there."""
    store = RunStore(folder)
    results = store.results()
    lines = (folder / "results.jsonl").read_text("utf-8").splitlines()
    assert len(lines) == len(results) == len({result.key for result in results})
    assert all(store.holds(result) for result in results)
    return sorted((_said(result) for result in results), key=str)


def test_twenty_kills(tmp_path: Path, start: Callable[..., subprocess.Popen[str]]) -> None:
    whole = start(tmp_path / "whole")
    whole.communicate()
    assert whole.returncode == 0
    expected = _told(tmp_path / "whole")
    assert len(expected) == JOBS

    moments = random.Random(20)
    folder = tmp_path / "killed"
    ended = 0
    for _ in range(KILLS):
        victim = start(folder)
        try:
            victim.wait(timeout=moments.uniform(0.1, 2.5))
            ended += 1
        except subprocess.TimeoutExpired:
            os.killpg(victim.pid, signal.SIGKILL)
        victim.communicate()
        if ended:
            # The run has come to its end in spite of the kills: another from the beginning.
            assert victim.returncode == 0
            assert _told(folder) == expected
            shutil.rmtree(folder)
            ended = 0
    last = start(folder)
    _, said = last.communicate()
    assert last.returncode == 0, said
    assert _told(folder) == expected


def test_a_disk_that_fills_up(tmp_path: Path, start: Callable[..., subprocess.Popen[str]]) -> None:
    disk, kept = tmp_path / "disk", tmp_path / "kept"
    disk.mkdir()
    suite = tmp_path / "suite.toml"
    # The disk exists only inside: what stands on it is brought out before the end.
    script = (
        f'mount -t tmpfs -o size=160k none "{disk}" || exit 77\n'
        f'"{sys.executable}" -c "{LYDITE}" run "{suite}" --out "{disk}/run" --jobs 1\n'
        f'code=$?\ncp -r "{disk}/run" "{kept}"\nexit $code\n'
    )
    done = subprocess.run(
        ["unshare", "--map-root-user", "--mount", "sh", "-c", script],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 77 or "unshare" in done.stderr:
        pytest.skip("this machine allows no mounts in a namespace")
    assert done.returncode == 2, done.stderr
    assert "No space left on device" in done.stderr
    assert "Traceback" not in done.stderr
    before = _told(kept)
    assert 0 < len(before) < JOBS
    again = start(kept)
    _, said = again.communicate()
    assert again.returncode == 0, said
    assert len(_told(kept)) == JOBS
    assert all(each in _told(kept) for each in before)


def test_two_runs_into_one_folder(
    tmp_path: Path, start: Callable[..., subprocess.Popen[str]]
) -> None:
    folder = tmp_path / "run"
    both = [start(folder), start(folder)]
    said = [each.communicate()[1] for each in both]
    codes = sorted(each.returncode for each in both)
    # Whoever comes second is refused; who comes when the first has ended finds all done.
    assert codes in ([0, 0], [0, 2]), said
    if codes != [0, 0]:
        assert any("another run is writing to" in each for each in said)
    assert len(_told(folder)) == JOBS
