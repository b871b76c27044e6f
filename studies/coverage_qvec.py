"""Simulated coverage of the interval of the variance explained (``qvec``).

A population of words is fixed, then words of it are drawn again and again. In the made ones the
features are a noisy choice of one class (as supersenses and tags are), heavy-tailed numbers, or
nothing that the vectors know of; the real one is the starter oracle with GloVe. The truth is the
mean score over all samples of as many words.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from lydite.evaluations.qvec.evaluation import shared_matrices
from lydite.lexicons.oracles import read_oracle
from lydite.models.catalogue import load
from lydite.resources.catalogue import locate
from lydite.stats.ridge import explain
from lydite.types import Floats
from studies.coverage import Cell

Draw: TypeAlias = Callable[[np.random.Generator], tuple[Floats, Floats]]

#: Orders of the control task, as the evaluation has them.
CONTROLS = 20
SIZES = ((100, 10, 5), (100, 50, 20), (400, 50, 20), (400, 300, 20), (1300, 50, 40))
KINDS = ("classes", "numbers", "nothing to find")
REAL = (100, 300)
#: A run of fewer samples leaves out the settings that take long.
WHOLE = 50


@dataclass(frozen=True, kw_only=True)
class Setting:
    """A population of words that was made."""

    words: int
    dimensions: int
    features: int
    kind: str

    def population(self, seed: int) -> Draw:
        """Return what draws words: their vectors and their features."""
        fixed = np.random.default_rng(seed)
        scale = 1 / np.sqrt(1 + np.arange(self.dimensions))
        weights = fixed.normal(size=(self.dimensions, self.features))
        # Classes of very different frequency, as supersenses and tags are.
        offset = -1.5 * np.log1p(np.arange(self.features))

        def draw(generator: np.random.Generator) -> tuple[Floats, Floats]:
            X = generator.normal(size=(self.words, self.dimensions)) * scale
            if self.kind == "numbers":
                X *= np.sqrt(5 / generator.chisquare(5, size=(self.words, 1)))
                noise = generator.standard_t(4, size=(self.words, self.features))
                return X, X @ weights + 3 * noise
            logits = (self.kind == "classes") * X @ weights + offset
            chosen = (logits + generator.gumbel(size=logits.shape)).argmax(axis=1)
            return X, np.eye(self.features)[chosen]

        return draw


def cells(samples: int, seed: int) -> list[Cell]:
    """Return the coverage in each setting."""
    made = [
        Setting(words=words, dimensions=dimensions, features=features, kind=kind)
        for kind in KINDS
        for words, dimensions, features in SIZES[: None if samples >= WHOLE else 2]
    ]
    return [
        *(
            _cell(
                each.population(seed),
                f"{each.kind}; {each.dimensions} dimensions, {each.features} features",
                (each.words, samples, seed),
            )
            for each in made
        ),
        *(
            _cell(_real(words), "GloVe 50d, words of the starter oracle", (words, samples, seed))
            for words in REAL[: None if samples >= WHOLE else 1]
        ),
    ]


def _real(words: int) -> Draw:
    X, S, *_ = shared_matrices(
        load("glove-6b-50d"), read_oracle(locate("starter-supersenses").single())
    )

    def draw(generator: np.random.Generator) -> tuple[Floats, Floats]:
        chosen = generator.permutation(len(X))[:words]
        return X[chosen], S[chosen]

    return draw


def _cell(draw: Draw, setting: str, how: tuple[int, int, int]) -> Cell:
    words, samples, seed = how
    found = []
    for sample in range(samples):
        generator = np.random.default_rng([seed, sample])
        X, S = draw(generator)
        orders = [generator.permutation(words) for _ in range(CONTROLS)]
        answer = explain(X, S, np.arange(words) % 10, orders=orders)
        interval = answer.interval()
        assert interval is not None
        found.append((answer.score, interval.low, interval.high))
    score, low, high = np.array(found).T
    truth = score.mean()
    return Cell(
        evaluation="qvec",
        interval="variance explained, linearized",
        setting=setting,
        size=f"{words:,} words",
        coverage=round(float(((low <= truth) & (truth <= high)).mean()), 3),
        samples=samples,
        remark=f"mean score {truth:.3f}",
    )
