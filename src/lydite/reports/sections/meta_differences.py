"""How much better one intrinsic score is than others, as differences with their intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence

from markupsafe import Markup

from lydite.reports import palette
from lydite.reports.figures import label, text_width
from lydite.reports.sections import Figure
from lydite.reports.sections.meta_drawing import WIDTH, document, dot, line, named, write
from lydite.results.meta.comparing import Comparison
from lydite.results.meta.evaluation import MetaEvaluation, differs
from lydite.results.meta.leading import difference_said
from lydite.results.meta.naming import write_correlation
from lydite.results.meta.scores import Measure

_ROW, _HEAD, _GAP, _AXIS = 11.5, 14.0, 8.0, 16.0
_NAME, _TEXT = 34, 7.5
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
        svg=_drawn(found, list(groups.values())),
        caption=f"Differences of correlations ({kind}), with 95 % intervals: {said}. An interval "
        "across the line: which one is better cannot be told. A star marks what is more than "
        "chance after the correction; intervals are not corrected, and all is as if models were "
        "independent.",
    )


def _drawn(found: MetaEvaluation, groups: Sequence[Sequence[Comparison]]) -> Markup:
    every = [each for group in groups for each in group]
    left = 72 * text_width([label(_row_name(found, each), _NAME) for each in every], _TEXT) + 6
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
        bottom = y + _ROW * len(group)
        parts.append(line((place(0), y), (place(0), bottom), palette.NULL_MEAN))
        for row, each in enumerate(ordered):
            middle = y + (row + 0.5) * _ROW
            ends = [each.difference if end is None else end for end in (each.low, each.high)]
            drawn = [
                write(label(_row_name(found, each), _NAME), (0, middle + 2.5), size=_TEXT),
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
            parts.append(named(_figures(found, each), drawn))
        y = bottom + _GAP
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


def _figures(found: MetaEvaluation, each: Comparison) -> str:
    names = found.names
    return (
        f"{names[each.first]} {each.r_first:.3f}, {names[each.second]} {each.r_second:.3f}, with "
        f"{names[each.downstream]}, {each.method}, {each.n} models: difference "
        f"{difference_said(each)}, p {each.p_value:.2g}, corrected {each.p_corrected:.2g}"
    )
