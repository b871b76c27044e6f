"""Text formats: word2vec text (header ``n d``), GloVe and fastText .vec (with or without it).

One line a word: the word, then d numbers, with blanks or tabs between. The vector is the last d
fields, so a word may hold spaces; a word with a space that ends in a number with a point is taken
for a row with too many numbers. Blank lines, CRLF and a byte-order mark are passed over.
"""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import IO

import numpy as np

from lydite.errors import FormatError
from lydite.spaces.formats.reading import Chunk, Reading
from lydite.spaces.vocabulary import PackedWords, bounds, spans
from lydite.types import Indices, Vectors

_BLOCK = 1 << 20
_PEEK_LINES = 200
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, kw_only=True)
class Shape:
    """What the first lines of a text file tell: d, and the n of the header if there is one."""

    dim: int
    promised: int | None
    skip: int

    @property
    def first_line(self) -> int:
        """The number of the first line that holds a word."""
        return 1 if self.promised is None else 2


def sniff_shape(head: bytes) -> Shape | None:
    r"""Find header and dimension from the first bytes of a file; None if it is not such a text.

    Without a header the dimension is the most frequent number of fields less one, since a few
    words may hold spaces.

    >>> sniff_shape(b"2 3\ncat 1 2 3\ndog 4 5 6\n")
    Shape(dim=3, promised=2, skip=4)
    >>> sniff_shape(b"new york 1 2\ncat 1 2\ndog 3 4\n").dim
    2
    """
    skip = len(_BOM) if head.startswith(_BOM) else 0
    first, newline, rest = head[skip:].partition(b"\n")
    header = first.split()
    counts = _field_counts(rest)
    if len(header) == 2 and all(map(bytes.isdigit, header)):
        promised, dim = int(header[0]), int(header[1])
        if dim in counts or not rest.strip():
            return Shape(dim=dim, promised=promised, skip=skip + len(first) + len(newline))
        if _has_control_bytes(rest):
            return None
        if _usual(counts) != 1:
            # A header that no row agrees with: keep it, so that the first row is named as wrong.
            return Shape(dim=dim, promised=promised, skip=skip + len(first) + len(newline))
    counts += _field_counts(first + newline)
    return Shape(dim=_usual(counts), promised=None, skip=skip) if counts else None


def _field_counts(text: bytes) -> Counter[int]:
    """Count how many lines have how many fields after the word."""
    lines = [line.split() for line in text.split(b"\n", _PEEK_LINES)[:_PEEK_LINES]]
    filled = [fields for fields in lines if fields]
    # The last line of the head may be cut; it counts only if there is nothing else.
    counts = Counter(_numbers(fields) for fields in (filled[:-1] or filled))
    del counts[0]
    return counts


def _usual(counts: Counter[int]) -> int:
    most = max(counts.values(), default=0)
    return min((dim for dim, count in counts.items() if count == most), default=0)


def _has_control_bytes(text: bytes) -> bool:
    return bool(text.translate(None, bytes(range(9, 256))))


def _numbers(fields: list[bytes]) -> int:
    """Count the fields after the word if they are numbers, 0 otherwise."""
    try:
        float(fields[-1])
    except ValueError:
        return 0
    return len(fields) - 1


def read_text(stream: IO[bytes], reading: Reading, shape: Shape) -> Iterator[Chunk]:
    """Parse a text file in blocks, on all cores.

    Parameters
    ----------
    stream
        Decompressed bytes, from the start.
    reading
        Options and counts.
    shape
        From :func:`sniff_shape`.
    """
    stream.read(shape.skip)
    line = shape.first_line
    rows = 0
    for block in _parsed_blocks(stream, shape.dim, reading):
        chunk = block.chunk(reading, first_line=line)
        line += block.line_count
        if reading.limit is not None:
            chunk = _head(chunk, reading.limit - rows)
        rows += len(chunk.words)
        yield chunk
        if rows == reading.limit:
            return
    _check_promise(reading, shape, rows)


def _check_promise(reading: Reading, shape: Shape, rows: int) -> None:
    left_out = sum(reading.problems.values())
    if shape.promised is None or rows + left_out == shape.promised:
        return
    message = f"expected {shape.promised} words, as the header says, got {rows + left_out}"
    if reading.lenient:
        reading.problems["header count"] += 1
    else:
        raise FormatError(
            message,
            path=reading.path,
            line=1,
            hint="the file may be cut off; fetch it again, or read it with --lenient",
        )


def _head(chunk: Chunk, rows: int) -> Chunk:
    if len(chunk.words) <= rows:
        return chunk
    return Chunk(words=chunk.words.take(np.arange(rows)), vectors=chunk.vectors[:rows])


@dataclass(frozen=True, kw_only=True)
class _Block:
    """A run of whole lines, parsed."""

    text: bytearray
    lines: Indices
    rows: Indices
    vectors: Vectors
    status: np.ndarray[tuple[int], np.dtype[np.uint8]]
    ended: bool

    @property
    def line_count(self) -> int:
        return len(self.lines)

    def chunk(self, reading: Reading, *, first_line: int) -> Chunk:
        """Report faults in the order of the lines and return the good rows."""
        from lydite.spaces.formats import text_kernel as kernel

        bad = self._undecodable()
        faults = dict.fromkeys(np.flatnonzero(self.status > kernel.SLOW).tolist())
        faults |= dict.fromkeys(self.rows[bad, 2].tolist())
        for slow in np.flatnonzero(self.status[self.rows[:, 2]] == kernel.SLOW):
            if not self._read_slowly(int(slow)):
                faults[int(self.rows[slow, 2])] = None
                bad[slow] = True
        for line in sorted(faults):
            kind, message = self._explain(line)
            reading.fault(kind, message, line=first_line + line)
        rows = self.rows[~bad]
        lengths = rows[:, 1] - rows[:, 0]
        letters = np.frombuffer(self.text, dtype=np.uint8)[spans(rows[:, 0], lengths)]
        vectors = self.vectors if not bad.any() else self.vectors[~bad]
        return Chunk(words=PackedWords(letters=letters, offsets=bounds(lengths)), vectors=vectors)

    def _undecodable(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Mark rows whose word is not UTF-8."""
        bad = np.zeros(len(self.rows), dtype=np.bool_)
        # Each word is taken with the blank behind it, so that no two halves make a character.
        starts, stops = self.rows[:, 0], self.rows[:, 1]
        words = np.frombuffer(self.text, dtype=np.uint8)[spans(starts, stops - starts + 1)]
        try:
            words.tobytes().decode()
        except UnicodeDecodeError:
            for row, (start, stop, _) in enumerate(self.rows.tolist()):
                try:
                    self.text[start:stop].decode()
                except UnicodeDecodeError:
                    bad[row] = True
        return bad

    def _read_slowly(self, row: int) -> bool:
        """Let Python read a line whose numbers the kernel would not round; False if not finite."""
        line = self.rows[row, 2]
        fields = self.text[self.lines[line, 0] : self.lines[line, 1]].split()
        with np.errstate(over="ignore"):
            self.vectors[row] = np.array(
                [float(number) for number in fields[-self.vectors.shape[1] :]]
            ).astype(np.float32)
        return bool(np.isfinite(self.vectors[row]).all())

    def _explain(self, line: int) -> tuple[str, str]:
        """Say in words what is wrong with a line."""
        from lydite.spaces.formats import text_kernel as kernel

        dim = self.vectors.shape[1]
        fields = bytes(self.text[self.lines[line, 0] : self.lines[line, 1]]).split()
        last = self.ended and line == self.line_count - 1
        match self.status[line]:
            case kernel.RAGGED | kernel.TOO_MANY:
                cut = " (the last line: the file may be cut off)" if last else ""
                got = f"got {len(fields) - 1}{cut}"
                return "ragged", f"expected {dim} numbers after the word, {got}"
            case kernel.NO_WORD:
                return "no word", f"expected a word before the {dim} numbers, got none"
            case kernel.NOT_A_NUMBER:
                culprit = next(f for f in fields[-dim:][::-1] if not _is_number(f))
                shown = culprit[:40].decode("utf-8", "replace")
                if len(fields) != dim + 1:
                    return "ragged", (
                        f"expected {dim} numbers after the word, got {len(fields) - 1} fields "
                        f"of which {shown!r} is no number"
                    )
                return "not a number", f"expected a number, got {shown!r}"
            case kernel.NOT_FINITE | kernel.SLOW:
                return "not finite", "expected finite numbers, got NaN, infinity or an overflow"
            case _:
                return "invalid UTF-8", "expected a word in UTF-8, got bytes that are not"


def _is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return b"_" not in field


def _parsed_blocks(stream: IO[bytes], dim: int, reading: Reading) -> Iterator[_Block]:
    """Parse blocks in threads and hand them out in order, a few in flight at a time."""
    workers = min(os.cpu_count() or 1, 8)
    pool = ThreadPoolExecutor(workers)
    pending: deque[Future[_Block]] = deque()
    done = 0
    try:
        for text, ended in _whole_lines(stream):
            pending.append(pool.submit(_parse, text, dim, not reading.lenient, ended))
            done += len(text)
            reading.progress(f"reading {reading.path.name}", done, None)
            if len(pending) > workers:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _whole_lines(stream: IO[bytes]) -> Iterator[tuple[bytearray, bool]]:
    """Cut a stream into blocks that end with a line; the last is marked."""
    rest = b""
    while True:
        block = bytearray(rest)
        block += stream.read(_BLOCK)
        if len(block) == len(rest):
            if block:
                yield block, True
            return
        cut = block.rfind(b"\n") + 1
        rest = bytes(block[cut:])
        if cut:
            del block[cut:]
            yield block, False


def _parse(text: bytearray, dim: int, strict: bool, ended: bool) -> _Block:
    from lydite.spaces.formats import text_kernel as kernel

    letters = np.frombuffer(text, dtype=np.uint8)
    stops = np.flatnonzero(letters == 10)
    if not text.endswith(b"\n"):
        stops = np.append(stops, len(text))
    lines = np.empty((len(stops), 2), dtype=np.int64)
    lines[:, 1] = stops
    lines[0, 0] = 0
    lines[1:, 0] = stops[:-1] + 1
    vectors = np.empty((len(lines), dim), dtype=np.float32)
    rows = np.empty((len(lines), 3), dtype=np.int64)
    status = np.zeros(len(lines), dtype=np.uint8)
    filled = kernel.parse_lines(letters, lines, strict, vectors, rows, status)
    return _Block(
        text=text,
        lines=lines,
        rows=rows[:filled],
        vectors=vectors[:filled],
        status=status,
        ended=ended,
    )
