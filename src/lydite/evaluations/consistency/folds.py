"""Learners that do not sum: a term learned from ten folds of its paragraphs, and from halves.

A vector that was learned from all text cannot be had twice. Vectors of tenths of it can, and say
how surely anything is known; but what ten times as much text gives does not follow from them, since
such a learner need not add. So halves of the folds are learned as well, which leave a step of two
to all the text, and what such a step is worth is seen from tenths to halves, over all words that
were learned. What fewer sentences give is not computed but drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from lydite.corpora.occurrences import Occurrence
from lydite.corpora.running_text import RunningText
from lydite.evaluations.consistency.reliability import Blocks, Reliability, reliability
from lydite.evaluations.consistency.rivals import SEED
from lydite.models.contexts import learn_all, learns_together
from lydite.types import Context, Floats, Indices, Mask

#: Folds of a term, and in how many ways they are divided into halves.
FOLDS: Final = 10
SPLITS: Final = 6
#: How often two samples of a size are drawn of a term, and of the words that it is centered by.
DRAWS: Final = 200
_OF_PANEL = 10
#: Where samples are learned together, how often all text is dealt to two sides, and the most
#: samples of a side.
DEALS: Final = 10
_OF_SIDE = 20
#: From fewer words, or words with fewer folds, nothing is said of what more text is worth.
_LEAST_WORDS, _LEAST_FOLDS = 20, 4
#: Between these lies what k times the text is worth, as a power of k: 1 for sums.
_GROWTHS: Final = (0.5, 1.5)


def fold_of(block: Indices, folds: int = FOLDS) -> Indices:
    """Deal the blocks of one term out to folds, in the order of the text.

    >>> fold_of(np.array([3, 3, 8, 9]), folds=2).tolist()
    [0, 0, 1, 0]
    """
    return np.asarray(np.unique(block, return_inverse=True)[1] % folds)


def divide(text: RunningText, places: Sequence[Occurrence]) -> list[list[Context]]:
    """Divide the sentences of a term into folds."""
    sentence = np.array([place.sentence for place in places], dtype=np.int64)
    fold = fold_of(text.blocks(np.zeros(len(places), dtype=np.int64), sentence))
    parts: list[list[Context]] = [[] for _ in range(int(fold.max(initial=-1)) + 1)]
    for place, number in zip(places, fold.tolist(), strict=True):
        parts[number].append(place.context)
    return parts


def halves_of(folds: int) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Return ways to divide folds into halves, always the same; of an odd number one is left out.

    >>> halves_of(2), halves_of(1)
    ([((0,), (1,))], [])
    """
    generator = np.random.default_rng(SEED)
    half = folds // 2
    found = set()
    for _ in range(SPLITS if half else 0):
        order = generator.permutation(folds).tolist()
        one, other = sorted((tuple(sorted(order[:half])), tuple(sorted(order[half : 2 * half]))))
        found.add((one, other))
    return sorted(found)


@dataclass(frozen=True, kw_only=True, eq=False)
class Folds:
    """Vectors of words learned from folds and from halves of these, what words share taken out."""

    vectors: Floats  # (n, d)
    owner: Indices  # (n,), ascending: whose fold it is
    fold: Indices  # (n,)
    halves: Floats  # (h, 2, d): both halves of a division
    halved: Indices  # (h,), ascending: whose they are
    words: int
    sentences: Floats  # (words,)

    @property
    def blocks(self) -> Blocks:
        """Each fold as a block; they are of about one size, and vectors need not grow with it."""
        return Blocks(
            sums=self.vectors,
            sentences=np.ones(len(self.owner)),
            term=self.owner,
            terms=self.words,
        )

    def of(self, first: int, count: int) -> Folds:
        """Return some of the words."""
        own, half = (self._between(each, first, count) for each in (self.owner, self.halved))
        return Folds(
            vectors=self.vectors[own],
            owner=self.owner[own] - first,
            fold=self.fold[own],
            halves=self.halves[half],
            halved=self.halved[half] - first,
            words=count,
            sentences=self.sentences[first : first + count],
        )

    @staticmethod
    def _between(owner: Indices, first: int, count: int) -> Mask:
        return np.asarray((owner >= first) & (owner < first + count))

    def reliability(self, growth: float) -> Reliability:
        """Return what halves say of each word, with the interval that folds give."""
        product, square = self._of_halves()
        with np.errstate(invalid="ignore", divide="ignore"):
            half = np.clip(product / square, -0.99, 0.999999)
            odds = half / (1 - half) / np.maximum(self.per_half, 1) ** growth
            block = odds / (1 + odds)
        found = reliability(self.blocks, growth=growth, block=block)
        return Reliability(**{**vars(found), "sentences": self.sentences})

    @property
    def per_half(self) -> Floats:
        """How many folds a half of each word has, (words,)."""
        return np.asarray(np.bincount(self.owner, minlength=self.words) // 2, dtype=np.float64)

    def _of_halves(self) -> tuple[Floats, Floats]:
        """Return the mean product of both halves and their mean squared length, (words,)."""
        one, other = self.halves[:, 0], self.halves[:, 1]
        count = np.bincount(self.halved, minlength=self.words)
        known = np.where(count > 0, count, np.nan)
        product = np.bincount(self.halved, np.einsum("hd,hd->h", one, other), self.words) / known
        squares = np.einsum("hsd,hsd->h", self.halves, self.halves) / 2
        return product, np.bincount(self.halved, squares, self.words) / known

    @property
    def growth(self) -> float:
        """What k times the text is worth, as a power of k: from folds to halves, over all words.

        Products and squares of a word count relative to the squared length of its folds, so that no
        word counts more because its vectors are long; 1 where there are too few words to tell.
        """
        blocks = self.blocks
        found = reliability(blocks)
        product, square = self._of_halves()
        squares = np.bincount(blocks.term, np.einsum("bd,bd->b", blocks.sums, blocks.sums))
        squares = np.concatenate([squares, np.zeros(self.words - len(squares))])
        square_of_fold = squares / np.maximum(found.blocks, 1)
        kept = (found.blocks >= _LEAST_FOLDS) & np.isfinite(product) & (square_of_fold > 0)
        if kept.sum() < _LEAST_WORDS:
            return 1.0
        fold = float(found.block[kept].mean())
        scale = 1 / square_of_fold[kept]
        half = float((product[kept] * scale).sum() / (square[kept] * scale).sum())
        if not (0 < fold < 1 and 0 < half < 1):
            return 1.0
        steps = float(np.log(self.per_half[kept]).mean())
        power = np.log(half / (1 - half) * (1 - fold) / fold) / steps
        return float(np.clip(power, *_GROWTHS))


def draw_sides(
    blocks: Sequence[Sequence[Context]], size: int, most: int, generator: np.random.Generator
) -> tuple[list[list[Context]], list[list[Context]]]:
    """Deal blocks to two sides, and cut each into samples of so many sentences, ``most`` at most.

    Samples of one side share no block with those of the other; both are empty if a side is too
    short.
    """
    sides: tuple[list[Context], list[Context]] = ([], [])
    for block in generator.permutation(len(blocks)).tolist():
        min(sides, key=len).extend(blocks[block])
    one, other = (
        [side[i * size : (i + 1) * size] for i in range(min(len(side) // size, most))]
        for side in sides
    )
    return (one, other) if one and other else ([], [])


def drawn_reliability(
    model: object,
    text: RunningText,
    found: Sequence[Sequence[Occurrence]],
    panel: tuple[Sequence[Sequence[Occurrence]], Sequence[Indices]],
    size: int,
    *,
    seed: int = SEED,
) -> Floats:
    """Return the cosine to be expected of two vectors from so many sentences each, (terms,).

    Two samples of each term are drawn `DRAWS` times and learned. Where a learner learns samples
    together, those that share sentences would make each other alike: then all sentences of a term
    are dealt out, `DEALS` times, and each deal is learned apart. NaN where most draws fail for
    want of sentences. ``panel`` are the sentences of other words, learned from such samples too,
    and which of them are like each term: the direction that these share is taken out.
    """
    generator = np.random.default_rng(seed)
    others, near = panel
    blocks = [_blocks(text, places) for places in (*found, *others)]
    together = learns_together(model)
    batches, most = (DEALS, _OF_SIDE) if together else (1, 1)
    draws = [1 if together else DRAWS] * len(found) + [1 if together else _OF_PANEL] * len(others)
    totals = np.zeros((3, len(found)))
    for _ in range(batches):
        pairs = [
            (owner, draw_sides(own, size, most, generator))
            for owner, (own, count) in enumerate(zip(blocks, draws, strict=True))
            for _ in range(count)
        ]
        totals += _compared(model, pairs, near, len(found), len(others))
    product, square, made = totals
    known = 2 * made >= batches * draws[0]
    value = np.divide(product, square, out=np.full(len(found), np.nan), where=known & (square > 0))
    return np.asarray(np.where(known, np.maximum(value, 0.0), np.nan))


def _compared(
    model: object,
    pairs: Sequence[tuple[int, tuple[list[list[Context]], list[list[Context]]]]],
    near: Sequence[Indices],
    terms: int,
    others: int,
) -> Floats:
    """Return the mean products of both sides, their mean squares and how many there are, summed."""
    made = [(owner, sides) for owner, sides in pairs if sides[0]]
    flat = [sample for _, sides in made for side in sides for sample in side]
    totals = np.zeros((3, terms))
    if not flat:
        return totals
    learned = learn_all(model, flat, seed=0)
    vectors = np.where(learned.learned[:, None], learned.vectors.astype(np.float64), 0.0)
    owner = np.repeat([o for o, _ in made], [len(one) + len(other) for _, (one, other) in made])
    kept = learned.learned
    means = means_of(vectors[kept], owner[kept], terms + others)[terms:]
    place = 0
    for term, (one, other) in made:
        first, last = place, place + len(one) + len(other)
        place = last
        if term >= terms or not np.isfinite(means[near[term]]).any():
            continue
        rest = without(vectors[first:last], np.nanmean(means[near[term]], axis=0)[None])
        sides = rest[: len(one)], rest[len(one) :]
        squares = [float((side**2).sum(axis=1).mean()) for side in sides]
        totals[:, term] += float((sides[0] @ sides[1].T).mean()), sum(squares) / 2, 1
    return totals


def _blocks(text: RunningText, places: Sequence[Occurrence]) -> list[list[Context]]:
    sentence = np.array([place.sentence for place in places], dtype=np.int64)
    block = text.blocks(np.zeros(len(places), dtype=np.int64), sentence)
    found: dict[int, list[Context]] = {}
    for place, number in zip(places, block.tolist(), strict=True):
        found.setdefault(number, []).append(place.context)
    return list(found.values())


def without(vectors: Floats, common: Floats) -> Floats:
    """Take the directions of ``common``, (n, d) or (1, d), out of vectors, (n, d)."""
    units = common / np.linalg.norm(common, axis=1, keepdims=True)
    units = np.broadcast_to(units, vectors.shape)
    return np.asarray(vectors - np.einsum("nd,nd->n", vectors, units)[:, None] * units)


def means_of(vectors: Floats, owner: Indices, owners: int) -> Floats:
    """Return the mean vector of each owner, (owners, d); NaN for those without any."""
    sums = np.zeros((owners, vectors.shape[1]))
    np.add.at(sums, owner, vectors)
    counts = np.bincount(owner, minlength=owners)[:, None]
    return np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0)


def without_common(
    vectors: Floats, owner: Indices, owners: int, first: int, like: Sequence[Indices]
) -> Floats:
    """Take out of the vectors of each owner the direction that words ``like`` it share.

    These are counted from ``first``.
    """
    means = means_of(vectors, owner, owners)[first:]
    chosen: dict[bytes, Floats] = {}
    for places in like:
        if (key := places.tobytes()) not in chosen:
            chosen[key] = np.nanmean(means[places], axis=0)
    common = np.stack([chosen[places.tobytes()] for places in like])
    return without(vectors, common[owner])
