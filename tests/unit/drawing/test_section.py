from __future__ import annotations

from collections.abc import Callable

from lydite.drawing.section import further_scores, missing_notes
from lydite.drawing.section import plain_section as section
from lydite.drawing.table import render
from lydite.results.record import Result
from lydite.results.trials import trials


def test_an_evaluation_without_a_section_gets_a_picture_a_resource(
    make_result: Callable[..., Result],
) -> None:
    made = section(
        [
            make_result("a", evaluation="of-a-plugin", metric="points", score=12.0),
            make_result("b", evaluation="of-a-plugin", metric="points", score=9.0),
            make_result("a", evaluation="of-a-plugin", metric="points", resource="mine.tsv"),
        ],
        lambda _: None,
    )
    assert made.title == "of-a-plugin"
    assert [figure.caption.partition(".")[0] for figure in made.figures] == [
        "Lydite starter similarity",
        "mine",
    ]
    assert "12.000" in made.figures[0].svg
    assert "null baseline" in made.how_to_read


def test_further_scores_stand_in_one_table(make_result: Callable[..., Result]) -> None:
    results = [
        make_result("a", others={"pearson": 0.25, "dimensions": 50.0}),
        make_result("b", others={"pearson": -0.5}),
    ]
    (table,) = further_scores(trials(results))
    assert render(table, "markdown").splitlines()[2:] == [
        "| model | resource | Pearson r | dimensions |",
        "| :--- | :--- | ---: | ---: |",
        "| a | Lydite starter similarity | 0.250 | 50 |",
        "| b | Lydite starter similarity | -0.500 |  |",
    ]
    assert further_scores(trials([make_result()])) == []


def test_missing_items_are_counted_and_some_named(make_result: Callable[..., Result]) -> None:
    missing = {"missing": [f"w{i}" for i in range(10)]}
    notes = missing_notes(
        [
            make_result("a", n_covered=60, details=missing),
            make_result("a", n_covered=60, details=missing),
            make_result("b"),
        ]
    )
    assert notes == [
        "a covers 60.0\u00a0% of starter-similarity; it lacks 40 of 100 items, such as "
        "w0, w1, w2, w3, w4. Out-of-vocabulary policy: skip."
    ]
