from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from lydite.cli.app import app, run_app

VECTORS = "n 1 0.1\na 1 0\nm 0.1 1\nb 0 1\n"


@pytest.fixture
def space(tmp_path: Path) -> str:
    path = tmp_path / "vectors.txt"
    path.write_text(VECTORS)
    return str(path)


@pytest.fixture
def definitions(tmp_path: Path) -> str:
    path = tmp_path / "definitions.txt"
    path.write_text("n\t___ a\nm\t___ b\nn\t___ b\n")
    return str(path)


@pytest.fixture
def chimeras(tmp_path: Path) -> str:
    folder = tmp_path / "chimeras"
    folder.mkdir()
    for level, ratings in (("l2", "3,2,1"), ("l4", "1,2,3")):
        lines = [f"{i}\t___ a\tn,m,b\t{ratings}\n" for i in (1, 2)]
        (folder / f"chimeras.{level}.test.txt").write_text("".join(lines))
    return str(folder)


def ask(*arguments: str) -> Result:
    done = CliRunner().invoke(app, ["nonces", "additive(sample=0)", *arguments])
    assert done.exit_code == 0, done.output
    return done


def test_definitions_have_the_median_rank_beside_the_score(space: str, definitions: str) -> None:
    told = ask("--data", definitions, "--background", space, "--format", "csv").stdout
    (row,) = csv.DictReader(io.StringIO(told))
    # The ranks are 2, 2 and 3.
    assert float(row["score"]) == pytest.approx((1 / 2 + 1 / 2 + 1 / 3) / 3)
    assert float(row["median_rank"]) == 2
    assert row["metric"] == "mrr"
    assert row["model"].startswith("additive(")
    assert "median rank" in ask("--data", definitions, "--background", space).stdout


def test_chimeras_are_known_by_their_lines_and_chosen_by_level(space: str, chimeras: str) -> None:
    for level, score in (("L2", 1.0), ("L4", -1.0)):
        arguments = ("--data", chimeras, "--level", level, "--background", space)
        told = json.loads(ask(*arguments, "--format", "json").stdout)
        (result,) = told["results"]
        assert result["metric"] == "mean_spearman"
        assert result["score"] == pytest.approx(score)
    header = ask(*arguments, "--format", "csv").stdout.splitlines()[0]
    assert "median_rank" not in header


def test_the_starter_is_asked_if_nothing_else_is(
    space: str, capsys: pytest.CaptureFixture[str]
) -> None:
    # None of its words is in the space, so there is nothing to score.
    assert run_app(["nonces", "additive(sample=0)", "--background", space, "-q"]) == 1
    assert "80 trials in definitions.txt" in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--task", "chimera"), "did you mean chimeras?"),
        (("--part", "train"), "has no part to choose, but part=train was asked for"),
        (("--level", "L4"), "has no level to choose, but level=L4 was asked for"),
        (("--level", "L3"), "expected level to be one of L2, L4, L6, got 'L3'"),
        (("--task", "chimeras"), "expected number, sentences, probes and ratings"),
    ],
)
def test_mistakes_end_with_2_and_say_what_is_wrong(
    arguments: tuple[str, ...],
    message: str,
    space: str,
    definitions: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    call = ["nonces", "additive(sample=0)", "--data", definitions, "--background", space]
    assert run_app([*call, *arguments]) == 2
    assert message in " ".join(capsys.readouterr().err.split())


def test_the_report_tells_the_best_and_worst_words(
    space: str, definitions: str, tmp_path: Path
) -> None:
    ask("--data", definitions, "--background", space, "--out", str(tmp_path / "run"))
    report = (tmp_path / "run" / "report.html").read_text("utf-8")
    assert "New words from a few sentences" in report
    assert "nearest to what was learned" in report
