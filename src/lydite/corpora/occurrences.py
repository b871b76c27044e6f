"""Find all uses of all terms in a corpus, in one pass."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from lydite.corpora.contexts import context_of
from lydite.corpora.phrases import Phrases
from lydite.corpora.terms.term import Term
from lydite.errors import InputError
from lydite.storage import sha256_text
from lydite.types import Context, current_progress

_BATCH_SENTENCES = 1 << 13


@dataclass(frozen=True, kw_only=True)
class Occurrence:
    """A sentence that uses a term, and its number in the corpus, from 0."""

    context: Context
    sentence: int


@dataclass(frozen=True, kw_only=True)
class Occurrences:
    """The sentences that use each term.

    Attributes
    ----------
    found
        By the text of the term, in the order of the terms, also of those that never occur. A
        sentence stands once, however often it uses the term and however often the corpus has it.
    uses
        How often each term occurs, repeated sentences included.
    sentences, tokens
        The size of the corpus.
    """

    found: Mapping[str, tuple[Occurrence, ...]]
    uses: Mapping[str, int]
    sentences: int
    tokens: int


def find_occurrences(
    sentences: Iterable[Sequence[str]],
    terms: Sequence[Term],
    *,
    inflected: bool = False,
    most: int | None = None,
    seed: int = 0,
) -> Occurrences:
    """Find the sentences that use each term.

    Of terms that overlap the longest counts, from left to right: ``logical form`` is no use of
    ``form``. Only the sentences found are kept, so a corpus may be of any size.

    Parameters
    ----------
    sentences
        The tokens of each sentence.
    terms
        Terms, cut into tokens as the corpus is.
    inflected
        Whether the plural, the singular and the possessive of a term's last word are uses of it.
    most
        Keep at most so many sentences of a term, drawn at random; for frequent terms of a large
        corpus.
    seed
        Of the draw; a term's draw does not depend on the other terms.

    Examples
    --------
    >>> terms = [Term(text="form", tokens=("form",)), Term(text="a form", tokens=("a", "form"))]
    >>> found = find_occurrences([("a", "form", "of", "form"), ("a", "form")], terms)
    >>> {text: [each.sentence for each in places] for text, places in found.found.items()}
    {'form': [0], 'a form': [0, 1]}
    """
    if most is not None and most < 1:
        raise InputError(f"expected to keep 1 sentence of a term or more, got {most}")
    owners, forms = _forms(terms, inflected=inflected)
    phrases = Phrases.of(forms)
    gathered = [_Gathered(term.text, most, seed) for term in terms]
    progress = current_progress()
    number = total = 0
    stream = iter(sentences)
    while batch := list(itertools.islice(stream, _BATCH_SENTENCES)):
        for place, uses in _uses(batch, phrases):
            tokens = batch[place]
            for owner, spans in _by_owner(uses, owners).items():
                gathered[owner].add(tokens, spans, number + place)
        number += len(batch)
        total += sum(map(len, batch))
        progress("sentences", number, None)
    return Occurrences(
        found={term.text: each.result() for term, each in zip(terms, gathered, strict=True)},
        uses={term.text: each.uses for term, each in zip(terms, gathered, strict=True)},
        sentences=number,
        tokens=total,
    )


class _Gathered:
    """The sentences of one term so far."""

    def __init__(self, text: str, most: int | None, seed: int) -> None:
        self._most = most
        self._kept: list[tuple[Sequence[str], list[tuple[int, int]], int]] = []
        self._met: set[int] = set()
        self._rng = np.random.default_rng(term_seed(text, seed)) if most else None
        self.uses = 0

    def add(self, tokens: Sequence[str], spans: list[tuple[int, int]], number: int) -> None:
        self.uses += len(spans)
        # The hash of a sentence stands for it: a corpus has some that occur in thousands of pages.
        known = len(self._met)
        self._met.add(hash(tuple(tokens)))
        if len(self._met) == known:
            return
        if self._rng is None or self._most is None or known < self._most:
            self._kept.append((tokens, spans, number))
        elif (place := int(self._rng.integers(known + 1))) < self._most:
            self._kept[place] = (tokens, spans, number)

    def result(self) -> tuple[Occurrence, ...]:
        in_order = sorted(self._kept, key=lambda each: each[2])
        return tuple(
            Occurrence(context=context_of(tokens, spans), sentence=number)
            for tokens, spans, number in in_order
        )


def term_seed(text: str, seed: int) -> list[int]:
    """Return the seed of a term's own draws, so that other terms do not change them."""
    return [seed, int(sha256_text(text)[:16], 16)]


def _uses(
    batch: Sequence[Sequence[str]], phrases: Phrases
) -> Iterator[tuple[int, list[tuple[int, int, int]]]]:
    """Yield each sentence that holds a phrase, with start, stop and number of its phrases."""
    part = phrases.parts.get
    # A 0 after each sentence keeps phrases from running into the next one.
    numbers = [part(token, 0) for tokens in batch for token in (*tokens, "")]
    ends = np.cumsum([len(tokens) + 1 for tokens in batch])
    starts, lengths, which = phrases.find(np.array(numbers, dtype=np.int64))
    places = np.searchsorted(ends, starts, side="right")
    begins = starts - (ends[places] - np.array([len(batch[place]) + 1 for place in places], int))
    rows = zip(places.tolist(), begins.tolist(), lengths.tolist(), which.tolist(), strict=True)
    for place, group in itertools.groupby(rows, key=lambda row: row[0]):
        yield place, [(start, start + length, form) for _, start, length, form in group]


def _by_owner(
    uses: Sequence[tuple[int, int, int]], owners: Sequence[int]
) -> dict[int, list[tuple[int, int]]]:
    spans: dict[int, list[tuple[int, int]]] = {}
    for start, stop, form in uses:
        spans.setdefault(owners[form], []).append((start, stop))
    return spans


def _forms(terms: Sequence[Term], *, inflected: bool) -> tuple[list[int], list[tuple[str, ...]]]:
    """Return the forms of all terms, and whose they are; a term's own form goes before others'."""
    owners = list(range(len(terms)))
    forms = [term.tokens for term in terms]
    if inflected:
        for number, term in enumerate(terms):
            *front, last = term.tokens
            more = [(*front, other) for other in _inflections(last)]
            forms += more
            owners += [number] * len(more)
    return owners, forms


def _inflections(word: str) -> list[str]:
    """Guess the plural or the singular of an English noun, and add the possessive.

    >>> _inflections("entity"), _inflections("axioms")
    (['entities', "entity's", 'entity’s'], ['axiom', "axioms'", 'axioms’'])
    """
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        single = f"{word[:-3]}y" if word.endswith("ies") else word[:-1]
        return [single, f"{word}'", f"{word}’"]
    if word.endswith("y") and word[-2:-1] not in set("aeiou"):
        plural = f"{word[:-1]}ies"
    else:
        plural = word + ("es" if word.endswith(("s", "x", "z", "ch", "sh")) else "s")
    return [plural, f"{word}'s", f"{word}’s"]
