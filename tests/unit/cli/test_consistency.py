from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from lydite.cli.app import app, run_app
from lydite.resources.catalogue import locate


@pytest.fixture(scope="module")
def background(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A random vector for each word of the treatise."""
    words = sorted(set(locate("starter-treatise").single().read_text().lower().split()))
    vectors = np.random.default_rng(1).normal(size=(len(words), 12))
    path = tmp_path_factory.mktemp("background") / "vectors.txt"
    with path.open("w") as file:
        for word, row in zip(words, vectors.tolist(), strict=True):
            file.write(f"{word} {' '.join(f'{value:.4f}' for value in row)}\n")
    return str(path)


def ask(background: str, *arguments: str) -> Result:
    command = ["consistency", "additive(sample=0)", "--background", background, *arguments]
    done = CliRunner().invoke(app, [*command, "--no-controls", "--quiet"])
    assert done.exit_code == 0, done.output
    return done


def test_what_is_decided_comes_first(background: str) -> None:
    told = ask(background, "--plan", "--format", "markdown").stdout
    first = told.index(" not consistent, ")
    assert first < told.index("what is decided") < told.index("sentences that a reliability takes")
    assert "| with enough sentences |" in told


def plan(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["consistency", *arguments])


def test_a_plan_needs_neither_text_nor_learner() -> None:
    told = json.loads(plan("--plan", "--r", "0.2", "--wish", "0.8", "--format", "json").stdout)
    paragraphs, sentences = told["rows"]
    # .8 takes 4 (1 - r) / r paragraphs, of 1.7 sentences each.
    assert paragraphs["for 0.8"] == pytest.approx(16)
    assert sentences["for 0.8"] == pytest.approx(27.2)
    # Without r it is what is usual: a good, a middling and a poor word.
    usual = json.loads(plan("--plan", "--format", "json").stdout)["rows"]
    assert [row["r"] for row in usual[:3]] == sorted((row["r"] for row in usual[:3]), reverse=True)
    assert set(usual[0]) >= {"for 0.5", "for 0.9", "to be decided", "for ± 0.1"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "expected a learner"),
        (["--plan", "--wish", "1.5"], "between 0 and 1 for --wish"),
        (["--plan", "--corpus", "book.txt"], "needs a learner"),
        (["additive", "--wish", "0.8"], "part of --plan"),
        (["additive", "--plan", "--r", "0.1"], "without a text"),
    ],
)
def test_plans_that_make_no_sense_are_refused(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_app(["consistency", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_a_wish_reaches_the_plan_of_a_text(background: str) -> None:
    told = ask(background, "--plan", "--wish", "0.6", "--precision", "0.2", "--format", "markdown")
    assert "| for 0.6 | to be decided | for ± 0.2 |" in told.stdout


def test_the_paper_s_procedure_is_an_option(background: str) -> None:
    told = json.loads(ask(background, "--split", "halves", "--format", "json").stdout)
    assert told["results"][0]["metric"] == "identification"
    assert "verdict" not in told["results"][0]["details"]["terms"][0]


def test_another_seed_changes_nothing(background: str) -> None:
    told = [
        json.loads(ask(background, "--seed", seed, "--format", "json").stdout)["results"][0]
        for seed in ("0", "7")
    ]
    for name in ("score", "interval", "baseline", "others", "details"):
        assert told[0][name] == told[1][name]


def test_csv_is_the_terms_and_json_the_results(background: str) -> None:
    rows = list(csv.DictReader(io.StringIO(ask(background, "--format", "csv").stdout)))
    told = json.loads(ask(background, "--format", "json").stdout)["results"][0]
    assert len(rows) == told["n_items"] > 30
    assert told["metric"] == "reliability"
    assert {row["additive verdict"] for row in rows} <= {
        "consistent",
        "not consistent",
        "undecided",
    }
    assert told["model"].startswith("additive(")


def test_sizes_of_one_term_the_background_and_neighbours(background: str) -> None:
    options = ["--sizes", "1,2,all", "--term", "error", "--to-background", "--neighbours"]
    told = ask(background, *options, "--format", "markdown").stdout
    assert "**error\\: by number of sentences**" in told
    assert "own vectors of the same terms" in told
    assert "nearest to one" in told


def test_saved_samples_give_the_same_scores(background: str, tmp_path: Path) -> None:
    saved = tmp_path / "samples.txt"
    how = ["--split", "random", "--format", "json"]
    first = ask(background, "--save-samples", str(saved), *how)
    again = ask(background, "--samples", str(saved), *how)
    one, other = (json.loads(done.stdout)["results"][0] for done in (first, again))
    assert other["n_items"] == one["n_items"]
    assert other["score"] == pytest.approx(one["score"], abs=1e-9)


def test_the_best_of_a_grid_is_tested_on_the_other_terms(background: str) -> None:
    options = ["--grid", "window=1", "--grid", "sample=0", "--format", "json"]
    told = json.loads(ask(background, *options).stdout)["results"][0]
    assert "part=test" in told["evaluation"]
    assert "window=1" in told["model"]


def test_the_grid_does_not_stand_between_a_program_and_the_results(background: str) -> None:
    command = ["consistency", "additive", "--background", background, "--no-controls"]
    options = ["--grid", "sample=0", "--format", "json"]
    done = CliRunner().invoke(app, [*command, *options])
    assert json.loads(done.stdout)["results"][0]["model"].endswith("sample=0)")
    assert "The best settings" in done.stderr


def test_saved_names_are_learnt_as_before(background: str, tmp_path: Path) -> None:
    book, saved = tmp_path / "book.txt", tmp_path / "samples.txt"
    sentence = "The error of {} is a weight of the balance, and number {} of the clock is a weight."
    names = ["Kant", "Hume"]
    book.write_text("\n".join(sentence.format(n, i) for n in names for i in range(10, 30)))
    terms = tmp_path / "terms.txt"
    terms.write_text("Kant\nHume\n")
    whole = ["--corpus", str(book), "--terms", str(terms), "--save-samples", str(saved)]
    command = ["consistency", "additive(sample=1e-5)", "--background", background, "--no-controls"]
    command += ["--split", "random"]
    told = []
    for source in (whole, ["--samples", str(saved)]):
        done = CliRunner().invoke(app, [*command, *source, "--format", "json", "--quiet"])
        told.append(json.loads(done.stdout)["results"][0]["others"]["cosine"])
    assert told[0] == told[1] < 1


def test_a_term_without_sizes_is_told_with_the_reason(background: str, tmp_path: Path) -> None:
    terms = tmp_path / "terms.txt"
    terms.write_text("error\nweight\nclock\nunicorn\n")
    options = ["--terms", str(terms), "--sizes", "1,500", "--format", "markdown"]
    told = ask(background, *options, "--term", "unicorn").stdout
    assert "never occurs (1). Among them, never occurs" in told
    assert "Left out" in told
    assert "not among the terms" in ask(background, *options, "--term", "nothing").stdout


def test_nonce2vec_takes_word_vectors_only_where_no_background_was_asked_for(
    background: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_app(["consistency", "nonce2vec", "--background", background, "--quiet"]) == 2
    assert "output vectors" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--terms", "random", "--minimum", "900"], "0 with enough sentences"),
        (["--samples", "starter-treatise"], "holds no samples"),
        (["--sizes", "1,few"], "expected sizes such as"),
        (["--grid", "window"], "expected a parameter and its values"),
        (["--term", "error"], "got neither"),
        (["--samples", "wiki-rnd", "--corpus", "starter-treatise"], "got both"),
    ],
)
def test_what_cannot_be_asked_is_said(
    background: str, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["consistency", "additive", "--background", background, *arguments, "--quiet"]
    assert run_app(command) != 0
    assert said in capsys.readouterr().err.replace("\n", " ")


def test_a_term_that_never_occurs_is_counted(background: str, tmp_path: Path) -> None:
    terms = tmp_path / "terms.txt"
    terms.write_text("error\nweight\nclock\nunicorn\n")
    told = json.loads(ask(background, "--terms", str(terms), "--format", "json").stdout)
    details = told["results"][0]["details"]
    assert details["problems"] == {"never occurs": 1}
    assert details["dropped"] == {"unicorn": "never occurs"}


@pytest.mark.parametrize("by", ["halves", "chapters"])
def test_drift_stands_beside_pseudo_terms(background: str, by: str) -> None:
    told = ask(background, "--drift", by, "--format", "markdown").stdout
    assert f"drift between {by}" in told
    assert "pseudo-terms on average" in told
    found = json.loads(ask(background, "--drift", by, "--format", "json").stdout)["results"][0]
    drift = found["details"]["drift"]
    assert drift["by"] == by
    assert 0 < drift["tested"] <= found["n_items"]
    assert len(drift["terms"]) <= drift["tested"]


def test_another_seed_changes_nothing_of_drift(background: str) -> None:
    drifts = [
        json.loads(ask(background, "--drift", "halves", "--seed", seed, "--format", "json").stdout)[
            "results"
        ][0]["details"]["drift"]
        for seed in ("0", "7")
    ]
    assert drifts[0] == drifts[1]


def test_several_files_may_drift_apart(background: str, tmp_path: Path) -> None:
    text = locate("starter-treatise").single().read_text("utf-8")
    paragraphs = text.split("\n\n")
    middle = len(paragraphs) // 2
    works = []
    for number, part in enumerate((paragraphs[:middle], paragraphs[middle:])):
        works.append(tmp_path / f"work-{number}.txt")
        works[-1].write_text("\n\n".join(part))
    terms = tmp_path / "terms.txt"
    terms.write_text("trust\nmeasure\nweight\n")
    options = ["--corpus", *map(str, works), "--terms", str(terms), "--minimum", "4"]
    told = json.loads(ask(background, *options, "--drift", "works", "--format", "json").stdout)
    assert told["results"][0]["details"]["drift"]["parts"] == 2


def test_one_file_has_no_works_to_compare(
    background: str, capsys: pytest.CaptureFixture[str]
) -> None:
    how = ["--background", background, "--drift", "works", "--quiet"]
    assert run_app(["consistency", "additive(sample=0)", *how]) == 2
    assert "got a single file" in capsys.readouterr().err
    assert run_app(["consistency", "nonce2vec(context=input, frequencies=wordfreq)", *how]) == 2
    assert "is no sum" in capsys.readouterr().err
