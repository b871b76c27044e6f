"""Words, lemmas and senses: the data files and the index files brought together."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lydite.errors import FormatError
from lydite.lexicons.taxonomies.lists import Lists
from lydite.lexicons.taxonomies.wordnet.parts import Parts
from lydite.lexicons.taxonomies.wordnet.spelling import (
    formatted,
    glued,
    kept,
    lowered,
    taken,
    with_blanks,
)
from lydite.lexicons.taxonomies.wordnet.synsets import Index, symbol
from lydite.spaces.vocabulary import PackedWords, Vocabulary, bounds, pack
from lydite.types import Indices

_TYPES = {"n": 1, "v": 2, "a": 3, "r": 4}
_SATELLITE_TYPE = 5


@dataclass(frozen=True, kw_only=True, eq=False)
class Senses:
    """Every word in every synset.

    Attributes
    ----------
    parts
        Where they stand; k words in n synsets.
    words, lemmas
        The different words, with blanks; and the same in small letters.
    word_lemmas
        For each of ``words`` its lemma.
    word_of
        Shape (k,): which of ``words`` it is.
    firsts
        Shape (k,): itself, or the word before it in the synset that is the same lemma.
    ranks
        Shape (k,): its place among the senses of the lemma in the part of speech, from 0.
    satellite_ranks
        Shape (k,): its place among those senses that are satellites.
    """

    parts: Parts
    words: Vocabulary
    lemmas: Vocabulary
    word_lemmas: Indices
    word_of: Indices
    firsts: Indices
    ranks: Indices
    satellite_ranks: Indices

    @classmethod
    def of(cls, parts: Parts) -> Senses:
        """Find words, lemmas and the order of senses.

        Raises
        ------
        FormatError
            If data and index do not list the same senses.
        """
        words, word_of = _different(with_blanks(parts.lemmas))
        lemmas, word_lemmas = _different(lowered(words.words))
        firsts, ranks, satellite_ranks = _ranks(parts, lemmas, word_lemmas[word_of])
        return cls(
            parts=parts,
            words=words,
            lemmas=lemmas,
            word_lemmas=word_lemmas,
            word_of=word_of,
            firsts=firsts,
            ranks=ranks,
            satellite_ranks=satellite_ranks,
        )

    @cached_property
    def _lowered(self) -> PackedWords:
        return lowered(self.parts.lemmas)

    @cached_property
    def _first(self) -> Indices:
        """Shape (n,): the first word of each synset."""
        return np.searchsorted(self.parts.lemma_concepts, np.arange(len(self.parts)))

    def names(self) -> PackedWords:
        """Return the names of the concepts: ``dog.n.01``."""
        parts = self.parts
        letters = np.array(list(parts.letters.encode()))[parts.part_of]
        letters[parts.satellites] = ord("s")
        ranks = np.where(
            parts.satellites, self.satellite_ranks[self._first], self.ranks[self._first]
        )
        return glued(
            [taken(self._lowered, self._first), formatted(".{:c}.{:02d}", letters, ranks + 1)]
        )

    def keys(self) -> PackedWords:
        """Return the k sense keys: ``lemma%type:file:id:head:head's id`` (senseidx(5WN)).

        Of two words of a synset that differ by case alone (``Earth``, ``earth``) WordNet lists the
        key of the first, whatever the ``lex_id`` of the second, and so it is here.
        """
        parts, concepts = self.parts, self.parts.lemma_concepts
        types = np.array([_TYPES[letter] for letter in parts.letters])[parts.part_of]
        types[parts.satellites] = _SATELLITE_TYPE
        ids = parts.joined(lambda each: each.lemma_ids)[self.firsts]
        files = parts.joined(lambda each: each.files)
        # One word more, which is empty: the head of what is no satellite.
        words = PackedWords.join([self._lowered, pack([""])])
        heads = np.full(len(parts), len(words) - 1)
        heads[parts.satellites] = self._first[self._heads()]
        tails = np.append(ids + 1, 0)[heads]
        return glued(
            [
                self._lowered,
                formatted("%{}:{:02d}:{:02d}:", types[concepts], files[concepts], ids),
                taken(words, heads[concepts]),
                taken(
                    pack([":", *(f":{i:02d}" for i in range(int(tails.max())))]), tails[concepts]
                ),
            ]
        )

    def _heads(self) -> Indices:
        """Return for each satellite the concept that it is similar to."""
        sources = self.parts.concepts(lambda each: each.sources)
        similar = np.flatnonzero(self.parts.joined(lambda each: each.symbols) == symbol("&"))
        satellites = np.flatnonzero(self.parts.satellites)
        at = np.searchsorted(sources[similar], satellites)
        without = satellites[~np.isin(satellites, sources[similar])]
        if len(without):
            raise self.parts.line_of(
                without.tolist(), "expected a pointer & from a satellite to its head, got none"
            )
        return self.parts.targets[similar[at]]

    def order(self) -> Indices:
        """Return which of the k words are senses, by word and then by WordNet's order.

        A word that stands twice in a synset is one sense.
        """
        concepts = self.parts.lemma_concepts
        order = np.lexsort((self.ranks, self.parts.part_of[concepts], self.word_of))
        word, concept = self.word_of[order], concepts[order]
        again = (np.diff(word, prepend=-1) == 0) & (np.diff(concept, prepend=-1) == 0)
        once: Indices = order[~again]
        return once

    def lemma_words(self) -> Lists:
        """Return the words of each lemma."""
        return Lists.grouped(self.word_lemmas, np.arange(len(self.words)), len(self.lemmas))

    def lemma_parts(self, letters: str) -> Indices:
        """Return for each lemma the sum of 2^i over its parts of speech, at place i in letters."""
        bits = np.array([1 << letters.index(letter) for letter in self.parts.letters])
        sums = np.zeros(len(self.lemmas), dtype=np.int64)
        part_of = self.parts.part_of[self.parts.lemma_concepts]
        np.bitwise_or.at(sums, self.word_lemmas[self.word_of], bits[part_of])
        return sums


def _different(words: PackedWords) -> tuple[Vocabulary, Indices]:
    """Return the different words, in the order of their first places, and which each word is."""
    every = Vocabulary.build(words)
    fresh = np.ones(len(words), dtype=np.bool_)
    fresh[1:] = every.hashes[1:] != every.hashes[:-1]
    firsts = every.order[fresh].astype(np.int64)
    which = np.empty(len(words), dtype=np.int64)
    which[every.order] = np.cumsum(fresh) - 1
    is_first = np.zeros(len(words), dtype=np.bool_)
    is_first[firsts] = True
    others = np.flatnonzero(~is_first)
    if not _same(taken(words, others), taken(words, firsts[which[others]])):
        # Two words share a hash.
        different, _ = every.distinct()
        return different, different.find_packed(words)
    number = (np.cumsum(is_first) - 1)[firsts]
    different = Vocabulary(
        words=kept(words, is_first), hashes=every.hashes[fresh], order=number.astype(np.int32)
    )
    return different, number[which]


def _same(these: PackedWords, those: PackedWords) -> bool:
    return np.array_equal(these.offsets, those.offsets) and np.array_equal(
        these.letters, those.letters
    )


def _ranks(parts: Parts, lemmas: Vocabulary, lemma_of: Indices) -> tuple[Indices, Indices, Indices]:
    """Look every word of every synset up in the index files; see :class:`Senses`."""
    count = len(parts)
    listed = [_listed(parts, part, lemmas) for part in range(len(parts.letters))]
    keys = np.concatenate([lemma * count + concept for lemma, concept in listed])
    order = np.argsort(keys, kind="stable")
    wanted = lemma_of * count + parts.lemma_concepts
    at = order[np.minimum(np.searchsorted(keys, wanted, sorter=order), len(keys) - 1)]
    absent = np.flatnonzero(keys[at] != wanted)
    if len(absent):
        concept = int(parts.lemma_concepts[absent[0]])
        name = parts.indexes[parts.part_of[concept]].fields.path.name
        word = parts.lemmas[int(absent[0])]
        raise parts.line_of(
            [concept], f"expected {word} of this synset in {name}, got no such sense"
        )
    firsts = np.full(len(keys), -1)
    # Of several that are written to one place the last stays.
    firsts[at[::-1]] = np.arange(len(at))[::-1]
    _require_words(parts, np.flatnonzero(firsts < 0))
    ranks = np.concatenate([index.ranks for index in parts.indexes])
    satellite = np.concatenate([parts.satellites[concept] for _, concept in listed])
    before = bounds(satellite.astype(np.int64))[:-1]
    within = before - before[np.arange(len(ranks)) - ranks]
    return firsts[at], ranks[at], within[at]


def _listed(parts: Parts, part: int, lemmas: Vocabulary) -> tuple[Indices, Indices]:
    """Return lemma (-1 if unknown) and concept of every sense of an index file."""
    index = parts.indexes[part]
    places = parts.synsets[part].find(index.offsets)
    nowhere = np.flatnonzero(places < 0)
    if len(nowhere):
        name = parts.synsets[part].fields.path.name
        raise _index_fault(index, int(nowhere[0]), f"of {name}, got none")
    return lemmas.find_packed(with_blanks(index.lemmas))[index.owners], places + parts.starts[part]


def _require_words(parts: Parts, strange: Indices) -> None:
    """Refuse senses of the index files that no synset has."""
    if len(strange):
        begins = bounds(np.array([len(index.offsets) for index in parts.indexes]))
        part = int(np.searchsorted(begins, strange[0], side="right")) - 1
        sense = int(strange[0] - begins[part])
        lemma = parts.indexes[part].lemmas[int(parts.indexes[part].owners[sense])]
        raise _index_fault(parts.indexes[part], sense, f"that holds {lemma}, got one that does not")


def _index_fault(index: Index, sense: int, what: str) -> FormatError:
    return index.fields.fault(
        int(index.owners[sense]),
        f"expected a synset at {index.offsets[sense]:08d} {what}",
        hint="the files are not of one version, or one was cut short: fetch them anew",
    )
