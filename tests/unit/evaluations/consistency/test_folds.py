from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from lydite.corpora.books import Passage
from lydite.corpora.occurrences import Occurrence, find_occurrences
from lydite.corpora.running_text import RunningText
from lydite.corpora.terms import Term
from lydite.evaluations.consistency.folds import (
    DEALS,
    DRAWS,
    Folds,
    draw_sides,
    drawn_reliability,
    halves_of,
    without,
)
from lydite.evaluations.consistency.reliability import reliability
from lydite.models.contexts import Learned, learns_together
from lydite.trained.ppmi_svd import PpmiSvd
from lydite.types import Context, Floats, Vectors


def folds(rng: np.random.Generator, r: Floats, power: float) -> Folds:
    """Make ten folds and halves of words, whose halves have the odds of r times 5 to a power."""
    words, dimensions = len(r), 40

    def drawn(odds: Floats, count: int) -> Floats:
        own = np.zeros((words, 1, dimensions))
        own[:, 0] = directions * np.sqrt(odds)[:, None]
        noise = rng.normal(size=(words, count, dimensions)) / np.sqrt(dimensions)
        return np.asarray(own + noise)

    directions = rng.normal(size=(words, dimensions))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    odds = r / (1 - r)
    return Folds(
        vectors=drawn(odds, 10).reshape(-1, dimensions),
        owner=np.repeat(np.arange(words), 10),
        fold=np.tile(np.arange(10), words),
        halves=drawn(odds * 5**power, 12).reshape(-1, 2, dimensions),
        halved=np.repeat(np.arange(words), 6),
        words=words,
        sentences=np.full(words, 30.0),
    )


def test_halves_are_equal_apart_and_always_the_same() -> None:
    found = halves_of(10)
    assert found == halves_of(10)
    assert len(found) == 6
    for one, other in found:
        assert len(one) == len(other) == 5
        assert sorted((*one, *other)) == list(range(10))
    assert [len(one) for one, _ in halves_of(7)] == [3] * len(halves_of(7))
    assert halves_of(0) == []


@pytest.mark.parametrize("power", [0.6, 1.0, 1.3])
def test_what_more_text_is_worth_is_seen(power: float) -> None:
    made = folds(np.random.default_rng(1), np.full(400, 0.1), power)
    assert made.growth == pytest.approx(power, abs=0.08)


def test_all_the_text_follows_from_halves() -> None:
    made = folds(np.random.default_rng(2), np.full(400, 0.1), 0.6)
    found = made.reliability(0.6)
    # Odds of 1 / 9 times 10 to the power of .6.
    odds = 10**0.6 / 9
    assert np.median(found.value) == pytest.approx(odds / (1 + odds), abs=0.03)
    # A quarter of the text is worth 4 to the power of .6 less.
    odds /= 4**0.6
    assert np.median(found.at_sentences(found.block, 7.5)) == pytest.approx(
        odds / (1 + odds), abs=0.03
    )
    low, high = found.interval
    assert ((low < found.value) & (found.value < high)).all()


def test_folds_of_sums_give_what_blocks_give() -> None:
    # Halves that are sums of folds say what all products of different folds say.
    rng = np.random.default_rng(3)
    single = folds(rng, np.full(60, 0.3), 1.0)
    by_word = single.vectors.reshape(60, 10, -1)
    halves = np.stack(
        [
            [[word[list(half)].sum(axis=0) for half in pair] for pair in halves_of(10)]
            for word in by_word
        ]
    )
    made = Folds(
        vectors=single.vectors,
        owner=single.owner,
        fold=single.fold,
        halves=halves.reshape(-1, 2, 40),
        halved=np.repeat(np.arange(60), 6),
        words=60,
        sentences=single.sentences,
    )
    assert made.growth == pytest.approx(1.0, abs=0.1)
    assert made.reliability(1.0).value == pytest.approx(reliability(made.blocks).value, abs=0.06)


def test_few_words_say_nothing_of_what_more_text_is_worth() -> None:
    assert folds(np.random.default_rng(4), np.full(10, 0.1), 0.6).growth == 1.0


def test_sides_share_no_block() -> None:
    blocks = [[Context(tokens=(f"{b}",), start=0, stop=1)] * 2 for b in range(6)]
    one, other = draw_sides(blocks, 3, 9, np.random.default_rng(0))
    assert [len(sample) for sample in (*one, *other)] == [3] * 4
    words = [{c.tokens for sample in side for c in sample} for side in (one, other)]
    assert not words[0] & words[1]
    assert draw_sides(blocks, 7, 9, np.random.default_rng(0)) == ([], [])


def test_without_a_direction() -> None:
    assert without(np.array([[3.0, 4.0]]), np.array([[0.0, 2.0]])).tolist() == [[3.0, 0.0]]


@dataclass
class Sums:
    """A learner that sums words at right angles to each other, and counts how it is asked."""

    together: ClassVar[bool] = False
    calls: int = 0
    samples: int = 0

    def learn_all(self, samples: Sequence[Sequence[Context]], *, seed: int = 0) -> Learned:
        self.calls, self.samples = self.calls + 1, self.samples + len(samples)
        vectors = np.zeros((len(samples), 40), dtype=np.float32)
        for row, sample in enumerate(samples):
            for context in sample:
                for token in (*context.tokens[: context.start], *context.tokens[context.stop :]):
                    vectors[row, int(token[1:])] += 1
        everyone = np.ones(len(samples), dtype=np.bool_)
        return Learned(vectors=vectors, learned=everyone, background=None, used=vectors.sum(axis=1))

    def learn(self, contexts: Sequence[Context]) -> Vectors:
        return np.asarray(self.learn_all([contexts]).vectors[0])


class Joint(Sums):
    together: ClassVar[bool] = True


def book() -> tuple[RunningText, list[tuple[Occurrence, ...]]]:
    """A text of two terms, one of which has words of its own, and of other words."""
    rng = np.random.default_rng(6)
    names = ["own", "any", *(f"other{i}" for i in range(20))]
    passages = []
    for _ in range(30):
        for name in names:
            words = [f"w{i}" for i in rng.integers(0, 40, 8)]
            words += (
                ["w1", "w2", "w3"] if name == "own" else [f"w{i}" for i in rng.integers(0, 40, 3)]
            )
            passages.append(Passage(((*words[:5], name, *words[5:]),)))
    text = RunningText.of(passages)
    terms = [Term(text=name, tokens=(name,)) for name in names]
    found = find_occurrences(text.sentences(), terms).found
    return text, [found[name] for name in names]


@pytest.mark.parametrize("learner", [Sums(), Joint()])
def test_two_hundred_draws_say_what_the_formula_says(learner: Sums) -> None:
    text, found = book()
    panel = (found[2:], [np.arange(20)] * 2)
    value = {size: drawn_reliability(learner, text, found[:2], panel, size) for size in (1, 8)}
    assert value[1][1] < 0.1
    one = value[1][0]
    assert value[8][0] == pytest.approx(8 * one / (1 + 7 * one), abs=0.06)
    # Another seed hardly matters, even for a single term; of 16 sentences there are too few.
    again = drawn_reliability(learner, text, found[:2], panel, 8, seed=1)
    assert again[0] == pytest.approx(value[8][0], abs=0.03 if learner.together else 0.01)
    assert np.isnan(drawn_reliability(learner, text, found[:2], panel, 16)).all()


def test_how_often_is_drawn() -> None:
    text, found = book()
    panel = (found[2:], [np.arange(20)] * 2)
    sums, joint = Sums(), Joint()
    drawn_reliability(sums, text, found[:2], panel, 4)
    assert (sums.calls, sums.samples) == (1, 2 * 2 * DRAWS + 20 * 2 * 10)
    drawn_reliability(joint, text, found[:2], panel, 4)
    # Thirty sentences are three samples on either side, each sentence in one of them.
    assert (joint.calls, joint.samples) == (DEALS, DEALS * 22 * 6)


def test_who_learns_samples_together() -> None:
    @dataclass
    class Stranger:
        def learn_all(self, samples: Sequence[Sequence[Context]], *, seed: int = 0) -> None: ...

    assert learns_together(Stranger())
    assert not learns_together(Sums())
    assert not learns_together(object())
    assert PpmiSvd.together
