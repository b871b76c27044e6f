"""A scatter plot a pair of scores, the models named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from markupsafe import Markup

from lydite.reports import palette
from lydite.reports.figures import label, text_width
from lydite.reports.metrics import metric_named
from lydite.reports.sections import Figure
from lydite.reports.sections.meta_drawing import WIDTH, Anchor, document, dot, line, named, write
from lydite.results.meta.associating import Association
from lydite.results.meta.evaluation import MetaEvaluation, stands_out
from lydite.results.meta.naming import write_correlation
from lydite.types import Floats

#: A panel and the room around its points.
_ACROSS, _DOWN = 139.2, 124.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 28.0, 12.0, 24.0, 18.0
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
    down = corner[1] + _DOWN - _BOTTOM - 6 - share[:, 1] * (_DOWN - _TOP - _BOTTOM - 12)
    return np.stack([across, down], axis=1)


def _axes(values: Floats, cell: Association, corner: tuple[float, float]) -> list[Markup]:
    """Draw the two axes with the least and the greatest score at their ends."""
    x0, y0 = corner
    left, right = x0 + _LEFT, x0 + _ACROSS - _RIGHT
    top, bottom = y0 + _TOP, y0 + _DOWN - _BOTTOM
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
    top = placed.corner[1] + _TOP
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
