from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias
from xml.etree import ElementTree

import numpy as np
import pytest

from lydite.metaevaluation.evaluation import meta
from lydite.reports.page import render_report, write_meta_page
from lydite.results.record import Result

ResultMaker: TypeAlias = Callable[..., Result]


def results_of(make_result: ResultMaker, names: list[str]) -> list[Result]:
    generator = np.random.default_rng(0)
    return [
        make_result(
            name,
            evaluation=evaluation,
            resource=resource,
            metric=metric,
            score=float(generator.normal()),
            model_sha256=f"{place:064x}",
            resource_sha256=resource,
        )
        for place, name in enumerate(names)
        for evaluation, resource, metric in (
            ("similarity", "men", "spearman"),
            ("subsumption", "tree", "ss"),
            ("classification", "sst-binary", "accuracy"),
            ("tagging", "ud-ewt", "accuracy"),
        )
    ]


def pictures(page: str) -> list[ElementTree.Element]:
    parts = page.split("<svg ")[2:]
    return [
        ElementTree.fromstring("<svg " + part.partition("</svg>")[0] + "</svg>") for part in parts
    ]


@pytest.mark.parametrize("count", [4, 9])
def test_a_matrix_and_a_scatter_a_cell(
    tmp_path: Path, make_result: ResultMaker, count: int
) -> None:
    names = [f"zoo/model{i}.txt" for i in range(count)]
    found = meta(results_of(make_result, names), resamples=200)
    write_meta_page(found, tmp_path / "report.html", title="zoo")
    page = (tmp_path / "report.html").read_text("utf-8")
    drawn = pictures(page)
    # Two tables of the paper and all; MEN with two tasks in two pictures, subsumption in one; and
    # the differences of the two, if the models are enough to speak of them.
    compared = count == 9
    assert len(drawn) == 6 + compared
    panels = drawn[3 + compared :]
    titles = ["".join(picture.itertext()) for picture in panels]
    assert "MEN → Senti" in titles[0]
    assert "MEN → POS" in titles[1]
    assert "subsumption tree → Senti" in titles[2]
    # Every model is a point in every panel.
    assert [len(picture.findall(".//circle")) for picture in panels] == [count, count, 2 * count]
    assert all(f"model{i}: MEN" in titles[0] for i in range(count))
    numbered = "1 model0" in titles[0]
    assert numbered == (count > 6)
    assert f"Verdict: {'4 models are too few' if count == 4 else 'None of the 8'}" in page
    assert "<script" not in page


def test_names_from_data_do_nothing(
    tmp_path: Path, make_result: ResultMaker, evil: tuple[str, ...]
) -> None:
    found = meta(results_of(make_result, list(evil)), unwrap=False, resamples=200)
    write_meta_page(found, tmp_path / "report.html", title=evil[0])
    page = (tmp_path / "report.html").read_text("utf-8")
    assert "<script" not in page
    assert "onerror=alert(1)>" not in page.replace("&gt;", "")
    assert all(pictures(page)[i] is not None for i in range(5))


def test_the_report_of_a_run_with_both_kinds_of_scores_has_the_section(
    make_result: ResultMaker,
) -> None:
    results = results_of(make_result, ["a.txt", "b.txt", "c.txt"])

    def page(shown: list[Result]) -> str:
        return render_report(shown, [], title="t", suite_text=None, items=lambda _: None)

    assert "Meta-evaluation: do intrinsic scores" in page(results)
    assert "Meta-evaluation" not in page(results[:8])
    intrinsic = [each for each in results if each.evaluation in {"similarity", "subsumption"}]
    assert "Meta-evaluation" not in page(intrinsic)
