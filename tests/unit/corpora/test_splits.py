from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lydite.corpora.splits import (
    check_tested,
    deal,
    dealt_note,
    draw,
    drawn_note,
    hold_out,
    named_splits,
    split_of_name,
)
from lydite.errors import InputError


@pytest.mark.parametrize(
    ("name", "split"),
    [
        ("stsa.binary.train", "train"),
        ("reviews-dev.csv", "development"),
        ("TEST.tsv", "test"),
        ("train-test.csv", None),
        ("contest.csv", None),
    ],
)
def test_names_that_say_a_split(name: str, split: str | None) -> None:
    assert split_of_name(Path(name)) == split


def test_files_are_sorted_by_what_their_names_say() -> None:
    assert named_splits(["x-dev.tsv", "a/train.tsv", "b/train.tsv", "test.tsv"]) == {
        "development": ["x-dev.tsv"],
        "train": ["a/train.tsv", "b/train.tsv"],
        "test": ["test.tsv"],
    }


@pytest.mark.parametrize("places", [["a.tsv"], ["train.tsv"], ["a.tsv", "b.tsv"]])
def test_files_that_all_say_the_same_are_not_split(places: list[str]) -> None:
    assert named_splits(places) == {}


def test_a_name_that_says_nothing_beside_others_that_do() -> None:
    with pytest.raises(InputError, match=r"expected the name of more\.tsv to say train"):
        named_splits(["train.tsv", "more.tsv"])


@pytest.mark.parametrize(("count", "sizes"), [(4, [1, 1, 2]), (19, [16, 1, 2]), (20, [16, 2, 2])])
def test_every_sentence_is_dealt_once(count: int, sizes: list[int]) -> None:
    parts = deal(count, seed=1)
    assert [len(part) for part in parts.values()] == sizes
    assert sorted(np.concatenate(list(parts.values()))) == list(range(count))
    for part in parts.values():
        assert (np.diff(part) > 0).all()
    assert dealt_note(parts).endswith(f"{sizes[0]} train, {sizes[1]} development, {sizes[2]} test")


def test_the_deal_is_a_permutation_by_the_seed() -> None:
    # Stored results rest on it: other sentences would be other numbers.
    order = np.random.default_rng(4).permutation(30)
    parts = deal(30, seed=4)
    assert parts["test"].tolist() == sorted(order[:3])
    assert parts["development"].tolist() == sorted(order[3:6])


def test_too_few_sentences_to_deal() -> None:
    with pytest.raises(InputError, match=r"a.tsv: expected at least 4 sentences to deal .* got 3"):
        deal(3, seed=0, place="a.tsv")


def test_one_test_text_is_too_few() -> None:
    with pytest.raises(InputError, match=r"a.csv: expected at least two test texts, got 1"):
        check_tested(1, what="texts", place="a.csv")
    check_tested(2, what="texts", place="a.csv")


def test_one_in_so_many_is_held_out() -> None:
    left, held = hold_out(12, seed=3, one_in=5)
    assert (len(left), len(held)) == (10, 2)
    assert sorted([*left, *held]) == list(range(12))
    assert hold_out(2, seed=0, one_in=5)[1].shape == (1,)
    with pytest.raises(InputError, match="at least 2 training sentences"):
        hold_out(1, seed=0, one_in=5)


def test_some_sentences_are_drawn_in_order() -> None:
    kept = draw(20, 5, seed=0)
    assert len(kept) == 5
    assert (np.diff(kept) > 0).all()
    assert draw(20, 5, seed=1).tolist() != kept.tolist()
    assert drawn_note(20, kept) == ["of 20 training sentences 5 were taken by chance"]


@pytest.mark.parametrize("most", [0, 20, 50])
def test_all_sentences_are_taken_where_there_are_no_more(most: int) -> None:
    kept = draw(20, most, seed=0)
    assert kept.tolist() == list(range(20))
    assert drawn_note(20, kept) == []
