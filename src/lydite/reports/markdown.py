"""Tables in Markdown, as GitHub and most others read it."""

from __future__ import annotations

import re

from lydite.reports.table import Cell, Table
from lydite.reports.visible import visible

_SPECIAL = re.compile(r"[\\`*_{}\[\]#|~$!:@]")


def escape_markdown(text: str) -> str:
    r"""Write a text so that Markdown shows it as it is, on one line.

    >>> escape_markdown("*a* | <b> & [c](d)")
    '\\*a\\* \\| &lt;b&gt; &amp; \\[c\\](d)'
    """
    shown = visible(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _SPECIAL.sub(r"\\\g<0>", shown)


def to_markdown(table: Table) -> str:
    """Write a table with its caption above and its notes below."""
    columns, rows = table.for_people()
    rules = [":---" if column.align == "left" else "---:" for column in columns]
    lines = [f"**{escape_markdown(table.caption)}**", ""] if table.caption else []
    lines += [_line([escape_markdown(column.title) for column in columns]), _line(rules)]
    lines += [_line([_write(cell) for cell in row]) for row in rows]
    for note in table.notes:
        text = note.text if isinstance(note, Cell) else note
        lines += ["", escape_markdown(text)]
    return "\n".join(lines) + "\n"


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _write(cell: Cell) -> str:
    text = cell.text if cell.numeric else escape_markdown(cell.text)
    return f"**{text}**" if text and cell.tone in {"warning", "failure"} else text
