"""Bootstrap intervals of shares of items that belong to two crossed sets of clusters.

Items such as <A, B, C> share A with some items and C with others. Drawing whole clusters of one
kind takes those of the other for fixed, and their common luck goes unseen.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lydite.errors import InputError
from lydite.stats.bootstrap import Interval
from lydite.stats.resampling import block_heights
from lydite.types import Indices, Mask


def crossed_intervals(
    kept: Mask, rows: ArrayLike, columns: ArrayLike, *, resamples: int = 2000, seed: int
) -> list[Interval]:
    """Return 95 % percentile intervals of shares, by a bootstrap over both kinds of clusters.

    Rows and columns are drawn independently, with replacement; an item counts as often as its row
    and its column were drawn, multiplied. The interval is conservative: it covers the true share
    at least as often as it says (Owen 2007).

    Parameters
    ----------
    kept
        Shape (n, m): for each of n items, which of m conditions it keeps.
    rows, columns
        Shape (n,): the two clusters of each item.
    resamples
        How many draws.
    seed
        Of the draws, which are the same for all conditions.

    References
    ----------
    Owen (2007), The pigeonhole bootstrap, Annals of Applied Statistics 1.

    Examples
    --------
    >>> kept = np.array([[True], [True], [False], [True], [False], [True]])
    >>> interval, = crossed_intervals(kept, [0, 0, 1, 1, 2, 2], [0, 1, 0, 1, 0, 1], seed=1)
    >>> interval.low, interval.high
    (0.0, 1.0)
    """
    first, second = (np.unique(np.asarray(c), return_inverse=True)[1] for c in (rows, columns))
    if kept.ndim != 2 or first.shape != (len(kept),) or second.shape != (len(kept),):
        raise InputError(f"expected a row and a column for each of {len(kept)} items")
    generator = np.random.default_rng(seed)
    values = kept.astype(np.float32)
    shares = []
    for height in block_heights(resamples, len(kept)):
        weights = _drawn(generator, first, height) * _drawn(generator, second, height)
        totals = weights.sum(axis=1, dtype=np.float64)
        # A draw of rows and columns that never meet says nothing.
        met = totals > 0
        shares.append((weights[met] @ values) / totals[met, None])
    low, high = np.quantile(np.concatenate(shares), (0.025, 0.975), axis=0)
    return [
        Interval(low=float(a), high=float(b), level=0.95, method="crossed")
        for a, b in zip(low, high, strict=True)
    ]


def _drawn(generator: np.random.Generator, codes: Indices, height: int) -> NDArray[np.float32]:
    """Return how often the cluster of each item was drawn, (height, n)."""
    count = int(codes.max()) + 1
    draws = generator.integers(0, count, size=(height, count))
    draws += np.arange(height)[:, None] * count
    often = np.bincount(draws.ravel(), minlength=height * count).reshape(height, count)
    return often.astype(np.float32)[:, codes]
