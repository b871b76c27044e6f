"""Text cut into tokens, of one string or of a stream of any length."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

from lydite.errors import SpecError
from lydite.files.lines import text_lines
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
    """Cut at white space, for texts that are tokenized already.

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
        f"there is no tokenizer called {name!r}",
        hint=f"did you mean {close[0]}?" if close else f"there are {', '.join(TOKENIZERS)}",
    )


#: What stands in the stream of tokens for a blank line, across which no phrase reaches.
BREAK = ""

_BLOCK_LETTERS = 1 << 20
_BLANK_LINE = re.compile(r"\n\s*\n")


def text_tokens(path: Path) -> Iterator[list[str]]:
    """Yield the tokens of a text, compressed or not, about a megabyte at a time.

    Tokens are those of :func:`lydite.corpora.tokens.words`; between paragraphs stands `BREAK`.
    """
    for block in _blocks(path):
        tokens: list[str] = []
        for paragraph in _BLANK_LINE.split(block):
            tokens += words(paragraph)
            tokens.append(BREAK)
        # The last paragraph goes on in the next block.
        yield tokens[:-1]


def _blocks(path: Path) -> Iterator[str]:
    """Yield a text in pieces that end with a line that is not blank."""
    lines: list[str] = []
    letters = 0
    for _, line in text_lines(path):
        if letters >= _BLOCK_LETTERS and line.strip() and lines[-1].strip():
            yield "\n".join(lines)
            lines, letters = [], 0
        lines.append(line)
        letters += len(line) + 1
    yield "\n".join(lines).rstrip()
