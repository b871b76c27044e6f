from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias
from xml.etree import ElementTree

import numpy as np
import pytest

from lydite.metaevaluation.evaluation import MetaEvaluation, meta
from lydite.metaevaluation.section import differences_figure, section
from lydite.results.record import Result

ResultMaker: TypeAlias = Callable[..., Result]
NAMES = ("men", "ws-353", "<script>alert(1)</script>")


def found_of(
    make_result: ResultMaker, *, models: int = 10, against: str | None = None
) -> MetaEvaluation:
    generator = np.random.default_rng(1)
    results = []
    for i in range(models):
        quality = float(generator.normal())
        for evaluation, resource, metric, noise in (
            *(("similarity", name, "spearman", 0.5) for name in NAMES),
            ("tagging", "ud-ewt", "accuracy", 0.1),
            ("parsing", "ud-ewt", "uas", 1.0),
        ):
            results.append(
                make_result(
                    f"m{i}",
                    evaluation=evaluation,
                    resource=resource,
                    metric=metric,
                    score=quality + noise * float(generator.normal()),
                    model_sha256=f"{i:064x}",
                    resource_sha256=resource,
                )
            )
    return meta(results, resamples=200, against=against)


def test_a_row_a_comparison_of_the_leading_method(make_result: ResultMaker) -> None:
    found = found_of(make_result)
    figure = differences_figure(found)
    drawn = ElementTree.fromstring(figure.svg)
    # Two others behind the best of each of two tasks; Spearman's are not drawn.
    assert len(drawn.findall(".//{*}circle")) == 4
    texts = "".join(drawn.itertext())
    first = found.comparisons[0]
    assert f"POS: {found.names[first.first]} ({first.r_first:.2f}) less" in texts
    assert f"{first.difference:.2f} [{first.low:.2f}, {first.high:.2f}]" in texts
    assert "Parse: " in texts
    assert "script" not in [element.tag.rpartition("}")[2] for element in drawn.iter()]
    assert "right of the line the best is better" in figure.caption


@pytest.mark.parametrize("against", ["MEN", "ws-353"])
def test_against_one_by_name(make_result: ResultMaker, against: str) -> None:
    found = found_of(make_result, against=against)
    assert found.against is not None
    figure = differences_figure(found)
    assert f"POS, less {found.names[found.against]} (" in figure.svg
    assert f"minus that of {found.names[found.against]};" in figure.caption


def test_a_comparison_without_an_interval_is_a_point(make_result: ResultMaker) -> None:
    found = found_of(make_result)
    bare = tuple(replace(each, low=None, high=None) for each in found.comparisons)
    figure = differences_figure(replace(found, comparisons=bare))
    assert figure.svg.count("<circle") == 4
    assert f">{bare[0].difference:.2f}<" in figure.svg


def test_the_section_has_it_where_there_is_something_to_compare(make_result: ResultMaker) -> None:
    made = section(found_of(make_result))
    assert any("Differences of correlations" in figure.caption for figure in made.figures)
    assert made.tables[-2].caption.startswith("The best intrinsic score for each task")
    few = section(found_of(make_result, models=7))
    assert not any("Differences" in figure.caption for figure in few.figures)
