"""Base forms of inflected words, by the rules of WordNet (morphy(7WN))."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from lydite.errors import InputError
from lydite.lexicons.taxonomy import Lists
from lydite.lexicons.wordnet.fields import glue_words, read_fields, with_blanks
from lydite.registry import nearest
from lydite.spaces.vocabulary import PackedWords, Vocabulary, bounds, pack

#: Parts of speech, in WordNet's order, and how its files call them.
PARTS: Mapping[str, str] = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}

#: Endings to take off, and what to put in their place, in the order in which they are tried.
_DETACHMENTS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "n": (
        ("s", ""),
        ("ses", "s"),
        ("ves", "f"),
        ("xes", "x"),
        ("zes", "z"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("men", "man"),
        ("ies", "y"),
    ),
    "v": (
        ("s", ""),
        ("ies", "y"),
        ("es", "e"),
        ("es", ""),
        ("ed", "e"),
        ("ed", ""),
        ("ing", "e"),
        ("ing", ""),
    ),
    "a": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "r": (),
}


def require_part(letter: str) -> str:
    """Return a part of speech, satellite adjectives as adjectives; refuse what is none."""
    if letter == "s":
        return "a"
    if letter not in PARTS:
        close = [part for part, name in PARTS.items() if nearest(letter, [name], most=1)]
        raise InputError(
            f"expected a part of speech, one of {', '.join(PARTS)}, got {letter!r}",
            hint=f"did you mean {close[0]}?" if close else "n noun, v verb, a adjective, r adverb",
        )
    return letter


@dataclass(frozen=True, kw_only=True, eq=False)
class Exceptions:
    """Inflected forms that no rule leads back from.

    Attributes
    ----------
    inflected
        The part of speech and the form: ``n mice``.
    bases
        For each of them, the lemmas it may be a form of; what is no lemma is left out.
    """

    inflected: Vocabulary
    bases: Lists


def read_exceptions(paths: Mapping[str, Path], lemmas: Vocabulary) -> Exceptions:
    """Read lists of exceptions, one for each part of speech.

    Each line has an inflected form and its base forms, which ``lemmas`` numbers.
    """
    inflected, bases, owners, count = [], [], [], 0
    for letter, path in paths.items():
        fields = read_fields(path)
        # Of lines with the same form the last counts, and a vocabulary finds the first.
        lines = np.arange(len(fields))[::-1]
        forms = with_blanks(fields.words(lines, 0))
        inflected.append(glue_words([pack([f"{letter} "] * len(forms)), forms]))
        extra = fields.counts[lines] - 1
        owner = np.repeat(np.arange(len(lines)), extra)
        columns = np.arange(len(owner)) - np.repeat(bounds(extra)[:-1], extra) + 1
        bases.append(with_blanks(fields.words(lines[owner], columns)))
        owners.append(owner + count)
        count += len(lines)
    places = lemmas.find_packed(PackedWords.join([PackedWords.empty(), *bases]))
    known = places >= 0
    owner = np.concatenate([np.empty(0, dtype=np.int64), *owners])
    return Exceptions(
        inflected=Vocabulary.build(PackedWords.join([PackedWords.empty(), *inflected])),
        bases=Lists.grouped(owner[known], places[known], count),
    )


def candidates(
    words: Sequence[str], letter: str, exceptions: Exceptions, lemmas: Vocabulary
) -> list[list[str]]:
    """Return for each word itself and what it may be a form of, before any is looked up."""
    places = exceptions.inflected.find([f"{letter} {word}" for word in words])
    return [
        [word, *(lemmas[base] for base in exceptions.bases[place].tolist())]
        if place >= 0
        else [word, *_detached(word, letter)]
        for word, place in zip(words, places.tolist(), strict=True)
    ]


def _detached(word: str, letter: str) -> Iterable[str]:
    return (
        word.removesuffix(ending) + put
        for ending, put in _DETACHMENTS[letter]
        if word.endswith(ending)
    )
