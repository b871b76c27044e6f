"""A term as the sum of the background vectors of its context words.

The additive model of Lazaridou, Marelli & Baroni (2017) and Bloem, Fokkens & Herbelot (2019), who
measure the consistency of data with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Annotated, Any, ClassVar

import numpy as np

from lydite.corpora.running_text import RunningText, Uses
from lydite.declare import SEEDS, Field, Param
from lydite.lexicons.frequencies import Frequencies
from lydite.models.contexts import (
    TERM,
    Encoded,
    Learned,
    Learner,
    WordCounts,
    background_space,
    chances,
    check_coverage,
    encode_contexts,
    find_rows,
    keep_probability,
    learner_fingerprint,
    word_counts,
)
from lydite.models.contractions import contractions
from lydite.models.contributions import Contributions, sum_windows
from lydite.models.word_coverage import tally_forms
from lydite.spaces.space import CaseRule, Space
from lydite.spaces.vocabulary import bounds
from lydite.types import Context, Floats, Indices, Mask, Vectors

#: Numbers gathered at a time, at 8 bytes each.
_GATHERED = 1 << 22


@dataclass(frozen=True, eq=False)
class Additive(Learner):
    """Sum of the background vectors of a term's context words.

    >>> space = Space.of({"the": [1.0, 0.0], "sat": [0.0, 2.0]})
    >>> context = Context(tokens=("the", "cat", "sat"), start=1, stop=2)
    >>> Additive(space, sample=0).learn([context]).tolist()
    [1.0, 2.0]
    """

    name: ClassVar[str] = "additive"
    word_by_word: ClassVar[bool] = True

    background: Annotated[
        Space,
        Param("Word vectors; what is learned lives among them.", given_by="background"),
    ]
    _: KW_ONLY
    window: Annotated[
        int,
        Param(
            "Words on either side of the term, within the sentence. As in word2vec, words that are "
            "unknown or were dropped take no place in it.",
            least=1,
        ),
    ] = 15
    sample: Annotated[
        float,
        Param("Frequent words are dropped at random as in word2vec; 0 keeps all.", least=0),
    ] = 1e-3
    frequencies: Annotated[
        str | Frequencies | None,
        Param(
            "``space`` (the background's own counts), ``wordfreq``, a list of counts, or a text "
            "whose words are counted; by default the background's where it has them, and wordfreq "
            "where not."
        ),
    ] = None
    seed: Annotated[
        int,
        Param(
            "The seed of the subsampling. Whether a word is dropped depends on the seed, the "
            "sentence and the place in it alone.",
            least=0,
            most=SEEDS,
        ),
    ] = 0
    case: Annotated[
        CaseRule,
        Param("``fold`` asks again in lower case for words that are absent as written."),
    ] = "fold"

    @classmethod
    def open(cls, background: object, **parameters: Any) -> Additive:  # noqa: ANN401
        """Open the background and the counts of its words."""
        made = cls(background_space(cls.name, background), **parameters)
        _ = made.counts
        return made

    def spec_value(self, field: Field) -> Any:  # noqa: ANN401
        """Return what the spec says of a field; counts that were open go by their name."""
        value = super().spec_value(field)
        listed = field.name == "frequencies" and not isinstance(value, str | None)
        return value.name if listed else value

    @cached_property
    def counts(self) -> WordCounts | None:
        """How often words occur; none if ``sample`` is 0."""
        return word_counts(self.background, self.frequencies) if self.sample else None

    @property
    def fingerprint(self) -> str | None:
        """The bytes of the background and of the counts."""
        return learner_fingerprint(self.background, self.counts)

    def learn_all(self, samples: Sequence[Sequence[Context]], *, seed: int = 0) -> Learned:
        """Return one vector per sample."""
        encoded = encode_contexts(self.background, samples, case=self.case)
        encoded = encoded.seeded(self.seed).seeded(seed)
        keep = np.ones(len(encoded.rows))
        if self.counts is not None and self.sample:
            known = encoded.known
            counts = self.counts.of_rows(encoded.rows[known])
            keep[known] = keep_probability(counts, self.sample * self.counts.total)
        vectors, used = sum_contexts(self.background.vectors, encoded, keep, self.window)
        learned = np.asarray(vectors.any(axis=1), dtype=np.bool_)
        return Learned(vectors=vectors, learned=learned, background=self.background, used=used)

    def contributions(self, text: RunningText, uses: Uses) -> Contributions:
        """Return what sentences add on average: each word weighted by its chance to be kept."""
        text, moved = text.recut(contractions(self.background, text.words, case=self.case))
        uses = uses.moved(moved)
        rows = find_rows(self.background, text.words, self.case)
        times = np.bincount(text.tokens, minlength=len(text.words))
        tally_forms(self.background, text.words, times.tolist(), (rows >= 0).tolist())
        check_coverage(self.background, int((rows[text.tokens] >= 0).sum()), len(text.tokens))
        keep = np.where(rows >= 0, 1.0, 0.0)
        if self.counts is not None and self.sample:
            known = np.flatnonzero(rows >= 0)
            counts = self.counts.of_rows(rows[known])
            keep[known] = keep_probability(counts, self.sample * self.counts.total)
        return sum_windows(
            text,
            uses,
            rows=rows,
            keep=keep,
            vectors=self.background.vectors,
            window=self.window,
        )


def sum_contexts(
    vectors: Vectors, encoded: Encoded, keep: Floats, window: int
) -> tuple[Vectors, Indices]:
    """Add up the vectors of the context words of each sample.

    Sums have the shape (n, d) and are made in float64; beside them is the number of tokens in each.

    - ``keep`` (t,): how likely each token is kept.
    - ``window``: how many of the words kept count, on either side of a use of the term.
    """
    sentence = encoded.sentence_of_tokens()
    place = np.arange(len(sentence)) - encoded.sentences[sentence]
    kept = encoded.known & (chances(encoded.keys[sentence], place) < keep)
    present = np.flatnonzero(kept | (encoded.rows == TERM))
    near = present[_near_term(encoded.rows[present] == TERM, sentence[present], window)]
    rows, owner = encoded.rows[near], encoded.sample_of_tokens()[near]
    samples = len(encoded.samples) - 1
    return _sum_rows(vectors, rows, owner, samples), np.bincount(owner, minlength=samples)


def _near_term(is_term: Mask, sentence: Indices, window: int) -> Mask:
    """Tell which of the tokens that are left lie in the window of a use of the term, (t,)."""
    at = np.arange(len(is_term))
    # Beyond every window, and before or behind every sentence.
    far = len(at) + window + 1
    before = np.maximum.accumulate(np.where(is_term, at, -far))
    behind = np.minimum.accumulate(np.where(is_term, at, 2 * far)[::-1])[::-1]
    reached = np.zeros(len(at), dtype=np.bool_)
    for nearest, distance in ((before, at - before), (behind, behind - at)):
        within = np.flatnonzero(distance <= window)
        reached[within] |= sentence[nearest[within]] == sentence[within]
    return reached & ~is_term


def _sum_rows(vectors: Vectors, rows: Indices, owner: Indices, samples: int) -> Vectors:
    """Add up rows that belong to one sample; ``owner`` ascends."""
    sums = np.zeros((samples, vectors.shape[1]), dtype=np.float64)
    counts = np.bincount(owner, minlength=samples)
    filled, ends = np.flatnonzero(counts), bounds(counts)
    # Samples are never split, so that a sum does not depend on the company it is made in.
    groups = ends[filled + 1] * vectors.shape[1] // _GATHERED
    for group in np.split(filled, np.flatnonzero(np.diff(groups)) + 1):
        if len(group):
            start, stop = ends[group[0]], ends[group[-1] + 1]
            gathered = vectors[rows[start:stop]].astype(np.float64)
            sums[group] = np.add.reduceat(gathered, ends[group] - start, axis=0)
    return sums.astype(np.float32)
