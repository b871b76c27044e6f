from __future__ import annotations

import gzip
import json
import math
from pathlib import Path

import pytest

from lydite.cli.app import run_app
from lydite.lexicons.information_content import read_information_content
from lydite.lexicons.taxonomy import Taxonomy
from lydite.lexicons.taxonomy_files import open_taxonomy
from lydite.storage import sha256_file

# bank is two concepts; a river bank is labelled with two words as well.
OBO = """format-version: 1.2

[Term]
id: T:1
name: thing

[Term]
id: T:2
name: bank
is_a: T:1

[Term]
id: T:3
name: river bank
synonym: "bank" EXACT []
is_a: T:1

[Term]
id: T:4
name: bank account
is_a: T:2
"""
# As tokens: one river bank, three banks (one of them a possessive), a bank account, two things.
TEXT = "The river\nbank. Banks, a bank's bank account: BANK thing bank, thing\n"


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("tree.obo").write_text(OBO)
    Path("text.txt").write_text(TEXT)


def tree() -> Taxonomy:
    return open_taxonomy([Path("tree.obo")], name="tree", sha256=sha256_file(Path("tree.obo")))


def run(*arguments: str) -> int:
    return run_app(["train", "ic", *arguments, "--taxonomy", "tree.obo"])


def rows(name: str) -> dict[str, float]:
    header, *lines = Path(name).read_text().splitlines()
    assert header == "concept\tcount"
    return {concept: float(count) for concept, count in (line.split("\t") for line in lines)}


def test_a_text_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("text.txt", "--out", "ic.tsv", "--format", "json") == 0
    # Three banks are one and a half of each sense; the river bank is T:3 too.
    assert rows("ic.tsv") == {"T:1": 2, "T:2": 1.5, "T:3": 2.5, "T:4": 1}
    printed = json.loads(capsys.readouterr().out)
    assert (printed["concepts"], printed["total"]) == (4, 7)
    # the, river bank, banks, a, bank (three), bank account, thing (two); "banks" is no label here.
    (source,) = printed["sources"]
    assert source == {
        "name": "text.txt",
        "sha256": sha256_file(Path("text.txt")),
        "kind": "text",
        "tokens": 10,
        "known_tokens": 7,
        "words": 7,
        "known_words": 4,
        "concepts": 4,
        "total": 7,
    }


def test_what_is_read_back_is_what_was_counted() -> None:
    assert run("text.txt", "--out", "ic.tsv") == 0
    found = read_information_content(Path("ic.tsv"), tree())
    # T:2 has its own 1.5 and the account below it, of 7 in all.
    assert found.counts.tolist() == [7, 2.5, 2.5, 1]
    assert found.values.tolist() == pytest.approx(
        [0, math.log(7 / 2.5), math.log(7 / 2.5), math.log(7)]
    )


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--counting", "all"), {"T:1": 2, "T:2": 3, "T:3": 4, "T:4": 1}),
        (("--smoothing", "0.5"), {"T:1": 2.5, "T:2": 2, "T:3": 3, "T:4": 1.5}),
    ],
)
def test_the_choices_of_counting(options: tuple[str, ...], expected: dict[str, float]) -> None:
    assert run("text.txt", "-o", "ic.tsv", *options) == 0
    assert rows("ic.tsv") == expected


def test_every_form_of_a_corpus_gives_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    Path("list.tsv").write_text("word\tcount\nbank\t3\nriver bank\t1\nbank_account\t1\nThing\t2\n")
    Path("tagged.txt").write_text(
        "river/nn bank/nn ./.\nbank/nn bank/nn bank/nn account/nn\nbank/nn\nthing/nn thing/nn\n"
    )
    Path("text.txt.gz").write_bytes(gzip.compress(TEXT.encode()))
    kinds = []
    for source in ("text.txt.gz", "list.tsv", "tagged.txt"):
        assert run(source, "--out", f"{source}.ic", "--format", "json") == 0
        assert rows(f"{source}.ic") == {"T:1": 2, "T:2": 1.5, "T:3": 2.5, "T:4": 1}
        kinds.append(json.loads(capsys.readouterr().out)["sources"][0]["kind"])
    assert kinds == ["text", "list", "tagged"]


def test_several_sources_are_added_up(capsys: pytest.CaptureFixture[str]) -> None:
    Path("list.tsv").write_text("thing\t5\nemu\t1\n")
    assert run("text.txt", "list.tsv", "--out", "ic.tsv", "--format", "csv") == 0
    assert rows("ic.tsv") == {"T:1": 7, "T:2": 1.5, "T:3": 2.5, "T:4": 1}
    _, *lines = capsys.readouterr().out.splitlines()
    assert lines == [
        '"text.txt","text",10.0,7.0,7,4,4,7.0',
        '"list.tsv","list",6.0,5.0,2,1,1,5.0',
        '"together","","","","","",4,12.0',
    ]


def test_what_it_was_made_from_stands_beside_it() -> None:
    assert run("text.txt", "--out", "ic.tsv", "--smoothing", "1") == 0
    made = json.loads(Path("ic.tsv.provenance.json").read_text())
    assert made["sha256"] == sha256_file(Path("ic.tsv"))
    assert made["taxonomy"]["sha256"] == sha256_file(Path("tree.obo"))
    assert made["sources"][0]["sha256"] == sha256_file(Path("text.txt"))
    assert made["recipe"] == {"relation": "hypernymy", "counting": "resnik", "smoothing": 1}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("other.txt",), "none of the 2 words counted is a label of tree.obo"),
        (("none.txt",), "no such file or folder"),
        (("latin.txt",), "latin.txt:2: expected text, got bytes that are not utf-8"),
        (("starter-similarity",), "got data of the kind similarity"),
        (("text.txt", "--relation", "part"), "no edge of the relation 'part'"),
        (("text.txt", "--smoothing", "-1"), "--smoothing"),
        (("text.txt", "--smoothing", "inf"), "expected smoothing to be a number from 0"),
        (("text.txt", "--counting", "some"), "expected counting to be one of resnik, all"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_written(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("other.txt").write_text("other words.\n")
    Path("latin.txt").write_bytes("bank\ncafé\n".encode("latin-1"))
    assert run(*arguments, "--out", "out.tsv") == 2
    assert message in " ".join(capsys.readouterr().err.split())
    assert not list(Path().glob("out.tsv*"))


@pytest.mark.parametrize("target", ["text.txt", "tree.obo"])
def test_what_is_read_is_not_overwritten(target: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("text.txt", "--out", target) == 2
    assert "expected another file to write to" in capsys.readouterr().err
    assert (Path("text.txt").read_text(), Path("tree.obo").read_text()) == (TEXT, OBO)


@pytest.mark.usefixtures("shared_data")
def test_brown_comes_close_to_the_published_counts() -> None:
    import numpy as np

    from lydite.resources.catalogue import locate
    from lydite.resources.lexicons import open_information_content

    arguments = ["brown", "--taxonomy", "wordnet-3.0", "--out", "brown.tsv", "--quiet"]
    assert run_app(["train", "ic", *arguments]) == 0
    files = locate("wordnet-3.0")
    wordnet = open_taxonomy(files.paths, name=files.name, sha256=files.sha256)
    ours = read_information_content(Path("brown.tsv"), wordnet).values
    theirs = open_information_content("brown-resnik", wordnet).values
    both = np.isfinite(ours) & np.isfinite(theirs)
    assert np.corrcoef(ours[both], theirs[both])[0, 1] > 0.9
