"""Pairs of sentences that somebody judged to be paraphrases or not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from lydite.corpora.json_lines import json_objects
from lydite.corpora.tables import columns, table_rows
from lydite.errors import FormatError
from lydite.types import Plain

#: The columns of a table, by the names that its header may have for them; MSRP's come last.
PAIR_COLUMNS = {
    "first": ("text1", "sentence1", "question1", "#1 string"),
    "second": ("text2", "sentence2", "question2", "#2 string"),
    "label": ("label", "is_paraphrase", "is_duplicate", "quality"),
    "first_id": ("id1", "qid1", "#1 id"),
    "second_id": ("id2", "qid2", "#2 id"),
}
_MSRP = "#1 string"
_WITHOUT_HEADER = {"first": 0, "second": 1, "label": 2}
_LABELS = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}
_HINT = "the columns are text1,text2,label with 1 for a paraphrase and 0 for none"
_JSON_HINT = 'a line is {"text1": "Yes.", "text2": "Ay.", "label": 1}; the label may be left out'


class Pair(NamedTuple):
    """Two sentences, whether they mean the same, and where they stand.

    An id tells sentences apart that read the same; it is empty where there is none.
    """

    first: str
    second: str
    same: bool
    path: Path
    line: int
    first_id: str = ""
    second_id: str = ""


def read_pair_table(path: Path, delimiter: str) -> Iterator[Pair]:
    """Yield the pairs of a table.

    A header says which columns hold the texts, the label and the ids of the texts, of which the
    last two may be missing; without a header they are text, text and label. In the files of the
    Microsoft Research Paraphrase Corpus quotation marks are characters like any other.
    """
    header = next(table_rows(path, delimiter))
    places = columns(header.fields, PAIR_COLUMNS)
    rows = table_rows(path, delimiter, quoted=_MSRP not in _lowered(header.fields))
    if has_pair_columns(places):
        next(rows)
    else:
        places = _WITHOUT_HEADER
    for line, fields in rows:
        if len(fields) != len(header.fields):
            raise FormatError(
                f"expected {len(header.fields)} fields, got {len(fields)}:"
                f" {delimiter.join(fields)[:60]!r}",
                path=path,
                line=line,
                hint=_HINT,
            )
        yield _pair({name: fields[place] for name, place in places.items()}, path, line, _HINT)


def read_pair_lines(path: Path) -> Iterator[Pair]:
    """Yield the pairs of lines of JSON, whose fields are named as the columns of a table are."""
    for line, record in json_objects(path, hint=_JSON_HINT):
        places = columns(list(record), PAIR_COLUMNS)
        if not has_pair_columns(places):
            raise FormatError(
                f"expected two texts, got the fields {', '.join(record)[:60]}",
                path=path,
                line=line,
                hint=_JSON_HINT,
            )
        values = list(record.values())
        given = {name: values[place] for name, place in places.items()}
        yield _pair(given, path, line, _JSON_HINT)


def has_pair_columns(places: Mapping[str, int]) -> bool:
    """Tell whether both texts have a column."""
    return "first" in places and "second" in places


def is_label(field: str) -> bool:
    """Tell whether a field of a table is a label rather than text."""
    return field.strip().lower() in _LABELS


def _lowered(fields: list[str]) -> list[str]:
    return [field.strip().lower() for field in fields]


def _pair(given: dict[str, Plain], path: Path, line: int, hint: str) -> Pair:
    texts = given["first"], given["second"]
    for text in texts:
        if not isinstance(text, str) or not text.strip():
            raise FormatError(
                f"expected two sentences, got {text!r:.60}", path=path, line=line, hint=hint
            )
    label = given.get("label", 1)
    # JSON's true and 1.0 mean what 1 means.
    written = str(int(label) if label in (0, 1) else label).strip().lower()
    if written not in _LABELS:
        raise FormatError(
            f"expected the label 0 or 1, got {label!r:.60}", path=path, line=line, hint=hint
        )
    return Pair(
        texts[0].strip(),
        texts[1].strip(),
        _LABELS[written],
        path,
        line,
        str(given.get("first_id", "")).strip(),
        str(given.get("second_id", "")).strip(),
    )
