"""Figures as SVG: drawn without a display, the same bytes for the same data."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from unicodedata import east_asian_width

from markupsafe import Markup

from lydite.drawing import palette
from lydite.drawing.metrics import extent, metric_named
from lydite.drawing.text import shorten, visible
from lydite.results.record import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

#: Two figures of this width, in inches, stand side by side in the report.
WIDTH = 5.8

_STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "lydite",
    # Words may hold dollar signs.
    "text.parse_math": False,
    "text.usetex": False,
    "axes.formatter.use_mathtext": False,
    "axes.formatter.use_locale": False,
    "axes.unicode_minus": False,
    "font.family": ["DejaVu Sans"],
    "font.size": 9.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": palette.RULE.light,
    "axes.labelcolor": palette.MUTED.light,
    "axes.titlecolor": palette.INK.light,
    "axes.titlesize": 9.0,
    # A fixed place spares measuring every tick for it.
    "axes.titley": 1.0,
    "axes.linewidth": 0.8,
    "text.color": palette.INK.light,
    "xtick.color": palette.RULE.light,
    "ytick.color": palette.RULE.light,
    "xtick.labelcolor": palette.MUTED.light,
    "ytick.labelcolor": palette.INK.light,
    "xtick.labelsize": 8.0,
    "ytick.labelsize": 8.5,
}


@contextmanager
def drawing() -> Iterator[None]:
    """Draw in the house style, whatever the user's own settings of Matplotlib are."""
    import matplotlib

    with matplotlib.rc_context(), warnings.catch_warnings():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_STYLE)
        # Letters are the browser's to draw; here they are only measured.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        warnings.filterwarnings("ignore", message="Matplotlib currently does not support")
        yield


def canvas(width: float, height: float) -> Canvas:
    """Return an empty transparent figure, in inches."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height))
    figure.patch.set_visible(False)
    return figure


def set_margins(figure: Canvas, *, left: float, right: float, top: float, bottom: float) -> None:
    """Leave room around the axes, in inches.

    The automatic layout draws everything twice, to measure in a font that the page does not use.
    """
    width, height = figure.get_size_inches()
    figure.subplots_adjust(
        left=left / width,
        right=1 - right / width,
        top=1 - top / height,
        bottom=bottom / height,
    )


def text_width(texts: Iterable[str], size: float) -> float:
    """Estimate the width of the longest of some texts, in inches, on the large side."""
    ems = [sum(1.2 if east_asian_width(char) in "WF" else 0.6 for char in text) for text in texts]
    return max(ems, default=0.0) * size / 72


def to_svg(figure: Canvas) -> Markup:
    """Write a figure as an SVG document; what it says is escaped."""
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    return Markup(buffer.getvalue())


def label(text: str, most: int = 32) -> str:
    """Make a text from data fit for a figure: one line, not too long, nothing that acts."""
    return shorten(visible(text), most)


def dot_whisker(results: Sequence[Result], names: Sequence[str]) -> Markup:
    """Draw scores with their intervals beside their null baselines, a row a model.

    Parameters
    ----------
    results
        Answers to one question, in the order of the rows, top first.
    names
        What each of them is called.
    """
    with drawing():
        height = 0.29 * len(results)
        figure = canvas(WIDTH, height + 0.58)
        shown = [label(name) for name in names]
        set_margins(figure, left=text_width(shown, 8.5) + 0.12, right=0.6, top=0.05, bottom=0.53)
        axes = figure.add_subplot()
        draw_rows(axes, results)
        axes.set_yticks(range(len(names)), shown)
        axes.set_xlabel(label(metric_named(results[0].metric).title))
        return to_svg(figure)


def draw_rows(axes: Axes, results: Sequence[Result]) -> None:
    """Draw a row a result: the null as a band, the interval as a line, the score as a dot."""
    metric = metric_named(results[0].metric)
    low, high = extent(results)
    room = 0.04 * (high - low) or 0.5
    for row, result in enumerate(results):
        null, interval = result.baseline, result.interval
        axes.barh(
            row, null.high - null.low, left=null.low, height=0.62, color=palette.NULL.light, lw=0
        )
        axes.vlines(null.mean, row - 0.31, row + 0.31, color=palette.NULL_MEAN.light, lw=1.2)
        axes.hlines(row, interval.low, interval.high, color=palette.ACCENT.light, lw=1.8)
        axes.plot([result.score], [row], "o", color=palette.ACCENT.light, ms=6, mew=0)
        axes.annotate(
            metric.write(result.score),
            (1.0, row),
            xycoords=("axes fraction", "data"),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            color=palette.INK.light,
        )
    axes.set_xlim(low - room, high + room)
    axes.set_ylim(len(results) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    axes.grid(axis="x", color=palette.RULE.light, lw=0.6)
    axes.set_axisbelow(True)
    axes.locator_params(axis="x", nbins=6)
