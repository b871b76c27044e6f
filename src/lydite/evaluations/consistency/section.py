"""Consistency in the report: which terms to trust, the measures beside what they would be anyway.

Identification leads. The measures of Bloem et al. (2019) stand beside their baselines, since for
summed vectors they sit at their ceiling.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from lydite.drawing import palette
from lydite.drawing.figures import label
from lydite.drawing.panels import (
    CHANCE,
    SERIES,
    Margins,
    Mark,
    draw_chance,
    legend_room,
    name_rows,
    panels,
    room_for,
    series,
    ticks,
    write_beside,
)
from lydite.drawing.section import (
    READING,
    Figure,
    ItemsLoader,
    Section,
    both_ends,
    cut_note,
    missing_notes,
    overview,
    sentences,
)
from lydite.evaluations.consistency.tables import (
    MEASURES,
    MISTRUST,
    TRUST,
    Learner,
    TermRow,
    Text,
    Verdict,
    all_rows,
    blind_choice,
    domain_table,
    ends_note,
    funnel_table,
    groups_of,
    measured,
    neighbours_table,
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

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Learners that have panels of their own, terms that are named, and rows of learners.
_PANELS, _NAMED, _ROWS = 4, 50, 12
#: With more terms than this their marks are smaller.
_MANY = 120

_VERDICTS: dict[Verdict, Mark] = {
    "trust": Mark(name="trust", colour=palette.ACCENT, marker="o", size=4.0, edge=1.0),
    "doubt": Mark(
        name="doubt", colour=palette.NULL_MEAN, marker="o", size=3.0, edge=1.0, hollow=True
    ),
    "do not trust": Mark(
        name="do not trust", colour=palette.FAILURE, marker="x", size=3.4, edge=1.0
    ),
}
#: What the cosines of a term are to be read beside, by the score.
_BASELINES = {
    "different_terms_cosine": Mark(
        name="different terms", colour=palette.NULL_MEAN, line="--", width=1.1
    ),
    "size_matched_cosine": Mark(name="size-matched text", colour=palette.GOLD, line="-", width=1.1),
}
_THRESHOLDS = (
    f"Trust: identification of {TRUST:g} or more; do not trust: under {MISTRUST:g} or chance "
    "(dashed)."
)
_TICKS = ticks(0.0, MISTRUST, TRUST, 1.0)


def strip_figure(text: Text) -> Figure | None:
    """Draw all terms of a text, sorted by trust, a panel per learner; None if there are none."""
    shown = {
        name: sorted(values, reverse=True)
        for name, learner in _best(text.learners, _PANELS).items()
        if (values := [v for row in learner.details.terms if (v := row.identification) is not None])
    }
    if not shown:
        return None
    # Few or many, the panels stay low enough to stand beside other figures.
    height = min(1.15, 4.0 / len(shown) - 0.38)
    margins = Margins(left=0.5, top=0.3, bottom=0.62)
    with panels([height] * len(shown), margins=margins, gaps=(0, 0.38), grid="y") as drawn:
        for axes, (name, values) in zip(drawn.all, shown.items(), strict=True):
            chance = text.learners[name].chance
            axes.axhspan(TRUST, 1.0, color=palette.PANEL.light, lw=0)
            if chance:
                draw_chance(axes, chance, flat=True)
            _mark_terms(axes, [(place, v, v) for place, v in enumerate(values, 1)], chance)
            room = 0.5 + 0.01 * len(values)
            axes.set_xlim(1 - room, len(values) + room)
            axes.set_ylim(-0.04, 1.06)
            axes.set_yticks(*_TICKS)
            axes.set_title(f"{label(name, 30)}: {_counted(values, chance)}")
        drawn.all[-1].set_xlabel("terms, the most consistent first")
        drawn.legend(list(_VERDICTS.values()))
        svg = drawn.to_svg()
    return Figure(
        svg=svg,
        caption=sentences(
            f"{text.title}: each mark is a term, by its identification. {_THRESHOLDS}",
            "Each learner's terms are in its own order." if len(shown) > 1 else "",
            _cut(text.learners, _PANELS),
        ),
    )


def _best(learners: Mapping[str, Learner], most: int) -> dict[str, Learner]:
    return dict(list(learners.items())[:most])


def _cut(learners: Mapping[str, object], most: int) -> str:
    return cut_note(min(most, len(learners)), len(learners), "learners")


def _counted(values: Iterable[float], chance: float) -> str:
    counts = Counter(verdict_on(value, chance) for value in values)
    return ", ".join(f"{verdict} {counts[verdict]:,}" for verdict in _VERDICTS)


def _mark_terms(axes: Axes, points: Sequence[tuple[float, float, float]], chance: float) -> None:
    """Draw points (x, y), each marked by the verdict on its third member."""
    for verdict, mark in _VERDICTS.items():
        chosen = [(x, y) for x, y, value in points if verdict_on(value, chance) == verdict]
        mark.draw(axes, chosen, scale=0.6 if len(points) > _MANY else 1.0)


def terms_figure(text: Text) -> Figure | None:
    """Draw terms by name, identification and cosine of each learner side by side."""
    rows = terms_by_trust(text)
    if not rows:
        return None
    shown = [row for _, row in both_ends(rows, _NAMED)]
    # A free row stands for those between.
    free = [i + (len(shown) < len(rows) and i >= _NAMED // 2) for i in range(len(shown))]
    names = [label(row.term, 26) for row in shown]
    learners = _best(text.learners, _PANELS)
    margins = Margins(left=room_for(names, 7.5, more=0.1), right=0.12, top=0.42, bottom=0.68)
    height, columns = 0.158 * (free[-1] + 1), 2 * len(learners)
    with panels([height], columns, margins=margins, least=0.95, share="y", grid="y") as drawn:
        for place, (name, learner) in enumerate(learners.items()):
            one, other = drawn.all[2 * place : 2 * place + 2]
            _places(one, free, shown, name, learner.chance)
            _cosines(other, free, shown, name, learner)
            one.set_title(label(name, int(24 * (drawn.across + 0.2))), pad=10)
        name_rows(drawn.axes, names, places=free, size=7.5, room=0.7)
        drawn.legend([*_VERDICTS.values(), *_BASELINES.values()])
        svg = drawn.to_svg()
    return Figure(
        svg=svg,
        caption=sentences(
            f"{text.title}: terms by trust. {_THRESHOLDS} Cosines beside their baselines.",
            ends_note(len(shown), len(rows)),
            "Sorted by the mean of all learners." if len(text.learners) > 1 else "",
            _cut(text.learners, _PANELS),
        ),
    )


def _places(
    axes: Axes, places: Sequence[int], rows: Sequence[TermRow], name: str, chance: float
) -> None:
    if chance:
        draw_chance(axes, chance)
    points = [
        (value, place, value)
        for place, row in zip(places, rows, strict=True)
        if name in row.learners and (value := row.learners[name].identification) is not None
    ]
    _mark_terms(axes, points, chance)
    axes.set_xlim(-0.04, 1.04)
    axes.set_xticks(*_TICKS)
    axes.set_xlabel("identification")


def _cosines(
    axes: Axes, places: Sequence[int], rows: Sequence[TermRow], name: str, learner: Learner
) -> None:
    for score, mark in _BASELINES.items():
        value = learner.score(score)
        if value is not None:
            axes.axvline(value, color=mark.colour.light, lw=mark.width, ls=mark.line)
    Mark(name="", colour=palette.MUTED, marker="o", size=3.0).draw(
        axes,
        [
            (row.learners[name].cosine, place)
            for place, row in zip(places, rows, strict=True)
            if name in row.learners
        ],
    )
    axes.locator_params(axis="x", nbins=3)
    axes.set_xlabel("cosine")


def sizes_figure(text: Text) -> Figure | None:
    """Draw identification and cosine against the number of sentences of a sample."""
    learners = text.told(sizes_of)
    if not learners:
        return None
    sizes = all_rows(learners)
    terms = [max(rows[s].terms or 0 for rows in learners.values() if s in rows) for s in sizes]
    marks = [replace(mark, width=1.4) for mark in series(learners)]
    margins = Margins(left=0.5, bottom=0.67 + legend_room(len(marks) + 1, 3))
    with panels([1.52], 2, margins=margins, gaps=(0.58, 0), grid="y") as drawn:
        for axes, measure in zip(drawn.all, MEASURES, strict=True):
            for number, (mark, rows) in enumerate(zip(marks, learners.values(), strict=False)):
                # Learners stand a little beside each other, so that intervals can be told apart.
                shift = 0.12 * (number - (len(marks) - 1) / 2)
                points = [
                    (place + shift, *measured(rows.get(size), measure))
                    for place, size in enumerate(sizes)
                ]
                replace(mark, line="-", width=1.2).draw(axes, [(x, y) for x, y, _, _ in points])
                for x, _, low, high in points:
                    if low is not None and high is not None:
                        mark.whisker(axes, x, (low, high), upright=True)
            axes.set_title(measure)
            axes.set_xlim(-0.5, len(sizes) - 0.5)
            told = [f"{size}\n({n:,})" if n else size for size, n in zip(sizes, terms, strict=True)]
            axes.set_xticks(range(len(sizes)), told)
            axes.set_xlabel("sentences per sample (terms)")
        for place, n in enumerate(terms):
            if n:
                ends = (place - 0.3, place + 0.3)
                drawn.axes.hlines(
                    blind_choice(n), *ends, color=CHANCE.colour.light, lw=1.0, ls=CHANCE.line
                )
        drawn.axes.set_ylim(bottom=0.0)
        drawn.legend([*marks, CHANCE], columns=3)
        svg = drawn.to_svg()
    return Figure(
        svg=svg,
        caption=sentences(
            f"{text.title}: consistency by the number of sentences, with 95\u00a0% intervals, "
            "for the terms that have enough sentences for the largest number.",
            _cut(learners, len(SERIES)),
        ),
    )


def domain_figure(text: Text) -> Figure | None:
    """Draw how like the background's own vectors the terms are, by their frequency in both."""
    learners = text.told(groups_of)
    if not learners:
        return None
    groups = all_rows(learners)
    names = [label(group, 44) for group in groups]
    marks = series(learners)
    bottom = 0.5 + (legend_room(len(marks), 3) if len(marks) > 1 else 0.0)
    margins = Margins(left=room_for(names, 8, more=0.1), right=0.5, top=0.1, bottom=bottom)
    with panels([0.3 * len(groups)], margins=margins) as drawn:
        for mark, rows in zip(marks, learners.values(), strict=False):
            known = [(rows[group].cosine, y) for y, group in enumerate(groups) if group in rows]
            mark.draw(drawn.axes, known)
        for y, group in enumerate(groups):
            n = max(rows[group].terms or 0 for rows in learners.values() if group in rows)
            write_beside(drawn.axes, y, f"{n:,}")
        name_rows(drawn.axes, names, size=8)
        drawn.axes.margins(x=0.08)
        drawn.axes.set_xlabel("cosine with the background's own vector")
        if len(marks) > 1:
            drawn.legend(marks, columns=3)
        svg = drawn.to_svg()
    return Figure(
        svg=svg,
        caption=sentences(
            f"{text.title}: terms learned from all their sentences, compared with their general "
            "meaning, by frequency in the domain and in the background. At the right, the number "
            "of terms.",
            _cut(learners, len(SERIES)),
        ),
    )


#: What is drawn of each measure, one below the other, with its place within the row, by the
#: beginning of the name of the score; that of different terms is a score of its own.
_DIFFERENT = "different_terms_"
_KINDS = {
    "": (Mark(name="one term", colour=palette.ACCENT, marker="o", size=5.6), -0.21),
    _DIFFERENT: (Mark(name="different terms", colour=palette.MUTED, marker="s", size=4.2), -0.03),
    "size_matched_": (
        Mark(name="size-matched text", colour=palette.GOLD, marker="D", size=4.2),
        0.12,
    ),
    "shuffled_contexts_": (
        Mark(name="shuffled words", colour=palette.NULL_MEAN, marker="^", size=4.6),
        0.27,
    ),
}
_MEDIAN = Mark(name="median rank", colour=palette.INK, marker="|", size=10, edge=1.8)


def baselines_figure(text: Text) -> Figure | None:
    """Draw identification, cosine and rank of each learner beside their baselines."""
    known = {
        name: learner
        for name, learner in text.learners.items()
        if any(learner.score(measure) is not None for measure in MEASURES)
    }
    rows = _best(known, _ROWS)
    if not rows:
        return None
    learners = list(rows.values())
    ranked = any(learner.score("rank_mean") is not None for learner in learners)
    names = [label(name, 22) for name in rows]
    margins = Margins(left=room_for(names), right=0.5 if ranked else 0.15, bottom=0.66)
    columns = 3 if ranked else 2
    with panels([0.44 * len(rows)], columns, margins=margins, gaps=(0.3, 0), share="y") as drawn:
        _dots(drawn.all[0], learners, "identification", "identification_chance")
        _dots(drawn.all[1], learners, "cosine", "different_terms_cosine")
        if ranked:
            _ranks(drawn.all[2], learners)
        name_rows(drawn.axes, names)
        drawn.legend([*(mark for mark, _ in _KINDS.values()), *([_MEDIAN] if ranked else [])])
        svg = drawn.to_svg()
    return Figure(
        svg=svg,
        caption=sentences(
            f"{text.title}: two vectors of one term, compared with those of different terms (for "
            "identification, chance), of sentences redistributed at random to samples of the "
            "same size, and of words redistributed at random.",
            "Rank: its mean and median; at the right, the share of rank 1." if ranked else "",
            cut_note(len(rows), len(text.learners), "learners"),
        ),
    )


def _dots(axes: Axes, learners: Sequence[Learner], measure: str, different: str) -> None:
    for prefix, (mark, shift) in _KINDS.items():
        name = different if prefix == _DIFFERENT else f"{prefix}{measure}"
        mark.draw(axes, [(each.score(name), row + shift) for row, each in enumerate(learners)])
    axes.margins(x=0.08)
    axes.locator_params(axis="x", nbins=4)
    axes.set_title(measure)


def _ranks(axes: Axes, learners: Sequence[Learner]) -> None:
    drawn = {
        "rank_median": _MEDIAN,
        "rank_mean": _KINDS[""][0],
        "different_terms_rank_mean": _KINDS[_DIFFERENT][0],
    }
    most = 10.0
    for score, mark in drawn.items():
        points = [(each.score(score), row) for row, each in enumerate(learners)]
        mark.draw(axes, points)
        most = max([most, *(1.5 * value for value, _ in points if value is not None)])
    for row, each in enumerate(learners):
        first = each.score("rank_first")
        if first is not None:
            write_beside(axes, row, f"{100 * first:.0f} %", colour=palette.INK)
    axes.set_xscale("log")
    axes.set_xlim(0.85, most)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.minorticks_off()
    axes.set_title("rank")


_HOW_TO_READ = (
    "Each term was learned several times, each time from different sentences of the same text. "
    "If the text uses it in one sense and has enough sentences, its vectors should be alike. "
    "Identification measures whether a term's second vector is recognized among those of all "
    "terms by means of its first: 1 means that it is always the nearest, one half that it is "
    "typically the second; chance is what a random choice would get. Trust the terms at the top, "
    "not those at the bottom. Cosine and rank are the usual measures. They often sit at their "
    "ceiling whatever the term, since more text alone makes vectors alike: read them only beside "
    "what different terms, text of the same size and shuffled words give. A consistent vector "
    "need not be a correct one: a learner that always says the same is consistent too."
)


def section(results: Sequence[Result], items: ItemsLoader) -> Section:
    """Draw scores, terms and baselines of each text, and tell which terms to trust."""
    known = texts(results)
    made = [
        *(overview(trial) for trial in trials(results)),
        *(
            make(text)
            for text in known
            for make in (strip_figure, baselines_figure, sizes_figure, domain_figure)
        ),
        # Tall ones stand side by side after the low ones.
        *map(terms_figure, known),
    ]
    notes = [note for text in known for note in (*_ceiling_notes(text), *source_notes(text))]
    return Section(
        title="Consistency: which terms can be trusted",
        how_to_read=f"{_HOW_TO_READ} {READING}",
        figures=[figure for figure in made if figure is not None],
        tables=[
            *trust_table(results),
            summary_table(results),
            *sizes_table(results),
            *neighbours_table(results),
            *domain_table(results),
            *funnel_table(results),
        ],
        notes=[*notes, *missing_notes(results)],
    )


def _ceiling_notes(text: Text) -> list[str]:
    """Say where the cosine of a term's vectors is no higher than it would be without the term."""
    rivals = {
        "size_matched_cosine": "sentences dealt out at random",
        "different_terms_cosine": "vectors of different terms",
    }
    notes = []
    for name, learner in text.learners.items():
        own = learner.score("cosine")
        beaten = [
            f"{what} have {value:.3f}"
            for score, what in rivals.items()
            if own is not None and (value := learner.score(score)) is not None and value >= own
        ]
        if beaten:
            notes.append(
                f"{text.title}: the cosine of {name}, {own:.3f}, is no higher than that of the "
                f"baselines: {' and '.join(beaten)}."
            )
    return notes
