"""AUC of labeled pairs, clustered, and of all pairs of a few sentences: ``lydite.stats.auc``.

Labeled pairs: scores are normal, of H shifted so that the AUC is .5 to .98, as they are or rounded
so that many tie; clusters have one pair or one to four of a kind, alike by an intraclass
correlation of 0 or .4, and hold pairs of H and L together or of one kind alone.

Entity pairs: sentences are points around a center in eight dimensions, those that do not express
the relation around another; their scores are cosines. Those that express it lie around one center
or two. The truth is the area of 3,000 sentences on either side.

Minimal pairs and questions are means over clusters: see ``coverage_means``.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product

import numpy as np
from scipy.special import ndtr

from lydite.stats.auc import Jackknifed, ScoreLevels, auc, auc_interval, jackknife_interval
from lydite.types import Floats, Indices, Mask
from studies.coverage import Cell

PARTS = (3, 5, 10, 30)
SHIFTS = (0.0, 0.75, 1.8, 3.0)
ALIKE = (0.0, 0.4)

#: Sentences in E and in NE of each entity pair.
ENTITIES = {
    "one: 3, 3": [(3, 3)],
    "one: 5, 3": [(5, 3)],
    "one: 10, 10": [(10, 10)],
    "one: 25, 4": [(25, 4)],
    "three: 5, 5 each": [(5, 5)] * 3,
    "five, uneven": [(30, 7), (26, 4), (28, 13), (24, 4), (40, 19)],
    "six: 15, 15 each": [(15, 15)] * 6,
}
#: How far apart the centers are, how much sentences differ, whether those of E have two centers.
CLOUDS = (
    *product((0.0, 0.5, 1.2, 2.2), (0.45,), (False, True)),
    *product((3.5, 6.0), (0.25,), (False, True)),
)


def cells(samples: int, seed: int) -> list[Cell]:
    """Return the coverage by design and number of clusters, and by entity pairs."""
    generator = np.random.default_rng(seed)
    return [*_labelled(generator, samples), *_entities(generator, samples)]


def _labelled(generator: np.random.Generator, samples: int) -> Iterator[Cell]:
    for together, most, parts in product((True, False), (1, 4), PARTS):
        held = [
            np.mean(
                [
                    _holds(*_pairs(generator, parts, most, together, alike, shift, coarse), truth)
                    for _ in range(samples)
                ]
            )
            for alike, shift, coarse in product(ALIKE, SHIFTS, (False, True))
            for truth in (_true_area(shift, coarse),)
        ]
        yield Cell(
            evaluation="separation",
            interval="AUC of labeled pairs",
            setting=("H and L of one base" if together else "H and L apart")
            + (", one pair of a kind each" if most == 1 else ", one to four of a kind each"),
            size=f"{parts} clusters on either side",
            coverage=round(float(np.mean(held)), 4),
            worst=round(float(min(held)), 4),
            samples=samples * len(held),
        )


def _pairs(
    generator: np.random.Generator,
    parts: int,
    most: int,
    together: bool,
    alike: float,
    shift: float,
    coarse: bool,
) -> tuple[Floats, Mask, Indices]:
    """Draw scores, which are in H, and their clusters."""
    sides = [np.repeat(np.arange(parts), generator.integers(1, most + 1, parts)) for _ in range(2)]
    clusters = np.concatenate([sides[0], sides[1] + (0 if together else parts)])
    similar = np.arange(len(clusters)) < len(sides[0])
    effects = generator.standard_normal(2 * parts)[clusters]
    noise = generator.standard_normal(len(clusters))
    scores = shift * similar + np.sqrt(alike) * effects + np.sqrt(1 - alike) * noise
    return (np.round(1.2 * scores) if coarse else scores), similar, clusters


def _holds(scores: Floats, similar: Mask, clusters: Indices, truth: float) -> bool:
    interval = auc_interval(scores, similar, clusters)
    assert interval is not None
    return interval.low <= truth <= interval.high


def _true_area(shift: float, coarse: bool) -> float:
    if not coarse:
        return float(ndtr(shift / np.sqrt(2)))
    edges = np.append((np.arange(-14, 16) - 0.5) / 1.2, np.inf)
    low, high = np.diff(ndtr(edges)), np.diff(ndtr(edges - shift))
    return float(high @ (np.cumsum(low) - low / 2))


def _entities(generator: np.random.Generator, samples: int) -> Iterator[Cell]:
    for size, counts in ENTITIES.items():
        drawn = max(1, samples // (1 if sum(map(sum, counts)) < 60 else 4))
        held = []
        for apart, spread, two in CLOUDS:
            truth = _area_of_clouds(apart, spread, two)
            held.append(
                np.mean(
                    [
                        low <= truth <= high
                        for low, high in (
                            _ends(generator, counts, apart, spread, two) for _ in range(drawn)
                        )
                    ]
                )
            )
        yield Cell(
            evaluation="separation",
            interval="mean AUC over entity pairs",
            setting="sentences as points, AUC .48 to .999",
            size=f"{size} sentences in E and NE",
            coverage=round(float(np.mean(held)), 4),
            worst=round(float(min(held)), 4),
            samples=drawn * len(held),
        )


def _ends(
    generator: np.random.Generator,
    counts: list[tuple[int, int]],
    apart: float,
    spread: float,
    two: bool,
) -> tuple[float, float]:
    parts: list[Jackknifed] = []
    for count, others in counts:
        scores = _cosines(generator, count, others, apart, spread, two)
        parts.append(ScoreLevels.of(scores).jackknifed(np.arange(count + others) < count))
    interval = jackknife_interval(parts)
    assert interval is not None
    return interval.low, interval.high


def _cosines(
    generator: np.random.Generator, count: int, others: int, apart: float, spread: float, two: bool
) -> Floats:
    points = spread * generator.standard_normal((count + others, 8))
    points[:count, 0] += 1
    if two:
        points[:count, 1] += np.where(generator.random(count) < 0.5, 0.7, -0.7)
    points[count:, 0] += 1 - apart / 2
    points[count:, 2] += apart
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    return np.asarray(points @ points.T)


@cache
def _area_of_clouds(apart: float, spread: float, two: bool) -> float:
    generator = np.random.default_rng(0)
    areas = []
    for _ in range(6):
        scores = _cosines(generator, 500, 500, apart, spread, two)
        inside = scores[:500, :500][~np.eye(500, dtype=np.bool_)]
        areas.append(auc(inside, scores[:500, 500:].ravel()))
    return float(np.mean(areas))
