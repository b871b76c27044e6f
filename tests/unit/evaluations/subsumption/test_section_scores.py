from __future__ import annotations

from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest

from lydite.evaluations.subsumption.section import scores_figure, scores_of
from lydite.results.record import Result
from lydite.results.trials import trials

Maker = Callable[..., Result]
Details = Callable[..., dict[str, Any]]


def _texts(svg: str) -> list[str]:
    elements = ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
    return ["".join(element.itertext()).strip() for element in elements]


def test_a_score_brings_its_own_interval_and_baseline(make_answer: Maker) -> None:
    scores = scores_of(make_answer())
    assert list(scores) == ["ss", "rss", "both", "as", "ras", "aggregate-both"]
    ras = scores["ras"]
    assert ras.metric == "ras"
    assert ras.score == pytest.approx(0.64)
    assert ras.ends == pytest.approx((0.59, 0.69))
    assert (ras.baseline.mean, ras.baseline.low, ras.baseline.high) == (0.5, 0.45, 0.55)


def test_without_details_the_main_score_is_left(make_answer: Maker) -> None:
    answer = make_answer(details={"scores": {"ss": {}}})
    assert scores_of(answer) == {"ss": answer}


def test_models_without_an_aggregate_have_three_panels(
    make_answer: Maker, make_details: Details
) -> None:
    simple = make_answer("pairs", score=0.9, details=make_details(metrics=("ss", "rss", "both")))
    alone = scores_figure(trials([simple])[0])
    assert "aggregate" not in alone.svg
    assert "sister lemmas" not in alone.caption
    mixed = scores_figure(trials([simple, make_answer("words")])[0])
    texts = _texts(mixed.svg)
    assert "aggregate (AS)" in texts
    # Three rows more than the six of the other model, which comes first though it scores less.
    assert sum(text.startswith("0.6") and len(text) == 5 for text in texts) == 9
    assert texts.index("words") < texts.index("pairs")


@pytest.mark.parametrize("count", [1, 2, 8])
def test_rows_have_room_for_any_number_of_models(make_answer: Maker, count: int) -> None:
    results = [make_answer(f"model {i}") for i in range(count)]
    svg = scores_figure(trials(results)[0]).svg
    root = ElementTree.fromstring(svg)
    height = float(root.attrib["viewBox"].split()[3])
    # Three panels one above the other, a quarter of an inch for each row.
    assert height >= 3 * count * 0.25 * 72
    assert all(svg.count(f">model {i}<") == 3 for i in range(count))
