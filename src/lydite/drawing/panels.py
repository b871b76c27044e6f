"""Panels: what sections draw with. Margins, marks, legends and rows are made here, once.

A section asks for panels, draws on their axes and takes the picture::

    with panels([0.25 * len(names)], margins=Margins(left=room_for(names))) as drawn:
        name_rows(drawn.axes, names)
        mark.draw(drawn.axes, points)
        drawn.legend([mark])
        return drawn.to_svg()

All lengths are inches, all sizes of letters points.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from markupsafe import Markup

from lydite.drawing import palette
from lydite.drawing.figures import WIDTH, canvas, drawing, label, text_width, to_svg
from lydite.drawing.metrics import extent
from lydite.results.metrics import metric_of
from lydite.results.record import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

#: The size of the names of rows.
NAMES = 8.5

#: How a line looks that says what chance would give.
DASHES: Any = (0, (3, 2.5))


@dataclass(frozen=True, kw_only=True, eq=False)
class Panels:
    """Axes in rows and columns."""

    figure: Canvas
    grid: list[list[Axes]]
    across: float  # the width of each panel

    @property
    def axes(self) -> Axes:
        """The first panel, of many the one that others share their axes with."""
        return self.grid[0][0]

    @property
    def all(self) -> list[Axes]:
        """All panels, row by row."""
        return [axes for row in self.grid for axes in row]

    def legend(
        self,
        marks: Sequence[Mark],
        *,
        place: Literal["below", "above", "right"] = "below",
        columns: int | None = None,
        title: str | None = None,
    ) -> None:
        """Name the marks: below or above all panels in so many columns, or right of the first."""
        handles, names = [mark.handle() for mark in marks], [mark.name for mark in marks]
        if place == "right":
            self.axes.legend(
                handles,
                names,
                loc="upper left",
                bbox_to_anchor=(1.03, 1.0),
                borderaxespad=0.0,
                fontsize=8,
                labelspacing=0.7,
                title=title,
                title_fontsize=8,
                alignment="left",
            )
        else:
            self.figure.legend(
                handles,
                names,
                loc="lower left" if place == "below" else "upper left",
                ncols=columns or len(marks),
                title=title,
            )

    def to_svg(self) -> Markup:
        """Return the picture."""
        return to_svg(self.figure)


@dataclass(frozen=True, kw_only=True)
class Margins:
    """The room around panels."""

    left: float
    right: float = 0.1
    top: float = 0.28
    bottom: float = 0.5


@contextmanager
def panels(
    heights: Sequence[float],
    columns: int = 1,
    *,
    margins: Margins,
    gaps: tuple[float, float] = (0.2, 0.36),
    width: float = WIDTH,
    least: float = 0.0,
    share: Literal["x", "y", "both"] | None = None,
    grid: Literal["x", "y", "both"] | None = "both",
) -> Iterator[Panels]:
    """Draw panels in the house style.

    ``heights`` are those of the rows, ``gaps`` the room between two columns and between two rows,
    ``least`` the least width of a panel: the figure grows where there are many. With ``share``, all
    panels have one scale across (``x``), written below the last row, and those of a row one scale
    upwards (``y``), written at the left.
    """
    left, top = margins.left, margins.top
    across, down = gaps
    around = left + margins.right + across * (columns - 1)
    each = max(least, (width - around) / columns)
    wide = around + each * columns
    high = top + sum(heights) + down * (len(heights) - 1) + margins.bottom
    with drawing():
        import matplotlib

        matplotlib.rcParams.update({"axes.grid": grid is not None, "axes.grid.axis": grid or "y"})
        figure = canvas(wide, high)
        # The automatic layout draws everything twice, to measure in a font that no page uses.
        figure.subplots_adjust(
            left=left / wide,
            right=1 - margins.right / wide,
            top=1 - top / high,
            bottom=margins.bottom / high,
            wspace=across / each,
            hspace=down * len(heights) / sum(heights),
        )
        made = figure.subplots(
            len(heights),
            columns,
            squeeze=False,
            sharex=share in {"x", "both"},
            sharey="row" if share in {"y", "both"} else False,
            height_ratios=heights,
        )
        yield Panels(figure=figure, grid=[list(row) for row in made], across=each)


@dataclass(frozen=True, kw_only=True)
class Mark:
    """How one kind of thing is drawn, in panels and in their legend alike."""

    name: str
    colour: palette.Colour
    # As Matplotlib knows them; no marker by default.
    marker: str = ""
    size: float = 5.0
    edge: float = 0.0  # the width of the marker's edge
    hollow: bool = False  # whether the marker is filled with the color of the page
    # The line that joins points; none by default.
    line: Any = ""
    width: float = 1.2

    def draw(
        self, axes: Axes, points: Iterable[tuple[float | None, float | None]], *, scale: float = 1.0
    ) -> None:
        """Draw points, joined if the mark has a line; those without a value are left out."""
        known = [(x, y) for x, y in points if x is not None and y is not None]
        axes.plot([x for x, _ in known], [y for _, y in known], clip_on=False, **self._style(scale))

    def whisker(
        self, axes: Axes, place: float, ends: tuple[float, float], *, upright: bool = False
    ) -> None:
        """Draw an interval across a row, or upright, at a place."""
        draw = axes.vlines if upright else axes.hlines
        draw(place, *ends, color=self.colour.light, lw=self.width)

    def handle(self) -> Any:  # noqa: ANN401 - Matplotlib's
        """Return what stands for it in a legend."""
        from matplotlib.lines import Line2D

        return Line2D([], [], **self._style(1.0))

    def _style(self, scale: float) -> dict[str, Any]:
        fill = palette.PAGE if self.hollow else self.colour
        return {
            "ls": self.line,
            "lw": self.width,
            "color": self.colour.light,
            "marker": self.marker,
            "ms": scale * self.size,
            "mew": scale * self.edge,
            "mec": self.colour.light,
            "mfc": fill.light,
        }


#: The marks of several models or learners in one panel, in order; more are not drawn.
SERIES = (
    Mark(name="", colour=palette.ACCENT, marker="o", size=5.0),
    Mark(name="", colour=palette.GOLD, marker="D", size=4.2),
    Mark(name="", colour=palette.FAILURE, marker="s", size=4.4),
    Mark(name="", colour=palette.MUTED, marker="^", size=5.0),
    Mark(name="", colour=palette.FAINT, marker="v", size=5.0),
    Mark(name="", colour=palette.INK, marker="P", size=5.0),
)


def series(names: Iterable[str]) -> list[Mark]:
    """Return the marks of several models or learners by their names, those that can be drawn."""
    named = zip(names, SERIES, strict=False)
    return [replace(mark, name=label(name, 24)) for name, mark in named]


#: What chance would give.
CHANCE = Mark(name="chance", colour=palette.NULL_MEAN, line=DASHES, width=0.9)


def room_for(texts: Iterable[str], size: float = NAMES, *, more: float = 0.12) -> float:
    """Return how much room texts take beside the panels."""
    return text_width(texts, size) + more


def legend_room(marks: int, columns: int) -> float:
    """Return how much room a legend of so many marks takes below the panels."""
    return 0.1 + 0.18 * -(-marks // columns)


def name_rows(
    axes: Axes,
    names: Sequence[str],
    *,
    places: Sequence[float] | None = None,
    size: float = NAMES,
    room: float = 0.5,
) -> None:
    """Name the rows of a panel, the first at the top; those who share its scale follow.

    ``room`` is that above the first and below the last.
    """
    at = list(range(len(names))) if places is None else list(places)
    axes.set_yticks(at, names)
    axes.set_ylim(at[-1] + room, at[0] - room)
    axes.tick_params(axis="y", labelsize=size, labelcolor=palette.INK.light)


def write_beside(
    axes: Axes, row: float, text: str, *, size: float = 8.0, colour: palette.Colour = palette.MUTED
) -> None:
    """Write a text right of a row."""
    axes.annotate(
        text,
        (1.0, row),
        xycoords=("axes fraction", "data"),
        xytext=(6, 0),
        textcoords="offset points",
        va="center",
        fontsize=size,
        color=colour.light,
    )


def draw_chance(axes: Axes, value: float, *, flat: bool = False) -> None:
    """Draw a dashed line at a value of the scale across, or of the one upwards."""
    line = axes.axhline if flat else axes.axvline
    line(value, color=CHANCE.colour.light, lw=CHANCE.width, ls=CHANCE.line)


def ticks(*values: float, silent: Sequence[float] = ()) -> tuple[list[float], list[str]]:
    """Return ticks and what is written at them, nothing at the silent ones.

    >>> ticks(0, 0.25, 0.5, silent=[0.25])
    ([0, 0.25, 0.5], ['0', '', '0.5'])
    """
    return list(values), ["" if value in silent else f"{value:g}" for value in values]


def dot_whisker(results: Sequence[Result], names: Sequence[str]) -> Markup:
    """Draw scores with their intervals beside their null baselines, one row per model."""
    shown = [label(name) for name in names]
    margins = Margins(left=room_for(shown), right=0.6, top=0.05, bottom=0.53)
    with panels([0.29 * len(results)], margins=margins, grid="x") as drawn:
        draw_scores(drawn.axes, results)
        name_rows(drawn.axes, shown)
        drawn.axes.set_xlabel(label(metric_of(results[0]).title))
        return drawn.to_svg()


def draw_scores(axes: Axes, results: Sequence[Result]) -> None:
    """Draw one row per result: the null as a band, the interval as a line, the score as a dot."""
    score = Mark(name="", colour=palette.ACCENT, marker="o", size=6.0, width=1.8)
    low, high = extent(results)
    room = 0.04 * (high - low) or 0.5
    for row, result in enumerate(results):
        null = result.baseline
        axes.barh(
            row, null.high - null.low, left=null.low, height=0.62, color=palette.NULL.light, lw=0
        )
        axes.vlines(null.mean, row - 0.31, row + 0.31, color=palette.NULL_MEAN.light, lw=1.2)
        if result.ends:
            score.whisker(axes, row, result.ends)
        score.draw(axes, [(result.score, row)])
        written = metric_of(result).write(result.score)
        write_beside(axes, row, written, size=9.0, colour=palette.INK)
    axes.set_xlim(low - room, high + room)
    axes.locator_params(axis="x", nbins=6)
