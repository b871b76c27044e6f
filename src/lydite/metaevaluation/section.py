"""The section on meta-evaluation: whether intrinsic scores predict downstream ones.

Its points and cells name themselves when pointed at, which Matplotlib's do not, and a hundred
panels take no longer than one. Lengths are points, as in the other figures.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from markupsafe import Markup, escape

from lydite.drawing import palette
from lydite.drawing.figures import label, text_width
from lydite.drawing.metrics import metric_named
from lydite.drawing.section import Figure, Section
from lydite.drawing.text import visible
from lydite.errors import UndefinedScoreError
from lydite.metaevaluation.best_predictor import difference_said
from lydite.metaevaluation.comparison import Comparison
from lydite.metaevaluation.correlation import Association
from lydite.metaevaluation.evaluation import MetaEvaluation, differs, meta, stands_out
from lydite.metaevaluation.layout import Grid
from lydite.metaevaluation.scores import Measure, is_downstream, write_correlation
from lydite.metaevaluation.tables import (
    comparison_tables,
    grid_table,
    long_table,
    models_said,
    star_note,
)
from lydite.metaevaluation.verdict import grid_verdict, notes, overall_verdict
from lydite.results.record import Result
from lydite.types import Floats

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


#: A panel and the room around its points.
_ACROSS, _DOWN = 139.2, 124.0
_LEFT, _RIGHT, _SCATTER_TOP, _BOTTOM = 28.0, 12.0, 24.0, 18.0
#: Up to so many models are named in the panel itself.
_DIRECT = 6
#: Longer titles would run into the next panel.
_TITLE = 34
_NUMBER, _LEGEND = 5.8, 7.0


def scatter_figure(found: MetaEvaluation, cells: Sequence[Association], title: str) -> Figure:
    """Draw a panel a pair of scores, in rows of three or of as many as there are tasks.

    Parameters
    ----------
    found
        All correlations.
    cells
        Those to draw, row by row; each has a correlation.
    title
        What they are.
    """
    rows: dict[object, list[Association]] = {}
    for cell in cells:
        rows.setdefault(cell.intrinsic, []).append(cell)
    panels = max(map(len, rows.values()))
    few = max((cell.n for cell in cells), default=0) <= _DIRECT
    width = max(WIDTH, panels * _ACROSS)
    parts = [
        _panel(found, cell, (i * _ACROSS, j * _DOWN), direct=few)
        for j, row in enumerate(rows.values())
        for i, cell in enumerate(row)
    ]
    below = len(rows) * _DOWN + 8
    legend, height = ([], 0.0) if few else _legend(found, width, below)
    said = "" if few else " Numbers stand for models, named below the panels."
    return Figure(
        svg=document(width, below + height, parts + legend),
        caption=f"{title}. A point is a model; the line is the least-squares fit, a star marks "
        f"what stands out.{said} Points name themselves when pointed at.",
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class _Placed:
    """Where points lie, (n, 2), within a panel whose corner is at ``corner``."""

    corner: tuple[float, float]
    points: Floats


def _panel(
    found: MetaEvaluation, cell: Association, corner: tuple[float, float], *, direct: bool
) -> Markup:
    x0, y0 = corner
    x_name, y_name = found.names[cell.intrinsic], found.names[cell.downstream]
    x, y = metric_named(cell.intrinsic.metric).write, metric_named(cell.downstream.metric).write
    kept = [found.scores.models.index(model) for model in cell.models]
    values = np.stack([found.scores.of(cell.intrinsic), found.scores.of(cell.downstream)], axis=1)
    placed = _Placed(corner=corner, points=_project(values[kept], corner))
    labels = _direct(found, cell, placed) if direct else _numbers(kept, placed)
    points = [
        named(
            f"{found.model_names[model]}: {x_name} {x(left)}, {y_name} {y(right)}",
            [dot(spot, palette.ACCENT), text],
        )
        for model, (left, right), spot, text in zip(
            cell.models, values[kept].tolist(), placed.points.tolist(), labels, strict=True
        )
    ]
    return Markup("").join(
        [
            write(label(f"{x_name} → {y_name}", _TITLE), (x0 + 4, y0 + 9), size=7.0),
            write(_said(cell), (x0 + 4, y0 + 18), size=7.0, bold=stands_out(cell)),
            *_axes(values[kept], cell, corner),
            _fit(placed),
            *points,
        ]
    )


def _said(cell: Association) -> str:
    sign = "r" if cell.method == "pearson" else "ρ"
    return f"{sign} = {write_correlation(cell.r or 0.0)}{'*' * stands_out(cell)}"


def _project(values: Floats, corner: tuple[float, float]) -> Floats:
    low, high = values.min(axis=0), values.max(axis=0)
    share = (values - low) / (high - low)
    across = corner[0] + _LEFT + 6 + share[:, 0] * (_ACROSS - _LEFT - _RIGHT - 12)
    down = corner[1] + _DOWN - _BOTTOM - 6 - share[:, 1] * (_DOWN - _SCATTER_TOP - _BOTTOM - 12)
    return np.stack([across, down], axis=1)


def _axes(values: Floats, cell: Association, corner: tuple[float, float]) -> list[Markup]:
    """Draw the two axes with the least and the greatest score at their ends."""
    x0, y0 = corner
    left, right = x0 + _LEFT, x0 + _ACROSS - _RIGHT
    top, bottom = y0 + _SCATTER_TOP, y0 + _DOWN - _BOTTOM
    (x_low, y_low), (x_high, y_high) = values.min(axis=0), values.max(axis=0)
    x, y = metric_named(cell.intrinsic.metric).write, metric_named(cell.downstream.metric).write
    ends: list[tuple[str, tuple[float, float], Anchor]] = [
        (x(x_low), (left + 6, bottom + 8), "middle"),
        (x(x_high), (right - 6, bottom + 8), "middle"),
        (y(y_low), (left - 3, bottom - 4), "end"),
        (y(y_high), (left - 3, top + 8), "end"),
    ]
    return [
        line((left, bottom), (right, bottom), palette.RULE),
        line((left, top), (left, bottom), palette.RULE),
        *(
            write(text, place, size=6.0, anchor=anchor, colour=palette.MUTED)
            for text, place, anchor in ends
        ),
    ]


def _fit(placed: _Placed) -> Markup:
    """Draw the least-squares line as far as it stays in the panel."""
    x, y = placed.points[:, 0], placed.points[:, 1]
    slope = float(((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum())
    top = placed.corner[1] + _SCATTER_TOP
    bottom = placed.corner[1] + _DOWN - _BOTTOM
    ends = np.array([x.min(), x.max()])
    if slope:
        reach = np.sort((np.array([top, bottom]) - y.mean()) / slope + x.mean())
        ends = np.clip(ends, *reach)
    heights = y.mean() + slope * (ends - x.mean())
    start, end = zip(ends.tolist(), heights.tolist(), strict=True)
    return line(start, end, palette.NULL, width=1.0)


#: Where a number may stand beside its point, the best first.
_SIDES = ((4.2, 2.0), (-4.2, 2.0), (0.0, -4.0), (0.0, 8.2), (4.2, -3.0), (-4.2, -3.0))


def _numbers(kept: Sequence[int], placed: _Placed) -> list[Markup]:
    """Write the number of each model beside its point, where it covers least."""
    taken = [(x, y, 2.4, 2.4) for x, y in placed.points.tolist()]
    labels = []
    for k, (x, y) in enumerate(placed.points.tolist()):
        text = str(kept[k] + 1)
        reach = 1.8 * len(text)
        boxes = []
        for dx, dy in _SIDES:
            middle = x + dx + (reach if dx > 0 else -reach if dx < 0 else 0.0)
            boxes.append((middle, y + dy - 2.0, reach, 2.6))
        others = taken[:k] + taken[k + 1 :]
        best = min(boxes, key=lambda box: sum(_overlap(box, other) for other in others))
        taken.append(best)
        spot = (best[0], best[1] + 2.0)
        labels.append(write(text, spot, size=_NUMBER, anchor="middle", colour=palette.MUTED))
    return labels


_Box = tuple[float, float, float, float]


def _overlap(one: _Box, two: _Box) -> float:
    """Return the common area of two boxes, each given by its middle and half its size."""
    across = one[2] + two[2] - abs(one[0] - two[0])
    down = one[3] + two[3] - abs(one[1] - two[1])
    return max(0.0, across) * max(0.0, down)


def _direct(found: MetaEvaluation, cell: Association, placed: _Placed) -> list[Markup]:
    """Write the name of each model beside its point, towards the middle of the panel."""
    names = found.model_names
    middle = placed.corner[0] + (_LEFT + _ACROSS - _RIGHT) / 2
    heights = _apart(placed.points[:, 1].tolist())
    labels = []
    for model, (x, _), height in zip(cell.models, placed.points.tolist(), heights, strict=True):
        anchor: Anchor = "start" if x < middle else "end"
        spot = (x + (4 if x < middle else -4), height + 2)
        text = label(names[model], 20)
        labels.append(write(text, spot, size=_NUMBER, anchor=anchor, colour=palette.MUTED))
    return labels


def _apart(heights: list[float], least: float = 6.5) -> list[float]:
    """Move texts down until none covers the one above it."""
    moved, last = dict.fromkeys(range(len(heights)), 0.0), -np.inf
    for k in sorted(moved, key=lambda k: heights[k]):
        last = moved[k] = max(heights[k], last + least)
    return [moved[k] for k in range(len(heights))]


def _legend(found: MetaEvaluation, width: float, top: float) -> tuple[list[Markup], float]:
    names = [f"{i} {label(name, 36)}" for i, name in enumerate(found.model_names.values(), 1)]
    across = 72 * text_width(names, _LEGEND) * 0.9 + 8
    columns = max(1, int(width // across))
    rows = -(-len(names) // columns)
    parts = [
        write(name, (4 + k // rows * across, top + 6 + k % rows * 9), size=_LEGEND)
        for k, name in enumerate(names)
    ]
    return parts, rows * 9.0 + 6


_DIFFERENCE_ROW, _HEAD, _DIFFERENCE_GAP, _AXIS = 11.5, 14.0, 8.0, 16.0
_DIFFERENCE_NAME, _TEXT = 34, 7.5
#: Room for the figures at the end of a row.
_FIGURES = 88.0


def differences_figure(found: MetaEvaluation) -> Figure:
    """Draw a row a comparison, those of one downstream score together; the leading method alone."""
    groups: dict[Measure, list[Comparison]] = {}
    for each in found.comparisons:
        if each.method == found.methods[0]:
            groups.setdefault(each.downstream, []).append(each)
    kind = found.methods[0].capitalize()
    said = (
        "the best intrinsic score for a downstream score less that of each other; right of the "
        "line the best is better"
        if found.against is None
        else f"each intrinsic score less that of {found.names[found.against]}; right of the line "
        "it is better"
    )
    return Figure(
        svg=_drawn_differences(found, list(groups.values())),
        caption=f"Differences of correlations ({kind}), with 95 % intervals: {said}. An interval "
        "across the line: which one is better cannot be told. A star marks what is more than "
        "chance after the correction; intervals are not corrected, and all is as if models were "
        "independent.",
    )


def _drawn_differences(found: MetaEvaluation, groups: Sequence[Sequence[Comparison]]) -> Markup:
    every = [each for group in groups for each in group]
    left = (
        72 * text_width([label(_row_name(found, each), _DIFFERENCE_NAME) for each in every], _TEXT)
        + 6
    )
    low = min(0.0, *(each.difference if each.low is None else each.low for each in every))
    high = max(0.0, *(each.difference if each.high is None else each.high for each in every))
    across = (WIDTH - left - _FIGURES) / max(high - low, 0.1)

    def place(value: float) -> float:
        return left + (value - low) * across

    parts: list[Markup] = []
    y = 0.0
    for group in groups:
        parts.append(write(_title(found, group[0]), (0, y + 10), size=8.0, bold=True))
        y += _HEAD
        # The nearest behind the best come first; against one by name, the best do.
        ordered = sorted(group, key=lambda each: each.difference, reverse=bool(found.against))
        bottom = y + _DIFFERENCE_ROW * len(group)
        parts.append(line((place(0), y), (place(0), bottom), palette.NULL_MEAN))
        for row, each in enumerate(ordered):
            middle = y + (row + 0.5) * _DIFFERENCE_ROW
            ends = [each.difference if end is None else end for end in (each.low, each.high)]
            drawn = [
                write(
                    label(_row_name(found, each), _DIFFERENCE_NAME), (0, middle + 2.5), size=_TEXT
                ),
                line((place(ends[0]), middle), (place(ends[1]), middle), palette.FAINT, width=1.6),
                dot((place(each.difference), middle), palette.ACCENT),
                write(
                    difference_said(each) + "*" * differs(each),
                    (WIDTH, middle + 2.5),
                    size=7.0,
                    anchor="end",
                    bold=differs(each),
                ),
            ]
            parts.append(named(_difference_figures(found, each), drawn))
        y = bottom + _DIFFERENCE_GAP
    for tick in range(math.ceil(low * 2), math.floor(high * 2) + 1):
        spot = (place(tick / 2), y + 4)
        text = write_correlation(tick / 2)
        parts.append(write(text, spot, size=6.5, anchor="middle", colour=palette.MUTED))
    return document(WIDTH, y + _AXIS, parts)


def _row_name(found: MetaEvaluation, each: Comparison) -> str:
    return found.names[each.second if found.against is None else each.first]


def _title(found: MetaEvaluation, each: Comparison) -> str:
    task = found.names[each.downstream]
    if found.against is None:
        return label(
            f"{task}: {found.names[each.first]} ({write_correlation(each.r_first)}) less …", 72
        )
    return label(
        f"{task}, less {found.names[each.second]} ({write_correlation(each.r_second)})", 72
    )


def _difference_figures(found: MetaEvaluation, each: Comparison) -> str:
    names = found.names
    return (
        f"{names[each.first]} {each.r_first:.3f}, {names[each.second]} {each.r_second:.3f}, with "
        f"{names[each.downstream]}, {each.method}, {each.n} models: difference "
        f"{difference_said(each)}, p {each.p_value:.2g}, corrected {each.p_corrected:.2g}"
    )


logger = logging.getLogger(__name__)

#: More panels than these, besides those of the paper's tables, nobody looks at.
_PANELS = 96

_READING = (
    "A correlation of 1 means that the models which score higher on the intrinsic test are always "
    "the more useful ones, 0 that the test says nothing about use, and a negative one that it "
    "misleads. It is over models, and those are few: look at the interval and at the least and "
    "greatest value without one model before you believe it. That one score has a higher "
    "correlation than another may be chance too: look at the differences."
)


def section_of_results(results: Sequence[Result]) -> Section | None:
    """Return the section of a run; None if no three models have scores of both kinds.

    What goes wrong here must not cost the report of a long run: it is logged.
    """
    kinds = {is_downstream(result) for result in results}
    if len(kinds) == 1 or not results:
        return None
    try:
        return section(meta(results))
    except UndefinedScoreError:
        return None
    except Exception as error:
        logger.warning("the report leaves out the meta-evaluation: %s", error)
        return None


def section(found: MetaEvaluation) -> Section:
    """Show the correlations as matrices, as scatter plots and as tables."""
    figures = [matrix_figure(found, grid) for grid in found.grids]
    if found.comparisons:
        figures.append(differences_figure(found))
    return Section(
        title="Meta-evaluation: do intrinsic scores foretell downstream ones?",
        how_to_read=f"Verdict: {overall_verdict(found)} {_READING}",
        figures=[*figures, *_scatters(found)],
        tables=[
            *(grid_table(found, grid, method) for method in found.methods for grid in found.grids),
            long_table(found),
            *comparison_tables(found).values(),
        ],
        notes=notes(found),
    )


def _scatters(found: MetaEvaluation) -> list[Figure]:
    """Draw those of the paper's tables together, the others by the evaluation."""
    leading = found.methods[0]
    groups: dict[str, list[Association]] = {
        grid.title: [cell for cell in found.of(grid, leading) if cell.r is not None]
        for grid in found.grids
        if grid.key != "all"
    }
    drawn = {id(cell) for cells in groups.values() for cell in cells}
    others = [
        cell
        for cell in found.associations
        if cell.method == leading and cell.r is not None and id(cell) not in drawn
    ]
    strongest = sorted(others, key=lambda cell: -abs(cell.r or 0))[:_PANELS]
    kept = {id(cell) for cell in strongest}
    more = f", the {len(kept)} strongest of {len(others)} correlations"
    for cell in others:
        if id(cell) in kept:
            title = f"{cell.intrinsic.name}{more if len(others) > len(kept) else ''}"
            groups.setdefault(title, []).append(cell)
    return [scatter_figure(found, cells, title) for title, cells in groups.items() if cells]
