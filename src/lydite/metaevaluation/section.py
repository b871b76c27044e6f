"""The section on meta-evaluation: whether intrinsic scores predict downstream ones."""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence

import numpy as np
from markupsafe import Markup

from lydite.drawing import palette
from lydite.drawing.figures import label
from lydite.drawing.section import Figure, Section, cut_note, sentences
from lydite.drawing.shapes import (
    WIDTH,
    Anchor,
    Place,
    document,
    dot,
    line,
    named,
    rectangle,
    width_of,
    write,
)
from lydite.errors import UndefinedScoreError
from lydite.metaevaluation.comparison import Comparison
from lydite.metaevaluation.correlation import Association
from lydite.metaevaluation.evaluation import Grid, MetaEvaluation, meta
from lydite.metaevaluation.scores import is_downstream, write_correlation
from lydite.metaevaluation.tables import (
    comparison_tables,
    grid_table,
    long_table,
    models_said,
    star_note,
)
from lydite.metaevaluation.verdict import grid_verdict, notes, overall_verdict
from lydite.results.metrics import metric_named
from lydite.results.record import Result
from lydite.types import Floats

logger = logging.getLogger(__name__)

#: Of the matrix: the height of a row, the room between two groups and above all of them, and the
#: least and greatest width of a column.
_ROW, _GAP, _TOP = 25.0, 8.0, 20.0
_COLUMN_LEAST, _COLUMN_MOST = 44.0, 84.0
_NAME = 34


def matrix_figure(found: MetaEvaluation, grid: Grid) -> Figure:
    """Draw a grid: one cell per correlation, its number in it, its strength as its color."""
    leading = found.methods[0]
    groups = [label(row.group, _NAME) for row in grid.rows]
    names = [label(row.name, _NAME) for row in grid.rows]
    heads = [label(column.name, 20) for column in grid.columns]
    first = width_of(groups, 8.0) + 10 if any(groups) else 0.0
    left = first + width_of(names, 8.5) + 10
    room = (WIDTH - left) / len(heads)
    across = max(width_of(heads, 8.0) + 6, min(max(room, _COLUMN_LEAST), _COLUMN_MOST))
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
    caption = sentences(
        f"{grid.title}, {models_said(found.of(grid, leading))}. In a cell: "
        f"{leading.capitalize()}'s correlation over models; blue is positive, red is negative, "
        "darker means stronger.",
        "Below it, smaller: Spearman's rho." if len(found.methods) > 1 else "",
        star_note(found),
        grid_verdict(found, grid),
    )
    width = max(WIDTH, left + len(heads) * across)
    return Figure(svg=document(width, y + 2, parts), caption=caption)


def _cell(cells: list[Association], what: str, place: Place, across: float) -> Markup:
    leading, middle = cells[0], place[0] + across / 2
    corner, size = (place[0] + 1.2, place[1] + 1.2), (across - 2.4, _ROW - 2.4)
    parts = [rectangle(corner, size, palette.PANEL)]
    if leading.r is None:
        parts.append(write("–", (middle, place[1] + 15), anchor="middle", colour=palette.MUTED))
        return named(f"{what}: {leading.reason}", parts)
    # The two colors are of unlike depth, and black and white must both be read on them.
    colour, depth = (palette.FAINT, 1.0) if leading.r >= 0 else (palette.FAILURE, 0.55)
    parts.append(rectangle(corner, size, colour, depth * abs(leading.r)))
    heights, sizes = ((12.5, 20.5), (9.0, 6.5)) if len(cells) > 1 else ((15.5,), (9.0,))
    for cell, height, letters in zip(cells, heights, sizes, strict=True):
        text = "–" if cell.r is None else write_correlation(cell.r) + "*" * cell.stands_out
        bold = cell is leading and cell.stands_out
        spot = (middle, place[1] + height)
        parts.append(write(text, spot, size=letters, anchor="middle", bold=bold))
    return named("; ".join([what, *map(_figures, cells)]), parts)


def _figures(cell: Association) -> str:
    if cell.r is None or cell.p_value is None or cell.p_corrected is None:
        return f"{cell.method}: {cell.reason}"
    spread = "" if cell.low is None else f", 95 % interval {cell.low:.2f} to {cell.high:.2f}"
    return (
        f"{cell.method} {cell.r:.3f}, {cell.n} models, p {cell.p_value:.2g}, "
        f"corrected {cell.p_corrected:.2g}{spread}"
    )


#: A panel of a scatter plot, and the room around its points.
_ACROSS, _DOWN = 139.2, 124.0
_LEFT, _RIGHT, _ABOVE, _BOTTOM = 28.0, 12.0, 24.0, 18.0
#: Up to so many models are named in the panel itself.
_DIRECT = 6
_NUMBER, _LEGEND = 5.8, 7.0


def scatter_figure(
    found: MetaEvaluation, cells: Sequence[Association], title: str, note: str = ""
) -> Figure:
    """Draw one panel per pair of scores, one row per intrinsic score."""
    rows: dict[object, list[Association]] = {}
    for cell in cells:
        rows.setdefault(cell.intrinsic, []).append(cell)
    few = max((cell.n for cell in cells), default=0) <= _DIRECT
    width = max(WIDTH, max(map(len, rows.values())) * _ACROSS)
    parts = [
        _panel(found, cell, (i * _ACROSS, j * _DOWN), direct=few)
        for j, row in enumerate(rows.values())
        for i, cell in enumerate(row)
    ]
    below = len(rows) * _DOWN + 8
    legend, height = ([], 0.0) if few else _legend(found, width, below)
    caption = sentences(
        f"{title}. A point is a model; the line is the least-squares fit, a star marks what stands "
        "out.",
        "" if few else "Numbers stand for models, named below the panels.",
        "Hover over a point to see its name.",
        note,
    )
    return Figure(svg=document(width, below + height, parts + legend), caption=caption)


def _panel(found: MetaEvaluation, cell: Association, corner: Place, *, direct: bool) -> Markup:
    x0, y0 = corner
    sides = (cell.intrinsic, cell.downstream)
    x_name, y_name = (found.names[side] for side in sides)
    x, y = (metric_named(side.metric, side.name).write for side in sides)
    kept = [found.scores.models.index(model) for model in cell.models]
    values = np.stack([found.scores.of(side) for side in sides], axis=1)[kept]
    box = (x0 + _LEFT, y0 + _ABOVE, x0 + _ACROSS - _RIGHT, y0 + _DOWN - _BOTTOM)
    spots = _project(values, box)
    names = [found.model_names[model] for model in cell.models]
    labels = _direct(names, spots, box) if direct else _numbers(kept, spots)
    sign = "r" if cell.method == "pearson" else "ρ"
    said = f"{sign} = {write_correlation(cell.r or 0.0)}{'*' * cell.stands_out}"
    left, top, right, bottom = box
    (x_low, y_low), (x_high, y_high) = values.min(axis=0), values.max(axis=0)
    ends: list[tuple[str, Place, Anchor]] = [
        (x(x_low), (left + 6, bottom + 8), "middle"),
        (x(x_high), (right - 6, bottom + 8), "middle"),
        (y(y_low), (left - 3, bottom - 4), "end"),
        (y(y_high), (left - 3, top + 8), "end"),
    ]
    points = zip(names, values.tolist(), spots.tolist(), labels, strict=True)
    return Markup("").join(
        [
            # Longer titles would run into the next panel.
            write(label(f"{x_name} → {y_name}", 34), (x0 + 4, y0 + 9), size=7.0),
            write(said, (x0 + 4, y0 + 18), size=7.0, bold=cell.stands_out),
            line((left, bottom), (right, bottom), palette.RULE),
            line((left, top), (left, bottom), palette.RULE),
            *(
                write(text, place, size=6.0, anchor=anchor, colour=palette.MUTED)
                for text, place, anchor in ends
            ),
            _fit(spots, top, bottom),
            *(
                named(
                    f"{name}: {x_name} {x(one)}, {y_name} {y(other)}",
                    [dot(spot, palette.ACCENT), text],
                )
                for name, (one, other), spot, text in points
            ),
        ]
    )


def _project(values: Floats, box: tuple[float, float, float, float]) -> Floats:
    """Return where values, (n, 2), lie within a box: left, top, right, bottom."""
    left, top, right, bottom = box
    low, high = values.min(axis=0), values.max(axis=0)
    share = (values - low) / (high - low)
    across = left + 6 + share[:, 0] * (right - left - 12)
    return np.stack([across, bottom - 6 - share[:, 1] * (bottom - top - 12)], axis=1)


def _fit(spots: Floats, top: float, bottom: float) -> Markup:
    """Draw the least-squares line as far as it stays in the panel."""
    x, y = spots.T
    slope = float(((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum())
    ends = np.array([x.min(), x.max()])
    if slope:
        reach = np.sort((np.array([top, bottom]) - y.mean()) / slope + x.mean())
        ends = np.clip(ends, *reach)
    heights = y.mean() + slope * (ends - x.mean())
    start, end = zip(ends.tolist(), heights.tolist(), strict=True)
    return line(start, end, palette.NULL, width=1.0)


#: Where a number may stand beside its point, the best first.
_SIDES = ((4.2, 2.0), (-4.2, 2.0), (0.0, -4.0), (0.0, 8.2), (4.2, -3.0), (-4.2, -3.0))


def _numbers(kept: Sequence[int], spots: Floats) -> list[Markup]:
    """Write the number of each model beside its point, where it covers least."""
    # The middle of each box and half its size.
    taken = [(x, y, 2.4, 2.4) for x, y in spots.tolist()]
    labels = []
    for k, (x, y) in enumerate(spots.tolist()):
        text = str(kept[k] + 1)
        reach = 1.8 * len(text)
        boxes = [
            (x + dx + math.copysign(reach, dx) * bool(dx), y + dy - 2.0, reach, 2.6)
            for dx, dy in _SIDES
        ]
        others = taken[:k] + taken[k + 1 :]
        best = min(boxes, key=lambda box: sum(_overlap(box, other) for other in others))
        taken.append(best)
        spot = (best[0], best[1] + 2.0)
        labels.append(write(text, spot, size=_NUMBER, anchor="middle", colour=palette.MUTED))
    return labels


def _overlap(one: tuple[float, ...], two: tuple[float, ...]) -> float:
    """Return the common area of two boxes."""
    across = one[2] + two[2] - abs(one[0] - two[0])
    down = one[3] + two[3] - abs(one[1] - two[1])
    return max(0.0, across) * max(0.0, down)


def _direct(
    names: Sequence[str], spots: Floats, box: tuple[float, float, float, float]
) -> list[Markup]:
    """Write the name of each model beside its point, towards the middle of the panel."""
    middle, last = (box[0] + box[2]) / 2, -math.inf
    labels: dict[int, Markup] = {}
    for k in np.argsort(spots[:, 1], kind="stable").tolist():
        x, y = spots[k].tolist()
        # Moved down until it does not cover the one above it.
        last = max(y, last + 6.5)
        anchor: Anchor = "start" if x < middle else "end"
        spot = (x + (4 if x < middle else -4), last + 2)
        text = label(names[k], 20)
        labels[k] = write(text, spot, size=_NUMBER, anchor=anchor, colour=palette.MUTED)
    return [labels[k] for k in range(len(names))]


def _legend(found: MetaEvaluation, width: float, top: float) -> tuple[list[Markup], float]:
    names = [f"{i} {label(name, 36)}" for i, name in enumerate(found.model_names.values(), 1)]
    across = width_of(names, _LEGEND) * 0.9 + 8
    rows = -(-len(names) // max(1, int(width // across)))
    parts = [
        write(name, (4 + k // rows * across, top + 6 + k % rows * 9), size=_LEGEND)
        for k, name in enumerate(names)
    ]
    return parts, rows * 9.0 + 6


#: Of the differences: the height of a row and of a title, the room below a group and for the axis,
#: and for the figures at the end of a row.
_THIN, _HEAD, _SPACE, _AXIS, _END = 11.5, 14.0, 8.0, 16.0, 88.0


def differences_figure(found: MetaEvaluation) -> Figure:
    """Draw one row per comparison of the leading method, those of one downstream score together."""
    groups = list(found.compared(found.methods[0]).values())
    every = [each for group in groups for each in group]

    def name(each: Comparison) -> str:
        return label(found.names[each.second if found.against is None else each.first], 34)

    left = width_of(map(name, every), 7.5) + 6
    low = min(0.0, *(each.difference if each.low is None else each.low for each in every))
    high = max(0.0, *(each.difference if each.high is None else each.high for each in every))
    across = (WIDTH - left - _END) / max(high - low, 0.1)

    def place(value: float) -> float:
        return left + (value - low) * across

    def drawn(each: Comparison, y: float) -> Markup:
        ends = [each.difference if end is None else end for end in (each.low, each.high)]
        said, bold = each.said + "*" * each.differs, each.differs
        return named(
            _difference_figures(found, each),
            [
                write(name(each), (0, y + 2.5), size=7.5),
                line((place(ends[0]), y), (place(ends[1]), y), palette.FAINT, width=1.6),
                dot((place(each.difference), y), palette.ACCENT),
                write(said, (WIDTH, y + 2.5), size=7.0, anchor="end", bold=bold),
            ],
        )

    parts: list[Markup] = []
    y = 0.0
    for group in groups:
        parts.append(write(_title(found, group[0]), (0, y + 10), size=8.0, bold=True))
        top, bottom = y + _HEAD, y + _HEAD + _THIN * len(group)
        parts.append(line((place(0), top), (place(0), bottom), palette.NULL_MEAN))
        # The nearest behind the best come first; against one by name, the best do.
        ordered = sorted(group, key=lambda each: each.difference, reverse=bool(found.against))
        parts += [drawn(each, top + (row + 0.5) * _THIN) for row, each in enumerate(ordered)]
        y = bottom + _SPACE
    for tick in range(math.ceil(low * 2), math.floor(high * 2) + 1):
        text, spot = write_correlation(tick / 2), (place(tick / 2), y + 4)
        parts.append(write(text, spot, size=6.5, anchor="middle", colour=palette.MUTED))
    said = (
        "the correlation of the best intrinsic score minus that of each other score; right of "
        "the line the best is better"
        if found.against is None
        else "the correlation of each intrinsic score minus that of "
        f"{found.names[found.against]}; right of the line it is better"
    )
    return Figure(
        svg=document(WIDTH, y + _AXIS, parts),
        caption=f"Differences of correlations ({found.methods[0].capitalize()}), with 95 % "
        f"intervals: {said}. If an interval crosses the line, it is unclear which score "
        "is better. A star marks what is more than chance after correction; intervals "
        "are not corrected.",
    )


def _title(found: MetaEvaluation, each: Comparison) -> str:
    task, first, second = (found.names[m] for m in (each.downstream, each.first, each.second))
    if found.against is None:
        return label(f"{task}: {first} ({write_correlation(each.r_first)}) less …", 72)
    return label(f"{task}, less {second} ({write_correlation(each.r_second)})", 72)


def _difference_figures(found: MetaEvaluation, each: Comparison) -> str:
    names = found.names
    return (
        f"{names[each.first]} {each.r_first:.3f}, {names[each.second]} {each.r_second:.3f}, with "
        f"{names[each.downstream]}, {each.method}, {each.n} models: difference {each.said}, "
        f"p {each.p_value:.2g}, corrected {each.p_corrected:.2g}"
    )


#: More panels than these, besides those of the paper's tables, nobody looks at.
_PANELS = 96

_READING = (
    "A correlation of 1 means that the models which score higher on the intrinsic test are "
    "always the more useful ones, 0 that the test says nothing about usefulness, and a negative "
    "value that it misleads. It is computed over models, and these are few: before you believe "
    "it, look at the interval and at the smallest and largest value when one model is left out. "
    "A higher correlation than that of another score may also be chance: look at the differences."
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
        title="Meta-evaluation: do intrinsic scores predict downstream ones?",
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
    figures = [scatter_figure(found, cells, title) for title, cells in groups.items() if cells]
    drawn = {id(cell) for cells in groups.values() for cell in cells}
    others = [
        cell
        for cell in found.associations
        if cell.method == leading and cell.r is not None and id(cell) not in drawn
    ]
    strongest = sorted(others, key=lambda cell: -abs(cell.r or 0))[:_PANELS]
    kept = {id(cell) for cell in strongest}
    named_groups: dict[str, list[Association]] = {}
    for cell in (cell for cell in others if id(cell) in kept):
        named_groups.setdefault(cell.intrinsic.name, []).append(cell)
    note = cut_note(len(kept), len(others), "correlations", "the strongest")
    figures += [scatter_figure(found, cells, title, note) for title, cells in named_groups.items()]
    return figures
