"""Figures as SVG: drawn without a display, the same bytes for the same data."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from unicodedata import east_asian_width

from markupsafe import Markup

from lydite.drawing import palette
from lydite.drawing.text import shorten, visible

if TYPE_CHECKING:
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
    "axes.spines.left": False,
    "axes.axisbelow": True,
    "grid.color": palette.RULE.light,
    "grid.linewidth": 0.6,
    "axes.edgecolor": palette.RULE.light,
    "axes.labelcolor": palette.MUTED.light,
    "axes.labelsize": 8.5,
    "axes.titlecolor": palette.INK.light,
    "axes.titlesize": 8.5,
    "axes.titlelocation": "left",
    # A fixed place spares measuring every tick for it.
    "axes.titley": 1.0,
    "axes.linewidth": 0.8,
    "text.color": palette.INK.light,
    "xtick.color": palette.RULE.light,
    "ytick.color": palette.RULE.light,
    "xtick.labelcolor": palette.MUTED.light,
    "ytick.labelcolor": palette.MUTED.light,
    "xtick.labelsize": 7.5,
    "ytick.labelsize": 7.5,
    "xtick.major.size": 2.0,
    "ytick.major.size": 0.0,
    "legend.frameon": False,
    "legend.fontsize": 7.5,
    "legend.handletextpad": 0.4,
    "legend.handlelength": 1.2,
    "legend.columnspacing": 1.0,
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
