"""Binary trees of texts in a few arrays: from brackets, a parser, or a rule.

What is read: ``(label child child ...)``, where a child is a tree or a word. The outermost label
may be absent. Whatever labels say is passed over but for one: below ``-NONE-`` stand traces, which
are in no text. A node with one child is that child, a node with more is made binary to the right,
(a (b c)), or to the left, ((a b) c). Words are written as in plain text: ``-LRB-`` is a bracket,
two backquotes are a quotation mark, a backslash before a stroke is none.

A head is joined with its dependents one after the other: first those on its right, from the nearest
to the farthest, then those on its left. So a verb meets its objects before its subject, and a noun
its attributes after what modifies it from behind: (the (cat (with hats))). The words of a parse
without crossing arcs stay in their order; where arcs cross, those below one head stand together.
"""

from __future__ import annotations

import functools
import re
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final, Literal, Protocol, TypeAlias, get_args

import numpy as np

from lydite.compiled import Type, Types, compiled
from lydite.corpora.annotated import EMPTY, is_bracketed, unbalanced
from lydite.corpora.tokens import tokenizer as find_tokenizer
from lydite.errors import FormatError, InputError
from lydite.files.archives import Member, members
from lydite.progress import current_progress
from lydite.resources.catalogue import Located, locate
from lydite.spaces.vocabulary import spans
from lydite.trained.parsed.spacy import parse, parser_version
from lydite.types import Indices, Mask


def _signature(t: Types) -> Type:
    given, made = t.Array(t.i8, 1, "C", readonly=True), t.i8[::1]
    return t.b1(given, given, made, made, made, made)


@compiled(_signature)
def link(
    tokens: Indices,
    roots: Indices,
    left: Indices,
    right: Indices,
    heights: Indices,
    widths: Indices,
) -> bool:
    """Fill in the children, heights and widths of inner nodes.

    - ``tokens`` (n,): the word of a leaf; -1 for a node that joins the two subtrees before
      it.
    - ``left``, ``right``, ``heights``, ``widths`` (n,), changed: what they are for a leaf
      (-1, -1, 0 and 1) to what they are.

    Returns whether these are binary trees.
    """
    open_nodes = np.empty(len(tokens), dtype=np.int64)
    node = 0
    for tree in range(len(roots)):
        count = 0
        while node <= roots[tree]:
            if tokens[node] < 0:
                if count < 2:
                    return False
                count -= 1
                first, second = open_nodes[count - 1], open_nodes[count]
                left[node], right[node] = first, second
                heights[node] = 1 + max(heights[first], heights[second])
                widths[node] = widths[first] + widths[second]
                count -= 1
            open_nodes[count] = node
            count += 1
            node += 1
        if count != 1:
            return False
    return node == len(tokens)


#: What stands in postfix order for a node that joins the two subtrees before it.
JOIN: Final = -1


@dataclass(frozen=True, kw_only=True, eq=False)
class Forest:
    """n nodes of t binary trees, in postfix order: children before parents, tree after tree.

    So the nodes below one are those right before it, and its right child is the node before.

    >>> forest = Forest.of(["the", "cat", "sat"], [0, 1, JOIN, 2, JOIN, 2], roots=[4, 5])
    >>> forest.left.tolist(), forest.heights.tolist()
    ([-1, -1, 0, -1, 2, -1], [0, 0, 1, 0, 2, 0])
    >>> forest.written(0), forest.written(1)
    ('((the cat) sat)', 'sat')
    """

    words: tuple[str, ...]
    tokens: Indices  # (n,): which word a leaf is; `JOIN` for an inner node
    #: ``left``, ``right`` (n,): the children of an inner node; -1 for a leaf.
    left: Indices
    right: Indices
    heights: Indices  # (n,): 0 for a leaf, else one more than that of the higher child
    widths: Indices  # (n,): how many leaves are below a node; 1 for a leaf
    roots: Indices  # (t,): the node at the top of each tree, ascending

    @classmethod
    def of(
        cls,
        words: Sequence[str],
        postfix: Sequence[int] | Indices,
        *,
        roots: Sequence[int] | Indices,
    ) -> Forest:
        """Make a forest from trees in postfix order."""
        tokens = np.array(postfix, dtype=np.int64)
        ends = np.array(roots, dtype=np.int64)
        left, right = np.full(len(tokens), -1), np.full(len(tokens), -1)
        heights, widths = np.zeros_like(tokens), np.ones_like(tokens)
        fits = len(tokens) > ends.max(initial=-1)
        fits = fits and link(tokens, ends, left, right, heights, widths)
        if not fits or tokens.max(initial=JOIN) >= len(words):
            raise InputError(
                f"expected {len(ends)} binary trees over {len(words)} words in postfix order, got "
                "something else"
            )
        return cls(
            words=tuple(words),
            tokens=tokens,
            left=left,
            right=right,
            heights=heights,
            widths=widths,
            roots=ends,
        )

    def __len__(self) -> int:
        """Return how many trees there are."""
        return len(self.roots)

    @property
    def leaves(self) -> Mask:
        """Which nodes are leaves, (n,)."""
        return self.tokens >= 0

    def sizes(self) -> Indices:
        """Return how many nodes each tree has, (t,)."""
        return np.diff(self.roots, prepend=-1)

    def sentence(self, tree: int) -> list[str]:
        """Return the words of a tree from left to right."""
        return [self.words[token] for token in self._postfix(tree) if token != JOIN]

    def written(self, tree: int) -> str:
        """Return a tree in brackets, for people: ``((the cat) sat)``."""
        parts: list[str] = []
        for token in self._postfix(tree):
            if token == JOIN:
                parts[-2:] = [f"({parts[-2]} {parts[-1]})"]
            else:
                parts.append(self.words[token])
        return parts[0]

    def _postfix(self, tree: int) -> list[int]:
        start = int(self.roots[tree - 1]) + 1 if tree else 0
        postfix: list[int] = self.tokens[start : int(self.roots[tree]) + 1].tolist()
        return postfix

    def take(self, trees: Indices) -> Forest:
        """Return the forest of some trees, in the order given; the words stay as they are."""
        sizes = self.sizes()[trees]
        starts = self.roots[trees] - sizes + 1
        nodes = spans(starts, sizes)
        roots = np.cumsum(sizes) - 1
        shift = np.repeat(starts - (roots - sizes + 1), sizes)
        inner = self.tokens[nodes] < 0
        return Forest(
            words=self.words,
            tokens=self.tokens[nodes],
            left=np.where(inner, self.left[nodes] - shift, -1),
            right=np.where(inner, self.right[nodes] - shift, -1),
            heights=self.heights[nodes],
            widths=self.widths[nodes],
            roots=roots,
        )


class ForestBuilder:
    """Collects trees in postfix order, a word or a join at a time."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._postfix = array("q")
        self._roots = array("q")

    def word(self, word: str) -> None:
        """Add a leaf."""
        self._postfix.append(self._numbers.setdefault(word, len(self._numbers)))

    def join(self, times: int = 1) -> None:
        """Join the last two subtrees, so many times."""
        for _ in range(times):
            self._postfix.append(JOIN)

    def end(self) -> None:
        """End a tree, if anything was added since the last one."""
        last = len(self._postfix) - 1
        if last > (self._roots[-1] if self._roots else -1):
            self._roots.append(last)

    def add(self, words: Iterable[str], shape: Iterable[bool]) -> None:
        """Add a whole tree: its words from left to right, and where in postfix order they stand."""
        rest = iter(words)
        for is_word in shape:
            if is_word:
                self.word(next(rest))
            else:
                self.join()
        self.end()

    def forest(self) -> Forest:
        """Return what was collected."""
        return Forest.of(
            list(self._numbers),
            np.frombuffer(self._postfix, dtype=np.int64),
            roots=np.frombuffer(self._roots, dtype=np.int64),
        )


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

    - ``paths``: files or archives (zip, tar, compressed or not). Those that hold no trees are
      passed over; of several that are called alike but for folder and ending, those whose every
      word has a tag are read: the Penn Treebank has each text with and without.
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


#: ``right``: (a (b (c d))); ``left``: (((a b) c) d); ``balanced``: ((a b) (c d)).
Branching: TypeAlias = Literal["right", "left", "balanced"]


def branched(sentences: Iterable[Sequence[str]], branching: Branching) -> Forest:
    """Put a binary tree over each sentence; a sentence without words gets none.

    - ``branching``: ``right`` and ``left`` grow to that side. ``balanced`` halves a sentence and
      its halves, the longer half to the left, so that no tree is higher than it needs to be.

    >>> forest = branched([["the", "cat", "sat"]], "right")
    >>> forest.left.tolist(), forest.right.tolist()
    ([-1, -1, -1, 1, 0], [-1, -1, -1, 2, 3])
    """
    built = ForestBuilder()
    for sentence in sentences:
        built.add(sentence, _shape(len(sentence), branching))
    return built.forest()


@functools.lru_cache(maxsize=1024)
def _shape(length: int, branching: Branching) -> tuple[bool, ...]:
    """Return a tree in postfix order: True for a word, False for a join."""
    if length < 2:
        return (True,) * length
    if branching == "right":
        return (True,) * length + (False,) * (length - 1)
    if branching == "left":
        return (True,) + (True, False) * (length - 1)
    half = (length + 1) // 2
    return (*_shape(half, branching), *_shape(length - half, branching), False)


def text_key(text: str) -> str:
    """Return a text without white space, case and the signs of treebanks.

    >>> text_key("He said (twice): I can't.") == text_key("he said -lrb- twice -rrb- : i ca n't .")
    True
    """
    return _joined(map(plain_word, text.split()))


def tree_keys(forest: Forest) -> list[str]:
    """Return the key of each tree's words."""
    return [_joined(forest.sentence(tree)) for tree in range(len(forest))]


def _joined(words: Iterable[str]) -> str:
    return "".join(words).casefold().replace("``", '"').replace("''", '"')


def parsed(texts: Sequence[str]) -> Forest:
    """Parse texts into binary trees; a text without words gets none.

    A text in which the parser finds several sentences is one tree: the first two are joined, then
    their tree with the third, and so on.
    """
    built = ForestBuilder()
    progress = current_progress()
    for done, document in enumerate(parse(texts, lemmas=False), 1):
        add_parse(built, [t.text for t in document], [t.head.i for t in document])
        progress("parsing", done, len(texts))
    return built.forest()


def add_parse(built: ForestBuilder, words: Sequence[str], heads: Sequence[int]) -> None:
    """Add the tree of a parse; the head of a root is itself.

    >>> built = ForestBuilder()
    >>> add_parse(built, ["the", "cat", "saw", "me"], [1, 2, 2, 2])
    >>> built.forest().tokens.tolist()  # ((the cat) (saw me))
    [0, 1, -1, 2, 3, -1, -1]
    """
    before: list[list[int]] = [[] for _ in words]
    after: list[list[int]] = [[] for _ in words]
    for place, head in enumerate(heads):
        if place != head:
            (before if place < head else after)[head].append(place)
    roots = [place for place, head in enumerate(heads) if place == head]
    added = 0
    for number, root in enumerate(roots):
        added += _add_below(built, words, before, after, root)
        built.join(min(number, 1))
    if added != len(words):
        raise InputError(f"expected heads that lead to a root, got a circle in {list(heads)}")
    built.end()


def _add_below(
    built: ForestBuilder,
    words: Sequence[str],
    before: list[list[int]],
    after: list[list[int]],
    root: int,
) -> int:
    """Add the tree below a word; return how many words it has.

    In postfix order: the trees on the left, the word, each tree on the right with a join, then a
    join for each tree on the left.
    """
    added = 0
    # A number from 0 is a word whose tree is to be added, -1 - n means the word n, and None a join.
    rest: list[int | None] = [root]
    while rest:
        step = rest.pop()
        if step is None:
            built.join()
        elif step < 0:
            built.word(words[-1 - step])
            added += 1
        else:
            rest += [None] * len(before[step])
            for place in reversed(after[step]):
                rest += [None, place]
            rest += [-1 - step, *reversed(before[step])]
    return added


#: What names the dependency parser.
SPACY = "spacy"


class TextTrees(Protocol):
    """Gives texts their trees."""

    @property
    def fingerprint(self) -> str:
        """Which trees these are."""

    def trees(self, texts: Sequence[str]) -> Forest:
        """Return one tree per text; each text has a word."""


@dataclass(frozen=True)
class ParsedTrees:
    """Trees of spaCy's dependency parser."""

    @property
    def fingerprint(self) -> str:
        """The versions of the parser."""
        return parser_version()

    def trees(self, texts: Sequence[str]) -> Forest:
        """Parse texts."""
        return parsed(texts)


@dataclass(frozen=True)
class BranchedTrees:
    """Trees whose shape depends on the number of words."""

    branching: Branching
    tokenizer: str

    @property
    def fingerprint(self) -> str:
        """The shape."""
        return f"{self.branching} {self.tokenizer}"

    def trees(self, texts: Sequence[str]) -> Forest:
        """Cut texts into words."""
        return branched(map(find_tokenizer(self.tokenizer), texts), self.branching)


@dataclass(frozen=True, eq=False)
class ListedTrees:
    """Trees from a file, found by the letters of the text, whatever its blanks and its case."""

    source: Located

    @property
    def fingerprint(self) -> str:
        """The sha256 of the file."""
        return self.source.sha256

    def trees(self, texts: Sequence[str]) -> Forest:
        """Find the trees of texts; of two trees over the same letters the first is taken."""
        wanted = [self._places.get(text_key(text), -1) for text in texts]
        missing = [text for text, place in zip(texts, wanted, strict=True) if place < 0]
        if missing:
            raise InputError(
                f"{self.source.name} has no tree for {len(missing)} of {len(texts)} texts, first "
                f"for {missing[0][:80]!r}",
                hint=f"trees={SPACY} parses texts, trees=balanced needs no parser",
            )
        return self._forest.take(np.array(wanted, dtype=np.int64))

    @cached_property
    def _forest(self) -> Forest:
        return read_trees(self.source.paths)

    @cached_property
    def _places(self) -> dict[str, int]:
        keys = tree_keys(self._forest)
        return dict(zip(reversed(keys), range(len(keys) - 1, -1, -1), strict=True))


def text_trees(trees: str, *, tokenizer: str = "words") -> TextTrees:
    """Return what gives texts their trees."""
    find_tokenizer(tokenizer)
    if trees == SPACY:
        parser_version()
        return ParsedTrees()
    for branching in get_args(Branching):
        if trees == branching:
            return BranchedTrees(branching, tokenizer)
    return ListedTrees(locate(trees))
