"""Lines of a small text resource, cleaned and numbered."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lydite.errors import FormatError
from lydite.lexicons.content import read_content


def numbered_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield number and text of each line that is neither blank nor a comment.

    A comment starts with ``#`` and a blank. A byte-order mark and CRLF are passed over; the file
    may be compressed.
    """
    for number, raw in enumerate(read_content(path).split(b"\n"), 1):
        try:
            line = raw.decode().rstrip("\r")
        except UnicodeDecodeError as error:
            raise FormatError(
                "expected UTF-8, got other bytes",
                path=path,
                line=number,
                hint="save the file as UTF-8",
            ) from error
        if line.strip() and not line.startswith("# "):
            yield number, line
