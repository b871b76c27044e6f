r"""Tables in LaTeX, with the rules of the booktabs package."""

from __future__ import annotations

import re

from lydite.reports.table import Cell, Table
from lydite.reports.visible import visible

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "`": r"\textasciigrave{}",
    "\u00a0": "~",
    # At the start of a row these would be taken for arguments of the line break before.
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
}
_SPECIAL = re.compile("|".join(map(re.escape, _ESCAPES)))
_LIGATURE = re.compile(r"-(?=-)")


def escape_latex(text: str) -> str:
    r"""Write a text so that LaTeX sets it as it is, on one line.

    >>> escape_latex("50% of $x_1$ & more")
    '50\\% of \\$x\\_1\\$ \\& more'
    """
    return _LIGATURE.sub("-{}", _SPECIAL.sub(lambda found: _ESCAPES[found[0]], visible(text)))


def to_latex(table: Table) -> str:
    r"""Write a ``table`` environment; the document needs ``\usepackage{booktabs}``."""
    columns, rows = table.for_people()
    shape = "".join("l" if column.align == "left" else "r" for column in columns)
    lines = [r"\begin{table}", r"\centering"]
    if table.caption:
        lines.append(rf"\caption{{{escape_latex(table.caption)}}}")
    lines += [rf"\begin{{tabular}}{{{shape}}}", r"\toprule"]
    lines += [_line([escape_latex(column.title) for column in columns]), r"\midrule"]
    lines += [_line([_write(cell) for cell in row]) for row in rows]
    lines += [r"\bottomrule", r"\end{tabular}"]
    for note in table.notes:
        text = note.text if isinstance(note, Cell) else note
        lines.append(rf"\par\smallskip{{\footnotesize {escape_latex(text)}}}")
    return "\n".join([*lines, r"\end{table}"]) + "\n"


def _line(cells: list[str]) -> str:
    return rf"{' & '.join(cells)} \\"


def _write(cell: Cell) -> str:
    text = escape_latex(cell.text)
    if cell.numeric:
        text = re.sub(r"-(?=\d)", "$-$", text)
    return rf"\textbf{{{text}}}" if text and cell.tone in {"warning", "failure"} else text
