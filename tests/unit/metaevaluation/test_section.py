from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import pytest

from lydite.metaevaluation.evaluation import meta
from lydite.metaevaluation.section import section, section_of_results
from lydite.results.record import Result

ResultMaker: TypeAlias = Callable[..., Result]


def results_of(make_result: ResultMaker, models: int) -> list[Result]:
    generator = np.random.default_rng(0)
    return [
        make_result(
            f"m{i}",
            evaluation=evaluation,
            resource="data",
            metric=metric,
            score=float(generator.normal()),
            model_sha256=f"{i:064x}",
        )
        for i in range(models)
        for evaluation, metric in (("similarity", "spearman"), ("tagging", "accuracy"))
    ]


def test_a_run_with_both_kinds_of_scores_gets_a_section(make_result: ResultMaker) -> None:
    made = section_of_results(results_of(make_result, 3))
    assert made is not None
    assert "3 models are too few" in made.how_to_read


def test_other_runs_get_none(make_result: ResultMaker) -> None:
    assert section_of_results(results_of(make_result, 2)) is None
    assert section_of_results([make_result(f"m{i}", 0.1 * i) for i in range(3)]) is None
    assert section_of_results([]) is None


def test_what_goes_wrong_costs_no_report(
    make_result: ResultMaker, heard: pytest.LogCaptureFixture
) -> None:
    results = results_of(make_result, 3)
    again = make_result("m0", 0.5, evaluation="tagging", resource="more", model_sha256="f" * 64)
    assert section_of_results([*results, again]) is None
    assert "m0 stands for 2 models" in heard.text


def test_tables_of_both_methods_and_all_figures(make_result: ResultMaker) -> None:
    made = section(meta(results_of(make_result, 9), resamples=200))
    captions = [table.caption for table in made.tables]
    assert [caption.rpartition("(")[2] for caption in captions[:2]] == [
        "Pearson, 9 models)",
        "Spearman, 9 models)",
    ]
    assert captions[-1] == "All correlations"


def test_only_the_strongest_panels_are_drawn_where_they_are_many(
    make_result: ResultMaker,
) -> None:
    generator = np.random.default_rng(0)
    many = [
        make_result(
            f"m{i}",
            resource=f"pairs{k}",
            resource_sha256=f"{k:064x}",
            score=float(generator.normal()),
            model_sha256=f"{i:064x}",
        )
        for i in range(4)
        for k in range(100)
    ]
    tagged = [each for each in results_of(make_result, 4) if each.evaluation == "tagging"]
    made = section(meta([*many, *tagged], method="pearson", resamples=100))
    assert "Shown: 96 of 100 correlations" in made.figures[-1].caption
    assert made.figures[-1].svg.count("<circle") == 96 * 4
