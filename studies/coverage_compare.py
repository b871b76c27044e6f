"""Differences between two models on the same items, as ``compare`` tells them.

Means: two models whose scores of an item are correlated by 0 or .6, of the shapes that accuracies
and ranks have, alone or in clusters. Correlations: two models that correlate with the ratings at .6
and .6, or .8 and .3, where words bring none or 80 % of the variance. The truth is the difference
without end of items.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping

import numpy as np
import polars as pl
from scipy.special import ndtr

import lydite
from lydite import Result
from lydite.results.compare import compare_results
from lydite.types import Floats, Indices
from studies.coverage import Cell
from studies.coverage_means import Shape, beta, hits, lump, middles

PAIRS: Mapping[str, tuple[Shape, Shape]] = {
    "hits, .5 and .5": (hits(0.5), hits(0.5)),
    "hits, .9 and .7": (hits(0.9), hits(0.7)),
    "hits, .97 and .95": (hits(0.97), hits(0.95)),
    "spread": (beta(0.8, 4.0), beta(0.6, 4.0)),
    "tight": (beta(0.9, 60.0), beta(0.88, 60.0)),
    "a lump at 1": (lump(0.6, 0.6), lump(0.5, 0.6)),
    "steps": (lambda u: np.floor(u * 6) / 5, lambda u: np.floor(u**1.3 * 6) / 5),
}
CLUSTERS = (2, 3, 5, 10, 20, 50)
ALONE = (3, 5, 10, 20, 50)
#: Pairs and words.
DESIGNS = ((20, 15), (80, 40), (400, 100))


def cells(samples: int, seed: int) -> list[Cell]:
    """Return the coverage by number of clusters, items, or pairs."""
    generator = np.random.default_rng(seed)
    result = lydite.evaluate("random(5)", "similarity", "starter-similarity")
    plain = dataclasses.replace(result, statistic="mean", others={})
    found = []
    for clustered, counts in ((True, CLUSTERS), (False, ALONE)):
        for count in counts:
            held = list(_means(generator, plain, count, samples, clustered=clustered))
            size = f"{count} {'clusters' if clustered else 'items'}"
            found.append(_cell("difference of means", size, held, samples))
    for pairs, words in DESIGNS:
        held = list(_correlations(generator, result, pairs, words, samples))
        size = f"{pairs} pairs of {words} words"
        found.append(_cell("difference of rank correlations", size, held, samples))
    return found


def _cell(interval: str, size: str, held: list[float], samples: int) -> Cell:
    return Cell(
        evaluation="compare",
        interval=interval,
        setting="all",
        size=size,
        coverage=round(float(np.mean(held)), 3),
        worst=round(min(held), 3),
        samples=samples * len(held),
    )


def _means(
    generator: np.random.Generator, result: Result, count: int, samples: int, *, clustered: bool
) -> Iterator[float]:
    for first, second in PAIRS.values():
        truth = float(first(middles()).mean() - second(middles()).mean())
        for alike in (0.0, 0.1, 0.3) if clustered else (0.0,):
            for common in (0.0, 0.6):
                drawn = (
                    _scores(generator, (first, second), count, alike, common, clustered)
                    for _ in range(samples)
                )
                yield _share(result, drawn, truth)


def _scores(
    generator: np.random.Generator,
    shapes: tuple[Shape, Shape],
    count: int,
    alike: float,
    common: float,
    clustered: bool,
) -> tuple[dict[str, list[str]], Floats, Floats]:
    """Return the groups, if any, and the scores of two models."""
    sizes = generator.integers(1, 9, count) if clustered else np.ones(count, dtype=np.int64)
    if sizes.sum() < 3:
        sizes = sizes + 1
    codes = np.repeat(np.arange(count), sizes)
    item = generator.normal(size=len(codes))
    scores = []
    for shape in shapes:
        own = np.sqrt(common) * item + np.sqrt(1 - common) * generator.normal(size=len(codes))
        group = generator.normal(size=count)[codes]
        scores.append(shape(ndtr(np.sqrt(alike) * group + np.sqrt(1 - alike) * own)))
    named = {"group": [str(code) for code in codes]} if clustered else {}
    return named, scores[0], scores[1]


def _share(
    result: Result,
    drawn: Iterator[tuple[dict[str, list[str]], Floats, Floats]],
    truth: float,
) -> float:
    held = []
    for columns, first, second in drawn:
        column = "value" if result.statistic == "mean" else "predicted"
        entries = [
            (
                dataclasses.replace(result, model=name),
                pl.DataFrame({"item": range(len(scores)), column: scores, **columns}),
            )
            for name, scores in (("first", first), ("second", second))
        ]
        (found,) = compare_results(entries, resamples=1)
        held.append(found.low <= truth <= found.high)
    return float(np.mean(held))


def _correlations(
    generator: np.random.Generator, result: Result, pairs: int, words: int, samples: int
) -> Iterator[float]:
    for one, other in ((0.6, 0.6), (0.8, 0.3)):
        mix = np.array(
            [[1, 0, 0], [one, np.sqrt(1 - one**2), 0], [other, 0, np.sqrt(1 - other**2)]]
        )
        # Spearman's rho of normal variables.
        truth = float(np.diff([6 / np.pi * np.arcsin(r / 2) for r in (other, one)])[0])
        for share in (0.0, 0.8):
            drawn = (_rated(generator, mix.T, pairs, words, share) for _ in range(samples))
            yield _share(result, drawn, truth)


def _rated(
    generator: np.random.Generator, mix: Floats, pairs: int, words: int, share: float
) -> tuple[dict[str, list[str]], Floats, Floats]:
    """Return words and ratings of pairs, and the scores of two models."""
    left: Indices = generator.integers(0, words, size=pairs)
    right = (left + generator.integers(1, words, size=pairs)) % words
    of_words = generator.normal(size=(words, 3)) @ mix
    of_pairs = generator.normal(size=(pairs, 3)) @ mix
    drawn = np.sqrt(share / 2) * (of_words[left] + of_words[right]) + np.sqrt(1 - share) * of_pairs
    columns = {"left": left.astype(str), "right": right.astype(str), "gold": drawn[:, 0]}
    return columns, drawn[:, 1], drawn[:, 2]
