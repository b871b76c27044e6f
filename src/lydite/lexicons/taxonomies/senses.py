"""The names that sense-level spaces give to a sense of a word."""

from __future__ import annotations

import numpy as np

from lydite.lexicons.taxonomies.taxonomy import Taxonomy
from lydite.spaces.vocabulary import spans
from lydite.types import Indices

#: What sense-level spaces call parts of speech: sense2vec's ``bank|NOUN``.
_TAGS = {"n": "NOUN", "v": "VERB", "a": "ADJ", "s": "ADJ", "r": "ADV"}


def sense_names(
    taxonomy: Taxonomy, words: Indices, concepts: Indices
) -> dict[tuple[str, str], tuple[str, ...]]:
    """Return, for words in senses, the names to look for in a space, best first.

    They are the concept's identifier (``bank.n.01``), the key of the sense
    (``bank%1:17:01::``), and the word with its part of speech (``bank|NOUN``).

    Parameters
    ----------
    words, concepts
        Shape (k,): places in the taxonomy, a word and one of its concepts each.
    """
    labels = taxonomy.words.words.take(words).to_list()
    identifiers = taxonomy.concepts.words.take(concepts).to_list()
    keys = _keys(taxonomy, words, concepts)
    letters = [""] * len(labels)
    if taxonomy.parts_of_speech is not None:
        letters = taxonomy.parts_of_speech[concepts].tolist()
    names = {}
    for label, identifier, key, letter in zip(labels, identifiers, keys, letters, strict=True):
        joined = label.replace(" ", "_")
        tagged = (f"{joined}|{_TAGS[letter]}",) if letter in _TAGS else ()
        names[label, identifier] = (identifier, *((key,) if key else ()), *tagged)
    return names


def _keys(taxonomy: Taxonomy, words: Indices, concepts: Indices) -> list[str]:
    if taxonomy.sense_keys is None or not len(words):
        return [""] * len(words)
    starts = taxonomy.senses.offsets[words]
    lengths = taxonomy.senses.offsets[words + 1] - starts
    places = spans(starts, lengths)
    same = taxonomy.senses.items[places] == np.repeat(concepts, lengths)
    whose = np.repeat(np.arange(len(words)), lengths)[same]
    keys = [""] * len(words)
    found = taxonomy.sense_keys.words.take(places[same]).to_list()
    for owner, key in zip(whose.tolist(), found, strict=True):
        keys[owner] = keys[owner] or key
    return keys
