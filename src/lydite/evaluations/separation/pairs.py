"""The general form: any labelled pairs, and what a model is blind to, phenomenon by phenomenon."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lydite.corpora.separation.labelled_pairs import LabelledPairs
from lydite.errors import UndefinedScoreError
from lydite.evaluations.separation.curves import densities, thinned_curve
from lydite.models.crossing import pair_scores
from lydite.results.record import Outcome
from lydite.stats.auc import auc, auc_of_counts
from lydite.stats.bootstrap import Interval
from lydite.stats.null import summarise_null
from lydite.stats.seeds import child_seed
from lydite.types import Floats, Indices, Mask, Plain

_DRAWS = 500
_RESAMPLES = 1000
_LEVEL = 0.95


def pairs_outcome(model: object, pairs: LabelledPairs, name: str, seed: int) -> Outcome:
    """Score a model by how well it parts pairs that should be similar from those that should not.

    Parameters
    ----------
    name
        Of the data, for messages.
    """
    if pairs.similar.all() or not pairs.similar.any():
        raise UndefinedScoreError(
            f"{name}: expected pairs of both kinds, got {int(pairs.similar.sum())} in H and "
            f"{int((~pairs.similar).sum())} in L",
            hint="label pairs that should be similar H, and those that should not L",
        )
    scores, known = pair_scores(model, pairs.left, pairs.right)
    area = auc(scores[pairs.similar], scores[~pairs.similar])
    clusters = np.unique(np.array(pairs.bases), return_inverse=True)[1]
    return Outcome(
        metric="auc",
        score=area,
        interval=_interval(scores, pairs.similar, clusters, child_seed(seed, "interval")),
        baseline=summarise_null(
            _shuffled(scores, pairs.similar, child_seed(seed, "baseline")), kind="shuffled labels"
        ),
        n_items=len(scores),
        n_covered=int(known.sum()),
        oov="zero",
        statistic="mean",
        items={
            "item": [f"{a}\t{b}" for a, b in zip(pairs.left, pairs.right, strict=True)],
            "group": list(pairs.bases),
            "phenomenon": list(pairs.phenomena),
            "similar": pairs.similar.tolist(),
            "score": scores.tolist(),
            "value": _contributions(scores, pairs.similar, area).tolist(),
            "covered": known.tolist(),
        },
        others={"similar_pairs": float(pairs.similar.sum())},
        details={
            "task": "pairs",
            "phenomena": phenomena_rows(scores, pairs, child_seed(seed, "phenomena")),
            "missing": [f"{pairs.left[i]} / {pairs.right[i]}" for i in np.flatnonzero(~known)[:10]],
            "curve": thinned_curve(scores[pairs.similar], scores[~pairs.similar]),
            "densities": densities(scores[pairs.similar], scores[~pairs.similar]),
        },
    )


def phenomena_rows(scores: Floats, pairs: LabelledPairs, seed: int) -> list[dict[str, Plain]]:
    """Score each phenomenon apart: its pairs in H against its pairs in L.

    One that has pairs of one kind alone is set against all pairs of the other kind.

    Returns
    -------
    One row a phenomenon, hardest first: ``phenomenon``; ``similar`` and ``dissimilar``, its pairs
    in H and in L; ``similar_score`` and ``dissimilar_score``, their mean scores, None where there
    are none; ``auc`` with ``low`` and ``high``; ``example``, the pair that is furthest on the wrong
    side.
    """
    names = np.array(pairs.phenomena)
    clusters = np.unique(np.array(pairs.bases), return_inverse=True)[1]
    rows = []
    for name in [each for each in dict.fromkeys(pairs.phenomena) if each]:
        own = names == name
        high, low = own & pairs.similar, own & ~pairs.similar
        kept = own.copy()
        if not high.any():
            kept |= pairs.similar
        if not low.any():
            kept |= ~pairs.similar
        interval = _interval(
            scores[kept], pairs.similar[kept], clusters[kept], child_seed(seed, name)
        )
        places = np.flatnonzero(kept)
        components = np.where(own[kept], _components(scores[kept], pairs.similar[kept]), np.inf)
        worst = int(places[components.argmin()])
        rows.append(
            {
                "phenomenon": name,
                "similar": int(high.sum()),
                "dissimilar": int(low.sum()),
                "similar_score": float(scores[high].mean()) if high.any() else None,
                "dissimilar_score": float(scores[low].mean()) if low.any() else None,
                "auc": auc(scores[kept & pairs.similar], scores[kept & ~pairs.similar]),
                "low": interval.low,
                "high": interval.high,
                "example": [
                    pairs.left[worst],
                    pairs.right[worst],
                    "H" if pairs.similar[worst] else "L",
                ],
            }
        )
    return sorted(rows, key=lambda row: (row["auc"], row["phenomenon"]))


def _interval(scores: Floats, similar: Mask, clusters: Indices, seed: int) -> Interval:
    """Draw base sentences: pairs that were made from one sentence are not independent.

    Bases with pairs in H alone, in L alone and in both are drawn each among their like, so that no
    sample lacks H or L.
    """
    bases = np.unique(clusters, return_inverse=True)[1]
    if bases.max() == 0:
        bases = np.arange(len(scores))
    kinds = 2 * (np.bincount(bases, similar) > 0) + (np.bincount(bases, ~similar) > 0)
    strata = [np.flatnonzero(kinds == kind) for kind in np.unique(kinds)]
    places = np.unique(scores, return_inverse=True)[1]
    generator = np.random.default_rng(seed)
    areas = np.empty(_RESAMPLES)
    for i in range(_RESAMPLES):
        drawn = np.concatenate([generator.choice(each, len(each)) for each in strata])
        times = np.bincount(drawn, minlength=len(kinds))[bases]
        counts = (np.bincount(places, times * side, len(scores)) for side in (similar, ~similar))
        areas[i] = auc_of_counts(*(each.astype(np.float64) for each in counts))
    low, high = np.quantile(areas, ((1 - _LEVEL) / 2, (1 + _LEVEL) / 2))
    return Interval(low=float(low), high=float(high), level=_LEVEL, method="percentile")


def _shuffled(scores: Floats, similar: Mask, seed: int) -> Sequence[float]:
    generator = np.random.default_rng(seed)
    dealt = (generator.permutation(similar) for _ in range(_DRAWS))
    return [auc(scores[each], scores[~each]) for each in dealt]


def _contributions(scores: Floats, similar: Mask, area: float) -> Floats:
    """Return what each pair adds to the AUC, so that the mean is the AUC.

    Both kinds of pair vary independently, so each is scaled by its own number.
    """
    values = np.full(len(scores), area)
    components = _components(scores, similar)
    for side in (similar, ~similar):
        values[side] += (components[side] - area) * len(scores) / int(side.sum())
    return values


def _components(scores: Floats, similar: Mask) -> Floats:
    """Return for a pair in H the share of L that it beats, for one in L the share of H beating it.

    The structural components of DeLong, DeLong & Clarke-Pearson (1988); ties count half.
    """
    components = np.empty(len(scores))
    above, below = np.sort(scores[similar]), np.sort(scores[~similar])
    for side, others in ((similar, below), (~similar, above)):
        beaten = (
            np.searchsorted(others, scores[side], "left")
            + np.searchsorted(others, scores[side], "right")
        ) / (2 * len(others))
        components[side] = np.where(similar[side], beaten, 1 - beaten)
    return components
