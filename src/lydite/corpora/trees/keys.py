"""By what a text finds its tree: its letters, however they were cut into words."""

from __future__ import annotations

from collections.abc import Iterable

from lydite.corpora.trees.brackets import plain_word
from lydite.corpora.trees.forest import Forest


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
