from __future__ import annotations

from pathlib import Path

import pytest

from lydite.cli.app import run_app
from lydite.spaces.formats.safetensors import read_provenance
from lydite.storage import sha256_file
from lydite.trained.urae import Urae

TREES = "(3 (2 The) (3 (2 cat) (2 sat)))\n(1 (2 (2 A) (2 dog)) (2 ran))\n(2 (2 The) (2 dog))\n"

pytestmark = pytest.mark.usefixtures("in_a_folder")


@pytest.fixture
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("trees.txt").write_text(TREES)


def train(*options: str) -> int:
    given = ["--words", "random(4)", "--dim", "3", "--epochs", "2", *options]
    return run_app(["train", "urae", "--trees", "trees.txt", *given])


def test_a_network_with_all_that_belongs_to_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert train("--out", "urae.safetensors", "--seed", "3") == 0
    assert "3 dimensions from 3 trees" in capsys.readouterr().err
    about = read_provenance(Path("urae.safetensors"))
    assert about is not None
    assert about["trees"] == [{"name": "trees.txt", "sha256": sha256_file(Path("trees.txt"))}]
    assert (about["recipe"]["dim"], about["recipe"]["seed"]) == (3, 3)
    assert about["text"]["tokens"] == 8
    assert len(about["text"]["errors_held_out"]) == 2
    assert about["words"]["spec"] == "random(4)"
    model = Urae.open("urae.safetensors", trees="trees.txt")
    assert model.encode(["a dog ran"]).shape == (1, 3)
    assert model.saw(["a dog ran", "a dog sat"]).tolist() == [True, False]


def test_groups_that_are_not_trained_on(capsys: pytest.CaptureFixture[str]) -> None:
    Path("groups.csv").write_text("group,text\n1,a dog ran\n")
    assert train("--exclude", "groups.csv", "--out", "urae.safetensors") == 0
    assert "3 dimensions from 2 trees, 1 left out" in capsys.readouterr().err
    about = read_provenance(Path("urae.safetensors"))
    assert about is not None
    assert about["excluded"] == [{"name": "groups.csv", "sha256": sha256_file(Path("groups.csv"))}]
    assert (about["text"]["trees"], about["text"]["left_out"]) == (2, 1)
    model = Urae.open("urae.safetensors", trees="balanced")
    assert model.saw(["a dog ran", "The cat sat"]).tolist() == [False, True]


def test_quiet_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert train("--out", "urae.safetensors", "--quiet") == 0
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--out", "urae.bin"], "ends in .safetensors"),
        (
            ["--out", "u.safetensors", "--trees", "starter-similarity"],
            "expected trees, got",
        ),
        (["--out", "u.safetensors", "--trees", "absent.txt"], "no such file"),
        (["--out", "u.safetensors", "--rate", "0"], "expected rate"),
    ],
)
def test_calls_that_cannot_work(
    options: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    assert train(*options) == 2
    assert message in capsys.readouterr().err
    assert not list(tmp_path.glob("u*"))


def test_trees_are_not_written_over(capsys: pytest.CaptureFixture[str]) -> None:
    Path("trees.txt").rename("trees.safetensors")
    done = run_app(
        [
            *("train", "urae", "--trees", "trees.safetensors", "--words", "random(4)"),
            *("--out", "trees.safetensors"),
        ]
    )
    assert done == 2
    assert "another file to write to" in capsys.readouterr().err
    assert Path("trees.safetensors").read_text() == TREES


def test_running_text_gets_trees_of_a_shape(capsys: pytest.CaptureFixture[str]) -> None:
    Path("text.txt").write_text("The cat sat here.\nA dog ran there.\nIt can't be, (he) said.\n")
    options = ["--words", "random(4)", "--dim", "3", "--epochs", "1", "--out", "u.safetensors"]
    corpus = ["--corpus", "text.txt", "--parser", "balanced", "--limit", "2"]
    assert run_app(["train", "urae", *options, *corpus]) == 0
    about = read_provenance(Path("u.safetensors"))
    assert about is not None
    assert (about["text"]["trees"], about["text"]["tokens"]) == (2, 10)
    assert about["corpus"][0]["name"] == "text.txt"
    assert about["parser"] == "balanced words"
    model = Urae.open("u.safetensors", trees="balanced")
    assert model.saw(["The cat sat here.", "It can't be, (he) said."]).tolist() == [True, False]


@pytest.mark.parametrize("given", [[], ["--trees", "trees.txt", "--corpus", "trees.txt"]])
def test_trees_or_text_and_not_both(given: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--words", "random(4)", "--out", "u.safetensors"]
    assert run_app(["train", "urae", *options, *given]) == 2
    assert "either trees or a corpus" in capsys.readouterr().err
