"""Classifiers on frozen vectors: L2 logistic regression, and random forests of scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np

from lydite.corpora.classification.task import LabelledTexts
from lydite.evaluations.downstream.features import Encoded
from lydite.evaluations.downstream.logistic import LogisticRegression
from lydite.evaluations.downstream.parts import Part, held_out
from lydite.evaluations.localization.features import Scale, scaled
from lydite.stats.seeds import child_seed
from lydite.types import Floats, Indices, Vectors

Classifier: TypeAlias = Literal["logistic", "forest"]

#: The inverse strengths of regularisation that are tried on development data.
GRID: Final = (0.01, 0.1, 1.0, 10.0, 100.0, 1000.0)
#: Used where there are too few texts to keep some apart.
_UNTUNED = 1.0


@dataclass(frozen=True, kw_only=True)
class Setting:
    """How classifiers are trained: parameters of the evaluation; ``C`` is None to be tuned."""

    classifier: Classifier
    C: float | None
    trees: int
    scale: Scale
    repeats: int


@dataclass(frozen=True, kw_only=True, eq=False)
class Predictions:
    """What classifiers take the test texts of a part for.

    Attributes
    ----------
    predicted
        Shape (repeats, m): classes. One repeat where nothing is random.
    C
        What was tuned, a repeat each; empty for forests.
    unconverged
        How many logistic regressions were stopped before they had come to the minimum.
    """

    predicted: Indices
    C: tuple[float, ...]
    unconverged: int


def predict(encoded: Encoded, part: Part, setting: Setting, *, seed: int) -> Predictions:
    """Train on the training texts and classify the test texts.

    Parameters
    ----------
    encoded, part
        Vectors, and what they are of.
    seed
        Of what is random: the trees, or which training texts are held out for tuning. It is the
        same for all models.

    Notes
    -----
    C is that with the highest accuracy on development data, of equal ones the smallest. Where the
    data have a development part, the classifier learns from the training part alone. Where not, a
    fifth of the training texts is held out, C is chosen on them, and the classifier then learns
    from all training texts; each repeat holds out others.
    """
    if setting.classifier == "forest":
        return _forests(encoded, part, setting, seed)
    fits = _Logistic(encoded, part.train, setting.scale)
    if setting.C is not None:
        chosen = [setting.C]
    elif part.development is not None:
        rows = np.arange(len(encoded.train))
        chosen = [fits.tuned(rows, encoded.development, part.development.labels)]
    else:
        chosen = []
        for repeat in range(setting.repeats):
            kept = held_out(part.train.labels, child_seed(seed, "held out", str(repeat)))
            rows, asked = np.flatnonzero(~kept), np.flatnonzero(kept)
            chosen.append(fits.tuned(rows, encoded.train[asked], part.train.labels[asked]))
    return Predictions(
        predicted=fits.of_test(chosen), C=tuple(chosen), unconverged=fits.unconverged
    )


class _Logistic:
    """Logistic regressions of one part, counted."""

    def __init__(self, encoded: Encoded, train: LabelledTexts, scale: Scale) -> None:
        self._encoded = encoded
        self._labels = train.labels
        self._scale = scale
        self.unconverged = 0

    def tuned(self, rows: Indices, asked: Vectors, gold: Indices) -> float:
        """Return the best C for some training texts, by others."""
        if not len(gold):
            return _UNTUNED
        known, other = scaled(self._encoded.train[rows], asked, self._scale)
        fits = LogisticRegression(known, self._labels[rows])
        rights = [float((self._taken_for(fits, other, C) == gold).mean()) for C in GRID]
        return GRID[int(np.argmax(rights))]

    def of_test(self, chosen: list[float]) -> Indices:
        """Return what test texts are taken for, (repeats, m), learnt from all training texts."""
        known, asked = scaled(self._encoded.train, self._encoded.test, self._scale)
        fits = LogisticRegression(known, self._labels)
        by_C = {C: self._taken_for(fits, asked, C) for C in sorted(set(chosen))}
        return np.stack([by_C[C] for C in chosen])

    def _taken_for(self, fits: LogisticRegression, asked: Floats, C: float) -> Indices:
        predicted, reached = fits.predict(asked, C=C)
        self.unconverged += not reached
        return predicted


def _forests(encoded: Encoded, part: Part, setting: Setting, seed: int) -> Predictions:
    known, asked = scaled(encoded.train, encoded.test, setting.scale)
    seeds = [child_seed(seed, "trees", str(repeat)) for repeat in range(setting.repeats)]
    predicted = [
        random_forest(known, part.train.labels, asked, trees=setting.trees, seed=each)
        for each in seeds
    ]
    return Predictions(predicted=np.stack(predicted), C=(), unconverged=0)


def random_forest(
    known: Floats, labels: Indices, asked: Floats, *, trees: int, seed: int
) -> Indices:
    """Return what a random forest takes rows for, (m,).

    References
    ----------
    Breiman (2001), Random forests.

    Examples
    --------
    >>> known, labels = np.array([[0.0], [1.0], [3.0], [4.0]]), np.array([0, 0, 1, 1])
    >>> random_forest(known, labels, np.array([[0.0], [4.0]]), trees=20, seed=1)
    array([0, 1])
    """
    from sklearn.ensemble import RandomForestClassifier  # type: ignore[import-untyped]

    forest = RandomForestClassifier(n_estimators=trees, random_state=seed % 2**32)
    forest.fit(known, labels)
    return np.asarray(forest.predict(asked), dtype=np.int64)
