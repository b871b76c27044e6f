from __future__ import annotations

from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest

from lydite.evaluations.catalogue import make_section
from lydite.evaluations.consistency.section import section
from lydite.reports.page import render_report
from lydite.results.record import Result

Maker = Callable[..., Result]
Details = Callable[..., dict[str, Any]]


def test_a_reader_sees_first_what_is_decided(make_judged: Maker) -> None:
    made = make_section("consistency", [make_judged(), make_judged("nonce2vec(a)")], lambda _: None)
    assert "Consistency" in made.title
    assert "1 consistent, 1 not consistent, 1 undecided" in made.tables[0].caption
    assert made.tables[1].caption == "Consistency: what is decided"
    overview, strip, sizes, domain, terms = made.figures
    assert "reliability" in overview.svg
    assert "1 not consistent" in strip.svg
    assert "sentences" in sizes.svg
    assert "high in the domain" in domain.svg
    assert "matter" in terms.svg
    for word in ("undecided", "ceiling", "beyond the passage", "correct"):
        assert word in made.how_to_read


def test_the_paper_s_procedure_has_its_baselines(make_learnt: Maker) -> None:
    made = make_section("consistency", [make_learnt(), make_learnt("nonce2vec(a)")], lambda _: None)
    overview, baselines, _, _, terms = made.figures
    assert "mean reciprocal place" in overview.svg
    assert "size-matched text" in baselines.svg
    assert "matter" in terms.svg


def test_what_was_left_out_is_told_once_with_its_reason(make_learnt: Maker) -> None:
    notes = section([make_learnt(), make_learnt("nonce2vec(a)")], lambda _: None).notes
    assert "divided before Lecture V" in notes[0]
    assert "never occurs (2)" in notes[1]
    assert "lost same" in notes[1]
    # Both learners lack a term of four.
    missing = [note for note in notes[2:] if "75.0\u00a0%" in note]
    assert [note.partition(" ")[0] for note in missing] == ["additive(a)", "nonce2vec(a)"]


def test_nearness_to_the_background_is_told_and_tabled(make_learnt: Maker) -> None:
    near = {"cosine": 0.461, "others": 0.443, "difference": 0.018, "low": 0.01, "high": 0.026}
    details = {"background": {**near, "rank": 1000.0, "median": 200.0, "terms": 50}}
    made = section([make_learnt(details=details)], lambda _: None)
    (note,) = [each for each in made.notes if "background" in each]
    assert "nearer to the background's vectors" in note
    assert "0.018 [0.010, 0.026]" in note
    assert any("own vectors of the same terms" in table.caption for table in made.tables)
    # An interval with 0 in it shows nothing.
    details["background"]["low"] = -0.01
    notes = section([make_learnt(details=details)], lambda _: None).notes
    assert any("not shown to be nearer" in each for each in notes)


def test_a_cosine_that_the_terms_do_not_explain_is_told(make_learnt: Maker) -> None:
    result = make_learnt(
        details={},
        n_covered=4,
        others={"cosine": 0.9, "size_matched_cosine": 0.92, "different_terms_cosine": 0.8},
    )
    (note,) = section([result], lambda _: None).notes
    assert "0.900" in note
    assert "0.920" in note
    assert "different terms" not in note


def test_results_without_details_still_have_scores(make_learnt: Maker) -> None:
    made = section([make_learnt(details={}, others={}, n_covered=4)], lambda _: None)
    overview, own = made.figures
    assert "0.500" in overview.svg
    assert "identification" in own.svg
    (summary,) = made.tables
    assert "the paper's measures" in summary.caption
    assert made.notes == []


@pytest.mark.parametrize(
    ("kept", "figures", "tables"),
    [
        ("terms", 1, 1),
        ("sizes", 1, 1),
        ("neighbours", 0, 1),
        ("domain_difference", 1, 1),
        ("funnel", 0, 1),
        ("problems", 0, 0),
        ("notes", 0, 0),
        ("dropped", 0, 0),
    ],
)
def test_each_detail_is_shown_without_the_others(
    kept: str, figures: int, tables: int, make_learnt: Maker, make_term_details: Details
) -> None:
    details = make_term_details({"matter": 1.0})
    made = section([make_learnt(details={kept: details[kept]})], lambda _: None)
    # Scores and baselines, and the summary, are always there.
    assert (len(made.figures), len(made.tables)) == (2 + figures, 1 + tables)


def test_one_text_is_shown_once_whatever_leads(make_learnt: Maker) -> None:
    by_cosine = make_learnt(
        evaluation="consistency(metric=cosine)", metric="cosine", others={"identification": 0.5}
    )
    made = section([make_learnt(), by_cosine], lambda _: None)
    assert sum(table.caption.endswith(": terms") for table in made.tables) == 1
    # A picture of scores for each question, then four of the text.
    assert len(made.figures) == 2 + 4


@pytest.mark.parametrize("judged", [True, False])
def test_no_word_acts_on_the_page(
    judged: bool,
    make_learnt: Maker,
    make_judged: Maker,
    make_term_details: Details,
    make_judged_details: Details,
    evil: tuple[str, ...],
) -> None:
    make, tell = (make_judged, make_judged_details) if judged else (make_learnt, make_term_details)
    results = [
        make(
            f"model {word}",
            resource=f"{word}.txt",
            details=tell(dict.fromkeys(evil, 0.5), words=(word, word), reason=word),
        )
        for word in evil
    ]
    for figure in section(results, lambda _: None).figures:
        ElementTree.fromstring(figure.svg)
    page = render_report(results, [], title="t", suite_text=None, items=lambda _: None)
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "could not be made" not in page
    assert "<script" not in page
    assert "<img" not in page
    page.encode()
