"""A word a line with its tag in a column: CoNLL-U, and word TAB tag."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Literal, TypeAlias

from lydite.corpora.tagged.members import Member
from lydite.corpora.tagged.token import Sentence, Token
from lydite.errors import FormatError

#: Which tag of CoNLL-U: the universal one or the language's own.
TagColumn: TypeAlias = Literal["upos", "xpos"]

_CONLLU_COLUMNS = 10
_PLACES = {"upos": 3, "xpos": 4}


def column_count(head: bytes) -> int:
    """Return how many columns most lines have, 0 if that is one or they differ too much."""
    lines = head.decode("latin-1").splitlines()
    whole = [line for line in lines if line.strip() and not line.startswith("# ")]
    # A tab at the beginning, as the Brown corpus has for a new paragraph, divides no columns.
    widths = Counter(line.strip().count("\t") + 1 for line in whole)
    width, count = widths.most_common(1)[0] if widths else (0, 0)
    return width if width > 1 and 2 * count > len(whole) else 0


def is_conllu(head: bytes) -> bool:
    """Tell CoNLL-U by its first bytes."""
    return column_count(head) == _CONLLU_COLUMNS


def is_two_column(head: bytes) -> bool:
    """Tell lines of a word, a tab and a tag by their first bytes; further columns may follow."""
    return 1 < column_count(head) < _CONLLU_COLUMNS


def conllu_sentences(member: Member, text: str, tags: TagColumn) -> Iterator[Sentence]:
    """Yield the sentences of CoNLL-U: multiword tokens (2-3) and empty nodes (8.1) left out."""
    column = _PLACES[tags]
    for sentence in _blocks(text):
        words = []
        for number, line in sentence:
            fields = line.split("\t")
            if len(fields) != _CONLLU_COLUMNS:
                raise _wrong(member, number, "10 columns", line)
            if not fields[0].isdecimal():
                continue
            if fields[column] == "_":
                raise _untagged(member, number, fields, tags)
            words.append(Token(fields[1], fields[column], fields[2]))
        if words:
            yield words


def column_sentences(member: Member, text: str) -> Iterator[Sentence]:
    """Yield the sentences of a file with a word and a tag a line, blank lines between them."""
    for sentence in _blocks(text):
        words = []
        for number, line in sentence:
            form, _, rest = line.partition("\t")
            tag = rest.partition("\t")[0].strip()
            if not form or not tag:
                raise _wrong(member, number, "a word, a tab and a tag", line)
            words.append(Token(form, tag))
        yield words


def _blocks(text: str) -> Iterator[list[tuple[int, str]]]:
    block: list[tuple[int, str]] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            if block:
                yield block
            block = []
        elif not line.startswith("# "):
            block.append((number, line.rstrip("\r")))
    if block:
        yield block


def _untagged(member: Member, number: int, fields: list[str], tags: TagColumn) -> FormatError:
    other: TagColumn = "xpos" if tags == "upos" else "upos"
    tag = fields[_PLACES[other]]
    return FormatError(
        f"expected a tag in the column {tags}, got _",
        path=member.place,
        line=number,
        hint="the column of other tags is empty too: without tags it can be parsed at most"
        if tag == "_"
        else f"the column {other} has {tag!r}: read it with --as 'tagging(tags={other})', or in "
        f"`lydite train oracle` with --tags {other}",
    )


def _wrong(member: Member, number: int, expected: str, line: str) -> FormatError:
    return FormatError(
        f"expected {expected}, got {line[:60]!r}",
        path=member.place,
        line=number,
        hint="columns are divided by tabs, sentences by blank lines",
    )
