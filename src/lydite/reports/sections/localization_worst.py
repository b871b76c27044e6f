"""The meanings that models recognise least, side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean

from lydite.reports.sections import ItemsLoader
from lydite.reports.sections.localization_cells import first_sentences, group_cell
from lydite.reports.table import Cell, Column, Scalar, Table, model_column
from lydite.reports.trials import Trial
from lydite.results.naming import model_namer
from lydite.results.record import Result
from lydite.types import PlainMapping

_GROUPS = 15
_MODELS = 6


def worst_table(trial: Trial, items: ItemsLoader) -> list[Table]:
    """Return the groups recognised least, with the accuracy of each model, if any tells of them.

    Groups are sorted by the mean of the models that tell of them; without item tables a model
    tells of its worst alone.
    """
    shown = trial.ranked()[:_MODELS]
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
        *(_accuracy(each.get(group)) for each in accuracies),
        group_cell(rival, first.get("returned"), sentences.get(rival)),
        count or None,
    ]


def _accuracy(value: float | None) -> Cell:
    return Cell(text="" if value is None else f"{value:.2f}", values=(value,))
