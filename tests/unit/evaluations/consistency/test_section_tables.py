from __future__ import annotations

from collections.abc import Callable

import pytest

from lydite.drawing.table import FORMATS, Table, as_cell, render
from lydite.evaluations.consistency.tables import (
    background_table,
    domain_table,
    drift_table,
    funnel_table,
    neighbours_table,
    sizes_table,
    summary_table,
)
from lydite.results.record import Result

Maker = Callable[..., Result]


def _texts(table: Table) -> list[list[str]]:
    return [[as_cell(value).text for value in row] for row in table.rows]


def test_the_summary_sets_each_measure_beside_its_baselines(make_learnt: Maker) -> None:
    table = summary_table([make_learnt()])
    assert _texts(table) == [
        [
            "additive",
            "mine.txt",
            "0.500 [0.450, 0.550]",
            "0.050 / 0.250",
            "0.950 / 0.910",
            "0.930 / 0.970",
            "12.50 / 1.0 / 0.750",
            "14.00 / 0.500",
            "0.300 / 0.280 / 2902",
            "3/4 75.0\u00a0%",
        ]
    ]
    # The text is named only where there are several.
    assert "text" not in [column.title for column in table.for_people()[0]]
    two = summary_table([make_learnt(), make_learnt(resource="other.txt")])
    assert "text" in [column.title for column in two.for_people()[0]]
    assert "12.5" in render(table, "csv")


def test_what_was_not_measured_has_no_column(make_learnt: Maker, make_judged: Maker) -> None:
    table = summary_table([make_learnt(others={"cosine": 0.9})])
    assert _texts(table)[0][2:4] == ["0.500 [0.450, 0.550]", "0.900 / –"]
    cosine = make_learnt(metric="cosine", others={"identification": 0.5})
    # The interval is that of the leading score.
    assert _texts(summary_table([cosine]))[0][2] == "0.500"
    assert _texts(summary_table([make_learnt(metric="rank", others={})]))[0][2] == ""
    # Where reliability leads, the paper's measures are cosine and rank.
    judged = summary_table([make_judged()])
    assert [column.title for column in judged.all_columns][2:-1] == [
        "cosine / different terms",
        "rank: mean / median / first",
    ]


def test_sizes_have_an_interval_and_a_cosine(make_judged: Maker) -> None:
    (table,) = sizes_table([make_judged()])
    assert _texts(table)[0] == ["1", "4", "0.300 [0.200, 0.400]", "0.800"]
    assert [row[0] for row in _texts(table)] == ["1", "8", "all"]


def test_sizes_of_several_learners_stand_side_by_side(make_judged: Maker) -> None:
    fewer = {"sizes": [{"size": 8, "terms": 2, "reliability": 0.5}]}
    (table,) = sizes_table([make_judged(), make_judged("nonce2vec(a)", score=0.1, details=fewer)])
    assert [column.title for column in table.all_columns][2:] == [
        "additive: reliability",
        "additive: cosine",
        "nonce2vec: reliability",
        "nonce2vec: cosine",
    ]
    assert [row[4:] for row in _texts(table)] == [["", ""], ["0.500", ""], ["", ""]]


def test_an_empty_group_has_no_cosine(make_learnt: Maker) -> None:
    (table,) = domain_table([make_learnt()])
    assert _texts(table) == [
        ["all terms", "1,234", "0.300", "0.250", "0.050 [0.020, 0.080]", "nearer"],
        ["high in the domain, low in the background", "0", "", "", "", ""],
    ]
    (both,) = domain_table([make_learnt(), make_learnt("nonce2vec(a)")])
    assert [row[0] for row in _texts(both)] == ["additive", "additive", "nonce2vec", "nonce2vec"]


DRIFT = {
    "by": "halves",
    "parts": 2,
    "block": "paragraph",
    "tested": 40,
    "found": 1,
    "pseudo_found": 0.1,
    "pseudo_most": 2,
    "shifts": 20,
    "false_positives": 0.055,
    "terms": [
        {"term": "mind", "p": 0.001, "adjusted": 0.04, "share": 0.1, "parts": 2, "blocks": 1200},
        {"term": "rest", "p": 0.2, "adjusted": 0.7, "share": 0.0, "parts": 2, "blocks": 12},
    ],
}


def test_terms_that_drift_stand_beside_pseudo_terms(make_learnt: Maker) -> None:
    assert drift_table([make_learnt()]) == []
    (table,) = drift_table([make_learnt(details={"drift": DRIFT})])
    assert _texts(table) == [
        ["mind", "0.001", "0.04", "0.100", "1,200", "2", "drifts"],
        ["rest", "0.2", "0.7", "0.000", "12", "2", "not shown"],
    ]
    assert table.caption.endswith("drift between halves")
    assert table.notes[0] == (
        "1 term drifts, of 40 tested. 20 shifts of all places round the text found 0.1 "
        "pseudo-terms on average and at most 2; false positive rate 0.055 at the level 0.05."
    )
    assert "Shown: 2 of 40 terms" in str(table.notes[-1])


@pytest.mark.parametrize(
    ("changed", "said", "cell"),
    [
        ({"found": 0}, "No drift shown: none of 40 terms found.", "no more than chance"),
        ({"pseudo_found": 0.8}, "No drift shown: 1 of 40 terms found,", "no more than chance"),
        ({"tested": 0, "found": 0, "terms": []}, "No term has enough paragraphs", None),
        ({"found": 3}, "3 terms drift, of 40 tested.", "drifts"),
    ],
)
def test_what_is_said_of_drift(
    make_learnt: Maker, changed: dict[str, object], said: str, cell: str | None
) -> None:
    (table,) = drift_table([make_learnt(details={"drift": {**DRIFT, **changed}})])
    assert str(table.notes[0]).startswith(said)
    assert [row[-1] for row in _texts(table)][:1] == ([] if cell is None else [cell])


def test_the_clearest_terms_are_shown_where_few_drift(make_learnt: Maker) -> None:
    rows = [{"term": f"t{i}", "p": 0.3, "adjusted": 0.9, "blocks": 9} for i in range(20)]
    (table,) = drift_table([make_learnt(details={"drift": {**DRIFT, "found": 0, "terms": rows}})])
    assert len(table.rows) == 8
    many = [{**row, "adjusted": 0.01} for row in rows[:12]] + rows[12:]
    (table,) = drift_table([make_learnt(details={"drift": {**DRIFT, "found": 12, "terms": many}})])
    assert len(table.rows) == 12


def test_nearness_to_the_background_has_its_null(make_learnt: Maker) -> None:
    near = {"cosine": 0.461, "others": 0.443, "difference": 0.018, "low": -0.01, "high": 0.046}
    details = {"background": {**near, "rank": 1000.0, "median": 200.0, "terms": 50}}
    (table,) = background_table([make_learnt(details=details)])
    assert _texts(table)[0][1:5] == ["0.461", "0.443", "0.018 [-0.010, 0.046]", "not shown"]
    few = {"cosine": 0.461, "others": 0.443, "difference": 0.018, "terms": 3}
    (table,) = background_table([make_learnt(details={"background": few})])
    assert _texts(table)[0][3:5] == ["0.018", "too few terms"]


def test_neighbours_of_both_vectors_stand_side_by_side(make_learnt: Maker) -> None:
    (table,) = neighbours_table([make_learnt()])
    assert _texts(table) == [["matter", "0.950", "same, this", "same, other", "1 of 2"]]
    assert table.caption.endswith("by additive")


def test_the_last_step_of_the_funnel_is_the_learner_s_own(make_learnt: Maker) -> None:
    (table,) = funnel_table([make_learnt(), make_learnt("nonce2vec(a)")])
    assert _texts(table) == [
        ["terms from index", "1,200"],
        ["with enough sentences", "4"],
        ["learnt from at least two samples, by additive", "3"],
        ["learnt from at least two samples, by nonce2vec", "3"],
    ]


@pytest.mark.parametrize("make", [sizes_table, domain_table, neighbours_table, funnel_table])
def test_what_is_not_told_has_no_table(
    make: Callable[[list[Result]], list[Table]], make_learnt: Maker
) -> None:
    assert make([make_learnt(details={})]) == []
    (table,) = make([make_learnt(), make_learnt("nonce2vec(a)", details={})])
    for form in FORMATS:
        assert render(table, form)
