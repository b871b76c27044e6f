from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from lydite.corpora.paraphrases.groups import ParaphraseGroups
from lydite.evaluations.localization.classifiers import (
    Classifiers,
    Decisions,
    Features,
    Setting,
    Validation,
    alignment,
    classify,
    nearest_centroid,
    nearest_neighbour,
    predict,
    standardised,
    stratified_folds,
    uniformity,
    votes,
)
from lydite.types import Floats, Indices, Vectors

sizes = st.lists(st.integers(1, 9), min_size=1, max_size=12)
seeds = st.integers(0, 2**40)
SETTING = Setting(C=1.0, weights="balanced", solver="newton", scale="none")
#: As by default: nothing that a common factor could change.
FREE = Setting(C=None, weights="balanced", solver="newton", scale="rms")


class Fixed:
    def __init__(self, vectors: Floats) -> None:
        self.vectors = vectors.astype(np.float32)

    def encode(self, texts: Sequence[str], /) -> Vectors:
        return self.vectors[[int(text) for text in texts]]


def labels_of(counts: Sequence[int], seed: int) -> Indices:
    labels = np.repeat(np.arange(len(counts)), counts)
    return np.random.default_rng(seed).permutation(labels)


def clouds(seed: int, groups: int = 5, size: int = 4, dim: int = 6) -> tuple[Floats, Indices]:
    generator = np.random.default_rng(seed)
    labels = np.repeat(np.arange(groups), size)
    centres = generator.normal(size=(groups, dim))
    return centres[labels] + generator.normal(size=(len(labels), dim)), labels


def rotation(seed: int, dim: int = 6) -> Floats:
    turned, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(dim, dim)))
    return np.asarray(turned)


def groups_of(labels: Indices) -> ParaphraseGroups:
    return ParaphraseGroups(
        texts=tuple(map(str, range(len(labels)))),
        labels=labels,
        names=tuple(f"g{i}" for i in range(labels.max() + 1)),
        changes={},
    )


def predictions(vectors: Floats, labels: Indices) -> dict[str, list[int]]:
    model, groups = Fixed(vectors), groups_of(labels)
    plan = Validation(folds=2, repeats=1, setting=SETTING)
    classifiers = Classifiers(model, Features(model, groups.texts), labels)
    found = predict(classifiers, plan)
    return {name: said[0].tolist() for name, said in found.by_classifier.items()}


@settings(max_examples=50, deadline=None)
@given(sizes, st.integers(2, 6), seeds)
def test_folds_differ_by_one_sentence_at_most(counts: list[int], folds: int, seed: int) -> None:
    labels = labels_of(counts, seed)
    dealt = stratified_folds(labels, folds, seed)
    assert dealt.shape == labels.shape
    assert set(dealt.tolist()) <= set(range(folds))
    # Of all sentences, and of those of each group.
    for chosen in [dealt, *(dealt[labels == group] for group in range(len(counts)))]:
        filled = np.bincount(chosen, minlength=folds)
        assert filled.max() - filled.min() <= 1


@settings(max_examples=50, deadline=None)
@given(sizes, st.integers(2, 6), seeds)
def test_a_group_that_fills_the_folds_is_known_in_each(
    counts: list[int], folds: int, seed: int
) -> None:
    labels = labels_of([count + folds - 1 for count in counts], seed)
    dealt = stratified_folds(labels, folds, seed)
    for fold in range(folds):
        assert set(labels[dealt != fold]) == set(labels[dealt == fold]) == set(range(len(counts)))


@settings(max_examples=50, deadline=None)
@given(sizes, st.integers(2, 6), seeds)
def test_the_order_of_sentences_moves_them_but_not_how_many_there_are(
    counts: list[int], folds: int, seed: int
) -> None:
    # A fold is dealt to a place in the list. In another order, other sentences of a group stand
    # there; how many of each group a fold has depends on the seed and the sizes alone.
    one, other = labels_of(counts, 1), labels_of(counts, 2)

    def table(labels: Indices) -> list[list[int]]:
        dealt = stratified_folds(labels, folds, seed)
        return [
            np.bincount(dealt[labels == g], minlength=folds).tolist() for g in range(len(counts))
        ]

    assert table(one) == table(other)


@settings(max_examples=20, deadline=None)
@given(seeds, st.floats(1e-6, 1e6))
def test_directions_alone_count_without_a_classifier(seed: int, factor: float) -> None:
    vectors, labels = clouds(seed % 1000)
    lengths = np.random.default_rng(seed).uniform(0.1, 10, size=(len(labels), 1))
    moved = (factor * lengths * (vectors @ rotation(seed))).astype(np.float32)
    plain = vectors.astype(np.float32)
    assert alignment(moved, labels) == pytest.approx(alignment(plain, labels), rel=1e-5)
    assert uniformity(moved) == pytest.approx(uniformity(plain), rel=1e-5, abs=1e-5)
    train, test = slice(0, None, 2), slice(1, None, 2)
    for classifier in (nearest_centroid, nearest_neighbour):
        one = classifier(plain[train], labels[train], plain[test])
        assert classifier(moved[train], labels[train], moved[test]).tolist() == one.tolist()


@settings(max_examples=10, deadline=None)
@given(seeds)
def test_machines_do_not_see_a_rotation_nor_dimensions_without_a_value(seed: int) -> None:
    # They do see lengths: C weighs the errors against those.
    vectors, labels = clouds(seed % 1000)
    train, test = slice(0, None, 2), slice(1, None, 2)

    def scores(rows: Floats) -> Floats:
        given = rows.astype(np.float32)
        return classify(given[train], labels[train], given[test], SETTING, seed=0).scores

    one = scores(vectors)
    np.testing.assert_allclose(scores(vectors @ rotation(seed)), one, atol=1e-4)
    np.testing.assert_allclose(scores(np.pad(vectors, ((0, 0), (3, 90)))), one, atol=1e-5)
    assert not np.allclose(scores(vectors * 3), one, atol=1e-3)


@settings(max_examples=25, deadline=None)
@given(seeds, st.integers(-6, 6), st.integers(2, 9))
def test_a_power_of_ten_changes_no_answer(seed: int, power: int, groups: int) -> None:
    # Also where some vectors are zero, and scores of groups are equal.
    vectors, labels = clouds(seed % 1000, groups=groups)
    vectors[:: 3 + seed % 5] = 0
    given = vectors.astype(np.float32)
    train, test = np.flatnonzero(np.arange(len(labels)) % 4), np.arange(0, len(labels), 4)
    assume(np.bincount(labels[train], minlength=groups).min() > 0)

    def decided(rows: Vectors) -> Decisions:
        return classify(rows[train], labels[train], rows[test], FREE, seed=seed)

    one, other = decided(given), decided((10.0**power * given).astype(np.float32))
    assert one.C == other.C
    assert one.predicted.tolist() == other.predicted.tolist()
    np.testing.assert_allclose(other.scores, one.scores, atol=1e-4)


@settings(max_examples=10, deadline=None)
@given(seeds)
def test_predictions_are_the_same_again_and_repeated_dimensions_do_not_matter(seed: int) -> None:
    vectors, labels = clouds(seed % 1000)
    one = predictions(vectors, labels)
    assert one == predictions(vectors.copy(), labels.copy())
    # A copy of every dimension is a rotation and twice the length: nothing for directions.
    doubled = predictions(np.hstack([vectors, vectors]), labels)
    assert {k: v for k, v in doubled.items() if k != "svm"} == {
        k: v for k, v in one.items() if k != "svm"
    }


@settings(max_examples=8, deadline=None)
@given(seeds)
def test_copies_of_sentences_are_found_in_their_own_group(seed: int) -> None:
    # Each sentence four times, in two folds: one copy at least is always known.
    vectors, _ = clouds(seed % 1000, groups=6, size=1, dim=8)
    labels = np.repeat(np.arange(6), 4)
    found = predictions(vectors[labels], labels)
    assert all(said == labels.tolist() for said in found.values())


@settings(max_examples=5, deadline=None)
@given(seeds)
def test_random_vectors_are_near_chance(seed: int) -> None:
    labels = np.repeat(np.arange(30), 4)
    vectors = np.random.default_rng(seed).normal(size=(120, 10))
    for said in predictions(vectors, labels).values():
        # Four of 120 are expected, with a deviation of two; 20 are eight of those away.
        assert sum(np.equal(said, labels)) < 20


@settings(max_examples=50, deadline=None)
@given(st.integers(2, 6), st.integers(2, 40), seeds)
def test_the_most_votes_win(models: int, groups: int, seed: int) -> None:
    generator = np.random.default_rng(seed)
    scores = np.stack(
        [standardised(generator.standard_t(2, size=(7, groups))) for _ in range(models)]
    )
    counted = votes(scores)
    for row in range(7):
        ballots = np.bincount(scores[:, row].argmax(axis=1), minlength=groups)
        assert ballots[counted[row].argmax()] == ballots.max()


@settings(max_examples=50, deadline=None)
@given(st.integers(2, 30), seeds, st.floats(0.01, 100), st.floats(-100, 100))
def test_standardised_scores_know_no_unit(
    groups: int, seed: int, unit: float, shift: float
) -> None:
    scores = np.random.default_rng(seed).normal(size=(3, groups))
    assume(scores.std(axis=1).min() > 1e-3)
    one = standardised(scores)
    np.testing.assert_allclose(standardised(unit * scores + shift), one, atol=1e-6)
    np.testing.assert_allclose(one.std(axis=1), 1)
    assert np.abs(one).max() <= np.sqrt(groups) + 1e-9
