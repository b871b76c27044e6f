from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

from lydite.drawing.section import Figure
from lydite.evaluations.consistency.section import (
    baselines_figure,
    domain_figure,
    sizes_figure,
    strip_figure,
    terms_figure,
)
from lydite.evaluations.consistency.tables import Text, texts
from lydite.results.record import Result

Maker = Callable[..., Result]
Details = Callable[..., dict[str, Any]]

FIGURES = (strip_figure, terms_figure, baselines_figure, sizes_figure, domain_figure)


def _text(*results: Result) -> Text:
    (text,) = texts(results)
    return text


def _said(figure: Figure | None) -> list[str]:
    """All that is written in a figure."""
    assert figure is not None
    ElementTree.fromstring(figure.svg)
    return re.findall(r"<text[^>]*>([^<]*)</text>", figure.svg)


def test_the_strip_counts_verdicts(make_judged: Maker) -> None:
    said = _said(strip_figure(_text(make_judged())))
    assert "additive: 1 consistent, 1 not consistent, 1 undecided" in said


def test_a_few_terms_are_all_named(make_judged: Maker) -> None:
    said = _said(terms_figure(_text(make_judged(), make_judged("nonce2vec(a)"))))
    assert [word for word in said if word in {"matter", "mind", "rest", "lost"}] == [
        "matter",
        "mind",
        "rest",
    ]
    assert said.count("reliability") == 2


def test_of_many_terms_the_first_are_named(
    make_judged: Maker, make_judged_details: Details
) -> None:
    many = {f"t{i:03d}": 1 / (i + 1) for i in range(300)}
    text = _text(make_judged(details=make_judged_details(many)))
    figure = terms_figure(text)
    named = [word for word in _said(figure) if re.fullmatch(r"t\d{3}", word)]
    assert named == [f"t{i:03d}" for i in range(50)]
    assert figure is not None
    assert "the first 50 of 300" in figure.caption
    # All of them are in the strip.
    said = _said(strip_figure(text))
    assert "additive: 1 consistent, 295 not consistent, 4 undecided" in said


def test_many_learners_are_cut_and_it_is_said(make_judged: Maker, make_learnt: Maker) -> None:
    text = _text(*(make_judged(f"m{i}", score=i / 20) for i in range(14)))
    captions = [figure.caption for make in FIGURES if (figure := make(text))]
    assert [re.findall(r"Shown: [^.]*learners[^.]*", caption) for caption in captions] == [
        ["Shown: 4 of 14 learners, the best"],
        ["Shown: 4 of 14 learners, the best"],
        ["Shown: 6 of 14 learners, the best"],
        ["Shown: 6 of 14 learners, the best"],
    ]
    compared = baselines_figure(_text(*(make_learnt(f"m{i}") for i in range(14))))
    assert compared is not None
    assert "12 of 14 learners" in compared.caption


def test_ranks_are_left_out_where_there_is_no_background(make_learnt: Maker) -> None:
    assert "75 %" in _said(baselines_figure(_text(make_learnt())))
    without = _said(baselines_figure(_text(make_learnt(others={"cosine": 0.9}))))
    assert "rank" not in without
    assert "median rank" not in without


def test_sizes_have_both_measures(make_judged: Maker) -> None:
    said = _said(sizes_figure(_text(make_judged())))
    assert {"reliability", "cosine", "all"} <= set(said)


def test_a_size_that_was_not_measured_leaves_a_gap(make_learnt: Maker) -> None:
    sizes = [{"size": 1, "terms": 4}, {"size": 2, "terms": 3, "cosine": 0.5}]
    _said(sizes_figure(_text(make_learnt(details={"sizes": sizes}))))


def test_groups_tell_how_many_terms_they_have(make_learnt: Maker) -> None:
    assert {"1,234", "0"} <= set(_said(domain_figure(_text(make_learnt()))))


def test_what_is_not_told_is_not_drawn(make_judged: Maker) -> None:
    text = _text(make_judged(details={}, others={}))
    assert [make(text) for make in FIGURES] == [None] * 5
