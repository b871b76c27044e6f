"""Cut a text into tokens."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Callable
from typing import TypeAlias

from lydite.errors import SpecError
from lydite.registry import nearest

Tokenizer: TypeAlias = Callable[[str], list[str]]


@functools.cache
def _token() -> re.Pattern[str]:
    """Match a number with inner points, a word with inner apostrophes and hyphens, or one mark.

    Accents and vowel signs that are characters of their own belong to the letter before them.
    Python's class of word characters lacks them, and a word of Hindi would fall to pieces.
    """
    combining = "".join(
        chr(code) for code in range(0x300, 0x10000) if unicodedata.category(chr(code))[0] == "M"
    )
    signs = combining + "\u200c\u200d"  # joiners, within words of Persian and of Indian languages
    word = rf"\w[\w{signs}]*"
    return re.compile(rf"\d+(?:[.,]\d+)+|{word}(?:['’\-]{word})*|[^\w\s][{signs}]*")


def words(text: str) -> list[str]:
    """Cut into words, numbers and single punctuation marks; nothing is dropped but white space.

    >>> words("Don't panic: it's 3.5 km, north-west!")
    ["Don't", 'panic', ':', "it's", '3.5', 'km', ',', 'north-west', '!']
    """
    return _token().findall(text)


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
    close = nearest(str(name), TOKENIZERS)
    raise SpecError(
        f"no tokenizer is called {name!r}",
        hint=f"did you mean {close[0]}?" if close else f"there are {', '.join(TOKENIZERS)}",
    )
