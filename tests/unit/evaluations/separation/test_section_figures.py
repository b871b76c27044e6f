from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest

from lydite.drawing import palette
from lydite.drawing.section import Figure
from lydite.drawing.svg import inline
from lydite.evaluations.separation.section import (
    densities_figure,
    in_two_lines,
    pairs_figure,
    phenomena_figure,
    roc_figure,
)
from lydite.evaluations.separation.tables import compared, mixture_of, shown_note
from lydite.results.record import Result
from lydite.results.trials import Trial, trials

Maker = Callable[..., Result]
TrialMaker = Callable[..., Trial]


def row(area: float, half: float = 0.05, **name: str) -> dict[str, Any]:
    return {**name, "auc": area, "low": area - half, "high": area + half}


@pytest.fixture
def trial_of(make_result: Maker) -> TrialMaker:
    """A trial of models, best first, whose details are the same or, in a list, a model each."""

    def make(*models: str, details: Any) -> Trial:  # noqa: ANN401
        told = details if isinstance(details, list) else [details] * len(models)
        (trial,) = trials(
            make_result(
                model,
                evaluation="separation",
                metric="auc",
                resource="mine.tsv",
                score=0.9 - 0.01 * place,
                details=each,
            )
            for place, (model, each) in enumerate(zip(models, told, strict=True))
        )
        return trial

    return make


def _said(figure: Figure | None) -> list[str]:
    """All that is written in a figure."""
    assert figure is not None
    ElementTree.fromstring(figure.svg)
    inlined = inline(figure.svg, prefix="f-", title="t").svg
    return re.findall(r"<text[^>]*>(?:<tspan[^>]*>)?([^<]*)<", inlined)


CURVE = [[0.0, 0.0], [0.0, 0.5], [0.5, 1.0], [1.0, 1.0]]


def test_each_curve_tells_its_area(trial_of: TrialMaker) -> None:
    told = [{"task": "pairs", "curve": CURVE}, {"task": "pairs", "curve": [[0, 0], [1, 1]]}]
    figure = roc_figure(trial_of("a", "b", details=told))
    said = _said(figure)
    # Up to 0.5, then a slope of 0.75 on average over half the width, then 1 over the other half.
    assert "0.88  a" in said
    assert "0.50  b" in said
    assert figure is not None
    assert "together" not in figure.caption


@pytest.mark.parametrize(
    ("task", "together"), [("relation", "pairs of entities"), ("qa", "questions")]
)
def test_that_curves_put_units_together_is_said(
    trial_of: TrialMaker, task: str, together: str
) -> None:
    figure = roc_figure(trial_of("a", details={"task": task, "curve": CURVE}))
    assert figure is not None
    assert f"For all {together} together" in figure.caption


def test_models_without_a_curve_have_none(trial_of: TrialMaker) -> None:
    assert roc_figure(trial_of("a", details={})) is None
    assert roc_figure(trial_of("a", details={"curve": []})) is None
    figure = roc_figure(trial_of("a", "b", details=[{}, {"curve": CURVE}]))
    assert any(text.endswith("  b") for text in _said(figure))
    assert not any(text.endswith("  a") for text in _said(figure))


def test_of_many_models_the_best_are_drawn_and_overlap(trial_of: TrialMaker) -> None:
    trial = trial_of(*(f"m{i}" for i in range(9)), "overlap", details={"curve": CURVE})
    figure = roc_figure(trial)
    named = [text.split()[-1] for text in _said(figure) if text.startswith("0.88")]
    assert named == ["m0", "m1", "m2", "m3", "m4", "overlap"]
    assert figure is not None
    assert figure.caption.endswith("Shown: 6 of 10 models, the best and overlap.")


def test_densities_are_those_of_the_best_model(trial_of: TrialMaker) -> None:
    told = {"edges": [0.0, 0.5, 1.0], "high": [0.25, 0.75], "low": [1.0, 0.0]}
    trial = trial_of("a", "b", details=[{}, {"task": "qa", "densities": told}])
    figure = densities_figure(trial)
    assert figure is not None
    assert "that b, the best model that tells them," in figure.caption
    assert {"H: question and answer", "L: question and another sentence"} <= set(_said(figure))
    first = densities_figure(trial_of("a", "b", details={"densities": told}))
    assert first is not None
    assert "that a, the best model," in first.caption
    assert densities_figure(trial_of("a", details={})) is None


def test_one_score_for_all_pairs_can_be_drawn(trial_of: TrialMaker) -> None:
    told = {"edges": [-0.5, 0.0, 0.5], "high": [0.0, 1.0], "low": [0.0, 1.0]}
    assert densities_figure(trial_of("a", details={"densities": told})) is not None


def test_a_few_extreme_scores_do_not_squeeze_the_rest(trial_of: TrialMaker) -> None:
    told = {
        "edges": [float(i) for i in range(41)],
        "high": [0.0, 0.6, 0.397, *[0.0] * 36, 0.003],
        "low": [0.8, 0.198, 0.0, *[0.0] * 36, 0.002],
    }
    figure = densities_figure(trial_of("a", details={"densities": told}))
    assert figure is not None
    assert figure.caption.endswith("Not shown: up to 0.3\u00a0% at the ends.")
    assert "3.0" in _said(figure)
    # Of an axis that would hardly be shorter nothing is left out.
    even = {**told, "high": [0.003, *[0.997 / 39] * 39], "low": [0.0, *[1 / 39] * 39]}
    whole = densities_figure(trial_of("a", details={"densities": even}))
    assert whole is not None
    assert "Not shown" not in whole.caption
    told |= {"high": [0.0] * 40, "low": [0.0] * 40}
    assert densities_figure(trial_of("a", details={"densities": told})) is not None


def test_phenomena_stand_hardest_first(trial_of: TrialMaker) -> None:
    details = [
        {"phenomena": [row(0.9, phenomenon="x"), row(0.2, phenomenon="y")]},
        {"phenomena": [row(0.1, phenomenon="x"), row(0.9, phenomenon="y")]},
        {"phenomena": [row(0.52, phenomenon="z")]},
    ]
    said = _said(phenomena_figure(trial_of("a", "b", "c", details=details)))
    # Means of 0.5, 0.55 and 0.52.
    assert [text for text in said if text in {"x", "y", "z"}] == ["x", "z", "y"]
    assert [text for text in said if text in {"a", "b", "c"}] == ["a", "b", "c"]


def _bars(figure: Figure | None) -> dict[str, int]:
    """How many dots have which colour; a dot of each stands in the legend."""
    assert figure is not None
    colours = {"sees": palette.ACCENT, "blind": palette.NULL_MEAN, "misled": palette.FAILURE}
    return {
        name: len(re.findall(rf'<use [^>]*style="fill: {colour.light}"', figure.svg)) - 1
        for name, colour in colours.items()
    }


@pytest.mark.parametrize(
    ("area", "half", "what"),
    [
        (0.7, 0.1, "sees"),
        (0.3, 0.1, "misled"),
        (0.6, 0.15, "blind"),
        (0.4, 0.15, "blind"),
        (0.5, 0.0, "blind"),
    ],
)
def test_the_interval_decides_what_a_model_sees(
    trial_of: TrialMaker, area: float, half: float, what: str
) -> None:
    details = {"phenomena": [row(area, half, phenomenon="x")]}
    found = _bars(phenomena_figure(trial_of("a", details=details)))
    assert found == {"sees": 0, "blind": 0, "misled": 0, what: 1}


def test_no_phenomena_no_figure(trial_of: TrialMaker) -> None:
    assert phenomena_figure(trial_of("a", details={"phenomena": []})) is None
    assert phenomena_figure(trial_of("a", details={})) is None


def test_hundreds_of_phenomena_are_cut(trial_of: TrialMaker) -> None:
    rows = [row(i / 400, phenomenon=f"p{i:03d}") for i in range(200)]
    figure = phenomena_figure(trial_of("a", details={"phenomena": rows}))
    assert [text for text in _said(figure) if text.startswith("p")] == [
        f"p{i:03d}" for i in range(30)
    ]
    assert figure is not None
    assert figure.caption.endswith("Shown: 30 of 200 phenomena, the hardest.")


def test_pairs_of_entities_are_drawn_if_there_are_several(trial_of: TrialMaker) -> None:
    one = row(0.6, pair="A / B", relation="acquires")
    # The same entities in another relation are another pair.
    other = row(0.4, pair="A / B", relation="sues")
    said = _said(pairs_figure(trial_of("a", details={"pairs": [one, other]})))
    assert [text for text in said if "/" in text] == ["A / B (sues)", "A / B (acquires)"]
    assert pairs_figure(trial_of("a", details={"pairs": [one]})) is None


def test_figures_of_the_same_results_are_the_same(trial_of: TrialMaker) -> None:
    details = {"phenomena": [row(0.6, phenomenon="x")], "curve": CURVE}
    trial = trial_of("a", "b", details=details)
    for draw in (phenomena_figure, roc_figure):
        assert draw(trial) == draw(trial)


def test_all_colours_follow_the_page_into_the_dark(trial_of: TrialMaker) -> None:
    details = {
        "phenomena": [row(area, phenomenon=f"{area}") for area in (0.2, 0.5, 0.8)],
        "curve": CURVE,
        "densities": {"edges": [0.0, 0.5, 1.0], "high": [0.25, 0.75], "low": [1.0, 0.0]},
    }
    trial = trial_of("a", "b", "c", "d", "e", "overlap", details=details)
    for figure in (phenomena_figure(trial), roc_figure(trial), densities_figure(trial)):
        assert figure is not None
        shown = inline(figure.svg, prefix="f-", title="t").svg
        assert not re.findall(r"(?:fill|stroke)\s*:\s*#\w+", shown)


def test_overlap_is_always_compared_with(trial_of: TrialMaker) -> None:
    trial = trial_of("a", "b", "c", "overlap", "overlap(lemmas=none)", details={})
    assert [result.model for result in compared(trial, 2)] == ["a", "overlap"]
    assert [result.model for result in compared(trial, 9)] == [r.model for r in trial.results]
    assert shown_note(trial, trial.results) == []
    assert shown_note(trial, trial.results[:2]) == ["Shown: 2 of 5 models, the best."]


def test_a_name_takes_at_most_two_lines() -> None:
    assert in_two_lines("usem3", 20) == ["usem3"]
    assert in_two_lines("hybrid(overlap, usem3, weights=standardised)", 20) == [
        "hybrid(overlap,",
        "usem3, wei…dardised)",
    ]
    assert in_two_lines("x" * 500, 20) == ["x" * 20, "x" * 10 + "…" + "x" * 9]
    assert in_two_lines("a\nb", 20) == [r"a\nb"]


@pytest.mark.parametrize(
    ("model", "found"),
    [
        ("hybrid(overlap, usem3)", ("usem3", "sum")),
        ("hybrid(mean(a.txt), overlap(lemmas=none))", ("mean(a.txt)", "sum")),
        ("hybrid(overlap, usem3, weights=learnt)", ("usem3", "learnt")),
        ("hybrid(overlap, usem3, random(5))", None),
        ("hybrid(usem3, random(5))", None),
        ("hybrid(overlap, overlap(lemmas=none))", None),
        ("overlap", None),
        ("hybrid(overlap", None),
        ("\ud800 (", None),
    ],
)
def test_a_mixture_is_told_by_its_spec(
    make_result: Maker, model: str, found: tuple[str, str] | None
) -> None:
    assert mixture_of(make_result(model)) == found
