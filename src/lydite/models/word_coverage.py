"""How many of the words in texts a model has: counted wherever texts are composed of words.

A text counts as covered as soon as one of its words is known. What share of all words is known is
another question, and the one that shows a space of another language. Whoever composes texts tells
`tally_words`; whoever asks a model opens a tally around the whole of it with `counting_words`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field


@dataclass(kw_only=True)
class WordTally:
    """The words of all texts that were composed so far, each text once.

    Words are tokens with a letter or a digit, each as often as it occurs.
    """

    total: int = 0
    known: int = 0
    _seen: set[int] = field(default_factory=set)

    @property
    def share(self) -> float | None:
        """The share of known words; None if nothing was composed of words."""
        return self.known / self.total if self.total else None

    def add(self, key: int, total: int, known: int) -> None:
        """Count a text, unless one with that key was counted before."""
        if key not in self._seen:
            self._seen.add(key)
            self.total += total
            self.known += known


_TALLY: ContextVar[WordTally | None] = ContextVar("tally", default=None)


@contextmanager
def counting_words() -> Iterator[WordTally]:
    """Count the words of the texts that are composed inside, however deep.

    >>> with counting_words() as tally:
    ...     tally_words(None, ["A cat, a dog."], [["A", "cat", ",", "a", "dog"]], {"A", "a", "cat"})
    >>> tally.known, tally.total, tally.share
    (3, 4, 0.75)
    """
    tally = WordTally()
    token = _TALLY.set(tally)
    try:
        yield tally
    finally:
        _TALLY.reset(token)


def tally_words(
    model: object,
    texts: Iterable[object],
    sentences: Sequence[Sequence[str]],
    known: Collection[str],
) -> None:
    """Tell the tally, if there is one, of texts, their tokens, and what a model knows of these."""
    tally = _TALLY.get()
    if tally is None:
        return
    words = {token for tokens in sentences for token in tokens if any(map(str.isalnum, token))}
    there = words.intersection(known)
    totals, found = (
        [sum(map(each.__contains__, tokens)) for tokens in sentences] for each in (words, there)
    )
    tally_counts(model, texts, totals, found)


def tally_forms(
    model: object, forms: Sequence[str], times: Sequence[int], known: Sequence[bool]
) -> None:
    """Tell the tally of one text by its different tokens, how often each occurs, and is known."""
    if _TALLY.get() is None:
        return
    rows = [
        (count, there)
        for form, count, there in zip(forms, times, known, strict=True)
        if any(map(str.isalnum, form))
    ]
    total, found = sum(count for count, _ in rows), sum(count for count, there in rows if there)
    tally_counts(model, [tuple(forms)], [total], [found])


def tally_counts(
    model: object, texts: Iterable[object], totals: Iterable[int], known: Iterable[int]
) -> None:
    """Tell the tally, if there is one, how many words texts have, and how many a model knows."""
    tally = _TALLY.get()
    if tally is None:
        return
    for text, total, there in zip(texts, totals, known, strict=True):
        # The same text may be composed by several models, as in an ensemble.
        tally.add(hash((id(model), text)), total, there)
