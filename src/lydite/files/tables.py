"""Rows of tables, lines of JSON, and records of either, each with its line."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from lydite.errors import FormatError
from lydite.files.lines import WHOLE_LINES, text_lines
from lydite.files.plain import parse_json
from lydite.types import Plain

#: Characters of a field; more are those of a quotation mark that is never closed.
_LONGEST_FIELD = 1 << 26

_QUOTED = re.compile(r'"(?:[^"]|"")*"')


class TableRow(NamedTuple):
    """The fields of a row, and the line that it starts on."""

    line: int
    fields: list[str]


def delimiter_of(line: str) -> str | None:
    """Return what divides the fields of a first line: a tab before a comma before a semicolon.

    >>> delimiter_of("group,text")
    ','
    """
    return next((mark for mark in "\t,;" if mark in line), None)


def table_rows(path: Path, delimiter: str, *, quoted: bool = True) -> Iterator[TableRow]:
    """Yield the rows that are not blank.

    With commas and semicolons, quotation marks are those of CSV (RFC 4180). With tabs, only a field
    that is quoted from end to end counts as quoted: in text divided by tabs a quotation mark mostly
    is a character like any other.

    Parameters
    ----------
    quoted
        Whether, between tabs, quotation marks are anything but characters.
    """
    if delimiter == "\t":
        for number, line in text_lines(path, longest=WHOLE_LINES):
            if line.strip():
                fields = line.split("\t")
                yield TableRow(number, [_unquoted(each) for each in fields] if quoted else fields)
    else:
        yield from _csv_rows(path, delimiter)


def columns(header: Sequence[str], known: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Return at which place each known column stands, by any of its names, whatever the case.

    >>> columns(["Text", "Group", "source"], {"group": ["group"], "text": ["text", "sentence"]})
    {'group': 1, 'text': 0}
    """
    places = {name.strip().lower(): place for place, name in reversed(list(enumerate(header)))}
    found = {
        column: next((places[name] for name in names if name in places), None)
        for column, names in known.items()
    }
    return {column: place for column, place in found.items() if place is not None}


def _unquoted(field: str) -> str:
    if field.startswith('"') and _QUOTED.fullmatch(field):
        return field[1:-1].replace('""', '"')
    return field


def _csv_rows(path: Path, delimiter: str) -> Iterator[TableRow]:
    lines = (f"{line}\n" for _, line in text_lines(path, longest=WHOLE_LINES))
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    start = 1
    try:
        while (fields := _next_fields(reader)) is not None:
            if any(field.strip() for field in fields):
                yield TableRow(start, fields)
            start = reader.line_num + 1
    except csv.Error as error:
        raise FormatError(
            f"expected fields divided by {delimiter!r}, quoted as in CSV, but {error}",
            path=path,
            line=start,
            hint='a text with a quotation mark at its start is written "He said ""yes"".", and one '
            "that is never closed makes a field of all that follows",
        ) from error


def _next_fields(reader: Iterator[list[str]]) -> list[str] | None:
    """Read a row whose fields may be longer than the 131,072 characters that csv takes as it is.

    The limit is one for the whole process: others get it back after each row.
    """
    usual = csv.field_size_limit(_LONGEST_FIELD)
    try:
        return next(reader, None)
    finally:
        csv.field_size_limit(usual)


def json_objects(path: Path, *, hint: str) -> Iterator[tuple[int, dict[str, Plain]]]:
    """Yield line and object of each line that is not blank."""
    for number, line in text_lines(path, longest=WHOLE_LINES):
        if line.strip():
            try:
                record = parse_json(line)
            except ValueError:
                record = None
            if not isinstance(record, dict):
                raise FormatError(
                    f"expected an object of JSON, got {line.strip()[:60]!r}",
                    path=path,
                    line=number,
                    hint=hint,
                )
            yield number, record


def named(record: dict[str, Plain], field: str, path: Path, line: int, *, hint: str) -> str:
    """Return a field that holds a name: a text that is not blank, or a whole number."""
    value = record.get(field)
    if isinstance(value, str | int) and not isinstance(value, bool) and str(value).strip():
        return str(value).strip()
    got = "none" if field not in record else json.dumps(value)[:60]
    raise FormatError(
        f"expected a text or a whole number as {field!r}, got {got}",
        path=path,
        line=line,
        hint=hint,
    )


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
