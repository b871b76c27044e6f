"""Where the trees of texts come from: a parser, the number of words, or a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, get_args

import numpy as np

from lydite.corpora.spacy_parser import parser_version
from lydite.corpora.tokens import tokenizer as find_tokenizer
from lydite.corpora.trees.brackets import read_trees
from lydite.corpora.trees.branching import Branching, branched
from lydite.corpora.trees.dependencies import parsed
from lydite.corpora.trees.forest import Forest
from lydite.corpora.trees.keys import text_key, tree_keys
from lydite.errors import InputError
from lydite.resources.catalogue import Located, locate

#: What names the dependency parser.
SPACY = "spacy"


class TextTrees(Protocol):
    """Gives texts their trees."""

    @property
    def fingerprint(self) -> str:
        """Which trees these are."""
        ...

    def trees(self, texts: Sequence[str]) -> Forest:
        """Return one tree a text; each text has a word."""
        ...


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
    """Return what gives texts their trees.

    Parameters
    ----------
    trees
        ``spacy``, ``right``, ``left``, ``balanced``, or the name or path of bracketed trees.
    tokenizer
        What cuts texts into words, for trees that depend on their number.
    """
    find_tokenizer(tokenizer)
    if trees == SPACY:
        parser_version()
        return ParsedTrees()
    for branching in get_args(Branching):
        if trees == branching:
            return BranchedTrees(branching, tokenizer)
    return ListedTrees(locate(trees))
