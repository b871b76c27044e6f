"""Groups that are written down as such: a table ``group,text`` or lines of JSON."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lydite.corpora.json_lines import json_objects, named
from lydite.corpora.paraphrases.rows import Row, without_text
from lydite.corpora.tables import columns, table_rows
from lydite.errors import FormatError

#: The columns of a table, by the names that its header may have for them.
GROUP_COLUMNS = {"group": ("group",), "text": ("text", "sentence")}

_HINT = 'the columns are group,text; a text with a comma stands in quotation marks: a,"Yes, sir."'
_JSON_HINT = 'a line is {"group": "a", "text": "Yes."} or {"group": "a", "texts": ["Yes.", "Ay."]}'


def read_group_table(path: Path, delimiter: str) -> Iterator[Row]:
    """Yield the rows of a table of groups and texts.

    A header says which columns they are; what else there is is passed over. Without a header there
    are these two columns alone.
    """
    rows = table_rows(path, delimiter)
    first = next(rows, None)
    if first is None:
        return
    places = columns(first.fields, GROUP_COLUMNS)
    width = len(first.fields) if len(places) == len(GROUP_COLUMNS) else len(GROUP_COLUMNS)
    at = (places["group"], places["text"]) if len(places) == len(GROUP_COLUMNS) else (0, 1)
    if len(places) < len(GROUP_COLUMNS):
        yield _table_row(path, first.line, first.fields, at, width)
    for line, fields in rows:
        yield _table_row(path, line, fields, at, width)


def read_group_lines(path: Path) -> Iterator[Row]:
    """Yield the sentences of lines of JSON, each with a group and a ``text`` or ``texts``."""
    for line, record in json_objects(path, hint=_JSON_HINT):
        group = named(record, "group", path, line, hint=_JSON_HINT)
        texts = record["texts"] if "texts" in record else [record.get("text")]
        if not isinstance(texts, list) or not texts:
            raise FormatError(
                f"expected a list of texts in group {group!r}, got {str(texts)[:60]}",
                path=path,
                line=line,
                hint=_JSON_HINT,
            )
        for text in texts:
            if not isinstance(text, str):
                raise FormatError(
                    f"expected a text in group {group!r}, got {str(text)[:60]}",
                    path=path,
                    line=line,
                    hint=_JSON_HINT,
                )
            if not text.strip():
                raise without_text(group, path, line)
            yield Row(group, text, path, line)


def _table_row(path: Path, line: int, fields: list[str], at: tuple[int, int], width: int) -> Row:
    if len(fields) != width:
        raise FormatError(
            f"expected {width} fields, got {len(fields)}: {', '.join(fields)[:60]!r}",
            path=path,
            line=line,
            hint=_HINT,
        )
    group, text = fields[at[0]].strip(), fields[at[1]]
    if not group:
        raise FormatError(
            f"expected the name of a group, got none before {text[:60]!r}",
            path=path,
            line=line,
            hint=_HINT,
        )
    if not text.strip():
        raise without_text(group, path, line)
    return Row(group, text, path, line)
