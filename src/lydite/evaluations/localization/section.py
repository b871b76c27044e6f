"""Localization in the report: scores, whose mistakes are whose, which meanings are confused.

P(m1(x) = m2(x) | m1(x) ≠ y and m2(x) ≠ y) for a sentence x of group y. Where both are wrong alone,
since elsewhere agreement is that of both with the truth.

Groups are told by their sentences, since names such as 59 say nothing.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any

import numpy as np
from markupsafe import Markup
from numpy.typing import ArrayLike

from lydite.drawing import palette
from lydite.drawing.figures import WIDTH, canvas, drawing, label, set_margins, text_width, to_svg
from lydite.drawing.metrics import metric_named
from lydite.drawing.section import READING, Figure, ItemsLoader, Section, missing_notes, overview
from lydite.drawing.table import Cell, Column, Scalar, Table, covered_cell, model_column
from lydite.drawing.text import cut
from lydite.errors import InputError, LyditeError
from lydite.results.record import Result
from lydite.results.trials import (
    Trial,
    model_namer,
    resource_name,
    resource_title,
    trials,
)
from lydite.spec import parse
from lydite.stats.bootstrap import wilson_interval
from lydite.types import Floats, Indices, PlainMapping

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, kw_only=True, eq=False)
class Agreement:
    """How often each two of m models are wrong together, and in the same way.

    Attributes
    ----------
    models
        The m names.
    sentences
        How many sentences were classified.
    both_wrong
        Shape (m, m), symmetric: how many both take for a wrong group; on the diagonal, each
        model's mistakes. No answer is a mistake.
    same_wrong
        Shape (m, m), symmetric: how many of these both take for the same wrong group. No answer is
        never the same as anything, so the diagonal has the mistakes less the unanswered.
    """

    models: tuple[str, ...]
    sentences: int
    both_wrong: Indices
    same_wrong: Indices

    @property
    def mistakes(self) -> Indices:
        """The mistakes of each model, (m,)."""
        return np.diag(self.both_wrong).copy()

    def intervals(self, level: float = 0.95) -> Floats:
        """Return Wilson intervals, (m, m, 2), of the share of common mistakes that are the same.

        NaN where there are none. They take sentences for independent; those of one group are not
        quite.
        """
        return wilson_interval(self.same_wrong, self.both_wrong, level=level)


def misclassification_agreement(gold: ArrayLike, predicted: Mapping[str, ArrayLike]) -> Agreement:
    """Count the mistakes that models share.

    Parameters
    ----------
    gold
        Shape (n,): the group of each sentence.
    predicted
        For each model, shape (n,): what it takes each sentence for, -1 for no answer. The paper
        takes one fold; the test sentences of several folds or repeats can be put end to end.

    Raises
    ------
    InputError
        If there is no model, or one has not said anything of just these sentences.

    Examples
    --------
    >>> found = misclassification_agreement(
    ...     [0, 1, 2, 2], {"a": [0, 2, 1, 0], "b": [1, 2, 1, 1]}
    ... )
    >>> found.both_wrong.tolist(), found.same_wrong.tolist()
    ([[3, 3], [3, 4]], [[3, 2], [2, 4]])
    """
    truth = np.asarray(gold, dtype=np.int64)
    if not predicted:
        raise InputError("agreement is about models, got none")
    for name, each in predicted.items():
        if truth.ndim != 1 or np.shape(each) != truth.shape:
            raise InputError(
                f"expected one prediction of {name} for each sentence, shape {truth.shape}, "
                f"got {np.shape(each)}"
            )
    said = np.stack([np.asarray(each, dtype=np.int64) for each in predicted.values()])
    wrong = (said != truth) | (said < 0)
    both = wrong.astype(np.int64) @ wrong.T.astype(np.int64)
    answered = wrong & (said >= 0)
    same = np.stack(
        [
            ((said == one) & answered & mask).sum(axis=1)
            for one, mask in zip(said, answered, strict=True)
        ]
    )
    return Agreement(
        models=tuple(predicted), sentences=len(truth), both_wrong=both, same_wrong=same
    )


def agreement_of(results: Sequence[Result], items: ItemsLoader) -> Agreement | None:
    """Compare the predictions of models for the same sentences, those of the first repeat.

    Parameters
    ----------
    results
        Answers to one question.
    items
        Finds their item tables.

    Returns
    -------
    None if fewer than two of them have a table. One that is not about the sentences of the first,
    in their order and their groups, is left out.
    """
    tables = [(result, items(result)) for result in results]
    known = [(result, table) for result, table in tables if table is not None]
    known = [(result, table) for result, table in known if _asked(table) == _asked(known[0][1])]
    if len(known) < 2:
        return None
    name = model_namer(results)
    gold = known[0][1]["group"].to_list()
    number = {group: i for i, group in enumerate(dict.fromkeys(gold))}
    return misclassification_agreement(
        [number[group] for group in gold],
        {
            name(result): [number.get(group, -1) for group in table["taken_for"].to_list()]
            for result, table in known
        },
    )


def _asked(table: Any) -> tuple[list[str], list[str]]:  # noqa: ANN401 - a polars.DataFrame
    return table["item"].to_list(), table["group"].to_list()


def first_sentences(results: Sequence[Result], items: ItemsLoader) -> dict[str, str]:
    """Return the first sentence of each group, from the first item table that there is."""
    for result in results:
        table = items(result)
        if table is not None:
            pairs = zip(table["group"].to_list(), table["item"].to_list(), strict=True)
            return dict(reversed(list(pairs)))
    return {}


def group_cell(group: str, mistaken: str | None, other: str | None) -> Cell:
    """Name a group with a sentence that was mistaken, or else with any other, if there is one."""
    if mistaken:
        return Cell(text=f"{group}: {cut(mistaken)}", values=(group, mistaken))
    text = f"{group}, such as: {cut(other)}" if other else group
    return Cell(text=text, values=(group, None), tone="quiet")


#: Larger groups than this share one bar.
_LARGE = 40
#: With so many bars or fewer each tells its number.
_COUNTED = 24


@dataclass(frozen=True, kw_only=True)
class GroupSet:
    """Paraphrase groups as results tell of them.

    Attributes
    ----------
    title
        What they are called.
    sizes
        How many groups there are of each size, the smallest size first.
    changes
        What was done to them when they were read, and how often.
    """

    title: str
    sizes: Mapping[int, int]
    changes: Mapping[str, int]

    @property
    def groups(self) -> int:
        """How many there are."""
        return sum(self.sizes.values())

    @property
    def sentences(self) -> int:
        """How many sentences they have together."""
        return sum(size * count for size, count in self.sizes.items())


def group_sets(asked: Sequence[Trial]) -> list[GroupSet]:
    """Return all groups that were asked about, each set once whatever was asked of it."""
    found: dict[str, Trial] = {}
    for trial in asked:
        first = trial.results[0]
        if first.details.get("histogram"):
            said = [first.details["histogram"], first.details.get("changes", {})]
            identity = [first.resource, first.provenance.resource_sha256, said]
            found.setdefault(json.dumps(identity), trial)
    short = Counter(_short(trial) for trial in found.values())
    return [
        GroupSet(
            # What was asked first names groups only where their resource does not.
            title=trial.title if short[_short(trial)] > 1 else _short(trial),
            sizes=_sizes(trial.results[0].details["histogram"]),
            changes=trial.results[0].details.get("changes", {}),
        )
        for trial in found.values()
    ]


def _short(trial: Trial) -> str:
    return resource_title(trial.results[0].resource)


def _sizes(histogram: Mapping[str, int]) -> dict[int, int]:
    return dict(sorted((int(size), int(count)) for size, count in histogram.items()))


def sizes_figure(groups: GroupSet) -> Figure:
    """Draw how many groups there are of each size; the largest sizes share a bar."""
    bars = {size: count for size, count in groups.sizes.items() if size <= _LARGE}
    large = sum(count for size, count in groups.sizes.items() if size > _LARGE)
    with drawing():
        figure = canvas(WIDTH, 2.1)
        set_margins(figure, left=0.55, right=0.1, top=0.2, bottom=0.47)
        axes = figure.add_subplot()
        _bars(axes, bars, large)
        svg = to_svg(figure)
    said = [
        f"{groups.title}: {groups.groups:,} paraphrase groups of {groups.sentences:,} sentences, "
        "by their size."
    ]
    if large:
        said.append(f"The last bar has all groups of more than {_LARGE}.")
    return Figure(svg=svg, caption=" ".join(said))


def _bars(axes: Axes, bars: Mapping[int, int], large: int) -> None:
    from matplotlib.ticker import MaxNLocator

    # Groups of more than that many stand apart from the rest.
    drawn = {**bars, **({_LARGE + 2: large} if large else {})}
    axes.bar(list(drawn), list(drawn.values()), width=0.8, color=palette.FAINT.light, lw=0)
    if len(drawn) <= _COUNTED:
        for size, count in drawn.items():
            axes.annotate(
                f"{count:,}",
                (size, count),
                xytext=(0, 2.5),
                textcoords="offset points",
                ha="center",
                fontsize=7.5,
            )
    # A few bars would else be as broad as the page.
    axes.set_xlim(min(drawn) - 1, max(*drawn, min(drawn) + 11) + 1)
    axes.set_ylim(0, 1.08 * max(drawn.values()))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=12))
    if large:
        ticks = [tick for tick in range(0, _LARGE, 5) if tick >= min(drawn) - 1]
        axes.set_xticks([*ticks, _LARGE + 2], [*map(str, ticks), f"over {_LARGE}"])
    axes.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=4))
    axes.tick_params(axis="y", length=0, labelsize=8, labelcolor=palette.MUTED.light)
    axes.spines["left"].set_visible(False)
    axes.grid(axis="y", color=palette.RULE.light, lw=0.6)
    axes.set_axisbelow(True)
    axes.set_xlabel("sentences in a group")
    axes.set_ylabel("groups")


def result_notes(asked: Sequence[Trial]) -> list[str]:
    """Say what results tell of themselves: classifiers not solved, groups drawn at random.

    What all models of a trial tell is said once.
    """
    name = model_namer([result for trial in asked for result in trial.results])
    notes = []
    for trial in asked:
        told: dict[str, list[str]] = {}
        for result in trial.results:
            for note in result.details.get("notes", ()):
                told.setdefault(str(note), []).append(name(result))
        for note, models in told.items():
            of_all = len(models) == len(trial.results) > 1
            whose = "" if of_all else f", {', '.join(models)}"
            notes.append(f"{trial.title}{whose}: {note}.")
    return notes


def reading_notes(known: Sequence[GroupSet]) -> list[str]:
    """Say what was done to groups when they were read."""
    return [
        f"{groups.title}, when the groups were read: "
        + "; ".join(f"{what}: {count:,}" for what, count in groups.changes.items())
        + "."
        for groups in known
        if groups.changes
    ]


def words_notes(asked: Sequence[Trial]) -> list[str]:
    """Say which models do no better than a bag of words, or that there is none to compare with."""
    return [note for trial in asked if (note := _words_note(trial))]


def _words_note(trial: Trial) -> str:
    name, write = model_namer(trial.results), metric_named(trial.metric).write
    bags = [result for result in trial.ranked() if _is_bag(result)]
    if not bags:
        return (
            f"{trial.title}: no bag of words (bow) among the models, so that it is not known what "
            "shared words alone would get."
        )
    best = bags[0].score
    beaten = [
        f"{name(result)} ({write(result.score)})"
        for result in trial.ranked()
        if result.score <= best and not _is_bag(result)
    ]
    if not beaten:
        return ""
    return (
        f"{trial.title}: no better than the bag of words ({write(best)}), which sees nothing but "
        f"shared words: {', '.join(beaten)}."
    )


def _is_bag(result: Result) -> bool:
    try:
        return parse(result.model).name == "bow"
    except LyditeError:
        return False


_MODELS = 10
_NAME = 24

#: The height of a cell, its greatest width, and the size of what is written in it.
_ROW, _COLUMN, _SIZE = 0.4, 0.85, 8.0
#: How far names above the columns lean, as the run and the rise of a unit of length.
_LEAN, _RUN, _RISE = 35, 0.82, 0.57


def heatmap_figure(trial: Trial, items: ItemsLoader) -> Figure | None:
    """Draw what share of their common mistakes each two models make in the same way.

    Returns
    -------
    None if fewer than two models have an item table.
    """
    best = trial.ranked()[:_MODELS]
    shown = [result for result in trial.results if any(result is each for each in best)]
    found = agreement_of(shown, items)
    if found is None:
        return None
    said = [
        f"{trial.title}: misclassification agreement. In a cell: of the sentences that both models "
        "got wrong, how many they took for the same wrong group; the shading is that share. With "
        f"each name its mistakes, of {found.sentences:,} sentences, in the first repeat. A dash: "
        "no sentence that both got wrong."
    ]
    if len(trial.results) > len(shown):
        said.append(f"Shown: {len(shown)} of {len(trial.results)} models, the best.")
    return Figure(svg=_drawn(found), caption=" ".join(said))


def _drawn(found: Agreement) -> Markup:
    names = [label(name, _NAME) for name in found.models]
    n, mistakes = len(names), [f"{count:,}" for count in found.mistakes.tolist()]
    with drawing():
        longest = text_width(names, _SIZE)
        left, top = longest + 0.15, longest * _RISE + 0.45
        right = longest * _RUN
        needed = text_width(_written(found), _SIZE) + 0.12
        across = max(needed, min(_COLUMN, (WIDTH - left - right) / n))
        width = max(WIDTH, left + n * across + right)
        figure = canvas(width, top + n * _ROW + 0.08)
        set_margins(figure, left=left, right=width - left - n * across, top=top, bottom=0.08)
        axes = figure.add_subplot()
        for i in range(n):
            for j in range(n):
                _cell(axes, found, i, j)
        _names(axes, names, mistakes)
        axes.set_xlim(0, n)
        axes.set_ylim(n, 0)
        axes.set_axis_off()
        return to_svg(figure)


def _written(found: Agreement) -> list[str]:
    return [f"{count}/{count}" for count in found.both_wrong.ravel().tolist()]


def _cell(axes: Axes, found: Agreement, i: int, j: int) -> None:
    from matplotlib.patches import Rectangle

    same, both = int(found.same_wrong[i, j]), int(found.both_wrong[i, j])
    place, room = (j + 0.03, i + 0.04), (0.94, 0.92)
    axes.add_patch(Rectangle(place, *room, fc=palette.PANEL.light, lw=0))
    if same:
        # Opacity keeps to the share where the page turns dark, which another colour would not.
        shade = palette.FAINT.light
        axes.add_patch(Rectangle(place, *room, fc=(shade, same / both), lw=0))
    axes.annotate(
        f"{same}/{both}" if both else "–",
        (j + 0.5, i + 0.5),
        ha="center",
        va="center",
        fontsize=_SIZE,
        color=(palette.INK if both else palette.MUTED).light,
    )


def _names(axes: Axes, names: Sequence[str], mistakes: Sequence[str]) -> None:
    """Write each name, its mistakes below it, beside its row and above its column."""
    quiet: dict[str, Any] = {"fontsize": 7, "color": palette.MUTED.light}
    lean: dict[str, Any] = {"rotation": _LEAN, "rotation_mode": "anchor", "fontsize": _SIZE}
    for k, (name, count) in enumerate(zip(names, mistakes, strict=True)):
        row, column = (0, k + 0.5), (k + 0.5, 0)
        _write(axes, name, row, (-6, 1), ha="right", va="bottom", fontsize=_SIZE)
        _write(axes, count, row, (-6, -1.5), ha="right", va="top", **quiet)
        _write(axes, name, column, (-3, 16), ha="left", va="bottom", **lean)
        _write(axes, count, column, (0, 3), ha="center", va="bottom", **quiet)


def _write(
    axes: Axes,
    text: str,
    place: tuple[float, float],
    offset: tuple[float, float],
    **style: Any,  # noqa: ANN401 - Matplotlib's
) -> None:
    """Write beside a place, at an offset in points."""
    axes.annotate(text, place, xytext=offset, textcoords="offset points", **style)


_GROUPS = 15
_WORST_MODELS = 6


def worst_table(trial: Trial, items: ItemsLoader) -> list[Table]:
    """Return the groups recognised least, with the accuracy of each model, if any tells of them.

    Groups are sorted by the mean of the models that tell of them; without item tables a model
    tells of its worst alone.
    """
    shown = trial.ranked()[:_WORST_MODELS]
    accuracies = [_accuracies(result, items) for result in shown]
    means = {
        group: fmean(each[group] for each in accuracies if group in each)
        for group in dict.fromkeys(group for each in accuracies for group in each)
    }
    worst = sorted((group for group in means if means[group] < 1), key=lambda each: means[each])
    if not worst:
        return []
    sentences = first_sentences(shown, items)
    name = model_namer(trial.results)
    said = [
        "Accuracy over all repeats, best model first; blank where a model does not tell. Taken "
        "for: what the models together take most of the group's sentences for."
    ]
    if len(shown) < len(trial.results):
        said.append(f"Shown: {len(shown)} of {len(trial.results)} models, the best.")
    return [
        Table(
            columns=[
                Column(title="group", fields=("group", "mistaken")),
                *(model_column(name(result)) for result in shown),
                Column(title="taken for", fields=("taken_for", "returned")),
                Column(title="times", align="right"),
            ],
            rows=[
                _row(group, accuracies, _told(shown, group), sentences) for group in worst[:_GROUPS]
            ],
            caption=f"{trial.title}: the groups recognised least",
            notes=said,
        )
    ]


def _accuracies(result: Result, items: ItemsLoader) -> dict[str, float]:
    table = items(result)
    if table is None:
        return {
            str(row["group"]): float(row["accuracy"])
            for row in result.details.get("groups", ())
            if row.get("accuracy") is not None
        }
    values: dict[str, list[float]] = {}
    for group, value in zip(table["group"].to_list(), table["value"].to_list(), strict=True):
        values.setdefault(group, []).append(value)
    return {group: fmean(each) for group, each in values.items()}


def _told(results: Sequence[Result], group: str) -> list[PlainMapping]:
    """Return what the results tell of a group that they take for another."""
    return [
        row
        for result in results
        for row in result.details.get("groups", ())
        if row["group"] == group and row.get("taken_for") is not None
    ]


def _row(
    group: str,
    accuracies: Sequence[Mapping[str, float]],
    told: Sequence[PlainMapping],
    sentences: Mapping[str, str],
) -> list[Cell | Scalar]:
    times: Counter[str] = Counter()
    for row in told:
        times[row["taken_for"]] += row["times"]
    found = times.most_common(1)
    rival, count = found[0] if found else ("", 0)
    first: PlainMapping = next((row for row in told if row["taken_for"] == rival), {})
    return [
        group_cell(group, first.get("example"), sentences.get(group)),
        *(_group_accuracy(each.get(group)) for each in accuracies),
        group_cell(rival, first.get("returned"), sentences.get(rival)),
        count or None,
    ]


def _group_accuracy(value: float | None) -> Cell:
    return Cell(text="" if value is None else f"{value:.2f}", values=(value,))


#: The classifiers, and the geometry that needs none.
ACCURACIES = {"svm": "SVM", "centroid": "centroid", "neighbour": "neighbour"}
GEOMETRY = {"alignment": "alignment", "uniformity": "uniformity"}

#: What a cell of agreement says: how many common mistakes are the same, of how many, and the ends
#: of the interval of that share.
_PARTS = ("same", "both wrong", "low", "high")

#: Pairs of groups that are told of, and models.
_CONFUSED = 15
_TABLE_MODELS = 6


def scores_table(results: Sequence[Result]) -> Table:
    """Return one row a model and set of groups: accuracies, chance, alignment and uniformity."""
    name = model_namer(results)
    seeds = {result.provenance.seed for result in results}
    rows: list[list[Cell | Scalar]] = [
        [
            name(result),
            Cell(
                text=_asked_label(result),
                values=(result.resource, result.evaluation),
            ),
            *(_accuracy(result, metric) for metric in ACCURACIES),
            _number(result, "chance", result.baseline.mean),
            *(_number(result, metric, result.others.get(metric)) for metric in GEOMETRY),
            covered_cell(result),
            result.provenance.seed,
        ]
        for trial in trials(results)
        for result in trial.results
    ]
    return Table(
        columns=[
            Column(title="model"),
            Column(title="groups", fields=("resource", "evaluation")),
            *(
                Column(title=title, fields=(metric, f"{metric}_low", f"{metric}_high"))
                for metric, title in ACCURACIES.items()
            ),
            Column(title="chance"),
            *(Column(title=title, fields=(metric,)) for metric, title in GEOMETRY.items()),
            Column(title="covered", fields=("n_covered", "n_items"), align="right"),
            Column(title="seed", shown=len(seeds) > 1),
        ],
        rows=rows,
        caption="Localization: share of sentences put into their own paraphrase group",
        notes=[
            "Mean over repeats of cross-validation; the interval, of the accuracy that leads, "
            "draws whole groups. Alignment: mean squared distance of two sentences of one group, 0 "
            "at best. Uniformity: lower means more evenly spread.",
            *result_notes(trials(results)),
        ],
    )


def _asked_label(result: Result) -> str:
    inside = result.evaluation.removeprefix("localization").strip("()")
    return resource_name(result.resource) + (f", {inside}" if inside else "")


def _accuracy(result: Result, metric: str) -> Cell:
    write = metric_named(metric).write
    if metric == result.metric:
        interval = result.interval
        return Cell(
            text=f"{write(result.score)} [{write(interval.low)}, {write(interval.high)}]",
            values=(result.score, interval.low, interval.high),
            tone="strong",
        )
    value = result.others.get(metric)
    return Cell(text="" if value is None else write(value), values=(value, None, None))


def _number(result: Result, metric: str, value: float | None) -> Cell:
    text = "" if value is None else metric_named(metric).write(value)
    return Cell(text=text, values=(value,), tone="quiet" if metric == "chance" else "plain")


def agreement_table(results: Sequence[Result], items: ItemsLoader) -> list[Table]:
    """Return, for each set of groups, how often two models that are both wrong say the same."""
    found = [(trial, agreement_of(trial.results, items)) for trial in trials(results)]
    return [_agreement(trial, agreement) for trial, agreement in found if agreement is not None]


def _agreement(trial: Trial, found: Agreement) -> Table:
    ends = found.intervals()
    rows: list[list[Cell | Scalar]] = [
        [
            name,
            int(found.mistakes[i]),
            *(
                _fraction(int(found.same_wrong[i, j]), int(found.both_wrong[i, j]), ends[i, j])
                for j in range(len(found.models))
            ),
        ]
        for i, name in enumerate(found.models)
    ]
    return Table(
        columns=[
            Column(title="model"),
            Column(title="mistakes", align="right"),
            *(model_column(name, *(f"{name}: {part}" for part in _PARTS)) for name in found.models),
        ],
        rows=rows,
        caption=f"{trial.title}: misclassification agreement",
        notes=[
            f"Of the {found.sentences:,} sentences, those that both models got wrong, and the "
            "share of them that both took for the same wrong group; in the first repeat."
        ],
    )


def _fraction(same: int, both: int, ends: Floats) -> Cell:
    if not both:
        return Cell(text="none", values=(same, both, None, None), tone="quiet")
    values = (same, both, float(ends[0]), float(ends[1]))
    return Cell(text=f"{same / both:.2f} ({same}/{both})", values=values)


def confused_table(results: Sequence[Result], items: ItemsLoader | None = None) -> list[Table]:
    """Return, for each set of groups, which are taken for which, with a sentence of each.

    Item tables, where there are any, give a sentence of groups of which none was mistaken.
    """
    return [
        _confused(trial, first_sentences(trial.results, items) if items else {})
        for trial in trials(results)
        if any(result.details.get("confused") for result in trial.results)
    ]


def _confused(trial: Trial, sentences: Mapping[str, str]) -> Table:
    name = model_namer(trial.results)
    shown = trial.ranked()[:_TABLE_MODELS]
    told = [
        {tuple(each["groups"]): each for each in result.details.get("confused", ())}
        for result in shown
    ]
    totals: Counter[tuple[str, str]] = Counter()
    for pairs in told:
        totals.update({pair: int(each["times"]) for pair, each in pairs.items()})
    notes = [
        "How often a sentence of one is taken for one of the other, over all repeats, best model "
        "first; blank where the two are not among those that a model confuses most. With each "
        "group a sentence that was mistaken."
    ]
    if len(shown) < len(trial.results):
        notes.append(f"Shown: {len(shown)} of {len(trial.results)} models, the best.")
    return Table(
        columns=[
            Column(title="one group", fields=("one", "one_mistaken")),
            Column(title="the other", fields=("other", "other_mistaken")),
            *(model_column(name(result)) for result in shown),
        ],
        rows=[_pair(pair, told, sentences) for pair, _ in totals.most_common(_CONFUSED)],
        caption=f"{trial.title}: the groups most often taken for each other",
        notes=notes,
    )


def _pair(
    pair: tuple[str, str],
    told: Sequence[Mapping[tuple[str, ...], PlainMapping]],
    sentences: Mapping[str, str],
) -> list[Cell | Scalar]:
    """Name two groups by what the best model mistook, then how often each model did."""
    known = [pairs[pair]["examples"] for pairs in told if pair in pairs]
    return [
        *(
            group_cell(
                group,
                next((each[place] for each in known if each[place]), None),
                sentences.get(group),
            )
            for place, group in enumerate(pair)
        ),
        *(int(pairs[pair]["times"]) if pair in pairs else None for pairs in told),
    ]


def histogram_table(results: Sequence[Result]) -> list[Table]:
    """Return, for each set of groups, how many there are of each size."""
    return [_histogram(groups) for groups in group_sets(trials(results))]


def _histogram(groups: GroupSet) -> Table:
    return Table(
        columns=[
            Column(title="sentences a group", align="right"),
            Column(title="groups", align="right"),
        ],
        rows=list(groups.sizes.items()),
        caption=f"{groups.title}: sizes of groups",
        notes=reading_notes([groups]),
    )


_HOW_TO_READ = (
    "The sentences of a paraphrase group mean the same. A classifier is shown some of every group "
    "and has to say which group each of the others belongs to. Accuracy is the share that it gets "
    "right: 1 means that every meaning has a place of its own, and chance is what the same answers "
    "would get if they were dealt out at random. The support vector machines learn where the "
    "borders are, straight ones; the nearest centroid and the nearest neighbour learn nothing. "
    "The bag of words (bow) is the baseline to beat: people who mean the same often use the same "
    "words, so that counting words alone recognises many groups, and a model that gets no further "
    "has shown no more than that. Alignment is how far apart the sentences of one group lie, 0 at "
    "best; uniformity is how evenly all sentences spread, the lower the better. Read them "
    "together: a model that puts everything in one place is perfectly aligned. Agreement is about "
    "sentences that two models both get wrong. If they take them for the same wrong group, they "
    "err alike; if not, each knows something that the other does not, and an ensemble of both may "
    "do better than either."
)


def section(results: Sequence[Result], items: ItemsLoader) -> Section:
    """Draw scores, sizes of groups and shared mistakes, and tell what is taken for what."""
    asked, load = trials(results), _once(results, items)
    known = group_sets(asked)
    heatmaps = [heatmap_figure(trial, load) for trial in asked]
    return Section(
        title="Localization: does one meaning live in one place?",
        how_to_read=f"{_HOW_TO_READ} {READING}",
        figures=[
            *(overview(trial) for trial in asked),
            *map(sizes_figure, known),
            # The tall ones last.
            *(figure for figure in heatmaps if figure is not None),
        ],
        tables=[
            scores_table(results),
            *confused_table(results, load),
            *(table for trial in asked for table in worst_table(trial, load)),
            *agreement_table(results, load),
        ],
        notes=[*words_notes(asked), *reading_notes(known), *missing_notes(results)],
    )


def _once(results: Sequence[Result], items: ItemsLoader) -> ItemsLoader:
    """Read each item table once."""
    tables = {result.key: items(result) for result in results}

    def load(result: Result) -> Any:  # noqa: ANN401 - a polars.DataFrame
        return tables[result.key]

    return load


def command_tables(results: Sequence[Result], items: ItemsLoader, *, confused: bool) -> list[Table]:
    """Return what the command prints: scores, shared mistakes, and what is confused if asked."""
    return [
        scores_table(results),
        *agreement_table(results, items),
        *(confused_table(results, items) if confused else ()),
        *histogram_table(results),
    ]
