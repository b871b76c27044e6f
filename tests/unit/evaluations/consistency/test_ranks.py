from __future__ import annotations

import itertools

import numpy as np
import pytest

from lydite.evaluations.consistency.measures import SampleVectors, drawn_reciprocals, ranks_in
from lydite.spaces.neighbours import cosine_ranks
from lydite.spaces.space import Space
from lydite.types import Vectors

ANGLES = [0, 10, 40, 65, 52, 90]
WORD_ANGLES = [5, 21, 45, 70, 120]


def degrees(*angles: float) -> Vectors:
    radians = np.deg2rad(angles)
    return np.stack([np.cos(radians), np.sin(radians)], axis=1).astype(np.float32)


# Three terms, two samples each, and a background of five words.
LEARNT = SampleVectors(
    vectors=degrees(*ANGLES) * np.array([[1], [3], [2], [1], [5], [1]], np.float32),
    term=np.array([0, 0, 1, 1, 2, 2]),
    sample=np.array([0, 1, 0, 1, 0, 1]),
    terms=3,
)
WORDS = Space.of(
    {f"at {a}": degrees(a)[0].tolist() for a in WORD_ANGLES},
)


def test_pairs_by_hand() -> None:
    # Seen from 0 degrees the word at 5 is nearer than 10 is, and the same seen from 10. From 40,
    # the words at 21 and 45 are nearer than 65; from 65 those at 45 and 70 than 40. From 52, those
    # at 21, 45 and 70 are nearer than 90; from 90 those at 70 and 120 than 52.
    assert ranks_in(WORDS, LEARNT).pairs.tolist() == [[2, 3, 4], [2, 3, 3]]


def test_own_words_by_hand() -> None:
    # The first term's own word is at 21: from 0 only 5 is nearer, from 10 too. The third term's
    # is at 70: from 52 the word at 45 is nearer, from 90 none. The second term has none.
    found = ranks_in(WORDS, LEARNT, own=np.array([1, -1, 3])).own
    assert found[[0, 1, 4, 5]].tolist() == [2, 2, 2, 1]
    assert np.isnan(found[[2, 3]]).all()


def test_different_terms_as_loops_find_them() -> None:
    expected = [
        1 / (1 + sum(abs(w - ANGLES[i]) < abs(ANGLES[j] - ANGLES[i]) for w in WORD_ANGLES))
        for i, j in itertools.permutations(range(6), 2)
        if i // 2 != j // 2
    ]
    ranks = ranks_in(WORDS, LEARNT, draws=800, seed=1).different
    draws = drawn_reciprocals(ranks, 6, 200, seed=1)
    assert draws.shape == (200,)
    assert draws.mean() == pytest.approx(np.mean(expected), abs=0.05)
    # A mean of many pairs varies less than one of few.
    assert drawn_reciprocals(ranks, 400, 200, seed=1).std() < draws.std() / 3


def test_asked_together_or_alone() -> None:
    rng = np.random.default_rng(3)
    background = Space.of({f"w{i}": rng.standard_normal(5).tolist() for i in range(40)})
    learnt = SampleVectors(
        vectors=rng.standard_normal((30, 5)).astype(np.float32),
        term=rng.permutation(np.repeat(np.arange(10), 3)),
        sample=np.arange(30),
        terms=10,
    )
    own = rng.integers(-1, 40, size=10)
    together = ranks_in(background, learnt, own=own, draws=50, seed=4)
    assert together.pairs.tolist() == ranks_in(background, learnt).pairs.tolist()
    alone = ranks_in(background, learnt, draws=50, seed=4)
    assert together.different.tolist() == alone.different.tolist()
    kept = np.flatnonzero(own[learnt.term] >= 0)
    expected = cosine_ranks(background.vectors, learnt.vectors[kept], own[learnt.term[kept]])
    assert together.own[kept].tolist() == expected.tolist()
