from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from scipy.special import log_softmax
from scipy.stats import zscore

from lydite.evaluations.localization.classifiers import (
    Features,
    Setting,
    classify,
    classify_together,
    stacking_weights,
    standardised,
    votes,
)
from lydite.types import Floats, Indices, Vectors

SETTING = Setting(C=1.0, weights="balanced", solver="newton", scale="none")
LABELS = np.repeat(np.arange(4), 6)
#: Two of each group are tested.
TEST = np.flatnonzero(np.arange(24) % 6 >= 4)
TRAIN = np.flatnonzero(np.arange(24) % 6 < 4)
NUMBERS = [str(i) for i in range(24)]


class Fixed:
    def __init__(self, vectors: Floats) -> None:
        self.vectors = vectors.astype(np.float32)

    def encode(self, texts: Sequence[str], /) -> Vectors:
        return self.vectors[[int(text) for text in texts]]


class Recording(Features):
    """Features that remember which sentences were asked for."""

    def __init__(self, vectors: Floats) -> None:
        super().__init__(Fixed(vectors), NUMBERS)
        self.splits: list[tuple[list[int], list[int]]] = []

    def split(self, train: Indices, test: Indices) -> tuple[Vectors, Vectors]:
        self.splits.append((train.tolist(), test.tolist()))
        return super().split(train, test)


def good(noise: float = 0.1, seed: int = 0) -> Floats:
    """Return vectors that tell the groups apart."""
    return np.asarray(np.eye(4)[LABELS] + noise * np.random.default_rng(seed).normal(size=(24, 4)))


def bad(seed: int = 1) -> Floats:
    """Return vectors that know nothing."""
    return np.random.default_rng(seed).normal(size=(24, 4))


def together(members: Sequence[Floats], by: str) -> Floats:
    features = [Features(Fixed(each), NUMBERS) for each in members]
    decided = classify_together(features, by, LABELS, TRAIN, TEST, SETTING, seed=3)
    assert decided.trained == 4 * len(members)
    return decided.scores


def alone(vectors: Floats) -> Floats:
    rows = vectors.astype(np.float32)
    return classify(rows[TRAIN], LABELS[TRAIN], rows[TEST], SETTING, seed=0).scores


def test_standardised_by_hand_and_by_scipy() -> None:
    # Mean 2 and deviation sqrt(2/3) of 1, 2, 3.
    ends = (3 / 2) ** 0.5
    np.testing.assert_allclose(
        standardised(np.array([[1.0, 2, 3], [5, 5, 5]])), [[-ends, 0, ends], [0, 0, 0]]
    )
    scores = np.random.default_rng(0).normal(4, 3, size=(5, 7))
    np.testing.assert_allclose(standardised(scores), zscore(scores, axis=1))


def test_most_votes_win_however_sure_the_others_are() -> None:
    # Two barely prefer group 1; one would give all for group 0.
    unsure = standardised(np.array([[0.0, 0.01, -1.0, -1.0, -1.0]]))
    sure = standardised(np.array([[100.0, 0.0, 0.0, 0.0, 0.0]]))
    counted = votes(np.stack([unsure, sure, unsure]))
    assert counted.argmax(axis=1).tolist() == [1]
    # A whole vote is more than all that scores can add.
    assert counted[0, 1] - counted[0, 0] > 0.3


@pytest.mark.parametrize("groups", [2, 3, 50, 2000])
def test_scores_never_outweigh_a_vote(groups: int) -> None:
    # The highest standardised score there is: one group stands alone.
    sure = standardised(np.eye(1, groups))
    unsure = np.full((1, groups), -1.0)
    unsure[0, 0], unsure[0, 1] = 1 - 1e-9, 1.0
    counted = votes(np.stack([standardised(unsure), sure, standardised(unsure)]))
    assert counted.argmax() == 1


def test_equal_votes_are_decided_by_the_scores() -> None:
    one, other = np.array([[3.0, 2.0, 0.0]]), np.array([[0.0, 2.9, 3.0]])
    # One vote each for 0 and 2; the means of the scores are 1.5, 2.45 and 1.5, and the tie of 0
    # and 2 goes to the first.
    assert votes(np.stack([one, other])).argmax() == 0
    assert votes(np.stack([one, np.array([[0.0, 2.9, 3.1]])])).argmax() == 2


def test_who_abstains_has_no_vote() -> None:
    said, silent = np.array([[-1.0, -0.5, 1.5]]), np.zeros((1, 3))
    assert votes(np.stack([silent, said, silent])).argmax() == 2
    assert not votes(np.stack([silent, silent])).any()


def test_scores_are_the_mean_of_the_standardised_ones() -> None:
    one, other = good(), bad()
    expected = (zscore(alone(one), axis=1) + zscore(alone(other), axis=1)) / 2
    np.testing.assert_allclose(together([one, other], "scores"), expected, atol=1e-9)


@pytest.mark.parametrize("by", ["vote", "scores", "stacked"])
def test_a_model_with_itself_says_what_it_says_alone(by: str) -> None:
    vectors = good(noise=0.8)
    said = together([vectors, vectors], by).argmax(axis=1)
    assert said.tolist() == alone(vectors).argmax(axis=1).tolist()


@pytest.mark.parametrize("by", ["vote", "scores", "stacked"])
def test_the_order_of_members_does_not_matter(by: str) -> None:
    members = [good(noise=0.8), bad(), good(noise=0.8, seed=5)]
    one, other = together(members, by), together(members[::-1], by)
    np.testing.assert_allclose(one, other, atol=1e-4)


def test_two_good_ones_outvote_a_bad_one() -> None:
    said = together([bad(), good(), good(seed=7)], "vote").argmax(axis=1)
    assert said.tolist() == LABELS[TEST].tolist()
    assert alone(bad()).argmax(axis=1).tolist() != LABELS[TEST].tolist()


def test_stacking_hears_the_good_one() -> None:
    said = together([bad(), bad(seed=2), bad(seed=3), good()], "stacked").argmax(axis=1)
    assert said.tolist() == LABELS[TEST].tolist()


@pytest.mark.parametrize("by", ["vote", "scores", "stacked"])
def test_a_model_without_a_vector_leaves_a_sentence_to_the_others(by: str) -> None:
    # It knows the training sentences of groups that differ in size, so that its intercepts do.
    labels = np.repeat(np.arange(3), [3, 6, 15])
    test = np.array([0, 3, 9])
    train = np.setdiff1d(np.arange(24), test)
    blind = np.random.default_rng(0).normal(size=(24, 2))
    blind[test] = 0
    sees = np.eye(3)[labels] + 0.3 * np.random.default_rng(1).normal(size=(24, 3))
    members = [Features(Fixed(each), NUMBERS) for each in (blind, blind, sees)]
    decided = classify_together(members, by, labels, train, test, SETTING, seed=0)
    assert decided.predicted.tolist() == [0, 1, 2]


def test_weights_are_learnt_from_training_sentences_that_classifiers_did_not_see() -> None:
    members = [Recording(good()), Recording(bad())]
    classify_together(members, "stacked", LABELS, TRAIN, TEST, SETTING, seed=3)
    for each in members:
        outer, *inner = each.splits
        assert outer == (TRAIN.tolist(), TEST.tolist())
        assert len(inner) == 2
        for known, held_out in inner:
            assert sorted(known + held_out) == TRAIN.tolist()
            # Two training sentences of each of the four groups.
            assert np.bincount(LABELS[known]).tolist() == [2, 2, 2, 2]
    assert members[0].splits == members[1].splits


def test_inner_folds_depend_on_the_seed_alone() -> None:
    runs = []
    for seed in (1, 1, 2):
        each = Recording(good())
        classify_together([each, each], "stacked", LABELS, TRAIN, TEST, SETTING, seed=seed)
        runs.append(each.splits)
    assert runs[0] == runs[1] != runs[2]


def test_one_weight_by_hand() -> None:
    # Of four sentences between two groups three are right by 2 and one is wrong by 2, so the
    # likelihood 3 log s(2w) + log s(-2w) is highest at s(2w) = 3/4, w = log(3) / 2 = 0.5493. The
    # pull to 0 moves it by 0.002 w / (4 * 3/16) = 0.0015.
    scores = np.array([[[1.0, -1], [1, -1], [1, -1], [-1, 1]]])
    weights = stacking_weights(scores, np.zeros(4, dtype=np.int64))
    assert weights == pytest.approx([np.log(3) / 2 - 0.0015], abs=3e-4)


def test_weights_are_the_best_of_a_grid() -> None:
    generator = np.random.default_rng(0)
    labels = generator.integers(3, size=40)
    scores = (
        generator.normal(size=(2, 40, 3)) + np.array([1.0, 0.4])[:, None, None] * np.eye(3)[labels]
    )

    def loss(weights: Floats) -> float:
        said = log_softmax(np.tensordot(weights, scores, axes=1), axis=1)
        return float(-said[np.arange(40), labels].mean() + 1e-3 * weights @ weights)

    found = stacking_weights(scores, labels)
    grid = [np.array([a, b]) for a in np.linspace(0, 3, 16) for b in np.linspace(0, 3, 16)]
    best = min(grid, key=loss)
    np.testing.assert_allclose(found, best, atol=0.2)
    assert loss(found) <= loss(best) + 1e-6


def test_weights_are_never_negative_and_never_all_zero() -> None:
    wrong = np.roll(np.eye(4) * 3, 1, axis=1)[None]
    assert stacking_weights(np.concatenate([wrong, wrong]), np.arange(4)).tolist() == [1, 1]
    mixed = stacking_weights(np.stack([np.eye(4), wrong[0]]), np.arange(4))
    assert mixed[0] > 0
    assert mixed[1] == 0
