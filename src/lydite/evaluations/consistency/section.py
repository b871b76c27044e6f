"""Consistency in the report: what is decided of which terms, and what the others need.

Reliability leads. The measures of Bloem et al. (2019) stand beside their baselines, since for
summed vectors they sit at their ceiling.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from lydite.drawing import palette
from lydite.drawing.figures import label
from lydite.drawing.panels import (
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
    cut_note,
    missing_notes,
    overview,
    sentences,
)
from lydite.evaluations.consistency.evaluation import Size, Term
from lydite.evaluations.consistency.reliability import EVEN, Verdict
from lydite.evaluations.consistency.tables import (
    Learner,
    TermRow,
    Text,
    all_rows,
    background_table,
    decided,
    domain_table,
    drift_table,
    drift_verdict,
    funnel_table,
    groups_of,
    nearness_notes,
    neighbours_table,
    plan_tables,
    shown_note,
    sizes_of,
    sizes_table,
    source_notes,
    summary_table,
    term_rows,
    terms_table,
    texts,
    verdicts_table,
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
    "consistent": Mark(name="consistent", colour=palette.ACCENT, marker="o", size=4.0, edge=1.0),
    "not consistent": Mark(
        name="not consistent", colour=palette.FAILURE, marker="x", size=3.6, edge=1.2
    ),
    "undecided": Mark(
        name="undecided", colour=palette.NULL_MEAN, marker="o", size=3.0, edge=1.0, hollow=True
    ),
}
_PLAIN = Mark(name="term", colour=palette.ACCENT, marker="o", size=3.0, edge=1.0)
#: What the cosines of a term are to be read beside, by the score.
_BASELINES = {
    "different_terms_cosine": Mark(
        name="different terms", colour=palette.NULL_MEAN, line="--", width=1.1
    ),
    "size_matched_cosine": Mark(name="size-matched text", colour=palette.GOLD, line="-", width=1.1),
}
_EVEN_LINE = f"Dashed: {EVEN:g}, as much signal as noise."
_TICKS = ticks(0.0, EVEN, 1.0)


def strip_figure(text: Text) -> Figure | None:
    """Draw all terms of a text with their intervals, a panel per learner."""
    shown = {
        name: [row for row in learner.details.terms if row.value is not None]
        for name, learner in _best(text.learners, _PANELS).items()
    }
    shown = {name: rows for name, rows in shown.items() if rows}
    if not shown or not text.judged:
        return None
    # Few or many, the panels stay low enough to stand beside other figures.
    height = min(1.15, 4.0 / len(shown) - 0.38)
    margins = Margins(left=0.5, top=0.3, bottom=0.62)
    with panels([height] * len(shown), margins=margins, gaps=(0, 0.38), grid="y") as drawn:
        for axes, (name, rows) in zip(drawn.all, shown.items(), strict=True):
            draw_chance(axes, EVEN, flat=True)
            _mark_terms(axes, [(place, row) for place, row in enumerate(rows, 1)])
            room = 0.5 + 0.01 * len(rows)
            axes.set_xlim(1 - room, len(rows) + room)
            axes.set_ylim(-0.04, 1.06)
            axes.set_yticks(*_TICKS)
            axes.set_title(f"{label(name, 30)}: {decided(text.learners[name])}")
        drawn.all[-1].set_xlabel("terms: those decided first, then those that need least text")
        drawn.legend(list(_VERDICTS.values()))
        svg = drawn.to_svg()
    return Figure(
        svg=svg,
        caption=sentences(
            f"{text.title}: the reliability of each term, with its 95\u00a0% interval.",
            _EVEN_LINE,
            "Each learner's terms are in its own order." if len(shown) > 1 else "",
            _cut(text.learners, _PANELS),
        ),
    )


def _best(learners: Mapping[str, Learner], most: int) -> dict[str, Learner]:
    return dict(list(learners.items())[:most])


def _cut(learners: Mapping[str, object], most: int) -> str:
    return cut_note(min(most, len(learners)), len(learners), "learners")


def _mark_terms(
    axes: Axes, points: Sequence[tuple[float, Term]], *, upright: bool = True, many: int = _MANY
) -> None:
    """Draw terms at places, upright or across, each with its interval and by its verdict."""
    for verdict, mark in _VERDICTS.items():
        chosen = [(place, row) for place, row in points if row.verdict == verdict]
        for place, row in chosen:
            if row.low is not None and row.high is not None:
                mark.whisker(axes, place, (row.low, row.high), upright=upright)
        ends = [(place, row.value) if upright else (row.value, place) for place, row in chosen]
        mark.draw(axes, ends, scale=0.6 if len(points) > many else 1.0)


def terms_figure(text: Text) -> Figure | None:
    """Draw terms by name: reliability, or identification, and cosine of each learner."""
    rows = term_rows(text)
    if not rows:
        return None
    shown = rows[:_NAMED]
    places = list(range(len(shown)))
    names = [label(row.term, 26) for row in shown]
    learners = _best(text.learners, _PANELS)
    margins = Margins(left=room_for(names, 7.5, more=0.1), right=0.12, top=0.42, bottom=0.68)
    height, columns = 0.158 * len(shown), 2 * len(learners)
    with panels([height], columns, margins=margins, least=0.95, share="y", grid="y") as drawn:
        for number, (name, learner) in enumerate(learners.items()):
            one, other = drawn.all[2 * number : 2 * number + 2]
            _values(one, places, shown, name, text)
            _cosines(other, places, shown, name, learner)
            one.set_title(label(name, int(24 * (drawn.across + 0.2))), pad=10)
        name_rows(drawn.axes, names, places=places, size=7.5, room=0.7)
        marks = list(_VERDICTS.values()) if text.judged else [_PLAIN]
        known = [
            mark
            for score, mark in _BASELINES.items()
            if any(each.score(score) is not None for each in learners.values())
        ]
        drawn.legend([*marks, *known])
        svg = drawn.to_svg()
    return Figure(
        svg=svg,
        caption=sentences(
            f"{text.title}: terms. {_EVEN_LINE}" if text.judged else f"{text.title}: terms.",
            "Cosines beside their baselines.",
            shown_note(len(shown), len(rows)),
            "In the order of the first learner." if len(text.learners) > 1 else "",
            _cut(text.learners, _PANELS),
        ),
    )


def _values(
    axes: Axes, places: Sequence[int], rows: Sequence[TermRow], name: str, text: Text
) -> None:
    own = [
        (float(place), row.learners[name])
        for place, row in zip(places, rows, strict=True)
        if name in row.learners
    ]
    if text.judged:
        draw_chance(axes, EVEN)
        _mark_terms(axes, own, upright=False)
        axes.set_xticks(*_TICKS)
        axes.set_xlabel("reliability")
    else:
        draw_chance(axes, text.learners[name].chance)
        _PLAIN.draw(axes, [(row.identification, place) for place, row in own])
        axes.set_xlabel("identification")
    axes.set_xlim(-0.04, 1.04)


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
    """Draw reliability and cosine against the number of sentences."""
    learners = text.told(sizes_of)
    if not learners:
        return None
    sizes = all_rows(learners)
    marks = [replace(mark, width=1.4) for mark in series(learners)]
    margins = Margins(left=0.5, bottom=0.67 + legend_room(len(marks), 3))
    with panels([1.52], 2, margins=margins, gaps=(0.58, 0), grid="y") as drawn:
        for axes, measure in zip(drawn.all, ("reliability", "cosine"), strict=True):
            for number, (mark, rows) in enumerate(zip(marks, learners.values(), strict=False)):
                # Learners stand a little beside each other, so that intervals can be told apart.
                shift = 0.12 * (number - (len(marks) - 1) / 2)
                points = [(place + shift, rows.get(s, Size())) for place, s in enumerate(sizes)]
                curve = [(x, getattr(row, measure)) for x, row in points]
                replace(mark, line="-", width=1.2).draw(axes, curve)
                for x, row in points:
                    if measure == "reliability" and row.low is not None and row.high is not None:
                        mark.whisker(axes, x, (row.low, row.high), upright=True)
            axes.set_title(measure)
            axes.set_xlim(-0.5, len(sizes) - 0.5)
            axes.set_xticks(range(len(sizes)), sizes)
            axes.set_xlabel("sentences")
        drawn.axes.set_ylim(bottom=0.0)
        drawn.legend(marks, columns=3)
        svg = drawn.to_svg()
    return Figure(
        svg=svg,
        caption=sentences(
            f"{text.title}: what is to be expected of two vectors learned from so many sentences "
            "each, the mean over terms, with 95\u00a0% intervals. Nothing was drawn.",
            _cut(learners, len(SERIES)),
        ),
    )


#: The cosine with the background's vectors of other terms.
_OTHERS = Mark(name="other terms' vectors", colour=palette.NULL_MEAN, marker="|", size=9, edge=1.8)


def domain_figure(text: Text) -> Figure | None:
    """Draw how like the background's own vectors the terms are, by their frequency in both."""
    learners = text.told(groups_of)
    if not learners:
        return None
    groups = all_rows(learners)
    names = [label(group, 44) for group in groups]
    marks = series(learners)
    bottom = 0.5 + legend_room(len(marks) + 1, 3)
    margins = Margins(left=room_for(names, 8, more=0.1), right=0.5, top=0.1, bottom=bottom)
    with panels([0.3 * len(groups)], margins=margins) as drawn:
        for mark, rows in zip(marks, learners.values(), strict=False):
            known = [(rows[group], y) for y, group in enumerate(groups) if group in rows]
            _OTHERS.draw(drawn.axes, [(row.others, y) for row, y in known])
            for row, y in known:
                if row.cosine is not None and row.low is not None and row.high is not None:
                    # The interval is that of the difference: it stands around the own cosine.
                    half = (row.high - row.low) / 2
                    mark.whisker(drawn.axes, y, (row.cosine - half, row.cosine + half))
            mark.draw(drawn.axes, [(row.cosine, y) for row, y in known])
        for y, group in enumerate(groups):
            n = max(rows[group].terms or 0 for rows in learners.values() if group in rows)
            write_beside(drawn.axes, y, f"{n:,}")
        name_rows(drawn.axes, names, size=8)
        drawn.axes.margins(x=0.08)
        drawn.axes.set_xlabel("cosine with the background's own vector")
        named = marks if len(marks) > 1 else [replace(mark, name="own") for mark in marks]
        drawn.legend([*named, _OTHERS], columns=3)
        svg = drawn.to_svg()
    return Figure(
        svg=svg,
        caption=sentences(
            f"{text.title}: terms learned from all their sentences, compared with their general "
            "meaning, by frequency in the domain and in the background; the line around a cosine "
            "is as wide as the 95\u00a0% interval of its difference from that with other terms' "
            "vectors. At the right, the number of terms.",
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
    if text.judged:
        return None
    rows = _best(text.learners, _ROWS)
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
    "Would other sentences of the same text have given the same vectors? The reliability of a term "
    "is the cosine to be expected of two vectors learned from as much text as there is, after what "
    "all text of the book has in common was taken away. At 0.5 a vector is as much signal as "
    "noise. "
    "Consistent means that the whole interval is above that; not consistent, that reliability is "
    "below, and so is the whole interval for 30 sentences; undecided, that the text is too short "
    "to tell, and the table says how many sentences would tell. Argue from consistent terms only. "
    "What is left beyond the "
    "passage shows whether a term has a meaning of its own in the book, or shares the topic of the "
    "pages it stands on. Cosine and rank are the paper's measures; they often sit at their ceiling "
    "whatever the term. A consistent vector need not be a correct one: a learner that always says "
    "the same is consistent too."
)


def section(results: Sequence[Result], items: ItemsLoader) -> Section:
    """Draw scores, terms and baselines of each text, and tell what is decided."""
    known = texts(results)
    first = verdicts_table(results)
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
    notes += [
        f"{text.title}, {learner.details.drift.by}, {name}: {drift_verdict(learner.details.drift)}"
        for text in known
        for name, learner in text.learners.items()
        if learner.details.drift.by
    ]
    notes += [note for text in known for note in nearness_notes(text)]
    return Section(
        title="Consistency: which terms can be argued from",
        how_to_read=f"{_HOW_TO_READ} {READING}",
        figures=[figure for figure in made if figure is not None],
        tables=[
            *terms_table(results),
            *([first] if first else []),
            *plan_tables(results),
            summary_table(results),
            *sizes_table(results),
            *neighbours_table(results),
            *drift_table(results),
            *background_table(results),
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
