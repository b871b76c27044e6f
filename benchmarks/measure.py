"""What the benchmarks share: timing side by side, peak memory, a table and a JSON file."""

from __future__ import annotations

import gzip
import json
import os
import platform
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from statistics import median

import numpy as np

OUT = Path(__file__).parent / "out"

#: Where ``LYDITE_DATA`` has the Wikipedia sample.
_SAMPLE = "corpora/wikipedia-2014-20m.txt.gz"


@dataclass(frozen=True, kw_only=True)
class Row:
    """One job, ours beside the peer's.

    ``target`` is the least ratio peer/ours that is asked for, or with ``at_most`` the largest
    ratio ours/peer.
    """

    job: str
    peer: str
    ours_seconds: float
    peer_seconds: float
    target: float
    at_most: bool = False
    memory: str = ""
    memory_met: bool = True
    note: str = ""

    @property
    def ratio(self) -> float:
        """How many times quicker ours is, or with ``at_most`` how many times slower."""
        quotient = self.peer_seconds / self.ours_seconds
        return 1 / quotient if self.at_most else quotient

    @property
    def met(self) -> bool:
        """Whether the targets are reached."""
        return self.memory_met and self._quick_enough

    @property
    def _quick_enough(self) -> bool:
        return self.ratio <= self.target if self.at_most else self.ratio >= self.target

    def line(self) -> str:
        """Return the row as text."""
        sign = "at most" if self.at_most else "at least"
        verdict = "met" if self.met else "MISSED"
        return (
            f"{self.job:<42} {self.ours_seconds:>10.4f} s {self.peer_seconds:>10.4f} s "
            f"{self.ratio:>9.2f}x  {sign} {self.target:g}x: {verdict}"
            + (
                f"\n    peer: {self.peer}; {self.memory}"
                if self.memory
                else f"\n    peer: {self.peer}"
            )
            + (f"\n    {self.note}" if self.note else "")
        )


@dataclass(frozen=True, kw_only=True)
class Machine:
    """Where the numbers were measured."""

    system: str = field(default_factory=platform.platform)
    processor: str = field(default_factory=platform.processor)
    cores: int = field(default_factory=lambda: os.cpu_count() or 1)
    versions: dict[str, str] = field(
        default_factory=lambda: {
            "python": platform.python_version(),
            **{name: version(name) for name in ("lydite", "numpy", "scipy", "numba", "gensim")},
        }
    )


def side_by_side(
    ours: Callable[[], object], peer: Callable[[], object], *, repeats: int
) -> tuple[float, float]:
    """Time two jobs in turns and return the median seconds of each, after one warm-up."""
    times: tuple[list[float], list[float]] = ([], [])
    for turn in range(repeats + 1):
        for job, kept in zip((ours, peer), times, strict=True):
            start = time.perf_counter()
            job()
            if turn:
                kept.append(time.perf_counter() - start)
    return median(times[0]), median(times[1])


def in_process(code: str, *arguments: str, **environment: str) -> tuple[float, float]:
    """Run code in a fresh interpreter; it must set ``seconds``. Returns seconds and peak MB."""
    # ru_maxrss would start from the size of this process; VmHWM is the new program's own.
    script = (
        "import re, sys, time\nfrom pathlib import Path\n" + code + "\n"
        "status = Path('/proc/self/status').read_text()\n"
        "peak = int(re.search(r'VmHWM:\\s+(\\d+) kB', status)[1]) / 1e3\n"
        "print(f'{seconds} {peak}')"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | environment,
    )
    seconds, peak = done.stdout.split()[-2:]
    return float(seconds), float(peak)


def peak_of_both() -> str:
    """Say how much memory this process, with both sides in it, has had at most."""
    kilobytes = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    return f"peak of the process with both: {int(kilobytes[1]) / 1e3:.0f} MB" if kilobytes else ""


def publish(name: str, rows: list[Row], caveats: list[str]) -> bool:
    """Print the rows, write them as JSON, and tell whether all targets are met."""
    print(f"\n{name}\n{'job':<42} {'ours':>12} {'peer':>12} {'ratio':>10}")
    for row in rows:
        print(row.line())
    for caveat in caveats:
        print(f"  note: {caveat}")
    OUT.mkdir(exist_ok=True)
    data = {
        "rows": [asdict(row) | {"ratio": row.ratio, "met": row.met} for row in rows],
        "caveats": caveats,
        "machine": asdict(Machine()),
    }
    (OUT / f"{name}.json").write_text(json.dumps(data, indent=1) + "\n")
    return all(row.met for row in rows)


def glove_text(path: Path) -> Path:
    """Write the embedded default as a word2vec text file of 400,000 x 50, five digits a number."""
    from lydite.models.catalogue import load

    space = load("glove-6b-50d")
    words = list(space.vocabulary)
    with path.open("w", encoding="utf-8") as file:
        file.write(f"{len(space)} {space.dim}\n")
        for word, row in zip(words, np.asarray(space.vectors).tolist(), strict=True):
            file.write(f"{word} {' '.join([format(x, '.5g') for x in row])}\n")
    return path


def first_words(path: Path, count: int, *, lower: bool = False) -> None:
    """Write so many words, in lines: the first of the Wikipedia sample, or drawn by Zipf's law."""
    with path.open("w", encoding="utf-8") as file:
        for line in _lines():
            words = (line.lower() if lower else line).split()[:count]
            file.write(" ".join(words) + "\n")
            count -= len(words)
            if not count:
                return


def _lines() -> Iterator[str]:
    sample = Path(os.environ.get("LYDITE_DATA", "")) / _SAMPLE
    if sample.is_file():
        with gzip.open(sample, "rt", encoding="utf-8") as lines:
            yield from lines
    generator = np.random.default_rng(0)
    while True:
        yield " ".join(f"w{number}" for number in generator.zipf(1.2, 30) % 1_000_000)
