"""All predictions of an evaluation: every sentence once a repeat, by every classifier."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from lydite.corpora.paraphrases.groups import ParaphraseGroups
from lydite.evaluations.localization.classifying import Setting, classify
from lydite.evaluations.localization.ensembles import classify_together
from lydite.evaluations.localization.features import Features
from lydite.evaluations.localization.folds import stratified_folds
from lydite.evaluations.localization.geometry import nearest_centroid, nearest_neighbour
from lydite.models.ensemble import Ensemble
from lydite.stats.seeds import child_seed
from lydite.types import Indices, current_progress


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How often sentences are split, and how their classifiers are trained."""

    folds: int
    repeats: int
    setting: Setting

    def splits(self, labels: Indices, seed: int) -> Iterator[tuple[int, Indices, Indices]]:
        """Yield the repeat, the training sentences and the test sentences of every fold."""
        for repeat in range(self.repeats):
            dealt = stratified_folds(labels, self.folds, child_seed(seed, "folds", str(repeat)))
            for fold in range(self.folds):
                yield repeat, np.flatnonzero(dealt != fold), np.flatnonzero(dealt == fold)


@dataclass(frozen=True, kw_only=True, eq=False)
class Predictions:
    """What each classifier takes each sentence for.

    Attributes
    ----------
    by_classifier
        ``svm``, ``centroid`` and ``neighbour``, each (repeats, n): groups, -1 for no answer.
    trained, unconverged
        How many support vector machines were trained, and how many of them were not solved to
        the tolerance.
    """

    by_classifier: Mapping[str, Indices]
    trained: int
    unconverged: int

    @property
    def notes(self) -> list[str]:
        """What a reader has to know of the classifiers."""
        if not self.unconverged:
            return []
        return [
            f"{self.unconverged:,} of {self.trained:,} support vector machines were not solved to "
            "the tolerance, and the accuracy could change with more steps: scale=unit helps where "
            "vectors are long"
        ]


def predict(
    model: object,
    features: Features,
    groups: ParaphraseGroups,
    plan: Plan,
    *,
    seed: int,
) -> Predictions:
    """Classify every sentence by the others, once a repeat.

    Parameters
    ----------
    model, features
        The model, and its vectors of the sentences.
    seed
        That of the evaluation: all models are given the same folds.
    """
    together = _ensemble(model, groups.texts)
    found = {
        name: np.full((plan.repeats, len(groups.texts)), -1)
        for name in ("svm", "centroid", "neighbour")
    }
    trained = unconverged = 0
    progress, total = current_progress(), plan.repeats * plan.folds
    for done, (repeat, train, test) in enumerate(plan.splits(groups.labels, seed)):
        progress("folds", done, total)
        known, asked = features.split(train, test)
        labels = groups.labels[train]
        if together is None:
            decided = classify(known, labels, asked, plan.setting)
        else:
            inner = child_seed(seed, "inner", str(done))
            decided = classify_together(
                *together, groups.labels, train, test, plan.setting, seed=inner
            )
        found["svm"][repeat, test] = decided.predicted
        found["centroid"][repeat, test] = nearest_centroid(known, labels, asked)
        found["neighbour"][repeat, test] = nearest_neighbour(known, labels, asked)
        trained += decided.trained
        unconverged += decided.unconverged
    progress("folds", total, total)
    return Predictions(by_classifier=found, trained=trained, unconverged=unconverged)


def _ensemble(model: object, texts: Sequence[str]) -> tuple[list[Features], str] | None:
    """Return the vectors of the members of an ensemble that classifies by their scores."""
    if not isinstance(model, Ensemble) or model.by == "concatenation":
        return None
    return [Features(each, texts) for each in model.members], model.by
