from __future__ import annotations

import numpy as np
import pytest

from lydite.evaluations.subsumption import scoring
from lydite.evaluations.subsumption.scoring import (
    MEASURES,
    Similarities,
    centroids,
    random_shares,
    shuffled_shares,
    triple_similarities,
)
from lydite.lexicons.taxonomy import Lists
from lydite.types import Floats, Indices, Mask

names = pytest.mark.parametrize("name", sorted(MEASURES))

TRIPLE = np.array([[0, 1, 2]])


def similarities(vectors: Floats, triples: Indices = TRIPLE, name: str = "cosine") -> Similarities:
    found = np.ones(len(vectors), dtype=np.bool_)
    return triple_similarities(vectors, found, triples, MEASURES[name])


def some(count: int, seed: int = 1) -> Indices:
    """Draw triples of three different words out of forty."""
    generator = np.random.default_rng(seed)
    return np.array([generator.choice(40, 3, replace=False) for _ in range(count)])


def test_similarities_and_conditions_by_hand() -> None:
    # Angles of A, B and C: 30 and 30 degrees are less than 60; 90 from A to B are more than the 50
    # to C; 55 from B to C are more than the 45 from A to C.
    def kept(*angles: float) -> tuple[bool, bool, bool]:
        radians = np.deg2rad(angles)
        both = similarities(np.stack([np.cos(radians), np.sin(radians)], axis=1)).kept()
        return bool(both.subsumption[0]), bool(both.reverse[0]), bool(both.both[0])

    assert kept(0, 30, 60) == (True, True, True)
    assert kept(0, 90, 50) == (False, True, False)
    assert kept(0, -10, 45) == (True, False, False)
    assert kept(0, 100, 20) == (False, False, False)


def test_a_triple_with_an_absent_word_is_not_covered() -> None:
    vectors = np.eye(4)
    found = np.array([True, True, False, True])
    triples = np.array([[0, 1, 2], [0, 1, 3], [2, 1, 3]])
    result = triple_similarities(vectors, found, triples, MEASURES["cosine"])
    assert result.covered.tolist() == [False, True, False]
    assert np.isnan(result.ac[[0, 2]]).all()
    assert not result.kept().subsumption[0]


@names
def test_two_words_with_one_vector_tie_and_keep_both_conditions(name: str) -> None:
    generator = np.random.default_rng(5)
    for dim in (1, 3, 50):
        vectors = generator.normal(size=(40, dim)).astype(np.float32).astype(np.float64)
        # B and C share a vector, then A and B do.
        pairs = generator.integers(0, 40, size=(300, 2))
        a, b = pairs[pairs[:, 0] != pairs[:, 1]].T
        twice = np.concatenate([vectors, vectors])
        assert similarities(twice, np.stack([a, b, b + 40], axis=1), name).kept().subsumption.all()
        assert similarities(twice, np.stack([a, a + 40, b], axis=1), name).kept().reverse.all()


def test_vectors_on_one_line_tie_by_cosine_however_long() -> None:
    generator = np.random.default_rng(6)
    vectors = generator.integers(-9, 10, size=(500, 3, 30)).astype(np.float64)
    vectors[:, 2] = vectors[:, 1] * generator.choice([0.1, 1 / 3, 3, 7, 1e6], size=(500, 1))
    triples = np.arange(1500).reshape(500, 3)
    kept = similarities(vectors.reshape(1500, 30), triples).kept()
    assert kept.subsumption.all()
    vectors[:, 1] = vectors[:, 0] / 3
    assert similarities(vectors.reshape(1500, 30), triples).kept().reverse.all()


def test_a_difference_that_is_not_rounding_is_no_tie() -> None:
    near = Similarities(ab=np.array([0.5]), bc=np.array([1e-9]), ac=np.array([0.5 + 1e-9]))
    assert not near.kept().subsumption[0]
    tiny = Similarities(ab=np.array([1e-30]), bc=np.array([2e-30]), ac=np.array([1.5e-30]))
    assert [tiny.kept().subsumption[0], tiny.kept().reverse[0]] == [False, True]
    large = Similarities(ab=np.array([-1e9]), bc=np.array([-3e9]), ac=np.array([-2e9]))
    assert [large.kept().subsumption[0], large.kept().reverse[0]] == [True, False]


def test_inclusion_is_asked_from_the_specific_to_the_general() -> None:
    # C holds all of A and of B, B half of A, and A a quarter of B: 2 of (2, 6).
    vectors = np.array([[2.0, 2.0], [0.0, 8.0], [9.0, 9.0]])
    result = similarities(vectors, name="inclusion")
    assert (result.ab[0], result.bc[0], result.ac[0]) == (0.5, 1.0, 1.0)
    backwards = similarities(vectors, TRIPLE[:, ::-1], name="inclusion")
    assert backwards.bc[0] == 0.25
    assert backwards.ac[0] == pytest.approx(4 / 18)


def test_centroids_by_hand() -> None:
    vectors = np.array([[2.0, 0.0], [4.0, 6.0], [9.0, 9.0], [-2.0, 0.0]])
    found = np.array([True, True, False, True])
    means, filled = centroids(vectors, found, Lists.of([[0, 1], [2], [1, 2], [0], [0, 3], []]))
    assert means.tolist() == [[3, 3], [0, 0], [4, 6], [2, 0], [0, 0], [0, 0]]
    # Unknown words count for nothing; opposite vectors leave no direction.
    assert filled.tolist() == [True, False, True, True, False, False]


@names
def test_shuffled_vectors_keep_one_condition_in_two_and_both_in_three(name: str) -> None:
    vectors = np.random.default_rng(7).normal(size=(40, 10))
    shares = shuffled_shares(vectors, np.ones(40, np.bool_), some(400), MEASURES[name], seed=1)
    assert len(shares["both"]) == 200
    # Inclusion looks from one side: what is in C says nothing about what is in B.
    assert shares["subsumption"].mean() == pytest.approx(1 / 2, abs=0.03)
    assert shares["reverse"].mean() == pytest.approx(1 / 2, abs=0.03)
    if name != "inclusion":
        assert shares["both"].mean() == pytest.approx(1 / 3, abs=0.03)


def test_random_scores_keep_one_condition_in_two_and_both_in_three() -> None:
    shares = random_shares(some(400), seed=1)
    means = [shares[name].mean() for name in ("subsumption", "reverse", "both")]
    assert means == pytest.approx([1 / 2, 1 / 2, 1 / 3], abs=0.01)


def test_random_scores_are_one_a_pair() -> None:
    # One and the same triple a hundred times: all keep it, or none does.
    shares = random_shares(np.repeat(TRIPLE, 100, axis=0), seed=1)
    assert set(shares["subsumption"].tolist()) == {0.0, 1.0}


def test_equal_vectors_keep_everything_when_shuffled_too() -> None:
    vectors = np.tile([[1.0, 2.0, 0.3]], (40, 1))
    for name in ("cosine", "dot", "inclusion"):
        shares = shuffled_shares(vectors, np.ones(40, np.bool_), some(50), MEASURES[name], seed=1)
        assert all((values == 1).all() for values in shares.values())


def test_the_baseline_does_not_depend_on_how_it_is_computed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    vectors = np.random.default_rng(8).normal(size=(40, 6))
    found: Mask = np.arange(40) != 3
    triples = some(100)
    whole = shuffled_shares(vectors, found, triples, MEASURES["cosine"], seed=4)
    monkeypatch.setattr(scoring, "_ALL_AT_ONCE", 5)
    parts = shuffled_shares(vectors, found, triples, MEASURES["cosine"], seed=4)
    for name, values in parts.items():
        assert np.array_equal(values, whole[name][: len(values)])
    # Triples that are not covered play no part.
    covered = triples[(triples != 3).all(axis=1)]
    alone = shuffled_shares(vectors, found, covered, MEASURES["cosine"], seed=4)
    assert np.array_equal(alone["both"], parts["both"])
