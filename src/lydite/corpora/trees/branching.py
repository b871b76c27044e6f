"""Trees for sentences that nobody parsed: their shape depends on their length alone."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

from lydite.corpora.trees.forest import Forest, ForestBuilder

#: ``right``: (a (b (c d))); ``left``: (((a b) c) d); ``balanced``: ((a b) (c d)).
Branching: TypeAlias = Literal["right", "left", "balanced"]


def branched(sentences: Iterable[Sequence[str]], branching: Branching) -> Forest:
    """Put a binary tree over each sentence; a sentence without words gets none.

    Parameters
    ----------
    sentences
        Words from left to right.
    branching
        ``right`` and ``left`` grow to that side. ``balanced`` halves a sentence and its halves, the
        longer half to the left, so that no tree is higher than it needs to be.

    Examples
    --------
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
