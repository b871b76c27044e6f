"""Shapes of the meta-evaluation's figures, written as SVG by hand.

Its points and cells name themselves when pointed at, which Matplotlib's do not, and a hundred
panels take no longer than one. Lengths are points, as in the other figures.
"""

from __future__ import annotations

from typing import Literal

from markupsafe import Markup, escape

from lydite.reports import palette
from lydite.reports.visible import visible

#: As wide as the other figures of a report.
WIDTH = 417.6

Anchor = Literal["start", "middle", "end"]


def document(width: float, height: float, parts: list[Markup]) -> Markup:
    """Put shapes together into a whole SVG document."""
    head = Markup('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {:.1f} {:.1f}">')
    return head.format(width, height) + Markup("").join(parts) + Markup("</svg>")


def rectangle(
    place: tuple[float, float],
    size: tuple[float, float],
    colour: palette.Colour,
    *,
    opacity: float = 1.0,
) -> Markup:
    """Fill a rectangle; opacity keeps to a share where the page turns dark."""
    form = '<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" rx="1.5" fill="{}"{}/>'
    faint = Markup(' fill-opacity="{:.2f}"').format(opacity) if opacity < 1 else ""
    return Markup(form).format(*place, *size, colour.light, faint)


def line(
    start: tuple[float, float],
    end: tuple[float, float],
    colour: palette.Colour,
    *,
    width: float = 0.7,
) -> Markup:
    """Draw a straight line."""
    form = '<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}" stroke="{}" stroke-width="{}"/>'
    return Markup(form).format(*start, *end, colour.light, width)


def dot(place: tuple[float, float], colour: palette.Colour, *, radius: float = 2.4) -> Markup:
    """Draw a point."""
    form = '<circle cx="{:.1f}" cy="{:.1f}" r="{}" fill="{}" stroke="{}" stroke-width="0.5"/>'
    return Markup(form).format(*place, radius, colour.light, palette.PAGE.light)


def write(
    text: str,
    place: tuple[float, float],
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


def named(name: str, parts: list[Markup]) -> Markup:
    """Give shapes a name that shows when they are pointed at."""
    title = Markup("<g><title>{}</title>").format(escape(visible(name)))
    return title + Markup("").join(parts) + Markup("</g>")
