"""The word2vec binary format: a header ``n d``, then word, blank, d little-endian float32."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

import numpy as np

from lydite.errors import FormatError
from lydite.spaces.formats.rows import (
    LONGEST_WORD,
    Chunk,
    Fault,
    Reading,
    end_of_file,
    numbered_chunk,
)
from lydite.spaces.formats.text import Shape
from lydite.spaces.vocabulary import PackedWords, bounds, spans

_BLOCK = 1 << 22


def read_binary(stream: IO[bytes], reading: Reading, header: Shape) -> Iterator[Chunk]:
    """Parse a word2vec binary file in blocks.

    Some writers put a newline after each vector and some do not; it is passed over either way.

    Parameters
    ----------
    stream
        Decompressed bytes, from the start.
    reading
        Options and counts.
    header
        From :func:`~lydite.spaces.formats.text.read_header`.
    """
    reading.check_dim(header.dim)
    stream.read(header.skip)
    count, dim = header.promised or 0, header.dim
    rows = 0
    buffer = b""
    while rows < count:
        block = stream.read(_BLOCK)
        buffer += block
        starts, lengths, used = _records(buffer, dim, count - rows)
        yield _chunk(buffer, starts, lengths, dim, first_row=rows)
        rows += len(starts)
        buffer = buffer[used:]
        reading.progress(f"reading {reading.path.name}", rows, count)
        if rows < count and b" " not in buffer[: LONGEST_WORD + 1] and len(buffer) > LONGEST_WORD:
            raise FormatError(
                f"row {rows + 1}: expected a blank after a word of at most {LONGEST_WORD} bytes, "
                f"got none",
                path=reading.path,
                hint="this is probably not word2vec's binary format",
            )
        if not block:
            break
    got = f"got {rows} before the file ends"
    if rows == count:
        if not (buffer + stream.read(_BLOCK)).strip(b"\n"):
            return
        got = "got more bytes after them"
    fault = Fault(
        kind="header count",
        message=f"expected {count} words of {dim} numbers, as the header says, {got}",
        row=0,
        hint="the file may be damaged; fetch it again, or read it with --lenient",
    )
    yield end_of_file(dim, fault)


def _records(buffer: bytes, dim: int, most: int) -> tuple[list[int], list[int], int]:
    """Find the whole records in a buffer: starts and lengths of words, and the bytes used."""
    starts: list[int] = []
    lengths: list[int] = []
    at = 0
    width = 4 * dim
    size = len(buffer)
    find = buffer.find
    while len(starts) < most:
        start = at + 1 if buffer[at : at + 1] == b"\n" else at
        blank = find(b" ", start)
        if blank < 0 or blank + 1 + width > size:
            break
        starts.append(start)
        lengths.append(blank - start)
        at = blank + 1 + width
    return starts, lengths, at


def _chunk(
    buffer: bytes, starts: list[int], lengths: list[int], dim: int, *, first_row: int
) -> Chunk:
    letters = np.frombuffer(buffer, dtype=np.uint8)
    word_starts = np.array(starts, dtype=np.int64)
    word_lengths = np.array(lengths, dtype=np.int64)
    words = PackedWords(
        letters=letters[spans(word_starts, word_lengths)], offsets=bounds(word_lengths)
    )
    places = (word_starts + word_lengths + 1)[:, None] + np.arange(4 * dim)
    vectors = letters[places].view("<f4").astype(np.float32, copy=False)
    return numbered_chunk(words, vectors, first_row=first_row)
