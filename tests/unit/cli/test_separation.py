from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from lydite.cli.app import app, run_app
from lydite.evaluations.separation import tasks

OVERLAP = "overlap(lemmas=none)"
MEAN = "mean(v.txt)"


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write data of all three tasks, and vectors of a few words."""
    monkeypatch.chdir(tmp_path)
    for name, few in (("_PAIR_DRAWS", 50), ("_RELATION_DRAWS", 50)):
        monkeypatch.setattr(tasks, name, few)
    verbs = {"E": ("buys", "bought", "takes over", "buys up"), "NE": ("sues", "likes", "meets")}
    rows = [
        f"buys\t{left}\t{right}\t{label}\t{left} {verb} {right}"
        for left, right in (("ann", "bob"), ("cal", "dan"))
        for label, each in verbs.items()
        for verb in each
    ]
    Path("r.tsv").write_text("\n".join(["relation\tleft\tright\tlabel\ttext", *rows]) + "\n")
    documents = [["rain falls", "ann sleeps", "bob buys it"], ["cal buys it", "dan likes rain"]]
    asked = [("who sleeps", 0, 1), ("who bought it", 0, 2), ("who likes rain", 1, 1)]
    Path("q.jsonl").write_text(
        "".join(
            json.dumps({"question": text, "document": documents[i], "answer": place}) + "\n"
            for text, i, place in asked
        )
    )
    listed = [("ann buys bob", "bob is bought by ann", "H", "voice"),
             ("ann buys bob", "bob buys ann", "L", "roles"),
             ("cal likes dan", "dan is liked by cal", "H", "voice"),
             ("cal likes dan", "dan likes cal", "L", "roles")]  # fmt: skip
    header = "left\tright\tlabel\tphenomenon"
    Path("p.tsv").write_text("\n".join([header, *("\t".join(row) for row in listed)]) + "\n")
    Path("v.txt").write_text("buys 1 0\nbought 1 1\nsues 0 1\nlikes -1 0\nrain 1 2\nsleeps 2 1\n")


def ask(*arguments: str, code: int = 0) -> Result:
    done = CliRunner().invoke(app, ["separation", *arguments, "-q"])
    assert done.exit_code == code, done.output
    return done


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def results_of(*arguments: str) -> list[dict[str, Any]]:
    return list(json.loads(ask(*arguments, "--format", "json").stdout)["results"])


def test_csv_of_relations_is_one_row_a_model_and_json_says_the_same() -> None:
    rows = rows_of(ask(OVERLAP, MEAN, "--data", "r.tsv", "--format", "csv").stdout)
    results = results_of(OVERLAP, MEAN, "--data", "r.tsv")
    assert [row["model"] for row in rows] == [result["model"] for result in results]
    for row, result in zip(rows, results, strict=True):
        assert float(row["average"]) == result["score"]
        assert float(row["average_low"]) == result["interval"]["low"]
        areas = [float(row[name]) for name in ("ann / bob", "cal / dan")]
        assert areas == [each["auc"] for each in result["details"]["pairs"]]
        assert sum(areas) / 2 == pytest.approx(result["score"])
        assert row["n_items"] == "14"


def test_tables_for_people() -> None:
    table = ask(OVERLAP, MEAN, "--data", "r.tsv").stdout
    assert "average" in table
    assert "14/14" in table
    told = ask(OVERLAP, "--data", "r.tsv", "--format", "markdown").stdout.replace("\\", "")
    header = next(line for line in told.splitlines() if line.startswith("| model"))
    assert [cell.strip() for cell in header.split("|")[2:6]] == [
        "ann / bob", "cal / dan", "average", "covered",
    ]  # fmt: skip
    assert "ann / bob: 4 of 7" in told


def test_mixed_models_stand_beside_the_pure_ones() -> None:
    results = results_of(OVERLAP, MEAN, "--data", "q.jsonl", "--mixed", "--subset", OVERLAP)
    assert [result["model"] for result in results] == [
        OVERLAP, MEAN, f"hybrid(overlap, {MEAN})",
    ]  # fmt: skip
    rows = rows_of(
        ask(OVERLAP, MEAN, "--data", "q.jsonl", "--mixed", "--subset", OVERLAP, "-f", "csv").stdout
    )
    assert {row["model"] for row in rows} <= {OVERLAP, MEAN, f"hybrid(overlap, {MEAN})"}
    scores = {float(value) for row in rows for value in row.values() if _number(value)}
    for result in results:
        assert result["score"] in scores
        if "subset" in result["others"]:
            assert result["others"]["subset"] in scores


def _number(value: str) -> bool:
    try:
        float(value)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("weights", ["standardised", "learnt", "0.3,0.7"])
def test_weights_of_mixed_models(weights: str) -> None:
    given = [MEAN, "--data", "q.jsonl", "--mixed", "--weights", weights, "--subset", "none"]
    pure, mixed = results_of(*given)
    assert pure["model"] == MEAN
    said = f'"{weights}"' if "," in weights else weights
    assert mixed["model"] == f"hybrid(overlap, {MEAN}, weights={said})"
    assert 0 <= mixed["score"] <= 1
    # The spec that is told can be asked again.
    (again,) = results_of(mixed["model"], "--data", "q.jsonl", "--subset", "none")
    assert again["score"] == mixed["score"]


def test_several_sets_of_data_of_several_tasks() -> None:
    data = ["--data", "r.tsv", "--data", "q.jsonl", "--data", "p.tsv", "--subset", "none"]
    results = results_of(OVERLAP, *data)
    assert [result["details"]["task"] for result in results] == ["relation", "qa", "pairs"]
    told = ask(OVERLAP, *data, "-f", "markdown").stdout
    assert "AUC by entity pair" in told
    assert "AUC by phenomenon, hardest first" in told
    # Tables with other columns could not be read in one stream: the first kind alone.
    assert [row["model"] for row in rows_of(ask(OVERLAP, *data, "-f", "csv").stdout)] == [OVERLAP]


def test_phenomena_are_told() -> None:
    told = ask(OVERLAP, "--data", "p.tsv", "-f", "markdown").stdout
    assert "voice" in told
    assert "roles" in told
    (result,) = results_of(OVERLAP, "--data", "p.tsv")
    assert {row["phenomenon"] for row in result["details"]["phenomena"]} == {"voice", "roles"}
    # Roles alone: all words are shared, while voice changes them.
    assert result["score"] == 0


def test_every_option_reaches_the_evaluation() -> None:
    given = {
        **{"task": "relation", "minimum": 2, "subset": MEAN},
        **{"similar_from": 3.5, "dissimilar_to": 1.5},
    }
    options = [
        part for key, value in given.items() for part in (f"--{key.replace('_', '-')}", str(value))
    ]
    (result,) = results_of(OVERLAP, "--data", "r.tsv", *options, "--seed", "7")
    assert result["provenance"]["parameters"] == given
    assert result["provenance"]["seed"] == 7


def test_entities_without_either_kind_are_told_beside_the_others() -> None:
    with Path("r.tsv").open("a") as file:
        file.write("buys\teve\tfay\tE\teve buys fay\n")
    told = ask(OVERLAP, "--data", "r.tsv", "-f", "markdown").stdout.replace("\\", "")
    assert "eve / fay is left out: 1 sentences express buys and 0 do not" in told


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([OVERLAP, "--data", "r.tsv", "--task", "qa"], "has data for task=relation, but task=qa"),
        ([OVERLAP, "--data", "r.tsv", "--task", "relations"], "did you mean relation?"),
        ([OVERLAP, "--data", "nosuch.tsv"], "nosuch.tsv"),
        ([OVERLAP, "--data", "v.txt"], "expected a header and fields divided by tabs or commas"),
        (["nosuch", "--data", "r.tsv"], "nosuch"),
        (["v.txt", "--data", "r.tsv"], "compose its words: 'mean(v.txt)'"),
        (["v.txt", "--data", "r.tsv", "--mixed"], "compose its words: 'mean(v.txt)'"),
        ([MEAN, "--data", "r.tsv", "--mixed", "--weights", "best"], "sum, standardised, learnt"),
        ([MEAN, "--data", "r.tsv", "--mixed", "--weights", "1,2,3"], "2 numbers"),
        ([MEAN, "--data", "r.tsv", "--weights", "learnt"], "add --mixed"),
        ([OVERLAP, "--data", "q.jsonl", "--subset", "overlp"], "overlp"),
        (["hybrid(overlap)", "--data", "r.tsv"], "a hybrid has at least two models, got 1"),
        ([OVERLAP, "--data", "r.tsv+p.tsv"], "sentence_sha256"),
        ([OVERLAP, "--data", "r.tsv+p.tsv+q.jsonl"], "one resource, or texts and their labels"),
    ],
)
def test_wrong_calls_are_told_and_end_with_2(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_app(["separation", *arguments, "-q"]) == 2
    captured = capsys.readouterr()
    assert said in " ".join(captured.err.split())
    assert captured.out == ""


def test_a_minimum_of_1_is_refused() -> None:
    done = CliRunner().invoke(app, ["separation", OVERLAP, "--minimum", "1"])
    assert done.exit_code == 2
    assert "--minimum" in done.output


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("m.txt", "<p1> A </p1> buys <p2> B </p2>\n", "relations-hlt-naacl08+relations-judgements"),
        ("m.tgz", "anything\n", "genia-usp+genia-answers"),
        ("b.jsonl", '{"question": "who?", "document"\n', "b.jsonl:1: expected an object of JSON"),
        ("i.jsonl", '{"question": "who?", "document": ["a", "b"], "answer": 2}\n',
         "i.jsonl:1: expected an answer from 0 to 1, got 2"),
        ("o.jsonl", '{"question": "who?", "document": ["a"], "answer": 0}\n',
         "o.jsonl:1: expected a document of at least two sentences, got 1"),
        ("h.tsv", "left\tright\tlabel\n", "h.tsv: expected rows below the header"),
    ],
)  # fmt: skip
def test_wrong_data_are_told_and_end_with_2(
    name: str, text: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path(name).write_text(text)
    assert run_app(["separation", OVERLAP, "--data", name, "-q"]) == 2
    captured = capsys.readouterr()
    assert said in " ".join(captured.err.split())
    assert captured.out == ""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("left\tright\tlabel\na\tb\tH\n", "expected pairs of both kinds, got 1 in H and 0 in L"),
        ("relation\tleft\tright\tlabel\ttext\nbuys\tA\tB\tE\tA buys B\n", "1 sentences express"),
    ],
)
def test_a_score_that_does_not_exist_ends_with_1(
    text: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("one.tsv").write_text(text)
    assert run_app(["separation", OVERLAP, "--data", "one.tsv", "-q"]) == 1
    assert said in " ".join(capsys.readouterr().err.split())


def test_one_model_that_fails_leaves_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    given = ["separation", OVERLAP, "v.txt", "--data", "r.tsv", "-q", "-f", "json"]
    assert run_app(given) == 2
    told = json.loads(capsys.readouterr().out)
    assert [result["model"] for result in told["results"]] == [OVERLAP]
    assert told["failures"][0]["error"] == "UnsuitableModelError"


def test_results_are_kept_reported_compared_and_gone_on_with() -> None:
    given = ["--data", "r.tsv", "--out", "run"]
    ask(OVERLAP, MEAN, *given)
    assert "r.tsv" in Path("run/report.html").read_text()
    done = CliRunner().invoke(app, ["compare", "run", "--resamples", "100", "-f", "csv", "-q"])
    assert done.exit_code == 0, done.output
    (row,) = rows_of(done.stdout)
    assert (row["first"], row["second"], row["n_shared"]) == (OVERLAP, MEAN, "14")
    # The items average to the scores.
    scores = [result["score"] for result in results_of(OVERLAP, MEAN, *given)]
    assert [float(row["first_score"]), float(row["second_score"])] == pytest.approx(scores)
    again = CliRunner().invoke(app, ["separation", OVERLAP, *given])
    assert "1 results already existed" in again.output


def test_the_starter_relations_are_asked_unless_others_are_named() -> None:
    (row,) = rows_of(ask(OVERLAP, "-f", "csv").stdout)
    assert float(row["average"]) > 0.5
