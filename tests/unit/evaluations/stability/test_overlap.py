from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from lydite.evaluations.stability.overlap import (
    MEASURES,
    different_words,
    jaccard,
    random_lists,
    shared_by_all,
    shared_by_pairs,
)


def drawn(spaces: int, words: int, n: int, candidates: int, seed: int = 0) -> Any:  # noqa: ANN401
    generator = np.random.default_rng(seed)
    order = [[generator.permutation(candidates)[:n] for _ in range(words)] for _ in range(spaces)]
    return np.array(order)


@pytest.mark.parametrize("spaces", [2, 3, 5])
def test_measures_are_those_of_sets(spaces: int) -> None:
    lists = drawn(spaces, 40, 6, 12)
    for j in range(1, 7):
        for word in range(40):
            found = [set(each[word, :j].tolist()) for each in lists]
            both, either = set.intersection(*found), set.union(*found)
            assert shared_by_all(lists)[word, j - 1] == len(both) / j
            assert jaccard(lists)[word, j - 1] == pytest.approx(len(both) / len(either))
            by_two = [len(one & other) / j for one, other in combinations(found, 2)]
            assert shared_by_pairs(lists)[word, j - 1] == pytest.approx(np.mean(by_two))


def test_equal_lists_share_all_and_disjoint_ones_nothing() -> None:
    lists = drawn(1, 9, 4, 30)
    same = np.concatenate([lists, lists, lists])
    apart = np.concatenate([lists, lists + 100])
    for measure in MEASURES.values():
        assert (measure(same) == 1).all()
        assert (measure(apart) == 0).all()


def test_the_order_of_spaces_means_nothing() -> None:
    lists = drawn(3, 30, 5, 10)
    for measure in MEASURES.values():
        np.testing.assert_allclose(measure(lists), measure(lists[[2, 0, 1]]))


def test_more_spaces_share_less_by_all_and_two_are_a_pair() -> None:
    lists = drawn(4, 50, 5, 10)
    assert (shared_by_all(lists) <= shared_by_all(lists[:3])).all()
    np.testing.assert_array_equal(shared_by_all(lists[:2]), shared_by_pairs(lists[:2]))


def test_lists_of_different_words_by_hand() -> None:
    lists = drawn(3, 7, 4, 9)
    for j in range(1, 5):
        shared = [
            len(set(lists[a, one, :j].tolist()) & set(lists[b, other, :j].tolist())) / j
            for a, b in combinations(range(3), 2)
            for one in range(7)
            for other in range(7)
            if one != other
        ]
        assert different_words(lists)[j - 1] == pytest.approx(np.mean(shared))
    assert different_words(lists[:, :1]).tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize("measure", ["all", "pairs", "jaccard"])
def test_the_baseline_is_what_random_lists_give(measure: str) -> None:
    many = np.array(
        [MEASURES[measure](drawn(3, 20, 5, 15, seed))[:, -1].mean() for seed in range(300)]
    )
    null = random_lists(measure, spaces=3, words=20, candidates=15, n=5, draws=2000, seed=1)
    assert null.mean() == pytest.approx(many.mean(), abs=4 * many.std() / np.sqrt(300))
    assert null.std() == pytest.approx(many.std(), rel=0.2)
    expected = {"all": (5 / 15) ** 2, "pairs": 5 / 15}
    if measure in expected:
        assert null.mean() == pytest.approx(expected[measure], abs=0.005)
