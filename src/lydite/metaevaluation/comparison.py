"""Whether one intrinsic score predicts a downstream score better than another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from lydite.errors import UndefinedScoreError
from lydite.metaevaluation.correlation import (
    ENOUGH_FAMILIES,
    LEVEL,
    Association,
    Method,
    is_constant,
)
from lydite.metaevaluation.scores import Measure, Scores, write_correlation
from lydite.progress import current_progress
from lydite.stats.bootstrap import Interval
from lydite.stats.correlation_tests import compare_correlations, difference_interval
from lydite.stats.seeds import child_seed
from lydite.types import Floats

#: How many more exchanges than orders are tried: there are more pairs than correlations to correct
#: for, and so p has to be known further down.
_MORE = 5


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """How much better one intrinsic score goes with a downstream score than another does."""

    first: Measure
    second: Measure
    downstream: Measure
    method: Method
    models: tuple[str, ...]  # those that have all three scores
    families: int = 0  # how many families these are of
    r_first: float
    r_second: float
    # Of the exchange test, two-sided; whether all exchanges were tried, or how many.
    p_value: float
    exact: bool
    resamples: int
    p_corrected: float | None = None  # the same, corrected for the number of comparisons
    # 95 % interval of the difference; None where the jackknife has none.
    low: float | None = None
    high: float | None = None

    @property
    def n(self) -> int:
        """How many models have all three scores."""
        return len(self.models)

    @property
    def difference(self) -> float:
        """The first correlation less the second: above 0 the first is the better guide."""
        return self.r_first - self.r_second

    @property
    def differs(self) -> bool:
        """Whether one of the two is the better guide: p after correction is under 0.05."""
        return self.p_corrected is not None and self.p_corrected < LEVEL

    @property
    def said(self) -> str:
        """The difference, with its interval if there is one."""
        said = write_correlation(self.difference)
        if self.low is None or self.high is None:
            return said
        return f"{said} [{write_correlation(self.low)}, {write_correlation(self.high)}]"


@dataclass(frozen=True, kw_only=True)
class Compared:
    """Comparisons, and of how many they were chosen."""

    comparisons: tuple[Comparison, ...]
    # How many could have been: the best score is known only after looking at all, so all pairs of
    # scores count.
    choices: int


def compare_scores(
    scores: Scores,
    associations: Sequence[Association],
    *,
    against: Measure | None = None,
    resamples: int,
    seed: int,
) -> Compared:
    """Set intrinsic scores against each other, for each downstream score and method.

    Only correlations over 8 families of models or more are compared: less says nothing of one
    correlation, let alone of two.

    Every other score is compared with ``against``; by default the score that has the highest
    correlation is compared with every other. ``resamples`` is a fifth of the number of random
    exchanges per test. All comparisons of as many models try the same exchanges.
    """
    columns: dict[tuple[Measure, Method], list[Association]] = {}
    for each in associations:
        if each.r is not None and each.families >= ENOUGH_FAMILIES:
            columns.setdefault((each.downstream, each.method), []).append(each)
    made: list[Comparison] = []
    choices = 0
    for done, ((downstream, method), column) in enumerate(columns.items()):
        current_progress()("comparisons", done, len(columns))
        pairs = _pairs(column, against)
        found = [
            _compare(scores, pair, downstream, method, resamples=resamples, seed=seed)
            for pair in pairs
        ]
        made += [each for each in found if each is not None]
        choices += len(pairs) if against else len(column) * (len(column) - 1) // 2
    current_progress()("comparisons", len(columns), len(columns))
    return Compared(comparisons=tuple(made), choices=choices)


def _pairs(column: Sequence[Association], against: Measure | None) -> list[tuple[Measure, Measure]]:
    measures = [each.intrinsic for each in column]
    if against is None:
        best = max(column, key=lambda each: each.r or 0.0).intrinsic
        return [(best, other) for other in measures if other != best]
    return [(other, against) for other in measures if other != against and against in measures]


def _compare(
    scores: Scores,
    pair: tuple[Measure, Measure],
    downstream: Measure,
    method: Method,
    *,
    resamples: int,
    seed: int,
) -> Comparison | None:
    """Compare two scores; None if too few models have both and the downstream score."""
    values = np.stack([scores.of(each) for each in (*pair, downstream)])
    complete = np.isfinite(values.sum(axis=0))
    families = [name for name, has in zip(scores.families, complete, strict=True) if has]
    x, y, z = values[:, complete]
    if len(set(families)) < ENOUGH_FAMILIES or any(map(is_constant, (x, y, z))):
        return None
    ranked = method == "spearman"
    test = compare_correlations(
        x,
        y,
        z,
        ranked=ranked,
        blocks=families,
        resamples=_MORE * resamples,
        seed=child_seed(seed, "exchanges"),
    )
    spread = _interval((x, y, z), families, ranked=ranked)
    return Comparison(
        first=pair[0],
        second=pair[1],
        downstream=downstream,
        method=method,
        models=tuple(model for model, has in zip(scores.models, complete, strict=True) if has),
        families=len(set(families)),
        r_first=test.first,
        r_second=test.second,
        p_value=test.p_value,
        exact=test.exact,
        resamples=test.resamples,
        low=None if spread is None else spread.low,
        high=None if spread is None else spread.high,
    )


def _interval(
    values: Iterable[Floats], families: Sequence[str], *, ranked: bool
) -> Interval | None:
    try:
        return difference_interval(*values, ranked=ranked, blocks=families)
    except UndefinedScoreError:
        return None
