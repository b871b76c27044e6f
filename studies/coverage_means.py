"""Means of scores in [0, 1] over clustered items: the rule of ``lydite.stats.means``.

Scores of twelve shapes (spread, tight, with a lump at 1, hits and misses; means .5 to .97), items
of one cluster alike by an intraclass correlation of 0, .1 or .3 (on the normal scale), clusters of
one to eight items; items each on their own; and words of sentences, right or wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.special import betaincinv, ndtr

from lydite.stats.means import mean_interval
from lydite.types import Floats
from studies.coverage import Cell

Shape = Callable[[Floats], Floats]


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


@dataclass(frozen=True, kw_only=True)
class Design:
    """Which evaluations have such items, how many in a cluster, and how alike they are."""

    evaluation: str
    setting: str
    items: tuple[int, int]  # the fewest and the most of a cluster
    counts: tuple[int, ...]
    alike: tuple[float, ...]
    shapes: tuple[str, ...]


DESIGNS = (
    Design(
        evaluation="every mean",
        setting="clusters of 1 to 8 items",
        items=(1, 8),
        counts=(2, 3, 5, 10, 20, 50),
        alike=(0.0, 0.1, 0.3),
        shapes=tuple(SHAPES),
    ),
    Design(
        evaluation="every mean",
        setting="items on their own",
        items=(1, 1),
        counts=(3, 4, 6, 10, 20, 50),
        alike=(0.0,),
        shapes=tuple(SHAPES),
    ),
    Design(
        evaluation="tagging, parsing",
        setting="sentences of 3 to 40 words",
        items=(3, 40),
        counts=(2, 5, 20, 100),
        alike=(0.0, 0.05, 0.15),
        shapes=tuple(name for name in SHAPES if name.startswith("hits")),
    ),
)


def cells(samples: int, seed: int) -> list[Cell]:
    """Return the coverage by number of clusters, over all shapes and likenesses."""
    generator = np.random.default_rng(seed)
    return [
        _cell(generator, design, count, samples) for design in DESIGNS for count in design.counts
    ]


def _cell(generator: np.random.Generator, design: Design, count: int, samples: int) -> Cell:
    held = [
        _held(generator, SHAPES[name], design, count, alike, samples)
        for name in design.shapes
        for alike in design.alike
    ]
    single = design.items == (1, 1)
    return Cell(
        evaluation=design.evaluation,
        interval="mean of scores, logit or Wilson",
        setting=design.setting,
        size=f"{count} {'items' if single else design.setting.split()[0]}",
        coverage=round(float(np.mean(held)), 3),
        worst=round(min(held), 3),
        samples=samples * len(held),
    )


def middles() -> Floats:
    """Return evenly spaced shares, whose scores have the true mean."""
    return (np.arange(200_000) + 0.5) / 200_000


def _held(
    generator: np.random.Generator,
    shape: Shape,
    design: Design,
    count: int,
    alike: float,
    samples: int,
) -> float:
    """Return how often the interval of a sample holds the true mean."""
    truth = float(shape(middles()).mean())
    held = []
    for _ in range(samples):
        sizes = generator.integers(*design.items, count, endpoint=True)
        codes = np.repeat(np.arange(count), sizes)
        common = generator.normal(size=count)[codes]
        own = generator.normal(size=len(codes))
        scores = shape(ndtr(np.sqrt(alike) * common + np.sqrt(1 - alike) * own))
        interval = mean_interval(np.clip(scores, 0, 1), codes)
        # Two clusters of one item each have no interval.
        if interval is not None:
            held.append(interval.low <= truth <= interval.high)
    return float(np.mean(held))
