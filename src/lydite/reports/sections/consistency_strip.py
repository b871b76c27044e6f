"""Terms in pictures: all of them as a strip sorted by trust, and the best and worst by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from markupsafe import Markup

from lydite.reports import palette
from lydite.reports.figures import (
    WIDTH,
    canvas,
    drawing,
    label,
    set_margins,
    text_width,
    to_svg,
)
from lydite.reports.sections import Figure
from lydite.reports.sections.consistency_terms import (
    MISTRUST,
    TRUST,
    TermRow,
    Verdict,
    chance_of,
    terms_by_trust,
    verdict_on,
)
from lydite.reports.sections.consistency_texts import Text, score_of
from lydite.results.record import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

_PANELS = 4
_NAMED = 25
#: With more terms than this their marks are smaller.
_MANY = 120
#: The room between the panels of two learners, in inches.
_BETWEEN = 0.38

#: The colour, marker and size of each verdict.
_MARKS: dict[Verdict, tuple[palette.Colour, str, float]] = {
    "trust": (palette.ACCENT, "o", 4.0),
    "doubt": (palette.NULL_MEAN, "o", 3.0),
    "do not trust": (palette.FAILURE, "x", 3.4),
}
#: What the cosines of a term are to be read beside: score, colour, line.
_LINES = (
    ("different_terms_cosine", palette.NULL_MEAN, "--"),
    ("size_matched_cosine", palette.GOLD, "-"),
)
_THRESHOLDS = (
    f"Trust: identification of {TRUST:g} or more; do not trust: under {MISTRUST:g} or chance "
    "(dashed)."
)


def strip_figure(text: Text) -> Figure | None:
    """Draw all terms of a text, sorted by trust, a panel a learner; None if there are none."""
    shown = {
        name: sorted(values, reverse=True)
        for name, result in list(text.learners.items())[:_PANELS]
        if (values := _identifications(result))
    }
    if not shown:
        return None
    with drawing():
        # Few or many, the panels stay low enough to stand beside other figures.
        height = min(1.15, 4.0 / len(shown) - _BETWEEN)
        figure = canvas(WIDTH, (height + _BETWEEN) * len(shown) + 0.54)
        set_margins(figure, left=0.5, right=0.1, top=0.3, bottom=0.62)
        figure.subplots_adjust(hspace=_BETWEEN / height)
        grid = figure.subplots(len(shown), 1, squeeze=False)
        for axes, (name, values) in zip(grid[:, 0], shown.items(), strict=True):
            _strip(axes, values, chance_of(text.learners[name]))
            counts = _counted(values, chance_of(text.learners[name]))
            axes.set_title(f"{label(name, 30)}: {counts}", loc="left", fontsize=8.5)
        grid[-1, 0].set_xlabel("terms, the most consistent first")
        _legend(figure)
        svg = to_svg(figure)
    said = [f"{text.title}: each mark is a term, by its identification. {_THRESHOLDS}"]
    if len(shown) > 1:
        said.append("Each learner's terms are in its own order.")
    return Figure(svg=svg, caption=" ".join([*said, *_cut(text)]))


def _identifications(result: Result) -> list[float]:
    rows = result.details.get("terms") or []
    return [row["identification"] for row in rows if row.get("identification") is not None]


def _counted(values: Iterable[float], chance: float) -> str:
    counts = Counter(verdict_on(value, chance) for value in values)
    return ", ".join(f"{verdict} {counts[verdict]:,}" for verdict in _MARKS)


def _cut(text: Text) -> list[str]:
    n = len(text.learners)
    return [f"Shown: {_PANELS} of {n} learners, the best."] if n > _PANELS else []


def _strip(axes: Axes, values: Sequence[float], chance: float) -> None:
    axes.axhspan(TRUST, 1.0, color=palette.PANEL.light, lw=0)
    _dashed(axes, chance, across=True)
    _marks(axes, [(place, value, value) for place, value in enumerate(values, 1)], chance)
    room = 0.5 + 0.01 * len(values)
    axes.set_xlim(1 - room, len(values) + room)
    axes.set_ylim(-0.04, 1.06)
    axes.set_yticks([0.0, MISTRUST, TRUST, 1.0], ["0", f"{MISTRUST:g}", f"{TRUST:g}", "1"])
    axes.tick_params(axis="y", length=0, labelsize=7.5, labelcolor=palette.MUTED.light)
    axes.tick_params(axis="x", labelsize=7.5, length=2)
    axes.grid(axis="y", color=palette.RULE.light, lw=0.6)
    axes.spines["left"].set_visible(False)
    axes.set_axisbelow(True)


def _dashed(axes: Axes, chance: float, *, across: bool = False) -> None:
    if chance:
        draw = axes.axhline if across else axes.axvline
        draw(chance, color=palette.NULL_MEAN.light, lw=0.9, ls=(0, (3, 2.5)))


def _marks(axes: Axes, points: Sequence[tuple[float, float, float]], chance: float) -> None:
    """Draw points (x, y), each marked by the verdict on its third member."""
    smaller = 0.6 if len(points) > _MANY else 1.0
    for verdict, (colour, marker, size) in _MARKS.items():
        chosen = [(x, y) for x, y, value in points if verdict_on(value, chance) == verdict]
        axes.plot(
            [x for x, _ in chosen],
            [y for _, y in chosen],
            marker,
            ms=size * smaller,
            mfc=colour.light if verdict == "trust" else palette.PAGE.light,
            mec=colour.light,
            mew=smaller,
            clip_on=False,
        )


def terms_figure(text: Text) -> Figure | None:
    """Draw terms by name, identification and cosine of each learner side by side."""
    rows = terms_by_trust(text)
    if not rows:
        return None
    shown = list(enumerate(rows))
    if len(rows) > 2 * _NAMED:
        # A free row stands for those between.
        best, worst = shown[:_NAMED], shown[-_NAMED:]
        shown = best + [(_NAMED + 1 + place, row) for place, (_, row) in enumerate(worst)]
    learners = dict(list(text.learners.items())[:_PANELS])
    said = [f"{text.title}: terms by trust. {_THRESHOLDS} Cosines beside their baselines."]
    if len(rows) > 2 * _NAMED:
        said.append(f"Shown: the {_NAMED} most and the {_NAMED} least consistent of {len(rows):,}.")
    if len(text.learners) > 1:
        said.append("Sorted by the mean of all learners.")
    svg = _named(shown, learners)
    return Figure(svg=svg, caption=" ".join([*said, *_cut(text)]))


def _named(rows: Sequence[tuple[int, TermRow]], learners: dict[str, Result]) -> Markup:
    with drawing():
        names = [label(row.term, 26) for _, row in rows]
        left = text_width(names, 7.5) + 0.1
        height = 0.158 * (rows[-1][0] + 1)
        width = max(WIDTH, left + 2.3 * len(learners))
        across = (width - left) / (2 * len(learners))
        figure = canvas(width, height + 0.42 + 0.68)
        set_margins(figure, left=left, right=0.12, top=0.42, bottom=0.68)
        figure.subplots_adjust(wspace=0.2 / (across - 0.2))
        grid = figure.subplots(1, 2 * len(learners), squeeze=False, sharey=True)[0]
        for place, (name, result) in enumerate(learners.items()):
            one, other = grid[2 * place], grid[2 * place + 1]
            _places(one, rows, name, chance_of(result))
            _cosines(other, rows, name, result)
            one.set_title(label(name, int(24 * across)), loc="left", fontsize=8.5, pad=10)
        grid[0].set_yticks([place for place, _ in rows], names)
        grid[0].set_ylim(rows[-1][0] + 0.7, -0.7)
        for axes in grid:
            axes.tick_params(axis="y", length=0, labelsize=7.5)
            axes.tick_params(axis="x", labelsize=7.5, length=2)
            axes.spines["left"].set_visible(False)
            axes.grid(axis="y", color=palette.RULE.light, lw=0.6)
            axes.set_axisbelow(True)
        _legend(figure, lines=True)
        return to_svg(figure)


def _places(axes: Axes, rows: Sequence[tuple[int, TermRow]], name: str, chance: float) -> None:
    _dashed(axes, chance)
    told = [
        (row.learners[name]["identification"], place) for place, row in rows if name in row.learners
    ]
    _marks(axes, [(value, place, value) for value, place in told], chance)
    axes.set_xlim(-0.04, 1.04)
    axes.set_xticks([0.0, MISTRUST, TRUST, 1.0], ["0", f"{MISTRUST:g}", f"{TRUST:g}", "1"])
    axes.set_xlabel("identification", fontsize=8)


def _cosines(axes: Axes, rows: Sequence[tuple[int, TermRow]], name: str, result: Result) -> None:
    for score, colour, style in _LINES:
        value = score_of(result, score)
        if value is not None:
            axes.axvline(value, color=colour.light, lw=1.1, ls=style)
    told = [
        (row.learners[name]["cosine"], place)
        for place, row in rows
        if row.learners.get(name, {}).get("cosine") is not None
    ]
    xs = [x for x, _ in told]
    axes.plot(xs, [y for _, y in told], "o", ms=3.0, mew=0, color=palette.MUTED.light)
    axes.locator_params(axis="x", nbins=3)
    axes.set_xlabel("cosine", fontsize=8)


def _legend(figure: Canvas, *, lines: bool = False) -> None:
    from matplotlib.lines import Line2D

    handles = [
        Line2D(
            [],
            [],
            ls="",
            marker=marker,
            ms=size,
            mfc=colour.light if verdict == "trust" else palette.PAGE.light,
            mec=colour.light,
        )
        for verdict, (colour, marker, size) in _MARKS.items()
    ]
    names: list[str] = list(_MARKS)
    if lines:
        handles += [Line2D([], [], c=colour.light, ls=style, lw=1.1) for _, colour, style in _LINES]
        names += ["different terms", "size-matched text"]
    figure.legend(
        handles,
        names,
        loc="lower left",
        ncols=len(handles),
        frameon=False,
        fontsize=8,
        handletextpad=0.3,
        handlelength=1.2,
        columnspacing=1.0,
    )
