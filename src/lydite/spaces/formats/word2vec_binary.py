"""The word2vec binary format: a header ``n d``, then word, blank, d little-endian float32."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import numpy as np

from lydite.errors import FormatError
from lydite.files.compression import open_decompressed
from lydite.progress import Progress
from lydite.spaces.formats.format import Format
from lydite.spaces.formats.rows import (
    LONGEST_WORD,
    Chunk,
    Fault,
    Reading,
    end_of_file,
    numbered_chunk,
    refuse_words,
    space_blocks,
)
from lydite.spaces.formats.text import Shape, holds_floats, read_header
from lydite.spaces.space import Space
from lydite.spaces.vocabulary import PackedWords, bounds, spans
from lydite.types import PlainMapping

_BLOCK = 1 << 22
_NOT_WRITABLE = re.compile(r"[\n\r ]")


def read_binary(stream: IO[bytes], reading: Reading, header: Shape) -> Iterator[Chunk]:
    """Parse a word2vec binary file in blocks; the stream is decompressed and at its start.

    Some writers put a newline after each vector and some do not; it is skipped either way.
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


def _recognizes(head: bytes) -> bool:
    header = read_header(head)
    return header is not None and holds_floats(head[header.skip :], header)


def _read(reading: Reading, head: bytes, _vocabulary: Path | None) -> Iterator[Chunk]:
    if header := read_header(head):
        with open_decompressed(reading.path) as stream:
            yield from read_binary(stream, reading, header)


def _write(
    space: Space, stream: IO[bytes], progress: Progress, _provenance: PlainMapping | None
) -> None:
    stream.write(f"{len(space)} {space.dim}\n".encode())
    for words, vectors in space_blocks(space, progress):
        refuse_words(words, _NOT_WRITABLE, "a space or a line break")
        for word, row in zip(words, vectors.astype("<f4"), strict=True):
            stream.write(word.encode() + b" " + row.tobytes() + b"\n")


WORD2VEC_BINARY = Format(
    name="word2vec-binary",
    title="word2vec binary",
    suffixes=(".bin",),
    recognizes=_recognizes,
    guessed=True,
    read=_read,
    write=_write,
)
