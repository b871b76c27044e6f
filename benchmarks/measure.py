"""Measure jobs beside their peers: in turns, several times, in seconds and memory.

A bench is a module ``bench_NAME`` with a frozen ``Size``, ``FULL`` and ``SMALL`` sizes, ``CAVEATS``
and a function ``jobs(size, folder)`` that yields a :class:`Job` after the other, each measured
before the next is asked for. At the small size, everything is run as at the full one; only the
times say nothing.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, Literal, NamedTuple, TypeAlias

from benchmarks.table import Row

#: A job of less than this is called so often within a repetition, of which the median is taken.
_SHORT_SECONDS, _CALLS = 0.02, 7
#: What makes Linux forget the most memory that a process has had.
_FORGET_PEAK = "5"

Clock: TypeAlias = Literal["wall", "cpu"]


class DiffersError(Exception):
    """Ours and a peer do not say the same."""


@dataclass(frozen=True, kw_only=True)
class Program:
    """Code that runs in a fresh interpreter each time, and sets ``seconds`` and maybe ``value``."""

    code: str
    arguments: Sequence[object] = ()
    environment: Callable[[], Mapping[str, str]] = dict


#: A job, or the seconds that are allowed.
Side: TypeAlias = Callable[[], object] | Program | float


@dataclass(frozen=True, kw_only=True)
class Peer:
    """What ours is compared with.

    ``target`` is the least ratio of the peer's time to ours that is asked for, or with ``at_most``
    the largest ratio of ours to the peer's. A peer may do a part of the job: its seconds are taken
    ``times`` so many.
    """

    name: str
    run: Side
    target: float
    at_most: bool = False
    times: float = 1


@dataclass(frozen=True, kw_only=True)
class Job:
    """One job of ours, with its peers.

    ``agree`` gets what ours and what each peer returned, and says how they agree or raises
    :class:`DiffersError`. Instructions are counted of ``counted``, where it is not ``ours``.
    """

    name: str
    amount: str
    ours: Side
    peers: Sequence[Peer]
    clock: Clock = "wall"
    most_memory: float | None = None
    agree: Callable[[Any, Sequence[Any]], str] | None = None
    #: How many of what are done, for a rate by the second.
    rate: tuple[float, str] | None = None
    counted: Callable[[], object] | None = None

    def for_counting(self) -> Callable[[], object] | None:
        """Return what instructions are counted of, if anything."""
        return self.counted or (self.ours if callable(self.ours) else None)


class Sample(NamedTuple):
    """One run of a side: seconds, megabytes (of a program in all, of a call on top) and value."""

    seconds: float
    memory: float | None
    value: Any


@dataclass(kw_only=True)
class _Runs:
    """The runs of one side."""

    side: Side
    clock: Clock
    value: Any = None
    seconds: list[float] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)
    failure: str = ""

    def run(self, *, keep: bool) -> None:
        """Run once more; a side that failed is not tried again."""
        if self.failure:
            return
        try:
            sample = run_side(self.side, self.clock, again=keep)
        except ModuleNotFoundError as error:
            if str(error.name).startswith(("lydite", "benchmarks")):
                raise
            self.failure = f"{error.name} is not installed"
        except Exception as error:
            self.failure = describe(error)
        else:
            self.value = sample.value
            if keep:
                self.seconds.append(sample.seconds)
                self.memory += [] if sample.memory is None else [sample.memory]

    @property
    def peak(self) -> float | None:
        return max(self.memory, default=None)


def describe(error: BaseException) -> str:
    """Say in one line what went wrong."""
    if isinstance(error, subprocess.CalledProcessError):
        return (str(error.stderr).strip().splitlines() or [str(error)])[-1]
    return f"{type(error).__name__}: {error}".splitlines()[0]


def measure(
    bench: str, job: Job, *, repeats: int, warm_up: bool = True, progress: Callable[[str], None]
) -> list[Row]:
    """Run ours and all peers in turns, after a warm-up of each; returns a row for each peer."""
    ours = _Runs(side=job.ours, clock=job.clock)
    peers = [_Runs(side=peer.run, clock=job.clock) for peer in job.peers]
    for turn in range(0 if warm_up else 1, repeats + 1):
        progress(f"{bench}: {job.name}, {f'{turn} of {repeats}' if turn else 'warming up'}")
        for runs in (ours, *peers):
            # A peer that runs in a fresh interpreter has nothing to warm.
            if turn or runs is ours or not isinstance(runs.side, Program):
                runs.run(keep=bool(turn))
    note, differs = _agreement(job, ours, peers)
    return [
        Row(
            bench=bench,
            job=job.name,
            amount=job.amount,
            peer=peer.name,
            ours_seconds=ours.seconds,
            peer_seconds=[peer.times * each for each in runs.seconds],
            target=peer.target,
            at_most=peer.at_most,
            limit=isinstance(peer.run, float | int),
            clock=job.clock,
            memory=ours.peak,
            peer_memory=runs.peak,
            whole=isinstance(job.ours, Program),
            most_memory=job.most_memory,
            note=_joined(note, _rate(job, ours.seconds)),
            failure=ours.failure or differs or runs.failure,
            missing=runs.failure.endswith(" is not installed"),
        )
        for peer, runs in zip(job.peers, peers, strict=True)
    ]


def _agreement(job: Job, ours: _Runs, peers: Sequence[_Runs]) -> tuple[str, str]:
    """Return a note on how the answers agree, and why they do not."""
    if job.agree is None or ours.failure:
        return "", ""
    try:
        return job.agree(ours.value, [None if runs.failure else runs.value for runs in peers]), ""
    except (DiffersError, AssertionError) as error:
        return "", f"the answers differ: {error}"


def _rate(job: Job, seconds: Sequence[float]) -> str:
    if job.rate is None or not seconds:
        return ""
    amount, what = job.rate
    pace = amount / median(seconds)
    return f"{pace / 1e6:.2f} M {what} a second" if pace > 1e5 else f"{pace:.0f} {what} a second"


def _joined(*parts: str) -> str:
    return "; ".join(part for part in parts if part)


def run_side(side: Side, clock: Clock, *, again: bool) -> Sample:
    """Run a job once; with ``again`` a short one is run more often, and its median taken."""
    if isinstance(side, Program):
        return run_program(side)
    if not callable(side):
        return Sample(float(side), None, None)
    now = time.perf_counter if clock == "wall" else time.process_time
    held = _forget_peak()
    times: list[float] = []
    while not times or (again and times[0] < _SHORT_SECONDS and len(times) < _CALLS):
        start = now()
        value = side()
        times.append(max(now() - start, 1e-9))
    peak = _status("VmHWM")
    memory = None if held is None or peak is None else max(0.0, peak - held)
    return Sample(median(times), memory, value)


def _forget_peak() -> float | None:
    """Let the peak of memory start from what is held now, and return that in megabytes."""
    try:
        Path("/proc/self/clear_refs").write_text(_FORGET_PEAK)
    except OSError:
        return None
    return _status("VmRSS")


def _status(name: str) -> float | None:
    try:
        text = Path("/proc/self/status").read_text()
    except OSError:
        return None
    found = re.search(rf"{name}:\s+(\d+) kB", text)
    return int(found[1]) / 1e3 if found else None


#: What stands around the code of a program; VmHWM is its own, ru_maxrss would start from ours.
_BEFORE = "import json, os, re, sys, time\nfrom pathlib import Path\nvalue = None\n"
_AFTER = """
try:
    peak = int(re.search(r'VmHWM:\\s+(\\d+) kB', Path('/proc/self/status').read_text())[1]) / 1e3
except OSError:
    peak = None
print('\\n' + json.dumps([seconds, peak, value]))
"""


def run_program(program: Program) -> Sample:
    """Run code in a fresh interpreter."""
    done = subprocess.run(
        [sys.executable, "-c", _BEFORE + program.code + _AFTER, *map(str, program.arguments)],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[1],
        env=os.environ | program.environment(),
    )
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
        if missing := re.match(r"ModuleNotFoundError: No module named '([^']+)'", last[0]):
            raise ModuleNotFoundError(last[0], name=missing[1])
        raise RuntimeError(last[0])
    return Sample(*json.loads(done.stdout.splitlines()[-1]))
