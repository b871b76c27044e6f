"""Drop frequent words at random, as word2vec does, by counts of the background.

Mikolov et al., "Distributed representations of words and phrases and their compositionality", 2013;
the probability is that of the code of word2vec and gensim, which is not the paper's.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lydite.errors import InputError
from lydite.lexicons.frequencies import Frequencies, ListedFrequencies, WordfreqFrequencies
from lydite.resources.frequencies import WORDFREQ, open_frequencies
from lydite.spaces.space import Space
from lydite.types import Floats, Indices

#: The counts that a space itself has.
OF_SPACE = "space"


@dataclass(frozen=True, kw_only=True, eq=False)
class WordCounts:
    """How often the words of a space occur.

    Attributes
    ----------
    space
        The space.
    listed
        Where the counts are from; the space itself if none.
    """

    space: Space
    listed: Frequencies | None = None

    @property
    def fingerprint(self) -> str:
        """Which counts they are."""
        return OF_SPACE if self.listed is None else self.listed.fingerprint

    def of_rows(self, rows: Indices) -> Floats:
        """Return the count of the word of each row, each different one looked up once."""
        if self.listed is None and self.space.counts is not None:
            return np.asarray(self.space.counts, dtype=np.float64)[rows]
        distinct, places = np.unique(rows, return_inverse=True)
        return self._looked_up(distinct)[places]

    @cached_property
    def of_all(self) -> Floats:
        """The counts of all words of the space, (n,)."""
        return self.of_rows(np.arange(len(self.space)))

    @cached_property
    def total(self) -> float:
        """How many words the corpus of these counts has."""
        if isinstance(self.listed, WordfreqFrequencies):
            return self.listed.corpus_size
        if isinstance(self.listed, ListedFrequencies):
            return float(self.listed.numbers.sum())
        return float(self.of_all.sum())

    def _looked_up(self, rows: Indices) -> Floats:
        if self.listed is None:
            raise no_counts(self.space)
        words = self.space.vocabulary.words.take(rows).to_list()
        return self.listed.counts(words)


def word_counts(space: Space, frequencies: str | Frequencies | None = None) -> WordCounts:
    """Open the counts of a space's words.

    Parameters
    ----------
    space
        The background.
    frequencies
        ``space`` for its own counts, ``wordfreq``, a list, a text, or counts that are open;
        none for its own counts where it has them and wordfreq where not.
    """
    if frequencies is None:
        frequencies = WORDFREQ if space.counts is None else OF_SPACE
    if frequencies == OF_SPACE:
        if space.counts is None:
            raise no_counts(space)
        return WordCounts(space=space)
    if isinstance(frequencies, str):
        frequencies = open_frequencies(frequencies)
    return WordCounts(space=space, listed=frequencies)


def no_counts(space: Space) -> InputError:
    """Make the error for a space that does not know how often its words occur."""
    return InputError(
        f"{space.spec} does not know how often its words occur",
        hint="use frequencies=wordfreq or frequencies=LIST, or vectors(FILE, counts=LIST)",
    )


def keep_probability(counts: Floats, threshold: float | Floats) -> Floats:
    """Return how likely a token of a word is kept: ``min(1, sqrt(t / c) + t / c)``.

    Parameters
    ----------
    counts
        How often the words occur, c; those that never do are always kept.
    threshold
        t: word2vec's ``sample`` times the words of the corpus.

    Examples
    --------
    >>> keep_probability(np.array([0.0, 1.0, 4.0, 100.0]), 1.0)
    array([1.  , 1.  , 0.75, 0.11])
    """
    share = np.divide(
        threshold, counts, out=np.full(np.shape(counts), np.inf), where=np.asarray(counts) > 0
    )
    return np.asarray(np.minimum(1.0, np.sqrt(share) + share), dtype=np.float64)
