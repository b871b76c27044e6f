"""What each model sees, what it is blind to and what misleads it, a panel a model."""

from __future__ import annotations

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
from lydite.reports.sections.separation_models import CHANCE, compared, cut_note, in_two_lines
from lydite.reports.sections.separation_phenomena import hardest_first, phenomena_of
from lydite.reports.sections.separation_relation import entity_pairs
from lydite.reports.trials import Trial
from lydite.results.naming import model_namer
from lydite.results.record import Result
from lydite.types import PlainMapping

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

_MODELS = 6
_ROWS = 30
_ROW = 0.215
#: The least width of a panel, the room between two, above and below them, in inches.
_PANEL, _GAP, _TOP, _BOTTOM = 1.42, 0.16, 0.46, 0.72
#: The width of a letter of a model's name, in inches, on the large side.
_LETTER = 0.068

#: What an interval says, with its colour.
_SEES = ("sees it", palette.ACCENT)
_BLIND = ("blind to it", palette.NULL_MEAN)
_MISLED = ("misled by it", palette.FAILURE)


def phenomena_figure(trial: Trial) -> Figure | None:
    """Draw the AUC of each phenomenon by each model; None if no pair says what it shows."""
    shown = compared(trial, _MODELS)
    name = model_namer(trial.results)
    found = {name(result): phenomena_of(result) for result in shown}
    rows = hardest_first(list(found.values()))
    if not rows:
        return None
    said = [
        f"{trial.title}: AUC by phenomenon, hardest first{_by_mean(shown)}, with intervals "
        "of 95\u00a0%. The line at 0.5 is a model that is blind to it. Left of it, pairs "
        "that differ in meaning look more alike than pairs that differ in form alone."
    ]
    if len(rows) > _ROWS:
        said.append(f"Shown: {_ROWS} of {len(rows)} phenomena, the hardest.")
    kept = {each: label(each, 30) for each in rows[:_ROWS]}
    return Figure(svg=_panels(kept, found), caption=" ".join([*said, *cut_note(trial, shown)]))


def pairs_figure(trial: Trial) -> Figure | None:
    """Draw the AUC of each pair of entities by each model; None if there are fewer than two."""
    shown = compared(trial, _MODELS)
    name = model_namer(trial.results)
    found = {name(result): entity_pairs(result) for result in shown}
    rows = hardest_first(list(found.values()))
    if len(rows) < 2:
        return None
    said = [
        f"{trial.title}: AUC by pair of entities, hardest first{_by_mean(shown)}, with "
        "intervals of 95\u00a0% that draw sentences. The line at 0.5 is a model that does not tell "
        "sentences that express the relation from those that do not."
    ]
    if len(rows) > _ROWS:
        said.append(f"Shown: {_ROWS} of {len(rows)} pairs, the hardest.")
    kept = {each: label(each, 36) for each in rows[:_ROWS]}
    return Figure(svg=_panels(kept, found), caption=" ".join([*said, *cut_note(trial, shown)]))


def _by_mean(shown: Sequence[Result]) -> str:
    return " by the mean of the models" if len(shown) > 1 else ""


def _panels(rows: Mapping[str, str], found: Mapping[str, Mapping[str, PlainMapping]]) -> Markup:
    """Draw a panel a model.

    Parameters
    ----------
    rows
        What each row is called, top first.
    found
        The rows of each model, by the names of models and rows.
    """
    with drawing():
        left, count = text_width(rows.values(), 8) + 0.12, len(found)
        free = WIDTH - left - 0.1 - _GAP * (count - 1)
        across = max(_PANEL, free / count)
        width = left + across * count + _GAP * (count - 1) + 0.1
        figure = canvas(width, _TOP + _ROW * len(rows) + _BOTTOM)
        set_margins(figure, left=left, right=0.1, top=_TOP, bottom=_BOTTOM)
        figure.subplots_adjust(wspace=_GAP / across)
        grid = figure.subplots(1, count, squeeze=False, sharey=True)[0]
        for axes, (model, known) in zip(grid, found.items(), strict=True):
            for y, each in enumerate(rows):
                if each in known:
                    _bar(axes, y, known[each])
            _dress(axes, len(rows))
            title = "\n".join(in_two_lines(model, int(across / _LETTER)))
            axes.set_title(title, loc="left", fontsize=8, linespacing=1.1)
        grid[0].set_yticks(range(len(rows)), list(rows.values()))
        grid[0].tick_params(axis="y", labelsize=8)
        _legend(figure)
        return to_svg(figure)


def _bar(axes: Axes, y: int, row: PlainMapping) -> None:
    area, low, high = (float(row[key]) for key in ("auc", "low", "high"))
    _, colour = _MISLED if high < CHANCE else _SEES if low > CHANCE else _BLIND
    axes.barh(y, area - CHANCE, left=CHANCE, height=0.62, color=(colour.light, 0.3), lw=0)
    axes.hlines(y, low, high, color=colour.light, lw=1.3)
    axes.plot([area], [y], "o", color=colour.light, ms=4.0, mew=0, clip_on=False)


def _dress(axes: Axes, rows: int) -> None:
    axes.axvline(CHANCE, color=palette.INK.light, lw=1.0)
    axes.set_xlim(0.0, 1.0)
    axes.set_ylim(rows - 0.5, -0.5)
    axes.set_xticks([0.0, 0.25, 0.5, 0.75, 1.0], ["0", "", "0.5", "", "1"])
    axes.tick_params(axis="x", labelsize=7.5, length=2)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    axes.grid(color=palette.RULE.light, lw=0.6)
    axes.set_axisbelow(True)
    axes.set_xlabel("AUC", fontsize=8)


def _legend(figure: Canvas) -> None:
    from matplotlib.lines import Line2D

    kinds = (_SEES, _BLIND, _MISLED)
    figure.legend(
        [Line2D([], [], marker="o", ms=4.0, mew=0, lw=1.3, c=colour.light) for _, colour in kinds],
        [
            f"{said}: interval {where} 0.5"
            for (said, _), where in zip(kinds, ("above", "holds", "below"), strict=True)
        ],
        loc="lower left",
        ncols=len(kinds),
        frameon=False,
        fontsize=7.5,
        handletextpad=0.4,
        handlelength=1.4,
        columnspacing=1.2,
    )
