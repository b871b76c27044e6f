from __future__ import annotations

import pytest

from lydite.trained.trees import Branching, branched


@pytest.mark.parametrize(
    ("branching", "expected"),
    [
        ("right", "(a (b (c (d e))))"),
        ("left", "((((a b) c) d) e)"),
        ("balanced", "(((a b) c) (d e))"),
    ],
)
def test_shapes(branching: Branching, expected: str) -> None:
    forest = branched([list("abcde")], branching)
    assert forest.written(0) == expected


def test_a_sentence_of_one_word_is_a_leaf_and_one_of_none_has_no_tree() -> None:
    forest = branched([["a"], [], ["b", "a"]], "balanced")
    assert [forest.sentence(tree) for tree in range(len(forest))] == [["a"], ["b", "a"]]
    assert forest.heights[forest.roots].tolist() == [0, 1]


def test_balanced_trees_are_as_low_as_can_be() -> None:
    forest = branched([["w"] * n for n in range(1, 70)], "balanced")
    # 2^h leaves fit below a node of height h.
    assert forest.heights[forest.roots].tolist() == [(n - 1).bit_length() for n in range(1, 70)]
