from __future__ import annotations

import numpy as np
import pytest

from lydite.errors import InputError
from lydite.trained.trees import JOIN, Forest, ForestBuilder


def forest() -> Forest:
    # ((a b) c), then b alone, then (a (b c)).
    postfix = [0, 1, JOIN, 2, JOIN, 1, 0, 1, 2, JOIN, JOIN]
    return Forest.of(["a", "b", "c"], postfix, roots=[4, 5, 10])


def test_children_heights_and_widths() -> None:
    grown = forest()
    assert grown.left.tolist() == [-1, -1, 0, -1, 2, -1, -1, -1, -1, 7, 6]
    assert grown.right.tolist() == [-1, -1, 1, -1, 3, -1, -1, -1, -1, 8, 9]
    assert grown.heights.tolist() == [0, 0, 1, 0, 2, 0, 0, 0, 0, 1, 2]
    assert grown.widths.tolist() == [1, 1, 2, 1, 3, 1, 1, 1, 1, 2, 3]
    assert grown.sizes().tolist() == [5, 1, 5]
    assert len(grown) == 3


def test_sentences_from_left_to_right() -> None:
    grown = forest()
    assert [grown.sentence(tree) for tree in range(3)] == [["a", "b", "c"], ["b"], ["a", "b", "c"]]
    assert [grown.written(tree) for tree in range(3)] == ["((a b) c)", "b", "(a (b c))"]


@pytest.mark.parametrize("trees", [[2, 0], [1], [2, 2, 1], []])
def test_some_trees_are_what_they_would_be_alone(trees: list[int]) -> None:
    whole = forest()
    taken = whole.take(np.array(trees, dtype=np.int64))
    alone = [
        whole.tokens[r - s + 1 : r + 1] for r, s in zip(whole.roots, whole.sizes(), strict=True)
    ]
    postfix = [token for tree in trees for token in alone[tree].tolist()]
    again = Forest.of(whole.words, postfix, roots=np.cumsum(whole.sizes()[trees]) - 1)
    for name in ("tokens", "left", "right", "heights", "widths", "roots"):
        np.testing.assert_array_equal(getattr(taken, name), getattr(again, name))


@pytest.mark.parametrize(
    ("postfix", "roots"),
    [
        ([0, JOIN], [1]),
        ([0, 1], [1]),
        ([0, 1, JOIN], [1, 2]),
        ([0, 1, JOIN], []),
        ([0, 1, JOIN, 0], [2]),
        ([0], [4]),
        ([3], [0]),
    ],
)
def test_what_is_no_tree_is_refused(postfix: list[int], roots: list[int]) -> None:
    with pytest.raises(InputError, match="binary trees"):
        Forest.of(["a", "b"], postfix, roots=roots)


def test_a_builder_without_trees() -> None:
    built = ForestBuilder()
    built.end()
    assert len(built.forest()) == 0
