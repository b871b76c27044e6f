"""The uncertainty of a mean of scores between 0 and 1 over items that share two kinds of clusters.

Items such as <A, B, C> share A with some items and C with others. Clusters of one kind take those
of the other for fixed, and their common luck goes unseen: :mod:`lydite.stats.means` has the rule
for one kind, here is the one for two.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from lydite.errors import InputError
from lydite.stats.bootstrap import Interval
from lydite.stats.means import MIN_CLUSTERS, MIN_ITEMS, t_quantile
from lydite.types import Floats

#: A variance of equal scores is not 0 but what rounding leaves.
_ROUNDING = 1e-20


def crossed_interval(
    scores: ArrayLike, rows: ArrayLike, columns: ArrayLike, *, level: float = 0.95
) -> Interval | None:
    """Return the interval of the mean of scores in [0, 1], or None where there are too few.

    Parameters
    ----------
    scores
        Shape (n,): one per item, from 0 to 1.
    rows, columns
        Shape (n,): the two clusters of each item.

    Notes
    -----
    Clusters of n_g of the n items, with the sum s_g of their scores, have the variance
    ``Σ (s_g - n_g m)² / (1 - n_g / n)² / n²`` around the mean m (the jackknife's, CR3). Those of
    rows and of columns are added: what an item has to itself is then counted twice, which is on the
    safe side, and as the pigeonhole bootstrap does (Owen 2007). The interval is Wilson's with
    ``m (1 - m) / v`` as the number of items, at least 1 and at most n, and Student's t with E
    degrees of freedom. E is the smaller number of effective clusters, ``n² / Σ n_g²``, of the two
    kinds; where all items agree it is the number of items, too. None with fewer than two clusters
    of a kind, or three items.

    Simulated on the triples of three taxonomies and on made ones, the interval held the truth in 91
    to 100 % of the samples (``studies/coverage_subsumption.py``), percentiles of a pigeonhole
    bootstrap in 33 to 100 %.

    References
    ----------
    Owen (2007), The pigeonhole bootstrap, Annals of Applied Statistics 1. Cameron, Gelbach & Miller
    (2011), Robust inference with multiway clustering, Journal of Business & Economic Statistics 29.

    Examples
    --------
    >>> interval = crossed_interval([1, 1, 0, 1, 0, 1], [0, 0, 1, 1, 2, 2], [0, 1, 0, 1, 0, 1])
    >>> round(interval.low, 2), round(interval.high, 2)
    (0.02, 0.99)
    >>> crossed_interval([1, 0, 1], [0, 1, 2], [0, 0, 0]) is None
    True
    """
    values = np.asarray(scores, dtype=np.float64)
    kinds = [np.asarray(each) for each in (rows, columns)]
    if values.ndim != 1 or any(each.shape != values.shape for each in kinds):
        raise InputError(f"expected a row and a column for each of {values.size} items")
    sizes = [np.unique(each, return_counts=True)[1] for each in kinds]
    if len(values) < MIN_ITEMS or min(map(len, sizes)) < MIN_CLUSTERS:
        return None
    n, mean = len(values), float(values.mean())
    clusters = min(float(n**2 / (each**2).sum()) for each in sizes)
    variance = sum(_variance(values - mean, each) for each in kinds)
    spread = mean * (1 - mean)
    items = min(n, max(1.0, spread / variance)) if variance > _ROUNDING else clusters
    z = t_quantile(level, clusters)
    middle = mean + z * z / (2 * items)
    half = z * math.sqrt(spread / items + (z / (2 * items)) ** 2)
    scale = 1 + z * z / items
    # At 0 and 1 one end is the mean itself, which rounding is not to leave outside.
    return Interval(
        low=min(max(0.0, (middle - half) / scale), mean),
        high=max(min(1.0, (middle + half) / scale), mean),
        level=level,
        method="crossed",
    )


def _variance(deviations: Floats, clusters: ArrayLike) -> float:
    codes = np.unique(clusters, return_inverse=True)[1]
    sums = np.bincount(codes, weights=deviations)
    kept = 1 - np.bincount(codes) / len(deviations)
    return float(((sums / kept) ** 2).sum()) / len(deviations) ** 2
