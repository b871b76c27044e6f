"""The area under the ROC curve, exact, and for pairs of sentences that are not independent."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from lydite.errors import InputError, UndefinedScoreError
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
