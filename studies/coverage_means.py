"""Means of scores in [0, 1] over clustered items: the rule of ``lydite.stats.means``.

Scores of twelve shapes (spread, tight, with a lump at 1, hits and misses; means .5 to .97), items
of one cluster alike by an intraclass correlation of 0, .1 or .3 (on the normal scale), clusters of
one to eight items; and items each on their own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from scipy.special import betaincinv, ndtr

from lydite.stats.means import mean_interval
from lydite.types import Floats
from studies.coverage import Cell

Shape = Callable[[Floats], Floats]

CLUSTERS = (2, 3, 5, 10, 20, 50)
ALONE = (3, 4, 6, 10, 20, 50)
ALIKE = (0.0, 0.1, 0.3)


def beta(mean: float, sharpness: float) -> Shape:
    return lambda u: np.asarray(betaincinv(mean * sharpness, (1 - mean) * sharpness, u))


def lump(share: float, mean: float) -> Shape:
    """Return scores of which a share is 1, and the others lie below."""
    below = beta(mean, 5.0)
    return lambda u: np.where(u > 1 - share, 1.0, below(np.minimum(u / (1 - share), 1 - 1e-9)))


def hits(share: float) -> Shape:
    return lambda u: (u > 1 - share).astype(np.float64)


SHAPES: Mapping[str, Shape] = {
    **{f"spread, mean {mean}": beta(mean, 4.0) for mean in (0.5, 0.8, 0.95)},
    **{f"tight, mean {mean}": beta(mean, 60.0) for mean in (0.5, 0.9)},
    **{f"{share:.0%} at 1": lump(share, 0.6) for share in (0.3, 0.6, 0.9)},
    **{f"hits, {share}": hits(share) for share in (0.5, 0.7, 0.9, 0.97)},
}


def cells(samples: int, seed: int) -> list[Cell]:
    """Return the coverage by number of clusters, over all shapes and likenesses."""
    generator = np.random.default_rng(seed)
    truths = {name: float(shape(middles()).mean()) for name, shape in SHAPES.items()}
    found = []
    for clustered, counts in ((True, CLUSTERS), (False, ALONE)):
        for count in counts:
            held = [
                _held(generator, SHAPES[name], truths[name], count, alike, clustered, samples)
                for name in SHAPES
                for alike in (ALIKE if clustered else (0.0,))
            ]
            found.append(
                Cell(
                    evaluation="every mean",
                    interval="mean of scores, logit or Wilson",
                    setting="clusters of 1 to 8 items" if clustered else "items on their own",
                    size=f"{count} {'clusters' if clustered else 'items'}",
                    coverage=round(float(np.mean(held)), 3),
                    worst=round(min(held), 3),
                    samples=samples * len(held),
                )
            )
    return found


def middles() -> Floats:
    return (np.arange(200_000) + 0.5) / 200_000


def _held(
    generator: np.random.Generator,
    shape: Shape,
    truth: float,
    count: int,
    alike: float,
    clustered: bool,
    samples: int,
) -> float:
    """Return how often the interval of a sample holds the true mean."""
    held = []
    for _ in range(samples):
        sizes = generator.integers(1, 9, count) if clustered else np.ones(count, dtype=np.int64)
        codes = np.repeat(np.arange(count), sizes)
        common = generator.normal(size=count)[codes]
        own = generator.normal(size=len(codes))
        scores = shape(ndtr(np.sqrt(alike) * common + np.sqrt(1 - alike) * own))
        interval = mean_interval(np.clip(scores, 0, 1), codes)
        # Two clusters of one item each have no interval.
        if interval is not None:
            held.append(interval.low <= truth <= interval.high)
    return float(np.mean(held))
