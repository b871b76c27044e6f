"""What a term means in a taxonomy: a word, a concept's identifier, or the key of a sense."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lydite.errors import InputError
from lydite.lexicons.taxonomy import Lists, Taxonomy
from lydite.lexicons.wordnet.database import WordNet
from lydite.lexicons.wordnet.morphology import PARTS
from lydite.types import Indices, Mask


def find_words(taxonomy: Taxonomy, words: Sequence[str]) -> Indices:
    """Return the place of each word, -1 where the taxonomy does not have it.

    A word is looked for as written, with underscores for blanks, then in any case.
    """
    wanted = [" ".join(word.replace("_", " ").split()) for word in words]
    places = taxonomy.words.find(words)
    for find in (taxonomy.words.find, taxonomy.words.find_folded):
        absent = np.flatnonzero(places < 0)
        if len(absent):
            places[absent] = find([wanted[i] for i in absent.tolist()])
    return places


def word_senses(taxonomy: Taxonomy, words: Sequence[str]) -> tuple[Indices, Indices]:
    """Return the senses of words: whose each is, as a place in ``words``, and which concept.

    In WordNet an inflected word has the senses of its base forms as well: ``glasses`` are
    spectacles, and several of what a glass is. Each sense of a word stands once, those of the word
    as written first, the most usual first.
    """
    places = find_words(taxonomy, words)
    known = np.flatnonzero(places >= 0)
    at, senses = taxonomy.senses.of_all(places[known])
    parts = [(known[at], senses)]
    if isinstance(taxonomy, WordNet):
        parts += [_reduced(taxonomy, words, letter) for letter in PARTS]
    lists = Lists.grouped(
        np.concatenate([whose for whose, _ in parts]),
        np.concatenate([each for _, each in parts]),
        len(words),
    )
    return lists.owners(), lists.items.astype(np.int64)


def _reduced(wordnet: WordNet, words: Sequence[str], letter: str) -> tuple[Indices, Indices]:
    """Return the senses that base forms of words have as one part of speech."""
    forms = [
        [base for base in bases if base != word.lower()]
        for word, bases in zip(words, wordnet.base_forms(words, letter), strict=True)
    ]
    whose = np.repeat(np.arange(len(words)), [len(each) for each in forms])
    places = find_words(wordnet, [form for each in forms for form in each])
    at, senses = wordnet.senses.of_all(places[places >= 0])
    kept = _are(wordnet, letter)[senses]
    return whose[places >= 0][at[kept]], senses[kept]


def parts_of_speech(taxonomy: Taxonomy) -> NDArray[np.str_] | None:
    """Return the part of speech of each concept, of WordNet's satellites that of adjectives."""
    letters = taxonomy.parts_of_speech
    return None if letters is None else np.where(letters == "s", "a", letters)


def of_part_of_speech(taxonomy: Taxonomy, part_of_speech: str | None) -> Mask:
    """Tell which concepts are of a part of speech: all, where that or the taxonomy's is None."""
    allowed = _are(taxonomy, part_of_speech)
    letters = parts_of_speech(taxonomy)
    if letters is not None and not allowed.any():
        raise InputError(
            f"{taxonomy.name} has no concept of the part of speech {part_of_speech!r}",
            hint=f"there are {', '.join(sorted(set(letters.tolist()) - {''}))}",
        )
    return allowed


def _are(taxonomy: Taxonomy, part_of_speech: str | None) -> Mask:
    letters = parts_of_speech(taxonomy)
    if letters is None or part_of_speech is None:
        return np.ones(len(taxonomy), dtype=np.bool_)
    are: Mask = letters == part_of_speech
    return are


def meanings(taxonomy: Taxonomy, terms: Sequence[str], part_of_speech: str | None = None) -> Lists:
    """Return the concepts that each term may stand for, the most usual first; none if unknown.

    A term is the identifier of a concept (``dog.n.01``) or the key of a sense (``dog%1:05:00::``),
    which stand for that concept; anything else is a word, which stands for all its senses, or those
    of one part of speech. In WordNet an inflected word has those of its base form.
    """
    concepts = taxonomy.concepts.find(terms)
    if taxonomy.sense_keys is not None:
        keys = taxonomy.sense_keys.find(terms)
        by_key = (concepts < 0) & (keys >= 0)
        concepts[by_key] = taxonomy.senses.items[keys[by_key]]
    named = np.flatnonzero(concepts >= 0)
    others = np.flatnonzero(concepts < 0)
    whose, senses = word_senses(taxonomy, [terms[i] for i in others.tolist()])
    kept = of_part_of_speech(taxonomy, part_of_speech)[senses]
    return Lists.grouped(
        np.concatenate([named, others[whose[kept]]]),
        np.concatenate([concepts[named], senses[kept]]),
        len(terms),
    )
