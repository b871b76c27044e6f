"""Separation in the report: curves and densities, what models are blind to, what misleads them."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from lydite.drawing import palette
from lydite.drawing.figures import WIDTH, label
from lydite.drawing.panels import DASHES, Margins, Mark, name_rows, panels, room_for, ticks
from lydite.drawing.section import (
    READING,
    Figure,
    ItemsLoader,
    Section,
    baseline_note,
    cut_note,
    further_scores,
    missing_notes,
    overview,
    sentences,
)
from lydite.drawing.table import Table
from lydite.drawing.text import shorten, visible
from lydite.evaluations.separation.evaluation import Separation
from lydite.evaluations.separation.tables import (
    CHANCE,
    Part,
    accuracy_table,
    answers_table,
    between_notes,
    compared,
    entity_pairs,
    examples_table,
    hardest_first,
    kinds_tables,
    left_out_notes,
    misled_table,
    models_table,
    pairs_table,
    parts_of,
    phenomena_table,
    relation_table,
    shown_note,
    subset_notes,
    task_of,
    worst_table,
)
from lydite.evaluations.separation.tasks import Densities, SeparationDetails
from lydite.results.record import Result
from lydite.results.trials import Trial, model_namer, trials

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ROWS = 30
#: The width of a letter of a model's name, in inches, on the large side.
_LETTER = 0.068

#: What the interval of a score says.
_SEES, _UNDECIDED, _MISLED = _KINDS = [
    Mark(name=name, colour=colour, marker="o", size=4.0, line="-", width=1.3)
    for name, colour in (
        ("sees it: interval above 0.5", palette.ACCENT),
        ("undecided: interval holds 0.5, or none", palette.NULL_MEAN),
        ("misled by it: interval below 0.5", palette.FAILURE),
    )
]


def phenomena_figure(trial: Trial) -> Figure | None:
    """Draw the score of each phenomenon by each model; None if no pair says what it shows."""
    shown = compared(trial)
    if any(map(entity_pairs, shown)):
        return None
    score = "paired accuracy" if task_of(trial) == "minimal-pairs" else "AUC"
    return _parts_figure(
        trial,
        shown,
        f"{score} by phenomenon, hardest first{_by_mean(shown)}, with intervals of 95\u00a0%. The "
        "line at 0.5 is a model that is blind to it. Left of it, pairs that differ in meaning look "
        "more alike than pairs that differ in form alone.",
        what="phenomena",
    )


def pairs_figure(trial: Trial) -> Figure | None:
    """Draw the AUC of each pair of entities by each model; None if there are fewer than two."""
    shown = compared(trial)
    if len({pair for result in shown for pair in entity_pairs(result)}) < 2:
        return None
    return _parts_figure(
        trial,
        shown,
        f"AUC by entity pair, hardest first{_by_mean(shown)}, with 95\u00a0% intervals over "
        "sentences. The line at 0.5 is a model that cannot distinguish sentences that express "
        "the relation from those that do not.",
        what="pairs",
    )


def _by_mean(shown: Sequence[Result]) -> str:
    return " by the mean of the models" if len(shown) > 1 else ""


def _parts_figure(trial: Trial, shown: Sequence[Result], said: str, *, what: str) -> Figure | None:
    """Draw one panel per model, with a bar for each part that it tells of; None without any."""
    name = model_namer(trial.results)
    found = {name(result): parts_of(result) for result in shown}
    every = hardest_first(list(found.values()))
    if not every:
        return None
    rows = {each: label(each, 36 if what == "pairs" else 30) for each in every[:_ROWS]}
    margins = Margins(left=room_for(rows.values(), 8), top=0.46, bottom=0.72)
    heights, gaps = [0.215 * len(rows)], (0.16, 0.0)
    with panels(heights, len(found), margins=margins, gaps=gaps, least=1.42, share="y") as drawn:
        name_rows(drawn.axes, list(rows.values()), size=8)
        for axes, (model, known) in zip(drawn.all, found.items(), strict=True):
            axes.axvline(CHANCE, color=palette.INK.light, lw=1.0)
            for y, part in ((y, known[each]) for y, each in enumerate(rows) if each in known):
                _draw_part(axes, y, part)
            axes.set_xlim(0.0, 1.0)
            axes.set_xticks(*ticks(0, 0.25, 0.5, 0.75, 1, silent=(0.25, 0.75)))
            axes.set_xlabel("accuracy" if "accuracy" in said else "AUC", fontsize=8)
            title = "\n".join(in_two_lines(model, int(drawn.across / _LETTER)))
            axes.set_title(title, fontsize=8, linespacing=1.1)
        drawn.legend(_KINDS)
        svg = drawn.to_svg()
    note = cut_note(len(rows), len(every), what, "the hardest")
    caption = sentences(f"{trial.title}: {said}", note, *shown_note(trial, shown))
    return Figure(svg=svg, caption=caption)


def _draw_part(axes: Axes, y: int, part: Part) -> None:
    mark = _MISLED if part.misled else _SEES if part.seen else _UNDECIDED
    width, faint = part.score - CHANCE, (mark.colour.light, 0.3)
    axes.barh(y, width, left=CHANCE, height=0.62, color=faint, lw=0)
    if part.low is not None and part.high is not None:
        mark.whisker(axes, y, (part.low, part.high))
    mark.draw(axes, [(part.score, y)])


def in_two_lines(name: str, letters: int) -> list[str]:
    """Write a name in at most two lines of so many letters.

    >>> in_two_lines("hybrid(overlap, mean(glove-6b-50d))", 20)
    ['hybrid(overlap,', 'mean(glove-6b-50d))']
    """
    shown = visible(name)
    lines = textwrap.wrap(shown, letters, break_on_hyphens=False)
    if len(lines) <= 2:
        return lines
    return [lines[0], shorten(shown.removeprefix(lines[0]).strip(), letters)]


#: The sides of the ROC plot, in inches.
_SIDE = 2.9
#: The curve of a model that tells nothing apart, and the curves of models.
_GUESS = Mark(name="blind", colour=palette.NULL_MEAN, line=DASHES, width=1.0)
_CURVES = [
    Mark(name="", colour=colour, line=line, width=1.6)
    for colour, line in (
        (palette.ACCENT, "-"),
        (palette.FAILURE, "-"),
        (palette.GOLD, "-"),
        (palette.MUTED, "-"),
        (palette.FAINT, (0, (5, 1.5))),
        (palette.INK, (0, (1.5, 1.2))),
    )
]
#: What all units together are, where the score is a mean over units.
_POOLED = {
    "relation": "all pairs of entities together, those with many sentences weighing most",
    "qa": "all questions together",
}


def roc_figure(trial: Trial) -> Figure | None:
    """Draw the ROC curves of all models of a trial; None if none tells of its curve."""
    name = model_namer(trial.results)
    told = [(each, SeparationDetails.of(each)) for each in compared(trial)]
    told = [(each, details) for each, details in told if len(details.curve) > 1]
    if not told:
        return None
    marks = [
        replace(mark, name=_curve_name(details.curve, name(result)))
        for mark, (result, details) in zip(_CURVES, told, strict=False)
    ]
    margins = Margins(left=0.5, right=WIDTH - 0.5 - _SIDE, top=0.1, bottom=0.44)
    with panels([_SIDE], margins=margins) as drawn:
        axes = drawn.axes
        _GUESS.draw(axes, [(0, 0), (1, 1)])
        # The best on top of the others.
        for mark, (_, details) in reversed(list(zip(marks, told, strict=True))):
            mark.draw(axes, details.curve)
        axes.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01))
        for set_ticks in (axes.set_xticks, axes.set_yticks):
            set_ticks(*ticks(0, 0.25, 0.5, 0.75, 1, silent=(0.25, 0.75)))
        axes.tick_params(length=0, labelsize=8)
        axes.set_xlabel("share of L taken for similar", fontsize=8)
        axes.set_ylabel("share of H taken for similar", fontsize=8)
        drawn.legend([*marks, _GUESS], place="right", title="area under the curve")
        svg = drawn.to_svg()
    pooled = _POOLED.get(told[0][1].task)
    caption = sentences(
        f'{trial.title}: ROC curves. As the threshold for "similar" is lowered, more of the '
        "pairs that should pass do (up), and more of those that should not (right).",
        f"For {pooled}, so the area need not equal the score." if pooled else "",
        *shown_note(trial, [result for result, _ in told]),
    )
    return Figure(svg=svg, caption=caption)


def _curve_name(points: Sequence[tuple[float, float]], name: str) -> str:
    """Write the area under a curve as it is drawn before the name of its model."""
    area = sum((x2 - x1) * (y1 + y2) / 2 for (x1, y1), (x2, y2) in pairwise(points))
    # Figure spaces are as wide as the digits above them.
    return f"{area:.2f}  " + "\n\u2007\u2007\u2007\u2007".join(in_two_lines(name, 22))


#: What H and L are in each task.
_SETS = {
    "relation": ("two that express the relation", "one that does, one that does not"),
    "qa": ("question and answer", "question and another sentence"),
    "pairs": ("should be similar", "should not be similar"),
}
#: The share of scores at one end that may be left out, if no more than so much of the axis is left.
_FEW, _WORTH = 0.005, 0.75


def densities_figure(trial: Trial) -> Figure | None:
    """Draw how the scores of H and L are spread, for the best model that tells of it."""
    told = [(each, SeparationDetails.of(each)) for each in trial.ranked()]
    chosen, details = next(
        ((each, details) for each, details in told if details.densities), (None, None)
    )
    if chosen is None or details is None or details.densities is None:
        return None
    found = details.densities
    kept = _most(found)
    high, low = _SETS.get(details.task, _SETS["pairs"])
    above = Mark(name=f"H: {high}", colour=palette.ACCENT, line="-", width=1.4)
    below = Mark(name=f"L: {low}", colour=palette.FAILURE, line="-", width=1.4)
    margins = Margins(left=0.5, top=0.32, bottom=0.47)
    with panels([1.56], margins=margins, grid="y") as drawn:
        axes = drawn.axes
        for mark, shares in ((below, found.low), (above, found.high)):
            heights = [100 * share for share in shares[kept]]
            edges, colour = found.edges[kept.start : kept.stop + 1], mark.colour.light
            axes.stairs(heights, edges, fill=True, color=(colour, 0.18), lw=0)
            axes.stairs(heights, edges, color=colour, lw=mark.width)
        axes.margins(x=0.01)
        axes.set_ylim(bottom=0.0)
        axes.set_xlabel("score of a pair", fontsize=8)
        axes.set_ylabel("% of pairs", fontsize=8)
        drawn.legend([above, below], place="above")
        svg = drawn.to_svg()
    beyond = max(sum(shares) - sum(shares[kept]) for shares in (found.high, found.low))
    whose = "" if len(told) == 1 else ", the best model,"
    if whose and chosen is not told[0][0]:
        whose = ", the best model that tells them,"
    return Figure(
        svg=svg,
        caption=sentences(
            f"{trial.title}: the scores that {model_namer(trial.results)(chosen)}{whose} gives to "
            "pairs in H and in L. Where the two overlap, they cannot be distinguished.",
            f"Not shown: up to {100 * beyond:.1f}\u00a0% at the ends." if beyond else "",
        ),
    )


def _most(found: Densities) -> slice:
    """Return the bins without a few scores at either end, which would squeeze all others."""
    shares = [max(pair) for pair in zip(found.high, found.low, strict=True)]
    start, stop = 0, len(shares)
    while start < stop - 1 and sum(shares[: start + 1]) <= _FEW:
        start += 1
    while start < stop - 1 and sum(shares[stop - 1 :]) <= _FEW:
        stop -= 1
    if stop - start > _WORTH * len(shares):
        return slice(0, len(shares))
    return slice(start, stop)


_HOW_TO_READ = (
    "A model gives every two texts a score of how similar they are. H are pairs that should be "
    "similar, since they mean the same; L are pairs that should not. AUC is the share of all "
    "comparisons of a pair in H with one in L in which the one in H has the higher score, a tie "
    "counting half: 1 if the two never mix, 0.5 for blind guessing. Of minimal pairs the score is "
    "paired accuracy: of two sentences in nearly the same words, how often the one that says the "
    "same as a third has the higher score with it. Below 0.5 a model is misled: "
    "pairs that differ in meaning look more alike to it than pairs that mean the same, as when "
    "changing one small word turns the meaning around and changing many words leaves it as it "
    "is. Of questions the score is the normalized rank: the sentences of a document are put in "
    "order by how similar they are to the question, and the one that answers it gets 1 if it "
    "comes first, 0 if last, and 0.5 on average by chance, or a little more if several answer "
    "it. Lemma overlap is the baseline to beat: it counts the words that two texts share and "
    "knows nothing of what they mean, yet texts that mean the same often share words. A model "
    "that does no better has shown no more than that. The subset has the questions that shared "
    "words do not answer; there one sees what a model adds. Mixed models add their scores to "
    "those of overlap: if they do better than either, each knows something that the other does "
    "not."
)


def section(results: Sequence[Result], items: ItemsLoader) -> Section:
    """Draw how scores come apart in each trial, and tell by what models are misled."""
    asked = trials(results)
    made = [
        # In order of their heights, so that those side by side leave no hole.
        *(each for trial in asked for each in (overview(trial), densities_figure(trial))),
        *map(roc_figure, asked),
        *map(pairs_figure, asked),
        *map(phenomena_figure, asked),
    ]
    return Section(
        title="Separation: is one meaning recognized under many forms?",
        how_to_read=f"{_HOW_TO_READ} {READING}",
        figures=[figure for figure in made if figure is not None],
        tables=[
            *(table for trial in asked for table in _tables(trial, items)),
            # Of the other tasks there are none but counts.
            *further_scores([trial for trial in asked if task_of(trial) in {"qa", "pairs"}]),
        ],
        notes=_notes(asked),
    )


def _tables(trial: Trial, items: ItemsLoader) -> list[Table]:
    match task_of(trial):
        case "relation":
            return [relation_table(trial), *pairs_table(trial)]
        case "qa":
            return [answers_table(trial), *worst_table(trial, items), *kinds_tables(trial)]
        case "minimal-pairs":
            shown = compared(trial)
            return [models_table(trial), *accuracy_table(trial, shown), *misled_table(trial)]
        case "pairs":
            return [*phenomena_table(trial, compared(trial)), *examples_table(trial)]
    return []


def _notes(asked: Sequence[Trial]) -> list[str]:
    """Say what is no better than shared words, what was left out, and what was not covered."""
    words = [baseline_note(trial, Separation.baseline, "lemma overlap") for trial in asked]
    said = [note for note in words if note]
    for trial in asked:
        said += [f"{trial.title}: {each}" for each in left_out_notes(trial)]
        said += [f"{trial.title}: {each}" for each in between_notes(trial)]
        said += [f"{trial.title}: {each[:1].lower()}{each[1:]}" for each in subset_notes(trial)]
    results = [result for trial in asked for result in trial.results]
    return [*said, *missing_notes(results, _quoted)]


def _quoted(result: Result) -> list[str]:
    """Put what a model does not cover in quotation marks: sentences have commas of their own."""
    return [f"“{shorten(each, 80)}”" for each in SeparationDetails.of(result).missing]
