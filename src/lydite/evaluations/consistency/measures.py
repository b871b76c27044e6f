"""How alike the vectors are that were learnt of one term: cosine and identification.

All measures are about pairs of vectors (a1, a2) of the same term, learnt from different samples.

- **cosine**: cos(a1, a2).
- **identification**: the place of a2 among the second vectors of all terms, by cosine to a1. It
  still tells learners apart where cosines and ranks sit at their ceiling.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from lydite.spaces.cosine import exact_cosine
from lydite.types import Floats, Indices, Mask, Vectors


@dataclass(frozen=True, kw_only=True, eq=False)
class SampleVectors:
    """What was learnt from the samples of terms.

    Attributes
    ----------
    vectors
        Shape (n, d), one a sample that something could be learnt from.
    term
        Shape (n,): the number of its term.
    sample
        Shape (n,): which of the term's samples it is.
    terms
        How many terms there are.
    """

    vectors: Vectors
    term: Indices
    sample: Indices
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
    """Places of terms' own second vectors among those of all terms.

    Attributes
    ----------
    term
        Shape (k,): of which term, once for each ordered pair of its samples.
    place
        Shape (k,): 1 where the own one is nearest; ties at their mean.
    reciprocal
        Shape (k,): 1 / place; where it is tied, the mean over the places that it may take, so that
        vectors that are all alike score as blind choice does, not worse.
    rivals
        Shape (k,): among how many vectors, the own one included.
    tables
        The cosines of first with second vectors, one table an ordered pair of samples: the terms,
        and a square matrix.
    """

    term: Indices
    place: Floats
    reciprocal: Floats
    rivals: Indices
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
