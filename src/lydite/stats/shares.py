"""Intervals of shares: a bootstrap, and Wilson's where all items are alike."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from lydite.errors import InputError
from lydite.stats.bootstrap import Interval, bootstrap_interval
from lydite.types import Floats, Indices

_LEVEL = 0.95
#: Ends no further apart than sums of equal numbers are by rounding.
_ROUNDING = 1e-12


def share_interval(right: ArrayLike, sizes: ArrayLike | None = None, *, seed: int) -> Interval:
    """Return a 95 % interval of the share of what is right over all items.

    Parameters
    ----------
    right
        Shape (n,): how much of each item is right.
    sizes
        Shape (n,): how much there is of each; 1 by default.
    seed
        Of the draws.

    Notes
    -----
    The percentile bootstrap draws whole items. Where they are all alike, all right or all wrong
    above all, every resample is the same and its interval has no width, as if four right answers
    were proof. There it is Wilson's score interval of n items, and the method says ``wilson``.

    Raises
    ------
    UndefinedScoreError
        If there are fewer than two items.

    References
    ----------
    Wilson (1927), Probable inference, the law of succession, and statistical inference, JASA 22.
    Brown, Cai & DasGupta (2001), Interval estimation for a binomial proportion, Statistical
    Science 16.

    Examples
    --------
    >>> interval = share_interval([1.0, 1.0, 1.0, 1.0], seed=0)
    >>> round(interval.low, 3), interval.high, interval.method
    (0.51, 1.0, 'wilson')
    >>> share_interval([1.0, 1.0, 0.0, 1.0], seed=0).method
    'percentile'
    """
    found = np.asarray(right)
    weights = None if sizes is None else np.asarray(sizes)

    def share(items: Indices) -> Floats:
        if weights is None:
            return np.asarray(found[items].mean(axis=1))
        return np.asarray(found[items].sum(axis=1) / weights[items].sum(axis=1))

    drawn = bootstrap_interval(share, len(found), level=_LEVEL, seed=seed)
    if drawn.high - drawn.low > _ROUNDING:
        return drawn
    n = len(found)
    low, high = wilson_interval(min(drawn.low, 1.0) * n, n, level=_LEVEL)
    # At 0 and 1 one end is the share itself, which rounding is not to leave outside.
    return Interval(
        low=min(float(low), drawn.low),
        high=max(float(high), drawn.high),
        level=_LEVEL,
        method="wilson",
    )


def wilson_interval(successes: ArrayLike, trials: ArrayLike, *, level: float = 0.95) -> Floats:
    """Return the confidence intervals of shares, (..., 2); NaN where there are no trials.

    The interval of Wilson (1927), which holds what it promises also for few trials and for shares
    of 0 and 1 (Brown, Cai & DasGupta 2001).

    Examples
    --------
    >>> wilson_interval(8, 10).round(4).tolist()
    [0.4902, 0.9433]
    """
    from statistics import NormalDist

    if not 0 < level < 1:
        raise InputError(f"expected a level between 0 and 1, got {level!r}")
    k, n = np.asarray(successes, dtype=np.float64), np.asarray(trials, dtype=np.float64)
    z = NormalDist().inv_cdf((1 + level) / 2)
    middle = (k + z * z / 2) / (n + z * z)
    share = np.divide(k, n, out=np.zeros_like(middle), where=n > 0)
    half = z / (n + z * z) * np.sqrt(n * share * (1 - share) + z * z / 4)
    ends = np.clip(np.stack([middle - half, middle + half], axis=-1), 0, 1)
    return np.where((n > 0)[..., None], ends, np.nan)
