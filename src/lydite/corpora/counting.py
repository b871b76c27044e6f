"""Count words and phrases in a stream of tokens."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lydite.corpora.phrases import Phrases
from lydite.corpora.tokens import words
from lydite.types import Floats, Indices


class _Numbers(dict[str, int]):
    """Number tokens as they are first met."""

    def __missing__(self, token: str) -> int:
        self[token] = number = len(self)
        return number


class WordCounter:
    """How often words, and some phrases as wholes, occur in a text that comes in pieces.

    Phrases are found in any case, the longest first; a word inside a phrase that was found is not
    counted by itself. A possessive (``dog's``) counts as its word, unless a phrase has it so
    (``men's room``). What is counted does not depend on how the text is cut.

    Parameters
    ----------
    phrases
        What is to be counted as a whole: whatever :func:`~lydite.corpora.tokens.words` cuts into
        several tokens. Of those that differ in case alone the first is counted.

    Examples
    --------
    >>> counting = WordCounter(["ice cream", "cream"])
    >>> counting.add(["Ice", "cream", ",", "cream"])
    >>> counting.counts()
    {'cream': 1.0, ',': 1.0, 'ice cream': 1.0}
    """

    def __init__(self, phrases: Sequence[str]) -> None:
        cut = [tuple(words(phrase.casefold())) for phrase in phrases]
        several = [number for number, tokens in enumerate(cut) if len(tokens) > 1]
        self._names = [phrases[number] for number in several]
        self._phrases = Phrases.of([cut[number] for number in several])
        self._numbers = _Numbers()
        self._parts: Indices = np.empty(0, dtype=np.int64)
        self._pending: Indices = np.empty(0, dtype=np.int64)
        self._met: Floats = np.zeros(0)
        self._found: Floats = np.zeros(len(several))

    def add(self, tokens: Sequence[str]) -> None:
        """Count the tokens that come next; an empty one counts nothing and divides phrases."""
        fresh = np.fromiter(map(self._numbers.__getitem__, tokens), np.int64, len(tokens))
        text = np.concatenate([self._pending, fresh])
        # Whether a phrase starts at one of the last tokens can be told when more has come.
        self._pending = text[self._count(text, max(len(text) - self._phrases.longest + 1, 0)) :]

    def counts(self) -> dict[str, float]:
        """Return how often each word and phrase has occurred so far, all tokens counted."""
        self._count(self._pending, len(self._pending))
        self._pending = self._pending[:0]
        totals: dict[str, float] = {}
        for token, count in zip(self._numbers, self._met.tolist(), strict=False):
            if count and token:
                name = token if token.casefold() in self._phrases.parts else _bare(token)
                totals[name] = totals.get(name, 0.0) + count
        for number in np.flatnonzero(self._found).tolist():
            name = self._names[number]
            totals[name] = totals.get(name, 0.0) + float(self._found[number])
        return totals

    def _count(self, text: Indices, stop: int) -> int:
        """Count what starts before ``stop``, and return where counting is to go on."""
        self._note_parts()
        starts, lengths, which = self._phrases.find(self._parts[text])
        early = starts < stop
        starts, lengths = starts[early], lengths[early]
        self._found += np.bincount(which[early], minlength=len(self._found))
        end = max(stop, int((starts + lengths).max(initial=0)))
        inside = np.zeros(len(text) + 1, dtype=np.int64)
        inside[starts] += 1
        inside[starts + lengths] -= 1
        alone = text[:end][np.cumsum(inside)[:end] == 0]
        met = np.bincount(alone, minlength=len(self._numbers)).astype(np.float64)
        met[: len(self._met)] += self._met
        self._met = met
        return end

    def _note_parts(self) -> None:
        """Look up the place in phrases of tokens that have not been met before."""
        known = self._phrases.parts
        folded = [token.casefold() for token in list(self._numbers)[len(self._parts) :]]
        fresh = [known.get(token) or known.get(_bare(token), 0) for token in folded]
        self._parts = np.concatenate([self._parts, np.array(fresh, dtype=np.int64)])


def _bare(token: str) -> str:
    """Return a token without the ending of the possessive."""
    return token[:-2] if len(token) > 2 and token.endswith(("'s", "’s")) else token
