"""Reliability: the cosine to be expected of two vectors that are learned from as much text.

From sums over blocks (paragraphs) of what sentences contribute to a term's vector follows, without
any draw, what infinitely many splits would give. With T_b the sum of block b and n_b its sentences,

    U = (|sum T_b|² - sum |T_b|²) / (n² - sum n_b²)    products of sentences of different blocks
    r = U / (sum |T_b|² / sum n_b²)                    reliability of one block
    k = n² / sum n_b²                                  effective blocks
    R(k) = k r / (1 + (k - 1) r)                       Spearman (1910), Brown (1910)

Within a block sentences are alike for reasons that have nothing to do with the term, so no product
of two of them counts. The interval is a jackknife of log F that leaves one block out at a time,
F = (1 + (k - 1) r) / (1 - r), so that R = 1 - 1/F.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, TypeAlias

import numpy as np

from lydite.types import Floats, Indices, Mask

Verdict: TypeAlias = Literal["consistent", "not consistent", "undecided"]

#: Signal equals noise: half of what two vectors say is the term's own.
EVEN: Final = 0.5
#: "Not consistent" is said of this many sentences: for a term without signal the interval of R
#: does not shrink as text grows.
SIZE: Final = 30
#: Fewer blocks give no interval.
LEAST_BLOCKS: Final = 4
#: So many times the blocks that reach `EVEN` show it in about four of five cases.
SHOWN: Final = 4.0

#: Bounds of r: of -FLOOR / (k - 1), where F has room below 1, and of what F has above.
_FLOOR, _CEILING = 0.9, 1 - 1e-9


@dataclass(frozen=True, kw_only=True, eq=False)
class Blocks:
    """Sums of terms over blocks, b in all."""

    sums: Floats  # (b, d)
    sentences: Floats  # (b,): how many sentences a block has of its term
    term: Indices  # (b,), ascending
    terms: int

    @classmethod
    def of(cls, vectors: Floats, term: Indices, block: Indices, terms: int) -> Blocks:
        """Add up the sentences (n, d) of each term and block; ``term`` ascends.

        >>> blocks = Blocks.of(np.eye(3), np.array([0, 0, 1]), np.array([7, 7, 7]), 2)
        >>> blocks.sums.tolist(), blocks.sentences.tolist(), blocks.term.tolist()
        ([[1.0, 1.0, 0.0], [0.0, 0.0, 1.0]], [2.0, 1.0], [0, 1])
        """
        order = np.lexsort((block, term))
        new = (np.diff(term[order], prepend=-1) != 0) | (np.diff(block[order], prepend=-1) != 0)
        first = np.flatnonzero(new)
        if not len(first):
            return cls(sums=vectors.reshape(0, -1), sentences=np.zeros(0), term=first, terms=terms)
        return cls(
            sums=np.add.reduceat(vectors[order], first, axis=0),
            sentences=np.diff(first, append=len(order)).astype(np.float64),
            term=term[order][first],
            terms=terms,
        )

    @cached_property
    def counts(self) -> Indices:
        """How many blocks each term has, (terms,)."""
        return np.bincount(self.term, minlength=self.terms)


@dataclass(frozen=True, kw_only=True, eq=False)
class Reliability:
    """What the blocks of each term say; arrays (terms,), NaN where there is nothing."""

    block: Floats  # r, of one block
    effective: Floats  # k, effective blocks
    sentences: Floats
    blocks: Indices
    #: The ends of the interval of r; NaN for terms with fewer than `LEAST_BLOCKS`.
    low: Floats
    high: Floats
    #: k blocks together are worth k to this power, which is `effective`; 1 for sums.
    growth: float = 1.0

    @property
    def value(self) -> Floats:
        """R of as much text as there is, from 0."""
        return self.at_blocks(self.block, self.effective)

    @property
    def interval(self) -> tuple[Floats, Floats]:
        """The ends of its interval."""
        ends = (self.at_blocks(end, self.effective) for end in (self.low, self.high))
        return next(ends), next(ends)

    @property
    def known(self) -> Mask:
        """Which terms have a value."""
        return np.isfinite(self.block)

    def at_sentences(self, r: Floats, sentences: Floats | float) -> Floats:
        """Return R of so many sentences, in blocks as full as the term's own; NaN if it has none.

        >>> none_and_two = Blocks.of(np.ones((2, 1)), np.array([1, 1]), np.array([0, 1]), 2)
        >>> reliability(none_and_two).at_sentences(np.array([0.2, 0.2]), 4).round(3).tolist()
        [nan, 0.5]
        """
        own = np.where(self.sentences > 0, self.sentences, np.nan)
        return self.at_blocks(r, self.effective * (sentences / own) ** self.growth)

    @staticmethod
    def at_blocks(r: Floats, k: Floats | float) -> Floats:
        """Return R(k), cut at 0.

        >>> Reliability.at_blocks(np.array([0.2, -0.1]), 4).round(3).tolist()
        [0.5, 0.0]
        """
        positive = np.maximum(r, 0.0)
        return np.asarray(k * positive / (1 + (k - 1) * positive))

    @property
    def verdicts(self) -> list[Verdict]:
        """What the intervals decide: of all the text, and of `SIZE` sentences.

        A term whose vector is likely more signal than noise, by dint of much text, is never called
        not consistent.
        """
        low, _ = self.interval
        high = self.at_sentences(self.high, SIZE)
        return [
            "consistent" if a > EVEN else "not consistent" if b < EVEN > c else "undecided"
            for a, b, c in zip(low.tolist(), high.tolist(), self.value.tolist(), strict=True)
        ]


def reliability(
    blocks: Blocks, *, level: float = 0.95, growth: float = 1.0, block: Floats | None = None
) -> Reliability:
    """Return r, k and the interval of r of each term.

    - ``growth``: k blocks together are worth k to this power; 1 where vectors are sums.
    - ``block``: r of each term where it is better known than from products of single blocks, NaN
      where it is not; the interval lies around it, as wide as that of a sum on the scale of log F.
    """
    term, terms = blocks.term, blocks.terms
    squares = np.einsum("bd,bd->b", blocks.sums, blocks.sums)
    totals = np.zeros((terms, blocks.sums.shape[1]))
    np.add.at(totals, term, blocks.sums)
    whole = _Sums(
        total=np.einsum("td,td->t", totals, totals),
        squares=_by_term(term, squares, terms),
        sentences=_by_term(term, blocks.sentences, terms),
        sizes=_by_term(term, blocks.sentences**2, terms),
    )
    along = np.einsum("bd,bd->b", totals[term], blocks.sums)
    without = _Sums(
        total=np.maximum(whole.total[term] - 2 * along + squares, 0.0),
        squares=whole.squares[term] - squares,
        sentences=whole.sentences[term] - blocks.sentences,
        sizes=whole.sizes[term] - blocks.sentences**2,
    )
    k = np.divide(
        whole.sentences**2, whole.sizes, out=np.full(terms, np.nan), where=whole.sizes > 0
    )
    # Where more text is worth less than a sum makes of it, the interval is that of a sum.
    wide = k ** max(growth, 1.0)
    reach = _jackknife(wide, _bounded(without.block_reliability(), wide[term]), blocks, level)
    k **= growth
    r = whole.block_reliability()
    if block is not None:
        r = np.where(np.isfinite(r) & np.isfinite(block), block, r)
    r = _bounded(r, k)
    z = _log_ratio(r, k)
    low, high = _from_log_ratio(z - reach, k), _from_log_ratio(z + reach, k)
    return Reliability(
        growth=growth,
        block=r,
        effective=k,
        sentences=whole.sentences,
        blocks=blocks.counts,
        low=low,
        high=high,
    )


def _by_term(term: Indices, values: Floats, terms: int) -> Floats:
    return np.asarray(np.bincount(term, weights=values, minlength=terms), dtype=np.float64)


@dataclass(frozen=True)
class _Sums:
    total: Floats  # |sum T_b|²
    squares: Floats  # sum |T_b|²
    sentences: Floats  # n
    sizes: Floats  # sum n_b²

    def block_reliability(self) -> Floats:
        """Return r; NaN where there is one block, or nothing in any."""
        pairs = self.sentences**2 - self.sizes
        known = (pairs > 1e-9) & (self.squares > 0)
        ratio = np.full(len(pairs), np.nan)
        np.divide(self.total - self.squares, self.squares, out=ratio, where=known)
        return np.asarray(ratio * np.where(known, self.sizes / np.where(known, pairs, 1), 1.0))


def _bounded(r: Floats, k: Floats) -> Floats:
    """Keep r where F is above 0 and finite.

    Blocks of one term that point apart give less than any true r could.
    """
    return np.clip(r, -_FLOOR / np.maximum(k - 1, 1e-9), _CEILING)


def _log_ratio(r: Floats, k: Floats) -> Floats:
    return np.asarray(np.log((1 + (k - 1) * r) / (1 - r)))


def _from_log_ratio(z: Floats, k: Floats) -> Floats:
    ratio = np.exp(np.minimum(z, 700.0))
    return np.asarray((ratio - 1) / (ratio + k - 1))


def _jackknife(k: Floats, without: Floats, blocks: Blocks, level: float) -> Floats:
    """Return how far the interval of log F reaches, k held fixed, from r ``without`` each block."""
    from scipy.special import stdtrit

    term, count = blocks.term, blocks.counts
    left = _log_ratio(without, k[term])
    mean = np.divide(
        _by_term(term, left, blocks.terms), count, out=np.zeros(len(k)), where=count > 0
    )
    spread = _by_term(term, (left - mean[term]) ** 2, blocks.terms)
    enough = count >= LEAST_BLOCKS
    free = np.maximum(count - 1, 1)
    error = np.sqrt(np.where(enough, spread * free / np.maximum(count, 1), np.nan))
    return np.asarray(stdtrit(free, (1 + level) / 2) * error)
