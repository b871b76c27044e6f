from __future__ import annotations

from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest

from lydite.drawing.table import as_cell
from lydite.evaluations.subsumption.section import section
from lydite.reports.page import render_report
from lydite.results.record import Result

Maker = Callable[..., Result]
Details = Callable[..., dict[str, Any]]


def test_each_inventory_has_scores_funnel_breakdown_and_violations(make_answer: Maker) -> None:
    made = section([make_answer("a"), make_answer("b", score=0.7)], lambda _: None)
    scores, funnel, breakdown = made.figures
    assert "aggregate reverse (RAS)" in scores.svg
    assert "1,337 pairs" in funnel.svg
    assert "depth of A" in breakdown.svg
    # The better model first.
    assert [table.caption.rpartition(" by ")[2] for table in made.tables[:2]] == ["b", "a"]
    for word in ("sparrow", "one half", "one third", "centroids"):
        assert word in made.how_to_read


def test_the_ten_worst_violations_are_told_in_words(make_answer: Maker) -> None:
    violations = section([make_answer()], lambda _: None).tables[0]
    assert len(violations.rows) == 10
    told = as_cell(violations.rows[0][0]).text
    assert "(0.90)" in told
    assert "(0.00)" in told


def test_one_inventory_is_shown_once_whatever_leads(make_answer: Maker) -> None:
    asked = [
        make_answer(),
        make_answer(evaluation="subsumption(metric=rss)", metric="rss"),
        make_answer(evaluation="subsumption(metric=as)", metric="as"),
    ]
    made = section(asked, lambda _: None)
    # Three pictures of scores, one funnel; the breakdown of SS and RSS, and that of AS and RAS.
    assert len(made.figures) == 6
    assert sum("1,337 pairs" in figure.svg for figure in made.figures) == 1
    assert sum("depth of A" in figure.svg for figure in made.figures) == 2
    assert sum("worst violations" in table.caption for table in made.tables) == 1
    assert sum("triples from wordnet-3.0" in note for note in made.notes) == 1


def test_results_without_details_still_have_scores(make_answer: Maker) -> None:
    made = section([make_answer(details={}, others={"rss": 0.25})], lambda _: None)
    (figure,) = made.figures
    assert "subsumption kept (SS)" in figure.svg
    assert "0.600" in figure.svg
    (table,) = made.tables
    assert as_cell(table.rows[0][2]).text == "0.250"
    assert made.notes == []


@pytest.mark.parametrize("kept", ["scores", "funnel", "breakdown", "violations", "missing"])
def test_each_detail_is_shown_without_the_others(
    kept: str, make_answer: Maker, make_details: Details
) -> None:
    made = section([make_answer(details={kept: make_details()[kept]})], lambda _: None)
    assert len(made.figures) == (2 if kept in {"funnel", "breakdown"} else 1)


def test_coverage_tells_triples_from_words(make_answer: Maker) -> None:
    notes = section([make_answer(n_covered=90)], lambda _: None).notes
    triples, words = notes[1:3]
    assert "90.0\u00a0%" in triples
    assert "10 of 100 items" in triples
    assert "sparrow" not in triples
    assert "99.0\u00a0% of the 200 words" in words
    assert "sparrow, bird" in words


def test_equal_approaches_are_explained(make_answer: Maker, make_details: Details) -> None:
    details = make_details()
    scores = details["scores"]
    pairs = {"as": "ss", "ras": "rss", "aggregate-both": "both"}
    same = {**details, "scores": scores | {new: scores[old] for new, old in pairs.items()}}
    reason = "no sister lemmas"
    assert reason in section([make_answer(details=same)], lambda _: None).notes[-1]
    mixed = section([make_answer(details=same), make_answer("b")], lambda _: None)
    assert not any(reason in note for note in mixed.notes)


def test_no_word_acts_on_the_page(
    make_answer: Maker, make_details: Details, evil: tuple[str, ...]
) -> None:
    results = [
        make_answer(
            f"model {word}",
            resource=f"{word}.tsv",
            n_covered=90,
            details=make_details((word, word, word), classes=evil, exclude=[word], relation=word),
        )
        for word in evil
    ]
    made = section(results, lambda _: None)
    for figure in made.figures:
        ElementTree.fromstring(figure.svg)
    page = render_report(results, [], title="t", suite_text=None, items=lambda _: None)
    assert "&lt;script&gt;alert(1)&lt;/script&gt; is closer to" in page
    assert "could not be made" not in page
    assert "<script" not in page
    assert "<img" not in page
    page.encode()
