from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import polars
import pytest

from lydite.drawing import palette
from lydite.drawing.section import Figure
from lydite.drawing.svg import inline
from lydite.evaluations.localization.section import (
    GroupSet,
    curve_figure,
    heatmap_figure,
    sizes_figure,
)
from lydite.results.record import Result
from lydite.results.trials import Trial, trials

Maker = Callable[..., Result]

GOLD = list("1111122223")


def _table(said: str) -> polars.DataFrame:
    items = [f"s{i}" for i in range(len(GOLD))]
    return polars.DataFrame({"item": items, "group": GOLD, "taken_for": list(said)})


#: a is wrong about s0 to s3, b about s0 to s4, of which it takes s0 for another than a does; c
#: about s9 alone, d about nothing.
SAID = {"a": "2222122223", "b": "3222222223", "c": "1111122221", "d": "1111122223"}
TABLES = {model: _table(said) for model, said in SAID.items()}


@pytest.fixture
def trial_of(make_result: Maker) -> Callable[..., Trial]:
    def make(*models: str) -> Trial:
        (trial,) = trials(
            make_result(
                model,
                evaluation="localization",
                metric="svm",
                resource="mine.csv",
                score=0.9 - 0.01 * place,
            )
            for place, model in enumerate(models)
        )
        return trial

    return make


def _load(result: Result) -> Any:  # noqa: ANN401
    return TABLES.get(result.model[0])


def _said(figure: Figure | None) -> list[str]:
    """All that is written in a figure."""
    assert figure is not None
    ElementTree.fromstring(figure.svg)
    return re.findall(r"<text[^>]*>([^<]*)</text>", figure.svg)


def test_cells_tell_how_many_mistakes_are_the_same(trial_of: Callable[..., Trial]) -> None:
    figure = heatmap_figure(trial_of("a", "b"), _load)
    said = _said(figure)
    assert [text for text in said if "/" in text] == ["4/4", "3/4", "3/4", "5/5"]
    # Each name stands beside its row and above its column, with its mistakes.
    assert sorted(text for text in said if "/" not in text) == sorted("aabb4455")
    assert figure is not None
    assert "among 10 sentences" in figure.caption


def test_shading_is_in_proportion_and_follows_the_page(trial_of: Callable[..., Trial]) -> None:
    figure = heatmap_figure(trial_of("a", "b"), _load)
    assert figure is not None
    page = inline(figure.svg, prefix="f-", title="").svg
    shades = re.findall(r'style="fill:var\(--faint\)(?:;fill-opacity:([\d.]+))?[";]', page)
    assert shades == ["", "0.75", "0.75", ""]
    assert palette.FAINT.light not in page


def test_no_common_mistake_is_a_dash(trial_of: Callable[..., Trial]) -> None:
    said = _said(heatmap_figure(trial_of("a", "c", "d"), _load))
    # a with c, a with d, c with d, each twice, and d with itself.
    assert said.count("–") == 7
    assert [text for text in said if "/" in text] == ["4/4", "1/1"]


def test_one_model_has_no_heatmap(trial_of: Callable[..., Trial]) -> None:
    assert heatmap_figure(trial_of("a"), _load) is None
    assert heatmap_figure(trial_of("a", "unknown"), _load) is None


def test_of_more_than_ten_models_the_best_are_drawn(trial_of: Callable[..., Trial]) -> None:
    figure = heatmap_figure(trial_of(*(f"a{i}" for i in range(12))), _load)
    said = _said(figure)
    assert {text for text in said if text.startswith("a")} == {f"a{i}" for i in range(10)}
    assert [text for text in said if "/" in text] == ["4/4"] * 100
    assert figure is not None
    assert figure.caption.endswith("Shown: 10 of 12 models, the best.")


def test_models_keep_the_order_in_which_they_were_given(make_result: Maker) -> None:
    (trial,) = trials(
        make_result(model, evaluation="localization", metric="svm", score=score)
        for model, score in (("b", 0.1), ("a", 0.9))
    )
    said = _said(heatmap_figure(trial, _load))
    assert [text for text in said if "/" in text] == ["5/5", "3/4", "3/4", "4/4"]


def test_names_in_figures_do_nothing(trial_of: Callable[..., Trial], evil: tuple[str, ...]) -> None:
    models = [f"a{name}" for name in evil]
    figure = heatmap_figure(trial_of(*models), _load)
    assert figure is not None
    ElementTree.fromstring(figure.svg)
    assert "<script" not in figure.svg


def _sizes(sizes: dict[int, int]) -> Figure:
    return sizes_figure(GroupSet(title="mine.csv", sizes=sizes, changes={}))


def test_sizes_are_counted() -> None:
    # The sizes of the authors' Opinosis groups.
    sizes = {3: 36, 4: 20, 5: 6, 6: 8, 7: 4, 8: 4, 9: 3, 10: 1, 11: 1}
    sizes |= dict.fromkeys((16, 17, 24, 27, 30, 33), 1)
    figure = _sizes(sizes)
    assert figure.caption.startswith("mine.csv: 89 paraphrase groups of 521 sentences")
    assert {"36", "sentences in a group", "groups"} <= set(_said(figure))


def test_one_size_makes_one_bar() -> None:
    figure = _sizes({5: 48})
    assert "48" in _said(figure)
    assert figure.svg.count(f"fill: {palette.FAINT.light}") == 1


def test_the_largest_groups_share_a_bar() -> None:
    figure = _sizes({3: 1000, 41: 2, 5000: 3})
    assert {"1,000", "5", "over 40"} <= set(_said(figure))
    assert "of 18,082 sentences" in figure.caption
    assert "more than 40" in figure.caption
    assert "over 40" in _said(_sizes({500: 2}))


def test_many_bars_are_not_numbered() -> None:
    said = _said(_sizes({size: 1000 + size for size in range(3, 41)}))
    assert not any(text.startswith("1,0") and text not in {"1,000"} for text in said)


def test_a_curve_has_a_line_for_each_model(make_result: Maker) -> None:
    points = [
        {"examples": 1, "accuracy": 0.2, "low": 0.1, "high": 0.3, "groups": 4},
        {"examples": None, "accuracy": 0.4, "low": None, "high": None, "groups": 4},
    ]
    (trial,) = trials(
        make_result(model, evaluation="localization", metric="svm", details={"curve": points})
        for model in ("one", "other")
    )
    figure = curve_figure(trial)
    said = _said(figure)
    assert {"one", "other", "1", "all", "accuracy"} <= set(said)
    assert figure is not None
    assert "95\u00a0% intervals" in figure.caption


def test_without_a_curve_none_is_drawn(trial_of: Callable[..., Trial]) -> None:
    assert curve_figure(trial_of("a", "b")) is None
