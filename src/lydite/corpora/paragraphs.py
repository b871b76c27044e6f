"""Find the paragraphs of a text, whose lines may be wrapped or not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

_BLANK_LINES = re.compile(r"\n[^\S\n]*(?:\n[^\S\n]*)+")
_ENDED = re.compile(r"[.!?…。！？]\W*$")
_WIDEST = 200
_FULL = 0.8


def is_wrapped(lines: Sequence[str]) -> bool:
    """Tell whether lines were broken to fit a width, so that a paragraph covers several.

    In wrapped text a line that is not the last of its paragraph has no room for the first word of
    the next, and seldom ends a sentence; verses and lists apart. Lines that are paragraphs or
    sentences of their own have all lengths.
    """
    inner = [
        (line.rstrip(), after.split(maxsplit=1)[0])
        for line, after in pairwise(lines)
        if line.strip() and after.strip()
    ]
    if not inner:
        return False
    width = sorted(len(line) for line, _ in inner)[int(0.95 * len(inner))]
    full = sum(len(line) + 1 + len(word) > _FULL * width for line, word in inner)
    ended = sum(bool(_ENDED.search(line)) for line, _ in inner)
    return width <= _WIDEST and 2 * full > len(inner) > 2 * ended


def blocks(text: str) -> Iterator[str]:
    r"""Yield what stands between blank lines.

    >>> list(blocks("one\ntwo\n\n  \nthree\n"))
    ['one\ntwo', 'three']
    """
    for block in _BLANK_LINES.split(text):
        if block.strip():
            yield block.strip("\n")


def gathered(lines: Iterable[str], wrapped: bool) -> Iterator[str]:
    """Yield the paragraphs of a stream of lines, each line by itself unless they are wrapped."""
    block: list[str] = []
    for line in lines:
        if line.strip():
            block.append(line)
        if block and not (wrapped and line.strip()):
            yield "\n".join(block)
            block = []
    if block:
        yield "\n".join(block)
