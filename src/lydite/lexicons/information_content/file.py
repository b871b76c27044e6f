"""Files of information content."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from lydite.errors import FormatError, InputError
from lydite.lexicons.information_content.counting import (
    InformationContent,
    collect,
    negative_log,
    sums,
)
from lydite.lexicons.lines import numbered_lines
from lydite.lexicons.taxonomies.meanings import parts_of_speech
from lydite.lexicons.taxonomies.taxonomy import Taxonomy
from lydite.lexicons.taxonomies.wordnet.database import WordNet
from lydite.storage import sha256_file
from lydite.types import Floats, Indices

_SIMILARITY = "wnver::"
_HINT = "one concept a line: concept <tab> number, below a header 'concept <tab> count' or 'value'"


def read_information_content(
    path: Path,
    taxonomy: Taxonomy,
    *,
    relation: str = "hypernymy",
    name: str | None = None,
    sha256: str | None = None,
) -> InformationContent:
    """Read information content from a file; its content decides the format.

    - WordNet-Similarity's files: a first line ``wnver::...``, then ``1740n 128767 ROOT``, the
      synset's offset with its part of speech, the count of all that lies below, and a mark on
      roots. As in NLTK the counts of all roots of a part of speech together are its total. A
      synset that the file leaves out has NaN, where NLTK takes it for a count of 0. Needs WordNet
      in the version the file was made from.
    - ``concept TAB number`` for any taxonomy. Below a header whose second field is ``count`` the
      numbers say how often the concept itself was met, and every ancestor collects them; a
      concept that the file leaves out then has the count 0. Else the numbers are the information
      content itself.

    Parameters
    ----------
    path
        The file.
    taxonomy
        Whose concepts the file is about.
    relation
        Who collects the counts of whom.
    name, sha256
        Of the file, where they are known.

    References
    ----------
    Pedersen, Patwardhan & Michelizzi, "WordNet::Similarity: measuring the relatedness of
    concepts", HLT-NAACL 2004.
    """
    rows = list(numbered_lines(path))
    if not rows:
        raise FormatError("expected information content, got nothing", path=path, hint=_HINT)
    if rows[0][1].startswith(_SIMILARITY):
        counts, values = _from_similarity(path, rows[1:], taxonomy)
    else:
        counts, values = _from_table(path, rows, taxonomy, relation)
    return InformationContent(
        name=name or str(path),
        fingerprint=sha256 or sha256_file(path),
        counts=counts,
        values=values,
    )


def _from_similarity(
    path: Path, rows: list[tuple[int, str]], taxonomy: Taxonomy
) -> tuple[Floats, Floats]:
    letters = parts_of_speech(taxonomy)
    if not isinstance(taxonomy, WordNet) or letters is None:
        raise InputError(
            f"{path} is about the synsets of WordNet, but {taxonomy.name} is not read from its "
            "database files",
            hint="use wordnet-3.0, a file 'concept <tab> value', or the information content "
            "'intrinsic'",
        )
    synsets = zip(taxonomy.offsets.tolist(), letters.tolist(), strict=True)
    known = {synset: place for place, synset in enumerate(synsets)}
    counts = np.full(len(taxonomy), np.nan)
    totals: dict[str, float] = {}
    unknown = 0
    for number, line in rows:
        synset, count, is_root = _similarity_row(path, number, line)
        totals[synset[1]] = totals.get(synset[1], 0.0) + count * is_root
        place = known.get(synset)
        if place is None:
            unknown += 1
        else:
            counts[place] = count
    if unknown:
        raise FormatError(
            f"expected synsets of {taxonomy.name}, got {unknown} others",
            path=path,
            hint="the file was made from another version of WordNet",
        )
    of_all = np.array([totals.get(letter, 0.0) for letter in letters.tolist()])
    return counts, negative_log(counts, of_all)


def _similarity_row(path: Path, number: int, line: str) -> tuple[tuple[int, str], float, bool]:
    fields = line.split()
    try:
        synset, count = (int(fields[0][:-1]), fields[0][-1]), float(fields[1])
    except (IndexError, ValueError):
        synset, count = (0, ""), math.nan
    if not (math.isfinite(count) and count >= 0):
        raise FormatError(
            f"expected offset with part of speech, and count, got {line[:60]!r}",
            path=path,
            line=number,
            hint="such as 1740n 128767 ROOT",
        )
    return synset, count, fields[2:] == ["ROOT"]


def _from_table(
    path: Path, rows: list[tuple[int, str]], taxonomy: Taxonomy, relation: str
) -> tuple[Floats, Floats]:
    kind = _header(rows[0][1])
    if kind:
        rows = rows[1:]
    if not rows:
        raise FormatError("expected information content, got none", path=path, hint=_HINT)
    pairs = [_table_row(path, number, line) for number, line in rows]
    places = taxonomy.concepts.find([concept for concept, _ in pairs])
    absent = np.flatnonzero(places < 0)
    if len(absent):
        more = f", nor {len(absent) - 1} more" if len(absent) > 1 else ""
        raise FormatError(
            f"{taxonomy.name} has no concept {pairs[absent[0]][0]!r}{more}",
            path=path,
            line=rows[absent[0]][0],
            hint="the first field is the identifier of a concept",
        )
    numbers = np.array([value for _, value in pairs], dtype=np.float64)
    if kind == "count":
        _check_counts(path, rows, numbers)
        return collect(taxonomy, sums(places, numbers, len(taxonomy)), relation)
    _check_once(path, rows, places)
    values = np.full(len(taxonomy), np.nan)
    values[places] = numbers
    return np.full(len(taxonomy), np.nan), values


def _check_counts(path: Path, rows: list[tuple[int, str]], counts: Floats) -> None:
    endless = np.flatnonzero(~np.isfinite(counts))
    if len(endless):
        number, line = rows[endless[0]]
        raise FormatError(
            f"expected a finite count, got {line[:60]!r}", path=path, line=number, hint=_HINT
        )
    if not counts.any():
        raise FormatError("expected counts, but every count is 0", path=path, hint=_HINT)


def _check_once(path: Path, rows: list[tuple[int, str]], places: Indices) -> None:
    _, first = np.unique(places, return_index=True)
    again = np.setdiff1d(np.arange(len(places)), first)
    if len(again):
        number, line = rows[again[0]]
        raise FormatError(
            f"expected each concept once, got {line[:60]!r} again",
            path=path,
            line=number,
            hint="below a header 'concept <tab> count' numbers are added up",
        )


def _header(line: str) -> str:
    """Return what the header says of the numbers; empty if the line is no header."""
    second = line.rpartition("\t")[2].strip().casefold()
    return second if second in {"count", "value", "ic"} else ""


def _table_row(path: Path, number: int, line: str) -> tuple[str, float]:
    fields = [field.strip() for field in line.split("\t")]
    try:
        value = float(fields[1])
    except (IndexError, ValueError):
        value = math.nan
    if len(fields) != 2 or not fields[0] or not value >= 0:
        raise FormatError(
            f"expected a concept and a number of 0 or more, got {line[:60]!r}",
            path=path,
            line=number,
            hint=_HINT,
        )
    return fields[0], value
