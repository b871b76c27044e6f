"""Where words come that have nothing to do with what was learnt: the null of definitions."""

from __future__ import annotations

import numpy as np

from lydite.spaces.cosine import rounding_margin, unit_rows
from lydite.types import Floats, Indices, Vectors

#: Words at a time.
_BLOCK = 1 << 14


def ranks_of_all(vectors: Vectors, queries: Vectors, targets: Indices) -> Floats:
    """Rank every target for every query, by cosine among all words.

    Unlike `lydite.spaces.ranks.cosine_ranks` it passes over the words once a query whatever the
    number of targets, and takes cosines for equal that float32 may not tell apart: enough for a
    distribution of ranks, not for a score.

    Parameters
    ----------
    vectors
        Shape (n, d): the space.
    queries
        Shape (m, d).
    targets
        Shape (k,): rows of the space.

    Returns
    -------
    Ranks from 1, shape (m, k).

    Examples
    --------
    >>> space = np.array([[1, 0], [1, 1], [0, 1]], dtype=np.float32)
    >>> ranks_of_all(space, space[:1], np.array([0, 2, 1])).tolist()
    [[1.0, 3.0, 2.0]]
    """
    wanted = unit_rows(queries)
    bounds = wanted @ unit_rows(vectors[targets]).T + np.float32(rounding_margin(vectors.shape[1]))
    order = np.argsort(bounds, axis=1)
    bounds = np.take_along_axis(bounds, order, axis=1)
    beaten = np.zeros((len(queries), len(targets) + 1), dtype=np.int64)
    for start in range(0, len(vectors), _BLOCK):
        cosines = wanted @ unit_rows(vectors[start : start + _BLOCK]).T
        for i, row in enumerate(cosines):
            places = np.searchsorted(bounds[i], row)
            beaten[i] += np.bincount(places, minlength=beaten.shape[1])
    # A word that lies above j bounds comes before the j targets with the lowest cosines.
    before = beaten[:, ::-1].cumsum(axis=1)[:, ::-1][:, 1:]
    ranks = np.empty(before.shape)
    np.put_along_axis(ranks, order, before + 1.0, axis=1)
    return ranks
