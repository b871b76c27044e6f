"""Word frequencies by name or path."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from lydite.corpora.documents import open_corpus
from lydite.errors import UnknownNameError
from lydite.lexicons.frequencies import (
    Frequencies,
    ListedFrequencies,
    Phrases,
    is_listed,
    read_frequencies,
    wordfreq_frequencies,
)
from lydite.registry import unknown_name
from lydite.resources.catalogue import Located, locate
from lydite.types import current_progress

WORDFREQ = "wordfreq"
_TOLD_EVERY = 10_000


def open_frequencies(
    source: str | Path,
    *,
    phrases: Phrases = "none",
    language: str = "en",
    corpus_size: float = 1e9,
) -> Frequencies:
    """Open counts of words.

    Parameters
    ----------
    source
        ``wordfreq`` (extra ``frequencies``), a list of words with counts, or a text whose words
        are counted: a name or a path.
    phrases
        What stands for the count of a phrase that has none: 0 for ``none``, that of its ``rarest``
        word.
    language, corpus_size
        For wordfreq: the language, and in how many words a count is taken.
    """
    if source == WORDFREQ:
        return wordfreq_frequencies(language, corpus_size=corpus_size, phrases=phrases)
    try:
        located = locate(source)
    except UnknownNameError:
        hint = f"there is {WORDFREQ}, or give the path of a list, word <tab> count, or of a text"
        raise unknown_name("source of frequencies", str(source), [WORDFREQ], hint=hint) from None
    kind = located.card.kind if located.card is not None else None
    if kind in {"book", "corpus"} or len(located.paths) > 1 or not is_listed(located.paths[0]):
        return _counted(located, phrases)
    return read_frequencies(
        located.single(), name=located.name, sha256=located.sha256, phrases=phrases
    )


def _counted(located: Located, phrases: Phrases) -> ListedFrequencies:
    """Count the words of a corpus."""
    counts: Counter[str] = Counter()
    for done, tokens in enumerate(open_corpus(located.paths).sentences(), 1):
        counts.update(tokens)
        if done % _TOLD_EVERY == 0:
            current_progress()("counting words", done, None)
    return ListedFrequencies.of(
        counts, name=located.name, fingerprint=located.sha256, phrases=phrases
    )
