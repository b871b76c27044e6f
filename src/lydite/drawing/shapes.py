"""Shapes written as SVG: they name themselves when pointed at, and a hundred panels are quick.

Lengths are points, as in the figures that Matplotlib draws.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from markupsafe import Markup, escape

from lydite.drawing import figures, palette
from lydite.drawing.text import visible

Place: TypeAlias = tuple[float, float]
Anchor: TypeAlias = Literal["start", "middle", "end"]

#: As wide as the other figures of a report.
WIDTH = 72 * figures.WIDTH


def document(width: float, height: float, parts: Iterable[Markup]) -> Markup:
    """Put shapes together into a whole SVG document."""
    head = Markup('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {:.1f} {:.1f}">')
    return head.format(width, height) + Markup("").join(parts) + Markup("</svg>")


def rectangle(place: Place, size: Place, colour: palette.Colour, opacity: float = 1.0) -> Markup:
    """Fill a rectangle; opacity keeps to a share where the page turns dark."""
    form = '<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" rx="1.5" fill="{}"{}/>'
    faint = Markup(' fill-opacity="{:.2f}"').format(opacity) if opacity < 1 else ""
    return Markup(form).format(*place, *size, colour.light, faint)


def line(start: Place, end: Place, colour: palette.Colour, *, width: float = 0.7) -> Markup:
    """Draw a straight line."""
    form = '<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}" stroke="{}" stroke-width="{}"/>'
    return Markup(form).format(*start, *end, colour.light, width)


def dot(place: Place, colour: palette.Colour, *, radius: float = 2.4) -> Markup:
    """Draw a point."""
    form = '<circle cx="{:.1f}" cy="{:.1f}" r="{}" fill="{}" stroke="{}" stroke-width="0.5"/>'
    return Markup(form).format(*place, radius, colour.light, palette.PAGE.light)


def write(
    text: str,
    place: Place,
    *,
    size: float = 8.0,
    anchor: Anchor = "start",
    colour: palette.Colour = palette.INK,
    bold: bool = False,
) -> Markup:
    """Write a text; the place is its base line."""
    form = (
        '<text x="{:.1f}" y="{:.1f}" text-anchor="{}" fill="{}" style="font-size:{}px{}">{}</text>'
    )
    weight = ";font-weight:700" if bold else ""
    return Markup(form).format(*place, anchor, colour.light, size, weight, escape(visible(text)))


def named(name: str, parts: Iterable[Markup]) -> Markup:
    """Give shapes a name that shows when they are pointed at."""
    title = Markup("<g><title>{}</title>").format(escape(visible(name)))
    return title + Markup("").join(parts) + Markup("</g>")


def width_of(texts: Iterable[str], size: float) -> float:
    """Estimate the width of the longest of some texts, on the large side."""
    return 72 * figures.text_width(texts, size)
