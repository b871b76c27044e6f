"""Localization in the report: scores, which mistakes models share, which meanings are confused.

Agreement is P(m1(x) = m2(x) | m1(x) ≠ y and m2(x) ≠ y) for a sentence x of group y: it is counted
only where both models are wrong, since elsewhere it is agreement of both with the truth. Groups are
shown by their sentences, since names such as 59 say nothing.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lydite.drawing import palette
from lydite.drawing.figures import WIDTH, label
from lydite.drawing.panels import SERIES, Margins, legend_room, panels, room_for, series
from lydite.drawing.section import (
    READING,
    Figure,
    ItemsLoader,
    Section,
    baseline_note,
    cut_note,
    missing_notes,
    overview,
    sentences,
)
from lydite.drawing.table import (
    Cell,
    Column,
    Filled,
    Scalar,
    Table,
    count_cell,
    interval_cell,
    model_column,
    models_table,
    number_cell,
    score_cell,
    score_column,
)
from lydite.drawing.text import cut
from lydite.errors import InputError
from lydite.evaluations.catalogue import Shown
from lydite.evaluations.localization.evaluation import (
    CurvePoint,
    GroupRow,
    Localization,
    LocalizationDetails,
)
from lydite.results.metrics import metric_named
from lydite.results.record import Result
from lydite.results.trials import Trial, model_namer, resource_title, trials
from lydite.stats.means import wilson_interval
from lydite.types import Floats, Indices


@dataclass(frozen=True, kw_only=True, eq=False)
class Agreement:
    """How often each two of m models are wrong together, and in the same way."""

    models: tuple[str, ...]
    sentences: int
    # (m, m), symmetric: how many both take for a wrong group; on the diagonal, each model's
    # mistakes. No answer is a mistake.
    both_wrong: Indices
    # (m, m), symmetric: how many of these both take for the same wrong group. No answer is never
    # the same as anything, so the diagonal has the mistakes less the unanswered.
    same_wrong: Indices

    @property
    def mistakes(self) -> list[int]:
        """The mistakes of each model."""
        return [int(each) for each in np.diag(self.both_wrong)]

    def intervals(self, level: float = 0.95) -> Floats:
        """Return Wilson intervals, (m, m, 2), of the share of common mistakes that are the same.

        NaN where there are none. They take sentences for independent; those of one group are not
        quite.
        """
        return wilson_interval(self.same_wrong, self.both_wrong, level=level)


def misclassification_agreement(gold: ArrayLike, predicted: Mapping[str, ArrayLike]) -> Agreement:
    """Count the mistakes that models share.

    Gold and predictions have the shape (n,); -1 is no answer. The paper takes one fold; the test
    sentences of several folds or repeats can be put end to end.

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
    answered = wrong & (said >= 0)
    same = [
        ((said == one) & answered & own).sum(axis=1)
        for one, own in zip(said, answered, strict=True)
    ]
    return Agreement(
        models=tuple(predicted),
        sentences=len(truth),
        both_wrong=wrong.astype(np.int64) @ wrong.T.astype(np.int64),
        same_wrong=np.stack(same),
    )


def agreement_of(results: Sequence[Result], items: ItemsLoader) -> Agreement | None:
    """Compare the predictions of models for the same sentences, those of the first repeat.

    A table that is not about the sentences of the first, in their order and their groups, is left
    out; None if fewer than two remain.
    """

    def asked(table: Any) -> tuple[list[str], list[str]]:  # noqa: ANN401 - a polars.DataFrame
        return table["item"].to_list(), table["group"].to_list()

    known = [(result, table) for result in results if (table := items(result)) is not None]
    known = [(result, table) for result, table in known if asked(table) == asked(known[0][1])]
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


def first_sentences(results: Sequence[Result], items: ItemsLoader) -> dict[str, str]:
    """Return the first sentence of each group, from the first item table that there is."""
    tables = (table for result in results if (table := items(result)) is not None)
    table = next(tables, None)
    if table is None:
        return {}
    pairs = zip(table["group"].to_list(), table["item"].to_list(), strict=True)
    return dict(reversed(list(pairs)))


def group_cell(group: str, mistaken: str | None, other: str | None) -> Cell:
    """Name a group with a sentence that was mistaken, or else with any other, if there is one."""
    if mistaken:
        return Cell(text=f"{group}: {cut(mistaken)}", values=(group, mistaken))
    text = f"{group}, such as: {cut(other)}" if other else group
    return Cell(text=text, values=(group, None), tone="quiet")


@dataclass(frozen=True, kw_only=True)
class GroupSet:
    """Paraphrase groups: how many there are of each size, and what was changed on reading them."""

    title: str
    sizes: Mapping[int, int]
    changes: Mapping[str, int]


def group_sets(asked: Sequence[Trial]) -> list[GroupSet]:
    """Return all groups that were asked about, each set once whatever was asked of it."""
    found: dict[str, Trial] = {}
    for trial in asked:
        first = trial.results[0]
        told = LocalizationDetails.of(first)
        if told.histogram:
            identity = [first.resource, first.provenance.resource_sha256]
            found.setdefault(json.dumps([*identity, told.histogram, told.changes]), trial)
    short = {each: resource_title(trial.results[0].resource) for each, trial in found.items()}
    times = Counter(short.values())
    sets = []
    for each, trial in found.items():
        told = LocalizationDetails.of(trial.results[0])
        sets.append(
            GroupSet(
                # What was asked first names groups only where their resource does not.
                title=trial.title if times[short[each]] > 1 else short[each],
                sizes=dict(sorted((int(size), count) for size, count in told.histogram.items())),
                changes=told.changes,
            )
        )
    return sets


#: Larger groups than this share one bar; with so many bars or fewer each has its number above it.
_LARGE, _COUNTED = 40, 24


def sizes_figure(groups: GroupSet) -> Figure:
    """Draw how many groups there are of each size; the largest sizes share a bar."""
    from matplotlib.ticker import MaxNLocator

    bars = {size: count for size, count in groups.sizes.items() if size <= _LARGE}
    large = sum(count for size, count in groups.sizes.items() if size > _LARGE)
    if large:
        # Set apart from the rest.
        bars[_LARGE + 2] = large
    with panels([1.43], margins=Margins(left=0.55, top=0.2, bottom=0.47), grid="y") as drawn:
        axes = drawn.axes
        axes.bar(list(bars), list(bars.values()), width=0.8, color=palette.FAINT.light, lw=0)
        if len(bars) <= _COUNTED:
            above: dict[str, Any] = {"xytext": (0, 2.5), "textcoords": "offset points"}
            for size, count in bars.items():
                axes.annotate(f"{count:,}", (size, count), ha="center", fontsize=7.5, **above)
        # A few bars would else be as broad as the page.
        axes.set_xlim(min(bars) - 1, max(*bars, min(bars) + 11) + 1)
        axes.set_ylim(0, 1.08 * max(bars.values()))
        axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=12))
        if large:
            ticks = [tick for tick in range(0, _LARGE, 5) if tick >= min(bars) - 1]
            axes.set_xticks([*ticks, _LARGE + 2], [*map(str, ticks), f"over {_LARGE}"])
        axes.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=4))
        axes.set_xlabel("sentences in a group")
        axes.set_ylabel("groups")
        svg = drawn.to_svg()
    count = sum(groups.sizes.values())
    size = sum(size * times for size, times in groups.sizes.items())
    last = f"The last bar has all groups of more than {_LARGE}." if large else ""
    caption = f"{groups.title}: {count:,} paraphrase groups of {size:,} sentences, by their size."
    return Figure(svg=svg, caption=sentences(caption, last))


_MODELS = 10
#: The height of a cell, its greatest width, and the size of what is written in it.
_ROW, _COLUMN, _SIZE = 0.4, 0.85, 8.0
#: How far names above the columns lean, as the run and the rise of a unit of length.
_LEAN, _RUN, _RISE = 35, 0.82, 0.57


def heatmap_figure(trial: Trial, items: ItemsLoader) -> Figure | None:
    """Draw what share of their common mistakes each two models make in the same way.

    None if fewer than two models have an item table.
    """
    best = {id(result) for result in trial.ranked()[:_MODELS]}
    shown = [result for result in trial.results if id(result) in best]
    found = agreement_of(shown, items)
    if found is None:
        return None
    n, names = len(found.models), [label(name, 24) for name in found.models]
    longest = room_for(names, _SIZE, more=0.0)
    left, right, top = longest + 0.15, longest * _RUN, longest * _RISE + 0.45
    needed = room_for((f"{each}/{each}" for each in found.both_wrong.flat), _SIZE)
    across = max(needed, min(_COLUMN, (WIDTH - left - right) / n))
    width = max(WIDTH, left + n * across + right)
    margins = Margins(left=left, right=width - left - n * across, top=top, bottom=0.08)
    with panels([n * _ROW], margins=margins, width=width, grid=None) as drawn:
        _draw_cells(drawn.axes, found)
        _draw_names(drawn.axes, names, found.mistakes)
        drawn.axes.set(xlim=(0, n), ylim=(n, 0))
        drawn.axes.set_axis_off()
        svg = drawn.to_svg()
    caption = (
        f"{trial.title}: misclassification agreement. In a cell: of the sentences that both "
        "models got wrong, how many they assigned to the same wrong group; the shading is that "
        f"share. Beside each name: its mistakes among {found.sentences:,} sentences in the first "
        "repeat. A dash: no sentence that both got wrong."
    )
    return Figure(svg=svg, caption=sentences(caption, cut_note(len(shown), len(trial.results))))


def _draw_cells(axes: Any, found: Agreement) -> None:  # noqa: ANN401 - Matplotlib's
    from matplotlib.patches import Rectangle

    for i, j in np.ndindex(found.both_wrong.shape):
        same, both = int(found.same_wrong[i, j]), int(found.both_wrong[i, j])
        place, room = (j + 0.03, i + 0.04), (0.94, 0.92)
        axes.add_patch(Rectangle(place, *room, fc=palette.PANEL.light, lw=0))
        if same:
            # Opacity keeps to the share where the page turns dark, which another color would not.
            axes.add_patch(Rectangle(place, *room, fc=(palette.FAINT.light, same / both), lw=0))
        text, ink = (f"{same}/{both}", palette.INK) if both else ("–", palette.MUTED)
        middle = (j + 0.5, i + 0.5)
        axes.annotate(text, middle, ha="center", va="center", fontsize=_SIZE, color=ink.light)


def _draw_names(axes: Any, names: Sequence[str], mistakes: Sequence[int]) -> None:  # noqa: ANN401
    """Write each name, its mistakes below it, beside its row and above its column."""
    name_style: dict[str, Any] = {"fontsize": _SIZE, "va": "bottom"}
    lean: dict[str, Any] = {"rotation": _LEAN, "rotation_mode": "anchor", "ha": "left"}
    quiet: dict[str, Any] = {"fontsize": 7, "color": palette.MUTED.light}
    for k, (name, mistaken) in enumerate(zip(names, mistakes, strict=True)):
        row, column, count = (0, k + 0.5), (k + 0.5, 0), f"{mistaken:,}"
        for text, place, offset, style in (
            (name, row, (-6, 1), {"ha": "right", **name_style}),
            (count, row, (-6, -1.5), {"ha": "right", "va": "top", **quiet}),
            (name, column, (-3, 16), {**name_style, **lean}),
            (count, column, (0, 3), {"ha": "center", "va": "bottom", **quiet}),
        ):
            axes.annotate(text, place, xytext=offset, textcoords="offset points", **style)


#: Rows of a table about groups, and models beside them.
_GROUPS, _BESIDE = 15, 6


def worst_table(trial: Trial, items: ItemsLoader) -> list[Table]:
    """Return the groups recognized least, with the accuracy of each model, if any tells of them.

    Groups are sorted by the mean of the models that tell of them; without item tables a model
    tells of its worst alone.
    """
    shown = trial.ranked()[:_BESIDE]
    accuracies = [_accuracies(result, items) for result in shown]
    means = {
        group: fmean(each[group] for each in accuracies if group in each)
        for group in dict.fromkeys(group for each in accuracies for group in each)
    }
    worst = sorted((group for group in means if means[group] < 1), key=lambda each: means[each])
    if not worst:
        return []
    told: dict[str, list[GroupRow]] = {}
    for row in (row for result in shown for row in LocalizationDetails.of(result).groups):
        if row.taken_for is not None:
            told.setdefault(row.group, []).append(row)
    known, name = first_sentences(shown, items), model_namer(trial.results)
    return [
        Table(
            columns=[
                Column(title="group", fields=("group", "mistaken")),
                *(model_column(name(result)) for result in shown),
                Column(title="taken for", fields=("taken_for", "returned")),
                Column(title="times", align="right"),
            ],
            rows=[
                _worst_row(group, accuracies, told.get(group, []), known)
                for group in worst[:_GROUPS]
            ],
            caption=f"{trial.title}: the groups recognized least",
            notes=_notes(
                "Accuracy over all repeats, best model first; blank where it is not known. Taken "
                "for: the group to which the models together assign most of the group's "
                "sentences.",
                cut_note(len(shown), len(trial.results)),
            ),
        )
    ]


def _accuracies(result: Result, items: ItemsLoader) -> dict[str, float]:
    table = items(result)
    if table is None:
        told = LocalizationDetails.of(result).groups
        return {row.group: row.accuracy for row in told if row.accuracy is not None}
    values: dict[str, list[float]] = {}
    for group, value in zip(table["group"].to_list(), table["value"].to_list(), strict=True):
        values.setdefault(group, []).append(value)
    return {group: fmean(each) for group, each in values.items()}


def _worst_row(
    group: str,
    accuracies: Iterable[Mapping[str, float]],
    told: Sequence[GroupRow],
    known: Mapping[str, str],
) -> list[Cell | Scalar]:
    times: Counter[str] = Counter()
    for row in told:
        times[row.taken_for or ""] += row.times
    rival, count = next(iter(times.most_common(1)), ("", 0))
    first = next((row for row in told if row.taken_for == rival), GroupRow())
    shares = [each.get(group) for each in accuracies]
    return [
        group_cell(group, first.example, known.get(group)),
        *(Cell(text="" if each is None else f"{each:.2f}", values=(each,)) for each in shares),
        group_cell(rival, first.returned, known.get(rival)),
        count or None,
    ]


def _notes(*notes: str) -> list[str]:
    return [note for note in notes if note]


def scores_table(results: Sequence[Result]) -> Table:
    """Return one row per model and set of groups: accuracies, chance, alignment, uniformity."""
    asked = trials(results)
    accuracies = {"svm": "SVM", "centroid": "centroid", "neighbour": "neighbour"}
    columns: list[Filled] = [
        *(
            (score_column(title, metric), lambda result, metric=metric: score_cell(result, metric))
            for metric, title in accuracies.items()
        ),
        (Column(title="chance"), lambda result: _number(result, "chance", result.baseline.mean)),
        *(
            (
                Column(title=metric),
                lambda result, metric=metric: _number(result, metric, result.others.get(metric)),
            )
            for metric in ("alignment", "uniformity")
        ),
    ]
    return models_table(
        [result for trial in asked for result in trial.results],
        columns,
        asked="groups",
        caption="Localization: share of sentences assigned to their own paraphrase group",
        notes=[
            "Mean over repeats of cross-validation; the interval, for the leading accuracy, is "
            "that of other groups. Alignment: mean squared distance of two sentences of one group, "
            "0 at best. Uniformity: lower means more evenly spread.",
            *result_notes(asked),
        ],
    )


def _number(result: Result, name: str, value: float | None) -> Cell:
    metric = metric_named(name, result.provenance.evaluation)
    return number_cell(value, metric, tone="quiet" if name == "chance" else "plain")


def result_notes(asked: Sequence[Trial]) -> list[str]:
    """Say what results tell of themselves: classifiers not solved, groups drawn at random.

    What all models of a trial tell is said once.
    """
    name = model_namer([result for trial in asked for result in trial.results])
    notes = []
    for trial in asked:
        told: dict[str, list[str]] = {}
        for result in trial.results:
            for note in LocalizationDetails.of(result).notes:
                told.setdefault(note, []).append(name(result))
        for note, models in told.items():
            whose = [] if len(models) == len(trial.results) > 1 else models
            notes.append(f"{', '.join([trial.title, *whose])}: {note}.")
    return notes


def agreement_table(results: Sequence[Result], items: ItemsLoader) -> list[Table]:
    """Return, for each set of groups, how often two models that are both wrong say the same."""
    found = [(trial, agreement_of(trial.results, items)) for trial in trials(results)]
    return [_agreement(trial, agreement) for trial, agreement in found if agreement is not None]


def _agreement(trial: Trial, found: Agreement) -> Table:
    ends, models = found.intervals(), range(len(found.models))
    # How many common mistakes are the same, of how many, and the interval of that share.
    parts = ("same", "both wrong", "low", "high")

    def cell(i: int, j: int) -> Cell:
        same, both = int(found.same_wrong[i, j]), int(found.both_wrong[i, j])
        if not both:
            return Cell(text="none", values=(same, both, None, None), tone="quiet")
        values = (same, both, float(ends[i, j, 0]), float(ends[i, j, 1]))
        return Cell(text=f"{same / both:.2f} ({same}/{both})", values=values)

    return Table(
        columns=[
            Column(title="model"),
            Column(title="mistakes", align="right"),
            *(model_column(name, *(f"{name}: {part}" for part in parts)) for name in found.models),
        ],
        rows=[[found.models[i], found.mistakes[i], *(cell(i, j) for j in models)] for i in models],
        caption=f"{trial.title}: misclassification agreement",
        notes=[
            f"Of the {found.sentences:,} sentences, those that both models got wrong, and the "
            "share of them that both took for the same wrong group; in the first repeat."
        ],
    )


def confused_table(results: Sequence[Result], items: ItemsLoader | None = None) -> list[Table]:
    """Return, for each set of groups, which are taken for which, with a sentence of each.

    Item tables, where there are any, give a sentence of groups of which none was mistaken.
    """
    return [
        _confused(trial, first_sentences(trial.results, items) if items else {})
        for trial in trials(results)
        if any(LocalizationDetails.of(result).confused for result in trial.results)
    ]


def _confused(trial: Trial, known: Mapping[str, str]) -> Table:
    name, shown = model_namer(trial.results), trial.ranked()[:_BESIDE]
    told = [
        {each.groups: each for each in LocalizationDetails.of(result).confused} for result in shown
    ]
    totals: Counter[tuple[str, ...]] = Counter()
    for pairs in told:
        totals.update({pair: each.times for pair, each in pairs.items()})

    def row(pair: tuple[str, ...]) -> list[Cell | Scalar]:
        """Name two groups by what the best model mistook, then how often each model did."""
        examples = [pairs[pair].examples for pairs in told if pair in pairs]
        mistaken = [next(filter(None, each), None) for each in zip(*examples, strict=True)]
        return [
            *(group_cell(*each, known.get(each[0])) for each in zip(pair, mistaken, strict=True)),
            *(pairs[pair].times if pair in pairs else None for pairs in told),
        ]

    return Table(
        columns=[
            Column(title="one group", fields=("one", "one_mistaken")),
            Column(title="the other", fields=("other", "other_mistaken")),
            *(model_column(name(result)) for result in shown),
        ],
        rows=[row(pair) for pair, _ in totals.most_common(_GROUPS)],
        caption=f"{trial.title}: the groups most often confused",
        notes=_notes(
            "How often a sentence of one group is assigned to the other, over all repeats, best "
            "model first; blank where the two are not among those that a model confuses most. "
            "With each group a sentence that was mistaken.",
            cut_note(len(shown), len(trial.results)),
        ),
    )


def curve_table(results: Sequence[Result]) -> list[Table]:
    """Return the accuracy by the number of training sentences per group, where it was measured."""
    return [_curve(trial) for trial in trials(results) if _curves(trial)]


def _curves(trial: Trial) -> list[tuple[Result, dict[str, CurvePoint]]]:
    """Return the points of each model that has a curve, best model first, by how they are named."""
    told = ((result, LocalizationDetails.of(result).curve) for result in trial.ranked())
    return [
        (result, {_examples(point): point for point in curve}) for result, curve in told if curve
    ]


def _examples(point: CurvePoint) -> str:
    return "all" if point.examples is None else f"{point.examples}"


def _curve(trial: Trial) -> Table:
    curves, name = _curves(trial), model_namer(trial.results)
    shown = curves[:_BESIDE]

    def cell(result: Result, point: CurvePoint | None) -> Cell:
        if point is None:
            return Cell(text="", values=(None, None, None))
        metric = metric_named(result.metric, result.provenance.evaluation)
        return interval_cell(point.accuracy, point.low, point.high, metric)

    def columns(result: Result) -> Column:
        title = name(result)
        return Column(title=title, fields=(title, f"{title}: low", f"{title}: high"), align="right")

    first = shown[0][1]
    return Table(
        columns=[
            Column(title="training sentences per group", fields=("examples",)),
            Column(title="groups that have as many", fields=("groups",), align="right"),
            *(columns(result) for result, _ in shown),
        ],
        rows=[
            [
                examples if examples == "all" else f"at most {examples}",
                count_cell(point.groups),
                *(cell(result, points.get(examples)) for result, points in shown),
            ]
            for examples, point in first.items()
        ],
        caption=f"{trial.title}: accuracy by the number of training sentences",
        notes=_notes(
            "A group that has fewer training sentences gives all it has, so that the groups to "
            "choose between and the sentences asked about are the same in all rows.",
            cut_note(len(shown), len(curves)),
        ),
    )


def curve_figure(trial: Trial) -> Figure | None:
    """Draw the accuracy against the number of training sentences per group."""
    curves = _curves(trial)[: len(SERIES)]
    if not curves:
        return None
    name = model_namer(trial.results)
    marks = series(name(result) for result, _ in curves)
    ticks = list(curves[0][1])
    margins = Margins(left=0.55, top=0.12, bottom=0.55 + legend_room(len(marks), 3))
    with panels([1.8], margins=margins, grid="y") as drawn:
        for number, (mark, (_, points)) in enumerate(zip(marks, curves, strict=True)):
            # Models stand a little beside each other, so that intervals can be told apart.
            shift = 0.08 * (number - (len(marks) - 1) / 2)
            known = [(ticks.index(at) + shift, point) for at, point in points.items()]
            replace(mark, line="-", width=1.2).draw(
                drawn.axes, [(x, point.accuracy) for x, point in known]
            )
            for x, point in known:
                if point.low is not None and point.high is not None:
                    mark.whisker(drawn.axes, x, (point.low, point.high), upright=True)
        drawn.axes.set_xlim(-0.5, len(ticks) - 0.5)
        drawn.axes.set_ylim(bottom=0.0)
        drawn.axes.set_xticks(range(len(ticks)), ticks)
        drawn.axes.set_xlabel("training sentences per group, at most")
        drawn.axes.set_ylabel("accuracy")
        drawn.legend(marks, columns=3)
        svg = drawn.to_svg()
    caption = (
        f"{trial.title}: accuracy by the number of training sentences per group, with "
        "95\u00a0% intervals. All groups and all test sentences count at every point."
    )
    return Figure(svg=svg, caption=sentences(caption, cut_note(len(curves), len(_curves(trial)))))


def histogram_table(results: Sequence[Result]) -> list[Table]:
    """Return, for each set of groups, how many there are of each size."""
    return [
        Table(
            columns=[
                Column(title="sentences per group", fields=("sentences a group",), align="right"),
                Column(title="groups", align="right"),
            ],
            rows=list(groups.sizes.items()),
            caption=f"{groups.title}: sizes of groups",
            notes=changes_notes([groups]),
        )
        for groups in group_sets(trials(results))
    ]


def changes_notes(known: Sequence[GroupSet]) -> list[str]:
    """Say what was done to groups when they were read."""
    return [
        f"{groups.title}, when the groups were read: "
        + "; ".join(f"{what}: {count:,}" for what, count in groups.changes.items())
        + "."
        for groups in known
        if groups.changes
    ]


_HOW_TO_READ = (
    "The sentences of a paraphrase group mean the same. A classifier is shown some of every group "
    "and has to say which group each of the others belongs to. Accuracy is the share that it gets "
    "right: 1 means that every meaning has a place of its own, and chance is what the same answers "
    "would get if they were dealt out at random. The support vector machines learn where the "
    "borders are, straight ones, from vectors divided by their typical length: a factor common to "
    "all vectors changes nothing. The nearest centroid and the nearest neighbor learn nothing. "
    "The bag of words (bow) is the baseline to beat: people who mean the same often use the same "
    "words, so counting words alone recognizes many groups, and a model that gets no further has "
    "shown no more than that. Alignment is how far apart the sentences of one group lie, 0 at "
    "best; uniformity is how evenly all sentences spread, the lower the better. Read them "
    "together: a model that puts everything in one place is perfectly aligned. Agreement is about "
    "sentences that two models both get wrong. If they take them for the same wrong group, they "
    "make the same mistakes; if not, each knows something that the other does not, and an ensemble "
    "of both may do better than either."
)


def section(results: Sequence[Result], items: ItemsLoader) -> Section:
    """Draw scores, sizes of groups and shared mistakes, and tell what is taken for what."""
    tables = {result.key: result for result in results}

    @cache
    def table(key: str) -> Any:  # noqa: ANN401 - a polars.DataFrame
        return items(tables[key])

    def load(result: Result) -> Any:  # noqa: ANN401 - read once
        return table(result.key)

    asked = trials(results)
    known = group_sets(asked)
    heatmaps = [heatmap_figure(trial, load) for trial in asked]
    words = [baseline_note(trial, Localization.baseline, "the bag of words") for trial in asked]
    return Section(
        title="Localization: is each meaning in one place?",
        how_to_read=f"{_HOW_TO_READ} {READING}",
        figures=[
            *(overview(trial) for trial in asked),
            *(figure for trial in asked if (figure := curve_figure(trial)) is not None),
            *map(sizes_figure, known),
            # The tall ones last.
            *(figure for figure in heatmaps if figure is not None),
        ],
        tables=[
            scores_table(results),
            *curve_table(results),
            *confused_table(results, load),
            *(table for trial in asked for table in worst_table(trial, load)),
            *agreement_table(results, load),
        ],
        notes=[*_notes(*words), *changes_notes(known), *missing_notes(results)],
    )


def command_tables(results: Sequence[Result], items: ItemsLoader, shown: Shown) -> list[Table]:
    """Return what the command prints: scores, shared mistakes, and what is confused if asked."""
    return [
        scores_table(results),
        *curve_table(results),
        *agreement_table(results, items),
        *(confused_table(results, items) if shown.options.get("confused") else ()),
        *histogram_table(results),
    ]
