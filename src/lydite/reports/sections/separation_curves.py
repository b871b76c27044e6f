"""How the scores of H and L come apart, in pictures: ROC curves and densities."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from lydite.reports import palette
from lydite.reports.figures import WIDTH, canvas, drawing, set_margins, to_svg
from lydite.reports.sections import Figure
from lydite.reports.sections.separation_models import LINES, compared, cut_note, in_two_lines
from lydite.reports.trials import Trial
from lydite.results.naming import model_namer
from lydite.results.record import Result
from lydite.types import PlainMapping

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: The sides of the ROC plot, in inches, and how long a line of a name beside it may be.
_SIDE = 2.9
_NAME = 22

#: The share of scores at one end that may be left out, if no more than so much of the axis is left.
_FEW, _WORTH = 0.005, 0.75

#: What H and L are in each task.
_POOLED = {
    "relation": "all pairs of entities together, those with many sentences weighing most",
    "qa": "all questions together",
}
_SETS = {
    "relation": ("two that express the relation", "one that does, one that does not"),
    "qa": ("question and answer", "question and another sentence"),
    "pairs": ("should be similar", "should not be similar"),
}


def roc_figure(trial: Trial) -> Figure | None:
    """Draw the ROC curves of all models of a trial; None if none tells of its curve."""
    told = [result for result in compared(trial) if len(_curve(result)) > 1]
    if not told:
        return None
    name = model_namer(trial.results)
    with drawing():
        figure = canvas(WIDTH, _SIDE + 0.54)
        set_margins(figure, left=0.5, right=WIDTH - 0.5 - _SIDE, top=0.1, bottom=0.44)
        axes = figure.add_subplot()
        axes.plot([0, 1], [0, 1], color=palette.NULL_MEAN.light, lw=1.0, ls=(0, (3, 2.5)))
        # The best on top of the others.
        for order, (result, (colour, dashes)) in enumerate(zip(told, LINES, strict=False)):
            points = _curve(result)
            axes.plot(
                [x for x, _ in points],
                [y for _, y in points],
                color=colour.light,
                ls=dashes,
                lw=1.6,
                zorder=9 - order,
                label=_entry(_area(points), name(result)),
            )
        _square(axes)
        axes.plot([], [], color=palette.NULL_MEAN.light, lw=1.0, ls=(0, (3, 2.5)), label="blind")
        axes.legend(
            loc="upper left",
            bbox_to_anchor=(1.03, 1.0),
            borderaxespad=0.0,
            frameon=False,
            fontsize=8,
            handlelength=1.6,
            labelspacing=0.7,
            title="area under the curve",
            title_fontsize=8,
            alignment="left",
        )
        svg = to_svg(figure)
    return Figure(svg=svg, caption=" ".join(_curves_said(trial, told)))


def _curves_said(trial: Trial, told: Sequence[Result]) -> list[str]:
    said = [
        f"{trial.title}: ROC curves. As the bar is lowered for what counts as similar, more of the "
        "pairs that should pass do (up), and more of those that should not (right)."
    ]
    pooled = _POOLED.get(str(told[0].details.get("task")))
    if pooled:
        said.append(f"Of {pooled}, so that the area need not be the score.")
    return [*said, *cut_note(trial, told)]


def _curve(result: Result) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in result.details.get("curve") or ()]


def _area(points: Sequence[tuple[float, float]]) -> float:
    """Return the area under the curve as it is drawn."""
    return sum((x2 - x1) * (y1 + y2) / 2 for (x1, y1), (x2, y2) in pairwise(points))


def _entry(area: float, name: str) -> str:
    # Figure spaces are as wide as the digits above them.
    return f"{area:.2f}  " + "\n\u2007\u2007\u2007\u2007".join(in_two_lines(name, _NAME))


def _square(axes: Axes) -> None:
    axes.set_xlim(-0.01, 1.01)
    axes.set_ylim(-0.01, 1.01)
    for ticks in (axes.set_xticks, axes.set_yticks):
        ticks([0.0, 0.25, 0.5, 0.75, 1.0], ["0", "", "0.5", "", "1"])
    axes.tick_params(length=0, labelsize=8, labelcolor=palette.MUTED.light)
    axes.grid(color=palette.RULE.light, lw=0.6)
    axes.set_axisbelow(True)
    axes.set_xlabel("share of L taken for similar", fontsize=8)
    axes.set_ylabel("share of H taken for similar", fontsize=8)


def densities_figure(trial: Trial) -> Figure | None:
    """Draw how the scores of H and L are spread, for the best model that tells of it."""
    chosen = next((each for each in trial.ranked() if each.details.get("densities")), None)
    if chosen is None:
        return None
    found = chosen.details["densities"]
    kept = _most(found)
    meant = _SETS.get(str(chosen.details.get("task")), _SETS["pairs"])
    with drawing():
        figure = canvas(WIDTH, 2.35)
        set_margins(figure, left=0.5, right=0.1, top=0.32, bottom=0.47)
        axes = figure.add_subplot()
        for key, said, colour in (
            ("low", f"L: {meant[1]}", palette.FAILURE),
            ("high", f"H: {meant[0]}", palette.ACCENT),
        ):
            heights = [100 * share for share in found[key][kept]]
            edges = found["edges"][kept.start : kept.stop + 1]
            axes.stairs(heights, edges, fill=True, color=(colour.light, 0.18), lw=0)
            axes.stairs(heights, edges, color=colour.light, lw=1.4, label=said)
        axes.margins(x=0.01)
        axes.set_ylim(bottom=0.0)
        axes.spines["left"].set_visible(False)
        axes.tick_params(axis="y", length=0, labelsize=8, labelcolor=palette.MUTED.light)
        axes.grid(axis="y", color=palette.RULE.light, lw=0.6)
        axes.set_axisbelow(True)
        axes.set_xlabel("score of a pair", fontsize=8)
        axes.set_ylabel("% of pairs", fontsize=8)
        figure.legend(loc="upper left", ncols=2, frameon=False, fontsize=8, reverse=True)
        svg = to_svg(figure)
    name = model_namer(trial.results)
    beyond = max(sum(found[key]) - sum(found[key][kept]) for key in ("high", "low"))
    cut = f" Not shown: up to {100 * beyond:.1f}\u00a0% at the ends." if beyond else ""
    whose = "" if len(trial.results) == 1 else ", the best model, "
    if whose and chosen is not trial.ranked()[0]:
        whose = ", the best model that tells them, "
    return Figure(
        svg=svg,
        caption=f"{trial.title}: the scores that {name(chosen)}{whose or ' '}gives to pairs in H "
        f"and in L. What lies over each other cannot be told apart.{cut}",
    )


def _most(found: PlainMapping) -> slice:
    """Return the bins without a few scores at either end, which would squeeze all others."""
    shares = [max(pair) for pair in zip(found["high"], found["low"], strict=True)]
    start, stop = 0, len(shares)
    while start < stop - 1 and sum(shares[: start + 1]) <= _FEW:
        start += 1
    while start < stop - 1 and sum(shares[stop - 1 :]) <= _FEW:
        stop -= 1
    if stop - start > _WORTH * len(shares):
        return slice(0, len(shares))
    return slice(start, stop)
