"""The scores of subsumption in the report: by two approaches, each with interval and baseline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from markupsafe import Markup

from lydite.reports.figures import (
    WIDTH,
    canvas,
    draw_rows,
    drawing,
    label,
    set_margins,
    text_width,
    to_svg,
)
from lydite.reports.metrics import extent, metric_named
from lydite.reports.sections import Figure
from lydite.reports.trials import Trial
from lydite.results.naming import model_namer
from lydite.results.record import Result

#: The scores of the two approaches, condition by condition.
SIMPLE = ("ss", "rss", "both")
AGGREGATE = ("as", "ras", "aggregate-both")

#: The room above and below the panels, between them, and for a score at their right, in inches.
_TOP, _BOTTOM, _GAP, _SCORE = 0.28, 0.54, 0.36, 0.5


def scores_of(result: Result) -> dict[str, Result]:
    """Return a result for each score: all six, the three simple ones, or the main one alone."""
    parts = result.details.get("scores", {})
    for metrics in ((*SIMPLE, *AGGREGATE), SIMPLE):
        if all(metric in parts for metric in metrics):
            return {metric: _as_result(result, metric) for metric in metrics}
    return {result.metric: result}


def _as_result(result: Result, metric: str) -> Result:
    part = result.details["scores"][metric]
    low, high = part["baseline_low"], part["baseline_high"]
    return replace(
        result,
        metric=metric,
        score=part["score"],
        interval=replace(result.interval, low=part["low"], high=part["high"]),
        baseline=replace(result.baseline, mean=part["baseline"], low=low, high=high),
    )


def scores_figure(trial: Trial) -> Figure:
    """Draw all scores with intervals and baselines, a panel a score, a row a model."""
    # Models without an aggregate come last, so that a row is one model in all panels.
    ranked = sorted(trial.ranked(), key=lambda result: -len(scores_of(result)))
    present = {metric for result in ranked for metric in scores_of(result)}
    columns = [[m for m in group if m in present] for group in (SIMPLE, AGGREGATE)]
    columns = [column for column in columns if column] or [[trial.metric]]
    said = [f"{trial.title}."]
    if len(columns) > 1:
        said.append("Left: words as they are; right: centroids of sister lemmas.")
    kinds = " and ".join(sorted({result.baseline.kind for result in ranked}))
    said.append(f"Grey: null baseline ({kinds}).")
    return Figure(svg=_panels(ranked, columns), caption=" ".join(said))


def _panels(ranked: Sequence[Result], columns: Sequence[Sequence[str]]) -> Markup:
    scores = [scores_of(result) for result in ranked]
    low, high = extent([result for each in scores for result in each.values()])
    room = 0.04 * (high - low) or 0.5
    name = model_namer(ranked)
    down, height = max(map(len, columns)), 0.25 * len(ranked) + 0.06
    with drawing():
        shown = [label(name(result), 24) for result in ranked]
        left = text_width(shown, 8.5) + 0.12
        width = (WIDTH - left) / len(columns) - _SCORE
        figure = canvas(WIDTH, _TOP + height * down + _GAP * (down - 1) + _BOTTOM)
        set_margins(figure, left=left, right=_SCORE, top=_TOP, bottom=_BOTTOM)
        figure.subplots_adjust(hspace=_GAP / height, wspace=_SCORE / width)
        grid = figure.subplots(down, len(columns), squeeze=False, sharex=True, sharey=True)
        for place, column in enumerate(columns):
            for axes, metric in zip(grid[:, place], column, strict=False):
                draw_rows(axes, [each[metric] for each in scores if metric in each])
                axes.set_title(metric_named(metric).title, loc="left", fontsize=8.5)
            grid[-1, place].set_xlabel("share of triples kept")
        grid[0, 0].set_xlim(low - room, high + room)
        grid[0, 0].set_ylim(len(ranked) - 0.5, -0.5)
        grid[0, 0].set_yticks(range(len(shown)), shown)
        return to_svg(figure)
