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
from lydite.models.contexts import learn_all
from lydite.types import Context, Floats, Indices, Mask

#: Folds of a term, and in how many ways they are divided into halves.
FOLDS: Final = 10
SPLITS: Final = 6
#: How often two samples of a size are drawn of a term, and of the words that it is centered by.
DRAWS: Final = 200
_OF_PANEL = 10
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


def draw_pair(
    blocks: Sequence[Sequence[Context]], size: int, generator: np.random.Generator
) -> tuple[list[Context], list[Context]] | None:
    """Draw two samples of so many sentences that share no block; None if there are too few."""
    sides: tuple[list[Context], list[Context]] = ([], [])
    for block in generator.permutation(len(blocks)).tolist():
        min(sides, key=len).extend(blocks[block])
    if min(map(len, sides)) < size:
        return None
    return sides[0][:size], sides[1][:size]


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

    Two samples of each term are drawn `DRAWS` times and learned; NaN where most draws fail for want
    of sentences. ``panel`` are the sentences of other words, learned from such samples too, and
    which of them are like each term: the direction that these share is taken out.
    """
    generator = np.random.default_rng(seed)
    others, near = panel
    draws = [DRAWS] * len(found) + [_OF_PANEL] * len(others)
    pairs, owner = [], []
    for number, (places, count) in enumerate(zip([*found, *others], draws, strict=True)):
        blocks = _blocks(text, places)
        made = [draw_pair(blocks, size, generator) for _ in range(count)]
        kept = [pair for pair in made if pair is not None]
        if 2 * len(kept) >= count:
            pairs += kept
            owner += [number] * len(kept)
    value = np.full(len(found), np.nan)
    if not owner or owner[0] >= len(found) or owner[-1] < len(found):
        return value
    learned = learn_all(model, [sample for pair in pairs for sample in pair], seed=0)
    vectors = learned.vectors.astype(np.float64).reshape(len(pairs), 2, -1)
    ok = learned.learned.reshape(-1, 2).all(axis=1)
    vectors, who = vectors[ok], np.array(owner)[ok]
    means = means_of(vectors.sum(axis=1), who, len(draws))[len(found) :]
    for term in np.unique(who[who < len(found)]).tolist():
        like = means[near[term]]
        if np.isfinite(like).all(axis=1).any():
            own = vectors[who == term]
            rest = without(own.reshape(2 * len(own), -1), np.nanmean(like, axis=0)[None])
            one, other = rest.reshape(own.shape).transpose(1, 0, 2)
            value[term] = max(2 * (one * other).sum() / (rest**2).sum(), 0.0)
    return value


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
