"""The studies still run, and the pages show what they stored."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

from lydite.errors import ResourceError

ROOT = Path(__file__).parents[2]
NAMES = sorted(path.stem for path in (ROOT / "studies").glob("coverage_*.py"))


@pytest.fixture(autouse=True)
def studies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT))


@pytest.mark.parametrize("name", NAMES)
def test_intervals_still_hold_the_truth(name: str) -> None:
    """A short run of the simulation: no setting holds the truth clearly less often than 90 %."""
    coverage = importlib.import_module("studies.coverage")
    try:
        cells = coverage.simulate(name, samples=20, seed=1)
    except ResourceError as error:
        pytest.skip(f"real data are not at hand: {error.message}")
    assert cells
    for cell in cells:
        assert cell.holds, cell


@pytest.mark.parametrize("name", NAMES)
def test_what_is_stored_holds(name: str) -> None:
    coverage = importlib.import_module("studies.coverage")
    cells = coverage.read()[name]
    assert all(cell.holds for cell in cells)
    assert all(cell.samples >= 100 for cell in cells)


def test_no_seed_overturns_more_than_two_per_cent_of_verdicts() -> None:
    seeds = importlib.import_module("studies.seeds")
    assert all(row.flips <= 0.02 for row in seeds.read())


def test_a_row_of_two_seeds(tmp_path: Path) -> None:
    seeds = importlib.import_module("studies.seeds")
    suite = sys.modules["lydite.suite"]
    task = suite.Task(
        evaluation="similarity", resources=("starter-similarity",), models=("random(50)",)
    )
    two = suite.Suite(name="two", models=(), tasks=(task,), seeds=(0, 1))
    (row,) = seeds.study(two, out=tmp_path)
    assert (row.models, row.verdicts, row.overturned, row.spread) == (1, 1, 0, 0.0)
