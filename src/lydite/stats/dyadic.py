"""Uncertainty where items are pairs and pairs share members.

Two word pairs with a word in common are not independent, and no division of the pairs into
clusters keeps them together. The variance of a statistic is then summed over all pairs of items
that share a node.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from lydite.errors import InputError, UndefinedScoreError
from lydite.stats.bootstrap import Interval
from lydite.types import Floats, Indices


def dyadic_standard_error(influence: ArrayLike, left: ArrayLike, right: ArrayLike) -> float:
    """Return the standard error of a statistic of pairs, robust to the nodes they share.

    ``V = 1/n² Σ IF_p IF_q`` over all ordered pairs of items (p, q), p = q included, that share at
    least one node. It is summed by node: with T_c the sum of the influence of the items at node c
    and D_g that of the items with the same two nodes, ``n² V = Σ T_c² - Σ D_g²``, for items that
    share both nodes were counted at each. An item whose two nodes are one is counted once at it.
    V is not below ``Σ IF² / n²``, the variance for independent items: by chance the sum can be
    lower, even negative.

    Parameters
    ----------
    influence
        Shape (n,). Influence values of the statistic, as from
        :func:`~lydite.stats.correlation.spearman_influence`.
    left, right
        Shape (n,). The two nodes of each item, as integer labels; their order means nothing.

    Notes
    -----
    The estimate holds for many nodes. Simulated with nodes that carry 50 to 80 % of the variance,
    95 % intervals of a correlation covered 90 to 94 % with 40 to 100 nodes (a bootstrap of the
    items: 50 to 88 %) and 95 to 96 % with 200 to 1000 nodes.

    References
    ----------
    Fafchamps & Gubert (2007), The formation of risk sharing networks, Journal of Development
    Economics 83. Aronow, Samii & Assenova (2015), Cluster-robust variance estimation for dyadic
    data, Political Analysis 23.

    Examples
    --------
    >>> dyadic_standard_error([1.0, 1.0, -1.0, -1.0], [1, 1, 4, 4], [2, 3, 5, 6])
    0.7071067811865476
    >>> dyadic_standard_error([1.0, 1.0, -1.0, -1.0], [1, 3, 5, 7], [2, 4, 6, 8])
    0.5
    """
    values = np.asarray(influence, dtype=np.float64)
    first, second = np.asarray(left), np.asarray(right)
    if values.ndim != 1 or not values.shape == first.shape == second.shape:
        raise InputError(
            "expected three 1-d arrays of one length, "
            f"got shapes {values.shape}, {first.shape} and {second.shape}"
        )
    if not values.size or not np.isfinite(values).all():
        raise UndefinedScoreError(
            f"a standard error needs finite influence values, got {values.size} values, "
            f"{np.count_nonzero(~np.isfinite(values))} of them not finite"
        )
    shared = _sum_over_shared(values, first, second)
    return math.sqrt(max(shared, float((values**2).sum()))) / values.size


def _sum_over_shared(values: Floats, left: Indices, right: Indices) -> float:
    nodes = np.unique_inverse(np.concatenate([left, right]))
    first, second = nodes.inverse_indices.reshape(2, -1)
    count = nodes.values.size
    distinct = first != second
    at_node = np.bincount(first, values, count)
    at_node += np.bincount(second[distinct], values[distinct], count)
    keys = np.minimum(first, second) * count + np.maximum(first, second)
    pairs = np.unique_inverse(keys[distinct]).inverse_indices
    at_pair = np.bincount(pairs, values[distinct])
    return float((at_node**2).sum() - (at_pair**2).sum())


def correlation_interval(
    r: float,
    standard_error: float,
    level: float = 0.95,
    *,
    n: int | None = None,
    method: str = "dyadic",
) -> Interval:
    """Return a confidence interval of a correlation from its standard error.

    It is symmetric on Fisher's scale, ``tanh(atanh r ± q SE / (1 - r²))`` with q the normal
    quantile, so it stays within -1 and 1.

    At r = ±1 all influence is zero, and so is the standard error, which says nothing about how
    unsure a perfect order of few items is. There the end away from r is that of the next value
    that a rank correlation of n items can have, ``tanh(atanh(1 - 12 / (n (n² - 1))) - q /
    sqrt(n - 3))`` for r = 1, and the other end is r. No lower r may claim more: whatever r is, the
    lower end is at most that, and the upper end at least its negative. With three items or fewer
    the interval is [-1, 1].

    Parameters
    ----------
    n
        The number of items. If it is not given, the interval of r = ±1 is [-1, 1], and those of
        other correlations are as for many items.

    Notes
    -----
    For normal variables whose rho is the lower end at r = 1, n items came in perfect order with a
    probability of 0.004 to 0.018 for n from 4 to 25 (100,000 draws each), so the end is not too
    high at the level of 95 %.

    Examples
    --------
    >>> interval = correlation_interval(0.5, 0.1)
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.2803, 0.6699)
    >>> interval = correlation_interval(1.0, 0.0, n=10)
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.9477, 1.0)
    """
    if not (-1 <= r <= 1 and 0 <= standard_error < math.inf and 0 < level < 1):
        raise InputError(
            "expected a correlation within -1 and 1, a standard error of at least 0 and a level "
            f"between 0 and 1, got {r}, {standard_error} and {level}"
        )
    from statistics import NormalDist

    quantile = NormalDist().inv_cdf((1 + level) / 2)
    low = high = float(r)
    if abs(r) < 1:
        reach = quantile * standard_error / (1 - r * r)
        centre = math.atanh(r)
        low, high = math.tanh(centre - reach), math.tanh(centre + reach)
    if n is not None or abs(r) == 1:
        most = _lower_end_of_one(n or 0, quantile)
        low, high = min(low, most), max(high, -most)
    return Interval(low=low, high=high, level=level, method=method)


def _lower_end_of_one(n: int, quantile: float) -> float:
    """Return the lower end of the interval of a perfect correlation of n items."""
    if n <= 3:
        return -1.0
    step = 12 / (n * (n * n - 1))
    # atanh(1 - step), also where 1 - step is 1 in floating point.
    next_lower = math.log((2 - step) / step) / 2
    return math.tanh(next_lower - quantile / math.sqrt(n - 3))
