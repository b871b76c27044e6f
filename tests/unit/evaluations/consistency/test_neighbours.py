from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from lydite.evaluations.consistency.evaluation import neighbours
from lydite.evaluations.consistency.measures import Measured, measure
from lydite.models.additive import Additive
from lydite.spaces.space import Space
from lydite.types import Context, Vectors

# The terms' own words, and words to learn from.
SPACE = Space.of(
    {
        "cat": [1, 0],
        "dog": [0, 1],
        "east": [2, 0],
        "north": [0, 2],
        "west": [-2, 0],
    }
)


def sentence(term: str, *words: str) -> Context:
    return Context(tokens=(term, *words), start=0, stop=1)


def learnt() -> Measured:
    samples = [
        [[sentence("Cat", "east")], [sentence("Cat", "east", "north")]],
        [[sentence("dog", "west")], [sentence("dog", "north")]],
        [[sentence("emu", "west")], [sentence("emu", "west", "west", "north")]],
    ]
    return measure(Additive.open(SPACE, sample=0), samples, seed=1)


@dataclass(frozen=True)
class Counting:
    """Learns the number of sentences, and remembers all that it was shown."""

    shown: list[list[Context]] = field(default_factory=list)

    def learn(self, contexts: Sequence[Context]) -> Vectors:
        self.shown.append(list(contexts))
        drawn = np.random.default_rng(len(self.shown)).standard_normal(3)
        return np.asarray(drawn, dtype=np.float32)


def test_without_a_background_there_are_no_neighbours() -> None:
    samples = [[[sentence(t, "x")], [sentence(t, "y")]] for t in "ab"]
    measured = measure(Counting(), samples, seed=1)
    assert neighbours(measured, ["a", "b"], [0], 3) == ()


def test_neighbours_of_both_vectors() -> None:
    (cat, emu) = neighbours(learnt(), ["Cat", "dog", "emu"], [0, 2], 2)
    assert (cat.term, emu.term) == ("Cat", "emu")
    assert cat.cosine == pytest.approx(np.sqrt(0.5), abs=1e-6)
    first, second = emu.neighbours
    assert first == (("west", 1.0), ("dog", 0.0))
    # The cosines of (-4, 2) with west and with north.
    assert [word for word, _ in second] == ["west", "dog"]
    assert [cosine for _, cosine in second] == pytest.approx([0.8944, 0.4472], abs=1e-4)


def test_a_term_without_a_pair_has_no_neighbours_to_show() -> None:
    samples = [
        [[sentence("a", "east")], [sentence("a", "?")]],
        [[sentence("b", "east")], [sentence("b", "north")]],
    ]
    measured = measure(Additive.open(SPACE, sample=0), samples, seed=1)
    assert [row.term for row in neighbours(measured, ["a", "b"], [0, 1], 1)] == ["b"]
