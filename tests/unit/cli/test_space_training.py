from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from lydite.cli.app import run_app
from lydite.models.catalogue import load
from lydite.spaces.formats.safetensors import read_provenance
from lydite.storage import sha256_file

SENTENCE = "The cat drinks milk. The dog drinks water, and the cat sees the dog. "

pytestmark = pytest.mark.usefixtures("in_a_folder")


@pytest.fixture
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("one.txt").write_text(SENTENCE * 20)
    Path("two.txt").write_text("A bird sings to the cat. " * 20)


def train(name: str, *options: str) -> int:
    if name != "ppmi-svd":
        pytest.importorskip("gensim", reason="gensim is absent")
    return run_app(["train", name, "--corpus", "one.txt", "two.txt", "--dim", "4", *options])


@pytest.mark.parametrize("name", ["skipgram", "cbow", "ppmi-svd"])
def test_a_space_with_all_that_belongs_to_it(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert train(name, "--out", "space.safetensors", "--min-count", "20") == 0
    assert "words of 4 dimensions" in capsys.readouterr().err
    space = load("space.safetensors")
    assert space.count(["the", "cat", "bird", "emu"]).tolist() == [100, 60, 20, 0]
    assert space.contexts.shape == space.vectors.shape
    about = read_provenance(Path("space.safetensors"))
    assert about is not None
    assert about["recipe"]["architecture"] == name
    assert (about["recipe"]["dim"], about["recipe"]["min_count"]) == (4, 20)
    assert about["preparation"]["lower"] is True
    assert about["corpus"] == [
        {"name": file, "sha256": sha256_file(Path(file))} for file in ("one.txt", "two.txt")
    ]
    assert "numpy" in about["versions"]


def test_what_a_space_is_made_of_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert train("skipgram", "--out", "space.safetensors", "--quiet") == 0
    assert capsys.readouterr().err == ""
    assert run_app(["models", "show", "space.safetensors", "--format", "json"]) == 0
    shown = {
        row["of the model"]: row["value"] for row in json.loads(capsys.readouterr().out)["rows"]
    }
    # the, cat, dog, drinks, milk, water, and, sees; bird, sings, to.
    assert (shown["words"], shown["dimensions"]) == (11, 4)
    assert (shown["counts"], shown["context vectors"]) == ("yes", "yes")
    assert shown["recipe.window"] == 5
    # 14 and 5 tokens, 20 times each; "A" is one character.
    assert (shown["text.tokens"], shown["text.sentences"]) == (380, 60)


def test_convert_keeps_what_the_format_can_hold(capsys: pytest.CaptureFixture[str]) -> None:
    assert train("skipgram", "--out", "space.safetensors", "--quiet") == 0
    assert run_app(["convert", "space.safetensors", "copy.safetensors.zst"]) == 0
    assert "not written" not in capsys.readouterr().err
    one, copy = load("space.safetensors"), load("copy.safetensors.zst")
    assert np.array_equal(one.contexts, copy.contexts)
    assert np.array_equal(one.counts, copy.counts)
    about = [read_provenance(Path(f)) for f in ("space.safetensors", "copy.safetensors.zst")]
    assert about[0] == about[1] is not None
    assert run_app(["convert", "copy.safetensors.zst", "plain.txt"]) == 0
    assert capsys.readouterr().err.startswith(
        "not written: counts, context vectors, provenance, which only .safetensors can store\n"
    )
    assert load("plain.txt").contexts is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--out", "space.txt"), "space.txt: expected a name that ends in .safetensors"),
        (("--out", "s.safetensors", "--min-count", "500"), "occurs 100 times"),
        (("--out", "s.safetensors", "--corpus", "simlex-999"), "expected running text, got data"),
        (("--out", "s.safetensors", "--tokenizer", "word"), "there is no tokenizer called 'word'"),
    ],
)
def test_what_cannot_be_trained(
    options: tuple[str, ...],
    message: str,
    capsys: pytest.CaptureFixture[str],
    request: pytest.FixtureRequest,
) -> None:
    if "simlex-999" in options:
        request.getfixturevalue("shared_data")
    assert train("skipgram", *options) == 2
    assert message in capsys.readouterr().err
    assert not list(Path().glob("*.safetensors"))


def test_an_empty_corpus(capsys: pytest.CaptureFixture[str]) -> None:
    Path("one.txt").write_text("")
    Path("two.txt").write_text("\n\n")
    assert train("skipgram", "--out", "s.safetensors") == 2
    assert "one.txt: expected running text, found no sentence in this file and 1 more" in (
        capsys.readouterr().err
    )
