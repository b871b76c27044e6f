"""Tell from the beginning of a file what it says of groups."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from lydite.corpora.paraphrases.authors import INDEX_HEADER
from lydite.corpora.paraphrases.listed import GROUP_COLUMNS
from lydite.corpora.paraphrases.pairs import PAIR_COLUMNS, has_pair_columns, is_label
from lydite.corpora.reading import text_lines
from lydite.corpora.tables import WHOLE_LINES, columns, delimiter_of, table_rows
from lydite.errors import FormatError

Layout: TypeAlias = Literal[
    "index",  # phrase_groups.csv
    "group table",
    "group lines",
    "pair table",
    "pair lines",
    "id table",
    "id lines",
    "id object",
    "plain",
]

_LABELLED = 3  # text, text, label
_ID_COLUMNS = {"id": ("id",), "text": ("text",)}
LAYOUTS_HINT = (
    "a table with the header group,text or text1,text2,label, lines of JSON with these fields, a"
    " folder with phrases.txt and phrase_groups.csv, or several versions of a text that have the"
    " same lines or the same ids"
)


class Sniffed(NamedTuple):
    """A file, its layout, and what divides the fields of its first line."""

    path: Path
    layout: Layout
    delimiter: str | None


def sniff(path: Path) -> Sniffed:
    """Tell the layout of a file by its first line that is not blank.

    ``plain`` are lines of text, which may have an id before a tab, or else the table of groups
    that has no header.

    Raises
    ------
    FormatError
        If the file is empty.
    """
    lines = text_lines(path, longest=WHOLE_LINES)
    first = next((line for _, line in lines if line.strip()), None)
    if first is None:
        raise FormatError("expected sentences, got an empty file", path=path, hint=LAYOUTS_HINT)
    if first.lstrip().startswith("{"):
        return Sniffed(path, _json_layout(first), None)
    delimiter = delimiter_of(first)
    if delimiter is None:
        return Sniffed(path, "plain", None)
    return Sniffed(path, _table_layout(path, delimiter), delimiter)


def _json_layout(line: str) -> Layout:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        # A line of JSON that is cut off is told of by the reader of such lines.
        return "group lines" if '"group"' in line else "id object"
    fields = list(record)
    if "group" in fields:
        return "group lines"
    if has_pair_columns(columns(fields, PAIR_COLUMNS)):
        return "pair lines"
    return "id lines" if set(fields) >= set(_ID_COLUMNS) else "id object"


def _table_layout(path: Path, delimiter: str) -> Layout:
    header = _first_row(path, delimiter)
    if [name.strip().lower() for name in header] == list(INDEX_HEADER):
        return "index"
    if has_pair_columns(columns(header, PAIR_COLUMNS)):
        return "pair table"
    if len(columns(header, GROUP_COLUMNS)) == len(GROUP_COLUMNS):
        return "group table"
    if delimiter == "\t" and len(columns(header, _ID_COLUMNS)) == len(_ID_COLUMNS):
        return "id table"
    return "pair table" if len(header) == _LABELLED and is_label(header[-1]) else "plain"


def _first_row(path: Path, delimiter: str) -> list[str]:
    """Return the fields of the first row, none if it is no row of a table."""
    try:
        first = next(table_rows(path, delimiter), None)
    except FormatError:
        return []
    return first.fields if first else []
