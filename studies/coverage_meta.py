"""Simulated level of the tests of ``meta``, and coverage of its intervals, where models are alike.

Models come in families: 0.7 of the variance of every score lies between families, and all models of
a higher size score higher in everything. Scores are normal or skewed (their exponentials).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lydite.stats.correlation import pearson
from lydite.stats.correlation_tests import (
    blocked_interval,
    compare_correlations,
    correlation_test,
    difference_interval,
)
from lydite.types import Floats
from studies.coverage import Cell

BETWEEN = 0.7
SIZE = 0.3  # how far scores rise from one size to the next, in standard deviations
DESIGNS = ((9, 3), (9, 1), (15, 2), (30, 1))
RHOS = (0.0, 0.6)


def cells(samples: int, seed: int) -> list[Cell]:
    """Return the level of both tests, as the share of samples without a star, and coverages."""
    made = []
    for families, models in DESIGNS:
        for shape in ("normal", "skewed"):
            for what, held in _held(families, models, shape, samples, seed).items():
                made.append(
                    Cell(
                        evaluation="meta",
                        interval=what,
                        setting=shape,
                        size=f"{families} families of {models}",
                        coverage=round(float(np.mean(held)), 3),
                        samples=len(held),
                    )
                )
    return made


def _draw(generator: np.random.Generator, families: int, models: int, rho: float) -> Floats:
    """Draw three scores of all models, (3, n): x and y correlate with z by rho, by 0.5 together."""
    together = np.array([[1, 0.5, rho], [0.5, 1, rho], [rho, rho, 1]])
    factor = np.linalg.cholesky(together)
    between = factor @ generator.normal(size=(3, families))
    within = factor @ generator.normal(size=(3, families * models))
    spread = np.sqrt(BETWEEN) * np.repeat(between, models, axis=1) + np.sqrt(1 - BETWEEN) * within
    return np.asarray(spread + SIZE * np.tile(np.arange(models), families))


def _held(families: int, models: int, shape: str, samples: int, seed: int) -> dict[str, list[bool]]:
    bend: Callable[[Floats], Floats] = np.exp if shape == "skewed" else np.asarray
    blocks = np.repeat(np.arange(families), models)
    held: dict[str, list[bool]] = {}

    def note(what: str, value: bool) -> None:
        held.setdefault(what, []).append(value)

    for rho in RHOS:
        x, y, z = bend(_draw(np.random.default_rng(seed), 20_000, models, rho))
        truth = pearson(x, z)
        for sample in range(samples):
            x, y, z = bend(_draw(np.random.default_rng([seed, sample]), families, models, rho))
            if not rho:
                test = correlation_test(x, z, blocks=blocks, resamples=2000, seed=1)
                note("no star where only size is shared", test.p_value >= 0.05)
            other = compare_correlations(x, y, z, blocks=blocks, resamples=2000, seed=1)
            note("no star for a difference of nothing", other.p_value >= 0.05)
            found = blocked_interval(x, z, blocks)
            if found is not None:
                note("correlation, jackknife over families", found.low <= truth <= found.high)
            apart = difference_interval(x, y, z, blocks=blocks)
            note("difference of correlations, Zou by jackknife", apart.low <= 0 <= apart.high)
    return held
