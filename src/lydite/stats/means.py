"""The one rule for the uncertainty of means over clustered items, and of their differences.

Items of one cluster (sentences of a document, phrasings of a meaning) stand or fall together, and
often there are few clusters. A bootstrap of clusters then promises 95 % and holds 45 to 90 %; where
all items agree, its interval has no width at all. The rule here was chosen by simulation
(``studies/coverage_means.py``), and every evaluation whose score is a mean of scores between 0 and
1 uses it. Two models on the same items are compared by a like rule for differences.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from lydite.errors import InputError
from lydite.stats.bootstrap import Interval
from lydite.types import Floats, Indices

#: Fewer items than this say nothing about their spread.
MIN_ITEMS = 3
#: Fewer clusters than this say nothing about how clusters differ.
MIN_CLUSTERS = 2

#: Scores lie inside the bounds if no larger share of them is 0 or 1, and their mean is not nearer.
_AT_BOUNDS = 0.05
_NEAREST = 0.1
#: A variance of equal scores is not 0 but what rounding leaves.
_ROUNDING = 1e-20
#: Scores this close are equal but for rounding.
_TIE = 1e-12


def mean_interval(
    scores: ArrayLike, clusters: ArrayLike | None = None, *, level: float = 0.95
) -> Interval | None:
    """Return the interval of the mean of scores in [0, 1], or None where there are too few.

    Parameters
    ----------
    scores
        Shape (n,): one per item, from 0 to 1.
    clusters
        Shape (n,): which cluster each item belongs to; by default each is its own.

    Notes
    -----
    With G clusters of n_g items with sums s_g, n items in all and their mean m, the variance is
    CR2's: v = sum (s_g - n_g m)^2 / (1 - n_g / n) / n^2 (Bell & McCaffrey 2002).

    - Fewer than 2 clusters or 3 items: no interval.
    - Scores inside the bounds (under 5 % of them at 0 or 1, .1 <= m <= .9, not all equal):
      logit(m) plus and minus t(G - 1) sqrt(v) / (m (1 - m)), but never narrower than for
      independent items, as two clusters with the same mean by chance would have it.
    - Otherwise Wilson's interval with m (1 - m) / v as the number of items, at least 1 and at most
      n, and t(2G - 1) instead of the normal quantile. It also serves where all items agree.

    No random number is drawn, so no seed can change the ends.

    References
    ----------
    Bell & McCaffrey (2002), Bias reduction in standard errors for linear regression with
    multi-stage samples, Survey Methodology 28. Wilson (1927), Probable inference, the law of
    succession, and statistical inference, JASA 22.

    Examples
    --------
    >>> interval = mean_interval([0.96] * 10, [0] * 5 + [1] * 5)
    >>> round(interval.low, 2), round(interval.high, 2), interval.method
    (0.46, 1.0, 'wilson')
    >>> interval = mean_interval([0.4, 0.5, 0.7, 0.6])
    >>> round(interval.low, 2), round(interval.high, 2), interval.method
    (0.35, 0.74, 'logit')
    >>> mean_interval([1.0, 0.0]) is None
    True
    """
    items = _Items.of(scores, clusters)
    if not 0 < level < 1:
        raise InputError(f"expected a level between 0 and 1, got {level}", hint="use 0.95")
    if items is None:
        return None
    logit = items.inside and items.independent > _ROUNDING
    low, high = items.logit_ends(level) if logit else items.wilson_ends(level)
    # At 0 and 1 one end is the mean itself, which rounding is not to leave outside.
    return Interval(
        low=min(low, items.mean),
        high=max(high, items.mean),
        level=level,
        method="logit" if logit else "wilson",
    )


@dataclass(frozen=True, kw_only=True)
class _Items:
    """What the rule needs to know of the items."""

    n: int
    clusters: int
    mean: float
    inside: bool  # whether scores lie inside the bounds
    variance: float  # of the mean, by clusters (CR2)
    independent: float  # of the mean, if items were independent

    @classmethod
    def of(cls, scores: ArrayLike, clusters: ArrayLike | None) -> _Items | None:
        values = np.asarray(scores, dtype=np.float64)
        if values.ndim != 1 or not ((values >= 0) & (values <= 1)).all():
            raise InputError(
                "expected scores from 0 to 1, one per item, got "
                + (f"shape {values.shape}" if values.ndim != 1 else _worst(values))
            )
        codes = _codes(clusters, len(values))
        sizes = np.bincount(codes)
        if len(values) < MIN_ITEMS or len(sizes) < MIN_CLUSTERS:
            return None
        mean, variance, independent = _variances(values, codes)
        return cls(
            n=len(values),
            clusters=len(sizes),
            mean=mean,
            inside=bool(
                ((values <= 0) | (values >= 1)).mean() < _AT_BOUNDS
                and _NEAREST <= mean <= 1 - _NEAREST
            ),
            variance=variance,
            independent=independent,
        )

    def logit_ends(self, level: float) -> tuple[float, float]:
        reach = max(
            t_quantile(level, self.clusters - 1) * math.sqrt(self.variance),
            t_quantile(level, self.n - 1) * math.sqrt(self.independent),
        ) / (self.mean * (1 - self.mean))
        odds = math.log(self.mean / (1 - self.mean))
        return _from_logit(odds - reach), _from_logit(odds + reach)

    def wilson_ends(self, level: float) -> tuple[float, float]:
        spread = self.mean * (1 - self.mean)
        effective = float(self.n)
        if self.variance > _ROUNDING:
            effective = min(self.n, max(1.0, spread / self.variance))
        z = t_quantile(level, 2 * self.clusters - 1)
        middle = self.mean + z * z / (2 * effective)
        half = z * math.sqrt(spread / effective + (z / (2 * effective)) ** 2)
        scale = 1 + z * z / effective
        return max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)


def difference_interval(
    differences: ArrayLike, clusters: ArrayLike | None = None, *, level: float = 0.95
) -> Interval | None:
    """Return the interval of the mean difference of two scores of the same items.

    Parameters
    ----------
    differences
        Shape (n,): what one side has more than the other, one per item.
    clusters
        Shape (n,): which cluster each item belongs to; by default each is its own.

    Notes
    -----
    - Fewer than 2 clusters or 3 items: no interval.
    - Where over 5 % of the items do not differ, as hits and misses often do not, the few that do
      say little of their spread. Then two items are added, each a cluster: one as far for the first
      side, one as far for the second, as the item that differs most (Bonett & Price 2012 add the
      same two to paired hits). The middle is the mean of all these, the quantile t(2G - 1).
      Otherwise it is the mean and t(G - 1).
    - The standard error is CR2's, but the interval is never narrower than for independent items.
    - Where no item differs, the end is the largest share p of clusters that may differ, all to one
      side, and yet not be met in G clusters: (1 - p)^G = (1 - level) / 2.

    References
    ----------
    Bonett & Price (2012), Adjusted Wald confidence interval for a difference of binomial
    proportions based on paired data, Journal of Educational and Behavioral Statistics 37.

    Examples
    --------
    >>> interval = difference_interval([1, 0, 0, 1, 0, 1, 0, 0, 1, 0])
    >>> round(interval.low, 2), round(interval.high, 2), interval.method
    (-0.08, 0.75, 'added')
    >>> difference_interval([0.0] * 36).high.__round__(2)
    0.1
    """
    values = np.asarray(differences, dtype=np.float64)
    codes = _codes(clusters, len(values))
    count = int(codes.max(initial=-1)) + 1
    if len(values) < MIN_ITEMS or count < MIN_CLUSTERS:
        return None
    most = float(np.abs(values).max())
    if most <= _TIE:
        end = 1 - ((1 - level) / 2) ** (1 / count)
        return Interval(low=-end, high=end, level=level, method="none differs")
    lumpy = bool((np.abs(values) <= _TIE).mean() > _AT_BOUNDS)
    if lumpy:
        values = np.concatenate([values, [most, -most]])
        codes = np.concatenate([codes, [count, count + 1]])
    middle, variance, independent = _variances(values, codes)
    reach = max(
        t_quantile(level, 2 * count - 1 if lumpy else count - 1) * math.sqrt(variance),
        t_quantile(level, len(values) - 1) * math.sqrt(independent),
    )
    method = "added" if lumpy else "t"
    return Interval(low=middle - reach, high=middle + reach, level=level, method=method)


def _variances(values: Floats, codes: Indices) -> tuple[float, float, float]:
    """Return the mean, its variance by clusters (CR2), and that of independent items."""
    n, mean = len(values), float(values.mean())
    sizes, sums = np.bincount(codes), np.bincount(codes, weights=values - mean)
    by_clusters = float((sums**2 / (1 - sizes / n)).sum()) / n**2
    return mean, by_clusters, float(values.var(ddof=1)) / n


def t_quantile(level: float, df: float) -> float:
    """Return how many standard errors an interval of this level reaches, by Student's t.

    >>> round(t_quantile(0.95, 1), 2), round(t_quantile(0.95, 1000), 2)
    (12.71, 1.96)
    """
    from scipy.special import stdtrit

    return float(stdtrit(df, (1 + level) / 2))


def _from_logit(value: float) -> float:
    """Return the share whose log odds these are; none is too large."""
    return 0.5 * (1 + math.tanh(value / 2))


def _codes(clusters: ArrayLike | None, n: int) -> Indices:
    if clusters is None:
        return np.arange(n)
    labels = np.asarray(clusters)
    if labels.shape != (n,):
        raise InputError(f"expected {n} cluster labels, got shape {labels.shape}")
    return np.unique(labels, return_inverse=True)[1]


def _worst(values: Floats) -> str:
    finite = values[np.isfinite(values)]
    if len(finite) < len(values):
        return f"{len(values) - len(finite)} that are no numbers"
    return f"{finite.min():g} to {finite.max():g}"


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
