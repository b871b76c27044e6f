"""Candidates for triples: all that lies between two concepts of a taxonomy, with labels.

A candidate is a row of numbers: a pair, three words, three concepts. Those of a whole taxonomy come
in blocks, since WordNet's nouns alone give twenty million.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np

from lydite.lexicons.inventories.word_pairs import WordPairs
from lydite.lexicons.taxonomies.graph import closure, on_cycles
from lydite.lexicons.taxonomies.lists import Lists
from lydite.lexicons.taxonomies.meanings import find_words, of_part_of_speech
from lydite.lexicons.taxonomies.taxonomy import Taxonomy
from lydite.spaces.vocabulary import Hashes, mix
from lydite.types import Indices, Mask, current_progress

Level: TypeAlias = Literal["word", "sense"]

#: Told how many are left, and of what, after each step.
Tell: TypeAlias = Callable[[str, int, str], None]

#: Pairs of concepts a block; with all lemmas of WordNet a pair has some thirty triples.
_BLOCK = 1 << 14


@dataclass(frozen=True, kw_only=True)
class Choices:
    """What the paper leaves open, and its filters.

    Attributes
    ----------
    relation
        ``hypernymy``, ``meronymy``, or one kind of edge of the taxonomy.
    part_of_speech
        Only concepts of this part of speech; empty for all. Taxonomies without parts of speech
        are taken whole.
    senses
        ``all`` senses of A and C, or the ``first``, most usual one only.
    lemmas
        ``all`` lemmas of an intermediate synset give a triple each, or only the ``first``.
    paths
        B on ``all`` paths from A to C, or on a ``shortest`` one only.
    inferred
        A-C must not be asserted: by this ``sense`` pair, by any pair of senses of the two
        ``word`` s; ``any`` leaves asserted pairs in.
    exclude
        Words that no triple may hold.
    min_count
        Every word must occur at least so often.
    min_ic
        Every concept must have an information content above this.
    sample
        At most so many triples, drawn at random; 0 for all.
    level
        ``word``: triples of words; ``sense``: triples of concepts.
    """

    relation: str = "hypernymy"
    part_of_speech: str = "n"
    senses: Literal["all", "first"] = "all"
    lemmas: Literal["all", "first"] = "all"
    paths: Literal["all", "shortest"] = "all"
    inferred: Literal["sense", "word", "any"] = "sense"
    exclude: tuple[str, ...] = ()
    min_count: float = 0
    min_ic: float = 0
    sample: int = 0
    level: Level = "word"


@dataclass(frozen=True, kw_only=True, eq=False)
class Rows:
    """Candidates: ``pair`` (k,), ``words`` (k, 3) and ``concepts`` (k, 3) of A, B and C."""

    pair: Indices
    words: Indices
    concepts: Indices

    def __len__(self) -> int:
        return len(self.pair)

    def __getitem__(self, kept: Mask | Indices) -> Rows:
        return Rows(pair=self.pair[kept], words=self.words[kept], concepts=self.concepts[kept])

    @classmethod
    def join(cls, parts: list[Rows]) -> Rows:
        """Return the rows of several blocks, one after the other."""
        return cls(
            pair=np.concatenate([part.pair for part in parts]),
            words=np.concatenate([part.words for part in parts]),
            concepts=np.concatenate([part.concepts for part in parts]),
        )

    def triples(self, level: Level) -> Hashes:
        """Return a number for each row that is the same for the same triple."""
        a, b, c = (self.words if level == "word" else self.concepts).astype(np.uint64).T
        # Each step is a bijection of 64 bits, so that two triples hardly ever share a number.
        return mix(mix(mix(a + np.uint64(1)) ^ b) ^ c)


class Candidates:
    """Where triples are looked for."""

    def __init__(self, taxonomy: Taxonomy, choices: Choices) -> None:
        self.taxonomy = taxonomy
        self.choices = choices
        self.parents = taxonomy.upward(choices.relation)
        self.allowed = of_part_of_speech(taxonomy, choices.part_of_speech or None)
        self.cyclic = len(on_cycles(self.parents)) > 0

    def of_pairs(self, pairs: WordPairs, tell: Tell) -> Iterator[Rows]:
        """Find all paths between senses of the words of pairs."""
        tell("pairs", len(pairs), "pairs")
        left, right = (find_words(self.taxonomy, w) for w in (pairs.specific, pairs.general))
        pair, low, high = _crossed(self._senses(), left, right)
        tell("with senses", len(np.unique(pair)), "pairs")
        distance = closure(self.parents, low).distances(low, high)
        linked = distance > 0
        tell("with a path", len(np.unique(pair[linked])), "pairs")
        kept = linked & self._inferred(pair, distance)
        pair, low, high = pair[kept], low[kept], high[kept]
        tell("inferred, not asserted", len(np.unique(pair)), "pairs")
        at, between = self._between(low, high)
        tell("with something between", len(np.unique(pair[at])), "pairs")
        labelled, lemma = self._lemmas(between)
        at, between = at[labelled], between[labelled]
        yield Rows(
            pair=pair[at],
            words=np.stack([left[pair[at]], lemma, right[pair[at]]], axis=1),
            concepts=np.stack([low[at], between, high[at]], axis=1),
        )

    def of_whole(self, tell: Tell) -> Iterator[Rows]:
        """Find all paths between concepts of the taxonomy, and label them."""
        concepts = np.flatnonzero(self.allowed)
        tell("concepts", len(concepts), "concepts")
        table = closure(self.parents, concepts)
        far = (table.distance > 0) & self.allowed[table.ancestor]
        tell("with a path", int(far.sum()), "pairs")
        far &= self._inferred(np.arange(len(far)), table.distance)
        low, high = table.concept[far], table.ancestor[far]
        tell("inferred, not asserted", len(low), "pairs")
        progress = current_progress()
        for start in range(0, max(len(low), 1), _BLOCK):
            yield self._labelled(low[start : start + _BLOCK], high[start : start + _BLOCK])
            progress("finding triples", min(start + _BLOCK, len(low)), len(low))

    def _labelled(self, low: Indices, high: Indices) -> Rows:
        at, between = self._between(low, high)
        concepts = np.stack([low[at], between, high[at]], axis=1)
        words = concepts
        for column in range(3):
            labelled, lemma = self._lemmas(concepts[:, column])
            words, concepts = words[labelled].copy(), concepts[labelled]
            words[:, column] = lemma
        rows = Rows(pair=np.zeros(len(words), dtype=np.int64), words=words, concepts=concepts)
        return rows[self._meant(rows)]

    def _meant(self, rows: Rows) -> Mask:
        """Tell where the words A and C are used as `senses` and `inferred` wish."""
        meant = np.ones(len(rows), dtype=np.bool_)
        if self.choices.senses == "first":
            ends = self._first[rows.words[:, [0, 2]]] == rows.concepts[:, [0, 2]]
            meant &= ends[:, 0] & ends[:, 1]
        if self.choices.inferred == "word":
            ends = rows.words[:, 0] * len(self.taxonomy.words) + rows.words[:, 2]
            meant &= ~np.isin(ends, self._asserted)
        return meant

    @cached_property
    def _first(self) -> Indices:
        """Shape (words,): the first sense of each word, -1 where none may be used."""
        senses = self._senses()
        first = np.full(len(senses), -1, dtype=np.int64)
        filled = np.flatnonzero(senses.lengths)
        first[filled] = senses.items[senses.offsets[filled]]
        return first

    @cached_property
    def _asserted(self) -> Indices:
        """Pairs of words, as numbers, that some senses of theirs have an edge between."""
        labels = self.taxonomy.labels
        at, low = labels.of_all(self.parents.owners())
        again, high = labels.of_all(self.parents.items[at])
        return np.unique(low[again] * len(self.taxonomy.words) + high)

    def _senses(self) -> Lists:
        """Return the senses of each word that may be used."""
        senses = self.taxonomy.senses
        kept = self.allowed[senses.items]
        lists = Lists.grouped(senses.owners()[kept], senses.items[kept], len(senses))
        if self.choices.senses == "all":
            return lists
        filled = np.flatnonzero(lists.lengths)
        return Lists.grouped(filled, lists.items[lists.offsets[filled]], len(senses))

    def _inferred(self, pair: Indices, distance: Indices) -> Mask:
        if self.choices.inferred == "any":
            return np.ones(len(pair), dtype=np.bool_)
        asserted: Mask = distance == 1
        if self.choices.inferred == "word":
            asserted = np.isin(pair, pair[asserted])
        return ~asserted

    def _between(self, low: Indices, high: Indices) -> tuple[Indices, Indices]:
        """Return all concepts strictly between pairs: a place in the pairs, and the concept."""
        above = closure(self.parents, low)
        table = closure(self.parents, above.ancestor)
        at, rows = table.rows_of(low)
        middle = table.ancestor[rows]
        rest = table.distances(middle, high[at])
        kept = (rest > 0) & (middle != low[at]) & self.allowed[middle]
        if self.cyclic:
            # Of concepts that lie above each other, none is between.
            kept &= table.distances(middle, low[at]) < 0
            kept &= table.distances(high[at], middle) < 0
        if self.choices.paths == "shortest":
            whole = table.distances(low, high)[at]
            kept &= table.distance[rows] + rest == whole
        return at[kept], middle[kept]

    def _lemmas(self, concepts: Indices) -> tuple[Indices, Indices]:
        """Return the labels of concepts: a place in ``concepts``, and the word."""
        labels = self.taxonomy.labels
        if self.choices.lemmas == "all":
            return labels.of_all(concepts)
        filled = np.flatnonzero(labels.lengths[concepts])
        return filled, labels.items[labels.offsets[concepts[filled]]].astype(np.int64)


def _crossed(senses: Lists, left: Indices, right: Indices) -> tuple[Indices, Indices, Indices]:
    """Return each pair with each sense of its left and of its right word."""
    known = np.flatnonzero((left >= 0) & (right >= 0))
    at, low = senses.of_all(left[known])
    again, high = senses.of_all(right[known][at])
    return known[at[again]], low[again], high
