"""Where a score of subsumption comes from: shares by depth, generality and class."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from markupsafe import Markup

from lydite.reports import palette
from lydite.reports.figures import (
    WIDTH,
    canvas,
    drawing,
    label,
    set_margins,
    text_width,
    to_svg,
)
from lydite.reports.sections import Figure
from lydite.reports.trials import Trial
from lydite.results.naming import model_namer
from lydite.results.record import Result
from lydite.types import PlainMapping

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

_PANELS = 6
_GROUPS = 24

#: What triples are grouped by, in the order shown; classes alone have no order of their own.
_KINDS = {"depth": "depth of A", "generality": "concepts below C", "class": "class"}

#: Groups with fewer triples than this are drawn hollow.
_ENOUGH = 20

#: The room above and below the panels, between them, and for a number at their right, in inches.
_TOP, _BOTTOM, _GAP, _NUMBER = 0.28, 0.5, 0.36, 0.5
_ROW = 0.2

#: The colour, marker and size of the two conditions.
_MARKS = ((palette.ACCENT, "o", 5.0), (palette.GOLD, "D", 4.2))


def has_breakdown(result: Result) -> bool:
    """Tell whether a result says where its score comes from."""
    return any(_rows(result, kind) for kind in _KINDS)


def breakdown_figure(trial: Trial, results: Sequence[Result], metrics: Sequence[str]) -> Figure:
    """Draw the shares of two conditions by group, a panel a model, best first.

    Parameters
    ----------
    trial
        What was asked.
    results
        Those of its results that have a breakdown.
    metrics
        The two conditions; classes are sorted by the first.
    """
    shown = results[:_PANELS]
    groups = {kind: _groups(shown, kind, metrics[0]) for kind in _KINDS}
    said = [
        f"{trial.title}. Shares of triples that keep each condition, by group; the number of "
        f"triples at the right, hollow where there are under {_ENOUGH}. Dashed: chance."
    ]
    if groups["class"]:
        said.append(f"Classes are sorted by {model_namer(results)(shown[0])}.")
    if any(len(names) > _GROUPS for names in groups.values()):
        said.append(f"Shown: the first {_GROUPS} groups of a kind.")
    if len(results) > len(shown):
        said.append(f"Shown: {len(shown)} of {len(results)} models, the best.")
    cut = {kind: names[:_GROUPS] for kind, names in groups.items() if names}
    return Figure(svg=_panels(shown, cut, metrics), caption=" ".join(said))


def _rows(result: Result, kind: str) -> dict[str, PlainMapping]:
    rows = result.details.get("breakdown", {}).get(kind, [])
    return {row["group"]: row for row in rows}


def _groups(results: Sequence[Result], kind: str, metric: str) -> list[str]:
    names = list(dict.fromkeys(name for result in results for name in _rows(result, kind)))
    if kind != "class":
        return sorted(names, key=_first_number)
    best = _rows(results[0], kind)
    return sorted(names, key=lambda name: -best.get(name, {}).get(metric, -1.0))


def _first_number(name: str) -> int:
    """Order depths and ranges such as ``1,001 to 10,000``."""
    found = re.search(r"\d+", name.replace(",", ""))
    return int(found[0]) if found else 0


def _panels(
    results: Sequence[Result], groups: Mapping[str, Sequence[str]], metrics: Sequence[str]
) -> Markup:
    name = model_namer(results)
    heights = [_ROW * len(names) for names in groups.values()]
    with drawing():
        labels = {kind: [label(each, 24) for each in names] for kind, names in groups.items()}
        written = [*_KINDS.values(), *(each for names in labels.values() for each in names)]
        left = text_width(written, 8) + 0.2
        width = max(WIDTH, left + 1.7 * len(results))
        across = (width - left) / len(results) - _NUMBER
        figure = canvas(width, _TOP + sum(heights) + _GAP * (len(heights) - 1) + _BOTTOM)
        set_margins(figure, left=left, right=_NUMBER, top=_TOP, bottom=_BOTTOM)
        mean = sum(heights) / len(heights)
        figure.subplots_adjust(hspace=_GAP / mean, wspace=_NUMBER / across)
        grid = figure.subplots(
            len(groups),
            len(results),
            squeeze=False,
            sharex=True,
            sharey="row",
            height_ratios=heights,
        )
        for line, (kind, names) in zip(grid, groups.items(), strict=True):
            for axes, result in zip(line, results, strict=True):
                rows = _rows(result, kind)
                _draw(axes, [rows.get(each, {}) for each in names], metrics, joined=kind != "class")
            line[0].set_yticks(range(len(labels[kind])), labels[kind])
            line[0].set_ylim(len(labels[kind]) - 0.5, -0.5)
            _head(line[0], _KINDS[kind])
        for axes, result in zip(grid[0], results, strict=True):
            axes.set_title(label(name(result), int(13 * (across + 0.4))), loc="left", fontsize=8.5)
        for axes in grid[-1]:
            axes.set_xlabel("share kept", fontsize=8)
        _legend(figure, metrics)
        return to_svg(figure)


def _draw(
    axes: Axes, rows: Sequence[PlainMapping], metrics: Sequence[str], *, joined: bool
) -> None:
    """Draw a dot a group and condition, joined where the groups have an order."""
    axes.axvline(0.5, color=palette.NULL_MEAN.light, lw=0.9, ls=(0, (3, 2.5)))
    for metric, (colour, marker, size) in zip(metrics, _MARKS, strict=True):
        places = [(row[metric], y, row["n"]) for y, row in enumerate(rows) if metric in row]
        if joined:
            steady = [(x, y) for x, y, n in places if n >= _ENOUGH]
            axes.plot([x for x, _ in steady], [y for _, y in steady], "-", c=colour.light)
        for x, y, n in places:
            fill = colour if n >= _ENOUGH else palette.PAGE
            axes.plot(
                [x], [y], marker, ms=size, mfc=fill.light, mec=colour.light, mew=1.0, clip_on=False
            )
    for y, row in enumerate(rows):
        axes.annotate(
            f"{row.get('n', 0):,}",
            (1.0, y),
            xycoords=("axes fraction", "data"),
            xytext=(5, 0),
            textcoords="offset points",
            va="center",
            fontsize=7.5,
            color=palette.MUTED.light,
        )
    axes.set_xlim(-0.03, 1.03)
    axes.set_xticks([0.0, 0.5, 1.0], ["0", "0.5", "1"])
    axes.tick_params(axis="y", length=0, labelsize=8, pad=9)
    axes.tick_params(axis="x", labelsize=7.5, length=2)
    axes.spines["left"].set_visible(False)
    axes.grid(axis="y", color=palette.RULE.light, lw=0.6)
    axes.set_axisbelow(True)


def _head(axes: Axes, text: str) -> None:
    """Write what the groups are above their names."""
    axes.annotate(
        text,
        (0.0, 1.0),
        xycoords="axes fraction",
        xytext=(-9, 6),
        textcoords="offset points",
        ha="right",
        fontsize=8,
        color=palette.MUTED.light,
    )


def _legend(figure: Canvas, metrics: Sequence[str]) -> None:
    from matplotlib.lines import Line2D

    marks = [
        Line2D([], [], ls="", marker=marker, ms=size, c=colour.light)
        for colour, marker, size in _MARKS
    ]
    figure.legend(
        marks,
        [metric.upper() for metric in metrics],
        loc="lower left",
        ncols=len(marks),
        frameon=False,
        fontsize=8,
        handletextpad=0.1,
        columnspacing=1.0,
    )
