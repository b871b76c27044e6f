from __future__ import annotations

import numpy as np
import pytest

from lydite.evaluations.nonces.evaluation import ranks_of_all
from lydite.spaces.neighbours import cosine_ranks


@pytest.mark.parametrize("words", [50, 20_000])
def test_ranks_are_those_of_the_exact_way(words: int) -> None:
    generator = np.random.default_rng(0)
    vectors = generator.normal(size=(words, 8)).astype(np.float32)
    queries = generator.normal(size=(3, 8)).astype(np.float32)
    targets = np.array([7, 0, words - 1, 21])
    ranks = ranks_of_all(vectors, queries, targets)
    pairs = [(i, target) for i in range(3) for target in targets]
    exact = cosine_ranks(
        vectors, queries[[i for i, _ in pairs]], np.array([target for _, target in pairs])
    )
    # Cosines within the rounding of float32 count as equal here.
    np.testing.assert_allclose(ranks.ravel(), exact, atol=2)
    assert np.mean(ranks.ravel() == exact) > 0.5


def test_a_word_does_not_come_before_itself() -> None:
    vectors = np.random.default_rng(1).normal(size=(200, 50)).astype(np.float32)
    ranks = ranks_of_all(vectors, vectors, np.arange(200))
    assert (np.diag(ranks) == 1).all()
