"""How often the intervals of ``qvec`` hold what they claim to: simulated words.

A space is drawn once, then words of it again and again; half of the settings are words whose
features are a noisy choice of one class (as supersenses are), the others heavy-tailed numbers. What
the interval is for is the mean score over all samples of as many words.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lydite.stats.ridge import explain
from lydite.types import Floats


@dataclass(frozen=True, kw_only=True)
class Setting:
    """A population of words."""

    words: int
    dimensions: int
    features: int
    kind: str  # classes, numbers, or nothing: features that have nothing to do with the vectors

    def population(self, seed: int) -> Callable[[np.random.Generator], tuple[Floats, Floats]]:
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
            logits = (0 if self.kind == "nothing" else 1) * X @ weights + offset
            chosen = (logits + generator.gumbel(size=logits.shape)).argmax(axis=1)
            return X, np.eye(self.features)[chosen]

        return draw


SETTINGS = [
    Setting(words=words, dimensions=dimensions, features=features, kind=kind)
    for kind in ("classes", "numbers", "nothing")
    for words, dimensions, features in (
        (50, 10, 5),
        (100, 10, 5),
        (100, 50, 20),
        (400, 50, 20),
        (400, 300, 20),
        (1300, 50, 40),
    )
]


def cells(samples: int, seed: int) -> list[dict[str, object]]:
    """Simulate the interval of the variance explained in all settings."""
    return [_cell(setting, samples, seed) for setting in SETTINGS]


def _cell(setting: Setting, samples: int, seed: int) -> dict[str, object]:
    draw = setting.population(seed)
    folds = np.arange(setting.words) % 10
    found = []
    for sample in range(samples):
        answer = explain(*draw(np.random.default_rng([seed, sample])), folds)
        found.append((answer.score, answer.interval()))
    truth = float(np.mean([score for score, _ in found]))
    held = [each.low <= truth <= each.high for _, each in found if each is not None]
    return {
        "evaluation": "qvec",
        "interval": "explained",
        "setting": f"{setting.kind}, {setting.dimensions} dimensions, {setting.features} features",
        "size": setting.words,
        "coverage": float(np.mean(held)) if held else None,
        "samples": samples,
        "remark": f"mean score {truth:.3f}",
    }
