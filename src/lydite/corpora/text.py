"""Plain text of any length, block by block, as tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from lydite.corpora.reading import text_lines
from lydite.corpora.tokens import words

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
