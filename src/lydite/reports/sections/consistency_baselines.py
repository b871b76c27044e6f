"""What a consistency is worth: each measure beside what it would be without the term."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

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
from lydite.reports.sections.consistency_texts import Text, score_of
from lydite.results.record import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

_ROWS = 12
_ROW = 0.44
_TOP, _BOTTOM, _GAP = 0.28, 0.66, 0.3
_DIFFERENT = "different_terms_"

#: What is drawn of each measure, one below the other: name in the legend, beginning of the name of
#: the score, colour, marker and its size, place within the row.
_KINDS = (
    ("one term", "", palette.ACCENT, "o", 5.6, -0.21),
    ("different terms", _DIFFERENT, palette.MUTED, "s", 4.2, -0.03),
    ("size-matched text", "size_matched_", palette.GOLD, "D", 4.2, 0.12),
    ("shuffled words", "shuffled_contexts_", palette.NULL_MEAN, "^", 4.6, 0.27),
)


def baselines_figure(text: Text) -> Figure | None:
    """Draw identification, cosine and rank of each learner beside their baselines."""
    rows = [pair for pair in text.learners.items() if _measured(pair[1])][:_ROWS]
    if not rows:
        return None
    ranked = any(score_of(result, "rank_mean") is not None for _, result in rows)
    with drawing():
        names = [label(name, 22) for name, _ in rows]
        left = text_width(names, 8.5) + 0.12
        right = 0.5 if ranked else 0.15
        panels = 3 if ranked else 2
        across = (WIDTH - left - right - _GAP * (panels - 1)) / panels
        figure = canvas(WIDTH, _TOP + _ROW * len(rows) + _BOTTOM)
        set_margins(figure, left=left, right=right, top=_TOP, bottom=_BOTTOM)
        figure.subplots_adjust(wspace=_GAP / across)
        grid = figure.subplots(1, panels, squeeze=False, sharey=True)[0]
        results = [result for _, result in rows]
        _dots(grid[0], results, "identification", "identification_chance")
        _dots(grid[1], results, "cosine", "different_terms_cosine")
        if ranked:
            _ranks(grid[2], results)
        grid[0].set_yticks(range(len(names)), names)
        grid[0].set_ylim(len(names) - 0.5, -0.5)
        _legend(figure, ranked=ranked)
        svg = to_svg(figure)
    said = [
        f"{text.title}: two vectors of one term, beside those of different terms (in "
        "identification, chance), of sentences dealt out at random to samples of the same size, "
        "and of words dealt out at random."
    ]
    if ranked:
        said.append("Rank: its mean and median; at the right, the share of rank 1.")
    if len(text.learners) > len(rows):
        said.append(f"Shown: {len(rows)} of {len(text.learners)} learners, the best.")
    return Figure(svg=svg, caption=" ".join(said))


def _measured(result: Result) -> bool:
    return any(score_of(result, name) is not None for name in ("identification", "cosine"))


def _dots(axes: Axes, results: Sequence[Result], measure: str, different: str) -> None:
    for _, kind, colour, marker, size, shift in _KINDS:
        name = different if kind == _DIFFERENT else f"{kind}{measure}"
        told = [(score_of(result, name), row + shift) for row, result in enumerate(results)]
        points = [(value, row) for value, row in told if value is not None]
        axes.plot(
            [x for x, _ in points],
            [y for _, y in points],
            marker,
            ms=size,
            color=colour.light,
            mew=0,
            clip_on=False,
        )
    axes.margins(x=0.08)
    axes.locator_params(axis="x", nbins=4)
    axes.set_title(measure, loc="left", fontsize=8.5)
    _rows(axes)


def _ranks(axes: Axes, results: Sequence[Result]) -> None:
    most = 10.0
    for row, result in enumerate(results):
        mean, median = score_of(result, "rank_mean"), score_of(result, "rank_median")
        if mean is None or median is None:
            continue
        most = max(most, 1.5 * mean, 1.5 * median)
        axes.plot([median], [row], "|", ms=10, mew=1.8, color=palette.INK.light, clip_on=False)
        axes.plot([mean], [row], "o", ms=5.6, mew=0, color=palette.ACCENT.light, clip_on=False)
        other = score_of(result, "different_terms_rank_mean")
        if other is not None:
            most = max(most, 1.5 * other)
            axes.plot([other], [row], "s", ms=4.4, mew=0, color=palette.MUTED.light, clip_on=False)
        first = score_of(result, "rank_first")
        if first is not None:
            axes.annotate(
                f"{100 * first:.0f} %",
                (1.0, row),
                xycoords=("axes fraction", "data"),
                xytext=(5, 0),
                textcoords="offset points",
                va="center",
                fontsize=8,
            )
    axes.set_xscale("log")
    axes.set_xlim(0.85, most)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.minorticks_off()
    axes.set_title("rank", loc="left", fontsize=8.5)
    _rows(axes)


def _rows(axes: Axes) -> None:
    axes.tick_params(axis="y", length=0)
    axes.tick_params(axis="x", labelsize=7.5, length=2)
    axes.spines["left"].set_visible(False)
    axes.grid(color=palette.RULE.light, lw=0.6)
    axes.set_axisbelow(True)


def _legend(figure: Canvas, *, ranked: bool) -> None:
    from matplotlib.lines import Line2D

    drawn = [(name, colour, marker, size) for name, _, colour, marker, size, _ in _KINDS]
    if ranked:
        drawn.append(("median rank", palette.INK, "|", 9.0))
    figure.legend(
        [
            Line2D([], [], ls="", marker=marker, ms=size, c=colour.light, mew=1.8 * (marker == "|"))
            for _, colour, marker, size in drawn
        ],
        [name for name, *_ in drawn],
        loc="lower left",
        ncols=len(drawn),
        frameon=False,
        fontsize=7.5,
        handletextpad=0.0,
        columnspacing=0.8,
    )
