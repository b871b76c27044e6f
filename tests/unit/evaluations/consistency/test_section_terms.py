from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from lydite.drawing.table import FORMATS, Table, as_cell, render
from lydite.evaluations.consistency.tables import (
    decided,
    plan_tables,
    terms_table,
    texts,
    verdicts_table,
)
from lydite.results.record import Result

Maker = Callable[..., Result]
Details = Callable[..., dict[str, Any]]


def _column(table: Table, place: int) -> list[str]:
    return [as_cell(row[place]).text for row in table.rows]


def test_what_is_decided_is_told_first_and_what_the_others_need(make_judged: Maker) -> None:
    table = verdicts_table([make_judged()])
    assert table is not None
    (row,) = [[as_cell(cell).text for cell in row] for row in table.rows]
    # matter 1.0 is consistent, rest 0.1 is not, mind 0.5 is undecided and needs 70.
    assert row[2:7] == ["1", "1", "1", "70 / 70", "0.500 [0.450, 0.550]"]
    assert "0.5 %" in row[7]
    assert "four of five" in str(table.notes[0])


def test_terms_come_with_verdict_interval_and_need(make_judged: Maker) -> None:
    (table,) = terms_table([make_judged()])
    assert "1 consistent, 1 not consistent, 1 undecided" in table.caption
    assert _column(table, 1) == ["matter", "mind", "rest"]
    assert _column(table, 3) == ["consistent", "undecided", "not consistent"]
    assert _column(table, 4)[1] == "0.500 [0.300, 0.600]"
    # Only what is undecided needs more.
    assert _column(table, 5) == ["", "70", ""]
    for form in FORMATS:
        assert "matter" in render(table, form)


def test_of_several_learners_each_has_its_verdict(
    make_judged: Maker, make_judged_details: Details
) -> None:
    results = [
        make_judged("additive(a)", score=0.6, details=make_judged_details({"mind": 0.9})),
        make_judged("nonce2vec(a)", details=make_judged_details({"mind": 0.1, "only": 0.9})),
    ]
    (table,) = terms_table(results)
    assert _column(table, 1) == ["mind", "only"]
    assert _column(table, 3) == ["consistent", ""]
    assert _column(table, 6) == ["not consistent", "consistent"]


def test_the_first_of_many_terms_are_shown(
    make_judged: Maker, make_judged_details: Details
) -> None:
    many = {f"t{i:02d}": 1 / (i + 1) for i in range(40)}
    result = make_judged(details=make_judged_details(many))
    (table,) = terms_table([result])
    assert _column(table, 0) == [str(i) for i in range(1, 31)]
    assert "the first 30 of 40" in str(table.notes[0])
    assert len(terms_table([result], most=None)[0].rows) == 40
    ((_, learner),) = texts([result])[0].learners.items()
    assert decided(learner) == "1 consistent, 35 not consistent, 4 undecided"


def test_a_plan_tells_sentences_and_words_of_text(make_judged: Maker) -> None:
    of_words, of_terms = plan_tables([make_judged()])
    middling = [as_cell(cell) for cell in of_words.rows[1]]
    r = middling[1].values[0]
    assert isinstance(r, float)
    # R = .5 takes (1 - r) / r blocks of 1.5 sentences, .8 four times as many, as does a verdict.
    assert middling[2].values[0] == pytest.approx(1.5 * (1 - r) / r)
    assert middling[4].values[0] == pytest.approx(4 * 1.5 * (1 - r) / r)
    assert middling[6].values[0] == pytest.approx(middling[4].values[0])
    # mind has 11 sentences in 10,000 words, and needs 70.
    assert [as_cell(cell).text for cell in of_terms.rows[1]] == [
        "mind",
        "undecided",
        "11",
        "70",
        "59",
        "63,636",
        "6.4",
        # .9 takes 9 times the blocks of .5, a verdict 4 times: 70 * 9 / 4.
        "158",
    ]


def test_by_the_paper_s_procedure_nothing_is_decided(make_learnt: Maker) -> None:
    assert verdicts_table([make_learnt()]) is None
    assert plan_tables([make_learnt()]) == []
    (table,) = terms_table([make_learnt()])
    assert _column(table, 1) == ["matter", "mind", "rest"]
    assert _column(table, 3) == ["1.000 (1.0)", "0.500 (2.0)", "0.100 (10.0)"]
    assert "another draw gives other numbers" in str(table.notes[0])


def test_results_without_terms_have_no_table(make_learnt: Maker) -> None:
    assert terms_table([make_learnt(details={})]) == []
