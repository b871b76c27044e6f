"""One corpus for many models: read once, counted once for each kind of window."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np

from lydite.corpora.cooccurrence.cache import CountedCorpus
from lydite.corpora.cooccurrence.counting import count_cooccurrences
from lydite.corpora.cooccurrence.encoding import (
    EncodedCorpus,
    WordRows,
    encode_sentences,
    frequent_words,
)
from lydite.corpora.cooccurrence.windows import Windows
from lydite.corpora.documents import Corpus
from lydite.models.background import check_window
from lydite.models.zoo.encoded import encoded_once


class SharedCorpus:
    """A corpus that is encoded when it is first asked for, and its counts.

    Parameters
    ----------
    text
        Running text.
    folder
        Where numbers and counts go; they are there as long as it is.
    words
        How many words to take, the first ones; None for all.
    sha256
        Of the files. The numbers are kept in the cache under it; None keeps nothing.
    """

    def __init__(
        self, text: Corpus, folder: Path, *, words: int | None = None, sha256: str | None = None
    ) -> None:
        self._text = text
        self._sha256 = sha256
        self._folder = folder
        self._words = words
        self._counted: dict[object, CountedCorpus] = {}
        self._vocabularies: dict[tuple[int, int | None], WordRows] = {}

    @cached_property
    def encoded(self) -> EncodedCorpus:
        """The corpus as numbers."""
        if self._sha256 is None:
            folder = self._folder / "text"
            folder.mkdir()
            return self._encode(folder)
        text = self._text
        facts = [
            self._sha256,
            # The digest of a card's files does not depend on the order in which they are read.
            [file.name for file in text.files],
            dataclasses.asdict(text.preparation),
            text.encoding,
            text.field,
            self._words,
        ]
        return encoded_once(facts, self._encode)

    def _encode(self, folder: Path) -> EncodedCorpus:
        sentences: Iterable[Sequence[str]] = self._text.sentences()
        if self._words is not None:
            sentences = first_words(sentences, self._words)
        return encode_sentences(sentences, folder)

    @property
    def size(self) -> dict[str, int]:
        """How many sentences, tokens and different words there are."""
        return {
            "sentences": len(self.encoded.ids) - self.encoded.tokens,
            "tokens": self.encoded.tokens,
            "words": len(self.encoded.words),
        }

    def vocabulary(self, min_count: int, limit: int | None) -> WordRows:
        """Return the words that are frequent enough."""
        key = min_count, limit
        if key not in self._vocabularies:
            self._vocabularies[key] = frequent_words(self.encoded, min_count=min_count, limit=limit)
        return self._vocabularies[key]

    def counted(self, windows: Windows, min_count: int, limit: int | None) -> CountedCorpus:
        """Return the counts of words beside words, taken once for each kind of window."""
        key = type(windows).__name__, *dataclasses.astuple(windows), min_count, limit
        if key not in self._counted:
            kept = self.vocabulary(min_count, limit)
            check_window(int(kept.counts.sum()), windows.size)
            folder = self._folder / f"counts-{len(self._counted)}"
            contexts = count_cooccurrences(self.encoded, kept.rows, kept.counts, windows, folder)
            self._counted[key] = CountedCorpus(
                words=kept.words, counts=kept.counts, contexts=contexts
            )
        return self._counted[key]

    def sentences(self, kept: WordRows) -> Iterator[list[str]]:
        """Yield the sentences with those of their words alone that are kept."""
        names = np.array(kept.words.to_list(), dtype=object)
        ids = self.encoded.ids
        ends = np.flatnonzero(ids < 0)
        first = 0
        for last in ends.tolist():
            rows = kept.rows[ids[first:last]]
            yield names[rows[rows >= 0]].tolist()
            first = last + 1


def first_words(sentences: Iterable[Sequence[str]], words: int) -> Iterator[Sequence[str]]:
    """Yield the first so many words of a text; the last sentence may be cut.

    >>> list(first_words([("a", "b"), ("c", "d")], 3))
    [('a', 'b'), ('c',)]
    """
    for sentence in sentences:
        if words <= 0:
            return
        yield sentence[:words]
        words -= len(sentence)
