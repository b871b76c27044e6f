from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable
from typing import Any

import polars
import pytest

from lydite.drawing.table import Table
from lydite.evaluations.catalogue import make_section
from lydite.evaluations.separation.section import section
from lydite.reports.page import render_report
from lydite.results.record import Result

Maker = Callable[..., Result]

CURVES: dict[str, Any] = {
    "curve": [[0.0, 0.0], [0.0, 0.5], [0.5, 1.0], [1.0, 1.0]],
    "densities": {"edges": [0.0, 0.5, 1.0], "high": [0.25, 0.75], "low": [0.5, 0.5]},
    "missing": [],
}


def pair(name: str, area: float = 0.6, relation: str = "acquires") -> dict[str, Any]:
    return {
        "relation": relation,
        "pair": name,
        "expressing": 14,
        "sentences": 30,
        "auc": area,
        "low": area - 0.05,
        "high": area + 0.05,
        "chance_low": 0.4,
        "chance_high": 0.61,
    }


def phenomenon(name: str, area: float, **other: Any) -> dict[str, Any]:  # noqa: ANN401
    return {
        "phenomenon": name,
        "similar": 30,
        "dissimilar": 30,
        "similar_score": 0.9,
        "dissimilar_score": 0.8,
        "auc": area,
        "low": area - 0.05,
        "high": area + 0.05,
        "example": ["He left.", "He did not leave.", "L"],
        **other,
    }


def question(text: str, rank: float) -> dict[str, Any]:
    return {"question": text, "rank": rank, "answer": "It is.", "first": "It is not."}


DETAILS: dict[str, dict[str, Any]] = {
    "relation": {
        **CURVES,
        "task": "relation",
        "pairs": [pair("A / B"), pair("C / D", 0.5)],
        "left_out": {"E / F": "1 sentences express acquires and 9 do not; 3 of either are needed"},
    },
    "qa": {
        **CURVES,
        "task": "qa",
        "subset": {"model": "overlap", "questions": 7},
        "notes": [],
        "forms": [
            {"kind": "active", "questions": 5, "score": 0.7},
            {"kind": "passive", "questions": 4, "score": 0.6},
        ],
        "domains": [{"kind": "history", "questions": 9, "score": 0.65}],
        "worst": [question("Why?", 0.0), question("Is it?", 1.0)],
    },
    "pairs": {
        **CURVES,
        "task": "pairs",
        "phenomena": [phenomenon("passive", 0.3), phenomenon("negation", 0.8)],
    },
}


@pytest.fixture
def make(make_result: Maker) -> Maker:
    def result(model: str = "overlap", task: str = "pairs", **other: Any) -> Result:  # noqa: ANN401
        given = {
            "evaluation": "separation",
            "metric": "norm_rank" if task == "qa" else "auc",
            "resource": f"{task}.tsv",
            "score": 0.6,
            "oov": "zero",
            "others": {"subset": 0.4} if task == "qa" else {},
            "details": DETAILS[task],
        }
        return make_result(model, **{**given, **other})

    return result


def _nothing(_: Result) -> None:
    return None


def _texts(made: Table) -> list[list[str]]:
    return [[cell.text for cell in row] for row in made.all_rows]


def test_three_kinds_of_data_have_everything(make: Maker) -> None:
    results = [
        make(model, task) for task in ("relation", "qa", "pairs") for model in ("overlap", "usem3")
    ]
    made = section(results, _nothing)
    # Of each task scores and densities, then the curves, then what is broken down.
    tasks = ["relation", "relation", "qa", "qa", "pairs", "pairs", "relation", "qa", "pairs"]
    shown = [re.split(r"\.tsv[.:] ", figure.caption) for figure in made.figures]
    assert [task for task, _ in shown] == [*tasks, "relation", "pairs"]
    assert [said.partition(" ")[0] for _, said in shown] == [
        *("Grey:", "the") * 3,
        *("ROC",) * 3,
        *("AUC", "AUC"),
    ]
    assert [each.caption.partition(".")[0] for each in made.tables] == [
        *("relation", "relation", "qa", "qa", "qa", "pairs", "pairs", "Further scores"),
    ]


def test_one_model_is_enough(make: Maker) -> None:
    made = section([make("usem3")], _nothing)
    assert len(made.figures) == 4
    assert not any(
        said in each.caption for each in made.figures for said in ("the best", "the mean")
    )


def test_results_without_details_have_their_scores(make: Maker) -> None:
    made = section([make(details={}), make("usem3", details={})], _nothing)
    assert len(made.figures) == 1
    assert list(made.tables) == []


def test_each_seed_is_drawn_by_itself(make: Maker) -> None:
    results = [make(model, seed=seed) for seed in (3, 4) for model in ("overlap", "usem3")]
    captions = [figure.caption for figure in section(results, _nothing).figures]
    assert sum("seed 3" in each for each in captions) == 4
    assert sum("seed 4" in each for each in captions) == 4


def test_what_is_left_out_is_told(make: Maker) -> None:
    lacking = {**DETAILS["pairs"], "missing": ["Xyzzy, or plugh / " + "x" * 200]}
    notes = section(
        [
            make("usem3", "relation"),
            make("overlap", "qa"),
            make("usem3", details=lacking, n_covered=90),
        ],
        _nothing,
    ).notes
    assert notes[0].startswith("relation.tsv: lemma overlap is not among the models")
    assert any("E / F is left out: 1 sentences express acquires" in note for note in notes)
    assert any(note.startswith("qa.tsv: subset: the 7 questions that overlap") for note in notes)
    (covered,) = [note for note in notes if "lacks 10 of 100" in note]
    assert "“Xyzzy, or plugh / x" in covered
    assert len(covered) < 250


def test_why_there_is_no_subset_is_told_once(make: Maker) -> None:
    reason = "the subset where overlap is not perfect is left out: no packages"
    details = {**DETAILS["qa"], "subset": None, "notes": [reason]}
    results = [make(model, "qa", details=details) for model in ("a", "b")]
    notes = section(results, _nothing).notes
    assert [note for note in notes if "packages" in note] == [f"qa.tsv: {reason}."]


def test_models_no_better_than_shared_words_are_named(make: Maker) -> None:
    results = [
        make("overlap", score=0.6),
        make("overlap(lemmas=none)", score=0.5),
        make("mean(a)", score=0.6),
        make("hybrid(overlap, mean(a))", score=0.55),
        make("usem3", score=0.7),
    ]
    note = section(results, _nothing).notes[0]
    assert "no better than lemma overlap (0.600)" in note
    assert note.endswith(": mean(a) (0.600), hybrid(overlap, mean(a)) (0.550).")


def test_the_section_is_registered_and_reads_plainly(make: Maker) -> None:
    made = make_section("separation", [make()], _nothing)
    assert made.title.startswith("Separation: ")
    for word in ("AUC", "0.5", "Below 0.5", "normalized rank", "Lemma overlap", "subset", "Mixed"):
        assert word in made.how_to_read


def test_hostile_text_does_nothing(make: Maker, evil: tuple[str, ...]) -> None:
    hostile: dict[str, dict[str, Any]] = {
        "relation": {
            "pairs": [pair(name, relation=name) for name in evil],
            "left_out": dict.fromkeys(evil, evil[0]),
        },
        "qa": {
            "notes": list(evil),
            "subset": {"model": evil[0], "questions": 1},
            "forms": [{"kind": name, "questions": 1, "score": 0.5} for name in evil],
            "worst": [{**question(name, 0.0), "answer": name, "first": name} for name in evil],
        },
        "pairs": {
            "phenomena": [phenomenon(name, 0.5, example=[name, name * 99, "H"]) for name in evil]
        },
    }
    items = polars.DataFrame(
        {"question": [evil[0]], "answer": [evil[0]], "value": [0.5], "item": ["0"]}
    )
    models = [*(f"m{name}" for name in evil if name != "\ud800"), "overlap", "x" * 500]
    page = render_report(
        [
            make(
                model,
                task,
                details={**DETAILS[task], **more, "missing": list(evil)},
                n_covered=50,
                score=0.9 - 0.01 * place,
            )
            for task, more in hostile.items()
            for place, model in enumerate(models)
        ],
        [],
        title="hostile",
        suite_text=None,
        items=lambda _: items,
    )
    page.encode()
    assert "could not be made" not in page
    for acting in ("<script", "<img", "\x1b", "\u202e", "</style><"):
        assert acting not in page
    assert "&lt;script&gt;alert(1)" in page


def test_worst_questions_show_the_ranks_of_other_models(make: Maker) -> None:
    table = polars.DataFrame(
        {"question": ["Why?", "Why?"], "answer": ["Other.", "It is."], "value": [0.1, 0.75]}
    )
    results = [make("usem3", "qa", score=0.9), make("overlap", "qa")]
    made = section(results, lambda result: table if result.model == "overlap" else None)
    (worst,) = [each for each in made.tables if "worst" in each.caption]
    # The question that comes out perfectly is not among the worst.
    assert _texts(worst) == [["Why?", "It is.", "It is not.", "0.000", "0.750"]]
    blank = section(results, _nothing)
    (worst,) = [each for each in blank.tables if "worst" in each.caption]
    assert _texts(worst)[0][-1] == ""


def test_perfect_answers_leave_no_worst_questions(make: Maker) -> None:
    details = {**DETAILS["qa"], "worst": [question("Is it?", 1.0)]}
    made = section([make("usem3", "qa", details=details)], _nothing)
    assert not [each for each in made.tables if "worst" in each.caption]


def test_a_result_read_back_reads_the_same(make: Maker) -> None:
    for task in DETAILS:
        result = make("usem3", task)
        again = Result.from_plain(json.loads(result.to_json()))
        assert dataclasses.asdict(section([again], _nothing)) == dataclasses.asdict(
            section([result], _nothing)
        )
