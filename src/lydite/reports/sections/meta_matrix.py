"""Correlations as a matrix of colours, in the form of Tables 3 and 4 of Tsvetkov et al. (2016)."""

from __future__ import annotations

from markupsafe import Markup

from lydite.reports import palette
from lydite.reports.figures import label, text_width
from lydite.reports.meta_tables import models_said, star_note
from lydite.reports.sections import Figure
from lydite.reports.sections.meta_drawing import WIDTH, document, named, rectangle, write
from lydite.results.meta.associating import Association
from lydite.results.meta.evaluation import MetaEvaluation, stands_out
from lydite.results.meta.layout import Grid
from lydite.results.meta.naming import write_correlation
from lydite.results.meta.verdict import grid_verdict

_ROW, _GAP, _TOP = 25.0, 8.0, 20.0
_COLUMN_LEAST, _COLUMN_MOST = 44.0, 84.0
_NAME = 34


def matrix_figure(found: MetaEvaluation, grid: Grid) -> Figure:
    """Draw a grid: a cell a correlation, its number written in it, its strength as its colour."""
    leading = found.methods[0]
    below = " Below it, smaller: Spearman's rho." if len(found.methods) > 1 else ""
    said = (
        f"{grid.title}, {models_said(found.of(grid, leading))}. In a cell: "
        f"{'Pearson' if leading == 'pearson' else 'Spearman'}'s correlation over models; blue is "
        f"positive, red is negative, and the stronger the deeper.{below} {star_note(found)} "
        f"{grid_verdict(found, grid)}"
    )
    return Figure(svg=_drawn(found, grid), caption=said)


def _drawn(found: MetaEvaluation, grid: Grid) -> Markup:
    groups = [label(row.group, _NAME) for row in grid.rows]
    names = [label(row.name, _NAME) for row in grid.rows]
    heads = [label(column.name, 20) for column in grid.columns]
    first = 72 * text_width(groups, 8.0) + 10 if any(groups) else 0.0
    left = first + 72 * text_width(names, 8.5) + 10
    room = (WIDTH - left) / len(heads)
    across = max(72 * text_width(heads, 8.0) + 6, min(max(room, _COLUMN_LEAST), _COLUMN_MOST))
    parts = [
        write(head, (left + (i + 0.5) * across, _TOP - 7), anchor="middle", colour=palette.MUTED)
        for i, head in enumerate(heads)
    ]
    y, before = _TOP, groups[0]
    for row, group, name in zip(grid.rows, groups, names, strict=True):
        if group != before:
            y += _GAP
        if group and (group != before or y == _TOP):
            parts.append(write(group, (0, y + 15), colour=palette.MUTED))
        before = group
        parts.append(write(name, (first, y + 15), size=8.5))
        for i, column in enumerate(grid.columns):
            cells = [found.find(row.measure, column.measure, each) for each in found.methods]
            what = f"{row.name} {row.group} with {column.name}".replace("  ", " ")
            parts.append(_cell(cells, what, (left + i * across, y), across))
        y += _ROW
    return document(max(WIDTH, left + len(heads) * across), y + 2, parts)


def _cell(cells: list[Association], what: str, place: tuple[float, float], across: float) -> Markup:
    leading = cells[0]
    corner, size = (place[0] + 1.2, place[1] + 1.2), (across - 2.4, _ROW - 2.4)
    parts = [rectangle(corner, size, palette.PANEL)]
    middle = place[0] + across / 2
    if leading.r is None:
        parts.append(write("–", (middle, place[1] + 15), anchor="middle", colour=palette.MUTED))
        return named(f"{what}: {leading.reason}", parts)
    # The two colours are of unlike depth, and black and white must both be read on them.
    colour, depth = (palette.FAINT, 1.0) if leading.r >= 0 else (palette.FAILURE, 0.55)
    parts.append(rectangle(corner, size, colour, opacity=depth * abs(leading.r)))
    low = place[1] + (12.5 if len(cells) > 1 else 15.5)
    parts.append(
        write(_written(leading), (middle, low), size=9.0, anchor="middle", bold=stands_out(leading))
    )
    if len(cells) > 1:
        second = place[1] + 20.5
        parts.append(write(_written(cells[1]), (middle, second), size=6.5, anchor="middle"))
    return named("; ".join([what, *map(_figures, cells)]), parts)


def _written(cell: Association) -> str:
    return "–" if cell.r is None else write_correlation(cell.r) + "*" * stands_out(cell)


def _figures(cell: Association) -> str:
    if cell.r is None or cell.p_value is None or cell.p_corrected is None:
        return f"{cell.method}: {cell.reason}"
    spread = "" if cell.low is None else f", 95 % interval {cell.low:.2f} to {cell.high:.2f}"
    return (
        f"{cell.method} {cell.r:.3f}, {cell.n} models, p {cell.p_value:.2g}, "
        f"corrected {cell.p_corrected:.2g}{spread}"
    )
