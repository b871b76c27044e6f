from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from lydite.evaluations.parsing.data import read_trees
from lydite.evaluations.parsing.parser import HYBRID, STANDARD, lift


def lifted(heads: list[int]) -> tuple[list[int], int]:
    found, count = np.array(heads, dtype=np.int32), np.empty(1, dtype=np.int32)
    lift(np.array([0, len(heads)]), found, count)
    return found.tolist(), int(count[0])


def test_a_projective_tree_stays_as_it_is() -> None:
    assert lifted([2, 0, 2, 3]) == ([2, 0, 2, 3], 0)


def test_an_arc_over_a_stranger_is_lifted_once() -> None:
    # "a hearing was scheduled today on": 6 hangs on 2 over 3 to 5, which are not below 2. Its
    # head's head is 4, the root, below which everything is.
    assert lifted([2, 4, 4, 0, 4, 2]) == ([2, 4, 4, 0, 4, 4], 1)


def test_an_arc_over_the_root_is_lifted() -> None:
    # 3 hangs on 1 over 2, the root; 1 hangs on 2.
    assert lifted([2, 0, 1]) == ([2, 0, 2], 1)


@pytest.mark.parametrize("system", [HYBRID, STANDARD])
def test_the_static_oracle_makes_every_tree_of_the_web_treebank(
    shared_data: Path, system: int, derive: Callable[..., None]
) -> None:
    trees = read_trees(shared_data / "treebanks" / "ud-ewt" / "en_ewt-ud-train.conllu")
    heads, count = trees.heads.copy(), np.empty(len(trees), dtype=np.int32)
    lift(trees.starts, heads, count)
    assert int((count > 0).sum()) == 288
    actions, found = np.empty(2 * len(heads), dtype=np.int8), np.empty_like(heads)
    derive(system, trees.starts, heads, actions, found)
    np.testing.assert_array_equal(found, heads)
    # Sentences that were projective have their own trees.
    whole = np.repeat(count == 0, trees.lengths)
    np.testing.assert_array_equal(found[whole], trees.heads[whole])
