from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]

from lydite.evaluations.tagging.data import TaggedWords
from lydite.evaluations.tagging.tagger import (
    Decoder,
    Laid,
    Setting,
    counted_transitions,
    train_tagger,
)
from lydite.types import Floats

SETTING = Setting(window=1, decoder="crf", epochs=60, l2=0.0)
COUNT = 3


def sentences(lengths: list[int], words: list[int], tags: list[int]) -> TaggedWords:
    return TaggedWords(words=np.array(words), tags=np.array(tags), starts=np.cumsum([0, *lengths]))


def drawn(features: Floats, weights: Floats, seed: int) -> TaggedWords:
    """Return 60 sentences of 5 words, whose tags depend on the words to the left and on chance."""
    generator = np.random.default_rng(seed)
    words = generator.integers(0, len(features) - 1, (60, 5))
    before = np.hstack([np.full((60, 1), len(features) - 1), words[:, :-1]])
    noise = generator.gumbel(0, 0.5, (60, 5, COUNT))
    tags = (features[words] @ weights + 2 * features[before] @ weights[::-1] + noise).argmax(axis=2)
    return sentences([5] * 60, words.ravel().tolist(), tags.ravel().tolist())


@pytest.fixture
def features() -> Floats:
    features = np.random.default_rng(0).normal(size=(41, 4))
    features[-1] = [0, 0, 0, 1]
    return features


@pytest.fixture
def weights() -> Floats:
    return np.random.default_rng(1).normal(size=(4, COUNT))


def test_sentences_are_laid_out_with_padding_on_both_sides() -> None:
    laid = Laid.of(sentences([2, 1], [4, 5, 6], [1, 0, 2]), window=2, padding=9)
    assert laid.words.tolist() == [9, 9, 4, 5, 9, 9, 6, 9, 9]
    assert laid.places.tolist() == [2, 3, 6]
    assert laid.tags[laid.places].tolist() == [1, 0, 2]
    assert (laid.starts.tolist(), laid.stops.tolist()) == ([2, 6], [4, 7])


def test_no_window_needs_no_padding() -> None:
    laid = Laid.of(sentences([2, 1], [4, 5, 6], [1, 0, 2]), window=0, padding=9)
    assert laid.words.tolist() == [4, 5, 6]
    assert (laid.starts.tolist(), laid.stops.tolist()) == ([0, 2], [2, 3])


def test_transitions_are_counted_by_hand() -> None:
    found = counted_transitions(sentences([2, 1], [0, 1, 0], [0, 1, 0]), 2)
    # Raised by one, beginnings go to 0 three times and to 1 once; after 0 come 0, 1 and the end
    # 1, 2 and 2 times; after 1 they come 1, 1 and 2 times. That is 0, 1 and the end 5, 4 and 4
    # times of 13.
    expected = [[1 / 5, 2 / 5], [1 / 4, 1 / 4], [3 / 4, 1 / 4], [2 / 5, 2 / 4]]
    base = [[5 / 13, 4 / 13]] * 3 + [[4 / 13, 4 / 13]]
    np.testing.assert_allclose(found, np.log(expected) - np.log(base))


def test_an_optimum_between_two_trials_is_tried(features: Floats, weights: Floats) -> None:
    train, development = drawn(features, weights, 2), drawn(features, weights, 3)
    # Weights held so short are at their best before the first trial, which is after five passes.
    held = replace(SETTING, l2=10.0)
    found = train_tagger(features, train, development, COUNT, held)
    early = train_tagger(features, train, development, COUNT, replace(held, epochs=2))
    assert 0 < found.epochs < 5
    assert found.weights.any()
    assert found.development >= early.development > 0.4


def test_a_window_is_learnt(features: Floats, weights: Floats) -> None:
    train, development = drawn(features, weights, 2), drawn(features, weights, 3)
    seeing = train_tagger(features, train, development, COUNT, SETTING)
    blind = train_tagger(features, train, development, COUNT, replace(SETTING, window=0))
    assert seeing.development > blind.development + 0.1
    assert seeing.development > 0.8
    assert 0 < seeing.epochs <= 60
    laid = Laid.of(development, window=1, padding=40)
    right = (seeing.tags(features, laid) == development.tags).mean()
    assert right == seeing.development


def test_transitions_are_learnt_where_words_say_nothing() -> None:
    # One word, whose tags come in turn: only what stands before can tell them.
    train = sentences([6] * 4, [0] * 24, [0, 1] * 12)
    features = np.array([[1.0, 0.0], [0.0, 1.0]])
    for decoder in ("crf", "softmax"):
        setting = Setting(window=0, decoder=decoder, epochs=30, l2=0.0)
        assert train_tagger(features, train, train, 2, setting).development == 1


@pytest.mark.parametrize("l2", [0.3, 0.01])
def test_a_tag_at_a_time_is_logistic_regression(
    features: Floats, weights: Floats, l2: float
) -> None:
    train = drawn(features, weights, 2)
    setting = Setting(window=1, decoder="softmax", epochs=500, l2=l2)
    laid = Laid.of(train, window=1, padding=40)
    beside = np.hstack([features[laid.words[laid.places + k]] for k in (-1, 0, 1)])
    machine = LogisticRegression(
        C=1 / (l2 * len(train.words)), fit_intercept=False, tol=1e-10, max_iter=5000
    ).fit(beside, train.tags)
    # Judged by how near it is to the other, training goes on to its end.
    nearest = TaggedWords(words=train.words, tags=machine.predict(beside), starts=train.starts)
    found = train_tagger(features, train, nearest, COUNT, setting)
    scores = sum(
        features[laid.words[laid.places + k]] @ found.weights[:, at : at + COUNT]
        for k, at in ((-1, 0), (0, COUNT), (1, 2 * COUNT))
    )
    agreed = np.asarray(scores).argmax(axis=1) == nearest.tags
    assert agreed.mean() > 0.97


def test_a_penalty_keeps_weights_small(features: Floats, weights: Floats) -> None:
    train, development = drawn(features, weights, 2), drawn(features, weights, 3)
    free = train_tagger(features, train, development, COUNT, SETTING)
    held = train_tagger(features, train, development, COUNT, replace(SETTING, l2=0.1))
    assert np.abs(held.weights).sum() < 0.7 * np.abs(free.weights).sum()


@pytest.mark.parametrize("decoder", ["crf", "softmax"])
def test_the_same_seed_gives_the_same_bits_and_another_one_nearly(
    features: Floats, weights: Floats, decoder: Decoder
) -> None:
    train, development = drawn(features, weights, 2), drawn(features, weights, 3)
    setting = replace(SETTING, decoder=decoder)
    first, again, other = (
        train_tagger(features, train, development, COUNT, setting, seed=seed) for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(first.weights, again.weights)
    assert not np.array_equal(first.weights, other.weights)
    assert other.development == pytest.approx(first.development, abs=0.03)


def test_rotated_features_are_learnt_alike(features: Floats, weights: Floats) -> None:
    train, development = drawn(features, weights, 2), drawn(features, weights, 3)
    rotation = np.linalg.qr(np.random.default_rng(5).normal(size=(4, 4)))[0]
    plain = train_tagger(features, train, development, COUNT, SETTING)
    turned = train_tagger(features @ rotation, train, development, COUNT, SETTING)
    assert turned.epochs == plain.epochs
    assert turned.development == plain.development
    # Every weight turns with the features.
    np.testing.assert_allclose(rotation @ turned.weights, plain.weights, atol=1e-3)
