"""Classes and texts in files of the usual layouts: tables, lines of JSON, labels before texts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Literal, TypeAlias

from lydite.corpora.classification.task import Row, Task, task_of_rows
from lydite.corpora.json_lines import json_objects, named
from lydite.corpora.reading import text_lines
from lydite.corpora.records import field
from lydite.corpora.splits import SPLITS, SplitName, split_of_name
from lydite.corpora.tables import WHOLE_LINES, delimiter_of, table_rows
from lydite.corpora.tagged.columns import is_conllu
from lydite.errors import FormatError, InputError
from lydite.types import Plain

HINT = (
    "a table with the header label,text or label,text,split; lines of JSON with these fields; or "
    "lines that start with the label: '1 a fine film', '__label__good a fine film'"
)

#: What is said of a file in which nothing is told to be classes.
_OTHER = (
    "; tagged words have a word, a tab and its tag on each line, and a blank line after each "
    "sentence"
)

Layout: TypeAlias = Literal["records", "label lines"]

_LABEL_LINE = re.compile(r"\s*(?:__label__(?P<name>\S+)|\+?(?P<number>-?\d+))\s+(?P<text>\S.*)")
_FIELDS = ("label", "text", "split")
_BEGINNING = 1000


def read_listed(paths: Sequence[Path]) -> Task:
    """Read a task from one file, or from files whose names say which split they hold.

    Parameters
    ----------
    paths
        Tables ``label,text[,split]`` divided by commas, semicolons or tabs, lines of JSON with
        these fields, or lines such as ``1 a fine film``; compressed or not. Splits are called
        train, dev (or valid) and test. Where a file does not say them, its name does:
        ``stsa.binary.train``, ``reviews-test.csv``. One file that does neither is one task that
        is not split.

    Raises
    ------
    FormatError
        If a row is malformed; with path and line.
    InputError
        If several files do not say what they are, and for what `task_of_rows` refuses.
    """
    rows: list[Row] = []
    for path in paths:
        split = split_of_name(path)
        found = list(_rows(path, split, alone=len(paths) == 1))
        if not found:
            raise FormatError("expected labelled texts, got none", path=path, hint=HINT)
        if len(paths) > 1 and found[0].split is None:
            raise InputError(
                f"expected the name of {path} to say train, dev or test, since there are "
                f"{len(paths)} files",
                hint="rename it, or add a column split",
            )
        rows += found
    return task_of_rows(rows)


def layout_of(path: Path) -> Layout | None:
    """Return how labels and texts are laid out, by the first line that is not blank.

    A table is one whose header has ``label``, so that a text with commas is none.
    """
    first = _first_line(path)
    mark = delimiter_of(first)
    header = {name.strip(' "').lower() for name in first.split(mark)} if mark else set()
    if first.lstrip().startswith("{") or "label" in header:
        return "records"
    return "label lines" if _LABEL_LINE.match(first) else None


def has_classes(path: Path) -> bool:
    r"""Tell a file of classes and texts from tagged words, whose first word may be a number.

    Of ``2010\tNUM`` all lines have to start with a number, or some have to have a text of several
    words, for it to be classes.
    """
    layout = layout_of(path)
    if layout != "label lines":
        return layout is not None
    lines = list(islice(_content_lines(path), _BEGINNING))
    texts = (line.partition("\t")[2] if "\t" in line else line for line in lines)
    return all(map(_LABEL_LINE.match, lines)) or any(" " in text.strip() for text in texts)


def _first_line(path: Path) -> str:
    return next(_content_lines(path), "")


def _content_lines(path: Path) -> Iterator[str]:
    """Yield the lines that are neither blank nor comments."""
    for _, line in text_lines(path, longest=WHOLE_LINES):
        if line.strip() and not line.startswith("#"):
            yield line


def _rows(path: Path, split: SplitName | None, *, alone: bool) -> Iterator[Row]:
    layout = layout_of(path)
    if layout == "records":
        yield from _record_rows(path, split)
    elif _is_conllu(path):
        raise FormatError(
            "expected classes and texts, got CoNLL-U",
            path=path,
            hint="it is for tagging and parsing, and says nothing of the class of a text",
        )
    elif layout == "label lines":
        yield from _label_rows(path, split)
    else:
        first = _first_line(path)
        got = f"the line {first.strip()[:60]!r}" if first else "an empty file"
        raise FormatError(
            f"expected classes and texts, got {got}",
            path=path,
            hint=("" if alone else "take it out of the folder if it holds none; else: ")
            + HINT
            + _OTHER,
        )


def _is_conllu(path: Path) -> bool:
    lines = islice(_content_lines(path), _BEGINNING)
    return is_conllu("\n".join(lines).encode("latin-1", "replace"))


def _record_rows(path: Path, split: SplitName | None) -> Iterator[Row]:
    for line, record in _records(path):
        said = record.get("split")
        if said is not None and str(said).strip().lower() not in SPLITS:
            raise FormatError(
                f"expected train, dev or test as 'split', got {said!r}",
                path=path,
                line=line,
                hint=HINT,
            )
        label = named(dict(record), "label", path, line, hint=HINT)
        text = field(record, "text", path, line, hint=HINT)
        _check_characters(label, text, path, line)
        yield Row(label, text, SPLITS[str(said).strip().lower()] if said else split, path, line)


def _records(path: Path) -> Iterator[tuple[int, Mapping[str, Plain]]]:
    """Yield line and record, by the names of its fields in lower case.

    Lines that start with ``#`` are comments before the header alone: behind it they are labels or
    texts, such as those of posts that start with a hashtag.
    """
    first = _first_line(path)
    if first.lstrip().startswith("{"):
        for number, record in json_objects(path, hint=HINT):
            yield number, {name.strip().lower(): value for name, value in record.items()}
        return
    header: list[str] = []
    for number, fields in table_rows(path, delimiter_of(first) or ","):
        if header:
            yield number, _record(header, fields, path, number)
        elif not fields[0].startswith("#"):
            header = [name.strip().lower() for name in fields]
            _check_header(header, path, number)


def _record(header: Sequence[str], fields: Sequence[str], path: Path, line: int) -> dict[str, str]:
    if len(fields) != len(header):
        raise FormatError(
            f"expected {len(header)} fields ({', '.join(header)}), got {len(fields)}",
            path=path,
            line=line,
            hint="a text that holds what divides the fields is quoted",
        )
    return dict(zip(header, fields, strict=True))


def _check_header(header: Sequence[str], path: Path, line: int) -> None:
    for name in _FIELDS:
        if header.count(name) > 1:
            raise FormatError(
                f"expected one column {name!r}, got {header.count(name)} in {', '.join(header)}",
                path=path,
                line=line,
                hint="rename the others",
            )


def _check_characters(label: str, text: str, path: Path, line: int) -> None:
    """Refuse half of a surrogate pair, which JSON can write and no file of results can hold."""
    try:
        f"{label}{text}".encode()
    except UnicodeEncodeError as error:
        raise FormatError(
            f"expected characters, got half of one: {error.object[error.start]!r}",
            path=path,
            line=line,
            hint="it was cut in the middle of an emoji or the like; write the text out again",
        ) from error


def _label_rows(path: Path, split: SplitName | None) -> Iterator[Row]:
    for number, line in text_lines(path, longest=WHOLE_LINES):
        if not line.strip() or line.startswith("#"):
            continue
        found = _LABEL_LINE.fullmatch(line)
        if found is None or found["text"].startswith("__label__"):
            expected = "one label and a text" if found else "a label and a text"
            raise FormatError(
                f"expected {expected}, got {line.strip()[:60]!r}",
                path=path,
                line=number,
                hint=HINT,
            )
        yield Row(found["name"] or found["number"], found["text"].strip(), split, path, number)
