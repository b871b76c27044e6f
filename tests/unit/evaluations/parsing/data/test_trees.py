from __future__ import annotations

import numpy as np

from lydite.evaluations.parsing.data import Trees, joined

TREES = Trees(
    words=("a", "b", "c", "d"),
    heads=np.array([2, 0, 0, 1], dtype=np.int32),
    relations=("nsubj:pass", "root", "root", "obl:agent"),
    punctuation=np.array([False, False, False, True]),
    starts=np.array([0, 2, 4]),
)


def test_chosen_sentences_come_in_the_order_given() -> None:
    turned = TREES.chosen(np.array([1, 0]))
    assert turned.words == ("c", "d", "a", "b")
    assert turned.heads.tolist() == [0, 1, 2, 0]
    assert turned.punctuation.tolist() == [False, True, False, False]
    assert turned.starts.tolist() == [0, 2, 4]
    assert TREES.chosen(np.array([1])).text(0) == "c d"


def test_subtypes_are_cut() -> None:
    assert TREES.universal().relations == ("nsubj", "root", "root", "obl")


def test_joined_parts_are_the_whole() -> None:
    parts = [TREES.chosen(np.array([0])), TREES.chosen(np.array([1]))]
    whole = joined(parts)
    assert whole.words == TREES.words
    assert whole.heads.tolist() == TREES.heads.tolist()
    assert whole.starts.tolist() == TREES.starts.tolist()
    assert len(joined([])) == 0
