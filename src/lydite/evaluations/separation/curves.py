"""ROC curves and densities as small plain data, for the report."""

from __future__ import annotations

import numpy as np

from lydite.stats.auc import roc_curve
from lydite.types import Floats

_POINTS = 101
_BINS = 40


def thinned_curve(high: Floats, low: Floats) -> list[list[float]]:
    """Return about a hundred points (false, true) of the ROC curve.

    >>> thinned_curve(np.array([2.0]), np.array([1.0]))[:2]
    [[0.0, 0.0], [0.0, 1.0]]
    """
    curve = roc_curve(high, low)
    # Evenly along its length, since it may rise steeply.
    along = curve.false + curve.true
    kept = np.unique(np.searchsorted(along, np.linspace(0, along[-1], _POINTS)))
    kept = np.unique(np.concatenate([[0], kept, [len(along) - 1]]))
    return [
        [round(float(x), 4), round(float(y), 4)]
        for x, y in zip(curve.false[kept], curve.true[kept], strict=True)
    ]


def densities(high: Floats, low: Floats) -> dict[str, list[float]]:
    """Return the densities of both sets of scores over the same bins.

    Returns
    -------
    ``edges``, one more than there are bins; ``high`` and ``low``, the share of each set in each.
    """
    edges = np.linspace(min(high.min(), low.min()), max(high.max(), low.max()), _BINS + 1)
    if edges[0] == edges[-1]:
        edges = np.linspace(edges[0] - 0.5, edges[0] + 0.5, _BINS + 1)
    shares = {
        name: np.histogram(scores, edges)[0] / len(scores)
        for name, scores in (("high", high), ("low", low))
    }
    return {
        "edges": edges.tolist(),
        **{name: [round(float(each), 5) for each in share] for name, share in shares.items()},
    }
