"""A word a line with its tag in a column: CoNLL-U, and word TAB tag."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Literal, TypeAlias

from lydite.corpora.conllu import COLUMNS, FORM, LEMMA, UPOS, XPOS, blocks, conllu_sentences
from lydite.corpora.tagged.members import Member
from lydite.corpora.tagged.token import Sentence, Token
from lydite.errors import FormatError

#: Which tag of CoNLL-U: the universal one or the language's own.
TagColumn: TypeAlias = Literal["upos", "xpos"]

_PLACES = {"upos": UPOS, "xpos": XPOS}


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
    return column_count(head) == COLUMNS


def is_two_column(head: bytes) -> bool:
    """Tell lines of a word, a tab and a tag by their first bytes; further columns may follow."""
    return 1 < column_count(head) < COLUMNS


def tagged_sentences(member: Member, text: str, tags: TagColumn) -> Iterator[Sentence]:
    """Yield the sentences of CoNLL-U: multiword tokens (2-3) and empty nodes (8.1) left out."""
    column = _PLACES[tags]
    for sentence in conllu_sentences(_lines(text), member.place):
        for number, columns in sentence:
            if columns[column] == "_":
                raise _untagged(member, number, columns, tags)
        yield [Token(row[FORM], row[column], row[LEMMA]) for _, row in sentence]


def column_sentences(member: Member, text: str) -> Iterator[Sentence]:
    """Yield the sentences of a file with a word and a tag a line, blank lines between them."""
    for sentence in blocks(_lines(text), comment="# "):
        words = []
        for number, line in sentence:
            form, _, rest = line.partition("\t")
            tag = rest.partition("\t")[0].strip()
            if not form or not tag:
                raise FormatError(
                    f"expected a word, a tab and a tag, got {line[:60]!r}",
                    path=member.place,
                    line=number,
                    hint="columns are divided by tabs, sentences by blank lines",
                )
            words.append(Token(form, tag))
        yield words


def _lines(text: str) -> Iterator[tuple[int, str]]:
    return ((number, line.rstrip("\r")) for number, line in enumerate(text.split("\n"), 1))


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
