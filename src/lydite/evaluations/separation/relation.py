"""Task 1, relation classification: whether sentences that express a relation come together.

For one pair of entities, E are the sentences that express the relation and NE those that do not.
H = E x E without the diagonal, L = E x NE; the score is the AUC of H against L.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from lydite.corpora.separation.relations import EntityPair, usable
from lydite.errors import UndefinedScoreError
from lydite.evaluations.separation.curves import densities, thinned_curve
from lydite.evaluations.separation.scoring import unit_scores
from lydite.models.crossing import Crossed
from lydite.results.record import Items, Outcome
from lydite.stats.auc import ScoreLevels
from lydite.stats.bootstrap import Interval
from lydite.stats.null import summarise_null
from lydite.stats.seeds import child_seed
from lydite.types import Floats, Indices, Mask

_RESAMPLES = 1000
_DRAWS = 200
_LEVEL = 0.95


def relation_outcome(
    model: object, entity_pairs: Sequence[EntityPair], minimum: int, name: str, seed: int
) -> Outcome:
    """Score a model on every pair of entities, and average.

    Parameters
    ----------
    minimum
        Sentences that a pair of entities has to have of either kind.
    name
        Of the data, for messages.
    """
    pairs, reasons = usable(entity_pairs, minimum)
    if not pairs:
        told = "; ".join(f"{pair}: {why}" for pair, why in list(reasons.items())[:5])
        raise UndefinedScoreError(
            f"{name}: no pair of entities can be scored: {told}",
            hint="add sentences of the kind that is missing, or lower minimum",
        )
    units = [(pair.texts, pair.texts) for pair in pairs]
    crossed = unit_scores(
        model, units, lambda i, scores: _auc(ScoreLevels.of(scores), pairs[i]), seed
    )
    levels = [ScoreLevels.of(each.scores) for each in crossed]
    areas = [_auc(each, pair) for each, pair in zip(levels, pairs, strict=True)]
    draws = _resampled(levels, pairs, child_seed(seed, "interval"))
    null = _shuffled(levels, pairs, child_seed(seed, "baseline"))
    values = [_contributions(*each) for each in zip(levels, pairs, areas, strict=True)]
    known = np.concatenate([each.left_known for each in crossed])
    return Outcome(
        metric="auc",
        score=float(np.mean(areas)),
        interval=_interval(draws.mean(axis=1)),
        baseline=summarise_null(null.mean(axis=1), kind="shuffled labels"),
        n_items=len(known),
        n_covered=int(known.sum()),
        oov="zero",
        statistic="mean",
        items=_items(pairs, areas, values, known),
        others={"entity_pairs": float(len(pairs))},
        details={
            "task": "relation",
            "pairs": [
                _row(pair, area, drawn, chance)
                for pair, area, drawn, chance in zip(pairs, areas, draws.T, null.T, strict=True)
            ],
            "left_out": reasons,
            "missing": [
                text for text, found in zip(_texts(pairs), known, strict=True) if not found
            ][:10],
            **_curves(crossed, pairs),
        },
    )


def _auc(levels: ScoreLevels, pair: EntityPair) -> float:
    return levels.auc(pair.expresses, ~pair.expresses)


def _texts(pairs: Sequence[EntityPair]) -> list[str]:
    return [text for pair in pairs for text in pair.texts]


def _resampled(levels: Sequence[ScoreLevels], pairs: Sequence[EntityPair], seed: int) -> Floats:
    """Draw sentences anew within E and NE of each pair: their pairs are not independent."""
    generator = np.random.default_rng(seed)
    draws = np.empty((_RESAMPLES, len(pairs)))
    for j, (each, pair) in enumerate(zip(levels, pairs, strict=True)):
        sides = [np.flatnonzero(pair.expresses), np.flatnonzero(~pair.expresses)]
        chosen = [np.empty((_RESAMPLES, len(side)), dtype=np.int64) for side in sides]
        for i in range(_RESAMPLES):
            for places in chosen:
                places[i] = generator.integers(0, places.shape[1], places.shape[1])
        drawn = [
            _counted(side[places], len(pair.texts))
            for side, places in zip(sides, chosen, strict=True)
        ]
        draws[:, j] = each.aucs(drawn[0], drawn[1])
        # All of E may be drawn as one and the same sentence, which makes no pair: drawn again.
        undefined = np.isnan(draws[:, j])
        draws[undefined, j] = generator.choice(draws[~undefined, j], int(undefined.sum()))
    return draws


def _shuffled(levels: Sequence[ScoreLevels], pairs: Sequence[EntityPair], seed: int) -> Floats:
    """Deal the labels out to the sentences of each pair at random."""
    generator = np.random.default_rng(seed)
    draws = np.empty((_DRAWS, len(pairs)))
    for j, (each, pair) in enumerate(zip(levels, pairs, strict=True)):
        dealt = np.array([generator.permutation(pair.expresses) for _ in range(_DRAWS)])
        draws[:, j] = each.aucs(dealt, ~dealt)
    return draws


def _counted(drawn: Indices, count: int) -> Indices:
    """Count how often each of so many numbers stands in each row, (r, count)."""
    places = drawn + count * np.arange(len(drawn))[:, None]
    return np.bincount(places.ravel(), minlength=count * len(drawn)).reshape(-1, count)


def _interval(draws: Floats) -> Interval:
    low, high = np.quantile(draws, ((1 - _LEVEL) / 2, (1 + _LEVEL) / 2))
    return Interval(low=float(low), high=float(high), level=_LEVEL, method="bootstrap of sentences")


def _contributions(levels: ScoreLevels, pair: EntityPair, area: float) -> Floats:
    """Return what each sentence adds to the AUC: jackknife values whose mean is the AUC.

    Those of E and of NE vary independently, so each side is scaled by its own number: the variance
    of the mean is then that of the AUC.
    """
    without = levels.left_out(pair.expresses)
    values = np.full(len(pair.texts), area)
    for side in (pair.expresses, ~pair.expresses):
        count = int(side.sum())
        # Of a single sentence, or of two in E, nothing is left to compare with.
        effect = (count - 1) * (area - np.where(np.isnan(without[side]), area, without[side]))
        values[side] += (effect - effect.mean()) * len(pair.texts) / count
    return values


def _items(
    pairs: Sequence[EntityPair], areas: Sequence[float], values: Sequence[Floats], known: Mask
) -> Items:
    total, average = sum(len(pair.texts) for pair in pairs), float(np.mean(areas))
    return {
        "item": [f"{pair.name}\t{text}" for pair in pairs for text in pair.texts],
        "pair": [pair.name for pair in pairs for _ in pair.texts],
        "expresses": [bool(each) for pair in pairs for each in pair.expresses],
        # Weighed so that every pair of entities counts the same; what differs between pairs is no
        # part of the spread, since it is sentences that are drawn and not pairs.
        "value": [
            average + float(value - area) * total / (len(pairs) * len(each))
            for area, each in zip(areas, values, strict=True)
            for value in each
        ],
        "covered": known.tolist(),
    }


def _row(pair: EntityPair, area: float, drawn: Floats, chance: Floats) -> Mapping[str, Any]:
    interval = _interval(drawn)
    return {
        "relation": pair.relation,
        "pair": pair.name,
        "expressing": int(pair.expresses.sum()),
        "sentences": len(pair.texts),
        "auc": area,
        "low": interval.low,
        "high": interval.high,
        "chance_low": float(np.quantile(chance, 0.025)),
        "chance_high": float(np.quantile(chance, 0.975)),
    }


def _curves(crossed: Sequence[Crossed], pairs: Sequence[EntityPair]) -> Mapping[str, Any]:
    """Return ROC curve and densities of H and L, of all pairs of entities together."""
    high, low = [], []
    for each, pair in zip(crossed, pairs, strict=True):
        inside = each.scores[np.ix_(pair.expresses, pair.expresses)]
        high.append(inside[~np.eye(len(inside), dtype=np.bool_)])
        low.append(each.scores[np.ix_(pair.expresses, ~pair.expresses)].ravel())
    above, below = np.concatenate(high), np.concatenate(low)
    return {"curve": thinned_curve(above, below), "densities": densities(above, below)}
