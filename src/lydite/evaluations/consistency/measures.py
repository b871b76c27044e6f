"""How alike the vectors are that were learned of one term: cosine, identification and ranks.

All measures are about pairs of vectors (a1, a2) of one term, learned from different samples.
Identification is the place of a2 among the second vectors of all terms, by cosine to a1; it still
tells learners apart where cosines and ranks sit at their ceiling. The background is gone through
once for all ranks: of the other vectors of a term, of its own word, of vectors of other terms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from lydite.models.contexts import learn_all
from lydite.progress import Progress, silent
from lydite.spaces.cosine import exact_cosine
from lydite.spaces.neighbours import cosine_ranks_of_vectors
from lydite.spaces.space import Space
from lydite.types import Context, Floats, Indices, Mask, Vectors


@dataclass(frozen=True, kw_only=True, eq=False)
class SampleVectors:
    """What was learned from the samples of terms."""

    vectors: Vectors  # (n, d), one for each sample that something could be learned from
    term: Indices  # (n,): the number of its term
    sample: Indices  # (n,): which of the term's samples it is
    terms: int

    def pairs(self) -> tuple[Indices, Indices]:
        """Return all pairs of vectors of one term, as two arrays of places, the first lower."""
        order = np.lexsort((self.sample, self.term))
        counts = np.bincount(self.term, minlength=self.terms)
        starts = np.cumsum(counts) - counts
        first, second = [], []
        for size in np.unique(counts[counts > 1]).tolist():
            i, j = np.triu_indices(size, k=1)
            begin = starts[counts == size][:, None]
            first.append(order[(begin + i).ravel()])
            second.append(order[(begin + j).ravel()])
        if not first:
            return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
        return np.concatenate(first), np.concatenate(second)


def pair_cosines(learnt: SampleVectors, first: Indices, second: Indices) -> Floats:
    """Return the cosine of each pair."""
    return exact_cosine(learnt.vectors[first], learnt.vectors[second])


@dataclass(frozen=True, kw_only=True, eq=False)
class Identification:
    """Places of terms' own second vectors among those of all terms."""

    term: Indices  # (k,): of which term, once for each ordered pair of its samples
    place: Floats  # (k,): 1 where the own one is nearest; ties at their mean
    # (k,): 1 / place; where it is tied, the mean over the places that it may take, so that vectors
    # that are all alike score as blind choice does, not worse.
    reciprocal: Floats
    rivals: Indices  # (k,): among how many vectors, the own one included
    # Cosines of first with second vectors, for each ordered pair of samples: the terms, a matrix.
    tables: tuple[tuple[Indices, Floats], ...]

    @property
    def weight(self) -> Floats:
        """Shape (k,): what each choice counts in a mean over terms of means over their choices."""
        counts = np.bincount(self.term)
        return np.asarray(1 / (counts[self.term] * (counts > 0).sum()))

    @property
    def chance(self) -> float:
        """The mean reciprocal place of blind choice: H(n) / n among n vectors."""
        harmonic = _harmonic(int(self.rivals.max(initial=1)))
        return float((harmonic[self.rivals] / self.rivals) @ self.weight)


def identify(learnt: SampleVectors) -> Identification:
    """Look for each term's second vector among those of all terms, for all pairs of samples."""
    units = learnt.vectors.astype(np.float64)
    units /= np.sqrt((units * units).sum(axis=1, keepdims=True))
    samples = np.unique(learnt.sample).tolist()
    tables: list[tuple[Indices, Floats]] = []
    for one, other in combinations(samples, 2):
        rows, columns, shared = _both(learnt, one, other)
        if len(shared) > 1:
            table = units[rows] @ units[columns].T
            tables += [(shared, table), (shared, table.T)]
    none = np.empty((2, 0), dtype=np.int64)
    ahead, tied = np.concatenate([none, *(_around_diagonal(table) for _, table in tables)], axis=1)
    sizes = np.array([len(shared) for shared, _ in tables], dtype=np.int64)
    return Identification(
        term=np.concatenate([none[0], *(shared for shared, _ in tables)]),
        place=1.0 + ahead + tied / 2,
        reciprocal=_mean_reciprocal(ahead, tied),
        rivals=np.repeat(sizes, sizes),
        tables=tuple(tables),
    )


def _both(learnt: SampleVectors, one: int, other: int) -> tuple[Indices, Indices, Indices]:
    """Return the rows of the terms that have both samples, and the terms."""
    places = np.full((2, learnt.terms), -1, dtype=np.int64)
    for side, sample in enumerate((one, other)):
        rows = np.flatnonzero(learnt.sample == sample)
        places[side, learnt.term[rows]] = rows
    shared = np.flatnonzero((places >= 0).all(axis=0))
    return places[0, shared], places[1, shared], shared


def _around_diagonal(table: Floats) -> Indices:
    """Count the cells of each row that are larger than its diagonal one, and equal to it, (2, n).

    >>> _around_diagonal(np.array([[0.9, 0.1], [0.5, 0.5]])).tolist()
    [[0, 0], [0, 1]]
    """
    own = np.diag(table)[:, None]
    # A vector that is copied under another term has the same cosine but for rounding.
    equal = np.abs(table - own) <= 1e-12
    return np.stack([((table > own) & ~equal).sum(axis=1), equal.sum(axis=1) - 1])


def _mean_reciprocal(ahead: Indices, tied: Indices) -> Floats:
    """Return the mean of 1 / place over the places behind ``ahead`` that ``tied`` others share."""
    harmonic = _harmonic(int((ahead + tied).max(initial=0)) + 1)
    mean = (harmonic[ahead + tied + 1] - harmonic[ahead]) / (tied + 1)
    return np.where(tied == 0, 1 / (1 + ahead), mean)


def _harmonic(n: int) -> Floats:
    """Return the harmonic numbers from H(0) = 0 to H(n)."""
    return np.concatenate([[0.0], np.cumsum(1 / np.arange(1, n + 1))])


def shuffled_reciprocals(identification: Identification, draws: int, seed: int) -> Floats:
    """Return the mean reciprocal place when second vectors are dealt out to terms at random."""
    generator = np.random.default_rng(seed)
    totals, start = np.zeros(draws), 0
    for terms, table in identification.tables:
        rows = np.arange(len(terms))
        reciprocal = np.empty(table.shape)
        order = np.argsort(-table, axis=1, kind="stable")
        np.put_along_axis(reciprocal, order, 1 / (rows[None] + 1.0), axis=1)
        weight = identification.weight[start : start + len(terms)]
        for draw in range(draws):
            totals[draw] += weight @ reciprocal[rows, generator.permutation(len(terms))]
        start += len(terms)
    return totals


def different_cosines(identification: Identification, draws: int, seed: int) -> Floats:
    """Return the mean cosine when each term gets the second vector of another one."""
    generator = np.random.default_rng(seed)
    totals, start = np.zeros(draws), 0
    for terms, table in identification.tables:
        rows = np.arange(len(terms))
        weight = identification.weight[start : start + len(terms)]
        for draw, shift in enumerate(generator.integers(1, len(terms), size=draws).tolist()):
            totals[draw] += weight @ table[rows, np.roll(rows, shift)]
        start += len(terms)
    return totals


def means_by_term(term: Indices, values: Floats, terms: int) -> tuple[Floats, Mask]:
    """Return the mean of values by term, (terms,), and which terms have any."""
    counts = np.bincount(term, minlength=terms)
    sums = np.bincount(term, weights=values, minlength=terms)
    have = counts > 0
    return np.divide(sums, counts, out=np.full(terms, np.nan), where=have), have


@dataclass(frozen=True, kw_only=True, eq=False)
class Ranks:
    """Places among all words of the background, 1 being the nearest; ties at their mean."""

    # (2, p), of the pairs of vectors of one term: of a2 seen from a1, and of a1 from a2.
    pairs: Floats
    # (n,): of the term's own word seen from each learned vector; NaN where there is none.
    own: Floats
    different: Floats  # (k,): of vectors of one term seen from vectors of another


@dataclass(frozen=True, kw_only=True, eq=False)
class _Question:
    """Vectors whose place is asked for, seen from learned ones, and the words they are of."""

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
    """Rank what was learned of terms in the background.

    ``own``, (terms,), has the row of each term's own word, -1 for none. Of ``draws`` pairs of
    vectors drawn at random, those of different terms are ranked.
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


@dataclass(frozen=True, kw_only=True, eq=False)
class Measured:
    """The measures of all terms."""

    learnt: SampleVectors
    background: Space | None
    # (terms,): the context words that went into a vector of a term, on average.
    used: Floats

    @cached_property
    def pairs(self) -> tuple[Indices, Indices]:
        """All pairs of vectors of one term."""
        return self.learnt.pairs()

    @cached_property
    def pair_terms(self) -> Indices:
        """The term of each pair."""
        return self.learnt.term[self.pairs[0]]

    @cached_property
    def cosines(self) -> Floats:
        """The cosine of each pair."""
        return pair_cosines(self.learnt, *self.pairs)

    @cached_property
    def identification(self) -> Identification:
        """The places of second vectors among those of all terms."""
        return identify(self.learnt)

    @property
    def covered(self) -> Mask:
        """Which terms have at least two vectors."""
        return np.bincount(self.pair_terms, minlength=self.learnt.terms) > 0

    def by_term(self, pairs: Floats) -> Floats:
        """Return the mean of a measure of pairs, (pairs,) or (2, pairs), by term; NaN for none."""
        values = pairs.mean(axis=0) if pairs.ndim == 2 else pairs
        return means_by_term(self.pair_terms, values, self.learnt.terms)[0]

    @cached_property
    def places(self) -> tuple[Floats, Mask]:
        """The mean place of each term in identification, and which terms have one."""
        found = self.identification
        return means_by_term(found.term, found.place, self.learnt.terms)

    @cached_property
    def reciprocals(self) -> Floats:
        """The mean reciprocal place of each term in identification, NaN where there is none."""
        found = self.identification
        return means_by_term(found.term, found.reciprocal, self.learnt.terms)[0]


def measure(
    learner: object, samples: Sequence[Sequence[Sequence[Context]]], *, seed: int
) -> Measured:
    """Learn one vector per sample of each term."""
    flat = [sample for term in samples for sample in term]
    term = np.repeat(np.arange(len(samples)), [len(each) for each in samples])
    number = np.concatenate([np.arange(len(each)) for each in samples])
    learnt = learn_all(learner, flat, seed=seed)
    kept = np.flatnonzero(learnt.learned)
    counts = np.maximum(np.bincount(term, minlength=len(samples)), 1)
    return Measured(
        learnt=SampleVectors(
            vectors=learnt.vectors[kept], term=term[kept], sample=number[kept], terms=len(samples)
        ),
        background=learnt.background,
        used=np.bincount(term, weights=learnt.used, minlength=len(samples)) / counts,
    )
