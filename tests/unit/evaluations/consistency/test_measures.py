from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from lydite.evaluations.consistency.measures import (
    SampleVectors,
    different_cosines,
    identify,
    means_by_term,
    pair_cosines,
    ranks_in,
    shuffled_reciprocals,
)
from lydite.spaces.space import Space
from lydite.types import Vectors


def degrees(*angles: float) -> Vectors:
    radians = np.deg2rad(angles)
    return np.stack([np.cos(radians), np.sin(radians)], axis=1).astype(np.float32)


# Three terms, two samples each, as angles; and a background of five words.
HAND = SampleVectors(
    vectors=degrees(0, 10, 40, 65, 52, 90) * np.array([[1], [3], [2], [1], [5], [1]], np.float32),
    term=np.array([0, 0, 1, 1, 2, 2]),
    sample=np.array([0, 1, 0, 1, 0, 1]),
    terms=3,
)
WORDS = Space.of(
    {
        f"at {a}": row.tolist()
        for a, row in zip((5, 21, 45, 70, 120), degrees(5, 21, 45, 70, 120), strict=True)
    }
)


def sample_vectors(
    rng: np.random.Generator, *, terms: int, samples: int, dim: int
) -> SampleVectors:
    """Draw vectors of which a third is missing, in any order."""
    cells = [cell for cell in itertools.product(range(terms), range(samples)) if rng.random() < 0.7]
    order = rng.permutation(len(cells))
    return SampleVectors(
        vectors=rng.standard_normal((len(cells), dim)).astype(np.float32),
        term=np.array([cells[i][0] for i in order], dtype=np.int64),
        sample=np.array([cells[i][1] for i in order], dtype=np.int64),
        terms=terms,
    )


def cosine(a: Vectors, b: Vectors) -> float:
    x, y = a.astype(float).tolist(), b.astype(float).tolist()
    return math.fsum(p * q for p, q in zip(x, y, strict=True)) / math.hypot(*x) / math.hypot(*y)


def test_cosines_by_hand() -> None:
    first, second = HAND.pairs()
    assert (first.tolist(), second.tolist()) == ([0, 2, 4], [1, 3, 5])
    expected = np.cos(np.deg2rad([10, 25, 38]))
    assert pair_cosines(HAND, first, second) == pytest.approx(expected, abs=1e-6)


def test_places_by_hand() -> None:
    found = identify(HAND)
    # Among 10, 65 and 90 degrees, the own one is nearest for 0 and 40; 65 is nearer to 52 than 90.
    # Among 0, 40 and 52, it is nearest for 10 and 90; 52 is nearer to 65 than 40.
    assert found.term.tolist() == [0, 1, 2, 0, 1, 2]
    assert found.place.tolist() == [1, 1, 2, 1, 2, 1]
    assert found.reciprocal.tolist() == [1, 1, 0.5, 1, 0.5, 1]
    assert found.rivals.tolist() == [3] * 6
    assert found.chance == pytest.approx((1 + 1 / 2 + 1 / 3) / 3)


def test_tables_are_the_cosines_of_first_with_second_vectors() -> None:
    (terms, there), (_, back) = identify(HAND).tables
    assert terms.tolist() == [0, 1, 2]
    gaps = np.subtract.outer([0, 40, 52], [10, 65, 90])
    assert there == pytest.approx(np.cos(np.deg2rad(gaps)), abs=1e-6)
    assert back == pytest.approx(there.T)


@pytest.mark.parametrize("seed", range(6))
def test_ragged_samples_as_loops_find_them(seed: int) -> None:
    rng = np.random.default_rng(seed)
    learnt = sample_vectors(rng, terms=7, samples=4, dim=5)
    background = Space.of({f"w{i}": rng.standard_normal(5).tolist() for i in range(30)})
    at = {
        (int(t), int(s)): v
        for t, s, v in zip(learnt.term, learnt.sample, learnt.vectors, strict=True)
    }

    def rank(query: Vectors, target: Vectors) -> int:
        own = cosine(query, target)
        return 1 + sum(cosine(query, word) > own for word in background.vectors)

    cosines: dict[int, list[float]] = {}
    ranks: dict[int, list[float]] = {}
    places: dict[int, list[int]] = {}
    chances: dict[int, list[float]] = {}
    for term in range(7):
        for one, other in itertools.permutations(range(4), 2):
            if (term, one) not in at or (term, other) not in at:
                continue
            query, target = at[term, one], at[term, other]
            cosines.setdefault(term, []).append(cosine(query, target))
            ranks.setdefault(term, []).append(rank(query, target))
            both = [t for t in range(7) if (t, one) in at and (t, other) in at]
            if len(both) > 1:
                beaten = [cosine(query, at[t, other]) > cosine(query, target) for t in both]
                places.setdefault(term, []).append(1 + sum(beaten))
                blind = math.fsum(1 / k for k in range(1, len(both) + 1)) / len(both)
                chances.setdefault(term, []).append(blind)

    first, second = learnt.pairs()
    assert (learnt.term[first] == learnt.term[second]).all()
    assert (learnt.sample[first] < learnt.sample[second]).all()
    by_term, have = means_by_term(learnt.term[first], pair_cosines(learnt, first, second), 7)
    assert np.flatnonzero(have).tolist() == sorted(cosines)
    assert by_term[have] == pytest.approx([np.mean(cosines[t]) for t in sorted(cosines)])
    found_ranks = ranks_in(background, learnt).pairs.mean(axis=0)
    by_term, _ = means_by_term(learnt.term[first], found_ranks, 7)
    assert by_term[have] == pytest.approx([np.mean(ranks[t]) for t in sorted(ranks)])
    found = identify(learnt)
    by_term, have = means_by_term(found.term, found.place, 7)
    assert np.flatnonzero(have).tolist() == sorted(places)
    assert by_term[have] == pytest.approx([np.mean(places[t]) for t in sorted(places)])
    assert found.reciprocal == pytest.approx(1 / found.place)
    assert found.chance == pytest.approx(np.mean([np.mean(chances[t]) for t in chances]))


def test_vectors_that_are_all_alike_score_as_blind_choice_does() -> None:
    # A learner that has learnt nothing of the terms must not look worse than chance: 1 / mean
    # place would be 1 / 3 here, and the mean of 1, 1/2, 1/3, 1/4 and 1/5 is 0.457.
    alike = SampleVectors(
        vectors=np.outer(np.arange(1, 11), [0.3, 0.1, 0.7]).astype(np.float32),
        term=np.repeat(np.arange(5), 2),
        sample=np.tile([0, 1], 5),
        terms=5,
    )
    found = identify(alike)
    assert found.place.tolist() == [3] * 10
    assert found.reciprocal == pytest.approx([137 / 300] * 10)
    assert found.chance == pytest.approx(137 / 300)


def test_a_tie_counts_as_the_mean_of_its_places() -> None:
    # Seen from 0 degrees, 20 and its copy share the places 2 and 3.
    learnt = SampleVectors(
        vectors=degrees(0, 20, 1, 10, 50, 20),
        term=np.array([0, 0, 1, 1, 2, 2]),
        sample=np.array([0, 1, 0, 1, 0, 1]),
        terms=3,
    )
    found = identify(learnt)
    assert found.place[0] == 2.5
    assert found.reciprocal[0] == pytest.approx((1 / 2 + 1 / 3) / 2)


def test_a_term_without_rivals_has_no_place() -> None:
    learnt = SampleVectors(
        vectors=degrees(0, 1, 2, 3),
        term=np.array([0, 0, 1, 1]),
        sample=np.array([0, 1, 2, 3]),
        terms=3,
    )
    found = identify(learnt)
    assert found.term.shape == found.place.shape == found.rivals.shape == (0,)
    assert found.tables == ()


def test_a_vector_alone_has_no_pair() -> None:
    learnt = SampleVectors(
        vectors=degrees(0, 1), term=np.array([0, 1]), sample=np.array([0, 0]), terms=2
    )
    first, second = learnt.pairs()
    assert len(first) == len(second) == 0


def test_dealing_second_vectors_out_gives_the_chance_level() -> None:
    draws = shuffled_reciprocals(identify(HAND), 4000, seed=1)
    assert draws.mean() == pytest.approx(11 / 18, abs=0.01)
    # All six own ones at once, or all in the last place.
    assert draws.max() <= 1
    assert draws.min() >= 1 / 3


def test_dealing_out_ragged_samples_gives_their_chance_level() -> None:
    found = identify(sample_vectors(np.random.default_rng(3), terms=5, samples=4, dim=3))
    assert len(set(found.rivals.tolist())) > 1
    draws = shuffled_reciprocals(found, 4000, seed=2)
    assert draws.mean() == pytest.approx(found.chance, abs=0.01)


def test_cosines_of_different_terms() -> None:
    gaps = np.abs(np.subtract.outer([0, 40, 52], [10, 65, 90]))
    apart = np.cos(np.deg2rad(gaps))[~np.eye(3, dtype=bool)]
    draws = different_cosines(identify(HAND), 4000, seed=1)
    assert draws.mean() == pytest.approx(apart.mean(), abs=0.01)
    # One shift for each of two tables: four means of six cosines.
    assert len(set(draws.round(6).tolist())) <= 4


def test_a_terms_own_vector_is_never_among_different_ones() -> None:
    axes = np.eye(6, dtype=np.float32)
    learnt = SampleVectors(
        vectors=np.repeat(axes, 2, axis=0),
        term=np.repeat(np.arange(6), 2),
        sample=np.tile([0, 1], 6),
        terms=6,
    )
    assert not different_cosines(identify(learnt), 50, seed=1).any()


def test_two_terms_have_one_other_each() -> None:
    learnt = SampleVectors(
        vectors=degrees(0, 0, 60, 60),
        term=np.array([0, 0, 1, 1]),
        sample=np.array([0, 1, 0, 1]),
        terms=2,
    )
    assert different_cosines(identify(learnt), 5, seed=1) == pytest.approx([0.5] * 5, abs=1e-6)
