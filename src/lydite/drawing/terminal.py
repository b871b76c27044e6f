"""Tables for the terminal, by Rich."""

from __future__ import annotations

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table as RichTable
from rich.text import Text

from lydite.drawing.table import Cell, Table, Tone
from lydite.drawing.text import visible

_STYLES: dict[Tone, str] = {
    "plain": "",
    "quiet": "dim",
    "strong": "bold",
    "warning": "bold yellow",
    "failure": "bold red",
}


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
    for column in columns:
        drawn.add_column(
            Text(_tight(column.title)),
            justify="right" if column.align == "right" else "left",
            overflow="fold",
        )
    for row in rows:
        drawn.add_row(*(_text(cell) for cell in row))
    return Group(drawn, *(_note(note) for note in table.notes))


def _text(cell: Cell) -> Text:
    # Color does not reach every reader: the sign does.
    sign = "! " if cell.tone == "warning" else ""
    text = _tight(cell.text) if cell.numeric else visible(cell.text)
    return Text(sign + text, style=_STYLES[cell.tone])


def _tight(text: str) -> str:
    """Leave no blank before a per cent sign, where Rich would break the line."""
    return visible(text).replace("\u00a0%", "%").replace(" %", "%")


def _note(note: Cell | str) -> Text:
    if isinstance(note, Cell):
        return Text(visible(note.text, keep="\n"), style=_STYLES[note.tone])
    return Text(visible(note), style="dim")
