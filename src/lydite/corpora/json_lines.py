"""Lines of JSON, an object each."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from lydite.corpora.reading import text_lines
from lydite.corpora.tables import WHOLE_LINES
from lydite.errors import FormatError
from lydite.types import Plain


def json_objects(path: Path, *, hint: str) -> Iterator[tuple[int, dict[str, Plain]]]:
    """Yield line and object of each line that is not blank."""
    for number, line in text_lines(path, longest=WHOLE_LINES):
        if line.strip():
            try:
                record = json.loads(line)
            except (ValueError, RecursionError):
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
