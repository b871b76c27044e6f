"""The places of vectors among all words of the background, by cosine to what was learnt.

Three things are asked of each learnt vector: how near the others of its term are, how near the
term's own word is, and how near vectors of other terms are. The background is gone through once
for all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lydite.evaluations.consistency.measures import SampleVectors
from lydite.spaces.ranks import cosine_ranks_of_vectors
from lydite.spaces.space import Space
from lydite.types import Floats, Indices, Progress, Vectors, silent


@dataclass(frozen=True, kw_only=True, eq=False)
class Ranks:
    """Places among all words of the background, 1 being the nearest; ties at their mean.

    Attributes
    ----------
    pairs
        Shape (2, p), of the pairs of vectors of one term: of a2 seen from a1, and of a1 from a2.
    own
        Shape (n,): of the term's own word seen from each learnt vector; NaN where there is none.
    different
        Shape (k,): of vectors of one term seen from vectors of another.
    """

    pairs: Floats
    own: Floats
    different: Floats


@dataclass(frozen=True, kw_only=True, eq=False)
class _Question:
    """Vectors whose place is asked for, seen from learnt ones, and the words they are of."""

    seen_from: Indices
    vectors: Vectors
    word: Indices


def ranks_in(
    background: Space,
    learnt: SampleVectors,
    *,
    own: Indices | None = None,
    draws: int = 0,
    seed: int = 0,
    progress: Progress = silent,
) -> Ranks:
    """Rank what was learnt of terms in the background.

    Parameters
    ----------
    background
        The words.
    learnt
        n vectors.
    own
        Shape (terms,): the row of each term's own word, -1 for none.
    draws, seed
        How many pairs of vectors to draw; those of different terms are ranked.
    """
    first, second = learnt.pairs()
    pairs = _vectors(learnt, np.concatenate([first, second]), np.concatenate([second, first]))
    rows = np.full(learnt.terms, -1) if own is None else own
    kept = np.flatnonzero(rows[learnt.term] >= 0)
    words = rows[learnt.term[kept]]
    their_own = _Question(seen_from=kept, vectors=background.vectors[words], word=words)
    different = _vectors(learnt, *_of_different_terms(learnt, draws, seed))
    answers = _answer(background, learnt, [pairs, their_own, different], progress)
    found = np.full(len(learnt.term), np.nan)
    found[kept] = answers[1]
    return Ranks(pairs=answers[0].reshape(2, -1), own=found, different=answers[2])


def _vectors(learnt: SampleVectors, seen_from: Indices, targets: Indices) -> _Question:
    none = np.full(len(targets), -1)
    return _Question(seen_from=seen_from, vectors=learnt.vectors[targets], word=none)


def _of_different_terms(learnt: SampleVectors, draws: int, seed: int) -> tuple[Indices, Indices]:
    generator = np.random.default_rng(seed)
    first, second = generator.integers(len(learnt.term), size=(2, draws))
    other = learnt.term[first] != learnt.term[second]
    return first[other], second[other]


def _answer(
    background: Space, learnt: SampleVectors, questions: Sequence[_Question], progress: Progress
) -> list[Floats]:
    seen_from = np.concatenate([each.seen_from for each in questions])
    order = np.argsort(seen_from, kind="stable")
    ranks = np.empty(len(order))
    ranks[order] = cosine_ranks_of_vectors(
        background.vectors,
        learnt.vectors,
        np.concatenate([each.vectors for each in questions])[order],
        query_of=seen_from[order],
        exclude=np.concatenate([each.word for each in questions])[order, None],
        progress=progress,
    )
    ends = np.cumsum([len(each.seen_from) for each in questions])
    return np.split(ranks, ends[:-1])


def drawn_reciprocals(ranks: Floats, pairs: int, draws: int, seed: int) -> Floats:
    """Return the mean reciprocal rank of so many pairs, drawn again and again.

    Ranks cost too much to be taken anew each time: all draws are made from one lot of pairs.
    """
    generator = np.random.default_rng(seed)
    size = (draws, min(pairs, len(ranks)))
    return np.asarray(generator.choice(1 / ranks, size=size).mean(axis=1))
