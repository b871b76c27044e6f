"""Word frequencies by name or path."""

from __future__ import annotations

from pathlib import Path

from lydite.errors import UnknownNameError
from lydite.lexicons.frequencies import Frequencies, Phrases, read_frequencies, wordfreq_frequencies
from lydite.registry import unknown_name
from lydite.resources.catalogue import locate

WORDFREQ = "wordfreq"


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
        ``wordfreq`` (extra ``frequencies``), or the path of a list of words with counts.
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
        hint = f"there is {WORDFREQ}, or give the path of a list: word <tab> count"
        raise unknown_name("source of frequencies", str(source), [WORDFREQ], hint=hint) from None
    return read_frequencies(
        located.single(), name=located.name, sha256=located.sha256, phrases=phrases
    )
