from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from lydite.errors import UnsuitableModelError
from lydite.evaluations.consistency.measures import Measured, measure, ranks_in
from lydite.models.additive import Additive
from lydite.spaces.space import Space
from lydite.types import Context, Floats, Vectors

BACKGROUND = Space.of({f"w{i}": np.eye(8)[i].tolist() for i in range(8)})


def sentence(term: str, *words: str) -> Context:
    return Context(tokens=(term, *words), start=0, stop=1)


@dataclass(frozen=True)
class OfTerms:
    """Learns one vector a term, whatever its sentences say."""

    background: Space | None = BACKGROUND

    def learn(self, contexts: Sequence[Context]) -> Vectors:
        number = int(contexts[0].tokens[0][1:])
        drawn = np.random.default_rng(number).standard_normal(8)
        return np.asarray(drawn * len(contexts[0].tokens), dtype=np.float32)


@dataclass(frozen=True)
class OfNothing:
    """Learns another random vector from every sample."""

    generator: np.random.Generator

    def learn(self, contexts: Sequence[Context]) -> Vectors:
        return self.generator.standard_normal(8).astype(np.float32)


def pair_ranks(measured: Measured) -> Floats:
    assert measured.background is not None
    return ranks_in(measured.background, measured.learnt).pairs


SAMPLES = [[[sentence(f"t{t}", f"w{s}", "x")] for s in range(3)] for t in range(60)]


def test_one_vector_a_term_is_perfectly_consistent() -> None:
    measured = measure(OfTerms(), SAMPLES, seed=1)
    assert measured.covered.all()
    assert measured.reciprocals.tolist() == [1.0] * 60
    assert measured.places[0].tolist() == [1.0] * 60
    assert measured.by_term(measured.cosines) == pytest.approx([1.0] * 60)
    found = pair_ranks(measured)
    assert (found == 1).all()
    assert found.shape == (2, 60 * 3)


def test_random_vectors_are_at_chance() -> None:
    measured = measure(OfNothing(np.random.default_rng(1)), SAMPLES, seed=1)
    chance = measured.identification.chance
    assert chance == pytest.approx(sum(1 / k for k in range(1, 61)) / 60)
    # 360 choices whose reciprocal places have a standard deviation of 0.15.
    assert measured.reciprocals.mean() == pytest.approx(chance, abs=0.03)
    assert abs(measured.cosines.mean()) < 0.1
    assert measured.background is None


def test_samples_without_a_known_word_are_left_out() -> None:
    samples = [
        [[sentence("a", "w0")], [sentence("a", "w0", "w1")], [sentence("a", "?")]],
        [[sentence("b", "w2")], [sentence("b", "?")], [sentence("b", "w2")]],
        [[sentence("c", "w5")], [sentence("c", "?")], [sentence("c", "?")]],
        [[sentence("d", "w0", "w1")], [sentence("d", "w0")], [sentence("d", "w3")]],
    ]
    measured = measure(Additive.open(BACKGROUND, sample=0), samples, seed=1)
    assert measured.learnt.term.tolist() == [0, 0, 1, 1, 2, 3, 3, 3]
    assert measured.learnt.sample.tolist() == [0, 1, 0, 2, 0, 0, 1, 2]
    assert measured.covered.tolist() == [True, True, False, True]
    cosines = measured.by_term(measured.cosines)
    # The cosine of (1, 0) with (1, 1) is the root of a half; d's third sample shares nothing.
    half = np.sqrt(0.5)
    assert cosines[[0, 1, 3]] == pytest.approx([half, 1, half / 3])
    assert np.isnan(cosines[2])
    # Samples 1 and 2 are those of a and d, 1 and 3 those of b and d. From a's first vector its own
    # second has the cosine 0.71 and d's has 1; from a's second its own first 0.71 and d's first 1.
    assert measured.reciprocals[[0, 1]] == pytest.approx([0.5, 1])
    assert np.isnan(measured.reciprocals[2])
    assert measured.used.tolist() == [
        1,
        pytest.approx(2 / 3),
        pytest.approx(1 / 3),
        pytest.approx(4 / 3),
    ]


def test_the_order_of_terms_and_of_samples_does_not_matter() -> None:
    rng = np.random.default_rng(5)
    words = rng.integers(0, 8, size=(12, 4, 6))
    samples = [
        [[sentence(f"t{t}", *(f"w{i}" for i in row))] for row in term]
        for t, term in enumerate(words.tolist())
    ]
    learner = Additive.open(BACKGROUND, sample=0)
    straight = measure(learner, samples, seed=1)
    order = rng.permutation(12)
    mixed = measure(
        learner, [[samples[t][s] for s in (2, 0, 3, 1)] for t in order.tolist()], seed=1
    )
    assert mixed.reciprocals == pytest.approx(straight.reciprocals[order])
    assert mixed.by_term(mixed.cosines) == pytest.approx(straight.by_term(straight.cosines)[order])
    one, other = pair_ranks(straight), pair_ranks(mixed)
    assert mixed.by_term(other) == pytest.approx(straight.by_term(one)[order])
    assert mixed.by_term(1 / other) == pytest.approx(straight.by_term(1 / one)[order])


def test_a_mean_reciprocal_rank_is_a_mean_of_reciprocals() -> None:
    background = Space.of({"p": [4, 1], "q": [4, 2], "r": [1, 2], "one": [1, 0], "two": [1, 1]})
    samples = [
        [[sentence("a", "one")], [sentence("a", "two")]],
        [[sentence("b", "r")], [sentence("b", "r")]],
    ]
    measured = measure(Additive.open(background, sample=0), samples, seed=1)
    found = pair_ranks(measured)
    # From one: one, p, q, and two itself, tied with the target: 1 + 3 + 1/2. From two: two, q, r,
    # p, and the target tied with one: 1 + 4 + 1/2.
    assert found[:, 0].tolist() == [4.5, 5.5]
    assert measured.by_term(1 / found)[0] == pytest.approx((1 / 4.5 + 1 / 5.5) / 2)


def test_what_learns_no_terms_is_refused() -> None:
    with pytest.raises(UnsuitableModelError, match="expected a learner of terms"):
        measure(object(), SAMPLES, seed=1)
