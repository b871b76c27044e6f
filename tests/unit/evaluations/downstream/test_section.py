from __future__ import annotations

import csv
import io
from collections.abc import Callable
from typing import Any

import pytest

from lydite.drawing.table import Table, render
from lydite.evaluations.catalogue import Shown, make_section
from lydite.evaluations.downstream.section import (
    classification,
    command_tables,
    flat_table,
    parsing,
    tagging,
)
from lydite.reports.page import render_report
from lydite.results.record import Result

Maker = Callable[..., Result]

EVALUATIONS = ("classification", "tagging", "parsing")
OTHERS = {
    "classification": {"majority": 0.4, "random_vectors": 0.45, "word_coverage": 0.9},
    "tagging": {"majority": 0.7, "random_vectors": 0.6, "known": 0.8, "unknown": 0.5},
    "parsing": {"las": 0.4, "left_branching": 0.3, "random_vectors": 0.35},
}
DETAILS: dict[str, dict[str, Any]] = {
    "classification": {
        "notes": ["few words"],
        "parts": [
            {
                "name": "",
                "classes": [
                    {"class": "bad", "test": 4, "taken_for": 0, "right": 0},
                    {"class": "good", "test": 6, "taken_for": 8, "right": 6},
                ],
            }
        ],
    },
    "tagging": {"tags": [{"tag": "NOUN", "test": 4, "taken_for": 5, "right": 3}]},
    "parsing": {
        "relations": [{"relation": "nsubj", "words": 4, "uas": 0.75, "las": 0.25}],
        "lengths": [{"length": "1", "words": 5, "uas": 0.8}],
    },
}


@pytest.fixture
def make_downstream(make_result: Maker) -> Maker:
    def make(evaluation: str = "classification", model: str = "a", **other: Any) -> Result:  # noqa: ANN401
        kind = evaluation.partition("(")[0]
        given = {
            "evaluation": evaluation,
            "metric": "uas" if kind == "parsing" else "accuracy",
            "resource": "mine.csv",
            "others": OTHERS[kind],
            "details": DETAILS[kind],
        }
        return make_result(model, **{**given, **other})

    return make


def nothing(_: Result) -> None:
    return None


def texts(made: Table) -> list[list[str]]:
    return [[cell.text for cell in row] for row in made.all_rows]


def test_classes_by_hand(make_downstream: Maker) -> None:
    results = [make_downstream(score=0.6), make_downstream(model="b", score=0.5)]
    scores, classes = classification(results, nothing).tables
    # good: 6 of 6 found, 6 of the 8 that are taken for it; bad is never said, so no precision.
    assert texts(classes) == [["good", "6", "1.000", "0.750"], ["bad", "4", "0.000", ""]]
    assert classes.caption == "mine.csv: classes, by a"
    assert [row[0] for row in texts(scores)] == ["a", "b"]
    assert texts(scores)[0][2] == "0.600 [0.550, 0.650]"
    assert "few words" in scores.notes


def test_folds_of_the_same_classes_are_added_up(make_downstream: Maker) -> None:
    part = DETAILS["classification"]["parts"][0]
    folds = [{**part, "name": f"fold_{i}"} for i in (1, 2, 3)]
    _, classes = classification([make_downstream(details={"parts": folds})], nothing).tables
    assert texts(classes) == [["good", "18", "1.000", "0.750"], ["bad", "12", "0.000", ""]]


def test_parts_with_classes_of_their_own_stand_apart(make_downstream: Maker) -> None:
    parts = [
        {"name": name, "classes": [{"class": each, "test": 2, "taken_for": 2, "right": 1}]}
        for name, each in (("sports", "hockey"), ("science", "space"))
    ]
    others = {**OTHERS["classification"], "sports": 0.9, "science": 0.8}
    result = make_downstream(details={"parts": parts}, others=others)
    scores, classes = classification([result], nothing).tables
    assert [row[:2] for row in texts(classes)] == [["sports", "hockey"], ["science", "space"]]
    titles = [column.title for column in scores.all_columns]
    assert [texts(scores)[0][titles.index(name)] for name in ("sports", "science")] == [
        "0.900",
        "0.800",
    ]
    assert "religion" not in titles


@pytest.mark.parametrize(
    ("evaluation", "key", "name"),
    [("tagging", "tags", "tag"), ("parsing", "relations", "relation")],
)
def test_what_is_rare_is_left_out_and_counted(
    make_downstream: Maker, evaluation: str, key: str, name: str
) -> None:
    (row,) = DETAILS[evaluation][key]
    count = "test" if key == "tags" else "words"
    many = [{**row, name: f"t{i}", count: i + 4} for i in range(25)]
    made = make_section(evaluation, [make_downstream(evaluation, details={key: many})], nothing)
    assert str(made.tables[1].notes[0]).startswith(f"Shown: 20 of 25 {key}")
    assert [row[0] for row in texts(made.tables[1])] == [f"t{i}" for i in range(24, 4, -1)]


def test_tags_relations_and_distances_by_hand(make_downstream: Maker) -> None:
    _, tags = tagging([make_downstream("tagging")], nothing).tables
    assert texts(tags) == [["NOUN", "4", "0.750", "0.600"]]
    _, relations, lengths = parsing([make_downstream("parsing")], nothing).tables
    assert texts(relations) == [["nsubj", "4", "0.750", "0.250"]]
    assert texts(lengths) == [["1", "5", "0.800"]]


@pytest.mark.parametrize("evaluation", EVALUATIONS)
@pytest.mark.parametrize(
    "details", [{}, {"parts": [], "tags": [], "relations": []}, {"parts": [{}]}]
)
def test_without_details_scores_are_told(
    make_downstream: Maker, evaluation: str, details: dict[str, Any]
) -> None:
    made = make_section(evaluation, [make_downstream(evaluation, details=details)], nothing)
    assert len(made.tables) == 1
    assert not made.notes


@pytest.mark.parametrize("evaluation", EVALUATIONS)
def test_without_further_scores_there_are_no_columns(
    make_downstream: Maker, evaluation: str
) -> None:
    (table,) = command_tables([make_downstream(evaluation, others={})], nothing, Shown())
    assert len(table.all_columns) == 5


def test_three_evaluations_are_three_tables_and_missing_scores_are_blank(
    make_downstream: Maker,
) -> None:
    results = [make_downstream(each) for each in EVALUATIONS]
    few = make_downstream(model="b", others={"majority": 0.4}, score=0.1)
    tables = command_tables([*results, few], nothing, Shown())
    assert [table.caption.partition(":")[0] for table in tables] == [
        "Classification",
        "Tagging",
        "Parsing",
    ]
    assert texts(tables[0])[1][3:6] == ["0.400", "", ""]
    for form in ("csv", "latex", "markdown"):
        assert all(render(table, form).strip() for table in tables)


def test_one_table_for_machines_has_all_evaluations(make_downstream: Maker) -> None:
    results = [make_downstream(each) for each in EVALUATIONS]
    rows = list(csv.DictReader(io.StringIO(render(flat_table(results), "csv"))))
    assert [row["evaluation"] for row in rows] == list(EVALUATIONS)
    assert [row["metric"] for row in rows] == ["accuracy", "accuracy", "uas"]
    assert [row["las"] for row in rows] == ["", "", "0.4"]
    assert [row["random_vectors"] for row in rows] == ["0.45", "0.6", "0.35"]


def test_parameters_stand_beside_the_data(make_downstream: Maker) -> None:
    (table,) = command_tables(
        [make_downstream("classification(scale=unit, folds=10)")], nothing, Shown()
    )
    assert texts(table)[0][1] == "mine.csv, scale=unit, folds=10"


def test_hostile_text_does_nothing(make_downstream: Maker, evil: tuple[str, ...]) -> None:
    row = {"test": 2, "taken_for": 1, "right": 1, "words": 2, "uas": 0.5, "las": 0.0}
    rows = [{**row, "class": n, "tag": n, "relation": n, "length": n} for n in evil]
    details = {
        "notes": list(evil),
        "missing": list(evil),
        "parts": [{"name": evil[0], "classes": rows}, {"name": evil[7], "classes": rows[1:]}],
        "tags": rows,
        "relations": rows,
        "lengths": rows,
    }
    models = [f"m{name}" for name in evil if name != "\ud800"]
    page = render_report(
        [make_downstream(each, m, details=details) for each in EVALUATIONS for m in models],
        [],
        title="hostile",
        suite_text=None,
        items=nothing,
    )
    page.encode()
    assert "could not be made" not in page
    for acting in ("<script", "<img", "\x1b", "\u202e", "</style><"):
        assert acting not in page
    assert "&lt;script&gt;alert(1)" in page
