"""The colors of figures and pages, for light and dark, told apart by color-blind readers too.

Figures are drawn in the light colors; where one is put into a page each becomes a CSS variable,
so that it follows the page into the dark. Blue and vermilion are those of Okabe & Ito (2008).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Colour:
    """A color by its role; all light values differ, since figures are translated by them."""

    role: str
    light: str
    dark: str


INK = Colour(role="ink", light="#1d2126", dark="#e6e8eb")
MUTED = Colour(role="muted", light="#606873", dark="#9aa3ae")
RULE = Colour(role="rule", light="#dcdfe4", dark="#363c45")
PAGE = Colour(role="page", light="#ffffff", dark="#14171b")
PANEL = Colour(role="panel", light="#f5f6f8", dark="#1c2026")
NULL = Colour(role="null", light="#c6ccd4", dark="#4a525d")
NULL_MEAN = Colour(role="null-mean", light="#7d8691", dark="#8f98a3")
ACCENT = Colour(role="accent", light="#0072b2", dark="#5fb8ec")
FAINT = Colour(role="faint", light="#8ab8d8", dark="#2f6f98")
WARNING = Colour(role="warning", light="#8a5200", dark="#f0b445")
FAILURE = Colour(role="failure", light="#b3390e", dark="#ff9270")
GOLD = Colour(role="gold", light="#c9a227", dark="#e0bd4f")

COLOURS = (INK, MUTED, RULE, PAGE, PANEL, NULL, NULL_MEAN, ACCENT, FAINT, WARNING, FAILURE, GOLD)

_VARIABLES = {colour.light: f"var(--{colour.role})" for colour in COLOURS}


def as_variable(colour: str) -> str:
    """Return the CSS variable of a light color; other colors stay as they are.

    >>> as_variable("#0072B2"), as_variable("none")
    ('var(--accent)', 'none')
    """
    return _VARIABLES.get(colour.strip().lower(), colour)


def declarations(*, dark: bool) -> str:
    """Write all colors as declarations of CSS variables."""
    return " ".join(
        f"--{colour.role}: {colour.dark if dark else colour.light};" for colour in COLOURS
    )
