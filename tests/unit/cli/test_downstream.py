from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from lydite.cli.app import app, run_app

GOOD = ["lovely", "splendid", "kind", "bright", "warm", "fresh", "merry", "gentle"]
BAD = ["awful", "dreadful", "mean", "dull", "cold", "stale", "gloomy", "harsh"]


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write labelled texts, vectors that tell the classes apart, and some that tell nothing."""
    monkeypatch.chdir(tmp_path)
    rows = [
        f"{label},{first} {second},{'test' if place % 3 == 0 else 'train'}"
        for label, words in (("good", GOOD), ("bad", BAD))
        for place, (first, second) in enumerate(zip(words, words[1:] + words[:1], strict=True))
    ]
    Path("a.csv").write_text("\n".join(["label,text,split", *rows]) + "\n")
    Path("v.txt").write_text(
        "".join(f"{w} 1 0.{i}\n" for i, w in enumerate(GOOD))
        + "".join(f"{w} -1 0.{i}\n" for i, w in enumerate(BAD))
    )


def ask(*arguments: str, code: int = 0) -> Result:
    done = CliRunner().invoke(app, ["downstream", *arguments, "-q"])
    assert done.exit_code == code, done.output
    return done


def results_of(*arguments: str) -> list[dict[str, Any]]:
    return list(json.loads(ask(*arguments, "--format", "json").stdout)["results"])


def test_csv_is_one_row_a_model_with_baselines_and_json_says_the_same() -> None:
    told = ask("v.txt", "random(2)", "--task", "a.csv", "--format", "csv").stdout
    rows = {row["model"]: row for row in csv.DictReader(io.StringIO(told))}
    found = {each["model"]: each for each in results_of("v.txt", "random(2)", "--task", "a.csv")}
    assert rows.keys() == found.keys() == {"v.txt", "random(2)"}
    for model, row in rows.items():
        assert float(row["score"]) == found[model]["score"]
        for name in ("majority", "random_vectors", "word_coverage"):
            assert float(row[name]) == found[model]["others"][name]
    # All words of a class have the same sign in the first dimension: nothing can go wrong.
    assert found["v.txt"]["score"] == 1.0


def test_data_say_which_task_they_are_for_and_as_overrules_them() -> None:
    (result,) = results_of("v.txt", "--task", "a.csv", "--as", "classification(C=1.0)")
    assert "C=1.0" in result["evaluation"]
    (plain,) = results_of("v.txt", "--task", "a.csv", "--repeats", "2", "--draws", "3")
    assert "repeats=2" in plain["evaluation"]
    assert "draws=3" in plain["evaluation"]


def test_as_takes_downstream_evaluations_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_app(["downstream", "v.txt", "--task", "a.csv", "--as", "similarity"]) == 2
    said = capsys.readouterr().err
    assert "classification, parsing, tagging" in " ".join(said.split())


def test_as_asks_each_task_what_it_is_made_for() -> None:
    Path("b.tags").write_text(
        "".join(f"{g}\tN\n{b}\tV\n\n" for g, b in zip(GOOD, BAD, strict=True))
    )
    ways = ("--as", "classification", "--as", "tagging(epochs=1)", "--repeats", "1", "--draws", "1")
    found = results_of("v.txt", "--task", "a.csv", "--task", "b.tags", *ways)
    assert [(each["resource"], each["evaluation"].partition("(")[0]) for each in found] == [
        ("a.csv", "classification"),
        ("b.tags", "tagging"),
    ]


def test_a_class_that_is_not_in_training_is_an_error_of_the_input(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("b.csv").write_text(
        "label,text,split\ngood,a,train\nbad,b,train\nugly,c,test\ngood,d,test\n"
    )
    assert run_app(["downstream", "v.txt", "--task", "b.csv", "-q"]) == 2
    assert "'ugly' has 1 test text," in " ".join(capsys.readouterr().err.split())


def test_a_report_has_a_section_for_it(tmp_path: Path) -> None:
    ask("v.txt", "random(2)", "--task", "a.csv", "--out", "run")
    page = (tmp_path / "run" / "report.html").read_text("utf-8")
    assert "are the vectors useful for a classifier" in page
    assert "by v.txt" in page


@pytest.mark.parametrize("values", ["1e30 0", "1e-30 0"])
def test_the_length_of_vectors_costs_no_traceback(values: str) -> None:
    Path("long.txt").write_text(
        "".join(f"{w} {sign}{values}\n" for sign, ws in (("", GOOD), ("-", BAD)) for w in ws)
    )
    task = ("--task", "a.csv", "--draws", "1")
    (result,) = results_of("long.txt", *task, "--as", "classification(scale=standard)")
    assert result["score"] == 1.0
    (plain,) = results_of("long.txt", *task)
    assert plain["details"]["notes"] == []


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ("additive(v.txt)", "expected a model that gives vectors of texts, got additive"),
        ("zero.txt", "knows no word of the 10 training texts"),
    ],
)
def test_a_model_that_has_nothing_to_say_is_refused(
    capsys: pytest.CaptureFixture[str], model: str, message: str
) -> None:
    Path("zero.txt").write_text("".join(f"{word} 0 0\n" for word in GOOD + BAD))
    assert run_app(["downstream", model, "--task", "a.csv", "-q"]) in {1, 2}
    said = " ".join(capsys.readouterr().err.split())
    assert message in said
    assert "Traceback" not in said


def test_a_bag_of_words_is_tested_and_compared(tmp_path: Path) -> None:
    rows = Path("a.csv").read_text().replace("good,", "<script>,")
    Path("odd names.csv").write_text(rows)
    ask("v.txt", "bow", "--task", "odd names.csv", "--draws", "1", "--out", "run")
    assert run_app(["compare", "run"]) == 0
    assert run_app(["report", "run", "-o", "again.html"]) == 0
    assert "<script>," not in (tmp_path / "again.html").read_text("utf-8")
    assert "&lt;script&gt;" in (tmp_path / "again.html").read_text("utf-8")


@pytest.mark.parametrize("form", ["csv", "json", "markdown"])
def test_what_failed_beside_other_results_is_said_on_standard_error(form: str) -> None:
    # Five sentences with heads and without tags: they can be parsed, and not tagged.
    sentence = "1\tkind\t_\t_\t_\t_\t2\tamod\t_\t_\n2\tdull\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
    Path("bare.conllu").write_text(5 * sentence)
    quick = ("--as", "parsing(epochs=1)", "--as", "tagging", "--repeats", "1", "--draws", "1")
    done = ask("v.txt", "--task", "bare.conllu", *quick, "--format", form, code=2)
    said = " ".join(done.stderr.split())
    assert "v.txt, tagging(repeats=1, draws=1), bare.conllu: bare.conllu:1: expected a tag" in said
    assert "error: v.txt, parsing" not in said
