"""Cells of localization's tables.

Groups are told by their sentences, since names such as 59 say nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from lydite.reports.sections import ItemsLoader
from lydite.reports.table import Cell
from lydite.reports.visible import cut
from lydite.results.record import Result


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
