from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from lydite.trained import skipgram as layout
from lydite.trained.skipgram import (
    ARCHITECTURES,
    Architecture,
    Plan,
    SkipgramRecipe,
    Weights,
    alias_table,
    train_block,
)
from lydite.types import Floats

WORDS, DIM, SEED = 1000, 3, 11
MASK = (1 << 64) - 1
# The last word of the corpus is out of the vocabulary.
SENTENCES = [[3, 1, 4, 1, WORDS, 5, 9, 2, 6], [7], [], [27, 18, 28], [8, 45]]
IDS = np.array([i for sentence in SENTENCES for i in [*sentence, -1]], dtype=np.int32)


class Draws:
    """Splitmix64 (Steele et al. 2014) with Python's numbers."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def bits(self) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
        return z ^ (z >> 31)


def plan_for(
    architecture: Architecture,
    ids: np.ndarray,
    **changes: Any,  # noqa: ANN401 - fields of a plan
) -> Plan:
    rng = np.random.default_rng(1)
    rows = np.append(np.arange(WORDS), -1).astype(np.int32)
    usual = Plan(
        rows=rows,
        keep=rng.choice([1.0, 0.6], WORDS),
        table=alias_table(1 + rng.random(WORDS)),
        architecture=ARCHITECTURES.index(architecture),
        window=2,
        dynamic=SkipgramRecipe(architecture=architecture).draws_windows,
        negative=3,
        alpha=0.5,
        least=0.1,
        places=2 * len(ids),
    )
    return usual._replace(**changes)


def random_weights(plan: Plan, dim: int = DIM) -> Weights:
    rng = np.random.default_rng(2)
    matrices = 4 if plan.architecture in {layout.STRUCTURED_SKIPGRAM, layout.CWINDOW} else 1
    valued = WORDS + 1 if plan.architecture == layout.CBOW_ATTENTION else 0
    shapes = [(WORDS, dim), (WORDS, matrices, dim), (valued, 4)]
    return Weights(*(rng.normal(size=shape).astype(np.float32) for shape in shapes))


def sigmoid(x: float) -> float:
    return float(1 / (1 + np.exp(-x)))


def kept_words(sentence: list[int], plan: Plan, draws: Draws) -> list[int]:
    kept = []
    for row in sentence:
        if row < WORDS and (plan.keep[row] == 1 or (draws.bits() >> 11) / 2**53 < plan.keep[row]):
            kept.append(row)
    return kept


def drawn_words(target: int, plan: Plan, draws: Draws) -> list[int]:
    words = [target]
    for _ in range(plan.negative):
        bits = draws.bits()
        word = (bits >> 32) * WORDS >> 32
        entry = int(plan.table[word])
        if bits & 0xFFFFFFFF >= entry >> 32:
            word = entry & 0xFFFFFFFF
        if word != target:
            words.append(word)
    return words


def score(
    weights: list[Floats], architecture: Architecture, around: dict[int, int], word: int
) -> float:
    """Compute the score of a word by what stands at each position, as the papers have it."""
    inputs, outputs, worth = weights
    if architecture in {"skipgram", "structured-skipgram", "cwindow"}:
        matrix = {p: 0 if architecture == "skipgram" else p for p in around}
        return float(sum(inputs[row] @ outputs[word, matrix[p]] for p, row in around.items()))
    rows = list(around.values())
    shares = np.full(len(rows), 1 / len(rows))
    if architecture == "cbow-attention":
        shares = np.exp([worth[row, p] + worth[-1, p] for p, row in around.items()])
        shares /= shares.sum()
    return float(shares @ inputs[rows] @ outputs[word, 0])


def raised(
    weights: list[Floats], touched: list[set[int]], gain: Callable[[], float], rates: list[float]
) -> None:
    """Take a step of the gradient, which is found by differences, at a rate for each array."""
    moves = []
    for array, rows in zip(weights, touched, strict=True):
        move = np.zeros_like(array)
        inner = list(np.ndindex(array.shape[1:]))
        for index in ((row, *rest) for row in rows for rest in inner if 0 <= row < len(array)):
            before = array[index]
            array[index] = before + 1e-5
            above = gain()
            array[index] = before - 1e-5
            move[index] = (above - gain()) / 2e-5
            array[index] = before
        moves.append(move)
    for array, move, rate in zip(weights, moves, rates, strict=True):
        array[...] += rate * move


def predictions(
    kept: list[int], plan: Plan, draws: Draws
) -> Iterator[tuple[dict[int, int], list[int]]]:
    """Yield what stands where, and the words that are set against it."""
    for centre in range(len(kept)):
        reach = 1 + ((draws.bits() >> 32) * plan.window >> 32) if plan.dynamic else plan.window
        around = {
            at - centre + plan.window - int(at > centre): kept[at]
            for at in range(max(0, centre - reach), min(len(kept), centre + reach + 1))
            if at != centre
        }
        if plan.architecture in {layout.SKIPGRAM, layout.STRUCTURED_SKIPGRAM}:
            for p, row in around.items():
                yield {p: kept[centre]}, drawn_words(row, plan, draws)
        elif around:
            yield around, drawn_words(kept[centre], plan, draws)


def trained_slowly(weights: Weights, plan: Plan, architecture: Architecture) -> list[Floats]:
    arrays = [array.astype(np.float64) for array in weights]
    draws = Draws(SEED)
    at = 0
    for sentence in SENTENCES:
        rate = plan.alpha - (plan.alpha - plan.least) * (len(IDS) + at) / plan.places
        for around, words in predictions(kept_words(sentence, plan, draws), plan, draws):
            # A word that is drawn twice is moved twice, which is no step of the gradient.
            assert len(set(words)) == len(words)

            def gain(around: dict[int, int] = around, words: list[int] = words) -> float:
                scores = [score(arrays, architecture, around, word) for word in words]
                return float(
                    np.log(sigmoid(scores[0])) + sum(np.log(sigmoid(-s)) for s in scores[1:])
                )

            inner = set(around.values())
            # word2vec moves each word of a mean by the error of the whole of it.
            times = len(around) if architecture in {"cbow", "cbow-attention"} else 1
            touched = [inner, set(words), inner | {len(arrays[2]) - 1}]
            raised(arrays, touched, gain, [times * rate, rate, rate])
        at += len(sentence) + 1
    return arrays


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_steps_are_those_of_the_gradient(architecture: Architecture, dynamic: bool) -> None:
    plan = plan_for(architecture, IDS, dynamic=dynamic)
    weights = random_weights(plan)
    expected = trained_slowly(weights, plan, architecture)
    before = [array.copy() for array in weights]
    train_block(IDS, 0, len(IDS), len(IDS), np.uint64(SEED), weights, plan)
    for array, first, slow in zip(weights, before, expected, strict=True):
        np.testing.assert_allclose(array, slow, rtol=2e-5, atol=2e-6)
        assert not array.size or np.abs(array - first).max() > 0.01


@pytest.mark.parametrize("dim", [1, 7, 8, 33, 100])
def test_sums_are_right_for_any_number_of_dimensions(dim: int) -> None:
    # A word predicts the next, and the next predicts it; no negatives can be drawn beside them.
    plan = plan_for(
        "cwindow", IDS, keep=np.ones(WORDS), negative=1, table=alias_table(np.eye(WORDS)[9])
    )
    weights = random_weights(plan, dim)
    inputs, outputs = weights.inputs.astype(np.float64), weights.outputs.astype(np.float64)
    for centre, other, p in ((3, 5, 2), (5, 3, 1)):
        error = np.zeros(dim)
        for word, label in ((centre, 1), (9, 0)):
            gain = 0.5 * (label - sigmoid(inputs[other] @ outputs[word, p]))
            error += gain * outputs[word, p]
            outputs[word, p] += gain * inputs[other]
        inputs[other] += error
    ids = np.array([3, 5, -1], dtype=np.int32)
    train_block(ids, 0, 3, 0, np.uint64(SEED), weights, plan)
    np.testing.assert_allclose(weights.inputs, inputs, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(weights.outputs, outputs, rtol=1e-4, atol=1e-5)


def test_blocks_take_each_sentence_once() -> None:
    plan = plan_for("cbow", IDS, keep=np.ones(WORDS))
    weights = random_weights(plan)
    # All 8 + 3 + 2 words of sentences of more than one word.
    assert train_block(IDS, 0, len(IDS), 0, np.uint64(1), weights, plan) == 13
    for cut in range(len(IDS) + 1):
        parts = [(0, cut), (cut, len(IDS))]
        learnt = [train_block(IDS, a, b, 0, np.uint64(1), weights, plan) for a, b in parts]
        assert sum(learnt) == 13, cut


@pytest.mark.parametrize("ended", [True, False])
def test_a_very_long_sentence_is_read_to_its_end(ended: bool) -> None:
    length = 2 * layout.LONGEST + 5
    ids = np.append(np.arange(length) % WORDS, [-1] * ended).astype(np.int32)
    plan = plan_for("cbow", ids, keep=np.ones(WORDS))
    weights = random_weights(plan)
    assert train_block(ids, 0, 100, 0, np.uint64(1), weights, plan) == length
    assert train_block(ids, 100, len(ids), 0, np.uint64(1), weights, plan) == 0
