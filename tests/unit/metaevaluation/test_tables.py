from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import pytest

from lydite.drawing.table import render
from lydite.metaevaluation.evaluation import MetaEvaluation, meta
from lydite.metaevaluation.tables import grid_table, long_table, meta_json
from lydite.results.record import Result

ResultMaker: TypeAlias = Callable[..., Result]


@pytest.fixture
def found(make_result: ResultMaker) -> MetaEvaluation:
    """Ten models: MEN is tagging with little noise, QVEC-CCA (PTB) is its opposite."""
    generator = np.random.default_rng(0)
    results = []
    for i, quality in enumerate(generator.normal(size=10).tolist()):
        model, bytes_ = f"zoo/m{i}.txt", f"{i:064x}"
        noise = 0.1 * float(generator.normal())
        for evaluation, resource, metric, score in (
            ("similarity", "men", "spearman", quality + noise),
            ("qvec(method=cca)", "ptb-pos-tags", "cca", -quality),
            ("tagging", "ud-ewt", "accuracy", quality),
            ("parsing", "ud-ewt", "uas", 0.5),
        ):
            results.append(
                make_result(
                    model,
                    evaluation=evaluation,
                    resource=resource,
                    metric=metric,
                    score=score,
                    model_sha256=bytes_,
                    resource_sha256=resource,
                )
            )
    return meta(results, resamples=2000)


def test_the_form_of_table_4(found: MetaEvaluation) -> None:
    (grid,) = found.grids
    table = grid_table(found, grid, "pearson")
    columns, rows = table.for_people()
    assert [column.title for column in columns] == ["", "", "POS", "Parse"]
    assert [[cell.text for cell in row] for row in rows] == [
        ["", "MEN", "0.99*", "–"],
        ["PTB", "QVEC-CCA", "-1.00*", "–"],
    ]
    assert table.caption.endswith("(Pearson, 10 models)")


def test_latex_is_set_with_booktabs_and_stars(found: MetaEvaluation) -> None:
    text = render(grid_table(found, found.grids[0], "pearson"), "latex")
    assert r"\toprule" in text
    assert r"PTB & QVEC-CCA & $-$1.00{*} & – \\" in text
    assert r"2 of 2 correlations stand out after Holm's correction for 4 tests" in text


def test_csv_holds_whole_numbers(found: MetaEvaluation) -> None:
    rows = list(csv.DictReader(io.StringIO(render(long_table(found), "csv"))))
    assert len(rows) == 8
    first = rows[0]
    assert (first["intrinsic"], first["downstream"], first["method"]) == ("MEN", "POS", "pearson")
    assert first["intrinsic_resource"] == "men"
    association = found.associations[0]
    for name in ("r", "low", "high", "p_corrected", "without_low", "without_high"):
        assert float(first[name]) == getattr(association, name)
    assert float(first["critical"]) == pytest.approx(0.632, abs=5e-4)
    undefined = next(row for row in rows if row["downstream"] == "Parse")
    assert undefined["r"] == ""
    assert undefined["reason"] == "the downstream score of all 10 models is 0.5"


def test_json_says_everything(found: MetaEvaluation) -> None:
    data = json.loads(meta_json(found))
    assert data["tests"] == 4
    assert data["correction"] == "holm"
    assert data["verdict"].startswith("4 of 4 correlations stand out")
    assert data["power"]["models"] == 10
    assert data["tables"][0]["rows"] == ["MEN", "QVEC-CCA PTB"]
    assert data["correlations"][0]["stands_out"] is True
    assert data["correlations"][0]["without_low_model"].startswith("zoo/m")
    (first, second) = data["comparisons"]["made"]
    assert (first["first"], first["second"], first["downstream"]) == ("MEN", "QVEC-CCA PTB", "POS")
    assert first["difference"] == first["r_first"] - first["r_second"]
    assert first["n"] == 10
    # QVEC-CCA is the task turned round: the jackknife has nothing to say about r = -1.
    assert first["low"] is None
    assert (first["differs"], second["method"]) == (True, "spearman")
    assert data["comparisons"]["choices"] == 2
    assert data["comparisons"]["against"] is None
    assert data["comparisons"]["verdict"] in data["verdict"]
    scores = data["models"][0]["scores"]
    assert set(scores) == {"MEN", "QVEC-CCA PTB", "POS", "Parse"}
