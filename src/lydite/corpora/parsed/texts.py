"""Parse sentences that are at hand, such as those of an evaluation."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np

from lydite.corpora.lemmas import GIVEN, lemmatizer
from lydite.corpora.parsed.block import ParsedBlock
from lydite.corpora.parsed.collapsing import collapsed
from lydite.corpora.spacy_parser import parse
from lydite.spaces.vocabulary import bounds
from lydite.types import current_progress

#: Calls that are remembered: every model of a suite asks for the same sentences.
_REMEMBERED = 8


def parse_texts(texts: Sequence[str], *, lemmas: str = GIVEN) -> ParsedBlock:
    """Parse texts by spaCy's small English model (extra ``parse``), in the order given.

    Parameters
    ----------
    texts
        English; each is one sentence of the block, also where the parser sees several in it or
        where it is empty.
    lemmas
        ``given`` for those of spaCy, or the name of a lemmatizer for the words.

    Returns
    -------
    As many sentences as texts. Parses of the last few calls are kept in memory.

    Raises
    ------
    MissingExtraError
        If spaCy or its model is not installed.
    """
    return _parsed(tuple(texts), lemmas)


@functools.lru_cache(maxsize=_REMEMBERED)
def _parsed(texts: tuple[str, ...], lemmas: str) -> ParsedBlock:
    words: list[str] = []
    labels: list[str] = []
    heads: list[int] = []
    lengths: list[int] = []
    progress = current_progress()
    lemmatize = None if lemmas == GIVEN else lemmatizer(lemmas)
    for done, document in enumerate(parse(texts), 1):
        first = len(words)
        if lemmatize is None:
            words += [token.lemma_.lower() or token.lower_ for token in document]
        else:
            words += lemmatize([token.text for token in document])
        labels += [token.dep_ for token in document]
        heads += [-1 if t.head.i == t.i else first + t.head.i for t in document]
        lengths.append(len(document))
        progress("parsing", done, len(texts))
    known_words, tokens = _numbered(words)
    known_labels, names = _numbered(labels)
    starts = bounds(np.array(lengths, dtype=np.int64))
    return collapsed(
        known_words, known_labels, tokens, names, np.array(heads, dtype=np.int32), starts
    )


def _numbered(words: list[str]) -> tuple[list[str], np.ndarray[tuple[int], np.dtype[np.int32]]]:
    numbers: dict[str, int] = {}
    found = [numbers.setdefault(word, len(numbers)) for word in words]
    return list(numbers), np.array(found, dtype=np.int32)
