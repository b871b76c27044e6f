"""WordNet as a taxonomy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lydite.lexicons.taxonomies.lists import Lists
from lydite.lexicons.taxonomies.taxonomy import Taxonomy
from lydite.lexicons.taxonomies.wordnet.morphology import (
    PARTS,
    Exceptions,
    candidates,
    require_part,
)
from lydite.spaces.vocabulary import Vocabulary
from lydite.types import Indices


@dataclass(frozen=True, kw_only=True, eq=False)
class WordNet(Taxonomy):
    """Synsets, words and relations of WordNet.

    Concepts are named as NLTK names them: the first lemma in small letters, the part of speech,
    and the number of the sense (``dog.n.01``). Satellite adjectives have the letter ``s`` and are
    numbered among the satellites of that lemma, as NLTK does from 3.9.2 on. Words that differ by
    case alone (``turkey``, ``Turkey``) are two words, each with its own senses; senses come in
    the order of the index files, nouns before verbs, adjectives and adverbs. Parents are
    hypernyms and wholes; ``problems`` says how many pointers have no counterpart.

    Attributes
    ----------
    offsets
        Shape (n,): where the synset stands in the data file of its part of speech.
    lexicographer_files
        Shape (n,): the number of the file that the synset was written in.
    lexicographer_names
        The names of those files by number (``noun.animal``).
    sense_counts
        For each of ``senses.items`` how often the sense was tagged in the semantic concordance.
    lemmas
        The words in small letters, each once.
    lemma_words
        For each lemma, the words that are written so.
    lemma_parts
        Shape (l,): for each lemma, the parts of speech it has: the sum of 1 for a noun, 2 for a
        verb, 4 for an adjective, 8 for an adverb.
    exceptions
        Irregular forms.

    References
    ----------
    Fellbaum, C. (ed.), WordNet: an electronic lexical database, 1998; file formats in wndb(5WN)
    and senseidx(5WN).
    """

    offsets: Indices
    lexicographer_files: NDArray[np.uint8]
    lexicographer_names: tuple[str, ...]
    sense_counts: NDArray[np.int32]
    lemmas: Vocabulary
    lemma_words: Lists
    lemma_parts: NDArray[np.uint8]
    exceptions: Exceptions

    def find(self, words: Sequence[str]) -> Indices:
        """Return the place of each word, by its lemma where no word is written just so.

        Of several words that differ by case alone the first is taken; -1 where there is none.
        """
        places = self.words.find(words)
        absent = np.flatnonzero(places < 0)
        lemmas = self.lemmas.find([words[place].lower() for place in absent.tolist()])
        first = self.lemma_words.items[self.lemma_words.offsets[np.maximum(lemmas, 0)]]
        places[absent] = np.where(lemmas >= 0, first, -1)
        return places

    def base_forms(self, words: Sequence[str], part_of_speech: str) -> list[tuple[str, ...]]:
        """Return what each word may be a form of, as lemmas of a part of speech.

        Parameters
        ----------
        words
            Inflected or not, with blanks between words; case is ignored.
        part_of_speech
            ``n``, ``v``, ``a`` (or ``s``) or ``r``.

        Returns
        -------
        For each word: itself if it is a lemma, then the lemmas that the list of exceptions names,
        or for a word that is not in that list those that the rules of detachment lead to; empty
        if there is none.
        """
        letter = require_part(part_of_speech)
        bit = 1 << list(PARTS).index(letter)
        forms = candidates([word.lower() for word in words], letter, self.exceptions, self.lemmas)
        found = self.lemmas.find([form for each in forms for form in each])
        good = iter(((found >= 0) & ((self.lemma_parts[found] & bit) > 0)).tolist())
        return [tuple(dict.fromkeys(f for f in each if next(good))) for each in forms]
