"""How often the interval of stability holds the score of the whole vocabulary.

Spaces are made alike: one matrix of word vectors with noise that grows as words get rarer, so that
frequent words are stable and rare ones are not. Words are then drawn, as `lydite stability --most`
takes some, and the interval over them should hold the mean over all words of the same spaces.
"""

from __future__ import annotations

import numpy as np

from lydite.evaluations.stability.overlap import MEASURES
from lydite.spaces.neighbours import nearest_words
from lydite.stats.means import mean_interval
from lydite.types import Floats
from studies.coverage import Cell

VOCABULARY, DIMENSIONS, SPACES, NEIGHBORS = 2000, 20, 3, 10
#: How large the noise of the rarest word is, in standard deviations of a vector: from spaces that
#: hardly differ to spaces that hardly agree.
SETTINGS = {"stable": 0.3, "middling": 1.0, "unstable": 3.0}
SIZES = (10, 30, 100, 500)


def population(noise: float, seed: int) -> dict[str, Floats]:
    """Return each measure of every word of some spaces that were made alike, (words,)."""
    generator = np.random.default_rng(seed)
    base = generator.normal(size=(VOCABULARY, DIMENSIONS))
    spread = noise * np.linspace(0, 1, VOCABULARY)[:, None]
    rows = np.arange(VOCABULARY)[:, None]
    lists = []
    for _ in range(SPACES):
        space = (base + spread * generator.normal(size=base.shape)).astype(np.float32)
        lists.append(nearest_words(space, space, NEIGHBORS, exclude=rows).indices)
    return {name: measure(np.stack(lists))[:, -1] for name, measure in MEASURES.items()}


def cells(samples: int, seed: int) -> list[Cell]:
    """Return the coverage by how stable spaces are and by the number of words."""
    generator = np.random.default_rng(seed)
    found = []
    for setting, noise in SETTINGS.items():
        measured = population(noise, seed)
        for size in SIZES:
            held = [_held(generator, values, size, samples) for values in measured.values()]
            found.append(
                Cell(
                    evaluation="stability",
                    interval="shared neighbors, logit or Wilson",
                    setting=f"{setting} spaces",
                    size=f"{size} words",
                    coverage=round(float(np.mean(held)), 3),
                    worst=round(min(held), 3),
                    samples=samples * len(held),
                )
            )
    return found


def _held(generator: np.random.Generator, values: Floats, size: int, samples: int) -> float:
    truth, held = values.mean(), 0
    for _ in range(samples):
        interval = mean_interval(generator.choice(values, size, replace=False))
        held += interval is not None and interval.low <= truth <= interval.high
    return held / samples
