"""How often the interval of nearness to the background holds the truth.

A term has a vector in the background, b, and one learned from a text, v. Both are a direction that
all terms share, one of the term's own, and noise. The truth is E cos(v, b) - E cos(v, b'), b' being
another term's, over a population of terms; terms are drawn from it, and their interval is that of
`lydite consistency --to-background` and ``--domain-difference``.
"""

from __future__ import annotations

import numpy as np

from lydite.evaluations.consistency.background import nearness
from lydite.types import Floats
from studies.coverage import Cell

POPULATION, DIMENSIONS = 2000, 20
#: How much of the learned vector is the term's own direction, and how large the shared one is.
POPULATIONS = {
    "unlike the background": (0.0, 3.0),
    "a little like it": (0.4, 3.0),
    "much like it": (1.5, 1.0),
    "some much, most not": (-1.0, 3.0),
}
SIZES = (4, 5, 10, 20, 60)
#: Terms of a group, and terms in all that it is compared with.
GROUPS = ((3, 40), (5, 40), (10, 60))


def population(own: float, shared: float, seed: int) -> Floats:
    """Return the cosine of what is learned of each term with the background's vector of each."""
    generator = np.random.default_rng(seed)
    # Directions differ in how much terms vary along them.
    scale = 1 / np.sqrt(1 + np.arange(DIMENSIONS))
    terms = generator.normal(size=(POPULATION, DIMENSIONS)) * scale
    common = generator.normal(size=(2, DIMENSIONS)) * scale * shared
    amount = (
        np.full((POPULATION, 1), own)
        if own >= 0
        else generator.exponential(0.5, size=(POPULATION, 1)) ** 2
    )
    learned = common[0] + amount * terms + generator.normal(size=terms.shape) * scale
    known = common[0] + 0.3 * common[1] + terms
    units = [each / np.linalg.norm(each, axis=1, keepdims=True) for each in (learned, known)]
    return np.asarray(units[0] @ units[1].T)


def cells(samples: int, seed: int) -> list[Cell]:
    """Return the coverage by number of terms, over all populations."""
    tables = [population(*each, seed) for each in POPULATIONS.values()]
    truths = [nearness(table).difference or 0.0 for table in tables]
    generator = np.random.default_rng(seed)
    found = []
    for chosen, n in [*((size, size) for size in SIZES), *GROUPS]:
        held = [
            _held(generator, table, truth, chosen, n, samples)
            for table, truth in zip(tables, truths, strict=True)
        ]
        found.append(
            Cell(
                evaluation="consistency",
                interval="nearness to the background, jackknife of terms",
                setting="all terms" if chosen == n else f"a group among {n} terms",
                size=f"{chosen} terms",
                coverage=round(float(np.mean(held)), 3),
                worst=round(min(held), 3),
                samples=samples * len(held),
            )
        )
    return found


def _held(
    generator: np.random.Generator, table: Floats, truth: float, chosen: int, n: int, samples: int
) -> float:
    held = 0
    for _ in range(samples):
        terms = generator.choice(len(table), n, replace=False)
        found = nearness(table[np.ix_(terms, terms)], np.arange(n) < chosen)
        if found.low is not None and found.high is not None:
            held += found.low <= truth <= found.high
    return held / samples
