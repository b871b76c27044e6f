"""Supersenses of words from WordNet alone, and as the published oracle has them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from lydite.corpora.tagged.token import Sentence
from lydite.lexicons.oracles.annotations import Annotation, Multiwords
from lydite.lexicons.oracles.supersenses import SUPERSENSES, SenseWeights
from lydite.lexicons.taxonomies.wordnet.database import WordNet
from lydite.lexicons.taxonomies.wordnet.morphology import candidates

_LETTERS = {"N": "n", "V": "v"}


def wordnet_annotations(
    wordnet: WordNet, *, weights: SenseWeights = "uniform", multiwords: Multiwords = "skip"
) -> Iterator[Annotation]:
    """Yield the supersenses of the senses of every noun and verb of WordNet.

    Parameters
    ----------
    wordnet
        The taxonomy.
    weights
        ``uniform``: each sense counts one. ``counts``: as often as it was tagged in WordNet's own
        semantic concordance; a sense never met there counts nothing.
    multiwords
        What to do with words such as ``hot dog``.
    """
    names = _supersense_names(wordnet)
    words = wordnet.words[:]
    concepts = wordnet.senses.items
    counts = wordnet.sense_counts if weights == "counts" else np.ones(len(concepts), np.int32)
    features = [names[number] for number in wordnet.lexicographer_files[concepts].tolist()]
    owners = wordnet.senses.owners().tolist()
    for owner, feature, count in zip(owners, features, counts.tolist(), strict=True):
        if feature is None or not count:
            continue
        parts = words[owner].replace("_", " ").split()
        if multiwords == "split" or len(parts) == 1:
            yield from (Annotation(part, feature, count) for part in parts)
        elif multiwords == "join":
            yield Annotation("_".join(parts), feature, count)


def published_annotations(sentences: Iterable[Sentence], wordnet: WordNet) -> Iterator[Annotation]:
    """Yield the supersenses that the published oracle counted, mistakes and all.

    The authors' script takes the synsets of a lemma from WordNet 3.0 in alphabetical order of
    their names, keeps those whose name holds the lemma or its first part that any holds, and
    takes of these the one at the place that the sense number says (the last for number 0). Sense
    numbers count by frequency, though, so that this is often another sense: of the annotations in
    SemCor 3.0 a fifth get a supersense that is not the tagged one, and one in thirty is lost
    because the number is too large. Each part of an expression counts if it is a noun, or verb,
    itself. Tokens with two senses are left out.

    References
    ----------
    Tsvetkov et al. 2015; ``src/supersense_matrix.py`` of github.com/ytsvetko/qvec.
    """
    seen: Counter[tuple[str, str, int]] = Counter()
    for token in (token for sentence in sentences for token in sentence):
        letter = _LETTERS.get(token.tag[:1])
        if letter and token.lemma and len(token.senses) == 1:
            seen[token.lemma, letter, token.senses[0].number] += 1
    for letter in _LETTERS.values():
        lemmas = {lemma for lemma, part_of_speech, _ in seen if part_of_speech == letter}
        parts = {part for lemma in lemmas for part in lemma.split("_")}
        synsets = _named_synsets(wordnet, sorted(lemmas | parts), letter)
        for (lemma, part_of_speech, number), count in seen.items():
            if part_of_speech != letter:
                continue
            feature = _at_place(synsets[lemma], lemma, number)
            for part in lemma.split("_") if feature else ():
                if synsets[part]:
                    yield Annotation(part, feature, count)


def _at_place(synsets: list[tuple[str, str]], lemma: str, number: int) -> str:
    for part in lemma.split("_"):
        named = [synset for synset in synsets if part in synset[0]]
        if named:
            synsets = named
            break
    return synsets[number - 1][1] if number <= len(synsets) and synsets else ""


def _named_synsets(
    wordnet: WordNet, words: Sequence[str], letter: str
) -> dict[str, list[tuple[str, str]]]:
    """Return name and supersense of the synsets of each word, by name."""
    forms = _base_forms(wordnet, [word.replace("_", " ") for word in words], letter)
    owners = np.repeat(np.arange(len(words)), [len(each) for each in forms])
    lemmas = wordnet.lemmas.find([form for each in forms for form in each])
    by_lemma, spellings = wordnet.lemma_words.of_all(lemmas)
    by_spelling, concepts = wordnet.senses.of_all(spellings)
    names = _supersense_names(wordnet)
    letters = wordnet.parts_of_speech
    kept = np.ones(len(concepts), np.bool_) if letters is None else letters[concepts] == letter
    found: dict[str, set[tuple[str, str]]] = {word: set() for word in words}
    whose = owners[by_lemma[by_spelling[kept]]].tolist()
    identifiers = wordnet.concepts.words.take(concepts[kept]).to_list()
    files = wordnet.lexicographer_files[concepts[kept]].tolist()
    for owner, identifier, file in zip(whose, identifiers, files, strict=True):
        found[words[owner]].add((identifier, names[file] or ""))
    return {word: sorted(synsets) for word, synsets in found.items()}


def _base_forms(wordnet: WordNet, words: Sequence[str], letter: str) -> list[tuple[str, ...]]:
    """Return base forms as NLTK does: rules go on where one leads nowhere (less, les, le)."""
    found = wordnet.base_forms(words, letter)
    stuck = [place for place, forms in enumerate(found) if not forms]
    tried = candidates([words[p] for p in stuck], letter, wordnet.exceptions, wordnet.lemmas)
    shorter = [[form for form in each if len(form) < len(each[0])] for each in tried]
    flat = [form for each in shorter for form in each]
    again = iter(_base_forms(wordnet, flat, letter) if flat else [])
    for place, each in zip(stuck, shorter, strict=True):
        found[place] = tuple(dict.fromkeys(base for _ in each for base in next(again)))
    return found


def _supersense_names(wordnet: WordNet) -> list[str | None]:
    return [name if name in SUPERSENSES else None for name in wordnet.lexicographer_names]
