from __future__ import annotations

import numpy as np
import pytest

from lydite.errors import UndefinedScoreError
from lydite.evaluations.tagging.evaluation import features_of_words
from lydite.types import Lookup


def drawn() -> Lookup:
    generator = np.random.default_rng(0)
    vectors = generator.normal(2, [1, 5, 0.1], (60, 3)).astype(np.float32)
    found = np.ones(60, dtype=np.bool_)
    found[7] = False
    return Lookup(vectors=vectors, found=found)


def test_training_words_have_mean_zero_and_unit_covariance() -> None:
    counts = np.r_[np.full(50, 3), np.zeros(10, dtype=np.int64)]
    features = features_of_words(drawn(), counts, "drawn")
    assert features.shape == (61, 6)
    known = np.delete(np.arange(50), 7)
    np.testing.assert_allclose(features[known, :3].mean(axis=0), 0, atol=1e-9)
    np.testing.assert_allclose(np.cov(features[known, :3].T, bias=True), np.eye(3), atol=1e-9)


def test_absence_and_padding_are_marked() -> None:
    features = features_of_words(drawn(), np.ones(60, dtype=np.int64), "drawn")
    assert features[0, 3:].tolist() == [1, 0, 0]
    assert features[7].tolist() == [0, 0, 0, 0, 1, 0]
    assert features[60].tolist() == [0, 0, 0, 0, 0, 1]


def test_a_linear_map_turns_features_but_keeps_their_products() -> None:
    lookup, counts = drawn(), np.ones(60, dtype=np.int64)
    plain = features_of_words(lookup, counts, "drawn")
    # Whitening undoes any map that has an inverse, up to a rotation.
    mapped = lookup.vectors @ np.array([[0, 3, 0], [1, 0, 1], [0, 0, 2]], dtype=np.float32) + 4
    other = features_of_words(
        Lookup(vectors=mapped.astype(np.float32), found=lookup.found), counts, "mapped"
    )
    np.testing.assert_allclose(other @ other.T, plain @ plain.T, atol=1e-3)


def test_a_direction_without_variance_is_not_blown_up() -> None:
    vectors = np.zeros((20, 2), dtype=np.float32)
    vectors[:, 0] = np.arange(20)
    counts = np.r_[np.ones(19, dtype=np.int64), 0]
    vectors[19, 1] = 1e-3
    lookup = Lookup(vectors=vectors, found=np.ones(20, dtype=np.bool_))
    assert np.abs(features_of_words(lookup, counts, "flat")).max() < 3


def test_nothing_to_learn_from_is_undefined() -> None:
    lookup = drawn()
    counts = np.zeros(60, dtype=np.int64)
    counts[7] = 2
    with pytest.raises(UndefinedScoreError, match="drawn has none of the 1 different training"):
        features_of_words(lookup, counts, "drawn")
    same = Lookup(vectors=np.ones((60, 3), dtype=np.float32), found=lookup.found)
    with pytest.raises(UndefinedScoreError, match="has the same vector for all 59 training words"):
        features_of_words(same, np.ones(60, dtype=np.int64), "same")
