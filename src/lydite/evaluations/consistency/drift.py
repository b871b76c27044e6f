"""Drift: whether a term is used otherwise in one part of a text than in another.

The obvious test compares the vectors of a term in two halves of a book, and shuffles its sentences.
It finds a dozen terms in any book, and as many where there is no term at all: places at which
nothing in particular stands, as far apart as those of a term. What it finds is that the book goes
on to other topics. So here a sentence counts by what it adds beyond the hundred sentences on either
side of it, and whole paragraphs are shuffled, whose sentences belong together. Beside the terms
found stand the pseudo-terms found: a term's places, shifted round the text.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import ClassVar, Final, Literal, TypeAlias

import numpy as np

from lydite.compiled import compiled
from lydite.corpora.running_text import RunningText
from lydite.errors import InputError
from lydite.evaluations.consistency.judgement import moves_of
from lydite.evaluations.consistency.reliability import Blocks
from lydite.models.contributions import Contributions
from lydite.results.details import Details
from lydite.stats.multiple import benjamini_hochberg
from lydite.types import Floats, Indices, Mask, Plain

By: TypeAlias = Literal["halves", "chapters", "works"]

#: Terms that are told, the clearest first; all that were found are.
_TOLD = 30

#: The share of false finds that is allowed for among the terms found, and the level of one test.
FALSE_FINDS: Final = 0.1
LEVEL: Final = 0.05
#: A part of a text counts for a term that has so many paragraphs in it.
LEAST_BLOCKS: Final = 2
#: Where the first draws give a p below this, more are made; where the adjusted p is within so many
#: standard errors of the draws from `FALSE_FINDS`, many more.
_CLOSE: Final = 0.02
_NARROW: Final = 3.0
#: The draws have a seed of their own: no seed of the user's changes what is found.
_INNER_SEED: Final = 2019
#: How often all places are shifted round the text.
SHIFTS: Final = 20


@dataclass(frozen=True, kw_only=True)
class Draws:
    """How many ways to deal paragraphs to parts are tried."""

    exact: int  # where two parts have no more, all of them are
    first: int
    close: int  # where the first might decide
    narrow: int  # where these might, too


#: Enough that the chance of the draws decides nothing, and enough for shares of many terms.
OF_TERMS: Final = Draws(exact=5_000, first=1_999, close=49_999, narrow=299_999)
OF_PSEUDO_TERMS: Final = Draws(exact=1_000, first=499, close=4_999, narrow=0)


def parts_of(text: RunningText, by: By) -> Indices:
    """Return the part of each sentence, (s,), from 0.

    Halves divide at the paragraph nearest to the middle.
    """
    if by == "works":
        parts, lacking = text.work, "a single file"
    elif by == "chapters":
        parts, lacking = text.chapter, "a single chapter"
    else:
        parts, lacking = _halves(text), "a single paragraph"
    if not text.in_order or not len(text) or parts[0] == parts[-1]:
        raise InputError(
            f"drift needs parts to compare, got {lacking if text.in_order else 'saved samples'}",
            hint="give the text itself with --drift halves, which need no headings, or several "
            "files with --drift works",
        )
    return np.asarray(np.unique(parts, return_inverse=True)[1])


def _halves(text: RunningText) -> Indices:
    begins = np.flatnonzero(np.diff(text.paragraph) > 0) + 1
    if not len(begins):
        return np.zeros(len(text), dtype=np.int64)
    cut = begins[np.abs(begins - len(text) / 2).argmin()]
    return np.asarray(np.arange(len(text)) >= cut, dtype=np.int64)


@dataclass(frozen=True, kw_only=True, eq=False)
class Drift:
    """How far apart the parts of each term are; arrays (terms,), NaN where too little is known."""

    p: Floats
    #: The share of what paragraphs differ by that lies between parts, less what chance makes of it.
    share: Floats
    parts: Indices  # how many parts were compared
    blocks: Indices  # and how many paragraphs

    @property
    def tested(self) -> Mask:
        """Which terms have enough paragraphs in two parts that a test can find anything."""
        return np.isfinite(self.p)

    @property
    def adjusted(self) -> Floats:
        """P-values by Benjamini and Hochberg over the terms that were tested."""
        found = np.full(len(self.p), np.nan)
        if self.tested.any():
            found[self.tested] = benjamini_hochberg(self.p[self.tested])
        return found

    @property
    def found(self) -> Mask:
        """Which terms drift, at most `FALSE_FINDS` of them falsely in the long run."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self.adjusted <= FALSE_FINDS)


def drift(
    contributions: Contributions,
    parts: Indices,
    *,
    draws: Draws = OF_TERMS,
    seed: int = _INNER_SEED,
) -> Drift:
    """Test for each term whether its paragraphs in different parts differ more than by chance.

    ``parts``, (s,), is the part of each sentence of the text. With T_p the sum and n_p the number
    of a term's sentences in part p, the statistic is sum |T_p|² / n_p: of two parts,
    n_1 n_2 / n times the squared distance of their means, but for a constant. Under no drift
    the paragraphs may be dealt to parts in any other way.
    """
    blocks = Blocks.of(
        contributions.beyond_passage, contributions.term, contributions.block, contributions.terms
    )
    part = _part_of_blocks(contributions, parts)
    starts = np.searchsorted(blocks.term, np.arange(blocks.terms + 1)).tolist()
    tests = [
        _Test.of(blocks.sums[a:b], blocks.sentences[a:b], part[a:b], draws)
        for a, b in pairwise(starts)
    ]
    found = Drift(
        p=np.array([each.p(draws, seed) for each in tests]),
        share=np.array([each.share for each in tests]),
        parts=np.array([each.parts for each in tests], dtype=np.int64),
        blocks=np.array([len(each.sizes) for each in tests], dtype=np.int64),
    )
    return _sharpened(found, tests, draws, seed) if draws.narrow else found


def _sharpened(found: Drift, tests: Sequence[_Test], draws: Draws, seed: int) -> Drift:
    """Draw again for the terms of which the first draws do not surely tell."""
    adjusted, p = found.adjusted, found.p.copy()
    for term, test in enumerate(tests):
        if not test.testable or test.every is not None:
            continue
        drawn = draws.close if p[term] < _CLOSE else draws.first
        error = math.sqrt((1 - p[term]) / (p[term] * drawn))
        if abs(math.log(adjusted[term] / FALSE_FINDS)) < _NARROW * error:
            p[term] = test.drawn_p(draws.narrow, seed)
    return replace(found, p=p)


def _part_of_blocks(contributions: Contributions, parts: Indices) -> Indices:
    """Return the part of each block, in the order of `Blocks.of`: that of its first sentence."""
    term, block = contributions.term, contributions.block
    order = np.lexsort((block, term))
    new = (np.diff(term[order], prepend=-1) != 0) | (np.diff(block[order], prepend=-1) != 0)
    return np.asarray(parts[contributions.sentence[order][new]])


@dataclass(frozen=True, kw_only=True, eq=False)
class _Test:
    """The paragraphs of a term, in parts that have enough of them."""

    sums: Floats  # (b, r), in dimensions of their own
    sizes: Floats  # (b,)
    part: Indices  # (b,)
    parts: int
    every: Floats | None  # the statistic of all ways to deal them, if these are few

    @classmethod
    def of(cls, sums: Floats, sizes: Floats, part: Indices, draws: Draws) -> _Test:
        names, counts = np.unique(part, return_counts=True)
        # The largest part comes first: what is dealt to it is what the others leave.
        order = np.argsort(-counts, kind="stable")
        names = names[order][counts[order] >= LEAST_BLOCKS]
        kept = np.isin(part, names)
        sums, sizes = sums[kept], sizes[kept]
        part = np.argmax(part[kept, None] == names, axis=1) if len(names) else part[kept]
        if len(names) > 1:
            # Lengths and products alone matter: b paragraphs need no more than b dimensions.
            sums = np.ascontiguousarray(np.linalg.qr(sums.T)[1].T)
        few = len(names) == 2 and _arrangements(np.bincount(part)) <= draws.exact
        every = _between(sums, sizes, _all_labels(*np.bincount(part))) if few else None
        return cls(sums=sums, sizes=sizes, part=part, parts=len(names), every=every)

    @property
    def testable(self) -> bool:
        """Whether the least p that there could be is small enough to find anything."""
        return self.parts > 1 and _ways(np.bincount(self.part)) * LEVEL >= 1

    @property
    def observed(self) -> float:
        return float(_between(self.sums, self.sizes, self.part[None])[0])

    def p(self, draws: Draws, seed: int) -> float:
        if not self.testable:
            return math.nan
        if self.every is not None:
            return float((self.every >= self._bar).mean())
        p = self.drawn_p(draws.first, seed)
        return self.drawn_p(draws.close, seed) if p < _CLOSE else p

    def drawn_p(self, count: int, seed: int) -> float:
        null = np.empty(count)
        deal(self.sums, self.sizes, self.part, self.parts, np.uint64(seed), null)
        return (1 + int((null >= self._bar).sum())) / (1 + count)

    @property
    def _bar(self) -> float:
        # Equal up to rounding counts as reached.
        return self.observed * (1 - 1e-9)

    @property
    def share(self) -> float:
        """How much of what paragraphs differ by lies between parts, beyond what chance puts there.

        The expected statistic is that of paragraphs of one size: (P - 1) of b - 1 parts of the
        whole lie between P parts by chance.
        """
        if not self.testable:
            return math.nan
        total = self.sums.sum(axis=0)
        fixed = float(total @ total) / float(self.sizes.sum())
        whole = float((np.einsum("bd,bd->b", self.sums, self.sums) / self.sizes).sum()) - fixed
        free = (self.parts - 1) / (len(self.sizes) - 1)
        if whole <= 0 or free >= 1:
            return 0.0
        return ((self.observed - fixed) / whole - free) / (1 - free)


def _arrangements(counts: Indices) -> int:
    """Return in how many ways blocks can be dealt to parts of so many blocks."""
    ways, left = 1, int(counts.sum())
    for count in counts.tolist():
        ways *= math.comb(left, count)
        left -= count
    return ways


def _ways(counts: Indices) -> int:
    """Return how many of these differ: equally large parts may change names."""
    alike = np.unique(counts, return_counts=True)[1]
    return _arrangements(counts) // math.prod(math.factorial(int(each)) for each in alike)


def _all_labels(first: int, second: int) -> Indices:
    """Return all ways to deal blocks to two parts, (ways, blocks)."""
    chosen = np.array(list(combinations(range(first + second), second)), dtype=np.int64)
    labels = np.zeros((len(chosen), first + second), dtype=np.int64)
    np.put_along_axis(labels, chosen, 1, axis=1)
    return labels


def _between(sums: Floats, sizes: Floats, labels: Indices) -> Floats:
    """Return sum |T_p|² / n_p for each way to deal blocks to parts, (ways,)."""
    parts = np.arange(labels[0].max() + 1)
    own = (labels[:, None, :] == parts[:, None]).astype(np.float64)
    added = own @ sums
    return np.asarray((np.einsum("wpd,wpd->wp", added, added) / (own @ sizes)).sum(axis=1))


@compiled(lambda t: t.void(t.f8[:, ::1], t.f8[::1], t.i8[::1], t.i8, t.u8, t.f8[::1]))
def deal(
    sums: Floats, sizes: Floats, part: Indices, parts: int, seed: np.uint64, found: Floats
) -> None:
    """Write sum |T_p|² / n_p of as many random ways to deal blocks to parts as there is room.

    What the first part gets is what the others leave.
    """
    blocks, dimensions = sums.shape
    label = part.copy()
    whole, size = np.zeros(dimensions), 0.0
    for block in range(blocks):
        size += sizes[block]
        for dimension in range(dimensions):
            whole[dimension] += sums[block, dimension]
    added = np.empty((parts, dimensions))
    counted = np.empty(parts)
    state = seed
    for draw in range(len(found)):
        added[:] = 0.0
        counted[:] = 0.0
        for block in range(blocks - 1, -1, -1):
            # splitmix64, then the place of the one to be dealt next (Fisher & Yates).
            state += np.uint64(0x9E3779B97F4A7C15)
            bits = state
            bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            bits = (bits ^ (bits >> np.uint64(31))) >> np.uint64(32)
            other = np.int64((bits * np.uint64(block + 1)) >> np.uint64(32))
            label[block], label[other] = label[other], label[block]
            own = label[block]
            if own:
                counted[own] += sizes[block]
                for dimension in range(dimensions):
                    added[own, dimension] += sums[block, dimension]
        total, left = 0.0, size
        for own in range(1, parts):
            squared = 0.0
            for dimension in range(dimensions):
                squared += added[own, dimension] ** 2
                added[0, dimension] += added[own, dimension]
            total += squared / counted[own]
            left -= counted[own]
        squared = 0.0
        for dimension in range(dimensions):
            squared += (whole[dimension] - added[0, dimension]) ** 2
        found[draw] = total + squared / left


@dataclass(frozen=True, kw_only=True, eq=False)
class PseudoTerms:
    """What the same test finds where there are no terms."""

    false_positives: float  # the share of pseudo-terms with p of at most `LEVEL`
    found: float  # how many drift, on average over shifts
    tested: float  # of how many
    most: int  # the most that were found after one shift


def pseudo_terms(
    contributions: Contributions, parts: Indices, *, shifts: int = SHIFTS, seed: int = _INNER_SEED
) -> PseudoTerms:
    """Test the places of all terms after they were shifted round the text, evenly many times."""
    made = [
        drift(contributions.moved(places), parts, draws=OF_PSEUDO_TERMS, seed=seed)
        for places in moves_of(contributions.text, shifts)
    ]
    p = np.concatenate([each.p[each.tested] for each in made]) if made else np.zeros(0)
    found = [int(each.found.sum()) for each in made] or [0]
    return PseudoTerms(
        false_positives=float((p <= LEVEL).mean()) if len(p) else math.nan,
        found=float(np.mean(found)),
        tested=len(p) / max(len(made), 1),
        most=max(found),
    )


@dataclass(frozen=True, kw_only=True)
class DriftTerm(Details):
    """How far apart the parts of a term are, and how surely."""

    term: str = ""
    p: float = 1.0
    adjusted: float = 1.0
    share: float = 0.0
    parts: int = 0
    blocks: int = 0

    @property
    def found(self) -> bool:
        """Whether it is among the terms found, of which some may be false finds."""
        return self.adjusted <= FALSE_FINDS


@dataclass(frozen=True, kw_only=True)
class DriftDetails(Details):
    """What was found of drift, beside what pseudo-terms give; empty if that was not asked."""

    sparse: ClassVar[bool] = True

    by: str | None = None
    parts: int | None = None
    block: str | None = None  # what a block is called
    tested: int | None = None
    found: int | None = None
    pseudo_found: float | None = None
    pseudo_most: int | None = None
    shifts: int | None = None
    false_positives: float | None = None
    terms: tuple[DriftTerm, ...] = ()

    @property
    def shown(self) -> bool:
        """Whether terms drift, and more than twice as many as pseudo-terms do on average."""
        return (self.found or 0) > 2 * (self.pseudo_found or 0.0)

    def plain(self) -> dict[str, Plain]:
        """Return plain data, as JSON knows it."""
        return super().plain() if self.by else {}


def find_drift(contributions: Contributions, names: Sequence[str], by: By) -> DriftDetails:
    """Test terms for drift, and pseudo-terms beside them."""
    parts = parts_of(contributions.text, by)
    found, null = drift(contributions, parts), pseudo_terms(contributions, parts)
    order = [i for i in np.argsort(found.p, kind="stable").tolist() if found.tested[i]]
    adjusted = found.adjusted
    return DriftDetails(
        by=by,
        parts=int(parts.max()) + 1,
        block=contributions.text.block_name,
        tested=int(found.tested.sum()),
        found=int(found.found.sum()),
        pseudo_found=round(null.found, 4),
        pseudo_most=null.most,
        shifts=SHIFTS,
        false_positives=round(null.false_positives, 4),
        terms=tuple(
            DriftTerm(
                term=names[i],
                p=float(found.p[i]),
                adjusted=float(adjusted[i]),
                share=round(float(found.share[i]), 4),
                parts=int(found.parts[i]),
                blocks=int(found.blocks[i]),
            )
            for i in order[: max(_TOLD, int(found.found.sum()))]
        ),
    )
