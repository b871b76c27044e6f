from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lydite.drawing.table import FORMATS, Table, as_cell, render
from lydite.evaluations.consistency.tables import terms_by_trust, texts, trust_table
from lydite.results.record import Result

Maker = Callable[..., Result]
Details = Callable[..., dict[str, Any]]


def _column(table: Table, place: int) -> list[str]:
    return [as_cell(row[place]).text for row in table.rows]


def test_terms_are_sorted_by_trust_and_judged(make_learnt: Maker) -> None:
    (table,) = trust_table([make_learnt()])
    assert _column(table, 1) == ["matter", "mind", "rest"]
    assert _column(table, 2) == ["trust", "doubt", "do not trust"]
    assert _column(table, 3) == ["10", "11", "12"]
    assert _column(table, 5) == ["1.000 (1.0)", "0.500 (2.0)", "0.100 (10.0)"]
    assert _column(table, 6) == ["0.950", "0.925", "0.905"]
    assert "0.8" in str(table.notes[0])
    for form in FORMATS:
        assert "matter" in render(table, form)


def test_of_equal_terms_the_one_with_more_sentences_comes_first(
    make_learnt: Maker, make_term_details: Details
) -> None:
    (table,) = trust_table([make_learnt(details=make_term_details({"few": 1.0, "more": 1.0}))])
    assert _column(table, 1) == ["more", "few"]


def test_the_verdict_on_several_learners_is_on_their_mean(
    make_learnt: Maker, make_term_details: Details
) -> None:
    results = [
        make_learnt("additive(a)", details=make_term_details({"mind": 1.0, "rest": 0.1})),
        make_learnt("nonce2vec(a)", details=make_term_details({"mind": 0.1, "only": 0.9})),
    ]
    (table,) = trust_table(results)
    # only: 0.9; mind: (1.0 + 0.1) / 2 = 0.55; rest: 0.1
    assert _column(table, 1) == ["only", "mind", "rest"]
    assert _column(table, 2) == ["trust", "doubt", "do not trust"]
    assert _column(table, 5) == ["", "1.000 (1.0)", "0.100 (10.0)"]
    assert [as_cell(row[7]).tone for row in table.rows] == ["plain", "warning", "plain"]


def test_what_chance_gives_is_not_trusted(make_learnt: Maker) -> None:
    (text,) = texts([make_learnt(others={"identification_chance": 0.6})])
    assert [row.verdict for row in terms_by_trust(text)] == [
        "trust",
        "do not trust",
        "do not trust",
    ]


def test_of_many_terms_the_best_and_the_worst_are_shown(
    make_learnt: Maker, make_term_details: Details
) -> None:
    many = {f"t{i:02d}": 1 / (i + 1) for i in range(40)}
    result = make_learnt(details=make_term_details(many))
    (table,) = trust_table([result])
    assert _column(table, 0) == [str(i) for i in (*range(1, 16), *range(26, 41))]
    assert "the 15 most and the 15 least consistent of 40" in str(table.notes[1])
    assert len(trust_table([result], most=None)[0].rows) == 40


def test_results_without_terms_have_no_table(make_learnt: Maker) -> None:
    assert trust_table([make_learnt(details={})]) == []
