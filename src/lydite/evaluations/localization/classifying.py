"""The semantic classification task: which paraphrase group a sentence belongs to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from lydite.evaluations.localization.features import Scale, scaled
from lydite.stats.linear_svm import Rows, liblinear, one_vs_rest
from lydite.types import Floats, Indices, Vectors

Solver: TypeAlias = Literal["newton", "liblinear"]
Weights: TypeAlias = Literal["balanced", "none"]

#: Below this share of non-zero components, vectors are handed to the solver as a sparse matrix.
_SPARSE = 0.1


@dataclass(frozen=True, kw_only=True)
class Setting:
    """How the classifiers are trained: the parameters of `Localization` of the same names."""

    C: float
    weights: Weights
    solver: Solver
    scale: Scale


@dataclass(frozen=True, kw_only=True, eq=False)
class Decisions:
    """What the classifiers of one fold say.

    Attributes
    ----------
    scores
        Shape (m, k): of each test sentence, of each group.
    trained, unconverged
        How many classifiers there are, one a group, and how many of them were not solved to the
        tolerance.
    """

    scores: Floats
    trained: int
    unconverged: int

    @property
    def predicted(self) -> Indices:
        """The group of each sentence, (m,): the one with the highest score, of equals the first."""
        best: Indices = self.scores.argmax(axis=1)
        return best


def classify(known: Vectors, labels: Indices, asked: Vectors, setting: Setting) -> Decisions:
    """Train a classifier a group, one against the rest, and score other sentences.

    Parameters
    ----------
    known, labels
        Vectors (m, d) of the training sentences, and their groups (m,), 0 to k - 1.
    asked
        Vectors (n, d) of the test sentences.
    """
    train, test = scaled(known, asked, setting.scale)
    solve = one_vs_rest if setting.solver == "newton" else liblinear
    machines = solve(_compact(train), labels, C=setting.C, weights=setting.weights)
    return Decisions(
        scores=machines.scores(_compact(test)),
        trained=len(machines.converged),
        unconverged=int((~machines.converged).sum()),
    )


def _compact(vectors: Floats) -> Rows:
    """Return a sparse matrix where most components are 0, as in a bag of words."""
    if np.count_nonzero(vectors) >= _SPARSE * vectors.size:
        return vectors
    from scipy.sparse import csr_array

    return csr_array(vectors)
