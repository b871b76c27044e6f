"""The area under the ROC curve, exact, and how sure it is.

Pairs of texts are not independent: those made from one sentence stand or fall together, and of a
few sentences all pairs can be made. The intervals here were chosen by simulation
(``studies/coverage_separation.py``); where there are too few texts there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from lydite.errors import InputError, UndefinedScoreError
from lydite.stats.bootstrap import Interval
from lydite.stats.means import t_quantile
from lydite.stats.ranks import midranks
from lydite.types import Floats, Indices, Mask

#: Pairs of sentences, all samples together, that are counted at a time.
_CELLS = 1 << 21


def auc(high: ArrayLike, low: ArrayLike) -> float:
    """Return the probability that a score of ``high`` beats one of ``low``; ties count half.

    AUC = (R - n (n + 1) / 2) / (n m), where R is the sum of the ranks of the n scores of ``high``
    among all n + m, equal scores at their mean rank (Mann & Whitney's U over n m).

    Examples
    --------
    Of four comparisons, 3 > 1 and 3 > 2 are won, 2 > 1 is won, and 2 = 2 is a tie.

    >>> auc([3.0, 2.0], [1.0, 2.0])
    0.875
    """
    above, below = _scores(high, "high"), _scores(low, "low")
    ranks = midranks(np.concatenate([above, below]))
    n, m = len(above), len(below)
    return float((ranks[:n].sum() - n * (n + 1) / 2) / (n * m))


@dataclass(frozen=True, kw_only=True, eq=False)
class RocCurve:
    """The ROC curve: what is found against what is taken for it, at every threshold.

    Attributes
    ----------
    false, true
        Shape (t,): the shares of ``low`` and of ``high`` at or above each threshold, from 0 to 1.
    """

    false: Floats
    true: Floats


def roc_curve(high: ArrayLike, low: ArrayLike) -> RocCurve:
    """Return the ROC curve of two sets of scores.

    Examples
    --------
    >>> curve = roc_curve([3.0, 2.0], [1.0, 2.0])
    >>> curve.false.tolist(), curve.true.tolist()
    ([0.0, 0.0, 0.5, 1.0], [0.0, 0.5, 1.0, 1.0])
    """
    above, below = _scores(high, "high"), _scores(low, "low")
    levels, codes = np.unique(np.concatenate([above, below]), return_inverse=True)
    found = np.bincount(codes[: len(above)], minlength=len(levels))[::-1].cumsum()
    mistaken = np.bincount(codes[len(above) :], minlength=len(levels))[::-1].cumsum()
    return RocCurve(
        false=np.concatenate([[0.0], mistaken / len(below)]),
        true=np.concatenate([[0.0], found / len(above)]),
    )


#: Fewer independent parts on either side say too little about how they differ.
MIN_PARTS = 3
#: What is taken for 0 though rounding leaves something of it.
_ROUNDING = 1e-20


def components(scores: Floats, similar: Mask) -> Floats:
    """Return for a pair in H the share of L that it beats, for one in L the share of H beating it.

    The structural components of DeLong, DeLong & Clarke-Pearson (1988), (n,); ties count half. The
    mean of those of H is the AUC, and so is that of L.

    >>> components(np.array([3.0, 2.0, 1.0, 2.0]), np.array([True, True, False, False])).tolist()
    [1.0, 0.75, 1.0, 0.75]
    """
    found = np.empty(len(scores))
    above, below = np.sort(scores[similar]), np.sort(scores[~similar])
    for side, others in ((similar, below), (~similar, above)):
        beaten = (
            np.searchsorted(others, scores[side], "left")
            + np.searchsorted(others, scores[side], "right")
        ) / (2 * len(others))
        found[side] = np.where(similar[side], beaten, 1 - beaten)
    return found


def auc_interval(
    scores: Floats, similar: Mask, clusters: Indices, *, level: float = 0.95
) -> Interval | None:
    """Return the interval of the AUC of labeled pairs, or None where there are too few.

    Parameters
    ----------
    scores, similar, clusters
        Shape (n,): the score of each pair, whether it is in H, and to which cluster it belongs:
        pairs that have a text in common.

    Notes
    -----
    The variance v is that of the components by clusters (Obuchowski 1997), at least that of
    independent pairs (DeLong et al. 1988). Near 1 it says little: where H and L do not mix it is 0.
    So the interval has all areas θ with ``|A - θ| <= t sqrt(V(θ))``, where V is Hanley & McNeil's
    variance in the form of Newcombe (2006, method 5), with as many pairs in H and in L as there
    are, divided by the design effect ``v / V(A)`` if that is above 1. t has 2 (h + l - 2) degrees
    of freedom, where h and l are the clusters with pairs in H and in L. Of fewer than three on
    either side there is no interval. No random number is drawn.

    References
    ----------
    Newcombe (2006), Confidence intervals for an effect size measure based on the Mann-Whitney
    statistic, part 2, Statistics in Medicine 25. Obuchowski (1997), Nonparametric analysis of
    clustered ROC curve data, Biometrics 53.

    Examples
    --------
    >>> similar = np.arange(8) < 4
    >>> ends = auc_interval(np.arange(8)[::-1].astype(float), similar, np.arange(8))
    >>> round(ends.low, 2), round(ends.high, 2)
    (0.53, 1.0)
    >>> auc_interval(np.array([1.0, 0.0]), np.array([True, False]), np.arange(2)) is None
    True
    """
    parts = [len(np.unique(clusters[side])) for side in (similar, ~similar)]
    if min(parts) < MIN_PARTS:
        return None
    m, n = int(similar.sum()), int((~similar).sum())
    found = components(scores, similar)
    area = float(found[similar].mean())
    variance = max(
        _clustered_variance(found - area, similar, clusters),
        found[similar].var(ddof=1) / m + found[~similar].var(ddof=1) / n,
    )
    plain = _mann_whitney_variance(area, m, n)
    # Of a perfect AUC nothing can be estimated: pairs of one cluster are then taken for one.
    effect = max(1.0, variance / plain) if plain > _ROUNDING else max(m / parts[0], n / parts[1])
    sizes = max(1.0, m / effect), max(1.0, n / effect)
    t = t_quantile(level, 2 * (sum(parts) - 2))
    low, high = _score_ends(area, lambda theta: _mann_whitney_variance(theta, *sizes), t)
    return Interval(low=low, high=high, level=level, method="clustered AUC")


def _clustered_variance(deviations: Floats, similar: Mask, clusters: Indices) -> float:
    """Return Obuchowski's variance of an AUC from components without their mean."""
    codes = np.unique(clusters, return_inverse=True)[1]
    count = int(codes.max()) + 1
    sums = [
        np.bincount(codes[side], deviations[side], count) / int(side.sum())
        for side in (similar, ~similar)
    ]
    parts = [len(np.unique(codes[side])) for side in (similar, ~similar)]
    own = sum(p / (p - 1) * float(each @ each) for p, each in zip(parts, sums, strict=True))
    return own + 2 * count / (count - 1) * float(sums[0] @ sums[1])


def _mann_whitney_variance(area: float, m: float, n: float) -> float:
    """Return Newcombe's form of the variance that Hanley & McNeil (1982) give for an area."""
    more = (m + n) / 2 - 1
    inner = 1 + more * (1 - area) / (2 - area) + more * area / (1 + area)
    return max(0.0, area * (1 - area) / (m * n) * inner)


def _score_ends(area: float, variance: Callable[[float], float], t: float) -> tuple[float, float]:
    """Return the smallest and the largest area that the one found does not rule out."""

    def end(outside: float) -> float:
        inside = area
        for _ in range(60):
            middle = (inside + outside) / 2
            if (area - middle) ** 2 <= t * t * variance(middle):
                inside = middle
            else:
                outside = middle
        return inside

    return min(area, end(0.0)), max(area, end(1.0))


@dataclass(frozen=True, kw_only=True)
class Jackknifed:
    """The AUC of all pairs of the sentences of an entity pair, with the spread of either side."""

    area: float
    counts: tuple[int, int]  # sentences in E and in NE
    variances: tuple[float, float]  # of the area, by E and by NE


#: Between these areas the jackknife's variance is trusted; beyond, it comes out too small.
_INSIDE = 0.1


def jackknife_interval(parts: Sequence[Jackknifed], *, level: float = 0.95) -> Interval | None:
    """Return the interval of the mean of AUCs over entity pairs, or None where there are too few.

    Sentences are what varies, not pairs of them: each is in many. The pairs of entities are taken
    as given. The variance v is the jackknife's, leaving out each sentence in turn; its degrees of
    freedom are Satterthwaite's. The interval is Wilson's with ``A (1 - A) / v`` as the number of
    trials, and Student's t. Beyond .1 and .9, where v comes out too small, that number is at most
    twice the harmonic mean of the sentences in E and in NE, summed over entity pairs. Of fewer than
    three sentences on either side of any there is none.

    >>> part = Jackknifed(area=0.7, counts=(12, 10), variances=(0.002, 0.003))
    >>> ends = jackknife_interval([part])
    >>> round(ends.low, 2), round(ends.high, 2)
    (0.54, 0.82)
    """
    if min(count for part in parts for count in part.counts) < MIN_PARTS:
        return None
    area = float(np.mean([part.area for part in parts]))
    variances = np.array([part.variances for part in parts]).ravel() / len(parts) ** 2
    degrees = np.array([part.counts for part in parts]).ravel() - 1.0
    variance = float(variances.sum())
    freedom = float(degrees.min())
    trials = most = sum(4.0 * a * b / (a + b) for a, b in (part.counts for part in parts))
    if variance > _ROUNDING:
        freedom = max(freedom, variance**2 / float((variances**2 / degrees).sum()))
        trials = area * (1 - area) / variance
    if not _INSIDE <= area <= 1 - _INSIDE:
        trials = min(trials, most)
    trials, t = max(1.0, trials), t_quantile(level, freedom)
    low, high = _score_ends(area, lambda theta: theta * (1 - theta) / trials, t)
    return Interval(low=low, high=high, level=level, method="jackknife of sentences")


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoreLevels:
    """The scores of all pairs of N sentences, as places in their order: all that an AUC needs.

    Attributes
    ----------
    codes
        Shape (N, N): the place of each score among the distinct ones, lowest first.
    """

    codes: Indices
    count: int

    @classmethod
    def of(cls, scores: Floats) -> ScoreLevels:
        """Order the scores of all pairs, (N, N)."""
        levels, codes = np.unique(scores, return_inverse=True)
        return cls(codes=codes.reshape(scores.shape), count=len(levels))

    def auc(self, positive: Indices | Mask, negative: Indices | Mask) -> float:
        """Return the AUC of E x E without the diagonal against E x NE.

        Parameters
        ----------
        positive, negative
            Shape (N,): how often each sentence is in E and in NE, once or not at all, or oftener
            in a bootstrap sample. Copies of one sentence are no pair.

        Returns
        -------
        NaN if E has fewer than two different sentences, or NE none.
        """
        return auc_of_counts(
            *self._histograms(positive.astype(np.float64), negative.astype(np.float64))
        )

    def jackknifed(self, positive: Mask) -> Jackknifed:
        """Return the AUC with its variance by leaving out each sentence; E is ``positive``."""
        without = self.left_out(positive)
        counts = int(positive.sum()), int((~positive).sum())
        variances = [
            (count - 1) / count * float(((left - left.mean()) ** 2).sum())
            for count, left in zip(counts, (without[positive], without[~positive]), strict=True)
        ]
        return Jackknifed(
            area=self.auc(positive, ~positive),
            counts=counts,
            variances=(variances[0], variances[1]),
        )

    def aucs(self, positive: Indices | Mask, negative: Indices | Mask) -> Floats:
        """Return the AUC of each of r bootstrap samples, (r,); counts of both sides are (r, N)."""
        step = max(1, _CELLS // self.codes.size)
        parts = [
            self._aucs(positive[i : i + step], negative[i : i + step])
            for i in range(0, len(positive), step)
        ]
        return np.concatenate(parts) if parts else np.empty(0)

    def _aucs(self, positive: Indices | Mask, negative: Indices | Mask) -> Floats:
        rows, others = (np.flatnonzero(side.any(axis=0)) for side in (positive, negative))
        c, d = (
            side[:, kept].astype(np.float64)
            for side, kept in ((positive, rows), (negative, others))
        )
        above = c[:, :, None] * c[:, None, :]
        above[:, np.arange(len(rows)), np.arange(len(rows))] = 0
        high = self._counted_each(self.codes[np.ix_(rows, rows)], above)
        low = self._counted_each(self.codes[np.ix_(rows, others)], c[:, :, None] * d[:, None, :])
        totals = high.sum(axis=1) * low.sum(axis=1)
        won = (high * (np.cumsum(low, axis=1) - low / 2)).sum(axis=1)
        empty = np.full(len(totals), np.nan)
        return np.asarray(np.divide(won, totals, out=empty, where=totals > 0))

    def _counted_each(self, codes: Indices, weights: Floats) -> Floats:
        """Count the weights (r, ...) of each code, (r, count)."""
        places = self.count * np.arange(len(weights))[:, None] + codes.ravel()
        flat = np.bincount(places.ravel(), weights.ravel(), minlength=self.count * len(weights))
        return np.asarray(flat.reshape(len(weights), self.count), dtype=np.float64)

    def left_out(self, positive: Mask) -> Floats:
        """Return the AUC without each sentence in turn, (N,); E is ``positive``, NE the others."""
        c, d = positive.astype(np.float64), (~positive).astype(np.float64)
        high, low = self._histograms(c, d)
        areas = np.empty(len(positive))
        for i, expresses in enumerate(positive):
            if expresses:
                own = self._counted(self.codes[i], c - (np.arange(len(c)) == i))
                back = self._counted(self.codes[:, i], c - (np.arange(len(c)) == i))
                areas[i] = auc_of_counts(high - own - back, low - self._counted(self.codes[i], d))
            else:
                areas[i] = auc_of_counts(high, low - self._counted(self.codes[:, i], c))
        return areas

    def _histograms(self, c: Floats, d: Floats) -> tuple[Floats, Floats]:
        """Return how often each score occurs in E x E and in E x NE, (count,) each."""
        rows, others = np.flatnonzero(c), np.flatnonzero(d)
        above = np.outer(c[rows], c[rows])
        np.fill_diagonal(above, 0)
        below = np.outer(c[rows], d[others])
        return (
            self._counted(self.codes[np.ix_(rows, rows)], above),
            self._counted(self.codes[np.ix_(rows, others)], below),
        )

    def _counted(self, codes: Indices, weights: Floats) -> Floats:
        counted = np.bincount(codes.ravel(), weights.ravel(), minlength=self.count)
        return np.asarray(counted, dtype=np.float64)


def auc_of_counts(high: Floats, low: Floats) -> float:
    """Return the AUC of two histograms over the same scores, lowest first; NaN if one is empty.

    Examples
    --------
    Scores 1, 2 and 3, of which ``high`` has 2 and 3, ``low`` 1 and 2.

    >>> auc_of_counts(np.array([0.0, 1.0, 1.0]), np.array([1.0, 1.0, 0.0]))
    0.875
    """
    total = high.sum() * low.sum()
    return float(high @ (np.cumsum(low) - low / 2) / total) if total > 0 else float("nan")


def _scores(values: ArrayLike, name: str) -> Floats:
    scores = np.asarray(values, dtype=np.float64)
    if scores.ndim != 1 or not scores.size:
        raise UndefinedScoreError(
            f"an AUC needs scores on both sides, but {name} has {scores.size}",
            hint="give pairs that should be similar and pairs that should not",
        )
    if not np.isfinite(scores).all():
        raise InputError(f"expected finite scores, got NaN or an infinity in {name}")
    return scores
