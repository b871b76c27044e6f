"""Taxonomies as edge lists: child and parent a line."""

from __future__ import annotations

import contextlib
import csv
import re
from pathlib import Path

from lydite.errors import FormatError
from lydite.lexicons.lines import numbered_lines
from lydite.lexicons.taxonomies.building import TaxonomyBuilder
from lydite.lexicons.taxonomies.relations import edge_kind
from lydite.lexicons.taxonomies.taxonomy import Taxonomy

_HINT = "one edge a line: child <tab> parent, and perhaps <tab> relation (is-a if there is none)"
_LABELS = {"label", "synonym"}
_SUFFIX = re.compile(r"\s*\([^()]*\)$")


def read_edge_list(path: Path, *, name: str, sha256: str) -> Taxonomy:
    """Read ``child parent [relation]`` a line, with tabs or commas between.

    A concept is identified by what stands in the file, and its word is the same with blanks for
    underscores and without a last part in parentheses: ``bank (river)`` and ``bank (money)`` are
    two senses of `bank`. The relation ``synonym`` (or ``label``) gives the first column's concept
    a further word. A first line that names the columns ``child`` and ``parent`` also says which
    is which; further columns are passed over. Lines are commented out by ``#`` and a blank.

    Parameters
    ----------
    path
        The file.
    name
        What to call the taxonomy.
    sha256
        The sha256 of the file, for its fingerprint.
    """
    builder = TaxonomyBuilder(name=name, sha256=sha256)
    columns = (0, 1, 2)
    edges = 0
    for first, (number, line) in enumerate(numbered_lines(path)):
        fields = _fields(line)
        if first == 0 and (named := _header(fields)):
            columns = named
            continue
        child, parent, relation = (fields[at] if at < len(fields) else "" for at in columns)
        if not (child and parent):
            raise FormatError(
                f"expected a child and a parent, got {line[:60]!r}",
                path=path,
                line=number,
                hint=_HINT,
            )
        _add(builder, child)
        if relation.casefold() in _LABELS:
            builder.add_concept(child, [_word(parent)])
        else:
            _add(builder, parent)
            builder.add_edge(edge_kind(relation) if relation else "is-a", child, parent)
            edges += 1
    if not edges:
        raise FormatError("expected edges of a taxonomy, got none", path=path, hint=_HINT)
    return builder.build()


def _fields(line: str) -> list[str]:
    parts = line.split("\t")
    if len(parts) == 1:
        with contextlib.suppress(csv.Error):  # a field of more than 131,072 letters
            parts = next(csv.reader([line], skipinitialspace=True))
    return [" ".join(part.split()) for part in parts]


def _header(fields: list[str]) -> tuple[int, int, int] | None:
    names = [field.casefold() for field in fields]
    if not {"child", "parent"} <= set(names):
        return None
    child, parent = names.index("child"), names.index("parent")
    others = [at for at in range(len(names)) if at not in {child, parent}]
    relation = min(others, key=lambda at: names[at] != "relation", default=len(names))
    return child, parent, relation


def _add(builder: TaxonomyBuilder, concept: str) -> None:
    if concept not in builder:
        builder.add_concept(concept, [_word(concept)])


def _word(label: str) -> str:
    plain = label.replace("_", " ")
    return _SUFFIX.sub("", plain).strip() or plain
