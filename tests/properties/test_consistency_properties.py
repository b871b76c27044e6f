"""Consistency as a property: what makes it perfect, what is at chance, what changes nothing."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydite.evaluations.consistency.evaluation import CONTROLS, Consistency
from lydite.evaluations.consistency.measures import (
    Measured,
    SampleVectors,
    identify,
    measure,
    ranks_in,
    shuffled_reciprocals,
)
from lydite.evaluations.consistency.reliability import Blocks, Reliability, reliability
from lydite.models.additive import Additive
from lydite.resources.catalogue import locate
from lydite.spaces.space import Space
from lydite.stats.means import mean_interval
from lydite.types import Context, Floats, Indices, Vectors

# No time limit: a slow machine is no failure.
unhurried = settings(deadline=None, max_examples=20)
few = settings(deadline=None, max_examples=8)
seeds = st.integers(0, 10_000)

WORDS = [f"w{i}" for i in range(40)]
TermSamples = list[list[list[Context]]]


@st.composite
def samples(draw: st.DrawFn) -> TermSamples:
    """Draw terms with samples of sentences; some know no word, some terms have fewer samples."""
    rng = np.random.default_rng(draw(seeds))
    terms = []
    for term in range(draw(st.integers(3, 9))):
        own = []
        for _ in range(int(rng.integers(2, 5))):
            # No word thrice: rounding would decide whether thrice a word's vector ties with it.
            words = [WORDS[i] if rng.random() < 0.8 else "?" for i in rng.permutation(40)[:4]]
            unknown = rng.random() < 0.1
            tokens = ["?"] * 4 if unknown else words
            own.append([Context(tokens=(f"t{term}", *tokens), start=0, stop=1)] * 2)
        terms.append(own)
    return terms


@cache
def matrix(seed: int) -> Floats:
    return np.random.default_rng(seed).normal(size=(40, 6))


def space(vectors: Floats) -> Space:
    return Space.of(dict(zip(WORDS, vectors.tolist(), strict=True)))


def measured(vectors: Floats, terms: TermSamples) -> Measured:
    return measure(Additive.open(space(vectors), sample=0), terms, seed=1)


def same(one: Measured, other: Measured, order: Sequence[int] | None = None) -> None:
    at = np.arange(len(one.covered)) if order is None else np.asarray(order)
    assert other.covered.tolist() == one.covered[at].tolist()
    assert other.by_term(other.cosines) == pytest.approx(
        one.by_term(one.cosines)[at], abs=1e-5, nan_ok=True
    )
    assert other.reciprocals == pytest.approx(one.reciprocals[at], nan_ok=True)
    assert other.by_term(pair_ranks(other)) == pytest.approx(
        one.by_term(pair_ranks(one))[at], nan_ok=True
    )


def pair_ranks(found: Measured) -> Floats:
    assert found.background is not None
    return ranks_in(found.background, found.learnt).pairs


@unhurried
@given(samples(), seeds, seeds)
def test_turning_and_stretching_the_background_changes_nothing(
    terms: TermSamples, seed: int, turn: int
) -> None:
    rotation, _ = np.linalg.qr(np.random.default_rng(turn).normal(size=(6, 6)))
    vectors = matrix(seed)
    plain = measured(vectors, terms)
    same(plain, measured(4 * vectors, terms))
    same(plain, measured(vectors @ rotation, terms))


@unhurried
@given(samples(), seeds)
def test_the_order_of_terms_changes_nothing(terms: TermSamples, seed: int) -> None:
    order = np.random.default_rng(seed).permutation(len(terms)).tolist()
    same(measured(matrix(1), terms), measured(matrix(1), [terms[i] for i in order]), order)


@unhurried
@given(samples(), seeds)
def test_the_order_of_samples_changes_nothing(terms: TermSamples, seed: int) -> None:
    whole = [term[:2] for term in terms]
    same(measured(matrix(seed), whole), measured(matrix(seed), [term[::-1] for term in whole]))


@unhurried
@given(samples(), seeds)
def test_measures_keep_their_bounds(terms: TermSamples, seed: int) -> None:
    found = measured(matrix(seed), terms)
    assert (np.abs(found.cosines) <= 1 + 1e-9).all()
    assert (pair_ranks(found) >= 1).all()
    assert (pair_ranks(found) <= 41).all()
    places = found.identification
    assert ((places.place >= 1) & (places.place <= places.rivals)).all()
    # A mean of reciprocals is never below the reciprocal of the mean.
    assert (places.reciprocal >= 1 / places.place - 1e-12).all()
    assert (places.rivals <= len(terms)).all()
    if len(places.term):
        assert places.weight.sum() == pytest.approx(1)
        score = np.nanmean(found.reciprocals)
        assert score == pytest.approx(places.weight @ places.reciprocal)
        assert 1 / len(terms) <= places.chance <= 1


@unhurried
@given(seeds, st.integers(2, 5), st.integers(2, 4))
def test_chance_is_the_mean_over_all_ways_to_deal_out(seed: int, terms: int, dim: int) -> None:
    # Also where vectors are copies of each other.
    rng = np.random.default_rng(seed)
    vectors: Vectors = rng.integers(1, 3, size=(2 * terms, dim)).astype(np.float32)
    sample = np.tile([0, 1], terms)
    reached = []
    for order in itertools.permutations(range(terms)):
        dealt = vectors.copy()
        dealt[1::2] = vectors[1::2][list(order)]
        learnt = SampleVectors(
            vectors=dealt, term=np.repeat(np.arange(terms), 2), sample=sample, terms=terms
        )
        found = identify(learnt)
        reached.append(found.reciprocal[found.term.size // 2 :].mean())
    assert np.mean(reached) == pytest.approx(found.chance)


@few
@given(seeds)
def test_dealing_out_is_at_chance(seed: int) -> None:
    rng = np.random.default_rng(seed)
    learnt = SampleVectors(
        vectors=rng.normal(size=(30, 4)).astype(np.float32),
        term=np.repeat(np.arange(10), 3),
        sample=np.tile([0, 1, 2], 10),
        terms=10,
    )
    found = identify(learnt)
    draws = shuffled_reciprocals(found, 500, seed)
    assert draws.mean() == pytest.approx(found.chance, abs=4 * draws.std() / np.sqrt(500))


@dataclass(frozen=True)
class OfTerms:
    """One direction a term, of a length that depends on the sample."""

    seed: int

    def learn(self, contexts: Sequence[Context]) -> Vectors:
        number = int(contexts[0].tokens[0][1:])
        drawn = np.random.default_rng([self.seed, number]).normal(size=6)
        return np.asarray(drawn * len(set(contexts[0].tokens)), dtype=np.float32)


@unhurried
@given(samples(), seeds)
def test_one_direction_a_term_is_perfect(terms: TermSamples, seed: int) -> None:
    found = measure(OfTerms(seed), terms, seed=1)
    assert found.cosines == pytest.approx(np.ones(len(found.cosines)))
    assert (found.identification.place == 1).all()


@unhurried
@given(samples(), seeds, st.sampled_from(sorted(CONTROLS)))
def test_controls_keep_the_amount_of_text(terms: TermSamples, seed: int, name: str) -> None:
    flat = [sample for term in terms for sample in term]
    dealt = CONTROLS[name](flat, seed)
    assert [len(sample) for sample in dealt] == [len(sample) for sample in flat]

    def words(given: Sequence[Sequence[Context]]) -> list[str]:
        return sorted(
            token
            for sample in given
            for context in sample
            for token in (*context.tokens[: context.start], *context.tokens[context.stop :])
        )

    assert words(dealt) == words(flat)


def test_the_interval_covers_where_all_terms_share_their_rivals() -> None:
    # Signal and noise of 30 terms with 2 samples; the true score by repetition. The place of a term
    # depends on all others, so that it is not plain that terms may be drawn as if independent.
    rng = np.random.default_rng(1)
    scores = []
    for _ in range(300):
        signal = rng.normal(size=(30, 1, 20)) + 2
        vectors = (signal + 1.5 * rng.normal(size=(30, 2, 20))).reshape(60, 20).astype(np.float32)
        learnt = SampleVectors(
            vectors=vectors,
            term=np.repeat(np.arange(30), 2),
            sample=np.tile([0, 1], 30),
            terms=30,
        )
        found = identify(learnt)
        scores.append(found.reciprocal.reshape(2, 30).mean(axis=0))
    true = np.mean(scores)
    intervals = [mean_interval(each) for each in scores]
    covered = np.mean([each is not None and each.low <= true <= each.high for each in intervals])
    assert 0.9 <= covered <= 0.99


@st.composite
def blocks(draw: st.DrawFn) -> tuple[Floats, Indices, Indices, int]:
    """Draw sentences of terms in blocks: vectors, terms, blocks, how many terms."""
    rng = np.random.default_rng(draw(seeds))
    terms = draw(st.integers(1, 6))
    term = np.sort(rng.integers(0, terms, draw(st.integers(4, 60))))
    signal = rng.normal(size=(terms, 5)) * draw(st.sampled_from([0.0, 0.5, 3.0]))
    vectors = signal[term] + rng.normal(size=(len(term), 5))
    return vectors, term, rng.integers(0, 8, len(term)), terms


def judged(vectors: Floats, term: Indices, block: Indices, terms: int) -> Reliability:
    return reliability(Blocks.of(vectors, term, block, terms))


def same_judged(one: Reliability, other: Reliability) -> None:
    for name in ("value", "block", "low", "high", "effective"):
        assert getattr(other, name) == pytest.approx(getattr(one, name), abs=1e-6, nan_ok=True)
    assert other.verdicts == one.verdicts


@unhurried
@given(blocks(), seeds, st.floats(1e-3, 1e3))
def test_reliability_is_blind_to_turning_scaling_and_order(
    given: tuple[Floats, Indices, Indices, int], seed: int, scale: float
) -> None:
    vectors, term, block, terms = given
    rng = np.random.default_rng(seed)
    plain = judged(*given)
    rotation, _ = np.linalg.qr(rng.normal(size=(5, 5)))
    same_judged(plain, judged(scale * vectors @ rotation, term, block, terms))
    # Sentences of a term in any order, and blocks by any names.
    order = np.lexsort((rng.random(len(term)), term))
    names = rng.permutation(8)
    same_judged(plain, judged(vectors[order], term[order], names[block[order]], terms))


@unhurried
@given(blocks())
def test_reliability_keeps_its_bounds(given: tuple[Floats, Indices, Indices, int]) -> None:
    found = judged(*given)
    known = found.known
    low, high = (end[known] for end in found.interval)
    assert ((found.value[known] >= 0) & (found.value[known] <= 1)).all()
    enough = np.isfinite(low)
    assert (found.blocks[known][enough] >= 4).all()
    value = found.value[known][enough]
    assert (low[enough] <= value + 1e-9).all()
    assert (high[enough] >= value - 1e-9).all()
    for verdict, ok in zip(found.verdicts, np.isfinite(found.low), strict=True):
        assert ok or verdict == "undecided"


@few
@given(seeds, st.integers(2, 60))
def test_random_sentences_have_no_reliability(seed: int, dim: int) -> None:
    rng = np.random.default_rng(seed)
    term = np.repeat(np.arange(200), 12)
    found = judged(rng.normal(size=(len(term), dim)), term, np.arange(len(term)), 200)
    assert abs(found.block.mean()) < 0.03
    assert found.verdicts.count("consistent") <= 6


@few
@given(seeds, seeds)
def test_no_seed_changes_a_verdict(one: int, other: int) -> None:
    asked = Consistency(minimum=4, identification=False, neighbours=0)
    treatise = locate("starter-treatise")
    words = sorted(set(treatise.single().read_text("utf-8").lower().split()))
    vectors = np.random.default_rng(1).normal(size=(len(words), 6)).tolist()
    model = Additive(Space.of(dict(zip(words, vectors, strict=True)), counts=[5] * len(words)))
    first, second = (asked.run(model, [treatise], seed=seed) for seed in (one, other))
    assert (first.items, first.score, first.others) == (second.items, second.score, second.others)
    assert (first.interval, first.baseline) == (second.interval, second.baseline)
