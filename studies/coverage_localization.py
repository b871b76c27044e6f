"""Localization: how often the interval of the accuracy holds that of other groups.

Meanings are drawn from a population without end: a meaning is a place in eight dimensions, its
sentences lie around it, more closely for some meanings than for others, and it has three to eight
of them. Each sample of G meanings goes through the evaluation as it stands: folds, typical length,
choice of C, one classifier per group.

An accuracy depends on how many groups there are to choose between: what is estimated is the
expected accuracy *with G groups* of this kind, that is, the mean over all samples of G. An interval
from 10 groups says nothing about 100.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lydite.evaluations.localization.classifiers import Classifiers, Features, predict
from lydite.evaluations.localization.evaluation import Localization
from lydite.stats.means import mean_interval
from lydite.stats.seeds import child_seed
from lydite.types import Floats, Indices, Vectors
from studies.coverage import Cell

GROUPS = (2, 3, 5, 10, 20, 50)
#: How far sentences lie from their meaning, beside how far meanings lie from each other.
NOISE = (0.4, 0.8, 1.4)
_DIMENSIONS = 8
_MANY = 100
#: The folds are a small part of the noise; two repeats instead of five save time.
_PLAN = Localization(repeats=2).validation


@dataclass(frozen=True, kw_only=True, eq=False)
class Drawn:
    """Sentences of some meanings: a model that has their vectors."""

    vectors: Vectors
    labels: Indices

    @classmethod
    def of(cls, groups: int, noise: float, seed: int) -> Drawn:
        """Draw so many meanings."""
        generator = np.random.default_rng(seed)
        labels = np.repeat(np.arange(groups), generator.integers(3, 9, groups))
        centres = generator.normal(size=(groups, _DIMENSIONS))
        # Some meanings are told in many ways, others in few: those of one are right together.
        spread = noise * np.exp(0.5 * generator.normal(size=groups))
        around = generator.normal(size=(len(labels), _DIMENSIONS))
        vectors = centres[labels] + spread[labels, None] * around
        return cls(vectors=vectors.astype(np.float32), labels=labels)

    def encode(self, texts: Sequence[str], /) -> Vectors:
        """Return the vectors of sentences, which are called by their numbers."""
        return self.vectors[[int(text) for text in texts]]

    def values(self) -> Floats:
        """Return how often each sentence is recognized, (n,)."""
        texts = [str(i) for i in range(len(self.labels))]
        classifiers = Classifiers(self, Features(self, texts), self.labels)
        svm = predict(classifiers, _PLAN).by_classifier["svm"]
        return np.asarray((svm == self.labels).mean(axis=0))


def cells(samples: int, seed: int) -> list[Cell]:
    """Return the coverage by number of groups, over easy and hard meanings."""
    found = []
    # Many groups take most of the time; a short run does without them.
    for groups in GROUPS if samples >= _MANY else GROUPS[:4]:
        held, scores = zip(
            *(_held(groups, noise, samples, child_seed(seed, f"{groups}", f"{noise}"))
              for noise in NOISE),
            strict=True,
        )  # fmt: skip
        found.append(
            Cell(
                evaluation="localization",
                interval="accuracy with as many groups, logit or Wilson",
                setting=f"accuracies {min(scores):.2f} to {max(scores):.2f}, 3 to 8 sentences",
                size=f"{groups} groups",
                coverage=round(float(np.mean(held)), 3),
                worst=round(min(held), 3),
                samples=samples * len(held),
            )
        )
    return found


def _held(groups: int, noise: float, samples: int, seed: int) -> tuple[float, float]:
    """Return how often the interval holds the expected accuracy, and that accuracy."""
    scores, intervals = [], []
    for sample in range(samples):
        drawn = Drawn.of(groups, noise, child_seed(seed, str(sample)))
        values = drawn.values()
        scores.append(values.mean())
        intervals.append(mean_interval(values, drawn.labels))
    truth = float(np.mean(scores))
    held = [each.low <= truth <= each.high for each in intervals if each is not None]
    return float(np.mean(held)), truth
