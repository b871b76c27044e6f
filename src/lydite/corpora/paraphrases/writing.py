"""Write groups as a table or as lines of JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from pathlib import Path
from typing import IO

from lydite.corpora.paraphrases.groups import ParaphraseGroups
from lydite.errors import InputError
from lydite.storage import atomic_writer

_DELIMITERS = {".csv": ",", ".tsv": "\t"}
_LINES = {".jsonl", ".ndjson"}


def check_groups_path(path: Path) -> None:
    """Raise an error if the ending of a name does not say how groups are to be written."""
    if path.suffix.lower() not in _LINES | set(_DELIMITERS):
        raise InputError(
            f"{path}: expected a name that ends in .csv, .tsv or .jsonl, got"
            f" {path.suffix or 'no ending'}",
            hint=f"for example {path.with_suffix('.csv').name}",
        )


def write_groups(groups: ParaphraseGroups, path: Path) -> None:
    """Write the groups whole or not at all, the sentences of a group together.

    Parameters
    ----------
    groups
        Which keep their names.
    path
        In ``.csv`` and ``.tsv`` stand the columns group and text, in ``.jsonl`` a group a line,
        ``{"group": ..., "texts": [...]}``. :func:`lydite.corpora.paraphrases.opening.open_groups`
        reads them all.
    """
    check_groups_path(path)
    members: list[list[str]] = [[] for _ in groups.names]
    for text, label in zip(groups.texts, groups.labels.tolist(), strict=True):
        members[label].append(text)
    listed = zip(groups.names, members, strict=True)
    with atomic_writer(path) as raw:
        if path.suffix.lower() in _LINES:
            _write_lines(listed, raw)
        else:
            _write_table(listed, raw, _DELIMITERS[path.suffix.lower()])


def _write_lines(listed: Iterable[tuple[str, list[str]]], raw: IO[bytes]) -> None:
    for name, texts in listed:
        line = json.dumps({"group": name, "texts": texts}, ensure_ascii=False)
        raw.write(f"{line}\n".encode())


def _write_table(listed: Iterable[tuple[str, list[str]]], raw: IO[bytes], delimiter: str) -> None:
    stream = io.TextIOWrapper(raw, encoding="utf-8", newline="")
    if delimiter == "\t":
        # A row of such a table is a line.
        listed = ((_on_a_line(name), [*map(_on_a_line, texts)]) for name, texts in listed)
    writer = csv.writer(stream, delimiter=delimiter, lineterminator="\n")
    writer.writerow(("group", "text"))
    for name, texts in listed:
        writer.writerows((name, text) for text in texts)
    stream.flush()
    stream.detach()


def _on_a_line(text: str) -> str:
    return " ".join(text.split())
