"""How consistency grows with text, and how far a domain is from the background, in pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

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
from lydite.reports.sections.consistency_texts import (
    Text,
    all_rows,
    blind_choice,
    groups_of,
    sizes_of,
)
from lydite.types import PlainMapping

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas


_DASHED: dict[str, Any] = {"color": palette.NULL_MEAN.light, "lw": 1.0, "ls": (0, (3, 2))}

#: The colour, marker and size of each learner.
_MARKS = (
    (palette.ACCENT, "o", 5.0),
    (palette.GOLD, "D", 4.2),
    (palette.FAILURE, "s", 4.4),
    (palette.MUTED, "^", 5.0),
    (palette.FAINT, "v", 5.0),
    (palette.INK, "P", 5.0),
)


def sizes_figure(text: Text) -> Figure | None:
    """Draw identification and cosine against the number of sentences of a sample."""
    told = text.told(sizes_of)
    if not told:
        return None
    learners = dict(list(told.items())[: len(_MARKS)])
    sizes = all_rows(learners)
    terms = [_terms(learners, size) for size in sizes]
    with drawing():
        figure = canvas(WIDTH, 2.75)
        set_margins(figure, left=0.5, right=0.1, top=0.28, bottom=0.95)
        figure.subplots_adjust(wspace=0.25)
        one, other = figure.subplots(1, 2)
        _curves(one, learners, sizes, "identification")
        _curves(other, learners, sizes, "cosine")
        _chance(one, terms)
        one.set_ylim(bottom=0.0)
        for axes in (one, other):
            ticks = [
                f"{size}\n({n:,})" if n else size for size, n in zip(sizes, terms, strict=True)
            ]
            axes.set_xticks(range(len(sizes)), ticks)
            axes.set_xlabel("sentences a sample (terms)", fontsize=8)
        _legend(figure, learners, ["chance"])
        svg = to_svg(figure)
    said = [
        f"{text.title}: consistency by the number of sentences, with intervals of 95\u00a0%, of "
        "the terms that have enough for the largest number."
    ]
    return Figure(svg=svg, caption=" ".join([*said, *_cut(told)]))


def _terms(learners: Mapping[str, Mapping[str, PlainMapping]], size: str) -> int:
    return max(rows[size].get("terms") or 0 for rows in learners.values() if size in rows)


def _curves(
    axes: Axes,
    learners: Mapping[str, Mapping[str, PlainMapping]],
    sizes: Sequence[str],
    measure: str,
) -> None:
    for number, (rows, (colour, marker, size)) in enumerate(
        zip(learners.values(), _MARKS, strict=False)
    ):
        # Learners stand a little beside each other, so that their intervals can be told apart.
        shift = 0.12 * (number - (len(learners) - 1) / 2)
        places = {each: place + shift for place, each in enumerate(sizes)}
        told = {each: row for each, row in rows.items() if row.get(measure) is not None}
        _join(axes, {each: row[measure] for each, row in told.items()}, places, colour.light)
        for each, row in told.items():
            low, high = (row.get(f"{measure}_{end}", row[measure]) for end in ("low", "high"))
            axes.vlines(places[each], low, high, color=colour.light, lw=1.4)
            axes.plot([places[each]], [row[measure]], marker, ms=size, mew=0, c=colour.light)
    axes.set_title(measure, loc="left", fontsize=8.5)
    axes.set_xlim(-0.5, len(sizes) - 0.5)
    axes.tick_params(labelsize=7.5, length=2, labelcolor=palette.MUTED.light)
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="y", color=palette.RULE.light, lw=0.6)
    axes.set_axisbelow(True)


def _join(axes: Axes, rows: Mapping[str, float], places: Mapping[str, float], colour: str) -> None:
    """Join what was measured on the same terms."""
    joined = [(places[size], value) for size, value in rows.items()]
    axes.plot([x for x, _ in joined], [y for _, y in joined], "-", lw=1.2, c=colour)


def _chance(axes: Axes, terms: Sequence[int]) -> None:
    """Draw what a blind choice would get among so many terms."""
    for place, n in enumerate(terms):
        if n:
            axes.hlines(blind_choice(n), place - 0.3, place + 0.3, **_DASHED)


def domain_figure(text: Text) -> Figure | None:
    """Draw how like the background's own vectors the terms are, by their frequency in both."""
    told = text.told(groups_of)
    if not told:
        return None
    learners = dict(list(told.items())[: len(_MARKS)])
    groups = all_rows(learners)
    with drawing():
        names = [label(group, 44) for group in groups]
        bottom = 0.8 if len(learners) > 1 else 0.5
        figure = canvas(WIDTH, 0.3 * len(groups) + 0.1 + bottom)
        set_margins(figure, left=text_width(names, 8) + 0.1, right=0.5, top=0.1, bottom=bottom)
        axes = figure.add_subplot()
        for rows, (colour, marker, size) in zip(learners.values(), _MARKS, strict=False):
            points = [(rows.get(group, {}).get("cosine"), y) for y, group in enumerate(groups)]
            known = [(x, y) for x, y in points if x is not None]
            xs = [x for x, _ in known]
            axes.plot(xs, [y for _, y in known], marker, ms=size, mew=0, c=colour.light)
        for y, group in enumerate(groups):
            axes.annotate(
                f"{_terms(learners, group):,}",
                (1.0, y),
                xycoords=("axes fraction", "data"),
                xytext=(6, 0),
                textcoords="offset points",
                va="center",
                fontsize=8,
                color=palette.MUTED.light,
            )
        axes.set_yticks(range(len(groups)), names)
        axes.set_ylim(len(groups) - 0.5, -0.5)
        axes.margins(x=0.08)
        axes.tick_params(axis="y", length=0, labelsize=8)
        axes.spines["left"].set_visible(False)
        axes.grid(color=palette.RULE.light, lw=0.6)
        axes.set_axisbelow(True)
        axes.set_xlabel("cosine with the background's own vector", fontsize=8)
        if len(learners) > 1:
            _legend(figure, learners)
        svg = to_svg(figure)
    said = [
        f"{text.title}: terms learnt from all their sentences, beside their meaning at large, by "
        "how frequent they are in the domain and in the background. At the right, the number of "
        "terms."
    ]
    return Figure(svg=svg, caption=" ".join([*said, *_cut(told)]))


def _cut(told: Mapping[str, object]) -> list[str]:
    most = len(_MARKS)
    return [f"Shown: {most} of {len(told)} learners, the best."] if len(told) > most else []


def _legend(figure: Canvas, learners: Mapping[str, object], dashed: Sequence[str] = ()) -> None:
    from matplotlib.lines import Line2D

    handles = [
        Line2D([], [], ls="", marker=marker, ms=size, c=colour.light)
        for _, (colour, marker, size) in zip(learners, _MARKS, strict=False)
    ]
    handles += [Line2D([], [], **_DASHED) for _ in dashed]
    figure.legend(
        handles,
        [*(label(name, 24) for name in learners), *dashed],
        loc="lower left",
        ncols=3,
        frameon=False,
        fontsize=7.5,
        handletextpad=0.3,
        columnspacing=1.0,
    )
