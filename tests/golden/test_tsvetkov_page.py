"""The page on Tsvetkov et al. (2016) says what the stored scores of the models say."""

from __future__ import annotations

import re
import tomllib

import numpy as np
import pytest

from studies.tsvetkov_2016 import (
    INTRINSIC,
    PAGE,
    PAPER,
    SEMANTIC,
    SYNTACTIC,
    TEXT,
    association,
    difference,
    found,
    leader,
    models,
    page,
    r,
    scores,
)

SIZES = ("100", "200", "300")
SIMILARITY = ("WS-353", "MEN", "SimLex")


def test_the_page_is_what_the_scores_give() -> None:
    assert PAGE.read_text("utf-8") == page(), "run python -m studies.tsvetkov_2016"


def test_no_figure_of_the_text_is_written_by_hand() -> None:
    text = re.sub(r"\{\{.+?\}\}", "", TEXT.read_text("utf-8"))
    # The level, an accuracy taken as an example, and how much is lost in rounding.
    assert re.findall(r"\d+\.\d+", text) == ["0.05", "0.75", "0.01"]


def test_the_models_are_nine_families_of_three_sizes() -> None:
    names = [row["model"] for row in models()]
    assert len(set(names)) == 27
    assert len(set(found().scores.families)) == 9
    assert all(sum(f"-{size}d-" in name for name in names) == 9 for size in SIZES)


def test_correlations_are_pearsons_of_the_stored_columns() -> None:
    for name in INTRINSIC:
        for task in (*SEMANTIC, *SYNTACTIC):
            assert r(name, task) == pytest.approx(np.corrcoef(scores(name), scores(task))[0, 1])


def test_the_golden_table_has_the_same_correlations_from_unrounded_scores() -> None:
    tables = tomllib.loads(PAPER.read_text("utf-8"))["table"]
    ours = {
        cell["cell"]: cell["ours"]
        for table in tables
        if table["name"].startswith(("Table 3", "Table 4"))
        for cell in table["cells"]
    }
    for name, cell in [
        *((name, name) for name in SIMILARITY),
        ("QVEC SST", "QVEC"),
        ("QVEC-CCA SST", "QVEC-CCA"),
        ("QVEC-CCA PTB", "PTB, QVEC-CCA"),
    ]:
        tasks = SYNTACTIC if "PTB" in name else SEMANTIC
        for task in (*tasks, *(SYNTACTIC if name in SIMILARITY else ())):
            assert r(name, task) == pytest.approx(ours[f"{cell}, {task}"], abs=0.01)


def test_what_the_page_says_agrees() -> None:
    above = {
        (name, task)
        for name in (*SIMILARITY, "QVEC SST", "QVEC-CCA SST")
        for task in ("20NG", "Senti")
        if (association(name, task).low or 0) > 0
    }
    assert above == {("QVEC-CCA SST", "20NG"), ("QVEC-CCA SST", "Senti")}
    assert [leader("20NG", size) for size in ("", *SIZES)] == [
        "QVEC-CCA SST",
        "MEN",
        "QVEC-CCA SST",
        "QVEC-CCA SST",
    ]
    assert difference("QVEC-CCA SST", "MEN", "20NG")[3] > 0.05
    assert difference("QVEC-CCA SST", "QVEC SST", "20NG")[1] > 0
    syntax = [association(name, task) for name in SIMILARITY for task in SYNTACTIC]
    values = [each.r or 0.0 for each in syntax]
    assert (min(values), max(values)) == (r("MEN", "Parse"), r("WS-353", "POS"))
    assert all((each.low or 0) < 0 < (each.high or 0) for each in syntax)


def test_what_the_page_says_differs() -> None:
    assert [leader("Senti", size) for size in ("", *SIZES)] == [
        "QVEC-CCA SST",
        "WS-353",
        "SimLex",
        "SimLex",
    ]
    for name in ("QVEC-CCA SST", "Senti"):
        means = [np.mean(scores(name, size)) for size in SIZES]
        assert means == sorted(means)
    lowest = min(models(), key=lambda row: ("-300d-" not in row["model"], float(row["QVEC SST"])))
    assert lowest["model"] == "ppmi-svd-300d-w5"
    assert max(r(name, "Metaphor") for name in INTRINSIC[:-1]) == r("WS-353", "Metaphor")
    metaphor = [np.mean(scores("Metaphor", size)) for size in SIZES]
    assert metaphor == sorted(metaphor, reverse=True)
    for task in SYNTACTIC:
        for size in SIZES:
            best = sorted(
                (row for row in models() if f"-{size}d-" in row["model"]),
                key=lambda row: -float(row[task]),
            )
            assert {row["model"].partition(f"-{size}d")[0] for row in best[:2]} == {
                "structured-skipgram",
                "cwindow",
            }
