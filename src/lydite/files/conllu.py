"""Rows of CoNLL-U: ten columns per word, comments, a blank line after each sentence.

Parsed corpora of gigabytes have a compiled reader of their own, `lydite.trained.parsed.conllu`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from lydite.errors import FormatError

COLUMNS: Final = 10
FORM, LEMMA, UPOS, XPOS, HEAD, RELATION = 1, 2, 3, 4, 6, 7

HINT = (
    "CoNLL-U has ten columns divided by tabs, the head in the seventh and the relation in the "
    "eighth, and a blank line after each sentence"
)


class Row(NamedTuple):
    """A word: the number of its line, and its columns."""

    line: int
    columns: list[str]


def conllu_sentences(lines: Iterable[tuple[int, str]], path: Path | str) -> Iterator[list[Row]]:
    """Yield the words of each sentence; multiword tokens (2-3) and empty nodes (8.1) are left out.

    Lines come with their numbers and without line breaks. One of other than ten columns, or with
    something else than a number in the first, is a `FormatError` that names the path.
    """
    for block in blocks(lines, comment="#"):
        rows = [Row(number, _columns(line, path, number)) for number, line in block]
        words = [row for row in rows if row.columns[0].isdecimal()]
        if words:
            yield words


def blocks(lines: Iterable[tuple[int, str]], *, comment: str) -> Iterator[list[tuple[int, str]]]:
    """Yield what stands between blank lines, without lines that begin like a comment."""
    block: list[tuple[int, str]] = []
    for number, line in lines:
        if not line.strip():
            if block:
                yield block
            block = []
        elif not line.startswith(comment):
            block.append((number, line))
    if block:
        yield block


def wrong(expected: str, got: str, path: Path | str, line: int) -> FormatError:
    """Return the error of a line; ``got`` is shown as it is to be read."""
    return FormatError(f"expected {expected}, got {got}", path=path, line=line, hint=HINT)


def _columns(line: str, path: Path | str, number: int) -> list[str]:
    columns = line.split("\t")
    if len(columns) != COLUMNS:
        raise wrong("10 columns divided by tabs", repr(line[:60]), path, number)
    if not columns[0].replace("-", ".", 1).replace(".", "", 1).isdecimal():
        got = repr(columns[0][:60])
        raise wrong("1, 2-3 or 8.1 in the first column", got, path, number)
    return columns
