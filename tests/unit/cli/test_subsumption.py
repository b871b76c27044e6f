from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from lydite.cli.app import app, run_app
from lydite.evaluations.subsumption.inventory import read_inventory

EDGES = """child\tparent
sparrow\tbird
robin\tbird
bird\tvertebrate
dog\tmammal
mammal\tvertebrate
vertebrate\tanimal
"""


@pytest.fixture
def taxonomy(tmp_path: Path) -> str:
    path = tmp_path / "animals.tsv"
    path.write_text(EDGES)
    return str(path)


def ask(*arguments: str) -> Result:
    done = CliRunner().invoke(app, ["subsumption", "random(20)", *arguments])
    assert done.exit_code == 0, done.output
    return done


def test_the_table_has_the_scores_of_the_paper_and_the_funnel(taxonomy: str) -> None:
    told = ask("--taxonomy", taxonomy, "--format", "markdown").stdout
    header = next(line for line in told.splitlines() if line.startswith("| model"))
    assert [cell.strip() for cell in header.split("|")[3:9]] == [
        "SS", "RSS", "both", "AS", "RAS", "both (aggregate)",
    ]  # fmt: skip
    # sparrow, robin and dog lie two steps below vertebrate and three below animal; bird and mammal
    # lie two below animal: 3 + 3 * 2 + 2 triples.
    assert "| triples | 11 | triples |" in told
    assert "In " + taxonomy in told.replace("\\", "")


def test_csv_is_one_table_and_json_is_results(taxonomy: str) -> None:
    (row,) = csv.DictReader(io.StringIO(ask("--taxonomy", taxonomy, "--format", "csv").stdout))
    assert float(row["ss_low"]) <= float(row["ss"]) <= float(row["ss_high"])
    told = json.loads(ask("--taxonomy", taxonomy, "--format", "json").stdout)
    details = told["results"][0]["details"]
    assert details["funnel"][-1] == {"name": "covered by the model", "count": 11, "unit": "triples"}
    assert details["scores"]["rss"]["score"] == float(row["rss"])


def test_violations_are_told_in_words(taxonomy: str) -> None:
    told = ask("--taxonomy", taxonomy, "--violations", "--format", "markdown").stdout
    assert "is closer to" in told
    assert "than to" in told


def test_a_saved_inventory_gives_the_same_scores(taxonomy: str, tmp_path: Path) -> None:
    saved = tmp_path / "inventory.tsv"
    first = ask("--taxonomy", taxonomy, "--save-inventory", str(saved), "--format", "csv")
    again = ask("--inventory", str(saved), "--format", "csv")
    one, other = (next(csv.DictReader(io.StringIO(done.stdout))) for done in (first, again))
    assert {k: v for k, v in one.items() if k != "resource"} == {
        k: v for k, v in other.items() if k != "resource"
    }


def test_what_is_saved_is_what_a_space_of_senses_was_asked(tmp_path: Path) -> None:
    # No word of the triples is in the space, but their concepts are.
    edges = tmp_path / "edges.tsv"
    edges.write_text("a (n)\tb (n)\nb (n)\tc (n)\nd (n)\tb (n)\n")
    space = tmp_path / "senses.txt"
    space.write_text("4 2\na (n) 0 1\nb (n) 1 1\nc (n) 2 1\nd (n) 3 1\n")
    saved = tmp_path / "saved.tsv"
    how = ["--taxonomy", str(edges), "--save-inventory", str(saved), "-f", "json"]
    done = CliRunner().invoke(app, ["subsumption", str(space), *how])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["results"][0]["details"]["level"] == "sense"
    assert read_inventory(saved).level == "sense"


def test_pairs_and_filters_narrow_the_inventory(taxonomy: str, tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("sparrow\tanimal\tbirds\ndog\tanimal\tmammals\n")
    told = ask("--taxonomy", taxonomy, "--pairs", str(pairs), "--exclude", "bird", "-f", "json")
    funnel = json.loads(told.stdout)["results"][0]["details"]["funnel"]
    # sparrow: bird, vertebrate; dog: mammal, vertebrate; then without bird.
    assert [step["count"] for step in funnel][-3:] == [4, 3, 3]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--exclude", "vertebrate,bird,mammal"], "0 without vertebrate, bird, mammal"),
        (["--relation", "meronymy"], "no edge of the relation 'meronymy'"),
        (["--metric", "sss"], "did you mean ss"),
        (["--min-ic", "0.99", "--ic", "intrinsic"], "0 information content above 0.99"),
    ],
)
def test_what_leaves_no_triple_is_said_with_the_whole_funnel(
    taxonomy: str, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_app(["subsumption", "random(20)", "--taxonomy", taxonomy, *arguments]) != 0
    assert said in capsys.readouterr().err.replace("\n", " ")


def test_an_inventory_takes_no_filters_and_must_be_one(
    taxonomy: str, capsys: pytest.CaptureFixture[str]
) -> None:
    late = ["subsumption", "random(20)", "--inventory", "starter-inventory", "--min-ic", "1"]
    assert run_app(late) == 2
    assert "--min-ic would have no effect" in capsys.readouterr().err
    assert run_app([*late[:-2], "--taxonomy", taxonomy, "--senses", "first"]) == 2
    assert "--taxonomy, --senses would have no effect" in capsys.readouterr().err
    assert run_app(["subsumption", "random(20)", "--inventory", taxonomy]) == 2
    assert "is not an inventory" in capsys.readouterr().err
