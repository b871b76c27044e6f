"""The starter reviews keep the promises their card makes."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations

from lydite.evaluations.classification.data import LabelledTexts, Task, open_tasks
from lydite.models.catalogue import load
from lydite.resources.catalogue import locate, verify


def task() -> Task:
    (only,) = open_tasks(locate("starter-reviews").paths).tasks
    return only


def reviews() -> LabelledTexts:
    return task().train


def words(text: str) -> list[str]:
    return re.findall(r"[a-z]+", text.lower())


def test_the_file_is_that_of_the_card() -> None:
    assert [each.status for each in verify("starter-reviews")] == ["ok"]


def test_they_are_one_task_of_two_classes_that_is_not_split() -> None:
    assert task().classes == ("negative", "positive")
    assert task().development is None
    assert task().test is None


def test_150_of_each_class() -> None:
    assert Counter(reviews().labels.tolist()) == {0: 150, 1: 150}


def test_they_have_as_many_words_as_the_card_says() -> None:
    total = sum(len(text.split()) for text in reviews().texts)
    card = locate("starter-reviews").card
    assert card is not None
    assert f"{total:,} words" in card.notes


def test_they_are_short_and_written_cleanly() -> None:
    for text in reviews().texts:
        assert 6 <= len(text.split()) <= 25, text
        assert text == text.strip(), text
        assert text[0].isupper(), text
        assert text.endswith("."), text
        assert not re.search(r"  | [.,;:]|[\"\t]", text), text
        assert not re.search(r"\b(\w+) \1\b", text.lower()), text


def test_no_two_are_nearly_the_same() -> None:
    sets = [set(words(text)) for text in reviews().texts]
    shared = [len(one & two) / len(one | two) for one, two in combinations(sets, 2)]
    assert max(shared) < 0.4
    openings = Counter(" ".join(words(text)[:3]) for text in reviews().texts)
    assert max(openings.values()) <= 2


def test_length_does_not_give_the_class_away() -> None:
    lengths: dict[int, list[int]] = {0: [], 1: []}
    for text, label in zip(reviews().texts, reviews().labels.tolist(), strict=True):
        lengths[label].append(len(text.split()))
    # Of all pairs, the share in which the positive review is the longer one.
    wins = sum((two > one) + (two == one) / 2 for one in lengths[0] for two in lengths[1])
    assert 0.4 <= wins / (150 * 150) <= 0.6


def test_the_starter_space_knows_nearly_all_words() -> None:
    known = sorted({word for text in reviews().texts for word in words(text)})
    assert len(known) > 1400
    assert load("glove-6b-50d").lookup(known).found.mean() > 0.995
