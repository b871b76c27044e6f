"""Simulated coverage of the intervals of correlations with ratings, where pairs share words.

Two normal variables of correlation rho, to each of which the two words of a pair bring a share of
the variance, are bent into the shapes that cosines and ratings have: normal, ratings on a scale of
eleven steps, skewed, heavy-tailed (Student's t with three degrees of freedom). The truth is that of
a million pairs without shared words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from scipy.special import ndtr, stdtrit

from lydite.stats.correlation import pearson, pearson_influence, spearman, spearman_influence
from lydite.stats.dyadic import dyadic_interval
from lydite.types import Floats, Indices

#: Pairs, words that they are drawn from (none: each pair has words of its own), and the share of
#: the variance that words bring.
DESIGNS: tuple[tuple[int, int | None, float], ...] = (
    *((4, None, 0.0), (5, None, 0.0), (8, None, 0.0), (10, None, 0.0), (10, 8, 0.5)),
    *((20, None, 0.0), (20, 15, 0.5), (30, 25, 0.5), (65, None, 0.0), (65, 48, 0.5)),
    *((200, None, 0.0), (200, 100, 0.5), (400, 100, 0.8)),
)
RHOS = (0.0, 0.3, 0.6, 0.9, 0.98)
SHAPES: Mapping[str, tuple[Callable[[Floats], Floats], Callable[[Floats], Floats]]] = {
    "normal": (lambda x: x, lambda y: y),
    "ratings": (lambda x: x, lambda y: np.round(10 * ndtr(y))),
    "skewed": (np.exp, lambda y: np.round(10 * ndtr(y))),
    "heavy tails": (lambda x: stdtrit(3, ndtr(x)), lambda y: stdtrit(3, ndtr(y))),
}


def cells(samples: int, seed: int) -> list[dict[str, Any]]:
    """Return the coverage of each design and shape, over all values of rho."""
    return [
        {
            "evaluation": "similarity",
            "interval": f"{metric}, dyadic",
            "setting": f"{shape}; {_words(words, share)}",
            "size": f"{n} pairs",
            "coverage": round(float(np.mean(held)), 3),
            "worst": round(min(held), 3),
            "samples": samples * len(held),
            "remark": f"rho {', '.join(f'{rho:g}' for rho in RHOS)}",
        }
        for metric in ("spearman", "pearson")
        for n, words, share in DESIGNS
        for shape in SHAPES
        if metric == "pearson" or shape in {"normal", "ratings"}  # ranks do not see the others
        for held in [list(_coverage(metric, n, words, share, shape, samples, seed))]
    ]


def _words(words: int | None, share: float) -> str:
    return "no word twice" if words is None else f"{words} words, {share:.0%} of the variance"


def _coverage(
    metric: str, n: int, words: int | None, share: float, shape: str, samples: int, seed: int
) -> Iterator[float]:
    correlation, influence = {
        "spearman": (spearman, spearman_influence),
        "pearson": (pearson, pearson_influence),
    }[metric]
    generator = np.random.default_rng(seed)
    left, right = _pairs(generator, n, words)
    bend = SHAPES[shape]
    for rho in RHOS:
        truth = _truth(correlation, bend, rho)
        held = tried = 0
        while tried < samples:
            x, y = _draw(generator, left, right, share, rho)
            x, y = bend[0](x), bend[1](y)
            if np.ptp(x) == 0 or np.ptp(y) == 0:
                continue
            found = dyadic_interval(
                correlation(x, y), influence(x, y), left, right, ranked=metric == "spearman"
            )
            if found is None:
                raise ValueError(f"no interval of {n} pairs")
            held += found.low <= truth <= found.high
            tried += 1
        yield held / tried


def _pairs(generator: np.random.Generator, n: int, words: int | None) -> tuple[Indices, Indices]:
    if words is None:
        return np.arange(n), np.arange(n) + n
    every = np.array([(i, j) for i in range(words) for j in range(i)])
    chosen = every[generator.permutation(len(every))[:n]]
    return chosen[:, 0], chosen[:, 1]


def _draw(
    generator: np.random.Generator, left: Indices, right: Indices, share: float, rho: float
) -> Floats:
    """Return two variables (2, n) of correlation rho."""
    mix = np.array([[1.0, 0.0], [rho, np.sqrt(1 - rho**2)]])
    nodes = mix @ generator.normal(size=(2, int(max(left.max(), right.max())) + 1))
    noise = mix @ generator.normal(size=(2, len(left)))
    shared = np.sqrt(share / 2) * (nodes[:, left] + nodes[:, right])
    return np.asarray(shared + np.sqrt(1 - share) * noise)


def _truth(
    correlation: Callable[[Floats, Floats], float],
    bend: tuple[Callable[[Floats], Floats], Callable[[Floats], Floats]],
    rho: float,
) -> float:
    apart = np.arange(1_000_000)
    x, y = _draw(np.random.default_rng(0), apart, apart, 0.0, rho)
    return correlation(bend[0](x), bend[1](y))


if __name__ == "__main__":
    import json
    import sys

    for cell in cells(int(sys.argv[1]), 0):
        sys.stdout.write(json.dumps(cell) + "\n")
