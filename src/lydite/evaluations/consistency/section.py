"""Consistency in the report: which terms to trust, the measures beside what they would be anyway.

Identification leads. The measures of Bloem et al. (2019) stand beside their baselines, since for
summed vectors they sit at their ceiling.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from lydite.drawing import palette
from lydite.drawing.figures import WIDTH, canvas, drawing, label, set_margins, text_width, to_svg
from lydite.drawing.section import READING, Figure, ItemsLoader, Section, missing_notes, overview
from lydite.drawing.table import Table
from lydite.evaluations.consistency.tables import (
    MISTRUST,
    TRUST,
    TermRow,
    Text,
    Verdict,
    all_rows,
    blind_choice,
    chance_of,
    domain_table,
    funnel_table,
    groups_of,
    neighbours_table,
    score_of,
    sizes_of,
    sizes_table,
    source_notes,
    summary_table,
    terms_by_trust,
    texts,
    trust_table,
    verdict_on,
)
from lydite.results.record import Result
from lydite.results.trials import trials
from lydite.types import PlainMapping

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
        _strip_legend(figure)
        svg = to_svg(figure)
    said = [f"{text.title}: each mark is a term, by its identification. {_THRESHOLDS}"]
    if len(shown) > 1:
        said.append("Each learner's terms are in its own order.")
    return Figure(svg=svg, caption=" ".join([*said, *_cut_strip(text)]))


def _identifications(result: Result) -> list[float]:
    rows = result.details.get("terms") or []
    return [row["identification"] for row in rows if row.get("identification") is not None]


def _counted(values: Iterable[float], chance: float) -> str:
    counts = Counter(verdict_on(value, chance) for value in values)
    return ", ".join(f"{verdict} {counts[verdict]:,}" for verdict in _MARKS)


def _cut_strip(text: Text) -> list[str]:
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
    return Figure(svg=svg, caption=" ".join([*said, *_cut_strip(text)]))


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
        _strip_legend(figure, lines=True)
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


def _strip_legend(figure: Canvas, *, lines: bool = False) -> None:
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


_DASHED: dict[str, Any] = {"color": palette.NULL_MEAN.light, "lw": 1.0, "ls": (0, (3, 2))}

#: The colour, marker and size of each learner.
_SIZE_MARKS = (
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
    learners = dict(list(told.items())[: len(_SIZE_MARKS)])
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
        _sizes_legend(figure, learners, ["chance"])
        svg = to_svg(figure)
    said = [
        f"{text.title}: consistency by the number of sentences, with intervals of 95\u00a0%, of "
        "the terms that have enough for the largest number."
    ]
    return Figure(svg=svg, caption=" ".join([*said, *_cut_sizes(told)]))


def _terms(learners: Mapping[str, Mapping[str, PlainMapping]], size: str) -> int:
    return max(rows[size].get("terms") or 0 for rows in learners.values() if size in rows)


def _curves(
    axes: Axes,
    learners: Mapping[str, Mapping[str, PlainMapping]],
    sizes: Sequence[str],
    measure: str,
) -> None:
    for number, (rows, (colour, marker, size)) in enumerate(
        zip(learners.values(), _SIZE_MARKS, strict=False)
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
    learners = dict(list(told.items())[: len(_SIZE_MARKS)])
    groups = all_rows(learners)
    with drawing():
        names = [label(group, 44) for group in groups]
        bottom = 0.8 if len(learners) > 1 else 0.5
        figure = canvas(WIDTH, 0.3 * len(groups) + 0.1 + bottom)
        set_margins(figure, left=text_width(names, 8) + 0.1, right=0.5, top=0.1, bottom=bottom)
        axes = figure.add_subplot()
        for rows, (colour, marker, size) in zip(learners.values(), _SIZE_MARKS, strict=False):
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
            _sizes_legend(figure, learners)
        svg = to_svg(figure)
    said = [
        f"{text.title}: terms learnt from all their sentences, beside their meaning at large, by "
        "how frequent they are in the domain and in the background. At the right, the number of "
        "terms."
    ]
    return Figure(svg=svg, caption=" ".join([*said, *_cut_sizes(told)]))


def _cut_sizes(told: Mapping[str, object]) -> list[str]:
    most = len(_SIZE_MARKS)
    return [f"Shown: {most} of {len(told)} learners, the best."] if len(told) > most else []


def _sizes_legend(
    figure: Canvas, learners: Mapping[str, object], dashed: Sequence[str] = ()
) -> None:
    from matplotlib.lines import Line2D

    handles = [
        Line2D([], [], ls="", marker=marker, ms=size, c=colour.light)
        for _, (colour, marker, size) in zip(learners, _SIZE_MARKS, strict=False)
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
        _baselines_legend(figure, ranked=ranked)
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


def _baselines_legend(figure: Canvas, *, ranked: bool) -> None:
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


_HOW_TO_READ = (
    "Each term was learnt several times, each time from other sentences of the same text. If the "
    "text uses it in one sense, and is enough to learn it from, its vectors should be alike. "
    "Identification asks whether a term's second vector is recognised by its first among those of "
    "all terms: 1 means that it is always the nearest, one half that it is typically the second, "
    "and what a blind choice would get is given as chance. Trust the terms at the top, not those "
    "at the bottom. Cosine and rank are the usual measures. They often sit at their ceiling "
    "whatever the term, since more text alone makes vectors alike: read them only beside what "
    "different terms, text of the same size and shuffled words give. A consistent vector need not "
    "be a correct one: a learner that always says the same is consistent too."
)


def section(results: Sequence[Result], items: ItemsLoader) -> Section:
    """Draw scores, terms and baselines of each text, and tell which terms to trust."""
    known = texts(results)
    low: list[Figure | None] = [overview(trial) for trial in trials(results)]
    for text in known:
        low += [
            strip_figure(text),
            baselines_figure(text),
            sizes_figure(text),
            domain_figure(text),
        ]
    # Tall ones stand side by side after the low ones.
    tall = [terms_figure(text) for text in known]
    notes = [note for text in known for note in (*_ceiling_notes(text), *source_notes(text))]
    return Section(
        title="Consistency: which terms can be trusted",
        how_to_read=f"{_HOW_TO_READ} {READING}",
        figures=[figure for figure in (*low, *tall) if figure is not None],
        tables=_tables(results),
        notes=[*notes, *missing_notes(results)],
    )


def _tables(results: Sequence[Result]) -> list[Table]:
    return [
        *trust_table(results),
        summary_table(results),
        *sizes_table(results),
        *neighbours_table(results),
        *domain_table(results),
        *funnel_table(results),
    ]


def _ceiling_notes(text: Text) -> list[str]:
    """Say where the cosine of a term's vectors is no higher than it would be without the term."""
    notes = []
    for name, result in text.learners.items():
        own = score_of(result, "cosine")
        rivals = {
            "sentences dealt out at random": score_of(result, "size_matched_cosine"),
            "vectors of different terms": score_of(result, "different_terms_cosine"),
        }
        beaten = [
            f"{what} have {value:.3f}"
            for what, value in rivals.items()
            if own is not None and value is not None and value >= own
        ]
        if beaten:
            notes.append(
                f"{text.title}: the cosine of {name}, {own:.3f}, is no higher than without the "
                f"terms: {' and '.join(beaten)}."
            )
    return notes
