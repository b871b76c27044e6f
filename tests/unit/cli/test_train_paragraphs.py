from __future__ import annotations

from pathlib import Path

import pytest

from lydite.cli.app import run_app
from lydite.spaces.formats.safetensors import read_provenance
from lydite.storage import sha256_file
from lydite.trained.paragraph_vectors import DistributedBagOfWords, DistributedMemory, read_network

SENTENCE = "The cat drinks milk. The dog drinks water, and the cat sees the dog. "
GROUPS = "group,text\n1,A bird sings to the cat.\n1,It sings to the cat.\n2,The cat drinks milk\n"
FACTORIES = {"pv-dm": DistributedMemory.open, "pv-dbow": DistributedBagOfWords.open}

pytestmark = pytest.mark.usefixtures("in_a_folder")


@pytest.fixture
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("one.txt").write_text(SENTENCE * 20)
    Path("two.txt").write_text("A bird sings to the cat. " * 20)
    Path("groups.csv").write_text(GROUPS)


def train(name: str, *options: str) -> int:
    pytest.importorskip("gensim", reason="gensim is absent")
    small = ("--dim", "4", "--window", "2", "--epochs", "2")
    return run_app(["train", name, "--corpus", "one.txt", "two.txt", *small, *options])


@pytest.mark.parametrize("name", ["pv-dm", "pv-dbow"])
def test_a_model_with_all_that_belongs_to_it(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert train(name, "--out", "model.safetensors", "--seed", "3") == 0
    # the, cat, drinks, dog, ".", and, milk, ",", sees, water; a, bird, sings, to.
    # 5 and 12 tokens, 20 times each, then 7 tokens 20 times.
    assert capsys.readouterr().err == (
        "4 dimensions, 14 words, from 60 sentences of 480 tokens: model.safetensors\n"
    )
    about = read_provenance(Path("model.safetensors"))
    assert about is not None
    assert (about["recipe"]["architecture"], about["recipe"]["seed"]) == (name, 3)
    assert (about["recipe"]["dim"], about["recipe"]["window"]) == (4, 2)
    assert about["preparation"]["punctuation"] is True
    assert about["corpus"] == [
        {"name": file, "sha256": sha256_file(Path(file))} for file in ("one.txt", "two.txt")
    ]
    assert about["text"] == {"sentences": 60, "tokens": 480, "words": 14, "left_out": 0}
    assert "gensim" in about["versions"]
    model = FACTORIES[name]("model.safetensors")
    assert model.encode(["The cat sings.", "emu"]).any(axis=1).tolist() == [True, False]
    assert model.saw(["the cat drinks milk.", "The cat drinks milk"]).tolist() == [True, False]
    assert model.network.paragraphs is None


def test_groups_that_are_not_trained_on(capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--exclude", "groups.csv", "--keep-paragraphs", "--out", "model.safetensors")
    assert train("pv-dbow", *options) == 0
    assert "from 40 sentences of 340 tokens, 20 left out" in capsys.readouterr().err
    about = read_provenance(Path("model.safetensors"))
    assert about is not None
    assert about["excluded"] == [{"name": "groups.csv", "sha256": sha256_file(Path("groups.csv"))}]
    network = read_network(Path("model.safetensors"))
    assert "bird" not in network.words.to_list()
    assert network.paragraphs is not None
    assert network.paragraphs.shape == (40, 4)
    assert (
        not DistributedBagOfWords.open("model.safetensors").saw(["A bird sings to the cat."]).any()
    )


@pytest.mark.parametrize(
    "groups",
    [
        "group,text\n1,A bird sings to the cat.\n2,A bird sings to the cat.\n2,It sings.\n",
        "group,text\n1,A bird sings to the cat.\n",
        "text1,text2\nA bird sings to the cat.,It sings.\nA bird sings to the cat.,He sings.\n",
    ],
)
def test_groups_that_could_not_be_tested_on_are_left_out_all_the_same(
    groups: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("groups.csv").write_text(groups)
    assert train("pv-dbow", "--exclude", "groups.csv", "--out", "model.safetensors") == 0
    assert "20 left out" in capsys.readouterr().err


def test_quiet(capsys: pytest.CaptureFixture[str]) -> None:
    assert train("pv-dm", "--out", "model.safetensors", "--quiet") == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--out", "m.txt"), "m.txt: expected a name that ends in .safetensors"),
        (("--out", "m.safetensors.gz"), "expected a name that ends in .safetensors"),
        (("--out", "m.safetensors", "--min-count", "500"), "occurs 100 times"),
        (("--out", "m.safetensors", "--exclude", "absent.csv"), "absent.csv"),
        (("--out", "m.safetensors", "--tokenizer", "word"), "there is no tokenizer called 'word'"),
    ],
)
def test_what_cannot_be_trained(
    options: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert train("pv-dbow", *options) == 2
    assert message in capsys.readouterr().err
    assert not list(Path().glob("m.*"))
