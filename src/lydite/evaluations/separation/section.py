"""Separation in the report: curves and densities, what models are blind to, what misleads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from markupsafe import Markup

from lydite.drawing import palette
from lydite.drawing.figures import WIDTH, canvas, drawing, label, set_margins, text_width, to_svg
from lydite.drawing.metrics import metric_named
from lydite.drawing.section import (
    READING,
    Figure,
    ItemsLoader,
    Section,
    further_scores,
    missing_notes,
    overview,
)
from lydite.drawing.table import Table
from lydite.drawing.text import shorten
from lydite.evaluations.separation.tables import (
    CHANCE,
    LINES,
    answers_table,
    compared,
    cut_note,
    entity_pairs,
    examples_table,
    hardest_first,
    in_two_lines,
    is_overlap,
    kinds_tables,
    left_out_notes,
    pairs_table,
    phenomena_of,
    phenomena_table,
    relation_table,
    subset_notes,
    worst_table,
)
from lydite.results.record import Result
from lydite.results.trials import Trial, model_namer, trials
from lydite.types import PlainMapping

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas


#: Longer sentences are cut where they are examples of many.
_EXAMPLE = 80


def notes(asked: Sequence[Trial]) -> list[str]:
    """Say what is no better than shared words, what was left out, and what was not covered."""
    said = [note for trial in asked if (note := _words_note(trial))]
    for trial in asked:
        said += [f"{trial.title}: {each}" for each in left_out_notes(trial)]
        said += [f"{trial.title}: {each[:1].lower()}{each[1:]}" for each in subset_notes(trial)]
    results = [result for trial in asked for result in trial.results]
    return [*said, *missing_notes([_quoted(result) for result in results])]


def _words_note(trial: Trial) -> str:
    """Say which models do no better than lemma overlap, or that it was not asked."""
    name, write = model_namer(trial.results), metric_named(trial.metric).write
    baseline = next(filter(is_overlap, trial.ranked()), None)
    if baseline is None:
        return (
            f"{trial.title}: lemma overlap (overlap) is not among the models, so that it is not "
            "known what shared words alone would get."
        )
    beaten = [
        f"{name(result)} ({write(result.score)})"
        for result in trial.ranked()
        if result.score <= baseline.score and not is_overlap(result)
    ]
    if not beaten:
        return ""
    return (
        f"{trial.title}: no better than lemma overlap ({write(baseline.score)}), which sees "
        f"nothing but shared words: {', '.join(beaten)}."
    )


def _quoted(result: Result) -> Result:
    """Put what a model does not cover in quotation marks: sentences have commas of their own."""
    missing = [f"“{shorten(str(each), _EXAMPLE)}”" for each in result.details.get("missing") or ()]
    return replace(result, details={**result.details, "missing": missing})


_MODELS = 6
_ROWS = 30
_ROW = 0.215
#: The least width of a panel, the room between two, above and below them, in inches.
_PANEL, _GAP, _TOP, _BOTTOM = 1.42, 0.16, 0.46, 0.72
#: The width of a letter of a model's name, in inches, on the large side.
_LETTER = 0.068

#: What an interval says, with its colour.
_SEES = ("sees it", palette.ACCENT)
_BLIND = ("blind to it", palette.NULL_MEAN)
_MISLED = ("misled by it", palette.FAILURE)


def phenomena_figure(trial: Trial) -> Figure | None:
    """Draw the AUC of each phenomenon by each model; None if no pair says what it shows."""
    shown = compared(trial, _MODELS)
    name = model_namer(trial.results)
    found = {name(result): phenomena_of(result) for result in shown}
    rows = hardest_first(list(found.values()))
    if not rows:
        return None
    said = [
        f"{trial.title}: AUC by phenomenon, hardest first{_by_mean(shown)}, with intervals "
        "of 95\u00a0%. The line at 0.5 is a model that is blind to it. Left of it, pairs "
        "that differ in meaning look more alike than pairs that differ in form alone."
    ]
    if len(rows) > _ROWS:
        said.append(f"Shown: {_ROWS} of {len(rows)} phenomena, the hardest.")
    kept = {each: label(each, 30) for each in rows[:_ROWS]}
    return Figure(svg=_panels(kept, found), caption=" ".join([*said, *cut_note(trial, shown)]))


def pairs_figure(trial: Trial) -> Figure | None:
    """Draw the AUC of each pair of entities by each model; None if there are fewer than two."""
    shown = compared(trial, _MODELS)
    name = model_namer(trial.results)
    found = {name(result): entity_pairs(result) for result in shown}
    rows = hardest_first(list(found.values()))
    if len(rows) < 2:
        return None
    said = [
        f"{trial.title}: AUC by pair of entities, hardest first{_by_mean(shown)}, with "
        "intervals of 95\u00a0% that draw sentences. The line at 0.5 is a model that does not tell "
        "sentences that express the relation from those that do not."
    ]
    if len(rows) > _ROWS:
        said.append(f"Shown: {_ROWS} of {len(rows)} pairs, the hardest.")
    kept = {each: label(each, 36) for each in rows[:_ROWS]}
    return Figure(svg=_panels(kept, found), caption=" ".join([*said, *cut_note(trial, shown)]))


def _by_mean(shown: Sequence[Result]) -> str:
    return " by the mean of the models" if len(shown) > 1 else ""


def _panels(rows: Mapping[str, str], found: Mapping[str, Mapping[str, PlainMapping]]) -> Markup:
    """Draw a panel a model.

    Parameters
    ----------
    rows
        What each row is called, top first.
    found
        The rows of each model, by the names of models and rows.
    """
    with drawing():
        left, count = text_width(rows.values(), 8) + 0.12, len(found)
        free = WIDTH - left - 0.1 - _GAP * (count - 1)
        across = max(_PANEL, free / count)
        width = left + across * count + _GAP * (count - 1) + 0.1
        figure = canvas(width, _TOP + _ROW * len(rows) + _BOTTOM)
        set_margins(figure, left=left, right=0.1, top=_TOP, bottom=_BOTTOM)
        figure.subplots_adjust(wspace=_GAP / across)
        grid = figure.subplots(1, count, squeeze=False, sharey=True)[0]
        for axes, (model, known) in zip(grid, found.items(), strict=True):
            for y, each in enumerate(rows):
                if each in known:
                    _bar(axes, y, known[each])
            _dress(axes, len(rows))
            title = "\n".join(in_two_lines(model, int(across / _LETTER)))
            axes.set_title(title, loc="left", fontsize=8, linespacing=1.1)
        grid[0].set_yticks(range(len(rows)), list(rows.values()))
        grid[0].tick_params(axis="y", labelsize=8)
        _legend(figure)
        return to_svg(figure)


def _bar(axes: Axes, y: int, row: PlainMapping) -> None:
    area, low, high = (float(row[key]) for key in ("auc", "low", "high"))
    _, colour = _MISLED if high < CHANCE else _SEES if low > CHANCE else _BLIND
    axes.barh(y, area - CHANCE, left=CHANCE, height=0.62, color=(colour.light, 0.3), lw=0)
    axes.hlines(y, low, high, color=colour.light, lw=1.3)
    axes.plot([area], [y], "o", color=colour.light, ms=4.0, mew=0, clip_on=False)


def _dress(axes: Axes, rows: int) -> None:
    axes.axvline(CHANCE, color=palette.INK.light, lw=1.0)
    axes.set_xlim(0.0, 1.0)
    axes.set_ylim(rows - 0.5, -0.5)
    axes.set_xticks([0.0, 0.25, 0.5, 0.75, 1.0], ["0", "", "0.5", "", "1"])
    axes.tick_params(axis="x", labelsize=7.5, length=2)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    axes.grid(color=palette.RULE.light, lw=0.6)
    axes.set_axisbelow(True)
    axes.set_xlabel("AUC", fontsize=8)


def _legend(figure: Canvas) -> None:
    from matplotlib.lines import Line2D

    kinds = (_SEES, _BLIND, _MISLED)
    figure.legend(
        [Line2D([], [], marker="o", ms=4.0, mew=0, lw=1.3, c=colour.light) for _, colour in kinds],
        [
            f"{said}: interval {where} 0.5"
            for (said, _), where in zip(kinds, ("above", "holds", "below"), strict=True)
        ],
        loc="lower left",
        ncols=len(kinds),
        frameon=False,
        fontsize=7.5,
        handletextpad=0.4,
        handlelength=1.4,
        columnspacing=1.2,
    )


#: The sides of the ROC plot, in inches, and how long a line of a name beside it may be.
_SIDE = 2.9
_NAME = 22

#: The share of scores at one end that may be left out, if no more than so much of the axis is left.
_FEW, _WORTH = 0.005, 0.75

#: What H and L are in each task.
_POOLED = {
    "relation": "all pairs of entities together, those with many sentences weighing most",
    "qa": "all questions together",
}
_SETS = {
    "relation": ("two that express the relation", "one that does, one that does not"),
    "qa": ("question and answer", "question and another sentence"),
    "pairs": ("should be similar", "should not be similar"),
}


def roc_figure(trial: Trial) -> Figure | None:
    """Draw the ROC curves of all models of a trial; None if none tells of its curve."""
    told = [result for result in compared(trial) if len(_curve(result)) > 1]
    if not told:
        return None
    name = model_namer(trial.results)
    with drawing():
        figure = canvas(WIDTH, _SIDE + 0.54)
        set_margins(figure, left=0.5, right=WIDTH - 0.5 - _SIDE, top=0.1, bottom=0.44)
        axes = figure.add_subplot()
        axes.plot([0, 1], [0, 1], color=palette.NULL_MEAN.light, lw=1.0, ls=(0, (3, 2.5)))
        # The best on top of the others.
        for order, (result, (colour, dashes)) in enumerate(zip(told, LINES, strict=False)):
            points = _curve(result)
            axes.plot(
                [x for x, _ in points],
                [y for _, y in points],
                color=colour.light,
                ls=dashes,
                lw=1.6,
                zorder=9 - order,
                label=_entry(_area(points), name(result)),
            )
        _square(axes)
        axes.plot([], [], color=palette.NULL_MEAN.light, lw=1.0, ls=(0, (3, 2.5)), label="blind")
        axes.legend(
            loc="upper left",
            bbox_to_anchor=(1.03, 1.0),
            borderaxespad=0.0,
            frameon=False,
            fontsize=8,
            handlelength=1.6,
            labelspacing=0.7,
            title="area under the curve",
            title_fontsize=8,
            alignment="left",
        )
        svg = to_svg(figure)
    return Figure(svg=svg, caption=" ".join(_curves_said(trial, told)))


def _curves_said(trial: Trial, told: Sequence[Result]) -> list[str]:
    said = [
        f"{trial.title}: ROC curves. As the bar is lowered for what counts as similar, more of the "
        "pairs that should pass do (up), and more of those that should not (right)."
    ]
    pooled = _POOLED.get(str(told[0].details.get("task")))
    if pooled:
        said.append(f"Of {pooled}, so that the area need not be the score.")
    return [*said, *cut_note(trial, told)]


def _curve(result: Result) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in result.details.get("curve") or ()]


def _area(points: Sequence[tuple[float, float]]) -> float:
    """Return the area under the curve as it is drawn."""
    return sum((x2 - x1) * (y1 + y2) / 2 for (x1, y1), (x2, y2) in pairwise(points))


def _entry(area: float, name: str) -> str:
    # Figure spaces are as wide as the digits above them.
    return f"{area:.2f}  " + "\n\u2007\u2007\u2007\u2007".join(in_two_lines(name, _NAME))


def _square(axes: Axes) -> None:
    axes.set_xlim(-0.01, 1.01)
    axes.set_ylim(-0.01, 1.01)
    for ticks in (axes.set_xticks, axes.set_yticks):
        ticks([0.0, 0.25, 0.5, 0.75, 1.0], ["0", "", "0.5", "", "1"])
    axes.tick_params(length=0, labelsize=8, labelcolor=palette.MUTED.light)
    axes.grid(color=palette.RULE.light, lw=0.6)
    axes.set_axisbelow(True)
    axes.set_xlabel("share of L taken for similar", fontsize=8)
    axes.set_ylabel("share of H taken for similar", fontsize=8)


def densities_figure(trial: Trial) -> Figure | None:
    """Draw how the scores of H and L are spread, for the best model that tells of it."""
    chosen = next((each for each in trial.ranked() if each.details.get("densities")), None)
    if chosen is None:
        return None
    found = chosen.details["densities"]
    kept = _most(found)
    meant = _SETS.get(str(chosen.details.get("task")), _SETS["pairs"])
    with drawing():
        figure = canvas(WIDTH, 2.35)
        set_margins(figure, left=0.5, right=0.1, top=0.32, bottom=0.47)
        axes = figure.add_subplot()
        for key, said, colour in (
            ("low", f"L: {meant[1]}", palette.FAILURE),
            ("high", f"H: {meant[0]}", palette.ACCENT),
        ):
            heights = [100 * share for share in found[key][kept]]
            edges = found["edges"][kept.start : kept.stop + 1]
            axes.stairs(heights, edges, fill=True, color=(colour.light, 0.18), lw=0)
            axes.stairs(heights, edges, color=colour.light, lw=1.4, label=said)
        axes.margins(x=0.01)
        axes.set_ylim(bottom=0.0)
        axes.spines["left"].set_visible(False)
        axes.tick_params(axis="y", length=0, labelsize=8, labelcolor=palette.MUTED.light)
        axes.grid(axis="y", color=palette.RULE.light, lw=0.6)
        axes.set_axisbelow(True)
        axes.set_xlabel("score of a pair", fontsize=8)
        axes.set_ylabel("% of pairs", fontsize=8)
        figure.legend(loc="upper left", ncols=2, frameon=False, fontsize=8, reverse=True)
        svg = to_svg(figure)
    name = model_namer(trial.results)
    beyond = max(sum(found[key]) - sum(found[key][kept]) for key in ("high", "low"))
    cut = f" Not shown: up to {100 * beyond:.1f}\u00a0% at the ends." if beyond else ""
    whose = "" if len(trial.results) == 1 else ", the best model, "
    if whose and chosen is not trial.ranked()[0]:
        whose = ", the best model that tells them, "
    return Figure(
        svg=svg,
        caption=f"{trial.title}: the scores that {name(chosen)}{whose or ' '}gives to pairs in H "
        f"and in L. What lies over each other cannot be told apart.{cut}",
    )


def _most(found: PlainMapping) -> slice:
    """Return the bins without a few scores at either end, which would squeeze all others."""
    shares = [max(pair) for pair in zip(found["high"], found["low"], strict=True)]
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
    "counting half: 1 if the two never mix, 0.5 for blind guessing. Below 0.5 a model is worse "
    "than blind: pairs that differ in meaning look more alike to it than pairs that mean the same, "
    "as when changing one small word turns the meaning around and changing many words leaves it as "
    "it is. Of questions the score is the normalised rank: the sentences of a document are put in "
    "order by how similar they are to the question, and the one that answers it gets 1 if it comes "
    "first, 0 if last, and 0.5 on average by chance, or a little more if several answer it. Lemma "
    "overlap is the baseline to beat: it counts the words that two texts share and knows nothing "
    "of what they mean, yet texts that mean the same often share words. A model that does no "
    "better has shown no more than that. The subset has the questions that shared words do not "
    "answer; there one sees what a model adds. Mixed models add their scores to those of overlap: "
    "if they do better than either, each knows something that the other does not."
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
        title="Separation: is one meaning recognised under many forms?",
        how_to_read=f"{_HOW_TO_READ} {READING}",
        figures=[figure for figure in made if figure is not None],
        tables=[
            *(table for trial in asked for table in _tables(trial, items)),
            # Of the other tasks there are none but counts.
            *further_scores([trial for trial in asked if _task(trial) == "qa"]),
        ],
        notes=notes(asked),
    )


def _tables(trial: Trial, items: ItemsLoader) -> list[Table]:
    task = _task(trial)
    if task == "relation":
        return [relation_table(trial), *pairs_table(trial)]
    if task == "qa":
        return [answers_table(trial), *worst_table(trial, items), *kinds_tables(trial)]
    if task == "pairs":
        return [*phenomena_table(trial, compared(trial)), *examples_table(trial)]
    return []


def _task(trial: Trial) -> object:
    return trial.results[0].details.get("task")
