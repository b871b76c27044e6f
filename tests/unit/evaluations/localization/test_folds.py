from __future__ import annotations

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold  # type: ignore[import-untyped]

from lydite.evaluations.localization.classifiers import stratified_folds
from lydite.types import Indices

#: Groups of 3, 4, 5, 6 and 8 sentences, mixed.
LABELS = np.random.default_rng(0).permutation(np.repeat(np.arange(5), [3, 4, 5, 6, 8]))


def table(labels: Indices, dealt: Indices, folds: int) -> list[list[int]]:
    """Count the sentences of each group in each fold, (k, folds)."""
    return [
        np.bincount(dealt[labels == g], minlength=folds).tolist() for g in range(labels.max() + 1)
    ]


def test_counted_by_hand() -> None:
    # 26 sentences in 3 folds: 9, 9 and 8. 3 = 1 + 1 + 1, 4 = 2 + 1 + 1, 5 = 2 + 2 + 1,
    # 6 = 2 + 2 + 2, 8 = 3 + 3 + 2.
    dealt = stratified_folds(LABELS, 3, seed=4)
    counted = [sorted(row) for row in table(LABELS, dealt, 3)]
    assert counted == [[1, 1, 1], [1, 1, 2], [1, 2, 2], [2, 2, 2], [2, 3, 3]]
    assert sorted(np.bincount(dealt).tolist()) == [8, 9, 9]


@pytest.mark.parametrize("folds", [2, 3, 5])
@pytest.mark.parametrize("seed", range(4))
def test_each_group_is_dealt_as_evenly_as_by_scikit_learn(folds: int, seed: int) -> None:
    labels = np.random.default_rng(seed).permutation(np.repeat(np.arange(6), [5, 5, 6, 7, 8, 11]))
    theirs = np.empty(len(labels), dtype=np.int64)
    splitter = StratifiedKFold(folds, shuffle=True, random_state=seed)
    for fold, (_, test) in enumerate(splitter.split(labels, labels)):
        theirs[test] = fold
    ours = stratified_folds(labels, folds, seed)
    mine, others = table(labels, ours, folds), table(labels, theirs, folds)
    assert [sorted(row) for row in mine] == [sorted(row) for row in others]
    sizes = np.bincount(ours, minlength=folds)
    assert sizes.max() - sizes.min() <= 1


def test_the_same_seed_deals_the_same_and_others_deal_otherwise() -> None:
    one = stratified_folds(LABELS, 3, seed=1)
    assert one.tolist() == stratified_folds(LABELS, 3, seed=1).tolist()
    dealt = {tuple(stratified_folds(LABELS, 3, seed=seed).tolist()) for seed in range(20)}
    assert len(dealt) == 20


def test_every_sentence_gets_into_every_fold_under_some_seed() -> None:
    # The chance that one of 26 sentences misses one of 3 folds in 60 deals is under 1e-8.
    dealt = np.array([stratified_folds(LABELS, 3, seed) for seed in range(60)])
    assert all(set(column) == {0, 1, 2} for column in dealt.T.tolist())


def test_folds_may_be_more_than_groups() -> None:
    labels = np.repeat([0, 1], 7)
    dealt = stratified_folds(labels, 7, seed=0)
    assert sorted(dealt[:7].tolist()) == sorted(dealt[7:].tolist()) == list(range(7))


def test_a_group_smaller_than_the_folds_has_at_most_one_sentence_in_each() -> None:
    dealt = stratified_folds(np.array([0, 0, 1, 1, 1, 1]), 4, seed=3)
    assert len(set(dealt[:2].tolist())) == 2
    assert sorted(dealt[2:].tolist()) == [0, 1, 2, 3]
