from __future__ import annotations

from collections.abc import Callable
from xml.etree import ElementTree

import matplotlib

from lydite.drawing.figures import label, text_width
from lydite.drawing.panels import dot_whisker
from lydite.results.record import Result


def _texts(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter() if element.text]


def test_the_same_data_give_the_same_bytes(make_result: Callable[..., Result]) -> None:
    results = [make_result("a", score=0.8), make_result("b", score=0.1)]
    assert dot_whisker(results, ["a", "b"]) == dot_whisker(results, ["a", "b"])


def test_names_are_text_whatever_they_hold(
    make_result: Callable[..., Result], evil: tuple[str, ...]
) -> None:
    svg = dot_whisker([make_result(name) for name in evil], evil)
    texts = _texts(svg)
    for name in evil:
        assert label(name) in texts
    assert "<script>alert" not in svg


def test_scores_stand_beside_their_rows(make_result: Callable[..., Result]) -> None:
    texts = _texts(dot_whisker([make_result(score=0.12345)], ["a"]))
    assert "0.123" in texts
    assert "Spearman ρ" in texts


def test_the_settings_of_the_user_neither_matter_nor_change(
    make_result: Callable[..., Result],
) -> None:
    plain = dot_whisker([make_result()], ["a"])
    with matplotlib.rc_context({"font.size": 30.0, "svg.fonttype": "path"}):
        assert dot_whisker([make_result()], ["a"]) == plain
        assert matplotlib.rcParams["font.size"] == 30.0


def test_a_model_without_any_spread_can_be_drawn(make_result: Callable[..., Result]) -> None:
    null = make_result().baseline
    flat = type(null)(**{**vars(null), "mean": 0.5, "low": 0.5, "high": 0.5})
    assert "<svg" in dot_whisker([make_result(score=0.5, low=0.5, high=0.5, baseline=flat)], ["a"])


def test_wide_letters_get_more_room() -> None:
    assert text_width(["東京"], 10) == 2 * text_width(["ab"], 10)
    assert text_width([], 10) == 0.0
