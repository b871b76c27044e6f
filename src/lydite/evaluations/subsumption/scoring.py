"""From vectors to scores: similarities of triples, and which conditions they keep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from lydite.evaluations.subsumption.measures import Measure
from lydite.lexicons.taxonomies.lists import Lists
from lydite.spaces.vocabulary import bounds
from lydite.stats.bootstrap import Interval
from lydite.stats.crossed import crossed_intervals
from lydite.types import Floats, Indices, Mask

#: Differences below this share of the similarities and their unit are rounding: they are equal.
_ROUNDING = 1e-12

#: Draws of the baseline, and up to how many words all similarities are computed once for all draws.
_DRAWS = 200
_ALL_AT_ONCE = 4000
_DRAWS_OF_MANY = 40


@dataclass(frozen=True, kw_only=True, eq=False)
class Similarities:
    """The three similarities of n triples, NaN where a triple is not covered; see `Measure`."""

    ab: Floats
    bc: Floats
    ac: Floats
    unit: float = 0.0

    @property
    def covered(self) -> Mask:
        """Which triples have all three."""
        return np.isfinite(self.ab) & np.isfinite(self.bc) & np.isfinite(self.ac)

    def kept(self) -> Kept:
        """Tell which triples keep which condition: sim(A, B) or sim(B, C) >= sim(A, C)."""
        simple = self._at_least(self.ab, self.ac)
        reverse = self._at_least(self.bc, self.ac)
        return Kept(subsumption=simple, reverse=reverse)

    def _at_least(self, near: Floats, far: Floats) -> Mask:
        rounding = _ROUNDING * (np.abs(near) + np.abs(far) + self.unit)
        return np.asarray(near - far >= -rounding)


@dataclass(frozen=True, kw_only=True, eq=False)
class Kept:
    """Which of n triples keep subsumption, and reverse subsumption."""

    subsumption: Mask
    reverse: Mask

    @property
    def both(self) -> Mask:
        """Which keep both."""
        return self.subsumption & self.reverse


@dataclass(frozen=True, kw_only=True, eq=False)
class TriplePairs:
    """The pairs of words that triples are made of; most stand in several triples.

    Attributes
    ----------
    left, right
        The pairs, each once, as rows of vectors.
    places
        Shape (3, n): which pairs are A-B, B-C and A-C of the triples.
    """

    left: Indices
    right: Indices
    places: Indices

    @classmethod
    def of(cls, triples: Indices) -> TriplePairs:
        """Take triples (n, 3) apart."""
        a, b, c = triples.T
        span = int(triples.max(initial=0)) + 1
        numbers = np.stack([a, b, a]) * span + np.stack([b, c, c])
        pairs, places = np.unique(numbers, return_inverse=True)
        left, right = np.divmod(pairs, span)
        return cls(left=left, right=right, places=places.reshape(numbers.shape))

    def similarities(self, vectors: Floats, found: Mask, measure: Measure) -> Similarities:
        """Compute the similarities of the triples.

        Parameters
        ----------
        vectors, found
            Shape (m, d) and (m,): the vectors of words, and which words have one.
        measure
            The similarity.
        """
        each = measure.of_pairs(vectors, self.left, self.right)
        each[~(found[self.left] & found[self.right])] = np.nan
        ab, bc, ac = each[self.places]
        return Similarities(ab=ab, bc=bc, ac=ac, unit=measure.unit)


def triple_similarities(
    vectors: Floats, found: Mask, triples: Indices, measure: Measure
) -> Similarities:
    """Compute the similarities of triples (n, 3), whose words are rows of ``vectors``."""
    return TriplePairs.of(triples).similarities(vectors, found, measure)


def centroids(vectors: Floats, found: Mask, members: Lists) -> tuple[Floats, Mask]:
    """Return the mean of the vectors found of each group of words, and which groups have one.

    >>> found = np.array([True, True, False])
    >>> centroids(np.array([[2.0], [4.0], [9.0]]), found, Lists.of([[0, 1], [2]]))
    (array([[3.], [0.]]), array([ True, False]))
    """
    from scipy.sparse import csr_array

    kept = found[members.items]
    counts = np.bincount(members.owners()[kept], minlength=len(members))
    # The same sums as by group, in the same order, in a quarter of the time of np.add.reduceat.
    ones = np.ones(int(counts.sum()))
    shape = (len(members), len(vectors))
    which = csr_array((ones, members.items[kept], bounds(counts.astype(np.int64))), shape=shape)
    sums = np.asarray(which @ vectors, dtype=np.float64)
    means = np.divide(sums, counts[:, None], out=sums, where=counts[:, None] > 0)
    return means, (counts > 0) & means.any(axis=1)


def share_intervals(kept: Mask, a: Indices, c: Indices | None, seed: int) -> list[Interval]:
    """Return the intervals of shares of triples.

    Triples of one A are anything but independent, and no more are those of one C: words A and words
    C are drawn as a whole. Where all triples, or none, keep a condition, a bootstrap would see no
    uncertainty: then the interval is the exact one of as many independent trials as there are words
    A (Clopper & Pearson 1934).

    Parameters
    ----------
    kept
        Shape (n, m): which of m conditions each triple keeps.
    a, c
        Shape (n,): the words A and C as numbers; None takes the words C for fixed.
    seed
        Of the draws.
    """
    words = len(np.unique(a))
    fixed = np.zeros(len(kept), dtype=np.int64) if c is None else c
    drawn = crossed_intervals(kept, a, fixed, seed=seed)
    method = "clustered" if c is None else "crossed"
    return [
        _at_the_end(float(share), words) or replace(interval, method=method)
        for share, interval in zip(kept.mean(axis=0), drawn, strict=True)
    ]


def _at_the_end(share: float, trials: int) -> Interval | None:
    end = 0.025 ** (1 / trials)
    if share not in {0.0, 1.0}:
        return None
    low, high = (end, 1.0) if share else (0.0, 1 - end)
    return Interval(low=low, high=high, level=0.95, method="exact")


def shuffled_shares(
    vectors: Floats, found: Mask, triples: Indices, measure: Measure, seed: int
) -> Mapping[str, Floats]:
    """Return the shares of triples that keep each condition when words swap their vectors.

    The vectors stay what they are, so that a space whose vectors all point one way is compared
    with a shuffled space of the same shape.
    """
    generator = np.random.default_rng(seed)
    triples = triples[found[triples].all(axis=1)]
    used, places = np.unique(triples, return_inverse=True)
    places = places.reshape(triples.shape)
    few = len(used) <= _ALL_AT_ONCE
    table = measure.of_all(vectors[used]) if few else None
    drawn = []
    for _ in range(_DRAWS if few else _DRAWS_OF_MANY):
        a, b, c = generator.permutation(len(used))[places].T
        if table is not None:
            similarities = Similarities(
                ab=table[a, b], bc=table[b, c], ac=table[a, c], unit=measure.unit
            )
        else:
            similarities = triple_similarities(
                vectors[used], np.ones(len(used), np.bool_), np.stack([a, b, c], axis=1), measure
            )
        drawn.append(_shares(similarities))
    return _gathered(drawn)


def random_shares(triples: Indices, seed: int) -> Mapping[str, Floats]:
    """Return the shares when every pair of words has a random similarity."""
    generator = np.random.default_rng(seed)
    pairs = triples[:, [[0, 1], [1, 2], [0, 2]]] @ [int(triples.max(initial=0)) + 1, 1]
    each, places = np.unique(pairs, return_inverse=True)
    places = places.reshape(pairs.shape)
    drawn = []
    for _ in range(_DRAWS):
        ab, bc, ac = generator.random(len(each))[places].T
        drawn.append(_shares(Similarities(ab=ab, bc=bc, ac=ac)))
    return _gathered(drawn)


def _shares(similarities: Similarities) -> dict[str, float]:
    kept = similarities.kept()
    return {
        "subsumption": float(kept.subsumption.mean()),
        "reverse": float(kept.reverse.mean()),
        "both": float(kept.both.mean()),
    }


def _gathered(drawn: Sequence[Mapping[str, float]]) -> Mapping[str, Floats]:
    return {name: np.array([each[name] for each in drawn]) for name in drawn[0]}
