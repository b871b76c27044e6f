from __future__ import annotations

import numpy as np
import pytest

from lydite.evaluations.parsing.evaluation import branching, by_length, by_relation, score_parses
from lydite.evaluations.parsing.parser import Sentences

# "a b c ." and "d .": in the first b is the root; labels 0 x, 1 root, 2 punct.
GOLD = Sentences(
    starts=np.array([0, 4, 6, 7]),
    rows=np.zeros(7, dtype=np.int32),
    heads=np.array([2, 0, 2, 2, 0, 1, 0], dtype=np.int32),
    labels=np.array([0, 1, 0, 2, 1, 2, 1], dtype=np.int32),
)
RELATIONS = ("x", "root", "x", "punct", "root", "punct", "root")
# The last sentence is punctuation and nothing else.
WORDS = np.array([True, True, True, False, True, False, False])
FIRST = (
    np.array([2, 0, 1, 1, 0, 1, 0], dtype=np.int32),
    np.array([0, 1, 0, 0, 1, 2, 1], dtype=np.int32),
)
SECOND = (
    np.array([2, 0, 2, 1, 0, 1, 0], dtype=np.int32),
    np.array([1, 1, 0, 0, 1, 2, 1], dtype=np.int32),
)


def test_two_repeats_by_hand_without_punctuation() -> None:
    scores = score_parses(GOLD, [FIRST, SECOND], WORDS)
    # Words a, b, c, d: the first repeat has the head of c wrong, the second the label of a.
    assert scores.head.tolist() == [1, 1, 0.5, 1]
    assert scores.named.tolist() == [0.5, 1, 0.5, 1]
    assert scores.label.tolist() == [0.5, 1, 1, 1]
    # Sentences: the first is whole in one of two repeats; the third has no word that counts.
    assert scores.exact.tolist() == [0.5, 1]
    assert scores.sizes.tolist() == [3, 1]
    assert scores.summed(scores.head).tolist() == [2.5, 1]


def test_with_punctuation_every_word_counts() -> None:
    scores = score_parses(GOLD, [FIRST], np.ones(7, dtype=np.bool_))
    # c and the first stop have wrong heads: five of seven are right.
    assert scores.head.mean() == pytest.approx(5 / 7)
    assert scores.exact.tolist() == [0, 1, 1]


def test_branching_by_hand() -> None:
    # On the word before: a root (wrong), b on a (wrong), c on b (right), d root (right).
    # On the word after: a on b (right), b on c, c on ".", d on ".": wrong.
    assert branching(GOLD, WORDS) == (0.5, 0.25)


def test_tables_by_relation_and_length() -> None:
    scores = score_parses(GOLD, [FIRST, SECOND], WORDS)
    assert [each.plain() for each in by_relation(scores, RELATIONS, WORDS)] == [
        {"relation": "root", "words": 2, "uas": 1.0, "las": 1.0},
        {"relation": "x", "words": 2, "uas": 0.75, "las": 0.5},
    ]
    assert [each.plain() for each in by_length(scores, GOLD, WORDS)] == [
        {"length": "root", "words": 2, "uas": 1.0, "las": 1.0},
        {"length": "1", "words": 2, "uas": 0.75, "las": 0.5},
    ]
