"""Tagged corpora in any known format, sentence by sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, TypeAlias

from lydite.corpora.tagged.brackets import bracketed_sentences, is_bracketed
from lydite.corpora.tagged.columns import (
    TagColumn,
    column_sentences,
    is_conllu,
    is_two_column,
    tagged_sentences,
)
from lydite.corpora.tagged.members import Member, members
from lydite.corpora.tagged.semcor import is_semcor, semcor_sentences
from lydite.corpora.tagged.slashes import is_slashed, slashed_sentences
from lydite.corpora.tagged.token import Sentence
from lydite.errors import FormatError
from lydite.types import current_progress

TaggedFormat: TypeAlias = Literal["semcor", "conllu", "columns", "brackets", "slashes"]

_HEAD = 1 << 14

#: In this order: of the same text in two formats the one that comes first is read.
_SIGNS: dict[TaggedFormat, Callable[[bytes], bool]] = {
    "semcor": is_semcor,
    "conllu": is_conllu,
    "columns": is_two_column,
    "brackets": is_bracketed,
    "slashes": is_slashed,
}
_RANK = {name: rank for rank, name in enumerate(_SIGNS)}


def tagged_format(content: bytes) -> TaggedFormat | None:
    """Tell the format by the content; None if it is no tagged corpus.

    >>> tagged_format(b"The/at jury/nn said/vbd ./.")
    'slashes'
    """
    head = content[:_HEAD].removeprefix(b"\xef\xbb\xbf")
    return next((name for name, sign in _SIGNS.items() if sign(head)), None)


def survey(paths: Sequence[Path]) -> dict[str, TaggedFormat]:
    """Return which files of a corpus are to be read, and their formats.

    Files that are no tagged text (a README, raw text, parses without tags) are left out. Where one
    text stands there in several formats, under the same name but for folder and ending, one is
    kept: the Penn Treebank has each text both as trees and as tagged chunks.
    """
    found: dict[str, TaggedFormat] = {}
    best: dict[str, int] = {}
    for member in members(paths):
        kind = tagged_format(member.content)
        if kind is not None:
            found[member.place] = kind
            best[member.stem] = min(_RANK[kind], best.get(member.stem, len(_RANK)))
    if not found:
        raise FormatError(
            "expected a tagged corpus, got none",
            path=paths[0] if len(paths) == 1 else paths[0].parent,
            hint="SemCor, CoNLL-U, Penn Treebank trees, word/TAG, or word <tab> TAG a line",
        )
    return {place: kind for place, kind in found.items() if _RANK[kind] == best[Path(place).stem]}


def read_tagged(
    paths: Sequence[Path],
    *,
    tags: TagColumn = "upos",
    chosen: Mapping[str, TaggedFormat] | None = None,
) -> Iterator[Sentence]:
    """Yield the sentences of a tagged corpus, one file in memory at a time.

    Parameters
    ----------
    paths
        Files or archives (zip, tar, compressed or not), each read by what it holds: SemCor,
        CoNLL-U, trees of the Penn Treebank, ``word/TAG``, or ``word TAB TAG`` a line. Text is
        UTF-8, or Latin-1 where it is not.
    tags
        Which tag of CoNLL-U is taken.
    chosen
        What :func:`survey` returned for these paths, if that has been asked already.

    Raises
    ------
    FormatError
        If no file holds tagged text, or one is malformed; with file and line.
    """
    kinds = survey(paths) if chosen is None else chosen
    progress = current_progress()
    done = 0
    for member in members(paths):
        kind = kinds.get(member.place)
        if kind is not None:
            yield from _sentences(member, kind, tags)
            done += 1
            progress("reading tagged text", done, len(kinds))


def _sentences(member: Member, kind: TaggedFormat, tags: TagColumn) -> Iterator[Sentence]:
    if kind == "semcor":
        return semcor_sentences(member)
    text = member.text
    match kind:
        case "conllu":
            return tagged_sentences(member, text, tags)
        case "columns":
            return column_sentences(member, text)
        case "brackets":
            return bracketed_sentences(member, text)
        case "slashes":
            return slashed_sentences(member, text)
