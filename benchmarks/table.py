"""What was measured: rows of one table, the files that keep them, and instructions counted.

A bench leaves a file ``NAME.json``: in ``out/`` what the last run found, in ``stored/`` what the
documentation shows and what instructions are compared with.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median
from typing import Any

FOLDER = Path(__file__).parent
OUT = FOLDER / "out"
STORED = FOLDER / "stored"

#: A job that takes so many times the stored instructions is flagged.
FLAGGED = 1.2

_PACKAGES = (
    *("lydite", "numpy", "scipy", "numba", "scikit-learn", "polars"),
    *("gensim", "nltk", "faiss-cpu", "pandas", "tomotopy"),
)


@dataclass(frozen=True, kw_only=True)
class Row:
    """One job, ours beside a peer's, in repetitions that took turns."""

    bench: str
    job: str
    amount: str
    peer: str
    ours_seconds: list[float]
    peer_seconds: list[float]
    target: float
    at_most: bool = False
    limit: bool = False
    clock: str = "wall"
    memory: float | None = None
    peer_memory: float | None = None
    whole: bool = False
    most_memory: float | None = None
    note: str = ""
    failure: str = ""
    missing: bool = False

    @property
    def ratios(self) -> list[float]:
        """How many times quicker ours is in each repetition; with ``at_most``, how many slower."""
        pairs = zip(self.ours_seconds, self.peer_seconds, strict=False)
        return [ours / peer if self.at_most else peer / ours for ours, peer in pairs]

    @property
    def failed(self) -> str:
        """Why the row does not pass; empty where it does."""
        if self.failure:
            return self.failure
        ratio = median(self.ratios)
        if ratio > self.target if self.at_most else ratio < self.target:
            return "target missed"
        if self.most_memory and (self.memory or 0) > self.most_memory:
            return f"more than {self.most_memory:,.0f} MB"
        return ""

    @property
    def verdict(self) -> str:
        """Pass, FAIL with its reason, or that the peer is not installed."""
        if self.missing:
            return f"not run: {self.failure}"
        return f"FAIL: {self.failed}" if self.failed else "pass"


@dataclass(frozen=True, kw_only=True)
class Count:
    """Instructions of a job of ours at the small size, beside the stored ones."""

    job: str
    instructions: int
    stored: int | None

    @property
    def flagged(self) -> bool:
        """Whether it takes a fifth more than it did."""
        return self.stored is not None and self.instructions > FLAGGED * self.stored

    @property
    def text(self) -> str:
        """The count, beside the stored one where there is one."""
        count = f"{self.instructions / 1e6:,.1f} M"
        if self.stored is None:
            return count
        change = f"{self.instructions / self.stored - 1:+.0%}"
        return f"FLAGGED: {count}, {change}" if self.flagged else f"{count}, {change}"


def _processor() -> str:
    """Return the name of the processor, where the system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor())


def _versions() -> dict[str, str]:
    """Return the versions of what ours stands on and of peers, as far as they are installed."""
    found = {"python": platform.python_version()}
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


@dataclass(frozen=True, kw_only=True)
class Machine:
    """Where something was measured, and with which versions."""

    system: str = field(default_factory=platform.platform)
    processor: str = field(default_factory=_processor)
    cores: int = field(default_factory=lambda: len(os.sched_getaffinity(0)))
    versions: Mapping[str, str] = field(default_factory=_versions)


@dataclass(frozen=True, kw_only=True)
class Measured:
    """All that one bench found; ``failure`` says why there may be no rows."""

    name: str
    date: str
    rows: Sequence[Row] = ()
    caveats: Sequence[str] = ()
    failure: str = ""
    #: By the name of the job, at the small size.
    instructions: Mapping[str, int] = field(default_factory=dict)
    #: How they were counted, or why they were not.
    counter: str = "not counted"
    machine: Machine = field(default_factory=Machine)

    def write(self, folder: Path) -> None:
        """Put it in the place of what was measured before."""
        folder.mkdir(exist_ok=True)
        text = json.dumps(asdict(self), ensure_ascii=False, indent=1)
        (folder / f"{self.name}.json").write_text(text + "\n", "utf-8")

    def counts(self, stored: Measured | None) -> list[Count]:
        """Return instructions beside stored ones that were counted in the same way."""
        same = stored is not None and stored.counter == self.counter
        known = stored.instructions if same and stored is not None else {}
        return [
            Count(job=job, instructions=count, stored=known.get(job))
            for job, count in self.instructions.items()
        ]


def read(folder: Path) -> dict[str, Measured]:
    """Return what the files of a folder hold, by the name of the bench."""
    return {path.stem: _measured(json.loads(path.read_text("utf-8"))) for path in _files(folder)}


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.json"))


def _measured(data: Mapping[str, Any]) -> Measured:
    rows = [Row(**row) for row in data["rows"]]
    return Measured(**(dict(data) | {"rows": rows, "machine": Machine(**data["machine"])}))


COLUMNS = ("job", "peer", "ours", "ratio (spread)", "target", "peak memory", "instructions", "")


def lines(measured: Measured, counts: Iterable[Count]) -> list[tuple[str, ...]]:
    """Return the rows of a table; a job's instructions stand in the first of its rows."""
    if measured.failure:
        return [(measured.name, "", "", "", "", "", "", f"FAIL: {measured.failure}")]
    texts = {count.job: count.text for count in counts}
    found: list[tuple[str, ...]] = []
    for row in measured.rows:
        count = texts.pop(row.job, "")
        found.append((_job(row), row.peer, *_cells(row), count, row.verdict))
    return found


def _job(row: Row) -> str:
    """Name a job by its bench, itself and its size."""
    name = row.job if row.job == row.bench else f"{row.bench}: {row.job}"
    return f"{name}, {row.amount}" if row.amount else name


def _cells(row: Row) -> tuple[str, str, str, str]:
    target = f"{'≤' if row.at_most else '≥'} {row.target:g}x"
    if row.failure:
        return "", "", target, ""
    return seconds(median(row.ours_seconds)), spread(row), target, memory(row)


def seconds(value: float) -> str:
    """Write seconds in the unit that suits them.

    >>> seconds(0.0123), seconds(12.345)
    ('12.3 ms', '12.3 s')
    """
    if value >= 100:
        return f"{value:.0f} s"
    if value >= 1:
        return f"{value:.3g} s"
    return f"{1e3 * value:.3g} ms"


def spread(row: Row) -> str:
    """Write the median ratio and, in brackets, the least and the largest of the repetitions."""
    ratios = row.ratios
    return f"{_times(median(ratios))} ({_bare(min(ratios))}–{_bare(max(ratios))})"


def _times(ratio: float) -> str:
    return f"{_bare(ratio)}x"


def _bare(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.3g}"


def memory(row: Row) -> str:
    """Write the peak of ours, of the whole process or on top of what was held, and the peer's."""
    if row.memory is None:
        return ""
    sign = "" if row.whole else "+"
    peer = "" if row.peer_memory is None else f", peer {sign}{row.peer_memory:,.0f}"
    most = "" if row.most_memory is None else f" (≤ {row.most_memory:,.0f})"
    return f"{sign}{row.memory:,.0f} MB{most}{peer}"
