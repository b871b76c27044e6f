"""A word of a tagged corpus."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias


class Sense(NamedTuple):
    """A WordNet sense: its number, 0 if WordNet has none for it, and its key after the ``%``."""

    number: int
    key: str


class Token(NamedTuple):
    """A word with what its annotators said of it; what they did not say is None or empty.

    An expression of several words is one token, its parts joined by underscores.
    """

    form: str
    tag: str
    lemma: str | None = None
    senses: tuple[Sense, ...] = ()


Sentence: TypeAlias = list[Token]
