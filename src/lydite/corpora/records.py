"""Records of a file: the rows of a table with a header, or lines of JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from lydite.corpora.json_lines import json_objects
from lydite.corpora.reading import text_lines
from lydite.corpora.tables import WHOLE_LINES, delimiter_of, table_rows
from lydite.errors import FormatError
from lydite.types import Plain


def records(path: Path, *, hint: str) -> Iterator[tuple[int, Mapping[str, Plain]]]:
    """Yield line and record, by the names of its fields in lower case.

    Blank lines, and lines of a table that start with ``#``, are left out.

    Raises
    ------
    FormatError
        If a line is no record, or a row has another number of fields than the header.
    """
    start, first = _first_line(path, hint)
    if first.lstrip().startswith("{"):
        for number, record in json_objects(path, hint=hint):
            yield number, {name.strip().lower(): value for name, value in record.items()}
        return
    delimiter = delimiter_of(first)
    if delimiter is None:
        raise FormatError(
            f"expected a header and fields divided by tabs or commas, got {first[:60]!r}",
            path=path,
            line=start,
            hint=hint,
        )
    rows = (row for row in table_rows(path, delimiter) if not row.fields[0].startswith("#"))
    header = [name.strip().lower() for name in next(rows).fields]
    for number, fields in rows:
        if len(fields) != len(header):
            raise FormatError(
                f"expected {len(header)} fields ({', '.join(header)}), got {len(fields)}",
                path=path,
                line=number,
                hint=hint,
            )
        yield number, dict(zip(header, fields, strict=True))


def field(record: Mapping[str, Plain], name: str, path: Path, line: int, *, hint: str) -> str:
    """Return a field that holds a text that is not blank, without white space around it."""
    value = record.get(name)
    if isinstance(value, str) and value.strip():
        return value.strip()
    got = repr(value)[:60] if name in record else f"none among {', '.join(record)}"
    raise FormatError(f"expected a text as {name!r}, got {got}", path=path, line=line, hint=hint)


def _first_line(path: Path, hint: str) -> tuple[int, str]:
    for number, line in text_lines(path, longest=WHOLE_LINES):
        if line.strip() and not line.startswith("#"):
            return number, line
    raise FormatError("expected records, got an empty file", path=path, hint=hint)
