"""Populations that no rule for an interval was chosen on: whether the rules hold there, too.

The other studies helped to choose the rules that they report on. Here each rule meets data of
another make. Means and differences: reciprocal ranks, in clusters of which some are wholly right,
and whose sizes follow Zipf's law, so that one may hold a third of all items. Crossed clusters:
words with heavy-tailed luck on the scale of log odds, some of them in very many triples.
Correlations: most pairs unrelated, a few close, words by Zipf's law. AUC: waiting times with luck
per cluster; sentences with heavy tails in 25 dimensions. Variance explained: counts of features of
words that lie in six clouds. Meta-evaluation: families of one to five models with heavy tails.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import islice
from typing import TypeAlias

import numpy as np
from scipy.special import expit

from lydite.evaluations.similarity.evaluation import Leading, interval_of
from lydite.stats.auc import ScoreLevels, auc, auc_interval, jackknife_interval
from lydite.stats.bootstrap import Interval
from lydite.stats.correlation import pearson, spearman
from lydite.stats.correlation_tests import blocked_interval
from lydite.stats.crossed import crossed_interval
from lydite.stats.means import difference_interval, mean_interval
from lydite.stats.ridge import explain
from lydite.types import Floats, Indices
from studies.coverage import Cell
from studies.coverage_qvec import CONTROLS

Generator: TypeAlias = np.random.Generator
#: Draws a sample, and returns its interval; None if there is none.
Draw: TypeAlias = Callable[[Generator], Interval | None]

CLUSTERS = (3, 10, 40)
PAIRS = ((30, 20), (150, 60), (600, 150))
_MANY = 300_000
#: Samples drawn at most for each that has an interval.
_TRIES = 10


def cells(samples: int, seed: int) -> list[Cell]:
    """Return the coverage of every rule on its population."""
    found = []
    for evaluation, interval, size, draw, truth in _populations():
        generator = np.random.default_rng(seed)
        held = list(_held(generator, draw, truth, samples))
        if len(held) < samples:  # there is hardly ever an interval
            continue
        found.append(
            Cell(
                evaluation=evaluation,
                interval=f"{interval}, other populations",
                setting="held back",
                size=size,
                coverage=round(float(np.mean(held)), 4),
                samples=len(held),
            )
        )
    return found


def _held(generator: Generator, draw: Draw, truth: float, samples: int) -> Iterator[bool]:
    drawn = (draw(generator) for _ in range(_TRIES * samples))
    for interval in islice(filter(None, drawn), samples):
        yield interval.low <= truth <= interval.high


def _populations() -> Iterator[tuple[str, str, str, Draw, float]]:
    means, apart = _true_means()
    for count in CLUSTERS:
        size = f"{count} clusters"
        yield "every mean", "mean of scores", size, partial(_mean, count), means
        yield "compare", "difference of means", size, partial(_difference, count), apart
    for words_a, words_c in ((10, 6), (60, 25), (300, 100)):
        size = f"{words_a} A, {words_c} C"
        yield "subsumption", "share of triples", size, partial(_triples, words_a, words_c), _kept()
    for metric, of in (("spearman", spearman), ("pearson", pearson)):
        truth = of(*_rated(np.random.default_rng(0), np.arange(_MANY), np.arange(_MANY) + _MANY))
        for n, words in PAIRS:
            draw = partial(_correlation, metric, n, words)  # type: ignore[arg-type]
            yield "similarity", metric.capitalize(), f"{n} pairs of {words} words", draw, truth
    for count in CLUSTERS:
        size = f"{count} clusters on either side"
        yield "separation", "AUC of labeled pairs", size, partial(_waiting, count), _waiting_area()
    for count in (5, 20):
        size = f"{count} sentences in E and NE"
        yield "separation", "AUC of an entity pair", size, partial(_cloud, count), _cloud_area()
    for words in (120, 300):
        size = f"{words} words"
        yield "qvec", "variance explained", size, partial(_explained, words), _mean_explained(words)
    for families in (9, 20):
        size = f"{families} families"
        yield "meta", "correlation, jackknife", size, partial(_families, families), _related()


def _ranked(generator: Generator, count: int) -> tuple[Floats, Floats, Indices]:
    """Return reciprocal ranks of two models, and clusters; of some all are found at once."""
    often = 1 / np.arange(1, count + 1)
    sizes = 1 + generator.multinomial(4 * count, often / often.sum())
    codes = np.repeat(np.arange(count), sizes)
    at_once = (generator.random(count) < 0.25)[codes]
    hard = generator.gamma(2.0, 0.5, len(codes))
    found = [1 / (1 + generator.poisson(hard * scale)) for scale in (1.0, 1.4)]
    return np.where(at_once, 1.0, found[0]), np.where(at_once, 1.0, found[1]), codes


@cache
def _true_means() -> tuple[float, float]:
    generator = np.random.default_rng(0)
    hard = generator.gamma(2.0, 0.5, _MANY)
    first, second = (
        0.25 + 0.75 * float((1 / (1 + generator.poisson(hard * scale))).mean())
        for scale in (1.0, 1.4)
    )
    return first, first - second


def _mean(count: int, generator: Generator) -> Interval | None:
    first, _, codes = _ranked(generator, count)
    return mean_interval(first, codes)


def _difference(count: int, generator: Generator) -> Interval | None:
    first, second, codes = _ranked(generator, count)
    return difference_interval(first - second, codes)


def _triples(words_a: int, words_c: int, generator: Generator) -> Interval | None:
    a = np.repeat(np.arange(words_a), generator.geometric(0.3, words_a))
    often = 1 / np.arange(1, words_c + 1)
    c = generator.choice(words_c, len(a), p=often / often.sum())
    luck = generator.standard_t(4, words_a)[a] + generator.standard_t(4, words_c)[c]
    return crossed_interval(generator.random(len(a)) < expit(1.5 + 0.7 * luck), a, c)


@cache
def _kept() -> float:
    generator = np.random.default_rng(0)
    luck = generator.standard_t(4, _MANY) + generator.standard_t(4, _MANY)
    return float(expit(1.5 + 0.7 * luck).mean())


def _rated(generator: Generator, left: Indices, right: Indices) -> tuple[Floats, Floats]:
    """Return ratings and cosines of pairs: three of four unrelated, the others close."""
    words = generator.normal(size=(2, int(max(left.max(), right.max())) + 1))
    close = generator.random(len(left)) < 0.25
    shared = 0.5 * (words[:, left] + words[:, right])
    gold = 1.5 * close + shared[0] + generator.normal(size=len(left))
    cosine = 0.3 * close + 0.15 * shared[1] + 0.1 * (shared[0] + generator.normal(size=len(left)))
    return np.round(np.clip(3 * gold + 3, 0, 10)), cosine


def _correlation(metric: Leading, n: int, words: int, generator: Generator) -> Interval | None:
    often = 1 / np.arange(1, words + 1) ** 0.7
    left = generator.choice(words, n, p=often / often.sum())
    right = (left + generator.integers(1, words, n)) % words
    return interval_of(metric, *_rated(generator, left, right), left, right)


def _waits(generator: Generator, side: int, luck: Floats) -> Floats:
    return np.asarray(generator.exponential(1.0 + 1.5 * side, len(luck)) * luck)


def _waiting(count: int, generator: Generator) -> Interval | None:
    scores, codes = [], []
    for side in (0, 1):
        sizes = generator.geometric(0.4, count)
        luck = generator.gamma(3.0, 1 / 3, count)
        codes.append(np.repeat(np.arange(count), sizes) + side * count)
        scores.append(_waits(generator, side, np.repeat(luck, sizes)))
    similar = np.repeat([False, True], [len(scores[0]), len(scores[1])])
    return auc_interval(np.concatenate(scores), similar, np.concatenate(codes))


@cache
def _waiting_area() -> float:
    generator = np.random.default_rng(0)
    low, high = (_waits(generator, side, generator.gamma(3.0, 1 / 3, _MANY)) for side in (0, 1))
    return auc(high, low)


def _cosines(generator: Generator, count: int) -> Floats:
    points = 0.3 * generator.standard_t(4, (2 * count, 25))
    points[:count, 0] += 1
    points[count:, 1] += 1
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    return np.asarray(points @ points.T)


def _cloud(count: int, generator: Generator) -> Interval | None:
    scores = _cosines(generator, count)
    return jackknife_interval([ScoreLevels.of(scores).jackknifed(np.arange(2 * count) < count)])


@cache
def _cloud_area() -> float:
    generator = np.random.default_rng(0)
    areas = []
    for _ in range(6):
        scores = _cosines(generator, 500)
        inside = scores[:500, :500][~np.eye(500, dtype=np.bool_)]
        areas.append(auc(inside, scores[:500, 500:].ravel()))
    return float(np.mean(areas))


def _words(words: int, generator: Generator) -> tuple[Floats, Floats]:
    """Return vectors in six clouds, and counts of twelve features that go with three directions."""
    centers = np.random.default_rng(1).normal(size=(6, 20))
    X = centers[generator.integers(0, 6, words)] + 0.7 * generator.normal(size=(words, 20))
    weights = np.random.default_rng(2).normal(size=(3, 12))
    return X, generator.poisson(np.exp(0.5 * X[:, :3] @ weights - 0.5)).astype(np.float64)


def _explained(words: int, generator: Generator) -> Interval | None:
    X, S = _words(words, generator)
    orders = [generator.permutation(words) for _ in range(CONTROLS)]
    return explain(X, S, np.arange(words) % 10, orders=orders).interval()


@cache
def _mean_explained(words: int) -> float:
    generator = np.random.default_rng(0)
    scores = [explain(*_words(words, generator), np.arange(words) % 10).score for _ in range(300)]
    return float(np.mean(scores))


def _scored(generator: Generator, sizes: Indices) -> tuple[Floats, Floats, Indices]:
    blocks = np.repeat(np.arange(len(sizes)), sizes)
    between = generator.standard_t(5, (2, len(sizes)))[:, blocks]
    within = generator.standard_t(5, (2, len(blocks)))
    x, noise = 0.8 * between + 0.6 * within
    return x, x + noise, blocks


def _families(families: int, generator: Generator) -> Interval | None:
    return blocked_interval(*_scored(generator, generator.integers(1, 6, families)))


@cache
def _related() -> float:
    x, y, _ = _scored(np.random.default_rng(0), np.ones(_MANY, dtype=np.int64))
    return pearson(x, y)
