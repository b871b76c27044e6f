"""Who shares whose mistakes, as a picture: figures 4 and 5 of White et al. (2015)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from lydite.evaluations.localization.agreement import Agreement
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
from lydite.reports.sections import Figure, ItemsLoader
from lydite.reports.sections.localization_agreement import agreement_of
from lydite.reports.trials import Trial

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MODELS = 10
_NAME = 24

#: The height of a cell, its greatest width, and the size of what is written in it.
_ROW, _COLUMN, _SIZE = 0.4, 0.85, 8.0
#: How far names above the columns lean, as the run and the rise of a unit of length.
_LEAN, _RUN, _RISE = 35, 0.82, 0.57


def heatmap_figure(trial: Trial, items: ItemsLoader) -> Figure | None:
    """Draw what share of their common mistakes each two models make in the same way.

    Returns
    -------
    None if fewer than two models have an item table.
    """
    best = trial.ranked()[:_MODELS]
    shown = [result for result in trial.results if any(result is each for each in best)]
    found = agreement_of(shown, items)
    if found is None:
        return None
    said = [
        f"{trial.title}: misclassification agreement. In a cell: of the sentences that both models "
        "got wrong, how many they took for the same wrong group; the shading is that share. With "
        f"each name its mistakes, of {found.sentences:,} sentences, in the first repeat. A dash: "
        "no sentence that both got wrong."
    ]
    if len(trial.results) > len(shown):
        said.append(f"Shown: {len(shown)} of {len(trial.results)} models, the best.")
    return Figure(svg=_drawn(found), caption=" ".join(said))


def _drawn(found: Agreement) -> Markup:
    names = [label(name, _NAME) for name in found.models]
    n, mistakes = len(names), [f"{count:,}" for count in found.mistakes.tolist()]
    with drawing():
        longest = text_width(names, _SIZE)
        left, top = longest + 0.15, longest * _RISE + 0.45
        right = longest * _RUN
        needed = text_width(_written(found), _SIZE) + 0.12
        across = max(needed, min(_COLUMN, (WIDTH - left - right) / n))
        width = max(WIDTH, left + n * across + right)
        figure = canvas(width, top + n * _ROW + 0.08)
        set_margins(figure, left=left, right=width - left - n * across, top=top, bottom=0.08)
        axes = figure.add_subplot()
        for i in range(n):
            for j in range(n):
                _cell(axes, found, i, j)
        _names(axes, names, mistakes)
        axes.set_xlim(0, n)
        axes.set_ylim(n, 0)
        axes.set_axis_off()
        return to_svg(figure)


def _written(found: Agreement) -> list[str]:
    return [f"{count}/{count}" for count in found.both_wrong.ravel().tolist()]


def _cell(axes: Axes, found: Agreement, i: int, j: int) -> None:
    from matplotlib.patches import Rectangle

    same, both = int(found.same_wrong[i, j]), int(found.both_wrong[i, j])
    place, room = (j + 0.03, i + 0.04), (0.94, 0.92)
    axes.add_patch(Rectangle(place, *room, fc=palette.PANEL.light, lw=0))
    if same:
        # Opacity keeps to the share where the page turns dark, which another colour would not.
        shade = palette.FAINT.light
        axes.add_patch(Rectangle(place, *room, fc=(shade, same / both), lw=0))
    axes.annotate(
        f"{same}/{both}" if both else "–",
        (j + 0.5, i + 0.5),
        ha="center",
        va="center",
        fontsize=_SIZE,
        color=(palette.INK if both else palette.MUTED).light,
    )


def _names(axes: Axes, names: Sequence[str], mistakes: Sequence[str]) -> None:
    """Write each name, its mistakes below it, beside its row and above its column."""
    quiet: dict[str, Any] = {"fontsize": 7, "color": palette.MUTED.light}
    lean: dict[str, Any] = {"rotation": _LEAN, "rotation_mode": "anchor", "fontsize": _SIZE}
    for k, (name, count) in enumerate(zip(names, mistakes, strict=True)):
        row, column = (0, k + 0.5), (k + 0.5, 0)
        _write(axes, name, row, (-6, 1), ha="right", va="bottom", fontsize=_SIZE)
        _write(axes, count, row, (-6, -1.5), ha="right", va="top", **quiet)
        _write(axes, name, column, (-3, 16), ha="left", va="bottom", **lean)
        _write(axes, count, column, (0, 3), ha="center", va="bottom", **quiet)


def _write(
    axes: Axes,
    text: str,
    place: tuple[float, float],
    offset: tuple[float, float],
    **style: Any,  # noqa: ANN401 - Matplotlib's
) -> None:
    """Write beside a place, at an offset in points."""
    axes.annotate(text, place, xytext=offset, textcoords="offset points", **style)
