from __future__ import annotations

from itertools import product
from typing import NamedTuple

import numpy as np
import pytest

from lydite.evaluations.tagging.tagger import best_paths, chain_gradient
from lydite.types import Floats, Indices

COUNT, RADIUS, WORDS = 3, 1, 5
PADDING = WORDS - 1


class Chain(NamedTuple):
    """Three sentences of 1, 2 and 4 words, with a word of padding around each."""

    scores: Floats
    words: Indices
    tags: Indices
    starts: Indices
    stops: Indices
    transitions: Floats

    def emissions(self, place: int) -> Floats:
        """Return the sum of what the words of a window say, (t,)."""
        said = self.scores.reshape(WORDS, 2 * RADIUS + 1, COUNT)
        return np.asarray(
            sum(said[self.words[place + k], k + RADIUS] for k in range(-RADIUS, RADIUS + 1))
        )

    def score(self, start: int, path: tuple[int, ...]) -> float:
        """Return the score of a path, term by term."""
        total = self.transitions[COUNT, path[0]] + self.transitions[COUNT + 1, path[-1]]
        for k, tag in enumerate(path):
            total += self.emissions(start + k)[tag]
            total += self.transitions[path[k - 1], tag] if k else 0.0
        return float(total)

    def paths(self, sentence: int) -> list[tuple[int, ...]]:
        """Return all paths of a sentence."""
        length = int(self.stops[sentence] - self.starts[sentence])
        return list(product(range(COUNT), repeat=length))

    def likelihood(self) -> float:
        """Return the log-likelihood by listing all paths."""
        total = 0.0
        for s, (start, stop) in enumerate(zip(self.starts, self.stops, strict=True)):
            scores = np.array([self.score(start, path) for path in self.paths(s)])
            right = self.score(start, tuple(self.tags[start:stop]))
            total += right - np.log(np.exp(scores).sum())
        return total


def gradient(chain: Chain) -> tuple[float, Floats, Floats]:
    of_scores, of_transitions = np.zeros_like(chain.scores), np.zeros_like(chain.transitions)
    value = chain_gradient(*chain, of_scores, of_transitions)
    return value, of_scores, of_transitions


@pytest.fixture
def chain() -> Chain:
    generator = np.random.default_rng(3)
    words = np.full(11, PADDING)
    starts, stops = np.array([1, 3, 6]), np.array([2, 5, 10])
    for start, stop in zip(starts, stops, strict=True):
        words[start:stop] = generator.integers(0, PADDING, stop - start)
    return Chain(
        scores=generator.normal(size=(WORDS, (2 * RADIUS + 1) * COUNT)),
        words=words,
        tags=generator.integers(0, COUNT, 11),
        starts=starts,
        stops=stops,
        transitions=generator.normal(size=(COUNT + 2, COUNT)),
    )


def test_the_likelihood_is_that_of_all_paths_listed(chain: Chain) -> None:
    assert gradient(chain)[0] == pytest.approx(chain.likelihood(), rel=1e-12)


@pytest.mark.parametrize("which", ["scores", "transitions"])
def test_the_gradient_is_that_of_small_steps(chain: Chain, which: str) -> None:
    _, *gradients = gradient(chain)
    found = gradients[0 if which == "scores" else 1]
    array, step = getattr(chain, which), 1e-5
    for place in np.ndindex(array.shape):
        changed = [array.copy(), array.copy()]
        changed[0][place] += step
        changed[1][place] -= step
        up, down = (chain._replace(**{which: each}).likelihood() for each in changed)
        assert found[place] == pytest.approx((up - down) / (2 * step), abs=1e-8)


def test_the_gradient_is_added(chain: Chain) -> None:
    _, of_scores, of_transitions = gradient(chain)
    twice = of_scores.copy(), of_transitions.copy()
    chain_gradient(*chain, *twice)
    np.testing.assert_allclose(twice[0], 2 * of_scores, atol=1e-12)
    np.testing.assert_allclose(twice[1], 2 * of_transitions, atol=1e-12)


def test_without_transitions_tags_are_independent(chain: Chain) -> None:
    free = chain._replace(transitions=np.zeros_like(chain.transitions))
    places = [p for a, b in zip(chain.starts, chain.stops, strict=True) for p in range(a, b)]
    expected = 0.0
    for place in places:
        emissions = chain.emissions(place)
        expected += emissions[chain.tags[place]] - np.log(np.exp(emissions).sum())
    assert gradient(free)[0] == pytest.approx(expected, rel=1e-12)


def test_the_best_path_is_the_best_of_all_listed(chain: Chain) -> None:
    for seed in range(20):
        transitions = np.random.default_rng(seed).normal(size=chain.transitions.shape)
        drawn = chain._replace(transitions=transitions)
        tags = np.full(len(chain.words), -1)
        best_paths(drawn.scores, drawn.words, drawn.starts, drawn.stops, transitions, tags)
        for s, (start, stop) in enumerate(zip(chain.starts, chain.stops, strict=True)):
            expected = max(drawn.paths(s), key=lambda path: drawn.score(start, path))
            assert tuple(tags[start:stop]) == expected
        assert (tags[chain.words == PADDING] == -1).all()


def test_of_equal_paths_the_first_is_taken() -> None:
    tags = np.full(3, -1)
    best_paths(
        np.zeros((1, 2)),
        np.zeros(3, dtype=np.int64),
        np.array([0]),
        np.array([3]),
        np.zeros((4, 2)),
        tags,
    )
    assert tags.tolist() == [0, 0, 0]


@pytest.mark.parametrize("size", [1.0, 30.0])
def test_no_sentence_is_too_long_and_no_score_too_large(size: float) -> None:
    generator = np.random.default_rng(0)
    length = 20_000
    words, tags = np.arange(length), generator.integers(0, COUNT, length)
    scores = generator.normal(0, size, (length, COUNT))
    transitions = generator.normal(0, size, (COUNT + 2, COUNT))
    of_scores, of_transitions = np.zeros_like(scores), np.zeros_like(transitions)
    value = chain_gradient(
        scores, words, tags, np.array([0]), np.array([length]), transitions,
        of_scores, of_transitions,
    )  # fmt: skip
    assert np.isfinite(value)
    assert np.isfinite(of_scores).all()
    # What is right less the probabilities, which sum to 1 as well.
    np.testing.assert_allclose(of_scores.sum(axis=1), 0, atol=1e-9)
    assert np.isfinite(of_transitions).all()
