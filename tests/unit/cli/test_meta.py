from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from lydite.cli.app import app, run_app
from lydite.results.record import Provenance, Result
from lydite.results.store import RunStore
from lydite.stats.bootstrap import Interval
from lydite.stats.null import Baseline
from lydite.storage import sha256_text

QUESTIONS = (
    ("similarity(metric=spearman)", "ws-353", "spearman"),
    ("similarity(metric=spearman)", "men", "spearman"),
    ("qvec(method=cca)", "semcor-supersenses", "cca"),
    ("localization(scale=none)", "groups", "svm"),
    ("classification(task=all)", "20news-bydate", "accuracy"),
    ("classification(task=all)", "sst-binary", "accuracy"),
    ("parsing(system=arc-hybrid)", "ud-ewt", "uas"),
)


def result(model: str, question: tuple[str, str, str], score: float, bytes_: str) -> Result:
    evaluation, resource, metric = question
    source = Provenance(
        evaluation=evaluation.partition("(")[0],
        parameters={},
        model=model,
        model_sha256=bytes_,
        resource=resource,
        resource_sha256=sha256_text(resource),
        seed=0,
        versions={},
        wall_seconds=1.0,
        peak_memory_mb=1.0,
        created="2025-06-01T12:00:00+00:00",
    )
    return Result(
        key=sha256_text(f"{model} {evaluation} {resource} {bytes_}")[:20],
        evaluation=evaluation,
        model=model,
        resource=resource,
        metric=metric,
        score=score,
        interval=Interval(low=score, high=score, level=0.95, method="none"),
        baseline=Baseline(kind="none", mean=0.0, low=0.0, high=0.0, draws=1),
        n_items=10,
        n_covered=10,
        oov="skip",
        statistic="mean",
        others={"las": score - 0.1} if metric == "uas" else {},
        details={},
        items=None,
        provenance=source,
    )


def folder_of(folder: Path, models: int) -> str:
    """Write a run in which all scores follow one quality, with noise."""
    generator = np.random.default_rng(4)
    store = RunStore(folder)
    for i, quality in enumerate(generator.normal(size=models)):
        name = f"zoo/lsa-{chr(97 + i)}-{100 if i % 2 else 300}d-w5.txt"
        for question in QUESTIONS:
            model = f"mean({name})" if question[0].startswith("localization") else name
            score = float(quality + 0.3 * generator.normal())
            store.add(
                result(model, question, score, f"{i:064x}"),
                {"item": ["a"], "covered": [True], "value": [1.0]},
            )
    return str(folder)


@pytest.fixture
def run(tmp_path: Path) -> str:
    return folder_of(tmp_path / "run", 12)


def invoke(*arguments: str) -> str:
    done = CliRunner().invoke(app, ["meta", *arguments, "--resamples", "500"])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_the_tables_and_the_verdict_are_printed(run: str) -> None:
    shown = invoke(run, "--method", "pearson")
    for text in ("Table 3", "Table 4", "WS-353", "QVEC-CCA", "20NG", "Senti", "Parse"):
        assert text in shown
    assert "All correlations" in shown
    assert "stand out" in shown.splitlines()[-1]
    assert "leads for 20NG" in shown
    assert "Which score is the best guide is" in shown.splitlines()[-1]
    assert "The best score for each downstream score against every other" not in shown


def test_csv_is_one_table_with_all_figures(run: str) -> None:
    rows = list(csv.DictReader(io.StringIO(invoke(run, "--format", "csv"))))
    assert len(rows) == 4 * 3 * 2
    assert {row["intrinsic_form"] for row in rows} == {"", "mean(·)"}
    assert all(row["n"] == "12" for row in rows)


def test_json_only_and_further_scores(run: str) -> None:
    options = ("--format", "json", "--only", "*-300d-*", "--metric", "parsing:las")
    data = json.loads(invoke(run, *options, "--method", "spearman", "--correction", "bh"))
    assert len(data["models"]) == 6
    assert data["correction"] == "bh"
    assert data["verdict"].startswith("6 models are too few")
    assert {each["method"] for each in data["correlations"]} == {"spearman"}
    assert "Parse LAS" in {each["downstream"] for each in data["correlations"]}


def test_one_table_makes_fewer_tests(run: str) -> None:
    data = json.loads(invoke(run, "--format", "json", "--tables", "3", "--method", "pearson"))
    assert data["tests"] == 3 * 2


def test_scores_are_compared_with_the_one_that_is_named(run: str) -> None:
    shown = invoke(run, "--method", "pearson", "--against", "men")
    assert "Every score against MEN" in shown
    assert "leads for" not in shown
    data = json.loads(invoke(run, "--format", "json", "--against", "MEN", "--tables", "3"))
    assert data["comparisons"]["against"] == "MEN"
    # WS-353 and QVEC-CCA for two tasks and two methods.
    assert data["comparisons"]["choices"] == len(data["comparisons"]["made"]) == 8


def test_an_unknown_score_is_refused_with_the_names_there_are(
    run: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_app(["meta", run, "--against", "menn"]) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert "there is no intrinsic score called 'menn'" in said
    assert "did you mean MEN?" in said


def test_unwrapping_can_be_switched_off(run: str) -> None:
    data = json.loads(invoke(run, "--format", "json", "--no-unwrap", "--method", "pearson"))
    assert len(data["models"]) == 24


@pytest.mark.parametrize("form", ["latex", "markdown"])
def test_text_formats(run: str, form: str) -> None:
    shown = invoke(run, "--format", form, "--tables", "3")
    assert ("\\toprule" in shown) == (form == "latex")
    assert ("| 20NG |" in shown) == (form == "markdown")


def test_a_folder_gets_everything(run: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    invoke(run, "--out", str(out), "--method", "pearson")
    assert {path.name for path in out.iterdir()} == {
        *("meta.json", "report.html"),
        *(
            f"{name}.{ending}"
            for name in ("table-3", "table-4", "all", "correlations", "leaders", "comparisons")
            for ending in ("tex", "txt", "csv")
        ),
    }
    assert "QVEC-CCA" in (out / "table-3.txt").read_text("utf-8")
    assert json.loads((out / "meta.json").read_text("utf-8"))["tests"] == 4 * 3


def test_two_bytes_under_one_name_end_with_both(
    run: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = RunStore(tmp_path / "other")
    again = result("zoo/lsa-a-300d-w5.txt", QUESTIONS[0], 0.5, "f" * 64)
    other.add(again, {"item": ["a"], "covered": [True], "value": [1.0]})
    assert run_app(["meta", run, str(other.folder)]) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert "zoo/lsa-a-300d-w5.txt stands for 2 models" in said
    assert "ffffffffffff" in said
    assert "000000000000" in said


def test_too_few_models_end_with_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_app(["meta", folder_of(tmp_path / "two", 2)]) == 1
    assert "2 models have both scores" in capsys.readouterr().err
