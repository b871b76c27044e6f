"""Scores of all that a task compares, by one model, or by a hybrid whose weights are learnt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from lydite.errors import InputError
from lydite.models.catalogue import model_spec
from lydite.models.crossing import Crossed, cross_each
from lydite.models.hybrid import Hybrid
from lydite.stats.seeds import child_seed
from lydite.types import Floats, Indices

#: Left texts and right texts, all pairs of which are scored.
Unit: TypeAlias = tuple[Sequence[str], Sequence[str]]
#: A unit by its place, and its scores (n, m), to how well they come apart, 0 to 1.
Value: TypeAlias = Callable[[int, Floats], float]

_FOLDS = 5
#: Weights of the second part that are tried, the first having the rest.
_GRID = np.linspace(0, 1, 21)


def unit_scores(model: object, units: Sequence[Unit], value: Value, seed: int) -> list[Crossed]:
    """Score all pairs of each unit.

    Parameters
    ----------
    units
        Entity pairs, or questions with their documents.
    value
        What learnt weights are to make high. They are learnt on all folds of units but the one
        that is scored with them; questions on one document are in one fold.
    seed
        Of the folds.
    """
    if not isinstance(model, Hybrid) or model.weights != "learnt":
        return cross_each(model, units)
    folds = _folds(units, child_seed(seed, "weights"))
    if len(model.parts) != 2 or folds.max() == 0:
        raise InputError(
            f"{model_spec(model)}: weights are learnt for two models on at least two entity pairs "
            f"or documents, got {len(model.parts)} and {folds.max() + 1}",
            hint="use weights=standardised",
        )
    first, second = (cross_each(part, units) for part in model.parts)
    scale = [_deviation(part) for part in (first, second)]
    mixed = [
        [(1 - w) * a.scores / scale[0] + w * b.scores / scale[1] for w in _GRID]
        for a, b in zip(first, second, strict=True)
    ]
    values = np.array([[value(i, scores) for scores in each] for i, each in enumerate(mixed)])
    chosen = _held_out_choice(values, folds)
    return [
        Crossed(
            scores=each[choice],
            left_known=a.left_known | b.left_known,
            right_known=a.right_known | b.right_known,
        )
        for each, choice, a, b in zip(mixed, chosen, first, second, strict=True)
    ]


def _folds(units: Sequence[Unit], seed: int) -> Indices:
    """Deal units out to folds, those with the same right texts to the same one."""
    places = {right: i for i, right in enumerate(dict.fromkeys(tuple(each) for _, each in units))}
    dealt = np.random.default_rng(seed).permutation(len(places)) % _FOLDS
    return dealt[[places[tuple(right)] for _, right in units]]


def _held_out_choice(values: Floats, folds: Indices) -> list[int]:
    """Return, for each unit, the weight that is best for the units of the other folds."""
    return [int(np.nanmean(values[folds != fold], axis=0).argmax()) for fold in folds]


def _deviation(crossed: Sequence[Crossed]) -> float:
    return float(np.concatenate([each.scores.ravel() for each in crossed]).std()) or 1.0
