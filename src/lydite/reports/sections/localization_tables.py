"""Localization in tables: the paper's Table 1, who shares whose mistakes, what is confused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from lydite.evaluations.localization.agreement import Agreement
from lydite.reports.metrics import metric_named
from lydite.reports.sections import ItemsLoader
from lydite.reports.sections.localization_agreement import agreement_of
from lydite.reports.sections.localization_cells import first_sentences, group_cell
from lydite.reports.sections.localization_notes import reading_notes, result_notes
from lydite.reports.sections.localization_sizes import GroupSet, group_sets
from lydite.reports.table import Cell, Column, Scalar, Table, covered_cell, model_column
from lydite.reports.trials import Trial, evaluation_label, resource_name, trials
from lydite.results.naming import model_namer
from lydite.results.record import Result
from lydite.types import Floats, PlainMapping

#: The classifiers, and the geometry that needs none.
ACCURACIES = {"svm": "SVM", "centroid": "centroid", "neighbour": "neighbour"}
GEOMETRY = {"alignment": "alignment", "uniformity": "uniformity"}

#: What a cell of agreement says: how many common mistakes are the same, of how many, and the ends
#: of the interval of that share.
_PARTS = ("same", "both wrong", "low", "high")

#: Pairs of groups that are told of, and models.
_CONFUSED = 15
_MODELS = 6


def scores_table(results: Sequence[Result]) -> Table:
    """Return one row a model and set of groups: accuracies, chance, alignment and uniformity."""
    name = model_namer(results)
    seeds = {result.provenance.seed for result in results}
    rows: list[list[Cell | Scalar]] = [
        [
            name(result),
            Cell(
                text=_asked(result), values=(result.resource, evaluation_label(result.evaluation))
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


def _asked(result: Result) -> str:
    inside = evaluation_label(result.evaluation).removeprefix("localization").strip("()")
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
    shown = trial.ranked()[:_MODELS]
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
