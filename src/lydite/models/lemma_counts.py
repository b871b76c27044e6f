"""Texts as counts of their lemmas, a sparse row each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from lydite.spaces.vocabulary import bounds

if TYPE_CHECKING:
    from scipy.sparse import csr_array


def lemma_counts(lines: Sequence[Sequence[str]], place: Mapping[str, int]) -> csr_array[np.float64]:
    """Count how often each lemma stands in each text.

    Parameters
    ----------
    lines
        The lemmas of n texts.
    place
        The column of each of the d different lemmas.

    Returns
    -------
    Shape (n, d).

    Examples
    --------
    >>> lemma_counts([["a", "b", "a"], []], {"a": 0, "b": 1}).toarray().tolist()
    [[2.0, 1.0], [0.0, 0.0]]
    """
    from scipy.sparse import csr_array

    starts = bounds(np.fromiter(map(len, lines), np.int64, len(lines)))
    columns = np.fromiter((place[lemma] for line in lines for lemma in line), np.int64, starts[-1])
    ones = np.ones(len(columns))
    counts: csr_array[np.float64] = csr_array(
        (ones, columns, starts), shape=(len(lines), len(place))
    )
    counts.sum_duplicates()
    return counts
