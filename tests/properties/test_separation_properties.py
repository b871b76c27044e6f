"""Separation as a property: what changes nothing, what turns it round, and what is chance."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydite.evaluations.separation import tasks as pairs
from lydite.evaluations.separation import tasks as qa
from lydite.evaluations.separation import tasks as relation
from lydite.evaluations.separation.data import EntityPair, LabelledPairs, Question
from lydite.evaluations.separation.tasks import (
    normalised_rank,
    pairs_outcome,
    qa_outcome,
    relation_outcome,
)
from lydite.models.combination import Hybrid
from lydite.results.record import Outcome
from lydite.types import Floats, Vectors

# No time limit: a slow machine is no failure.
few = settings(deadline=None, max_examples=12)
seeds = st.integers(0, 10_000)
rising: st.SearchStrategy[Callable[[Floats], Floats]] = st.sampled_from(
    [lambda x: 3 * x - 5, np.exp, np.cbrt, np.arctan, lambda x: x**3 + x]
)

SENTENCES = 14


class Encoder:
    """Vectors by the number that a text is."""

    spec = "encoder"

    def __init__(self, vectors: Floats) -> None:
        self.vectors = vectors

    def encode(self, texts: Sequence[str], /) -> Vectors:
        return self.vectors[[int(text) for text in texts]].astype(np.float32)


class Told:
    """Scores of two numbered texts, looked up."""

    spec = "told"

    def __init__(self, scores: Floats) -> None:
        self.scores = scores

    def score(self, left: Sequence[str], right: Sequence[str]) -> Floats:
        return np.asarray(self.scores[list(map(int, left)), list(map(int, right))])


def asked(model: object, order: Sequence[int], expresses: Floats, seed: int = 0) -> Outcome:
    """Ask about one pair of entities, its sentences in this order; draws are few."""
    pair = EntityPair(
        name="a / b",
        relation="buys",
        texts=tuple(str(i) for i in order),
        expresses=expresses[list(order)].astype(np.bool_),
    )
    with patch.multiple(relation, _RELATION_DRAWS=10):
        return relation_outcome(model, [pair], 2, "data", seed)


def tied_scores(generator: np.random.Generator) -> Floats:
    return generator.integers(-3, 4, (SENTENCES, SENTENCES)).astype(np.float64)


def half(generator: np.random.Generator) -> Floats:
    return generator.permutation(np.arange(SENTENCES) < SENTENCES // 2).astype(np.float64)


@few
@given(seeds)
def test_the_order_of_sentences_does_not_matter(seed: int) -> None:
    generator = np.random.default_rng(seed)
    expresses = half(generator)
    order = generator.permutation(SENTENCES).tolist()
    # A few directions, so that there are ties between different sentences.
    vectors = generator.integers(-1, 2, (SENTENCES, 3)).astype(np.float64)
    for model in (Told(tied_scores(generator)), Encoder(vectors)):
        first, second = (asked(model, each, expresses) for each in (range(SENTENCES), order))
        assert first.score == pytest.approx(second.score, abs=1e-12)
        values = dict(zip(first.items["item"], first.items["value"], strict=True))
        for item, value in zip(second.items["item"], second.items["value"], strict=True):
            assert value == pytest.approx(values[item], abs=1e-12)


@few
@given(seeds, rising)
def test_scores_in_the_same_order_give_the_same(
    seed: int, rise: Callable[[Floats], Floats]
) -> None:
    generator = np.random.default_rng(seed)
    scores, expresses = tied_scores(generator), half(generator)
    first, second = (
        asked(Told(each), range(SENTENCES), expresses, seed) for each in (scores, rise(scores))
    )
    assert first.score == second.score
    assert first.interval == second.interval
    assert first.items["value"] == second.items["value"]
    answer = int(generator.integers(SENTENCES))
    assert normalised_rank(scores[0], [answer]) == normalised_rank(rise(scores)[0], [answer])


@few
@given(seeds)
def test_scores_turned_round_give_the_rest(seed: int) -> None:
    generator = np.random.default_rng(seed)
    scores, expresses = tied_scores(generator), half(generator)
    first, second = (asked(Told(s), range(SENTENCES), expresses) for s in (scores, -scores))
    assert first.score + second.score == pytest.approx(1)
    answer = int(generator.integers(SENTENCES))
    ranks = [normalised_rank(each[0], [answer]) for each in (scores, -scores)]
    assert sum(ranks) == pytest.approx(1)


@few
@given(seeds, st.sampled_from([1e-6, 0.3, 7.0, 1e6]))
def test_the_length_of_vectors_does_not_matter(seed: int, factor: float) -> None:
    generator = np.random.default_rng(seed)
    vectors, expresses = (
        generator.integers(-2, 3, (SENTENCES, 4)).astype(np.float64),
        half(generator),
    )
    lengths = factor * generator.uniform(0.5, 2, (SENTENCES, 1))
    for scaled in (vectors * factor, vectors * np.exp2(np.round(np.log2(lengths)))):
        first, second = (
            asked(Encoder(each), range(SENTENCES), expresses) for each in (vectors, scaled)
        )
        assert first.score == pytest.approx(second.score, abs=1e-12)
        assert first.n_covered == second.n_covered


@few
@given(seeds)
def test_labels_exchanged_give_the_rest(seed: int) -> None:
    generator = np.random.default_rng(seed)
    similar = generator.permutation(np.arange(20) < 8)
    right = tuple(map(str, generator.integers(0, SENTENCES, 20)))
    model = Told(generator.integers(0, 4, (20, SENTENCES)).astype(np.float64))
    numbers = tuple(map(str, range(20)))
    with patch.multiple(pairs, _PAIR_DRAWS=10):
        first, second = (
            pairs_outcome(
                model,
                LabelledPairs(
                    left=numbers,
                    right=right,
                    similar=each,
                    dissimilar=~each,
                    phenomena=("",) * 20,
                    bases=numbers,
                ),
                "data",
                0,
            )
            for each in (similar, ~similar)
        )
    assert first.score + second.score == pytest.approx(1)
    assert np.mean(first.items["value"]) == pytest.approx(first.score)


def questions_of(generator: np.random.Generator, count: int) -> list[Question]:
    """Draw documents of numbered sentences, with one answer each."""
    found = []
    for k in range(count):
        document = generator.choice(np.arange(count, count + 200), 9, replace=False)
        found.append(
            Question(
                name=str(k),
                text=str(k),
                document=tuple(map(str, document)),
                answers=(int(generator.integers(9)),),
            )
        )
    return found


@few
@given(seeds)
def test_the_order_of_a_document_does_not_matter(seed: int) -> None:
    generator = np.random.default_rng(seed)
    questions = questions_of(generator, 6)
    model = Encoder(generator.integers(-1, 2, (206, 3)).astype(np.float64))
    turned = [
        Question(
            name=each.name,
            text=each.text,
            document=each.document[::-1],
            answers=tuple(8 - place for place in each.answers),
        )
        for each in questions
    ]
    with patch.object(qa, "_ANSWER_DRAWS", 10):
        first, second = (qa_outcome(model, each, "", "data", 0) for each in (questions, turned))
    assert first.items["value"] == pytest.approx(second.items["value"], abs=1e-12)


@few
@given(seeds)
def test_random_vectors_are_chance(seed: int) -> None:
    generator = np.random.default_rng(seed)
    questions = questions_of(generator, 150)
    with patch.object(qa, "_ANSWER_DRAWS", 200):
        outcome = qa_outcome(Encoder(generator.normal(size=(350, 20))), questions, "", "data", 0)
    # One rank is uniform on 0 to 1: the deviation of a mean of 150 is 0.026.
    assert outcome.score == pytest.approx(0.5, abs=5 * 0.027)
    assert outcome.baseline.mean == pytest.approx(0.5, abs=0.01)
    scores = generator.normal(size=(SENTENCES, SENTENCES))
    assert 0 <= asked(Told(scores), range(SENTENCES), half(generator)).score <= 1


@few
@given(seeds)
def test_a_hybrid_of_a_model_with_itself_is_the_model(seed: int) -> None:
    generator = np.random.default_rng(seed)
    model, expresses = Told(tied_scores(generator)), half(generator)
    alone = asked(model, range(SENTENCES), expresses)
    for weights in ("sum", "standardised", "0.3,0.9"):
        twice = asked(Hybrid.open(model, model, weights=weights), range(SENTENCES), expresses)
        assert twice.score == pytest.approx(alone.score, abs=1e-12)
        assert twice.interval == alone.interval
