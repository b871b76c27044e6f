"""Phrases found, counted and cut out with their sentences, in one pass over a corpus."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from lydite.corpora.terms import Term
from lydite.corpora.tokens import words
from lydite.errors import InputError
from lydite.progress import current_progress
from lydite.storage import sha256_text
from lydite.types import Context, Floats, Indices


@dataclass(frozen=True, kw_only=True, eq=False)
class Phrases:
    """Phrases as a trie in flat arrays, followed for all places of a text at once.

    Attributes
    ----------
    parts
        The tokens that stand in phrases, numbered from 1.
    keys, targets
        Shape (k,): the edges, each as one number made of state and part, ascending, and the states
        they lead to.
    ending
        For each state the phrase that ends there, -1 if none does.
    longest
        Tokens of the longest phrase, 1 where there is none.
    """

    parts: dict[str, int]
    keys: Indices
    targets: Indices
    ending: Indices
    longest: int

    @classmethod
    def of(cls, phrases: Iterable[Sequence[str]]) -> Phrases:
        """Gather phrases; of equal ones the first is found, an empty one never."""
        parts: dict[str, int] = {}
        edges: dict[tuple[int, int], int] = {}
        ends: dict[int, int] = {}
        longest = 1
        for number, phrase in enumerate(phrases):
            state = 0
            for token in phrase:
                part = parts.setdefault(token, len(parts) + 1)
                state = edges.setdefault((state, part), len(edges) + 1)
            if state:
                ends.setdefault(state, number)
            longest = max(longest, len(phrase))
        rows = np.array([(*key, target) for key, target in edges.items()], dtype=np.int64)
        states, tokens, targets = rows.reshape(-1, 3).T
        keys = states * (len(parts) + 1) + tokens
        order = np.argsort(keys)
        ending = np.full(len(edges) + 1, -1, dtype=np.int64)
        ending[list(ends)] = list(ends.values())
        return cls(
            parts=parts,
            keys=keys[order],
            targets=targets[order],
            ending=ending,
            longest=longest,
        )

    def find(self, text: Indices) -> tuple[Indices, Indices, Indices]:
        """Find phrases in a text that do not overlap.

        Parameters
        ----------
        text
            Shape (n,): the tokens as numbers of ``parts``, 0 for all others.

        Returns
        -------
        Three arrays of one length: where a phrase starts, how many tokens it has, and which it is.

        Examples
        --------
        >>> phrases = Phrases.of([["new", "york"], ["york", "city"], ["new", "york", "times"]])
        >>> text = "a new york city and the new york times"
        >>> numbers = np.array([phrases.parts.get(token, 0) for token in text.split()])
        >>> [each.tolist() for each in phrases.find(numbers)]
        [[1, 6], [2, 3], [0, 2]]
        """
        lengths, which = self._longest_at(text)
        kept = []
        end = 0
        starts = np.flatnonzero(lengths)
        for start, length in zip(starts.tolist(), lengths[starts].tolist(), strict=True):
            if start >= end:
                kept.append(start)
                end = start + length
        places = np.array(kept, dtype=np.int64)
        return places, lengths[places], which[places]

    def _longest_at(self, text: Indices) -> tuple[Indices, Indices]:
        """Return for each place the length of the longest phrase that starts there, and which."""
        lengths = np.zeros(len(text), dtype=np.int64)
        which = np.full(len(text), -1, dtype=np.int64)
        ahead = np.concatenate([text, np.zeros(self.longest + 1, dtype=np.int64)])
        places = np.flatnonzero(text) if len(self.keys) else np.empty(0, dtype=np.int64)
        states = np.zeros(len(places), dtype=np.int64)
        depth = 0
        while len(places):
            wanted = states * (len(self.parts) + 1) + ahead[places + depth]
            at = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
            hit = self.keys[at] == wanted
            places, states = places[hit], self.targets[at[hit]]
            depth += 1
            whole = self.ending[states] >= 0
            lengths[places[whole]] = depth
            which[places[whole]] = self.ending[states[whole]]
        return lengths, which


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


#: What stands for a use of the term that is not the one in question, and in files for all uses.
MASK: Final = "___"


def context_of(tokens: Sequence[str], uses: Sequence[tuple[int, int]]) -> Context:
    """Make the context of the first use of a term in a sentence.

    Its further uses become `MASK`: a learner would otherwise learn the term from itself.

    Parameters
    ----------
    uses
        Where the term starts and stops, in order, at least once.

    Examples
    --------
    >>> context_of(["free", "will", "is", "free", "will"], [(0, 2), (3, 5)])
    Context(tokens=('free', 'will', 'is', '___'), start=0, stop=2)
    """
    (start, stop), *others = uses
    if not others:
        return Context(tokens=tuple(tokens), start=start, stop=stop)
    kept = list(tokens[:stop])
    end = stop
    for begins, ends in others:
        kept += [*tokens[end:begins], MASK]
        end = ends
    return Context(tokens=(*kept, *tokens[end:]), start=start, stop=stop)


def masked_context(tokens: Sequence[str], term: Sequence[str] = (MASK,)) -> Context | None:
    """Make the context of a term that stands as `MASK` in a sentence; None where it does not.

    >>> masked_context("the ___ swims like ___".split(), ["nile", "perch"])
    Context(tokens=('the', 'nile', 'perch', 'swims', 'like', '___'), start=1, stop=3)
    """
    if MASK not in tokens:
        return None
    start = list(tokens).index(MASK)
    return Context(
        tokens=(*tokens[:start], *term, *tokens[start + 1 :]), start=start, stop=start + len(term)
    )


_BATCH_SENTENCES = 1 << 13


@dataclass(frozen=True, kw_only=True)
class Occurrence:
    """A sentence that uses a term, its number in the corpus, from 0, and where it does so."""

    context: Context
    sentence: int
    uses: tuple[tuple[int, int], ...] = ()


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
            Occurrence(context=context_of(tokens, spans), sentence=number, uses=tuple(spans))
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
