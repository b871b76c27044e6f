from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lydite.evaluations.nonces.section import scores_table, section
from lydite.results.record import Result

DEFINITIONS = {
    "file": "definitions.txt",
    "words": 400_000,
    "problems": {},
    "definitions": [
        {"word": "honey", "rank": 1.0, "nearest": ["honey", "fruit"]},
        {"word": "<b>", "rank": 18653.0, "nearest": ["heavy", "warning"]},
    ],
}
CHIMERAS = {
    "file": "l2.txt",
    "words": 400_000,
    "problems": {"sentences without ___": 3},
    "chimeras": [
        {"chimera": "62", "spearman": 0.5, "people": ["drum", "bolt"], "learner": ["bolt", "drum"]}
    ],
}


def _result(make_result: Callable[..., Result], model: str, **other: Any) -> Result:  # noqa: ANN401
    given = {"evaluation": "nonces", "metric": "mrr", "resource": "starter-definitions", **other}
    return make_result(model, **given)


def test_words_are_told_with_their_ranks(make_result: Callable[..., Result]) -> None:
    given = {"details": DEFINITIONS, "others": {"median_rank": 747.5}}
    made = section(
        [
            _result(make_result, "worse", score=0.1, **given),
            _result(make_result, "better", score=0.2, **given),
        ],
        lambda _: None,
    )
    words, further = made.tables
    assert "better" in words.caption
    cells = [[cell.text for cell in row] for row in words.all_rows]
    assert cells == [["honey", "1", "honey, fruit"], ["<b>", "18,653", "heavy, warning"]]
    assert [column.title for column in further.all_columns][-1] == "median rank"
    assert "1/rank" in made.how_to_read
    assert "chimera" not in made.how_to_read
    assert made.notes == []


def test_chimeras_are_told_in_both_orders(make_result: Callable[..., Result]) -> None:
    result = _result(make_result, "a", metric="mean_spearman", details=CHIMERAS)
    made = section([result], lambda _: None)
    (table,) = made.tables
    assert [cell.text for cell in table.all_rows[0]] == ["62", "0.500", "drum, bolt", "bolt, drum"]
    (note,) = made.notes
    assert note.startswith("l2.txt")
    assert "sentences without ___ (3)" in note
    assert "chimera" in made.how_to_read


def test_results_without_details_still_have_scores(make_result: Callable[..., Result]) -> None:
    made = section([_result(make_result, "a")], lambda _: None)
    assert len(made.figures) == 1
    assert list(made.tables) == []


def test_the_median_rank_stands_beside_the_score(make_result: Callable[..., Result]) -> None:
    known = _result(make_result, "a", others={"median_rank": 3758.5})
    table = scores_table([known, _result(make_result, "b")])
    place = [column.title for column in table.all_columns].index("median rank")
    assert [row[place].text for row in table.all_rows] == ["3,758.5", ""]
    assert "median rank" not in [
        column.title for column in scores_table([_result(make_result, "b")]).all_columns
    ]
