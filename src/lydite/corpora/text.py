"""Plain text of any length, block by block, as tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from lydite.corpora.tokens import words
from lydite.errors import FormatError, ResourceError
from lydite.spaces.formats.compression import (
    DECOMPRESSION_ERRORS,
    compression,
    damaged,
    open_decompressed,
)
from lydite.types import current_progress

#: What stands in the stream of tokens for a blank line, across which no phrase reaches.
BREAK = ""

_BLOCK_BYTES = 1 << 20
_BLANK_LINE = re.compile(r"\n\s*\n")


def text_tokens(path: Path) -> Iterator[list[str]]:
    """Yield the tokens of a text in UTF-8, compressed or not, about a megabyte at a time.

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
    """Yield a text in pieces that end with a word; the white space after it opens the next."""
    progress = current_progress()
    rest, lines, done = b"", 1, 0
    try:
        total = path.stat().st_size if compression(path) is None else None
        with open_decompressed(path) as stream:
            while read := stream.read(_BLOCK_BYTES):
                rest += read if done else read.removeprefix(b"\xef\xbb\xbf")
                end = max(rest.rfind(b" "), rest.rfind(b"\n"))
                block = rest[: max(end, 0)].rstrip()
                rest = rest[len(block) :]
                yield _decoded(block, path, lines)
                lines += block.count(b"\n")
                done += len(read)
                progress(f"reading {path.name}", done, total)
        yield _decoded(rest, path, lines)
    except DECOMPRESSION_ERRORS as error:
        raise damaged(path, error) from error
    except OSError as error:
        raise ResourceError(
            f"{path} cannot be read: {error.strerror}", hint="check the path"
        ) from error


def _decoded(block: bytes, path: Path, lines: int) -> str:
    fault = block.find(b"\0")
    try:
        text = block.decode()
    except UnicodeDecodeError as error:
        fault = error.start
    if fault >= 0:
        raise FormatError(
            "expected a text in UTF-8, got other bytes",
            path=path,
            line=lines + block.count(b"\n", 0, fault),
            hint="save the file as UTF-8",
        )
    return text
