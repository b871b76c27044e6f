"""Simulated coverage of the intervals of correlations with ratings, where pairs share words.

Two normal variables of correlation rho, to each of which the two words of a pair bring a share of
the variance, are bent into the shapes that cosines and ratings have: normal, ratings on a scale of
eleven steps, skewed (log-normal, mildly or fully; or with the long tail below, and ratings
squared), heavy-tailed (Student's t with five degrees of freedom). Samples for which the evaluation
prints no interval of Pearson's r are drawn again, and populations for which it prints one in fewer
than a tenth of the samples are left out. The truth is that of many pairs without shared words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache

import numpy as np
from scipy.special import ndtr, stdtrit

from lydite.evaluations.similarity.evaluation import Leading, interval_of
from lydite.stats.correlation import pearson, spearman
from lydite.types import Floats, Indices
from studies.coverage import Cell

METRICS: Mapping[Leading, Callable[[Floats, Floats], float]] = {
    "spearman": spearman,
    "pearson": pearson,
}

#: Pairs, words that they are drawn from (none: each pair has words of its own), and the share of
#: the variance that words bring.
DESIGNS: tuple[tuple[int, int | None, float], ...] = (
    *((4, None, 0.0), (5, None, 0.0), (10, None, 0.0), (10, 8, 0.5), (20, None, 0.0)),
    *((20, 15, 0.5), (30, 25, 0.5), (65, 48, 0.5), (200, None, 0.0), (200, 100, 0.5)),
    (400, 100, 0.8),
)
RHOS = (0.0, 0.3, 0.6, 0.75, 0.9, 0.98)
#: Samples drawn at most for each that is wanted, before a population is left out.
MOST_DRAWS = 10
SHAPES: Mapping[str, tuple[Callable[[Floats], Floats], Callable[[Floats], Floats]]] = {
    "normal": (lambda x: x, lambda y: y),
    "ratings": (lambda x: x, lambda y: np.round(10 * ndtr(y))),
    "skewed": (lambda x: np.exp(x / 3), lambda y: np.round(10 * ndtr(y))),
    "log-normal": (np.exp, lambda y: np.round(10 * ndtr(y))),
    "long tail below": (lambda x: -np.exp(-x / 2), lambda y: np.round(10 * ndtr(y) ** 2)),
    "heavy tails": (lambda x: stdtrit(5, ndtr(x)), lambda y: stdtrit(5, ndtr(y))),
}


def cells(samples: int, seed: int) -> list[Cell]:
    """Return the coverage of each design and shape, over all values of rho."""
    return [
        Cell(
            evaluation="similarity",
            interval=f"{metric.capitalize()}, dyadic",
            setting=f"{shape}; {_words(words, share)}",
            size=f"{n} pairs",
            coverage=round(float(np.mean(held)), 4),
            worst=round(min(held), 4),
            samples=samples * len(held),
        )
        for metric in METRICS
        for n, words, share in DESIGNS
        for shape in SHAPES
        if metric == "pearson" or shape in {"normal", "ratings"}  # ranks do not see the others
        for held in [list(_coverage(metric, n, words, share, shape, samples, seed))]
        if held
    ]


def _words(words: int | None, share: float) -> str:
    return "no word twice" if words is None else f"{words} words, {share:.0%} of the variance"


def _coverage(
    metric: Leading, n: int, words: int | None, share: float, shape: str, samples: int, seed: int
) -> Iterator[float]:
    generator = np.random.default_rng(seed)
    left, right = draw_words(generator, n, words)
    bend = SHAPES[shape]
    for rho in RHOS:
        truth = _truth(metric, shape, rho)
        held = tried = drawn = 0
        while tried < samples and drawn < MOST_DRAWS * samples:
            drawn += 1
            x, y = draw_variables(generator, left, right, share, rho)
            x, y = bend[0](x), bend[1](y)
            if np.ptp(x) == 0 or np.ptp(y) == 0:
                continue
            found = interval_of(metric, x, y, left, right)
            if found is None:  # Pearson's r may hang on a few pairs
                continue
            held += found.low <= truth <= found.high
            tried += 1
        if tried == samples:
            yield held / tried


def draw_words(
    generator: np.random.Generator, n: int, words: int | None
) -> tuple[Indices, Indices]:
    """Return the two words of each pair, (n,) and (n,), as numbers."""
    if words is None:
        return np.arange(n), np.arange(n) + n
    every = np.array([(i, j) for i in range(words) for j in range(i)])
    chosen = every[generator.permutation(len(every))[:n]]
    return chosen[:, 0], chosen[:, 1]


def draw_variables(
    generator: np.random.Generator, left: Indices, right: Indices, share: float, rho: float
) -> Floats:
    """Return two variables (2, n) of correlation rho."""
    mix = np.array([[1.0, 0.0], [rho, np.sqrt(1 - rho**2)]])
    nodes = mix @ generator.normal(size=(2, int(max(left.max(), right.max())) + 1))
    noise = mix @ generator.normal(size=(2, len(left)))
    shared = np.sqrt(share / 2) * (nodes[:, left] + nodes[:, right])
    return np.asarray(shared + np.sqrt(1 - share) * noise)


@cache
def _truth(metric: Leading, shape: str, rho: float) -> float:
    apart = np.arange(300_000)
    x, y = draw_variables(np.random.default_rng(0), apart, apart, 0.0, rho)
    bend = SHAPES[shape]
    return METRICS[metric](bend[0](x), bend[1](y))
