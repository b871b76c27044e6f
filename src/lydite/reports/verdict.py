"""The verdict table: a row a model, a column a trial, each score drawn beside its null baseline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from lydite.reports.metrics import ENOUGH_COVERAGE, axis, metric_named, write_share
from lydite.reports.trials import (
    Trial,
    evaluation_label,
    evaluation_name,
    resource_name,
    resource_title,
    trials,
)
from lydite.results.naming import model_namer
from lydite.results.record import Failure, Result

#: The drawing in a cell, in pixels: its width, and the room for the dot at each end.
WIDTH = 132.0
MARGIN = 5.0


@dataclass(frozen=True, kw_only=True)
class Bar:
    """Where things lie in the drawing of a cell, in pixels from the left."""

    score: float
    low: float
    high: float
    null_low: float
    null_high: float
    null_mean: float
    zero: float | None


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """One cell.

    Attributes
    ----------
    score, interval, null
        As text.
    bar
        As a drawing.
    coverage
        As text, if it is too low to speak for all items.
    best
        Whether it is the best of its column and its interval overlaps no other's.
    chance
        Whether it is no higher than the null baseline reaches.
    failure
        The reason, if there is no score.
    """

    score: str = ""
    interval: str = ""
    null: str = ""
    bar: Bar | None = None
    coverage: str | None = None
    best: bool = False
    chance: bool = False
    failure: str | None = None


@dataclass(frozen=True, kw_only=True)
class Head:
    """The head of a column."""

    label: str
    resource: str
    title: str
    metric: str
    items: str
    mark: str
    low: str
    high: str


@dataclass(frozen=True, kw_only=True)
class VerdictTable:
    """Heads, and rows of a model's name with its cells; a cell that was not asked for is None."""

    heads: list[Head] = field(default_factory=list)
    rows: list[tuple[str, list[Verdict | None]]] = field(default_factory=list)


def verdict_table(results: Sequence[Result], failures: Sequence[Failure] = ()) -> VerdictTable:
    """Put all results and failures into one grid, models and trials as they first appear."""
    asked = trials(results)
    name = model_namer(results)
    columns: list[tuple[Head, dict[str, Verdict]]] = []
    places: dict[tuple[str, str, int], int] = {}
    for trial in asked:
        first = trial.results[0]
        places.setdefault((trial.label, first.resource, first.provenance.seed), len(columns))
        cells = {name(r): _verdict(r, trial) for r in trial.results}
        columns.append((_head(trial), cells))
    for failure in failures:
        label = evaluation_label(failure.evaluation)
        place = places.setdefault((label, failure.resource, failure.seed), len(columns))
        if place == len(columns):
            columns.append((_failed_head(failure, label), {}))
        columns[place][1].setdefault(failure.model, Verdict(failure=failure.message))
    models = dict.fromkeys([*map(name, results), *(failure.model for failure in failures)])
    return VerdictTable(
        heads=[head for head, _ in columns],
        rows=[(model, [cells.get(model) for _, cells in columns]) for model in models],
    )


def _verdict(result: Result, trial: Trial) -> Verdict:
    write = metric_named(result.metric).write
    interval, null = result.interval, result.baseline
    return Verdict(
        score=write(result.score),
        interval=f"{write(interval.low)} to {write(interval.high)}",
        null=f"{write(null.low)} to {write(null.high)}, mean {write(null.mean)}",
        bar=_bar(result, *axis(trial.results)),
        coverage=(
            write_share(result.n_covered, result.n_items)
            if result.coverage < ENOUGH_COVERAGE
            else None
        ),
        best=stands_out(result, trial.results),
        chance=result.score <= null.high,
    )


def stands_out(result: Result, rivals: Sequence[Result]) -> bool:
    """Tell whether a result is above all its rivals, and its interval above all of theirs."""
    others = [rival for rival in rivals if rival is not result]
    return bool(others) and all(result.interval.low > rival.interval.high for rival in others)


def _bar(result: Result, low: float, high: float) -> Bar:
    def x(value: float) -> float:
        share = min(1.0, max(0.0, (value - low) / (high - low)))
        return round(MARGIN + share * (WIDTH - 2 * MARGIN), 1)

    return Bar(
        score=x(result.score),
        low=x(result.interval.low),
        high=x(result.interval.high),
        null_low=x(result.baseline.low),
        null_high=x(result.baseline.high),
        null_mean=x(result.baseline.mean),
        zero=x(0.0) if low < 0.0 else None,
    )


def _head(trial: Trial) -> Head:
    low, high = axis(trial.results)
    sizes = sorted({result.n_items for result in trial.results})
    return Head(
        label=trial.label,
        resource=trial.resource,
        title=trial.title,
        metric=metric_named(trial.metric).title,
        items=f"{' or '.join(f'{size:,}' for size in sizes)} items",
        mark=trial.mark,
        low=f"{low:g}",
        high=f"{high:g}",
    )


def _failed_head(failure: Failure, label: str) -> Head:
    return Head(
        label=label,
        resource=resource_name(failure.resource),
        title=f"{evaluation_name(label)}: {resource_title(failure.resource)}",
        metric="",
        items="",
        mark="",
        low="",
        high="",
    )
