"""Tables for the terminal, by Rich."""

from __future__ import annotations

from rich import box
from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.table import Table as RichTable
from rich.text import Text

from lydite.reports.table import Cell, Table, Tone
from lydite.reports.visible import visible

_STYLES: dict[Tone, str] = {
    "plain": "",
    "quiet": "dim",
    "strong": "bold",
    "warning": "bold yellow",
    "failure": "bold red",
}
_NAME_WIDTH = 10


def to_rich(table: Table) -> RenderableType:
    """Return a table with its notes below; all texts are literal, none is markup."""
    columns, rows = table.for_people()
    drawn = RichTable(
        title=Text(visible(table.caption), style="bold") if table.caption else None,
        title_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )
    for place, column in enumerate(columns):
        longest = max((_longest_word(row[place]) for row in rows), default=0)
        drawn.add_column(
            Text(visible(column.title)),
            justify="right" if column.align == "right" else "left",
            # A narrow terminal may break names anywhere, but numbers only at blanks.
            min_width=longest if column.align == "right" else min(longest, _NAME_WIDTH),
            overflow="fold",
        )
    for row in rows:
        drawn.add_row(*(_text(cell) for cell in row))
    return Group(drawn, *(_note(note) for note in table.notes))


def _longest_word(cell: Cell) -> int:
    return max((cell_len(word) for word in _text(cell).plain.split()), default=0)


def _text(cell: Cell) -> Text:
    # Colour does not reach every reader: the sign does.
    sign = "! " if cell.tone == "warning" else ""
    return Text(sign + visible(cell.text), style=_STYLES[cell.tone])


def _note(note: Cell | str) -> Text:
    if isinstance(note, Cell):
        return Text(visible(note.text, keep="\n"), style=_STYLES[note.tone])
    return Text(visible(note), style="dim")
