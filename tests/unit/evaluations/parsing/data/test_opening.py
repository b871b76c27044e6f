from __future__ import annotations

from pathlib import Path

import pytest

from lydite.errors import FormatError, InputError
from lydite.evaluations.parsing.data import Treebank, open_treebank


def written(folder: Path, name: str, words: list[str]) -> Path:
    """Write one sentence of one word for each."""
    path = folder / name
    path.write_text(
        "".join(f"1\t{word}\t_\tX\t_\t_\t0\troot\t_\t_\n\n" for word in words), encoding="utf-8"
    )
    return path


def words_of(bank: Treebank) -> list[set[str]]:
    return [set(part.words) for part in (bank.train, bank.development, bank.test)]


def test_names_say_which_part_a_file_is(tmp_path: Path) -> None:
    splits = ("test", "train", "dev")
    paths = [written(tmp_path, f"x-{split}.conllu", [split, split]) for split in splits]
    (tmp_path / "README.txt").write_text("Nothing to parse.\n")
    bank = open_treebank([tmp_path / "README.txt", *paths], seed=0)
    assert words_of(bank) == [{"train"}, {"dev"}, {"test"}]
    assert bank.notes == ()


def test_files_of_one_part_are_joined(tmp_path: Path) -> None:
    names = ("train-a.conllu", "train-b.conllu", "dev.conllu", "test.conllu")
    bank = open_treebank([written(tmp_path, name, [name, "x"]) for name in names], seed=0)
    assert bank.train.words == (names[0], "x", names[1], "x")


def test_one_file_alone_is_dealt_by_the_seed_and_says_so(tmp_path: Path) -> None:
    words = [f"w{i}" for i in range(30)]
    path = written(tmp_path, "trees.conllu", words)
    bank = open_treebank([path], seed=4)
    train, tuning, test = words_of(bank)
    assert [len(train), len(tuning), len(test)] == [24, 3, 3]
    assert train | tuning | test == set(words)
    assert bank.notes == (
        "the data are not split: sentences were divided at random, 24 train, 3 development, 3 test",
    )
    assert words_of(open_treebank([path], seed=4)) == [train, tuning, test]
    assert words_of(open_treebank([path], seed=5)) != [train, tuning, test]


def test_files_that_all_say_nothing_are_dealt_together(tmp_path: Path) -> None:
    paths = [written(tmp_path, f"{name}.conllu", [f"{name}{i}" for i in range(5)]) for name in "ab"]
    bank = open_treebank(paths, seed=0)
    assert [len(part) for part in words_of(bank)] == [7, 1, 2]


def test_training_sentences_can_be_limited(tmp_path: Path) -> None:
    words = {"train": [f"w{i}" for i in range(20)], "dev": ["d"], "test": ["t", "t"]}
    paths = [written(tmp_path, f"{split}.conllu", found) for split, found in words.items()]
    bank = open_treebank(paths, sentences=5, seed=0)
    assert len(bank.train) == 5
    assert set(bank.train.words) < set(words["train"])
    assert bank.notes == ("of 20 training sentences 5 were taken by chance",)
    assert open_treebank(paths, sentences=50, seed=0).notes == ()


def test_without_development_data_training_sentences_are_held_out(tmp_path: Path) -> None:
    words = [f"w{i}" for i in range(20)]
    paths = [written(tmp_path, "train.conllu", words), written(tmp_path, "test.conllu", ["t", "t"])]
    bank = open_treebank(paths, seed=0)
    train, tuning, test = words_of(bank)
    assert (len(train), len(tuning), test) == (18, 2, {"t"})
    assert train | tuning == set(words)
    assert "2 training sentences are held out" in bank.notes[0]


def test_files_that_do_not_say_what_they_are_are_refused(tmp_path: Path) -> None:
    paths = [written(tmp_path, name, ["a"]) for name in ("train.conllu", "other.conllu")]
    with pytest.raises(InputError, match=r"expected the name of .*other\.conllu to say train"):
        open_treebank(paths, seed=0)


def test_a_missing_part_is_named(tmp_path: Path) -> None:
    paths = [written(tmp_path, name, ["a"]) for name in ("train.conllu", "dev.conllu")]
    with pytest.raises(InputError, match="expected a file of the test part"):
        open_treebank(paths, seed=0)


def test_too_few_sentences_to_deal_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"trees.conllu: expected at least 4 sentences .* got 3"):
        open_treebank([written(tmp_path, "trees.conllu", ["a", "b", "c"])], seed=0)


def test_one_test_sentence_is_refused_with_its_file(tmp_path: Path) -> None:
    names = ("train.conllu", "test.conllu")
    paths = [written(tmp_path, name, 5 * ["a"] if "train" in name else ["a"]) for name in names]
    with pytest.raises(InputError, match=r"test.conllu: expected at least two test sentences"):
        open_treebank(paths, seed=0)


def test_a_folder_without_conllu_is_refused(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("no trees here\n")
    with pytest.raises(FormatError, match="expected CoNLL-U, got none"):
        open_treebank(sorted(tmp_path.iterdir()), seed=0)
