"""How often intervals hold the truth: the rows that every ``coverage_*`` study returns, stored.

A study has a function ``cells(samples, seed)`` that draws data whose true score is known, takes
the interval that the evaluation itself would print, and counts how often it holds the truth.
"""

from __future__ import annotations

import importlib
import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
STORED = FOLDER / "stored"

#: What the coverage of an interval of 95 % should lie between.
LEAST, MOST = 0.90, 0.99


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One setting of a simulation, and how often the interval held the truth."""

    evaluation: str
    interval: str  # what it is the interval of, and how it is made
    setting: str
    size: str
    coverage: float  # the mean over all populations of this setting
    samples: int  # how many samples were drawn in all
    worst: float | None = None  # the least coverage of a single population
    remark: str = ""

    @property
    def holds(self) -> bool:
        """Whether the coverage is not below what is promised, as far as the samples can tell."""
        noise = 3 * math.sqrt(LEAST * (1 - LEAST) / self.samples)
        return self.coverage >= LEAST - noise


def names() -> list[str]:
    """Return the names of all studies."""
    return sorted(path.stem for path in FOLDER.glob("coverage_*.py"))


def simulate(name: str, *, samples: int, seed: int = 0) -> list[Cell]:
    """Run one study."""
    cells: list[Cell] = importlib.import_module(f"studies.{name}").cells(samples, seed)
    return cells


def read() -> dict[str, list[Cell]]:
    """Return the stored cells by study."""
    files = sorted(STORED.glob("coverage_*.json"))
    return {
        path.stem: [Cell(**cell) for cell in json.loads(path.read_text("utf-8"))] for path in files
    }


def store(name: str, cells: Sequence[Cell]) -> None:
    """Put the cells of a study in the place of those stored before."""
    text = json.dumps([_sparse(cell) for cell in cells], ensure_ascii=False, indent=1)
    (STORED / f"{name}.json").write_text(text + "\n", "utf-8")


def rows(cells: Iterable[Cell]) -> list[tuple[str, ...]]:
    """Return the cells as rows of a table: evaluation, interval, setting, size, coverage."""
    return [
        (
            cell.evaluation,
            cell.interval,
            cell.setting,
            cell.size,
            f"{cell.coverage:.3f}" + ("" if cell.worst is None else f" ({cell.worst:.3f})"),
            f"{cell.samples:,}",
            cell.remark or ("conservative" if cell.coverage > MOST else ""),
        )
        for cell in cells
    ]


def _sparse(cell: Cell) -> dict[str, object]:
    return {name: value for name, value in asdict(cell).items() if value not in {None, ""}}
