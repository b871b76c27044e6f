from __future__ import annotations

import json
from pathlib import Path

import pytest

from lydite.cli.app import run_app
from lydite.lexicons.oracles import read_oracle
from lydite.storage import sha256_file

TAGGED = "The/at fish/nn\nfish/nn fish/vb 12/cd\n"


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("tagged.txt").write_text(TAGGED)
    Path("lexicon.tsv").write_text("fish\tanimal,food\nemu\tanimal\n")


def run(*arguments: str) -> int:
    return run_app(["train", "oracle", *arguments])


def test_a_corpus_becomes_an_oracle(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("tagged.txt", "--out", "tags.tsv", "--threshold", "1", "--format", "json") == 0
    # fish is nn twice and vb once.
    text = Path("tags.tsv").read_text()
    assert text.splitlines() == [
        '0\t{"pos.cd": 1.0}',
        'fish\t{"pos.nn": 0.6666666666666666, "pos.vb": 0.3333333333333333}',
        'the\t{"pos.at": 1.0}',
    ]
    printed = json.loads(capsys.readouterr().out)
    assert printed == {
        "words": 3,
        "features": 4,
        "sources": [
            {
                "source": "tagged.txt",
                "kind": "tags",
                "words": 3,
                "features": 4,
                "annotations": 5.0,
                "kept": 5.0,
                "rare": 0,
            }
        ],
    }


def test_what_it_was_made_from_stands_beside_it() -> None:
    assert run("tagged.txt", "-o", "tags.tsv", "--threshold", "3", "--no-digits") == 0
    made = json.loads(Path("tags.tsv.provenance.json").read_text())
    assert made["sha256"] == sha256_file(Path("tags.tsv"))
    assert (made["recipe"]["threshold"], made["recipe"]["digits"]) == (3, False)
    (source,) = made["sources"]
    assert (source["name"], source["rare"]) == ("tagged.txt", 2)
    assert source["sha256"] == sha256_file(Path("tagged.txt"))


@pytest.mark.parametrize(
    ("join", "words"), [("intersection", ("fish",)), ("union", ("0", "fish", "the", "emu"))]
)
def test_sources_are_joined(join: str, words: tuple[str, ...]) -> None:
    out = ("--out", "both.tsv", "--threshold", "1")
    assert run("tagged.txt", "lexicon.tsv", "--join", join, *out) == 0
    assert read_oracle(Path("both.tsv")).words == words


def test_oracles_are_compared(capsys: pytest.CaptureFixture[str]) -> None:
    Path("other.tsv").write_text('fish\t{"ptb.nn": 1.0}\ngo\t{"ptb.vb": 1.0}\n')
    options = ("--threshold", "1", "--compare", "other.tsv", "--format")
    assert run("tagged.txt", "-o", "tags.tsv", *options, "json") == 0
    found = json.loads(capsys.readouterr().out)["agreement"]
    # Of fish nn differs by 1/3 and vb by 1/3; four features.
    assert found["with"] == "other.tsv"
    assert [found[key] for key in ("shared", "only_new", "only_other", "shared_features")] == [
        1, 2, 1, 2,
    ]  # fmt: skip
    assert (found["equal"], found["close"]) == (0, 0)
    assert found["mean_difference"] == pytest.approx(2 / 3 / 4)
    assert found["mean_cosine"] == pytest.approx(2 / 5**0.5)
    (fish,) = found["by_word"]
    assert (fish["word"], fish["largest"]) == ("fish", pytest.approx(1 / 3))
    for form, sign in (
        ("table", "The words that agree least"),
        ("csv", '"compared with","shared"'),
        ("markdown", "\n\n**Agreement**"),
    ):
        assert run("tagged.txt", "-o", "tags.tsv", *options, form) == 0
        assert sign in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("tagged.txt", "--threshold", "9"), "of 3 words 'fish' has the most, 3"),
        (("tagged.txt", "--form", "lemma"), "expected words with lemmas"),
        (("tagged.txt", "--features", "supersenses"), "expected annotated words, got none"),
        (("starter-similarity",), "expected data about single words"),
        (("semcor",), "did you mean semcor-3.0"),
        (("none.txt",), "no such file or folder"),
        (("tagged.txt", "--tags", "pos"), "upos"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_written(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*arguments, "--out", "out.tsv") == 2
    assert message in " ".join(capsys.readouterr().err.split())
    assert not list(Path().glob("out.tsv*"))


def test_a_source_is_not_overwritten(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("tagged.txt", "--out", "./tagged.txt") == 2
    assert "expected another file to write to" in capsys.readouterr().err
    assert Path("tagged.txt").read_text() == TAGGED


def test_qvec_takes_what_was_made(capsys: pytest.CaptureFixture[str]) -> None:
    lexicon = [f"word{i}\t{'ab'[i % 2]}\n" for i in range(12)]
    Path("lexicon.tsv").write_text("".join(lexicon))
    Path("v.txt").write_text("".join(f"word{i} {i % 2} {i % 3}\n" for i in range(12)))
    assert run("lexicon.tsv", "--out", "mine.tsv", "--quiet") == 0
    capsys.readouterr()
    options = ["--method", "cca-first", "--no-normalize", "--format", "json"]
    assert run_app(["qvec", "v.txt", "--oracle", "mine.tsv", *options]) == 0
    (result,) = json.loads(capsys.readouterr().out)["results"]
    # The first dimension is the feature itself.
    assert result["score"] == pytest.approx(1)


@pytest.mark.usefixtures("shared_data")
def test_the_sample_of_the_penn_treebank(capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--compare", "ptb-pos-tags", "--format", "json")
    assert run("penn-treebank-sample", "--out", "ptb.tsv", *options) == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["words"], printed["features"]) == (2306, 45)
    found = printed["agreement"]
    assert (found["shared"], found["only_new"], found["only_other"]) == (2217, 89, 8648)
    # The sample is a small part of what the published oracle was counted on.
    assert found["mean_cosine"] == pytest.approx(0.972, abs=5e-4)
