"""A text read once: its tokens as numbers, sentence by sentence, and where terms are used in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

import numpy as np

from lydite.corpora.books import Passage
from lydite.corpora.occurrences import MASK, Occurrence
from lydite.types import Context, Indices

#: Sentences of a term that are fewer than this apart are one run, where a text has no paragraphs.
RUN = 10
#: A text has paragraphs if they hold so many sentences on average.
_LEAST_MEAN = 1.2


@dataclass(frozen=True, kw_only=True, eq=False)
class RunningText:
    """The sentences of a text, of t tokens and s sentences in all."""

    words: tuple[str, ...]  # the different tokens, as they are first met
    tokens: Indices  # (t,): the number of each token's word
    starts: Indices  # (s + 1,): where each sentence starts
    #: (s,): the number of each sentence's paragraph, chapter and file; all ascend.
    paragraph: Indices
    chapter: Indices
    work: Indices
    #: Whether neighbors in the text are neighbors here: not so in saved samples.
    in_order: bool = True

    @classmethod
    def of(cls, passages: Iterable[Passage]) -> RunningText:
        """Read the paragraphs of a text.

        >>> text = RunningText.of([Passage((("a", "b"), ("b",))), Passage((("a",),))])
        >>> text.words, text.tokens.tolist(), text.starts.tolist(), text.paragraph.tolist()
        (('a', 'b'), [0, 1, 1, 0], [0, 2, 3, 4], [0, 0, 1])
        """
        numbers: dict[str, int] = {}
        tokens: list[int] = []
        lengths: list[int] = []
        places: list[tuple[int, int, int]] = []
        for paragraph, passage in enumerate(passages):
            for sentence in passage.sentences:
                tokens += [numbers.setdefault(token, len(numbers)) for token in sentence]
                lengths.append(len(sentence))
                places.append((paragraph, passage.chapter, passage.work))
        paragraphs, chapters, works = np.array(places, dtype=np.int64).reshape(-1, 3).T
        return cls(
            words=tuple(numbers),
            tokens=np.array(tokens, dtype=np.int64),
            starts=np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]),
            paragraph=paragraphs,
            chapter=chapters,
            work=works,
        )

    def recut(self, pieces: Mapping[str, tuple[str, ...]]) -> tuple[RunningText, Indices]:
        """Put pieces in the place of words, and return where each token starts then, (t + 1,).

        >>> text = RunningText.of([Passage((("i", "don't"), ("i",)))])
        >>> cut, moved = text.recut({"don't": ("do", "n't")})
        >>> list(cut.sentences()), moved.tolist()
        ([('i', 'do', "n't"), ('i',)], [0, 1, 3, 4])
        """
        numbers: dict[str, int] = {}
        cut = [
            [numbers.setdefault(piece, len(numbers)) for piece in pieces.get(word, (word,))]
            for word in self.words
        ]
        lengths = np.array([len(each) for each in cut], dtype=np.int64)
        moved = np.concatenate([[0], np.cumsum(lengths[self.tokens])])
        firsts = (np.cumsum(lengths) - lengths)[self.tokens]
        within = np.arange(moved[-1]) - np.repeat(moved[:-1], np.diff(moved))
        flat = np.array(list(chain.from_iterable(cut)), dtype=np.int64)
        tokens = flat[np.repeat(firsts, np.diff(moved)) + within]
        text = replace(self, words=tuple(numbers), tokens=tokens, starts=moved[self.starts])
        return text, moved

    def __len__(self) -> int:
        return len(self.paragraph)

    def sentences(self) -> Iterator[tuple[str, ...]]:
        """Yield the tokens of one sentence after the other."""
        for number in range(len(self)):
            yield self.sentence(number)

    def sentence(self, number: int) -> tuple[str, ...]:
        """Return the tokens of a sentence."""
        own = self.tokens[self.starts[number] : self.starts[number + 1]]
        return tuple([self.words[token] for token in own.tolist()])

    @cached_property
    def sentence_of_tokens(self) -> Indices:
        """The sentence of each token, (t,)."""
        return np.repeat(np.arange(len(self)), np.diff(self.starts))

    @cached_property
    def word_sentences(self) -> Indices:
        """In how many sentences each word occurs, (words,)."""
        size = max(len(self.words), 1)
        pairs = np.unique(self.sentence_of_tokens * size + self.tokens)
        return np.bincount(pairs % size, minlength=len(self.words))

    @property
    def has_paragraphs(self) -> bool:
        """Whether paragraphs hold more than a sentence each."""
        return len(self) >= _LEAST_MEAN * (int(self.paragraph[-1]) + 1) if len(self) else False

    def blocks(self, term: Indices, sentence: Indices) -> Indices:
        """Return the block of each of n sentences of terms: its paragraph, or else its run.

        Without paragraphs, sentences of a term that are fewer than `RUN` apart share a block; of
        sentences without an order each is a block of its own. ``term`` and ``sentence`` ascend,
        the second within the first.
        """
        if not self.in_order:
            return np.arange(len(sentence))
        if self.has_paragraphs:
            return self.paragraph[sentence]
        far = np.diff(sentence, prepend=-RUN) >= RUN
        far |= np.diff(term, prepend=-1) > 0
        return np.asarray(np.cumsum(far), dtype=np.int64)

    @property
    def block_name(self) -> str:
        """What a block is called."""
        if not self.in_order:
            return "sentence"
        return "paragraph" if self.has_paragraphs else f"run of sentences under {RUN} apart"


@dataclass(frozen=True, kw_only=True, eq=False)
class Uses:
    """Where terms are used: u uses, by term, then sentence, then place."""

    term: Indices  # (u,)
    sentence: Indices  # (u,)
    #: (u,): the tokens of the text that a use takes.
    start: Indices
    stop: Indices
    terms: int

    @classmethod
    def of(cls, text: RunningText, found: Sequence[Sequence[Occurrence]]) -> Uses:
        """Gather the uses in the sentences that were found of each term."""
        rows = [
            (term, place.sentence, *span)
            for term, places in enumerate(found)
            for place in places
            for span in place.uses
        ]
        term, sentence, start, stop = np.array(rows, dtype=np.int64).reshape(-1, 4).T
        begins = text.starts[sentence]
        return cls(
            term=term,
            sentence=sentence,
            start=begins + start,
            stop=begins + stop,
            terms=len(found),
        )

    @classmethod
    def of_words(cls, text: RunningText, words: Indices) -> Uses:
        """Gather the uses of words of the text, given by their numbers."""
        place = np.full(len(text.words), -1, dtype=np.int64)
        place[words] = np.arange(len(words))
        start = np.flatnonzero(place[text.tokens] >= 0)
        term = place[text.tokens[start]]
        start = start[np.argsort(term, kind="stable")]
        return cls(
            term=place[text.tokens[start]],
            sentence=text.sentence_of_tokens[start],
            start=start,
            stop=start + 1,
            terms=len(words),
        )

    def moved(self, places: Indices) -> Uses:
        """Return the same uses in a text that was cut anew, by where each token starts then."""
        return replace(self, start=places[self.start], stop=places[self.stop])

    @cached_property
    def first(self) -> Indices:
        """The first use of each term in each of its sentences, (n,)."""
        new = (np.diff(self.term, prepend=-1) != 0) | (np.diff(self.sentence, prepend=-1) != 0)
        return np.flatnonzero(new)


def text_of_contexts(
    terms: Sequence[Sequence[Context]],
) -> tuple[RunningText, tuple[tuple[Occurrence, ...], ...]]:
    """Make a text of the contexts of terms, without an order, and find the terms in it."""
    contexts = list(chain.from_iterable(terms))
    text = RunningText.of(Passage((context.tokens,)) for context in contexts)
    found: list[list[Occurrence]] = []
    number = 0
    for term in terms:
        found.append([])
        for context in term:
            found[-1].append(Occurrence(context=context, sentence=number, uses=_all_uses(context)))
            number += 1
    return replace(text, in_order=False), tuple(map(tuple, found))


def _all_uses(context: Context) -> tuple[tuple[int, int], ...]:
    """Return where the term stands in its sentence, masked or not."""
    tokens, size = context.tokens, context.stop - context.start
    own = tuple(map(str.lower, tokens[context.start : context.stop]))
    uses: list[tuple[int, int]] = []
    at = 0
    while at < len(tokens):
        here = at == context.start or tuple(map(str.lower, tokens[at : at + size])) == own
        step = size if here else 1
        if here or tokens[at] == MASK:
            uses.append((at, at + step))
        at += step
    return tuple(uses)
