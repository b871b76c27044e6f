"""Trees in brackets, of the Penn Treebank or the sentiment treebank, made binary.

What is read: ``(label child child ...)``, where a child is a tree or a word. The outermost label
may be absent. Whatever labels say is passed over but for one: below ``-NONE-`` stand traces, which
are in no text. A node with one child is that child, a node with more is made binary to the right,
(a (b c)), or to the left, ((a b) c). Words are written as in plain text: ``-LRB-`` is a bracket,
two backquotes are a quotation mark, a backslash before a stroke is none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, TypeAlias

from lydite.corpora.tagged.brackets import EMPTY, is_bracketed, unbalanced
from lydite.corpora.tagged.members import Member, members
from lydite.corpora.trees.forest import Forest, ForestBuilder
from lydite.errors import FormatError
from lydite.types import current_progress

#: To which side nodes with more than two children are made binary.
Binarised: TypeAlias = Literal["right", "left"]

_HEAD = 1 << 14
_START = re.compile(rb"(?:\xef\xbb\xbf)?\s*\(")
_PIECE = re.compile(r"[()]|[^\s()]+")

_LIKE_THIS = "a tree is written (S (NP (DT the) (NN cat)) (VP (VBD sat)))"

_PLAIN = {
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
    "``": '"',
    "''": '"',
}


def read_trees(paths: Sequence[Path], *, binarised: Binarised = "right") -> Forest:
    """Read bracketed trees.

    Parameters
    ----------
    paths
        Files or archives (zip, tar, compressed or not). Those that hold no trees are passed over;
        of several that are called alike but for folder and ending, those whose every word has a tag
        are read: the Penn Treebank has each text with and without.
    binarised
        To which side nodes with more than two children are made binary.

    Raises
    ------
    FormatError
        If no file holds trees, or brackets do not match; with file and line.
    """
    chosen = _survey(paths)
    built = ForestBuilder()
    progress = current_progress()
    done = 0
    for member in members(paths):
        if member.place in chosen:
            _add_trees(built, member, binarised)
            done += 1
            progress("reading trees", done, len(chosen))
    forest = built.forest()
    if not len(forest):
        raise _none(paths)
    return forest


def plain_word(word: str) -> str:
    r"""Write a word of a treebank as in plain text.

    >>> [plain_word(word) for word in ("-LRB-", "``", r"and\/or", "cat")]
    ['(', '"', 'and/or', 'cat']
    """
    return _PLAIN.get(word.upper()) or word.replace("\\/", "/").replace("\\*", "*")


def _survey(paths: Sequence[Path]) -> set[str]:
    """Return the places of the files to read."""
    tagged: dict[str, bool] = {}
    stems: dict[str, bool] = {}
    for member in members(paths):
        head = member.content[:_HEAD]
        if _START.match(head):
            tagged[member.place] = is_bracketed(head)
            stems[member.stem] = stems.get(member.stem, False) or tagged[member.place]
    if not tagged:
        raise _none(paths)
    return {place for place, kind in tagged.items() if kind or not stems[Path(place).stem]}


def _none(paths: Sequence[Path]) -> FormatError:
    return FormatError(
        "expected trees in brackets, got none",
        path=paths[0] if len(paths) == 1 else paths[0].parent,
        hint=_LIKE_THIS,
    )


def _add_trees(built: ForestBuilder, member: Member, binarised: Binarised) -> None:
    text = member.text
    nodes = _Nodes(built, binarised)
    begun = 0
    after_opening = False
    for piece in _PIECE.finditer(text):
        found = piece.group()
        begun = begun if nodes.depth else piece.start()
        if found == "(":
            if after_opening and nodes.depth > 1:
                raise _wrong(member, text, piece.start(), "a label after the bracket", found)
            nodes.open()
        elif not nodes.depth and found == ")":
            raise unbalanced(member, text, piece.start(), "one too many")
        elif not nodes.depth:
            raise _wrong(member, text, piece.start(), "a tree in brackets", found)
        elif found == ")":
            nodes.close()
        elif after_opening:
            nodes.label(found)
        else:
            nodes.word(plain_word(found))
        after_opening = found == "("
    if nodes.depth:
        raise unbalanced(member, text, begun, f"{nodes.depth} from here on that are not closed")


class _Nodes:
    """The open nodes, and how many children each has so far.

    To the right, (a (b c)) is joined when the node is closed; to the left, ((a b) c), at each child
    from the second on.
    """

    def __init__(self, built: ForestBuilder, binarised: Binarised) -> None:
        self._built = built
        self._to_left = binarised == "left"
        self._children: list[int] = []
        # The depth of the node below which nothing is in the text.
        self._empty: int | None = None

    @property
    def depth(self) -> int:
        return len(self._children)

    def open(self) -> None:
        self._children.append(0)

    def label(self, label: str) -> None:
        if label == EMPTY and self._empty is None:
            self._empty = self.depth

    def word(self, word: str) -> None:
        if self._empty is None:
            self._built.word(word)
            self._count()

    def close(self) -> None:
        if self._empty == self.depth:
            self._empty = None
        count = self._children.pop()
        if not self._to_left:
            self._built.join(count - 1)
        if not self._children:
            self._built.end()
        elif count:
            self._count()

    def _count(self) -> None:
        if self._to_left and self._children[-1]:
            self._built.join()
        self._children[-1] += 1


def _wrong(member: Member, text: str, at: int, expected: str, found: str) -> FormatError:
    return FormatError(
        f"expected {expected}, got {found[:40]!r}",
        path=member.place,
        line=text.count("\n", 0, at) + 1,
        hint=f"{_LIKE_THIS}; a bracket that is a word is written -LRB- or -RRB-",
    )
