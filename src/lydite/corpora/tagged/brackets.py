"""Trees in brackets, as in the Penn Treebank: ``(S (NP (DT The) (NN cat)) (VP (VBD sat)))``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from lydite.corpora.tagged.members import Member
from lydite.corpora.tagged.token import Sentence, Token
from lydite.errors import FormatError

_PIECE = re.compile(r"\(\s*([^\s()]+)\s+([^\s()]+)\s*\)|([()])")
_START = re.compile(rb"\s*\(\s*(?:\(|[^\s()/]+\s)")
_UNTAGGED = re.compile(rb"\([^\s()]+\s+[^\s()]+\s+[^\s()]")

#: The tag of what stands in no text: traces and other empty elements.
EMPTY: Final = "-NONE-"


def is_bracketed(head: bytes) -> bool:
    """Tell trees whose every word has a tag by their first bytes."""
    return bool(_START.match(head)) and not _UNTAGGED.search(head)


def bracketed_sentences(member: Member, text: str) -> Iterator[Sentence]:
    """Yield the leaves of one tree after the other, empty elements left out."""
    depth = 0
    sentence: Sentence = []
    for piece in _PIECE.finditer(text):
        tag, word, bracket = piece.groups()
        if word is None:
            depth += 1 if bracket == "(" else -1
        elif tag != EMPTY:
            sentence.append(Token(word, tag))
        if depth < 0:
            raise unbalanced(member, text, piece.start(), "a bracket too many")
        if depth == 0 and sentence:
            yield sentence
            sentence = []
    if depth:
        raise unbalanced(member, text, len(text), f"{depth} that are not closed")


def unbalanced(member: Member, text: str, at: int, what: str) -> FormatError:
    """Build the error for brackets that do not match, at a place in the text."""
    return FormatError(
        f"expected as many closing brackets as opening ones, got {what}",
        path=member.place,
        line=text.count("\n", 0, at) + 1,
        hint="a bracket that is a word is written -LRB- or -RRB-",
    )
