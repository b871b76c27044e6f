"""Cut a text into tokens."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

from lydite.errors import SpecError
from lydite.registry import nearest

Tokenizer: TypeAlias = Callable[[str], list[str]]

#: A word with its inner apostrophes, hyphens and points between digits, or one other character.
_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|\w+(?:['’\-]\w+)*|[^\w\s]")


def words(text: str) -> list[str]:
    """Cut into words, numbers and single punctuation marks; nothing is dropped but white space.

    >>> words("Don't panic: it's 3.5 km, north-west!")
    ["Don't", 'panic', ':', "it's", '3.5', 'km', ',', 'north-west', '!']
    """
    return _TOKEN.findall(text)


def whitespace(text: str) -> list[str]:
    """Cut at white space, for texts that are tokenised already.

    >>> whitespace("the cat 's  whiskers .")
    ['the', 'cat', "'s", 'whiskers', '.']
    """
    return text.split()


TOKENIZERS: dict[str, Tokenizer] = {"words": words, "whitespace": whitespace}


def tokenizer(name: str) -> Tokenizer:
    """Return a tokenizer by name.

    >>> tokenizer("whitespace")("a b")
    ['a', 'b']
    """
    if name in TOKENIZERS:
        return TOKENIZERS[name]
    close = nearest(name, TOKENIZERS)
    raise SpecError(
        f"no tokenizer is called {name!r}",
        hint=f"did you mean {close[0]}?" if close else f"there are {', '.join(TOKENIZERS)}",
    )
