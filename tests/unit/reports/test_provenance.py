from __future__ import annotations

import dataclasses
from collections.abc import Callable

from lydite.drawing.table import render
from lydite.reports.page import models_table, questions_table, results_provenance, sources, versions
from lydite.results.record import Result


def test_every_resource_is_named_once_with_what_its_card_says(
    make_result: Callable[..., Result],
) -> None:
    found = sources(
        [
            make_result("a", resource="simlex-999"),
            make_result("b", resource="simlex-999"),
            make_result("a", resource="folder/mine.tsv"),
            make_result("a", resource="semcor-supersenses+starter-supersenses"),
        ]
    )
    assert [source.name for source in found] == [
        "simlex-999",
        "folder/mine.tsv",
        "semcor-supersenses+starter-supersenses",
    ]
    assert found[0].titles == ["SimLex-999"]
    assert found[0].citations[0].startswith("Felix Hill")
    assert found[0].licences
    assert (found[1].titles, found[1].citations) == ([], [])
    assert len(found[2].titles) == 2


def test_versions_are_said_once_unless_they_differ(make_result: Callable[..., Result]) -> None:
    first = make_result("a")
    newer = dataclasses.replace(first.provenance, versions={"python": "3.12.0"})
    second = dataclasses.replace(make_result("b"), provenance=newer)
    assert len(versions([first, make_result("b")])) == 1
    assert "versions" not in render(results_provenance([first, make_result("b")]), "markdown")
    table = render(results_provenance([first, second]), "markdown")
    assert "set 1" in table
    assert "set 2" in table


def test_all_that_a_number_followed_from_is_there(make_result: Callable[..., Result]) -> None:
    one = make_result("a", evaluation="similarity(metric=spearman)")
    two = make_result("b", evaluation="similarity(metric=spearman)", model_sha256=None)
    models = render(models_table([one, two]), "csv")
    assert "ab" * 32 in models
    assert "not known" in models
    tests = render(questions_table([one, two]), "csv")
    assert tests.count("\n") == 2
    assert '"similarity(metric=spearman)"' in tests
    assert '"shuffled ratings, 1000 draws"' in tests
    results = render(results_provenance([one, two]), "csv")
    assert "1.25,320.4" in results
    assert one.key in results
