"""Sentences laid one after the other in flat arrays."""

from __future__ import annotations

import numpy as np

from lydite.types import Indices


def places_of(starts: Indices, sentences: Indices) -> Indices:
    """Return the places of the words of some sentences, one sentence after the other.

    Parameters
    ----------
    starts
        Shape (m + 1,): the first word of each sentence, and in the end the number of words.
    sentences
        Which of the m, in the order wanted.

    Examples
    --------
    >>> places_of(np.array([0, 2, 5, 6]), np.array([2, 0])).tolist()
    [5, 0, 1]
    """
    lengths = np.diff(starts)[sentences]
    ends = np.cumsum(lengths)
    shift = np.repeat(starts[sentences] - ends + lengths, lengths)
    return np.asarray(shift + np.arange(len(shift)), dtype=np.int64)


def starts_of(lengths: Indices) -> Indices:
    """Return where sentences of so many words start, and in the end the number of words, (m + 1,).

    >>> starts_of(np.array([2, 3, 1])).tolist()
    [0, 2, 5, 6]
    """
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
