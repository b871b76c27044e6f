"""Contexts as rows of a background space: what the learners of terms compute with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

import numpy as np

from lydite.corpora.contexts import MASK
from lydite.errors import InputError
from lydite.spaces.space import CaseRule, Space
from lydite.spaces.vocabulary import Hashes, bounds, hash_words, mix, pack
from lydite.types import Context, Floats, Indices, Mask

#: A word that the background does not have.
UNKNOWN: Final = -1
#: The term itself, whatever its number of words.
TERM: Final = -2

#: The step of splitmix64.
STEP: Final = np.uint64(0x9E3779B97F4A7C15)

#: Fewer known words than this share of at least so many make a background unfit.
_LEAST_SHARE = 0.05
_MANY = 100


@dataclass(frozen=True, kw_only=True, eq=False)
class Encoded:
    """The contexts of n samples, sentence after sentence.

    Attributes
    ----------
    rows
        Shape (t,): the row of each token in the background, `UNKNOWN` or `TERM`. All uses of the
        term in a sentence are marked, also those that the context does not point at or that are
        masked (``___``); a term of several words takes one place.
    sentences
        Shape (s + 1,): where each sentence starts in ``rows``.
    samples
        Shape (n + 1,): where each sample starts among the sentences.
    keys
        Shape (s,): a hash of what each sentence says and where its term stands. Random numbers
        that depend on this alone are the same in whatever company the sentence comes.
    """

    rows: Indices
    sentences: Indices
    samples: Indices
    keys: Hashes

    @property
    def known(self) -> Mask:
        """Which tokens are words of the background, (t,)."""
        return self.rows >= 0

    def sentence_of_tokens(self) -> Indices:
        """Return the sentence of each token, (t,)."""
        return np.repeat(np.arange(len(self.keys)), np.diff(self.sentences))

    def sample_of_tokens(self) -> Indices:
        """Return the sample of each token, (t,)."""
        return np.repeat(np.arange(len(self.samples) - 1), np.diff(self.sentences[self.samples]))

    def seeded(self, seed: int) -> Encoded:
        """Return the same contexts with keys of another seed."""
        salt = mix(np.array([seed % 2**64], dtype=np.uint64) + STEP)
        keys = mix(self.keys ^ salt)
        return Encoded(rows=self.rows, sentences=self.sentences, samples=self.samples, keys=keys)


def encode_contexts(
    space: Space, samples: Sequence[Sequence[Context]], *, case: CaseRule = "fold"
) -> Encoded:
    """Find the words of contexts in a background space, all at once.

    Parameters
    ----------
    space
        The background.
    samples
        n samples of contexts.
    case
        ``fold`` asks again, in lower case, for words that are absent as written, and takes a term
        in another case for the term.

    Raises
    ------
    InputError
        If a context points beyond its sentence, or if fewer than 5 % of at least 100 words are
        known.

    Examples
    --------
    >>> space = Space.of({"the": [1.0], "sat": [2.0]})
    >>> context = Context(tokens=("The", "tom", "cat", "sat"), start=1, stop=3)
    >>> encode_contexts(space, [[context]]).rows.tolist()
    [0, -2, 1]
    """
    contexts = list(chain.from_iterable(samples))
    counts = bounds(np.fromiter(map(len, samples), np.int64, len(samples)))
    lengths = np.fromiter((len(c.tokens) for c in contexts), np.int64, len(contexts))
    spans = np.array([(c.start, c.stop) for c in contexts], dtype=np.int64).reshape(-1, 2)
    _check_spans(contexts, spans, lengths)
    tokens = list(chain.from_iterable(c.tokens for c in contexts))
    number = {word: i for i, word in enumerate(dict.fromkeys(tokens))}
    numbers = np.fromiter(map(number.__getitem__, tokens), np.int64, len(tokens))
    words = list(number)
    starts = bounds(lengths)
    plain = _plain_numbers(words, case)[numbers]
    first, covered = _term_places(plain, starts, spans)
    masked = numbers == number.get(MASK, -1)
    first, covered = first | masked, covered | masked
    rows = find_rows(space, words, case)[numbers]
    rows[first] = TERM
    kept = first | ~covered
    places = bounds(kept.astype(np.int64))
    encoded = Encoded(
        rows=rows[kept],
        sentences=places[starts],
        samples=counts,
        keys=_sentence_keys(_hashes(words, case)[numbers], starts, spans),
    )
    _check_coverage(space, encoded)
    return encoded


def find_rows(space: Space, words: Sequence[str], case: CaseRule) -> Indices:
    """Return the row of each word, asking again in lower case under ``fold``; -1 if absent."""
    rows = space.find(words)
    if case == "fold":
        again = [i for i in np.flatnonzero(rows < 0).tolist() if words[i] != words[i].lower()]
        rows = rows.copy()
        rows[again] = space.find([words[i].lower() for i in again])
    return rows


def chances(keys: Hashes, places: Indices) -> Floats:
    """Return a random number from 0 to 1 for each place of a keyed sentence (splitmix64)."""
    bits = mix(keys + (places.astype(np.uint64) + np.uint64(1)) * STEP)
    return (bits >> np.uint64(11)).astype(np.float64) * 2.0**-53


def _plain_numbers(words: list[str], case: CaseRule) -> Indices:
    """Give words a number, the same to those that differ in case alone under ``fold``."""
    if case == "exact":
        return np.arange(len(words))
    plain: dict[str, int] = {}
    return np.array([plain.setdefault(w.lower(), len(plain)) for w in words], dtype=np.int64)


def _hashes(words: list[str], case: CaseRule) -> Hashes:
    """Hash words, those that differ in case alone to the same under ``fold``.

    A name that was saved as it is called in tables then has what it had in a text in small letters.
    """
    return hash_words(pack([word.lower() for word in words] if case == "fold" else words))


def _term_places(numbers: Indices, starts: Indices, spans: Indices) -> tuple[Mask, Mask]:
    """Return where uses of each sentence's term begin, and all that they cover, (t,) each."""
    lengths = np.diff(starts)
    sizes = spans[:, 1] - spans[:, 0]
    own = starts[:-1] + spans[:, 0]
    owner = np.repeat(np.arange(len(lengths)), lengths)
    at = np.arange(len(numbers))
    begins = at + sizes[owner] <= starts[1:][owner]
    for k in range(int(sizes.max(initial=0))):
        inside = at[begins]
        sentence = owner[inside]
        matters = k < sizes[sentence]
        place = np.minimum(inside + k, len(numbers) - 1)
        same = numbers[place] == numbers[np.minimum(own[sentence] + k, len(numbers) - 1)]
        begins[inside[matters & ~same]] = False
    covered = np.zeros(len(numbers) + 1, dtype=np.int64)
    uses = np.flatnonzero(begins)
    np.add.at(covered, uses, 1)
    np.add.at(covered, uses + sizes[owner[uses]], -1)
    return begins, np.cumsum(covered)[:-1] > 0


def _sentence_keys(hashes: Hashes, starts: Indices, spans: Indices) -> Hashes:
    if not len(spans):
        return np.zeros(0, dtype=np.uint64)
    place = np.arange(len(hashes)) - np.repeat(starts[:-1], np.diff(starts))
    mixed = mix(hashes + (place.astype(np.uint64) + np.uint64(1)) * STEP)
    return mix(np.add.reduceat(mixed, starts[:-1]) + spans[:, 0].astype(np.uint64))


def _check_spans(contexts: Sequence[Context], spans: Indices, lengths: Indices) -> None:
    wrong = (spans[:, 0] < 0) | (spans[:, 0] >= spans[:, 1]) | (spans[:, 1] > lengths)
    if wrong.any():
        context = contexts[int(np.flatnonzero(wrong)[0])]
        raise InputError(
            f"expected a term within its sentence, got {context.start} to {context.stop} in "
            f"{' '.join(context.tokens)[:60]!r} of {len(context.tokens)} tokens"
        )


def _check_coverage(space: Space, encoded: Encoded) -> None:
    words = int((encoded.rows != TERM).sum())
    known = int(encoded.known.sum())
    if words >= _MANY and known < _LEAST_SHARE * words:
        raise InputError(
            f"{space.spec} has {known} of the {words} context words, too few to learn from",
            hint="is the background of another language, or cased otherwise than the contexts?",
        )
