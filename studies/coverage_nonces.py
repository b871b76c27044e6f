"""Simulated coverage of the intervals of nonces: reciprocal ranks, and correlations with probes.

Ranks are drawn as learners give them: log-normal around a median of 5, 100 or 2,000, which makes
means of 1 / rank of about 0.3, 0.05 and 0.01. Chimeras come in sets that share their six probes: a
learner's cosines and people's ratings have a common part with the probes of a set, and a part that
each trial has anew. The truth is the mean of a hundred thousand.
"""

from __future__ import annotations

import numpy as np

from lydite.evaluations.nonces.evaluation import mean_correlation_interval
from lydite.stats.bootstrap import Interval
from lydite.stats.correlation import spearman_rows
from lydite.stats.means import mean_interval
from lydite.types import Floats, Indices
from studies.coverage import Cell

_MEDIANS = {"median rank 5": 5.0, "median rank 100": 100.0, "median rank 2,000": 2000.0}
_SPREAD = 2.5  # standard deviation of the logarithm of a rank, as the authors' definitions have it
_TRIALS = (3, 5, 10, 20, 80, 300)
_SETS = ((2, 3), (3, 3), (5, 3), (10, 3), (33, 3))
#: How much of the agreement of learner and people each trial has, and how much its set.
_AGREEMENT = {"no agreement": (0.0, 0.0), "weak": (0.2, 0.2), "strong": (0.6, 0.5)}
_PROBES = 6


def cells(samples: int, seed: int) -> list[Cell]:
    """Return the coverage of each setting and size."""
    generator = np.random.default_rng(seed)
    found = []
    for setting, median in _MEDIANS.items():
        truth = float((1 / _ranks(generator, median, 1_000_000)).mean())
        for n in _TRIALS:
            held = [
                _holds(mean_interval(1 / _ranks(generator, median, n)), truth)
                for _ in range(samples)
            ]
            found.append(_cell("mean reciprocal rank", setting, f"{n} trials", held))
    for setting, parts in _AGREEMENT.items():
        truth = float(_correlations(generator, 30_000, 3, parts)[0].mean())
        for sets, each in _SETS:
            held = []
            for _ in range(samples):
                values, clusters = _correlations(generator, sets, each, parts)
                held.append(_holds(mean_correlation_interval(values, clusters), truth))
            found.append(_cell("mean correlation", setting, f"{sets} sets of {each} trials", held))
    return found


def _ranks(generator: np.random.Generator, median: float, n: int) -> Floats:
    ranks = median * np.exp(_SPREAD * generator.normal(size=n))
    return np.asarray(np.clip(np.ceil(ranks), 1, 400_000), dtype=np.float64)


def _correlations(
    generator: np.random.Generator, sets: int, each: int, parts: tuple[float, float]
) -> tuple[Floats, Indices]:
    """Return Spearman's rho of each trial, and the set that it belongs to."""
    own, common = parts
    shape = (sets, each, _PROBES)
    # What a set of probes is like: for some sets learner and people agree, for others not.
    lean = np.clip(own + common * generator.normal(size=(sets, 1, 1)), -0.95, 0.95)
    shared = generator.normal(size=(sets, 1, _PROBES))
    people = 0.7 * shared + 0.7 * generator.normal(size=shape)
    learner = lean * people + np.sqrt(1 - lean**2) * generator.normal(size=shape)
    values = spearman_rows(people.reshape(-1, _PROBES), learner.reshape(-1, _PROBES))
    return values, np.repeat(np.arange(sets), each)


def _holds(interval: Interval | None, truth: float) -> bool:
    if interval is None:
        raise ValueError("there is no interval")
    return interval.low <= truth <= interval.high


def _cell(interval: str, setting: str, size: str, held: list[bool]) -> Cell:
    return Cell(
        evaluation="nonces",
        interval=interval,
        setting=setting,
        size=size,
        coverage=round(float(np.mean(held)), 4),
        samples=len(held),
    )
