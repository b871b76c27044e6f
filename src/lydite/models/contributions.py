"""What each sentence adds to the vector of a term, for learners that sum up sentences.

The vector of a term is the sum of what its sentences contribute. Much of a contribution says
nothing of the term: any sentence of the book, or of the passage, would have added it. So what is
asked of contributions is asked after taking away what as much of the book's own text adds.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import ClassVar, Protocol, runtime_checkable

import numpy as np

from lydite.corpora.running_text import RunningText, Uses
from lydite.types import Floats, Indices, Vectors

#: A passage: so many sentences before and after the one in question.
PASSAGE = 100
#: How many sentences a term has that is worth learning.
LIKE_TERMS = 30
#: Tokens whose vectors are gathered at a time.
_GATHERED = 1 << 17


@dataclass(frozen=True, kw_only=True, eq=False)
class Contributions:
    """What n sentences of terms, and all s sentences of their text, add to a vector."""

    #: (n, d), (n,): the sum of what each sentence of a term adds, and how much that weighs. A
    #: sentence that adds nothing is left out.
    sums: Floats
    weight: Floats
    term: Indices  # (n,), ascending
    sentence: Indices  # (n,): its number in the text, ascending within a term
    block: Indices  # (n,): its paragraph, or run of sentences; different terms may share one
    terms: int
    #: (s, d), (s,): the same of every sentence of the text, whatever its words.
    text_sums: Floats
    text_weight: Floats
    text: RunningText

    @cached_property
    def center(self) -> Floats:
        """What a unit of weight adds on average in the whole text, (d,)."""
        total = self.text_weight.sum()
        return np.asarray(self.text_sums.sum(axis=0) / (total or 1.0))

    @cached_property
    def vectors(self) -> Floats:
        """What each sentence adds beyond as much of the book's mean text, (n, d)."""
        return self.sums - self.weight[:, None] * self.center

    @property
    def beyond_passage(self) -> Floats:
        """What each sentence adds beyond as much of the text around it, (n, d)."""
        return self.sums - self.weight[:, None] * self.passage_center(self.sentence)

    def passage_center(self, sentence: Indices) -> Floats:
        """Return what a unit of weight adds in the `PASSAGE` around sentences, (n, d).

        The sentence itself is left out; a passage without weight adds what the book does.
        """
        wanted, place = np.unique(sentence, return_inverse=True)
        low = np.maximum(wanted - PASSAGE, 0)
        high = np.minimum(wanted + PASSAGE + 1, len(self.text))
        weight = _between(self.text_weight[:, None], low, high)[:, 0] - self.text_weight[wanted]
        sums = _between(self.text_sums, low, high) - self.text_sums[wanted]
        known = weight > 1e-12
        sums[~known] = self.center
        sums[known] /= weight[known, None]
        return np.asarray(sums[place])

    def of_sentences(self, uses: Uses) -> Contributions:
        """Return what sentences that use other words contribute, those words included."""
        term, sentence = uses.term[uses.first], uses.sentence[uses.first]
        kept = self.text_weight[sentence] > 0
        term, sentence = term[kept], sentence[kept]
        return replace(
            self,
            sums=self.text_sums[sentence],
            weight=self.text_weight[sentence],
            term=term,
            sentence=sentence,
            block=self.text.blocks(term, sentence),
            terms=uses.terms,
        )

    def shifted(self, by: int) -> Contributions:
        """Move the places of terms round the text: pseudo-terms with the same bursts."""
        return self.moved((np.arange(len(self.text)) + by) % len(self.text))

    def moved(self, places: Indices) -> Contributions:
        """Give terms other sentences, ``places`` of theirs: pseudo-terms as frequent as they are.

        ``places`` (s,) says which sentence comes for each of the text. What comes contributes all
        its words, and blocks are those of the new places.
        """
        sentence = places[self.sentence]
        order = np.lexsort((sentence, self.term))
        kept = order[self.text_weight[sentence[order]] > 0]
        sentence, term = sentence[kept], self.term[kept]
        return replace(
            self,
            sums=self.text_sums[sentence],
            weight=self.text_weight[sentence],
            term=term,
            sentence=sentence,
            block=self.text.blocks(term, sentence),
        )


def _between(values: Floats, low: Indices, high: Indices) -> Floats:
    """Return the sums of rows from ``low`` to before ``high``."""
    sums = np.concatenate([np.zeros((1, values.shape[1])), np.cumsum(values, axis=0)])
    return np.asarray(sums[high] - sums[low])


@runtime_checkable
class SummingLearner(Protocol):
    """A learner whose vector is the sum, or the mean, of what each sentence contributes."""

    #: Whether contributions are sums of words, so that asking for all words of a text is cheap.
    word_by_word: ClassVar[bool]

    def contributions(self, text: RunningText, uses: Uses) -> Contributions:
        """Return what the sentences that use terms contribute to their vectors."""


def like_terms(text: RunningText) -> Indices:
    """Return for each sentence the place in the text of its word that is most like a term, (s,).

    By how many sentences have it, `LIKE_TERMS` being usual for a term; of several the first.
    """
    far = np.abs(np.log(text.word_sentences[text.tokens] / LIKE_TERMS))
    order = np.lexsort((np.arange(len(far)), far, text.sentence_of_tokens))
    return np.asarray(order[text.starts[:-1]], dtype=np.int64)


def gather(
    text: RunningText, uses: Uses, sums: Floats, weight: Floats, whole: tuple[Floats, Floats]
) -> Contributions:
    """Put contributions together: of sentences of terms, (n, d), and of ``whole``, the text."""
    kept = np.flatnonzero(weight > 0)
    first = uses.first[kept]
    term, sentence = uses.term[first], uses.sentence[first]
    return Contributions(
        sums=sums[kept],
        weight=weight[kept],
        term=term,
        sentence=sentence,
        block=text.blocks(term, sentence),
        terms=uses.terms,
        text_sums=whole[0],
        text_weight=whole[1],
        text=text,
    )


def sum_windows(
    text: RunningText, uses: Uses, *, rows: Indices, keep: Floats, vectors: Vectors, window: int
) -> Contributions:
    """Add up the vectors of the words around uses, each weighted by how likely it is kept.

    - ``rows`` (words,): the row of each word of the text in ``vectors``, -1 if it has none.
    - ``keep`` (words,): how likely each word is kept; a random draw would give it on average.
    - ``window``: how many known words count, on either side of a use, within the sentence. Words
      near two uses count once; the uses themselves do not count.
    """
    known = rows[text.tokens] >= 0
    # How many known tokens precede each token: a window is counted in these.
    before = np.concatenate([[0], np.cumsum(known)])
    low, high, inner = _windows(text, uses, before, window)
    words = text.tokens[known]
    parts = np.zeros((len(uses.term), vectors.shape[1] + 1))
    whole = np.zeros((len(text), vectors.shape[1] + 1))
    order = np.argsort(uses.sentence, kind="stable")
    for first, last in _batches(before[text.starts]):
        here = order[slice(*np.searchsorted(uses.sentence[order], (first, last)))]
        start, stop = before[text.starts[[first, last]]]
        sums = _cumulated(words[start:stop], rows, keep, vectors)
        parts[here] = sums[high[here] - start] - sums[low[here] - start]
        parts[here] -= sums[inner[1, here] - start] - sums[inner[0, here] - start]
        ends = before[text.starts[first : last + 1]] - start
        whole[first:last] = np.diff(sums[ends], axis=0)
    added = np.add.reduceat(parts, uses.first, axis=0) if len(parts) else parts
    # Differences of sums: what is left of nothing at all is rounding.
    weight = np.where(added[:, -1] > 1e-9, added[:, -1], 0.0)
    return gather(text, uses, added[:, :-1], weight, (whole[:, :-1], whole[:, -1]))


def _windows(
    text: RunningText, uses: Uses, before: Indices, window: int
) -> tuple[Indices, Indices, Indices]:
    """Return where the window of each use begins and ends, without what an earlier one has."""
    inner = np.stack([before[uses.start], before[uses.stop]])
    low = np.maximum(inner[0] - window, before[text.starts[uses.sentence]])
    high = np.minimum(inner[1] + window, before[text.starts[uses.sentence + 1]])
    again = np.ones(len(low), dtype=np.bool_)
    again[uses.first] = False
    later = np.flatnonzero(again)
    low[later] = np.maximum(low[later], high[later - 1])
    return low, high, inner


def _batches(starts: Indices) -> list[tuple[int, int]]:
    """Cut sentences, by where they start, into runs of a bearable number of tokens."""
    batch = starts[:-1] // _GATHERED
    edges = [0, *(np.flatnonzero(np.diff(batch)) + 1).tolist(), len(batch)]
    return [(a, b) for a, b in pairwise(edges) if b > a]


def _cumulated(words: Indices, rows: Indices, keep: Floats, vectors: Vectors) -> Floats:
    """Return the running sums of weighted vectors, and of the weights, before each token."""
    sums = np.zeros((len(words) + 1, vectors.shape[1] + 1))
    weight = keep[words]
    sums[1:, :-1] = vectors[rows[words]]
    sums[1:, :-1] *= weight[:, None]
    sums[1:, -1] = weight
    return np.asarray(np.cumsum(sums, axis=0, out=sums))
