"""The word2vec binary format: a header ``n d``, then word, blank, d little-endian float32."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

import numpy as np

from lydite.errors import FormatError
from lydite.spaces.formats.reading import Chunk, Reading
from lydite.spaces.vocabulary import PackedWords, bounds, spans

_BLOCK = 1 << 22
_LONGEST_WORD = 1 << 16


def read_binary(stream: IO[bytes], reading: Reading) -> Iterator[Chunk]:
    """Parse a word2vec binary file in blocks.

    Some writers put a newline after each vector and some do not; it is passed over either way.
    """
    count, dim = (int(field) for field in stream.readline().split())
    wanted = count if reading.limit is None else min(count, reading.limit)
    rows = 0
    buffer = b""
    while rows < wanted:
        block = stream.read(_BLOCK)
        buffer += block
        reading.progress(f"reading {reading.path.name}", rows, wanted)
        starts, lengths, used = _records(buffer, dim, wanted - rows)
        if len(starts):
            chunk = _chunk(buffer, starts, lengths, dim)
            yield reading.keep_finite(_keep_utf8(chunk, reading, rows), first_row=rows)
            rows += len(starts)
            buffer = buffer[used:]
        if not block and rows < wanted:
            reading.fault(
                "cut off",
                f"expected {count} words of {dim} numbers, as the header says, "
                f"got {rows} before the file ends",
            )
            return
        if len(buffer) > _LONGEST_WORD + 4 * dim + _BLOCK:
            raise FormatError(
                f"expected a word and {4 * dim} bytes, got no end of a word in "
                f"{_LONGEST_WORD} bytes after word {rows}",
                path=reading.path,
                hint="this is probably not word2vec's binary format",
            )


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


def _chunk(buffer: bytes, starts: list[int], lengths: list[int], dim: int) -> Chunk:
    letters = np.frombuffer(buffer, dtype=np.uint8)
    word_starts = np.array(starts, dtype=np.int64)
    word_lengths = np.array(lengths, dtype=np.int64)
    packed = PackedWords(
        letters=letters[spans(word_starts, word_lengths)], offsets=bounds(word_lengths)
    )
    places = (word_starts + word_lengths + 1)[:, None] + np.arange(4 * dim)
    vectors = letters[places].view("<f4").astype(np.float32, copy=False)
    return Chunk(words=packed, vectors=vectors)


def _keep_utf8(chunk: Chunk, reading: Reading, first_row: int) -> Chunk:
    """Return the chunk without words that are not UTF-8 or empty."""
    good = []
    for row in range(len(chunk.words)):
        try:
            word = chunk.words[row]
        except UnicodeDecodeError:
            word = ""
        if word:
            good.append(row)
        else:
            reading.fault(
                "invalid UTF-8",
                f"word {first_row + row + 1}: expected a word in UTF-8, got bytes that are not",
            )
    if len(good) == len(chunk.words):
        return chunk
    kept = np.array(good, dtype=np.int64)
    return Chunk(words=chunk.words.take(kept), vectors=chunk.vectors[kept])
