from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import pytest

from lydite.corpora.samples import Samples, TermSamples
from lydite.evaluations.consistency.evaluation import by_size, mean_interval, neighbours
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


def samples_of(*lengths: tuple[int, int]) -> Samples:
    return Samples(
        name="made up",
        terms=tuple(
            TermSamples(
                term=f"t{t}",
                samples=tuple(
                    tuple(sentence(f"t{t}", f"{t}-{s}-{i}") for i in range(length))
                    for s, length in enumerate(pair)
                ),
            )
            for t, pair in enumerate(lengths)
        ),
    )


def test_sizes_are_nested_and_of_the_terms_that_have_the_largest() -> None:
    learner = Counting()
    samples = samples_of((5, 6), (3, 3), (4, 9), (1, 8))
    rows = by_size(learner, samples, [1, 2, 4, None], seed=1)
    assert [(row.size, row.terms) for row in rows] == [(1, 2), (2, 2), (4, 2), ("all", 2)]
    assert set(rows[0].by_term) == {samples.terms[0].term, samples.terms[2].term}
    shown: dict[tuple[str, str], list[set[str]]] = {}
    for contexts in learner.shown:
        term, sample, _ = contexts[0].tokens[1].split("-")
        shown.setdefault((term, sample), []).append({c.tokens[1] for c in contexts})
    assert [len(each) for each in shown["0", "0"]] == [1, 2, 4, 5]
    assert ("3", "1") not in shown
    for growing in shown.values():
        assert all(less <= more for less, more in pairwise(growing))
    # Sentences are drawn, not taken from the start.
    assert any(each[0] != {f"{t}-{s}-0"} for (t, s), each in shown.items())


def test_a_size_has_its_own_chance_level() -> None:
    rows = by_size(Counting(), samples_of((5, 6), (3, 3), (4, 9)), [1, 3], seed=1)
    assert [row.identification_chance for row in rows] == pytest.approx([11 / 18] * 2)
    for row in (each.plain() for each in rows):
        assert row["cosine_low"] <= row["cosine"] <= row["cosine_high"]
        assert row["identification_low"] <= row["identification"] <= row["identification_high"]


def test_sizes_that_one_term_has_are_left_out() -> None:
    rows = by_size(Counting(), samples_of((5, 6), (3, 3)), [3, 4, 100], seed=1)
    assert [row.size for row in rows] == [3]
    assert by_size(Counting(), samples_of((5, 6), (3, 3)), [], seed=1) == ()


def test_a_terms_draw_does_not_depend_on_the_other_terms() -> None:
    both, alone = Counting(), Counting()
    samples = samples_of((9, 9), (9, 9), (9, 9))
    by_size(both, samples, [2], seed=1)
    by_size(alone, Samples(name="fewer", terms=samples.terms[1:]), [2], seed=1)
    assert both.shown[2:] == alone.shown


def test_the_interval_of_a_mean() -> None:
    values = np.random.default_rng(1).normal(0.5, 0.1, 400)
    interval = mean_interval(values, 1)
    assert interval.low < values.mean() < interval.high
    # 1.96 standard errors of 0.1 / 20 to each side.
    assert interval.high - interval.low == pytest.approx(2 * 1.96 * values.std() / 20, rel=0.1)
