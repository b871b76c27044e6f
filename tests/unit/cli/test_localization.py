from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from lydite.cli.app import app, run_app

WORDS = {"cats": "cat feline purr", "rain": "rain drops wet", "debts": "bank owe loan"}


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write three groups, two more, and vectors of a few words."""
    monkeypatch.chdir(tmp_path)
    rows = [f"{g},{w} {i}" for g, words in WORDS.items() for i, w in enumerate(words.split())]
    extra = [f"{g},all of {words}" for g, words in WORDS.items()]
    Path("a.csv").write_text("\n".join(["group,text", *rows, *extra]) + "\n")
    others = [f"{g},the {g} {i}" for g in ("sea", "sun") for i in range(3)]
    Path("b.csv").write_text("\n".join(["group,text", *others]) + "\n")
    Path("v.txt").write_text("cat 1 0\nfeline 1 1\nrain 0 1\nbank -1 0\n")


def ask(*arguments: str, code: int = 0) -> Result:
    done = CliRunner().invoke(app, ["localization", *arguments, "--repeats", "1", "-q"])
    assert done.exit_code == code, done.output
    return done


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def results_of(*arguments: str) -> list[dict[str, Any]]:
    told = json.loads(ask(*arguments, "--groups", "a.csv", "--format", "json").stdout)
    return list(told["results"])


def test_csv_is_one_row_a_model_and_json_says_the_same() -> None:
    rows = rows_of(ask("bow", "random(5)", "--groups", "a.csv", "--format", "csv").stdout)
    assert [row["model"] for row in rows] == ["bow", "random(5)"]
    for row, result in zip(rows, results_of("bow", "random(5)"), strict=True):
        assert float(row["svm"]) == result["score"]
        assert float(row["svm_low"]) == result["interval"]["low"]
        assert float(row["chance"]) == result["baseline"]["mean"]
        assert {k: float(row[k]) for k in ("centroid", "neighbour", "alignment", "uniformity")} == {
            k: result["others"][k] for k in ("centroid", "neighbour", "alignment", "uniformity")
        }
        assert (row["n_covered"], row["n_items"]) == ("12", "12")


def test_people_are_told_scores_agreement_and_sizes() -> None:
    told = ask("bow", "random(5)", "--groups", "a.csv", "--format", "markdown").stdout
    header = next(line for line in told.splitlines() if line.startswith("| model"))
    assert [cell.strip() for cell in header.split("|")[3:9]] == [
        "SVM", "centroid", "neighbour", "chance", "alignment", "uniformity",
    ]  # fmt: skip
    assert "misclassification agreement" in told
    assert "| 4 | 3 |" in told
    assert "most often confused" not in told
    table = ask("bow", "--groups", "a.csv", "--format", "table").stdout
    assert "SVM" in table
    assert "12/12" in table
    # One model agrees with nobody.
    assert "misclassification agreement" not in table


def test_confused_groups_are_told_if_asked() -> None:
    told = ask("random(5)", "--groups", "a.csv", "--confused", "--format", "markdown").stdout
    assert "most often confused" in told
    (result,) = results_of("random(5)")
    pair = result["details"]["confused"][0]
    assert all(name in told for name in pair["groups"])
    assert next(example for example in pair["examples"] if example) in told


def test_several_sets_of_groups_may_follow_one_option(capsys: pytest.CaptureFixture[str]) -> None:
    given = ["localization", "bow", "--groups", "a.csv", "b.csv", "--repeats", "1", "-f", "csv"]
    assert run_app([*given, "-q"]) == 0
    assert [row["resource"] for row in rows_of(capsys.readouterr().out)] == ["a.csv", "b.csv"]
    twice = ask("bow", "--groups", "a.csv", "--groups", "b.csv", "-f", "csv").stdout
    assert [row["resource"] for row in rows_of(twice)] == ["a.csv", "b.csv"]


def test_ensembles_are_asked_beside_their_members() -> None:
    ways = ("vote", "scores", "stacked", "concatenation")
    options = [part for way in ways for part in ("--ensemble", way)]
    results = results_of("bow", "mean(v.txt)", *options)
    assert [result["model"] for result in results] == [
        "bow",
        "mean(v.txt)",
        "ensemble(bow, mean(v.txt))",
        *(f"ensemble(bow, mean(v.txt), by={way})" for way in ways[1:]),
    ]
    # The vectors are the same however classifiers are joined.
    assert len({result["others"]["neighbour"] for result in results[2:]}) == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["bow", "--ensemble", "vote"], "--ensemble needs at least two models, got 1"),
        (["bow", "random(3)", "--ensemble", "votes"], "did you mean vote"),
        (["bow", "--metric", "accuracy"], "expected metric to be one of svm, centroid, neighbour"),
        (["bow", "--C", "inf"], "expected C to be a number from 0, got inf"),
        (["bow", "--solver", "libsvm"], "expected solver to be one of newton, liblinear"),
        (["bow", "--most", "1"], "expected most to be 0, for all, or from 2"),
        (["bow", "--folds", "5"], "group 'cats' has 4 sentences and cannot be split into 5 folds"),
        (["bow", "--minimum", "5"], "expected at least two groups of 5 sentences or more"),
        (["nosuch"], "nosuch"),
        (["v.txt"], "compose its words: 'mean(v.txt)'"),
        (["bow", "--groups", "nosuch.csv"], "nosuch.csv"),
    ],
)
def test_wrong_calls_are_told_and_end_with_2(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    groups = [] if "--groups" in arguments else ["--groups", "a.csv"]
    assert run_app(["localization", *arguments, *groups, "-q"]) == 2
    captured = capsys.readouterr()
    assert said in " ".join(captured.err.split())
    assert captured.out == ""


@pytest.mark.parametrize("option", [("--folds", "1"), ("--minimum", "1"), ("--repeats", "0")])
def test_numbers_that_are_too_low_are_refused(option: tuple[str, str]) -> None:
    done = CliRunner().invoke(app, ["localization", "bow", *option])
    assert done.exit_code == 2
    assert option[0] in done.output


def test_a_score_that_does_not_exist_ends_with_1(capsys: pytest.CaptureFixture[str]) -> None:
    # No word of these groups has a vector.
    given = ["localization", "mean(v.txt)", "--groups", "b.csv", "-q"]
    assert run_app(given) == 1
    assert "has the zero vector for 6 of 6 sentences" in " ".join(capsys.readouterr().err.split())


def test_one_model_that_fails_leaves_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    given = ["localization", "bow", "v.txt", "--groups", "a.csv", "--repeats", "1", "-q"]
    assert run_app([*given, "-f", "json"]) == 2
    told = json.loads(capsys.readouterr().out)
    assert [result["model"] for result in told["results"]] == ["bow"]
    assert told["failures"][0]["error"] == "UnsuitableModelError"


def test_a_sentence_of_two_groups_is_asked_about(capsys: pytest.CaptureFixture[str]) -> None:
    both = Path("a.csv").read_text() + "".join(f"more,{t}\n" for t in ("cat 0", "puss", "tom"))
    Path("c.csv").write_text(both)
    assert run_app(["localization", "bow", "--groups", "c.csv", "-q"]) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert "'cat 0' in 'more' and in 'cats'" in said
    assert "shared=merge" in said
    (row,) = rows_of(ask("bow", "--groups", "c.csv", "--shared", "merge", "-f", "csv").stdout)
    assert row["n_items"] == "14"
    told = ask("bow", "--groups", "c.csv", "--shared", "merge", "-f", "markdown").stdout
    assert "groups merged: 1; duplicates dropped: 1" in told.replace("\\", "")
    assert run_app(["localization", "bow", "--groups", "c.csv", "--no-mend", "-q"]) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert "'cat 0' in the groups 'cats' and 'more'" in said


def test_every_option_reaches_the_evaluation() -> None:
    given = {
        "metric": "centroid", "folds": 2, "C": 0.5, "weights": "none", "solver": "liblinear",
        "scale": "unit", "minimum": 4, "most": 2, "seen": "keep", "shared": "drop",
        "sentences": 100,
    }  # fmt: skip
    options = [part for key, value in given.items() for part in (f"--{key}", str(value))]
    (result,) = results_of("bow", *options, "--no-mend", "--seed", "7")
    asked = result["provenance"]["parameters"]
    assert asked == {**given, "repeats": 1, "mend": False, "curve": False}
    assert result["metric"] == "centroid"
    assert result["provenance"]["seed"] == 7
    assert result["others"]["groups"] == 2


def test_results_are_kept_reported_compared_and_gone_on_with() -> None:
    ask("bow", "random(5)", "--groups", "a.csv", "--out", "run")
    assert "a.csv" in Path("run/report.html").read_text()
    done = CliRunner().invoke(app, ["compare", "run", "--resamples", "100", "-f", "csv", "-q"])
    assert done.exit_code == 0, done.output
    (row,) = rows_of(done.stdout)
    assert (row["first"], row["second"]) == ("bow", "random(5)")
    assert (row["metric"], row["n_shared"]) == ("svm", "12")
    assert float(row["difference"]) == pytest.approx(
        float(row["first_score"]) - float(row["second_score"])
    )
    again = CliRunner().invoke(
        app, ["localization", "bow", "--groups", "a.csv", "--repeats", "1", "--out", "run"]
    )
    assert "1 results already existed" in again.output


def test_the_starter_groups_are_asked_unless_others_are_named() -> None:
    (row,) = rows_of(ask("bow", "--most", "10", "-f", "csv").stdout)
    assert row["resource"] == "starter-groups"
    assert float(row["svm"]) > float(row["chance"])
