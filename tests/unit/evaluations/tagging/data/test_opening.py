from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from lydite.errors import FormatError, InputError
from lydite.evaluations.tagging.data import TaggedWords, TaggingTask, open_tagging
from lydite.resources.catalogue import locate

TRAIN = "The\tD\ncat\tN\n\nsat\tV\n"


def columns(count: int) -> str:
    return "\n\n".join(f"the\tD\ncat{i}\tN" for i in range(count))


def conllu(*sentences: str) -> str:
    def line(i: int, token: str) -> str:
        form, upos, xpos = token.split("/")
        return f"{i}\t{form}\t{form}\t{upos}\t{xpos}\t_\t0\troot\t_\t_"

    return "\n\n".join(
        "\n".join(line(i, token) for i, token in enumerate(sentence.split(), 1))
        for sentence in sentences
    )


def lines(task: TaggingTask, part: TaggedWords | None) -> list[str]:
    assert part is not None
    ends = zip(part.starts, part.starts[1:], strict=False)
    return [" ".join(task.words[i] for i in part.words[a:b]) for a, b in ends]


def test_names_tell_the_parts(tmp_path: Path) -> None:
    for name, text in (
        ("pos-train.tsv", TRAIN),
        ("pos-valid.tsv", "cat\tN\nsat\tV\n"),
        ("pos-test.tsv", "sat\tV\n\nThe\tD\n"),
    ):
        (tmp_path / name).write_text(text)
    (tmp_path / "README.md").write_text("Tags of words.\n")
    task = open_tagging(locate(tmp_path).paths, seed=0)
    assert lines(task, task.train) == ["The cat", "sat"]
    assert lines(task, task.development) == ["cat sat"]
    assert lines(task, task.test) == ["sat", "The"]
    assert task.notes == ()


def test_an_archive_may_hold_the_parts(tmp_path: Path) -> None:
    path = tmp_path / "pos.zip"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("data/train.tsv", TRAIN)
        packed.writestr("data/test.tsv", "sat\tV\n\ncat\tN\n")
    task = open_tagging([path], seed=0)
    assert (lines(task, task.train), lines(task, task.test)) == (["The cat", "sat"], ["sat", "cat"])
    assert task.development is None


@pytest.mark.parametrize("name", ["pos.tsv", "pos-train.tsv"])
def test_one_file_alone_is_dealt(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(columns(25))
    task = open_tagging([path], seed=1)
    parts = [lines(task, part) for part in task.parts]
    assert [len(part) for part in parts] == [21, 2, 2]
    assert sorted(line for part in parts for line in part) == sorted(
        f"the cat{i}" for i in range(25)
    )
    assert task.notes == (
        "the data are not split: sentences were divided at random, 21 train, 2 development, 2 test",
    )
    again = open_tagging([path], seed=1)
    assert [lines(again, part) for part in again.parts] == parts
    other = open_tagging([path], seed=2)
    assert [lines(other, part) for part in other.parts] != parts


def test_too_few_sentences_to_deal_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "pos.tsv"
    path.write_text(columns(3))
    with pytest.raises(InputError, match=r"pos.tsv: expected at least 4 sentences .* got 3"):
        open_tagging([path], seed=0)


def test_training_sentences_can_be_limited(tmp_path: Path) -> None:
    train, test = tmp_path / "train.tsv", tmp_path / "test.tsv"
    train.write_text(columns(20))
    test.write_text(columns(2))
    task = open_tagging([train, test], sentences=5, seed=0)
    chosen = lines(task, task.train)
    assert len(chosen) == 5
    assert set(chosen) <= {f"the cat{i}" for i in range(20)}
    assert task.notes == ("of 20 training sentences 5 were taken by chance",)
    assert lines(task, task.test) == ["the cat0", "the cat1"]
    assert open_tagging([train, test], sentences=50, seed=0).notes == ()


@pytest.mark.parametrize(("tags", "expected"), [("upos", ("D", "N")), ("xpos", ("DT", "NN"))])
def test_either_tag_of_conllu(tmp_path: Path, tags: str, expected: tuple[str, ...]) -> None:
    for part in ("train", "test"):
        (tmp_path / f"{part}.conllu").write_text(conllu("the/D/DT cat/N/NN", "cat/N/NN"))
    task = open_tagging(locate(tmp_path).paths, tags=tags, seed=0)  # type: ignore[arg-type]
    assert task.tags == expected


def test_trees_and_slashes_are_read_too(tmp_path: Path) -> None:
    (tmp_path / "train.mrg").write_text("(S (DT The) (NN cat))\n(S (NN cat) (VB sat))\n")
    (tmp_path / "test.pos").write_text("The/DT cat/NN\ncat/NN sat/VB\n")
    task = open_tagging(locate(tmp_path).paths, seed=0)
    assert lines(task, task.train) == ["The cat", "cat sat"]
    assert lines(task, task.test) == ["The cat", "cat sat"]


def test_files_that_do_not_say_what_they_are_for_are_refused(tmp_path: Path) -> None:
    for name in ("train.tsv", "more.tsv"):
        (tmp_path / name).write_text(TRAIN)
    with pytest.raises(InputError, match=r"expected the name of .*more.tsv to say train"):
        open_tagging(locate(tmp_path).paths, seed=0)


def test_a_test_file_with_other_tags_is_named(tmp_path: Path) -> None:
    (tmp_path / "train.tsv").write_text(TRAIN)
    (tmp_path / "test.tsv").write_text("The\tDT\n\ncat\tNN\n")
    with pytest.raises(FormatError, match=r"test.tsv: 2 of 2 test words have tags .* DT \(1\)"):
        open_tagging(locate(tmp_path).paths, seed=0)


def test_one_test_sentence_is_refused_with_its_file(tmp_path: Path) -> None:
    (tmp_path / "train.tsv").write_text(TRAIN)
    (tmp_path / "test.tsv").write_text("The\tD\ncat\tN\n")
    with pytest.raises(InputError, match=r"test.tsv: expected at least two test sentences, got 1"):
        open_tagging(locate(tmp_path).paths, seed=0)


def test_what_is_not_tagged_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "train.txt"
    path.write_text("The cat sat on the mat.\n")
    with pytest.raises(FormatError, match="expected a tagged corpus"):
        open_tagging([path], seed=0)


def test_real_treebank(shared_data: Path) -> None:
    task = open_tagging(locate("ud-ewt").paths, seed=0)
    assert [len(part.lengths) for part in task.parts] == [12544, 2001, 2077]
    assert [len(part.words) for part in task.parts] == [204577, 25147, 25094]
    assert len(task.tags) == 17
    assert task.notes == ()
