"""What a score would be if there were nothing to find: the baseline beside every score."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from lydite.errors import InputError, UndefinedScoreError
from lydite.stats.bootstrap import keep_defined


@dataclass(frozen=True, kw_only=True)
class Baseline:
    """The distribution of a statistic where there is nothing to find.

    Attributes
    ----------
    kind
        What was randomized, for example ``shuffled labels`` or ``random vectors``.
    low, high
        The ends of their central 95 %.
    draws
        The number of draws that they were taken from, the undefined left out.
    """

    kind: str
    mean: float
    low: float
    high: float
    draws: int


def null_baseline(
    draw: Callable[[np.random.Generator], float], *, draws: int = 1000, seed: int, kind: str
) -> Baseline:
    """Draw a statistic under a null hypothesis and summarize it.

    Parameters
    ----------
    draw
        Randomizes what is to be randomized with the generator given and returns the statistic. NaN
        or an :class:`~lydite.errors.UndefinedScoreError` says that it is undefined; up to 5 % of
        the draws may be.
    draws
        The number of draws, each with a generator of its own: a draw does not depend on how many
        random numbers the draws before it have used.

    Examples
    --------
    >>> from lydite.stats.correlation import pearson
    >>> gold = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]
    >>> baseline = null_baseline(
    ...     lambda generator: pearson(generator.permutation(gold), gold),
    ...     draws=500,
    ...     seed=1,
    ...     kind="shuffled labels",
    ... )
    >>> -0.1 < baseline.mean < 0.1 and baseline.low < -0.5 and baseline.high > 0.5
    True
    """
    if draws < 1:
        raise InputError(f"expected at least 1 draw, got {draws}", hint="use 1000")
    children = np.random.SeedSequence(seed).spawn(draws)
    return summarize_null(
        [_drawn(draw, np.random.default_rng(child)) for child in children], kind=kind
    )


def summarize_null(values: ArrayLike, *, kind: str) -> Baseline:
    """Summarize draws under a null hypothesis that were made all at once.

    Examples
    --------
    >>> baseline = summarize_null([-0.5, 0.0, 0.5], kind="random vectors")
    >>> baseline.mean, baseline.draws
    (0.0, 3)
    """
    drawn = np.asarray(values, dtype=np.float64)
    if drawn.ndim != 1 or not drawn.size:
        raise InputError(f"expected a 1-d array of draws, got shape {drawn.shape}")
    defined = keep_defined(drawn, "draws of the baseline")
    low, high = np.quantile(defined, (0.025, 0.975))
    return Baseline(
        kind=kind, mean=float(defined.mean()), low=float(low), high=float(high), draws=defined.size
    )


def _drawn(draw: Callable[[np.random.Generator], float], generator: np.random.Generator) -> float:
    try:
        return float(draw(generator))
    except UndefinedScoreError:
        return float("nan")
