from __future__ import annotations

import csv
import io
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import pytest

from lydite.drawing.table import as_cell, render
from lydite.metaevaluation.evaluation import MetaEvaluation, meta
from lydite.metaevaluation.tables import comparison_tables, comparisons_table, leaders_table
from lydite.results.record import Result

ResultMaker: TypeAlias = Callable[..., Result]
Maker: TypeAlias = Callable[..., MetaEvaluation]


@pytest.fixture
def make_found(make_result: ResultMaker) -> Maker:
    """Models whose MEN and WS-353 follow tagging, and whose SimLex does not."""

    def make(models: int = 14, **options: Any) -> MetaEvaluation:  # noqa: ANN401
        generator = np.random.default_rng(2)
        results = []
        for i, quality in enumerate(generator.normal(size=models).tolist()):
            noise = generator.normal(size=3).tolist()
            for evaluation, resource, metric, score in (
                ("similarity", "men", "spearman", quality + 0.3 * noise[0]),
                ("similarity", "ws-353", "spearman", quality + 0.3 * noise[1]),
                ("similarity", "simlex-999", "spearman", noise[2]),
                ("tagging", "ud-ewt", "accuracy", quality),
            ):
                results.append(
                    make_result(
                        f"zoo/m{i}.txt",
                        evaluation=evaluation,
                        resource=resource,
                        metric=metric,
                        score=score,
                        model_sha256=f"{i:064x}",
                        resource_sha256=resource,
                    )
                )
        return meta(results, method="pearson", resamples=1000, **options)

    return make


def notes_of(table: Any) -> str:  # noqa: ANN401
    return "\n".join(as_cell(note).text for note in table.notes)


def test_who_leads(make_found: Maker) -> None:
    found = make_found()
    assert list(comparison_tables(found)) == ["leaders", "comparisons"]
    table = leaders_table(found)
    _, ((task, method, *figures, ahead),) = table.for_people()
    assert (task.text, method.text, ahead.text) == ("POS", "pearson", "1 of 2")
    assert {figures[0].text, figures[2].text} == {"MEN", "WS-353"}
    assert ahead.values == (1, 2)
    assert "leads for POS" in notes_of(table)
    assert "Holm's correction for all 3 pairs of scores, because the best one" in notes_of(table)
    assert "exchanges the two scores of whole families" in notes_of(table)


def test_every_comparison_with_whole_numbers(make_found: Maker) -> None:
    found = make_found()
    table = comparisons_table(found)
    _, rows = table.for_people()
    # SimLex is behind by more than chance.
    stars = {row[4].text: row[8].text.endswith("*") for row in rows}
    assert stars == {found.names[found.comparisons[0].second]: False, "SimLex": True}
    read = list(csv.DictReader(io.StringIO(render(table, "csv"))))
    assert len(read) == 2
    for row, comparison in zip(read, found.comparisons, strict=True):
        assert row["first"] == found.names[comparison.first]
        for field in ("r_first", "r_second", "difference", "low", "high", "p", "p_corrected"):
            name = {"p": "p_value"}.get(field, field)
            assert float(row[field]) == getattr(comparison, name)
    assert r"\toprule" in render(table, "latex")


def test_against_one_by_name(make_found: Maker) -> None:
    found = make_found(against="SimLex", correction="bh")
    (table,) = comparison_tables(found).values()
    assert table.caption == "Every score against SimLex"
    _, rows = table.for_people()
    assert [(row[2].text, row[4].text) for row in rows] == [
        ("WS-353", "SimLex"),
        ("MEN", "SimLex"),
    ]
    assert "after Benjamini and Hochberg's correction for 2 comparisons." in notes_of(table)
    uncorrected = comparison_tables(make_found(against="SimLex", correction="none"))
    assert "without a correction for 2 comparisons" in notes_of(uncorrected["comparisons"])


def test_few_models_make_no_table(make_found: Maker) -> None:
    assert comparison_tables(make_found(7)) == {}
