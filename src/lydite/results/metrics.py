"""The metrics that evaluations declare: what they are called, their digits, which way is better."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from lydite.declare import Metric
from lydite.results.record import WORD_COVERAGE, Result

#: A share of known words below this is marked wherever it is shown.
ENOUGH_WORDS = 0.9

#: What any evaluation may report.
_EVERYWHERE = {WORD_COVERAGE: Metric(WORD_COVERAGE, "words found", higher=None)}
#: The metrics that evaluations declare, by the names of evaluations and metrics.
_DECLARED: dict[str, dict[str, Metric]] = {}
#: Imports an evaluation, which then declares its metrics; whoever knows evaluations sets it.
_import: Callable[[str], object] | None = None


def declare_metrics(evaluation: str, metrics: Iterable[Metric]) -> None:
    """Make known how the metrics of an evaluation are shown."""
    _DECLARED[evaluation] = {metric.name: metric for metric in metrics}


def import_evaluations_by(load: Callable[[str], object]) -> None:
    """Set what imports an evaluation that has not declared its metrics yet."""
    global _import  # noqa: PLW0603 - results know no evaluation, so they have to be told of them
    _import = load


def metric_named(name: str, evaluation: str | None = None) -> Metric:
    """Return how a metric is shown; one that nobody declared keeps its name and gets 3 decimals.

    Without an evaluation, or if it declares no such metric, any evaluation that was imported may
    say how it is shown.
    """
    if evaluation is not None:
        if evaluation not in _DECLARED and _import is not None:
            # Of an evaluation whose plugin is gone there may still be results.
            _DECLARED[evaluation] = {}
            _import(evaluation)
        own = _DECLARED.get(evaluation, {})
        if name in own:
            return own[name]
    known = (metrics[name] for metrics in _DECLARED.values() if name in metrics)
    return next(known, _EVERYWHERE.get(name) or Metric(name, name))


def metric_of(result: Result, name: str | None = None) -> Metric:
    """Return how the leading metric of a result, or another of its scores, is shown."""
    return metric_named(name or result.metric, result.provenance.evaluation)


def is_lower_better(result: Result) -> bool:
    """Tell whether the leading metric of a result is declared to be better if it is lower."""
    return metric_of(result).higher is False


def say_direction(results: Iterable[Result]) -> str:
    """Say which way scores are better, as their metrics are declared."""
    titles = {metric_of(each).title: is_lower_better(each) for each in results}
    lower = [title for title, is_lower in titles.items() if is_lower]
    if lower and len(lower) == len(titles):
        return "Lower is better."
    return f"Higher is better, but lower for {', '.join(lower)}." if lower else "Higher is better."
