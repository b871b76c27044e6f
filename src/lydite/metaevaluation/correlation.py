"""One intrinsic score against one downstream score, over models."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from lydite.metaevaluation.scores import Measure, Scores
from lydite.stats.correlation import MIN_ITEMS, pearson_rows, spearman_rows
from lydite.stats.correlation_tests import blocked_interval, correlation_test
from lydite.stats.seeds import child_seed
from lydite.types import Floats

Method: TypeAlias = Literal["pearson", "spearman"]

#: Below so many families of models no correlation is told apart from chance, whatever its p.
ENOUGH_FAMILIES = 8
#: What stands out has a corrected p below this.
LEVEL = 0.05


@dataclass(frozen=True, kw_only=True)
class Association:
    """How an intrinsic score goes with a downstream score."""

    intrinsic: Measure
    downstream: Measure
    method: Method
    models: tuple[str, ...]  # those that have both scores
    families: int = 0  # how many families these are of
    # The correlation; None if it does not exist, for the reason in ``reason``.
    r: float | None = None
    # Of the permutation test, two-sided; whether all orders were tried, or how many.
    p_value: float | None = None
    exact: bool = False
    resamples: int = 0
    p_corrected: float | None = None  # the same, corrected for the number of tests made at once
    # 95 % interval by a jackknife over families; None where these are too few for one.
    low: float | None = None
    high: float | None = None
    # The least and the greatest correlation without one of the models.
    without_low: float | None = None
    # The model without which it is that.
    without_low_model: str | None = None
    without_high: float | None = None
    without_high_model: str | None = None
    reason: str | None = None

    @property
    def n(self) -> int:
        """How many models have both scores."""
        return len(self.models)

    @property
    def stands_out(self) -> bool:
        """Whether p after correction is under 0.05, and the families are enough to say so."""
        p = self.p_corrected
        return p is not None and p < LEVEL and self.families >= ENOUGH_FAMILIES


def associate(
    scores: Scores,
    intrinsic: Measure,
    downstream: Measure,
    *,
    method: Method,
    resamples: int,
    seed: int,
) -> Association:
    """Correlate two scores over the models that have both.

    Models of one family are no independent evidence, so whole families are put in another order.
    """
    left, right = scores.of(intrinsic), scores.of(downstream)
    both = np.isfinite(left) & np.isfinite(right)
    models = tuple(model for model, has in zip(scores.models, both, strict=True) if has)
    families = [name for name, has in zip(scores.families, both, strict=True) if has]
    x, y = left[both], right[both]
    reason = _undefined(x, y)
    if reason is not None:
        return Association(
            intrinsic=intrinsic,
            downstream=downstream,
            method=method,
            models=models,
            families=len(set(families)),
            reason=reason,
        )
    ranked = method == "spearman"
    test = correlation_test(
        x,
        y,
        ranked=ranked,
        blocks=families,
        resamples=resamples,
        seed=child_seed(seed, "orders"),
    )
    without = _without_each(x, y, method)
    least, most = _ends(without)
    enough = len(set(families)) >= ENOUGH_FAMILIES
    spread = blocked_interval(x, y, families, ranked=ranked) if enough else None
    return Association(
        intrinsic=intrinsic,
        downstream=downstream,
        method=method,
        models=models,
        families=len(set(families)),
        r=test.r,
        p_value=test.p_value,
        exact=test.exact,
        resamples=test.resamples,
        low=None if spread is None else spread.low,
        high=None if spread is None else spread.high,
        without_low=None if least is None else float(without[least]),
        without_low_model=None if least is None else models[least],
        without_high=None if most is None else float(without[most]),
        without_high_model=None if most is None else models[most],
    )


def _undefined(x: Floats, y: Floats) -> str | None:
    if x.size < MIN_ITEMS:
        have = {0: "no model has", 1: "1 model has"}.get(x.size, f"{x.size} models have")
        return f"{have} both scores, and a correlation needs at least {MIN_ITEMS}"
    for what, values in (("intrinsic", x), ("downstream", y)):
        if is_constant(values):
            return f"the {what} score of all {values.size} models is {values[0]:.4g}"
    return None


def is_constant(values: Floats) -> bool:
    """Tell whether all are the same: means over seeds differ by rounding where scores do not."""
    return bool(np.ptp(values) <= 1e-12 * np.abs(values).max())


def _without_each(x: Floats, y: Floats, method: Method) -> Floats:
    """Return the correlation without each model in turn, (n,); NaN where there is none."""
    kept = np.arange(x.size - 1)
    rows = kept + (kept >= np.arange(x.size)[:, np.newaxis])
    correlate = pearson_rows if method == "pearson" else spearman_rows
    return correlate(x[rows], y[rows])


def _ends(without: Floats) -> tuple[int | None, int | None]:
    if not np.isfinite(without).any():
        return None, None
    return int(np.nanargmin(without)), int(np.nanargmax(without))
