from __future__ import annotations

from pathlib import Path

import pytest

from lydite.cli.app import run_app
from lydite.storage import sha256_file
from lydite.trained.cheung_penn.mitchell_lapata import MitchellLapata, open_vectors

CONLLU = "1\tDogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\n\n"

pytestmark = pytest.mark.usefixtures("in_a_folder")


@pytest.fixture
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("one.txt").write_text("The cat drinks milk. The dog drinks water. " * 20)
    Path("parsed").mkdir()
    Path("parsed/some.conllu").write_text(CONLLU)
    Path("parsed/notes.json").write_text("{}")


def train(*options: str) -> int:
    return run_app(["train", "mitchell-lapata", *options])


def test_running_text(capsys: pytest.CaptureFixture[str]) -> None:
    given = ("--corpus", "one.txt", "--lemmas", "none", "--contexts", "4")
    assert train(*given, "--window", "2", "--out", "model") == 0
    assert "6 lemmas of 4 dimensions, from 160 tokens: model" in capsys.readouterr().err
    about = open_vectors(Path("model")).provenance
    assert about["corpus"] == [{"name": "one.txt", "sha256": sha256_file(Path("one.txt"))}]
    assert (about["recipe"]["window"], about["lemmas"]) == (2, "none")
    assert "numpy" in about["versions"]
    assert MitchellLapata.open("model").encode(["A cat!", "emu"]).any(axis=1).tolist() == [
        True,
        False,
    ]


def test_parsed_text_in_a_folder_with_other_files(capsys: pytest.CaptureFixture[str]) -> None:
    assert train("--parsed", "parsed", "--lemmas", "none", "--quiet", "--out", "model") == 0
    assert capsys.readouterr().err == ""
    assert list(open_vectors(Path("model")).rows.words) == ["dogs", "bark"]


def test_lemmas_of_parsed_text() -> None:
    pytest.importorskip("simplemma", reason="simplemma is absent")
    assert train("--parsed", "parsed", "--lemmas", "given", "--out", "model") == 0
    made = open_vectors(Path("model"))
    assert list(made.rows.words) == ["dog", "bark"]
    assert made.lemmas == "simplemma"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "either running text or parsed text"),
        (("--corpus", "one.txt", "--parsed", "parsed"), "either running text or parsed text"),
        (("--corpus", "one.txt", "--lemmata", "2"), "no more contexts than lemmata"),
        (("--corpus", "one.txt", "--lemmas", "simplema"), "did you mean simplemma"),
        (("--corpus", "one.txt", "--lemmas", "given"), "expected a lemmatizer"),
        (("--parsed", "one.txt"), "expected parsed text"),
    ],
)
def test_calls_that_are_refused(
    options: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    given = (*options, "--lemmas", "none") if "--lemmas" not in options else options
    assert train(*given, "--out", "model") == 2
    assert message in " ".join(capsys.readouterr().err.split())
    assert not Path("model").exists()


def test_what_is_there_is_not_written_over(capsys: pytest.CaptureFixture[str]) -> None:
    assert train("--corpus", "one.txt", "--lemmas", "none", "--out", "parsed") == 2
    assert "expected a new folder" in capsys.readouterr().err
    assert Path("parsed/some.conllu").read_text() == CONLLU
