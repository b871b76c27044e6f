from __future__ import annotations

from pathlib import Path

import pytest

from lydite.cli.app import run_app
from lydite.storage import sha256_file
from lydite.trained.cheung_penn.dinu_lapata import DinuLapata, open_senses

CONLLU = "1\tDogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\n\n"

pytestmark = pytest.mark.usefixtures("in_a_folder")


@pytest.fixture
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("tomotopy", reason="tomotopy is absent")
    monkeypatch.chdir(tmp_path)
    Path("one.txt").write_text("The cat drinks milk. The dog drinks water. " * 20)
    Path("parsed").mkdir()
    Path("parsed/some.conllu").write_text(CONLLU)


def train(*options: str) -> int:
    small = ("--senses", "3", "--iterations", "5", "--out", "model")
    return run_app(["train", "dinu-lapata", *small, *options])


def test_running_text(capsys: pytest.CaptureFixture[str]) -> None:
    given = ("--corpus", "one.txt", "--lemmas", "none", "--contexts", "4", "--seed", "7")
    assert train(*given, "--window", "2", "--most", "50") == 0
    # Contexts are drinks, cat, milk and dog. A "the" has two in its window, 80 in all, of which 50
    # are drawn; a cat has drinks and milk, drinks and milk have two each in the first sentence,
    # a dog has drinks, drinks have a dog and water has two in the second, 20 times each.
    words = 50 + 40 + min(20 * 2 + 20, 50) + 40 + 20 + 40
    assert capsys.readouterr().err == (
        f"3 senses of 6 lemmas, from {words} context words in 160 tokens: model\n"
    )
    about = open_senses(Path("model")).provenance
    assert about["corpus"] == [{"name": "one.txt", "sha256": sha256_file(Path("one.txt"))}]
    recipe = about["recipe"]
    assert (recipe["window"], recipe["most"], recipe["seed"], about["lemmas"]) == (2, 50, 7, "none")
    assert "tomotopy" in about["versions"]
    model = DinuLapata.open("model", compose="multiply")
    assert model.encode(["A cat!", "emu"]).any(axis=1).tolist() == [True, False]


def test_parsed_text(capsys: pytest.CaptureFixture[str]) -> None:
    given = ("--parsed", "parsed", "--lemmas", "none", "--quiet", "--workers", "2", "--most", "0")
    assert train(*given) == 0
    assert capsys.readouterr().err == ""
    senses = open_senses(Path("model"))
    assert list(senses.lemmas) == ["dogs", "bark"]
    assert senses.provenance["recipe"]["most"] is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "either running text or parsed text"),
        (("--corpus", "one.txt", "--lemmata", "2"), "no more contexts than lemmata"),
        (("--corpus", "one.txt", "--alpha", "0"), "expected alpha to be a number above 0"),
        (("--corpus", "one.txt", "--lemmas", "simple"), "there is no lemmatizer called 'simple'"),
        (("--corpus", "one.txt", "--out", "parsed"), "expected a new folder"),
        (("--corpus", "one.txt", "--lemmas", "none", "--min-count", "99"), "occur 99 times"),
    ],
)
def test_bad_input(
    options: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert train(*options) != 0
    assert message in capsys.readouterr().err
    assert not Path("model").exists()


def test_the_lemmas_of_running_text_are_not_given(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "text.txt").write_text("The cat sat.\n")
    command = ["train", "dinu-lapata", "--corpus", str(tmp_path / "text.txt"), "--lemmas", "given"]
    assert run_app([*command, "--out", str(tmp_path / "new")]) == 2
    assert "whose lemmas are not given" in capsys.readouterr().err
