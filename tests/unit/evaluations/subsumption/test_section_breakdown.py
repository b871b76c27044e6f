from __future__ import annotations

from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest

from lydite.drawing import palette
from lydite.evaluations.subsumption.section import breakdown_figure, has_breakdown
from lydite.results.record import Result
from lydite.results.trials import trials

Maker = Callable[..., Result]
Details = Callable[..., dict[str, Any]]


def _texts(svg: str) -> list[str]:
    elements = ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
    return ["".join(element.itertext()).strip() for element in elements]


def _drawn(results: list[Result], metrics: tuple[str, str] = ("ss", "rss")) -> list[str]:
    return _texts(breakdown_figure(trials(results)[0], results, metrics).svg)


def test_groups_stand_in_their_order_with_their_sizes(
    make_answer: Maker, make_details: Details
) -> None:
    details = make_details()
    details["breakdown"]["class"][1]["ss"] = 0.99
    below = ["over 10,000", "1 to 10", "1,001 to 10,000", "11 to 100"]
    details["breakdown"]["generality"] = [
        {"group": group, "n": 1234, "ss": 0.5, "rss": 0.5} for group in below
    ]
    texts = _drawn([make_answer(details=details)])
    # Depths by number, not by letter; the class with the larger share first.
    for order in (
        ["9", "10"],
        ["1 to 10", "11 to 100", "1,001 to 10,000", "over 10,000"],
        ["tree", "bird"],
    ):
        assert [text for text in texts if text in order] == order
    assert texts.count("1,234") == 4
    assert {"depth of A", "concepts below C", "class", "SS", "RSS"} <= set(texts)


def test_the_approach_that_leads_is_drawn(make_answer: Maker) -> None:
    texts = _drawn([make_answer()], ("as", "ras"))
    assert {"AS", "RAS"} <= set(texts)
    assert "SS" not in texts


def test_small_groups_are_hollow(make_answer: Maker, make_details: Details) -> None:
    hollow = f"fill: {palette.PAGE.light}; stroke: {palette.ACCENT.light}"
    small = make_answer()
    assert hollow in breakdown_figure(trials([small])[0], [small], ("ss", "rss")).svg
    details = make_details()
    del details["breakdown"]["generality"]
    large = make_answer(details=details)
    assert hollow not in breakdown_figure(trials([large])[0], [large], ("ss", "rss")).svg


@pytest.mark.parametrize("count", [1, 3, 8])
def test_models_stand_side_by_side_and_the_best_are_chosen(make_answer: Maker, count: int) -> None:
    results = [make_answer(f"m{i}") for i in range(count)]
    figure = breakdown_figure(trials(results)[0], results, ("ss", "rss"))
    assert ("Shown: 6 of 8 models" in figure.caption) == (count == 8)
    texts = _texts(figure.svg)
    assert [text for text in texts if text.startswith("m")] == [
        f"m{i}" for i in range(min(count, 6))
    ]


def test_a_model_may_lack_groups_and_many_are_cut(
    make_answer: Maker, make_details: Details
) -> None:
    many = make_details(classes=tuple(f"class{i:02d}" for i in range(30)))
    few = make_details()
    few["breakdown"] = {"class": few["breakdown"]["class"][:1]}
    results = [make_answer("few", details=few), make_answer("many", details=many)]
    figure = breakdown_figure(trials(results)[0], results, ("ss", "rss"))
    assert "24 of 31 groups" in figure.caption
    texts = _texts(figure.svg)
    # The model without a group has no triples in it.
    assert "0" in texts
    assert "class22" in texts
    assert "class23" not in texts


def test_nothing_to_break_down(make_answer: Maker) -> None:
    assert has_breakdown(make_answer())
    assert not has_breakdown(make_answer(details={}))
    assert not has_breakdown(make_answer(details={"breakdown": {"depth": []}}))
