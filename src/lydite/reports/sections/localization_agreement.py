"""Who makes whose mistakes, from the item tables of results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lydite.evaluations.localization.agreement import Agreement, misclassification_agreement
from lydite.reports.sections import ItemsLoader
from lydite.results.naming import model_namer
from lydite.results.record import Result


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
