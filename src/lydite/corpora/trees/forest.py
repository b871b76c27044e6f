"""The binary trees of a whole corpus in a few arrays: no Python object a node."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from lydite.corpora.trees.linking import link
from lydite.errors import InputError
from lydite.spaces.vocabulary import spans
from lydite.types import Indices, Mask

#: What stands in postfix order for a node that joins the two subtrees before it.
JOIN: Final = -1


@dataclass(frozen=True, kw_only=True, eq=False)
class Forest:
    """n nodes of t binary trees, in postfix order: children before parents, tree after tree.

    So the nodes below one are those right before it, and its right child is the node before.

    Attributes
    ----------
    words
        v different words.
    tokens
        Shape (n,): which word a leaf is; `JOIN` for an inner node.
    left, right
        Shape (n,): the children of an inner node; -1 for a leaf.
    heights
        Shape (n,): 0 for a leaf, else one more than that of the higher child.
    widths
        Shape (n,): how many leaves are below a node; 1 for a leaf.
    roots
        Shape (t,): the node at the top of each tree, ascending.

    Examples
    --------
    >>> forest = Forest.of(["the", "cat", "sat"], [0, 1, JOIN, 2, JOIN, 2], roots=[4, 5])
    >>> forest.left.tolist(), forest.heights.tolist()
    ([-1, -1, 0, -1, 2, -1], [0, 0, 1, 0, 2, 0])
    >>> forest.written(0), forest.written(1)
    ('((the cat) sat)', 'sat')
    """

    words: tuple[str, ...]
    tokens: Indices
    left: Indices
    right: Indices
    heights: Indices
    widths: Indices
    roots: Indices

    @classmethod
    def of(
        cls,
        words: Sequence[str],
        postfix: Sequence[int] | Indices,
        *,
        roots: Sequence[int] | Indices,
    ) -> Forest:
        """Make a forest from trees in postfix order.

        Parameters
        ----------
        words
            v different words.
        postfix
            n times the number of a word or `JOIN`.
        roots
            The last node of each tree.
        """
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
