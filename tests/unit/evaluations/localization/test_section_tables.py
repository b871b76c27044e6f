from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars
import pytest

from lydite.drawing.table import Cell, Column, Table, render
from lydite.drawing.text import cut
from lydite.evaluations.localization.section import (
    agreement_table,
    confused_table,
    curve_table,
    first_sentences,
    group_cell,
    histogram_table,
    scores_table,
    worst_table,
)
from lydite.results.record import Result
from lydite.results.trials import trials

Maker = Callable[..., Result]

GOLD = ["1"] * 3 + ["2"] * 3 + ["3"] * 3


def answers(said: str, *, order: int = 1) -> polars.DataFrame:
    """An item table of nine sentences, s0 to s8, in three groups; a dot is no answer."""
    named = [None if char == "." else char for char in said]
    value = [float(one == other) for one, other in zip(named, GOLD, strict=True)]
    columns: dict[str, list[Any]] = {
        "item": [f"s{i}" for i in range(9)],
        "group": GOLD,
        "taken_for": named,
        "value": value,
    }
    return polars.DataFrame({name: column[::order] for name, column in columns.items()})


#: a is wrong about s2, s3, s4 and s8, b about s2, s3, s7 and s8. Both are wrong about s2 and s3,
#: which both take for the same, and s8, where b does not answer.
TABLES = {"a": answers("112132331"), "b": answers("11212232.")}


@pytest.fixture
def make(make_result: Maker) -> Maker:
    def result(model: str = "a", **other: Any) -> Result:  # noqa: ANN401
        given = {
            "evaluation": "localization",
            "metric": "svm",
            "resource": "mine.csv",
            "score": 0.5,
            "n_items": 9,
            "n_covered": 9,
        }
        return make_result(model, **{**given, **other})

    return result


def _texts(made: Table) -> list[list[str]]:
    return [[cell.text for cell in row] for row in made.all_rows]


def _load(result: Result) -> polars.DataFrame | None:
    return TABLES.get(result.model)


def test_scores_stand_beside_chance_and_geometry(make: Maker) -> None:
    others = {"centroid": 0.4, "neighbour": 0.3, "alignment": 0.25, "uniformity": -1.5}
    result = make(score=0.6, low=0.5, high=0.7, others=others, seed=7)
    made = scores_table([result, make("b", metric="centroid", seed=7)])
    columns, rows = made.for_people()
    assert [column.title for column in columns] == [
        *("model", "groups", "SVM", "centroid", "neighbour", "chance", "alignment", "uniformity"),
        "covered",
    ]
    assert [cell.text for cell in rows[0]][2:8] == [
        "0.600 [0.500, 0.700]",
        *("0.400", "0.300", "0.001", "0.250", "-1.500"),
    ]
    # Another accuracy leads, and the rest is not known.
    assert [cell.text for cell in rows[1]][2:5] == ["", "0.500 [0.450, 0.550]", ""]
    assert render(made, "csv").splitlines()[1].endswith(',9,9,"",7')


def test_models_stand_together_by_question(make: Maker) -> None:
    results = [make(model, resource=name) for model in "ab" for name in ("x.csv", "y.csv")]
    assert [row[:2] for row in _texts(scores_table(results))] == [
        ["a", "x.csv"],
        ["b", "x.csv"],
        ["a", "y.csv"],
        ["b", "y.csv"],
    ]


def test_what_all_models_tell_is_said_once(make: Maker) -> None:
    drawn, unsolved = "2 of 9 groups were drawn at random", "1 of 9 were not solved"
    results = [
        make("a", details={"notes": [drawn]}),
        make("b", details={"notes": [drawn, unsolved]}),
    ]
    assert list(scores_table(results).notes)[1:] == [
        f"mine.csv: {drawn}.",
        f"mine.csv, b: {unsolved}.",
    ]
    alone = scores_table(results[:1]).notes
    assert alone[1] == f"mine.csv, a: {drawn}."


def test_agreement_is_counted_where_both_are_wrong(make: Maker) -> None:
    (made,) = agreement_table([make("a"), make("b")], _load)
    assert _texts(made) == [
        ["a", "4", "1.00 (4/4)", "0.67 (2/3)"],
        ["b", "4", "0.67 (2/3)", "0.75 (3/4)"],
    ]
    assert "9 sentences" in str(made.notes[0])
    # For machines with the interval of Wilson: of 2 in 3, (2 + z^2/2 -+ z sqrt(2/3 + z^2/4)) /
    # (3 + z^2) with z = 1.96 is 0.208 to 0.939.
    cell = made.rows[0][3]
    assert isinstance(cell, Cell)
    assert cell.values[:2] == (2, 3)
    assert cell.values[2:] == pytest.approx((0.2077, 0.9385), abs=1e-4)


def test_models_that_share_no_mistake_have_no_agreement(make: Maker) -> None:
    tables = {"a": answers("112222333"), "b": answers("111222331")}
    (made,) = agreement_table([make("a"), make("b")], lambda result: tables[result.model])
    assert [row[2:] for row in _texts(made)] == [["1.00 (1/1)", "none"], ["none", "1.00 (1/1)"]]


def test_tables_about_other_sentences_are_left_out(make: Maker) -> None:
    tables = {**TABLES, "c": answers("111222333", order=-1), "d": answers("1" * 9).head(5)}
    results = [make(model) for model in "abcd"]
    (made,) = agreement_table(results, lambda result: tables[result.model])
    assert [row[0] for row in _texts(made)] == ["a", "b"]
    assert agreement_table(results[1:], lambda result: tables[result.model]) == []


def _confused(one: str, other: str, times: int, *examples: str | None) -> dict[str, Any]:
    return {
        "groups": [one, other],
        "times": times,
        "forwards": times,
        "backwards": 0,
        "examples": list(examples),
    }


def test_confused_groups_are_sorted_by_all_models(make: Maker) -> None:
    results = [
        make("a", score=0.1, details={"confused": [_confused("1", "2", 3, "s2", "s3")]}),
        make(
            "b",
            score=0.2,
            details={
                "confused": [
                    _confused("2", "3", 4, "s5", None),
                    _confused("1", "2", 2, None, "s4"),
                ]
            },
        ),
    ]
    (made,) = confused_table(results, _load)
    assert [column.title for column in made.all_columns] == ["one group", "the other", "b", "a"]
    # Of 1 only the worse model mistook a sentence, of 3 none did.
    assert _texts(made) == [["1: s2", "2: s4", "2", "3"], ["2: s5", "3, such as: s6", "4", ""]]
    assert _texts(confused_table(results)[0])[1][1] == "3"
    assert confused_table([make()]) == []


def test_of_many_models_the_best_are_shown(make: Maker) -> None:
    details = {"confused": [_confused("1", "2", 3, "s2", "s3")]}
    results = [make(f"m{i}", score=i / 10, details=details) for i in range(9)]
    (made,) = confused_table(results)
    assert [column.title for column in made.all_columns][2:] == [f"m{i}" for i in range(8, 2, -1)]
    assert made.notes[-1] == "Shown: 6 of 9 models, the best."


def test_the_least_recognised_groups_come_first(make: Maker) -> None:
    told = {
        "group": "2",
        "accuracy": 0.25,
        "taken_for": "1",
        "times": 2,
        "example": "s3",
        "returned": "s1",
    }
    results = [make("a", score=0.9, details={"groups": [told]}), make("b", score=0.8)]
    (trial,) = trials(results)
    (made,) = worst_table(trial, _load)
    # a is right about 2, 1 and 2 of three, b about 2, 2 and 1.
    assert _texts(made) == [
        ["2: s3", "0.33", "0.67", "1: s1", "2"],
        ["3, such as: s6", "0.67", "0.33", "", ""],
        ["1, such as: s0", "0.67", "0.67", "", ""],
    ]


def test_groups_that_are_always_recognised_are_not_told(make: Maker) -> None:
    (trial,) = trials([make("a")])
    assert worst_table(trial, lambda _: answers("111222333")) == []
    (made,) = worst_table(trial, lambda _: answers("111222331"))
    assert [row[0] for row in _texts(made)] == ["3, such as: s6"]


def test_hundreds_of_groups_are_cut(make: Maker) -> None:
    rows = [{"group": f"g{i}", "accuracy": i / 400} for i in range(300)]
    (trial,) = trials([make("a", details={"groups": rows})])
    (made,) = worst_table(trial, lambda _: None)
    assert [row[0] for row in _texts(made)] == [f"g{i}" for i in range(15)]


def test_sizes_are_told_once_a_set(make: Maker) -> None:
    details = {"histogram": {"10": 1, "3": 36}, "changes": {"duplicates dropped": 9}}
    made = histogram_table([make("a", details=details), make("b", seed=1, details=details)])
    assert [_texts(each) for each in made] == [[["3", "36"], ["10", "1"]]]
    assert [str(note).endswith("duplicates dropped: 9.") for note in made[0].notes] == [True]


def test_sets_of_one_name_are_told_apart(make: Maker) -> None:
    results = [
        make("a", seed=seed, details={"histogram": {"3": count}})
        for seed, count in ((0, 36), (1, 35))
    ]
    assert [each.caption for each in histogram_table(results)] == [
        "mine.csv, seed 0: sizes of groups",
        "mine.csv, seed 1: sizes of groups",
    ]


def test_long_sentences_are_cut_for_people_alone() -> None:
    cell = group_cell("1", "word " * 100, None)
    assert len(cell.text) < 170
    assert cell.text.endswith("word…")
    assert cell.values == ("1", "word " * 100)
    assert cut("short") == "short"


def test_the_first_sentence_stands_for_a_group(make: Maker) -> None:
    found = first_sentences([make("unknown"), make("a")], _load)
    assert found == {"1": "s0", "2": "s3", "3": "s6"}
    assert first_sentences([make("unknown")], _load) == {}


def test_long_names_of_models_are_short_above_numbers(make: Maker) -> None:
    model = "pv-dbow(folder/paragraphs.safetensors)"
    (made,) = confused_table(
        [make(model, details={"confused": [_confused("1", "2", 3, "s", None)]})]
    )
    column = made.all_columns[-1]
    assert len(column.title) == 20
    assert column.fields == (model,)


CURVE: list[dict[str, Any]] = [
    {"examples": 1, "accuracy": 0.25, "low": 0.1, "high": 0.5, "groups": 3},
    {"examples": 2, "accuracy": 0.5, "low": None, "high": None, "groups": 2},
    {"examples": None, "accuracy": 0.75, "low": 0.5, "high": 0.9, "groups": 3},
]


def test_a_curve_stands_row_by_row(make: Maker) -> None:
    other = [{**point, "accuracy": point["accuracy"] / 2} for point in CURVE[:1]]
    results = [
        make("worse", score=0.4, details={"curve": other}),
        make("better", score=0.75, details={"curve": CURVE}),
        make("without", score=0.6),
    ]
    (made,) = curve_table(results)
    assert [column.title for column in made.columns if isinstance(column, Column)] == [
        *("training sentences per group", "groups that have as many", "better", "worse"),
    ]
    assert _texts(made) == [
        ["at most 1", "3", "0.250 [0.100, 0.500]", "0.125 [0.100, 0.500]"],
        ["at most 2", "2", "0.500", ""],
        ["all", "3", "0.750 [0.500, 0.900]", ""],
    ]
    assert curve_table(results[2:]) == []
