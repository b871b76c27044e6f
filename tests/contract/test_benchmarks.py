"""Every benchmark still runs, at a size at which its times say nothing.

Ours and all peers are called as at the full size, once each, in processes of their own where they
have them; whether targets are met is not asked.
"""

from __future__ import annotations

import dataclasses
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT))

from benchmarks import __main__ as together  # noqa: E402
from benchmarks import instructions, table  # noqa: E402
from benchmarks.measure import DiffersError, Job, Peer, Program, Sample, measure, run_side  # noqa: E402
from benchmarks.table import Count, Measured, Row  # noqa: E402

#: Those whose data are not to be had smaller.
WHOLE = {"wordnet"}


def silent(_text: str) -> None:
    """Say nothing."""


def job(ours: Any, *peers: Peer, **more: Any) -> Job:  # noqa: ANN401
    return Job(name="sum", amount="of two", ours=ours, peers=peers, **more)


def row(ours: Sequence[float], peer: Sequence[float], **more: Any) -> Row:  # noqa: ANN401
    given = {"bench": "b", "job": "j", "amount": "1", "peer": "p", "target": 2.0}
    return Row(**(given | {"ours_seconds": [*ours], "peer_seconds": [*peer]} | more))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", together.names())
# What peers warn of when they are imported is their own affair.
@pytest.mark.filterwarnings("ignore")
def test_a_benchmark_runs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if name in WHOLE and "LYDITE_DATA" not in os.environ:
        pytest.skip("LYDITE_DATA is not set: real data are not at hand")
    if name not in WHOLE:
        monkeypatch.delenv("LYDITE_DATA", raising=False)
    measured = together.run(name, small=True, repeats=1, warm_up=False)
    assert not measured.failure
    assert measured.rows
    failures = {row.peer: row.failure for row in measured.rows if row.failure and not row.missing}
    assert not failures
    for each in measured.rows:
        assert each.missing or (len(each.ours_seconds) == len(each.peer_seconds) == 1)
        assert each.missing or min(each.ours_seconds + each.peer_seconds) > 0


def test_ours_and_peers_take_turns_and_the_warm_up_is_not_kept() -> None:
    turns: list[str] = []
    peers = [Peer(name=name, run=lambda name=name: turns.append(name), target=1) for name in "ab"]  # type: ignore[misc]
    rows = measure("b", job(lambda: turns.append("ours"), *peers), repeats=5, progress=silent)
    # Short jobs are called more than once in a turn.
    assert [each for i, each in enumerate(turns) if i == 0 or turns[i - 1] != each] == [
        *(["ours", "a", "b"] * 6)
    ]
    assert [len(each.ratios) for each in rows] == [5, 5]


def test_a_side_that_fails_is_a_row_and_the_others_go_on() -> None:
    def broken() -> object:
        raise ValueError("no such thing")

    def missing() -> object:
        raise ModuleNotFoundError("No module named 'faster'", name="faster")

    peers = [
        Peer(name="broken", run=broken, target=1),
        Peer(name="missing", run=missing, target=1),
        Peer(name="slow", run=1e9, target=1),
    ]
    rows = measure("b", job(lambda: 2, *peers), repeats=2, progress=silent)
    assert [each.verdict for each in rows] == [
        "FAIL: ValueError: no such thing",
        "not run: faster is not installed",
        "pass",
    ]
    with_ours = measure("b", job(broken, peers[2]), repeats=2, progress=silent)
    assert with_ours[0].verdict == "FAIL: ValueError: no such thing"


def test_answers_that_differ_fail() -> None:
    def agree(ours: int, peers: Sequence[int]) -> str:
        if ours != peers[0]:
            raise DiffersError(f"{ours} and {peers[0]}")
        return "the same"

    for value, verdict in ((2, "pass"), (3, "FAIL: the answers differ: 2 and 3")):
        peer = Peer(name="p", run=lambda value=value: value, target=0)  # type: ignore[misc]
        (found,) = measure("b", job(lambda: 2, peer, agree=agree), repeats=1, progress=silent)
        assert found.verdict == verdict


def test_a_part_of_a_job_counts_for_the_whole() -> None:
    peer = Peer(name="p", run=2.0, target=1, times=3)
    (found,) = measure("b", job(1.5, peer), repeats=2, progress=silent)
    assert found.peer_seconds == [6.0, 6.0]
    assert found.ratios == [4.0, 4.0]


def test_a_program_gives_seconds_memory_and_value() -> None:
    program = Program(
        code="seconds = float(sys.argv[1]); value = os.environ['BENCH_X']",
        arguments=(2.5,),
        environment=lambda: {"BENCH_X": "y"},
    )
    seconds, peak, value = run_side(program, "wall", again=True)
    assert (seconds, value) == (2.5, "y")
    assert peak is not None
    assert 1 < peak < 100
    with pytest.raises(RuntimeError, match="gone wrong"):
        run_side(Program(code="raise SystemExit('gone wrong')"), "wall", again=True)
    with pytest.raises(ModuleNotFoundError) as caught:
        run_side(Program(code="import no_such_peer"), "wall", again=True)
    assert caught.value.name == "no_such_peer"


@pytest.mark.skipif(not os.access("/proc/self/clear_refs", os.W_OK), reason="no peak to forget")
def test_memory_is_what_a_call_takes_on_top() -> None:
    held = bytearray(b"x" * 50_000_000)
    first: Sample = run_side(lambda: len(bytearray(b"x" * 30_000_000)), "wall", again=False)
    second: Sample = run_side(lambda: len(held), "wall", again=False)
    assert first.memory is not None
    assert 25 < first.memory < 100
    assert second.memory is not None
    assert second.memory < 10


def test_a_row_passes_by_the_median_of_its_ratios() -> None:
    quick = row([1.0, 2.0, 1.0], [3.0, 3.0, 3.0])
    assert quick.ratios == [3.0, 1.5, 3.0]
    assert quick.verdict == "pass"
    assert table.spread(quick) == "3x (1.5–3)"
    slow = dataclasses.replace(quick, target=3.5)
    assert slow.verdict == "FAIL: target missed"
    at_most = dataclasses.replace(quick, at_most=True, target=0.34)
    assert at_most.verdict == "pass"
    assert dataclasses.replace(at_most, target=0.33).failed
    large = dataclasses.replace(quick, memory=120.0, most_memory=100.0)
    assert large.verdict == "FAIL: more than 100 MB"


def test_a_fifth_more_instructions_are_flagged() -> None:
    assert not Count(job="j", instructions=120, stored=100).flagged
    assert Count(job="j", instructions=121, stored=100).flagged
    assert not Count(job="j", instructions=121, stored=None).flagged
    now = Measured(name="b", date="2026-01-01", instructions={"j": 121}, counter="this way")
    before = dataclasses.replace(now, instructions={"j": 100})
    assert [each.flagged for each in now.counts(before)] == [True]
    # Counted in another way, they say nothing of each other.
    other = dataclasses.replace(before, counter="that way")
    assert [each.flagged for each in now.counts(other)] == [False]
    good = dataclasses.replace(now, rows=[row([1.0], [2.0])])
    assert together.passed(good, [])
    assert not together.passed(good, good.counts(before))


def test_what_is_measured_reads_back(tmp_path: Path) -> None:
    measured = Measured(name="b", date="2026-01-01", rows=[row([1.0], [2.0])], caveats=["c"])
    measured.write(tmp_path)
    assert table.read(tmp_path) == {"b": measured}


def test_a_bench_that_cannot_start_is_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_name: str) -> object:
        raise ImportError("cannot import name 'gone'")

    monkeypatch.setattr(together, "_module", broken)
    measured = together.run("ranks", small=True, repeats=1)
    (line,) = table.lines(measured, [])
    assert line[0] == "ranks"
    assert line[-1] == "FAIL: ImportError: cannot import name 'gone'"
    assert not together.passed(measured, [])


def test_an_unknown_bench_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert together.main(["no-such-bench"]) == 2
    assert "expected names among counting, glove" in capsys.readouterr().err


def test_every_bench_is_stored_with_its_spread() -> None:
    stored = table.read(table.STORED)
    assert sorted(stored) == together.names()
    for name, measured in stored.items():
        assert not measured.failure, name
        assert min(len(each.ours_seconds) for each in measured.rows) >= together.LEAST_REPEATS


needs_valgrind = pytest.mark.skipif(
    shutil.which("valgrind") is None or shutil.which("callgrind_control") is None,
    reason="Valgrind is not installed",
)

COUNTED = """
import sys
from pathlib import Path
sys.path.append({root!r})
from benchmarks.instructions import run_counted
from benchmarks.measure import Job
def loop(times):
    return lambda: sum(range(times))
jobs = [Job(name=str(n), amount="", ours=loop(n), peers=[]) for n in (100_000, 200_000)]
run_counted([*jobs, Job(name="none", amount="", ours=1.0, peers=[])], Path({jobs!r}))
"""


@needs_valgrind
def test_instructions_are_counted_between_begin_and_end(tmp_path: Path) -> None:
    jobs = tmp_path / "jobs"
    code = COUNTED.format(root=str(ROOT), jobs=str(jobs))
    counts, method = instructions.count_instructions(["-c", code], tmp_path, jobs)
    assert method.startswith("callgrind of valgrind")
    assert list(counts) == ["100000", "200000"]
    # Neither starting Python nor what runs before: twice the loop is twice the instructions.
    assert counts["200000"] / counts["100000"] == pytest.approx(2, rel=0.05)


def test_without_valgrind_nothing_is_counted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    counts, method = instructions.count_instructions(["-c", ""], tmp_path, tmp_path / "jobs")
    assert not counts
    assert method == "not counted: Valgrind is not installed"
