"""Sentences about one pair of entities: those that express a relation, and those that do not."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lydite.corpora.reading import text_lines
from lydite.corpora.records import field, records
from lydite.errors import FormatError, InputError
from lydite.types import Mask

HINT = "a table with the header relation, left, right, label (E or NE), text, or lines of JSON"

_MARK = re.compile(r"\s*</?p[12]>\s*")
_MARKED = re.compile(r"<p1>.+?</p1>.*<p2>.+?</p2>|<p2>.+?</p2>.*<p1>.+?</p1>")
_LABELS = {"e": True, "+": True, "1": True, "ne": False, "-": False, "0": False}
_KEY = 16


@dataclass(frozen=True, kw_only=True, eq=False)
class EntityPair:
    """All sentences about two entities.

    Attributes
    ----------
    name, relation
        Of the entities, and of what may hold between them.
    texts
        n sentences, each once.
    expresses
        Shape (n,): which of them express the relation (E); the others do not (NE).
    """

    name: str
    relation: str
    texts: tuple[str, ...]
    expresses: Mask


class _Judged(NamedTuple):
    relation: str
    pair: str
    expresses: bool
    text: str


def read_relations(path: Path) -> list[EntityPair]:
    """Read sentences with labels, from a table with a header or lines of JSON."""
    return _pairs(_listed(path))


def read_marked_relations(sentences: Path, labels: Path) -> list[EntityPair]:
    """Read sentences whose entities are marked, and the labels that are kept apart from them.

    Parameters
    ----------
    sentences
        One a line: ``<p1> Google </p1> bought <p2> YouTube </p2>``.
    labels
        A table with the header ``sentence_sha256``, ``relation``, ``pair``, ``label``: the key is
        the first 16 digits of the sha256 of the line without white space around it.

    Raises
    ------
    InputError
        If no label belongs to any sentence.
    """
    judged: dict[str, list[tuple[str, str, bool]]] = {}
    for key, relation, pair, label in _labels(labels):
        judged.setdefault(key, []).append((relation, pair, label))
    found = [
        _Judged(relation, pair, label, without_marks(line))
        for _, line in text_lines(sentences, "utf-8")
        for relation, pair, label in judged.get(sentence_key(line), ())
    ]
    if not found:
        raise InputError(
            f"none of the {len(judged)} labels in {labels} belongs to a sentence of {sentences}",
            hint="are the labels those of this file?",
        )
    return _pairs(found)


def is_marked(path: Path) -> bool:
    """Tell whether a file has sentences with two marked entities."""
    first = next((line for _, line in text_lines(path) if line.strip()), "")
    return bool(_MARKED.search(first))


def sentence_key(line: str) -> str:
    """Return what a sentence is known by where only its label may be kept."""
    return hashlib.sha256(line.strip().encode()).hexdigest()[:_KEY]


def without_marks(line: str) -> str:
    """Return a sentence without the marks of its entities.

    >>> without_marks("<p1> Google </p1> 's <p2> YouTube </p2> .")
    "Google 's YouTube ."
    """
    return " ".join(_MARK.sub(" ", line).split())


def _listed(path: Path) -> Iterator[_Judged]:
    for line, record in records(path, hint=HINT):
        left, right = (field(record, name, path, line, hint=HINT) for name in ("left", "right"))
        yield _Judged(
            field(record, "relation", path, line, hint=HINT),
            f"{left} / {right}",
            _label(record, path, line),
            field(record, "text", path, line, hint=HINT),
        )


def _labels(path: Path) -> Iterator[tuple[str, str, str, bool]]:
    hint = "a table with the header sentence_sha256, relation, pair, label"
    for line, record in records(path, hint=hint):
        yield (
            field(record, "sentence_sha256", path, line, hint=hint),
            field(record, "relation", path, line, hint=hint),
            field(record, "pair", path, line, hint=hint),
            _label(record, path, line),
        )


def _label(record: Mapping[str, object], path: Path, line: int) -> bool:
    name = str(record.get("label", "")).strip().lower()
    if name not in _LABELS:
        raise FormatError(
            f"expected E or NE as 'label', got {record.get('label')!r}",
            path=path,
            line=line,
            hint=HINT,
        )
    return _LABELS[name]


def _pairs(judged: Iterable[_Judged]) -> list[EntityPair]:
    """Gather the sentences of each pair; one that stands twice counts once."""
    gathered: dict[tuple[str, str], dict[str, bool]] = {}
    for relation, pair, label, text in judged:
        known = gathered.setdefault((relation, pair), {})
        if known.setdefault(text, label) != label:
            raise InputError(
                f"{pair}: expected one label for a sentence, got E and NE for {text[:80]!r}",
                hint="decide on one",
            )
    return [
        EntityPair(
            name=pair,
            relation=relation,
            texts=tuple(known),
            expresses=np.array(list(known.values()), dtype=np.bool_),
        )
        for (relation, pair), known in gathered.items()
    ]


def usable(
    pairs: Sequence[EntityPair], minimum: int = 3
) -> tuple[list[EntityPair], dict[str, str]]:
    """Part pairs that can be scored from those that cannot, with the reason.

    Parameters
    ----------
    pairs
        All pairs of entities.
    minimum
        How many sentences a pair has to have of either kind; at least 2, since H is made of pairs
        of sentences that express the relation.
    """
    kept, reasons = [], {}
    for pair in pairs:
        positive = int(pair.expresses.sum())
        negative = len(pair.texts) - positive
        if min(positive, negative) < minimum:
            name = pair.name if pair.name not in reasons else f"{pair.name} ({pair.relation})"
            reasons[name] = (
                f"{positive} sentences express {pair.relation} and {negative} do not; "
                f"{minimum} of either are needed"
            )
        else:
            kept.append(pair)
    return kept, reasons
