from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lydite.cli.app import run_app
from lydite.models.catalogue import load
from lydite.spaces.formats.safetensors import read_provenance

SENTENCE = "The cat drinks milk. The dog drinks water, and the cat sees the dog. "

pytestmark = pytest.mark.usefixtures("in_a_folder")


@pytest.fixture
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("one.txt").write_text(SENTENCE * 20)
    Path("two.txt").write_text("A bird sings to the cat. " * 20)
    Path("lexicon.txt").write_text("cat dog\nbird cat dog\n")


def train(name: str, *options: str) -> int:
    return run_app(["train", name, "--corpus", "one.txt", "two.txt", "--dim", "4", *options])


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("structured-skipgram", {"epochs": 2, "alpha": 0.01, "dynamic": None}),
        ("cwindow", {"window": 2, "negative": 3}),
        ("cbow-attention", {"sample": 0.0, "limit": 9}),
        ("glove", {"window": 3, "epochs": 2, "x_max": 10.0, "weight_power": 0.5}),
        ("lsa", {"weighting": "tf-idf", "eig": 0.5, "span": 2}),
        ("lsa", {"columns": "words", "window": 2}),
    ],
)
def test_one_space_with_its_recipe(
    name: str, options: dict[str, object], capsys: pytest.CaptureFixture[str]
) -> None:
    given = [
        text
        for key, value in options.items()
        if value is not None
        for text in (f"--{key.replace('_', '-')}", str(value))
    ]
    assert train(name, "--out", "space.safetensors", "--min-count", "20", *given) == 0
    # 14 and 5 tokens, 20 times each; "A" is one character.
    assert "words of 4 dimensions, from 380 tokens" in capsys.readouterr().err
    assert load("space.safetensors").count(["bird"]).tolist() == [20]
    about = read_provenance(Path("space.safetensors"))
    assert about is not None
    expected = {"architecture": name, "dim": 4, "min_count": 20, **options}
    assert expected.items() <= about["recipe"].items()
    assert [each["name"] for each in about["corpus"]] == ["one.txt", "two.txt"]
    assert "numpy" in about["versions"]


def test_skipgram_by_either_engine() -> None:
    assert train("skipgram", "--kernels", "lydite", "--min-count", "20", "-o", "a.safetensors") == 0
    about = read_provenance(Path("a.safetensors"))
    assert about is not None
    assert about["recipe"]["engine"] == "lydite"
    pytest.importorskip("gensim", reason="gensim is absent")
    assert train("skipgram", "--min-count", "20", "-o", "b.safetensors") == 0
    assert sorted(load("a.safetensors").vocabulary) == sorted(load("b.safetensors").vocabulary)


def test_a_grid_goes_on_where_it_stopped(capsys: pytest.CaptureFixture[str]) -> None:
    options = (
        *("--models", "cwindow,glove", "--window", "2,3", "--min-count", "2"),
        *("--retrofit", "lexicon.txt", "--retrofitted", "glove", "--set", "glove.epochs=3"),
        *("--set", "retrofitting.iterations=2", "--out", "zoo"),
    )
    assert train("zoo", *options) == 0
    assert "6 spaces trained, 0 already existed: zoo" in capsys.readouterr().err
    assert sorted(path.stem for path in Path("zoo").glob("*.safetensors")) == [
        *("cwindow-4d-w2", "cwindow-4d-w3"),
        *("glove-4d-w2", "glove-4d-w2-lexicon", "glove-4d-w3", "glove-4d-w3-lexicon"),
    ]
    about = read_provenance(Path("zoo/glove-4d-w2-lexicon.safetensors"))
    assert about is not None
    assert (about["recipe"]["iterations"], about["recipe"]["parent"]["epochs"]) == (2, 3)
    Path("zoo/cwindow-4d-w2.safetensors").unlink()
    assert train("zoo", *options) == 0
    assert "1 spaces trained, 5 already existed: zoo" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--models", "skipgrams"), "did you mean skipgram"),
        (("--models", ","), "expected families of a grid to be one or more"),
        (("--models", "glove", "--dim", "4,x"), "expected whole numbers separated by commas"),
        (("--models", "glove", "--set", "epochs=3"), "expected MODEL.KEY=VALUE for --set"),
        (("--models", "glove", "--set", "glove.epoch=3"), "did you mean epochs"),
        (("--models", "glove", "--set", "glove.window=[3]"), "expected window to be a whole"),
        (("--models", "glove", "--window", "500"), "expected a corpus of at least one window"),
    ],
)
def test_a_grid_that_makes_no_sense(
    options: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert train("zoo", *options, "--out", "zoo") == 2
    assert message in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize(
    ("out", "message"),
    [
        ("folder.safetensors", "expected the name of a file to write, got a folder"),
        ("one.txt/sub/s.safetensors", "expected a writable location, got"),
    ],
)
def test_a_file_that_cannot_be_written_is_found_out_first(
    out: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("folder.safetensors").mkdir()
    # Not that there is no such corpus.
    assert run_app(["train", "glove", "--corpus", "no.txt", "--out", out]) == 2
    assert message in " ".join(capsys.readouterr().err.split())


def test_a_broken_lexicon_is_found_out_before_the_space_is_read(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("space.txt").write_text("no vectors\n")
    Path("lexicon.txt").write_bytes(b"\xff\xfe")
    command = ["train", "retrofit", "space.txt", "--lexicon", "lexicon.txt"]
    assert run_app([*command, "--out", "x.safetensors"]) == 2
    assert "lexicon.txt:1: expected UTF-8" in capsys.readouterr().err


def test_retrofitting_a_space(capsys: pytest.CaptureFixture[str]) -> None:
    Path("space.txt").write_text("cat 1 0\ndog 0 1\nbird 0 -1\nfish 3 4\n")
    command = ["train", "retrofit", "space.txt", "--out", "moved.safetensors"]
    Path("other.txt").write_text("fish bird\n")
    assert run_app([*command, "--lexicon", "lexicon.txt", "other.txt", "--iterations", "1"]) == 0
    assert "3 of 4 words moved: moved.safetensors" in capsys.readouterr().err
    # cat: (cat + dog) / 2; bird: (2 bird + cat + dog) / 4 with the cat that has moved;
    # fish, of length 1: (fish + bird) / 2. dog has no line of its own.
    bird = np.array([0.125, -0.125])
    fish = (np.array([0.6, 0.8]) + bird) / 2
    expected = np.vstack([[0.5, 0.5], [0.0, 1.0], bird, fish])
    assert np.allclose(load("moved.safetensors").vectors, expected)
    about = read_provenance(Path("moved.safetensors"))
    assert about is not None
    assert (about["moved"], about["edges"]) == (3, 4)
    assert about["recipe"]["lexicons"] == ["lexicon.txt", "other.txt"]


def test_a_space_is_not_retrofitted_into_itself(capsys: pytest.CaptureFixture[str]) -> None:
    Path("space.txt").write_text("cat 1 0\ndog 0 1\n")
    command = ["train", "retrofit", "space.txt", "--lexicon", "lexicon.txt"]
    assert run_app([*command, "--out", "moved.safetensors"]) == 0
    before = Path("moved.safetensors").read_bytes()
    command[2] = "moved.safetensors"
    assert run_app([*command, "--out", "moved.safetensors"]) == 2
    assert "expected another file to write to" in " ".join(capsys.readouterr().err.split())
    assert Path("moved.safetensors").read_bytes() == before


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--lexicon", "lexicon.txt", "-o", "x.txt"), "expected a name that ends in .safetensors"),
        (("--lexicon", "simlex-999"), "expected a lexicon or a taxonomy to retrofit to"),
        (("--lexicon", "no.txt"), "no.txt: no such file"),
        (("--lexicon", "x.tsv(synonyms)", "--relation", "hyponyms"), "expected relations once"),
    ],
)
def test_what_cannot_be_retrofitted(
    options: tuple[str, ...],
    message: str,
    capsys: pytest.CaptureFixture[str],
    request: pytest.FixtureRequest,
) -> None:
    if "simlex-999" in options:
        request.getfixturevalue("shared_data")
    Path("space.txt").write_text("cat 1 0\ndog 0 1\n")
    command = ["train", "retrofit", "space.txt", "--out", "x.safetensors", *options]
    assert run_app(command) == 2
    assert message in " ".join(capsys.readouterr().err.split())


def test_a_taxonomy_as_a_lexicon() -> None:
    Path("space.txt").write_text("cat 1 0\nanimal 0 1\nrock 1 1\n")
    Path("taxonomy.tsv").write_text("cat\tanimal\tis-a\n")
    command = ["train", "retrofit", "space.txt", "--lexicon", "taxonomy.tsv", "--iterations", "1"]
    assert run_app([*command, "--relation", "hypernyms", "--out", "x.safetensors"]) == 0
    moved = load("x.safetensors").vectors
    assert np.allclose(moved[:2], np.array([[0.5, 0.5], [0, 1]]))
