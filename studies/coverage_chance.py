"""Scores without an interval: how seldom they seem beyond chance where there is nothing to find.

What is counted is the share of samples in which such a score is *not* told apart from chance, as
``is_chance`` has it, beside the null that its evaluation draws. Pearson's r of ratings and scores
that have nothing to do with each other, heavy-tailed or log-normal, where words bring none or much
of the variance of both; and canonical correlations of vectors and classes that know nothing of each
other. Means of one cluster, which have no interval either, are never called beyond chance.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np

import lydite
from lydite import Result
from lydite.evaluations.qvec.evaluation import Qvec
from lydite.evaluations.similarity.evaluation import interval_of
from lydite.reports.page import is_chance
from lydite.stats.correlation import pearson, pearson_rows
from lydite.stats.null import summarize_null
from lydite.types import Floats
from studies.coverage import Cell
from studies.coverage_similarity import MOST_DRAWS, SHAPES, draw_variables, draw_words

#: Pairs, words they are drawn from, and the share of the variance that words bring.
PAIRS: tuple[tuple[int, int | None, float], ...] = (
    *((10, None, 0.0), (10, 8, 0.5), (30, 25, 0.5), (30, 15, 0.8), (65, 30, 0.8)),
    *((200, 100, 0.5), (400, 100, 0.8), (2000, 300, 0.8)),
)
#: Words, dimensions and classes.
ORACLES = ((20, 5, 3), (60, 20, 5), (200, 50, 10))
_NULLS = 400
#: Kinds of heavy tails, for which Pearson's r has no interval.
_TAILS = ("log-normal", "heavy tails")


def cells(samples: int, seed: int) -> list[Cell]:
    """Return how seldom there is a false alarm, by kind of score and size."""
    generator = np.random.default_rng(seed)
    result = lydite.evaluate("random(5)", "similarity", "starter-similarity")
    blank = dataclasses.replace(result, interval=None, others={})
    return [
        *_correlations(generator, blank, samples),
        *_oracles(generator, blank, samples),
    ]


def _cell(score: str, setting: str, size: str, silent: list[bool]) -> Cell:
    return Cell(
        evaluation="every score without an interval",
        interval=f"not told apart from chance where there is nothing, {score}",
        setting=setting,
        size=size,
        coverage=round(float(np.mean(silent)), 4),
        samples=len(silent),
    )


def _judge(blank: Result, score: float, nulls: Floats, n: int, **kind: object) -> bool:
    result = dataclasses.replace(
        blank,
        score=score,
        baseline=summarize_null(nulls, kind="nothing"),
        n_items=n,
        n_covered=n,
        **kind,  # type: ignore[arg-type]
    )
    return is_chance(result)


def _correlations(generator: np.random.Generator, blank: Result, samples: int) -> Iterator[Cell]:
    for n, words, share in PAIRS:
        left, right = draw_words(generator, n, words)
        for shape in _TAILS:
            bend, silent = SHAPES[shape], []
            for _ in range(MOST_DRAWS * samples):
                x, y = draw_variables(generator, left, right, share, 0.0)
                x, y = bend[0](x), bend[1](y)
                if np.ptp(y) == 0 or interval_of("pearson", x, y, left, right) is not None:
                    continue
                nulls = pearson_rows(generator.permuted(np.tile(x, (_NULLS, 1)), axis=1), y)
                silent.append(_judge(blank, pearson(x, y), nulls, n, statistic="pearson"))
                if len(silent) == samples:
                    break
            yield _cell("Pearson", f"{shape}, {words or 2 * n} words", f"{n} pairs", silent)


def _oracles(generator: np.random.Generator, blank: Result, samples: int) -> Iterator[Cell]:
    for words, dimensions, classes in ORACLES:
        silent = []
        for sample in range(samples):
            X = generator.normal(size=(words, dimensions))
            S = np.eye(classes)[generator.integers(0, classes, words)]
            answer, _ = Qvec(method="cca").answer(X, S, draws=_NULLS, seed=sample)
            fitted = {"dimensions": float(dimensions)}
            silent.append(
                _judge(blank, answer.score, answer.null, words, statistic="mean", others=fitted)
            )
        yield _cell("CCA", f"{dimensions} dimensions, {classes} classes", f"{words} words", silent)
