"""Words of the same text beside its terms: what is usual there, and what terms are told from.

Rivals of a term are the words of the text that occur in as many sentences, so that neither the
other terms nor how frequent they are decide how hard it is to tell a term from others.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from lydite.corpora.running_text import RunningText
from lydite.evaluations.consistency.reliability import Blocks
from lydite.types import Floats, Indices, Vectors

RIVALS: Final = 200
#: Places are told among so many: the term, and rivals drawn from all of them.
AMONG: Final = 20
SPLITS: Final = 2000
#: Of the splits: nobody's seed changes them.
SEED: Final = 20190902

#: Splits made at a time.
_AT_ONCE = 100


def nearest_in_count(
    text: RunningText, counts: Indices, *, taken: set[str], each: int, least: int
) -> tuple[Indices, list[Indices]]:
    """Return words of a text, and for each count the places of those nearest to it.

    Of words as near, the first by the alphabet are taken; ``taken`` and words without a letter
    never are, nor those in fewer than ``least`` sentences.
    """
    found = text.word_sentences
    words = [
        (word, number)
        for number, word in enumerate(text.words)
        if found[number] >= least and word not in taken and any(map(str.isalpha, word))
    ]
    numbers = np.array([number for _, number in sorted(words)], dtype=np.int64)
    chosen = [
        np.argsort(np.abs(np.log(found[numbers] / count)), kind="stable")[:each]
        for count in counts.tolist()
    ]
    used = np.unique(np.concatenate([*chosen, np.zeros(0, dtype=np.int64)]))
    places = np.full(len(numbers), -1, dtype=np.int64)
    places[used] = np.arange(len(used))
    return numbers[used], [places[each] for each in chosen]


@dataclass(frozen=True, kw_only=True, eq=False)
class Identified:
    """How well terms are told from their rivals; NaN where they are not, (terms,)."""

    beaten: Floats  # the share of rivals that are further from the first half than the second is
    place: Floats  # the mean reciprocal place among `AMONG`


def identify_among(
    terms: Blocks,
    term_block: Indices,
    rivals: Blocks,
    rival_block: Indices,
    of_term: list[Indices],
    *,
    splits: int = SPLITS,
) -> Identified:
    """Look for the second half of each term among those of its rivals, by cosine to its first.

    Blocks of the text, numbered by ``term_block`` and ``rival_block``, are dealt out to two halves
    at random, the same for all words, again and again; the seed is fixed.
    """
    generator = np.random.default_rng(SEED)
    blocks = int(max(term_block.max(initial=0), rival_block.max(initial=0))) + 1
    listed = np.full((terms.terms, max(map(len, of_term), default=0)), -1, dtype=np.int64)
    for term, places in enumerate(of_term):
        listed[term, : len(places)] = places
    totals = np.zeros((3, terms.terms))
    for start in range(0, splits, _AT_ONCE):
        dealt = generator.integers(0, 2, size=(min(_AT_ONCE, splits - start), blocks))
        signs = (2 * dealt - 1).astype(np.float32)
        totals += _compete(
            _halves(terms, term_block, signs), _halves(rivals, rival_block, signs)[1], listed
        )
    beaten, place, counted = totals
    known = counted > 0
    return Identified(
        beaten=np.divide(beaten, counted, out=np.full(len(known), np.nan), where=known),
        place=np.divide(place, counted, out=np.full(len(known), np.nan), where=known),
    )


def _compete(halves: tuple[Vectors, Vectors], rivals: Vectors, listed: Indices) -> Floats:
    """Return the shares beaten and reciprocal places of each term, and how many splits tell them.

    A half without a block has no direction: that split says nothing of the word.
    """
    first, second = halves
    own = np.einsum("std,std->st", first, second)[..., None]
    every = np.matmul(first, rivals.transpose(0, 2, 1))
    found = np.take_along_axis(every, np.maximum(listed, 0)[None], axis=2)
    there = np.asarray(rivals.any(axis=2))[:, np.maximum(listed, 0)] & (listed >= 0)
    rivaled = there.sum(axis=2)
    usable = first.any(axis=2) & second.any(axis=2) & (rivaled >= AMONG - 1)
    ahead = np.where(usable, ((found > own) & there).sum(axis=2), 0)
    shares = np.where(usable, 1 - ahead / np.maximum(rivaled, 1), 0)
    places = np.where(usable, _mean_reciprocal(ahead, np.where(usable, rivaled, AMONG - 1)), 0)
    return np.stack([shares.sum(axis=0), places.sum(axis=0), usable.sum(axis=0)])


def _halves(blocks: Blocks, number: Indices, signs: Vectors) -> tuple[Vectors, Vectors]:
    """Return the unit vectors of both halves, (splits, terms, d); zeros where one is empty."""
    shape = (len(signs), blocks.terms, blocks.sums.shape[1])
    first, second = np.zeros(shape, dtype=np.float32), np.zeros(shape, dtype=np.float32)
    ends = np.concatenate([[0], np.cumsum(blocks.counts)]).tolist()
    sums = blocks.sums.astype(np.float32)
    for term in range(blocks.terms):
        own = slice(ends[term], ends[term + 1])
        dealt = signs[:, number[own]]
        apart, total = dealt @ sums[own], sums[own].sum(axis=0)
        both = np.abs(dealt.sum(axis=1)) < blocks.counts[term]
        first[both, term] = (total + apart)[both]
        second[both, term] = (total - apart)[both]
    return _units(first), _units(second)


def _units(vectors: Vectors) -> Vectors:
    lengths = np.sqrt(np.einsum("std,std->st", vectors, vectors))
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1)[..., None], dtype=np.float32)


def _mean_reciprocal(ahead: Indices, rivals: Indices) -> Floats:
    """Return the expected 1 / place among `AMONG` where ``ahead`` of the rivals are nearer.

    The others are drawn from the rivals: how many of them are ahead is hypergeometric.
    """
    sizes, which = np.unique(rivals, return_inverse=True)
    table = np.zeros((len(sizes), int(sizes.max(initial=0)) + 1))
    for row, size in enumerate(sizes.tolist()):
        table[row, : size + 1] = _reciprocals(size)
    return np.asarray(table[which.reshape(rivals.shape), ahead])


@cache
def _reciprocals(rivals: int) -> Floats:
    """Return the expected 1 / place for 0 to all rivals ahead.

    >>> _reciprocals(AMONG - 1)[:3].round(3).tolist()
    [1.0, 0.5, 0.333]
    """
    from scipy.stats import hypergeom

    ahead = np.arange(rivals + 1)[:, None]
    drawn = np.arange(AMONG)[None]
    chances = hypergeom.pmf(drawn, rivals, ahead, AMONG - 1)
    return np.asarray((chances / (1 + drawn)).sum(axis=1))
