"""Text formats: word2vec text (header ``n d``), GloVe and fastText .vec (with or without it).

One line a word: the word, then d numbers, with blanks or tabs between. The vector is the last d
fields, so a word may hold spaces; a word with a space that ends in a number with a point is taken
for a row with too many numbers. Blank lines, CRLF and a byte-order mark are passed over.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import IO

import numpy as np
from numpy.typing import NDArray

from lydite.spaces.formats.reading import (
    Chunk,
    Complaint,
    Fault,
    Reading,
    complain_of_words,
    end_of_file,
    sound_chunk,
)
from lydite.spaces.formats.text_kernel import NO_WORD, NOT_A_NUMBER, SLOW, parse_lines
from lydite.spaces.formats.text_shape import Shape, is_decimal, is_number, split_fields
from lydite.spaces.vocabulary import PackedWords, bounds, spans
from lydite.threads import thread_count
from lydite.types import Indices, Vectors

_BLOCK = 1 << 20
#: What a line has beyond this is not kept; the line is refused.
LONGEST_LINE = 1 << 22


def read_text(stream: IO[bytes], reading: Reading, shape: Shape) -> Iterator[Chunk]:
    """Parse a text file in blocks, on all cores.

    Parameters
    ----------
    stream
        Decompressed bytes, from the start.
    reading
        Options and counts.
    shape
        From :func:`~lydite.spaces.formats.text_shape.sniff_shape`.
    """
    reading.check_dim(shape.dim)
    stream.read(shape.skip)
    line = shape.first_line
    words = 0
    for block in _parsed_blocks(stream, shape.dim, reading):
        chunk = block.chunk(first_line=line, lenient=reading.lenient)
        line += len(block.lines)
        words += len(chunk.words) + len(chunk.faults)
        yield chunk
    if shape.promised not in {None, words}:
        fault = Fault(
            kind="header count",
            message=f"expected {shape.promised} words, as the header says, got {words}",
            row=0,
            line=shape.first_line - 1,
            hint="the file may be cut off; fetch it again, or read it with --lenient",
        )
        yield end_of_file(shape.dim, fault)


@dataclass(frozen=True, kw_only=True, eq=False)
class _Block:
    """A run of whole lines, parsed; the last line of an unended file may be cut."""

    text: bytearray
    lines: Indices
    rows: Indices
    vectors: Vectors
    status: NDArray[np.uint8]
    ended: bool

    def chunk(self, *, first_line: int, lenient: bool) -> Chunk:
        """Return the good rows and, in the order of the lines, what is wrong with the others."""
        starts, lines = self.rows[:, 0], self.rows[:, 2]
        lengths = self.rows[:, 1] - starts
        words = PackedWords(
            letters=np.frombuffer(self.text, dtype=np.uint8)[spans(starts, lengths)],
            offsets=bounds(lengths),
        )
        complaints = {int(lines[row]): why for row, why in complain_of_words(words).items()}
        for row in np.flatnonzero(self.status[lines] == SLOW).tolist():
            if beyond := self._read_slowly(row):
                complaints.setdefault(int(lines[row]), _not_finite(beyond))
        faulty = np.flatnonzero(self.status > SLOW)
        # The first fault ends a strict reading, and explaining them all would take its time.
        for line in (faulty if lenient else faulty[:1]).tolist():
            complaints[line] = self._explain(line)
        for line in np.flatnonzero(np.diff(self.lines, axis=1) > LONGEST_LINE).tolist():
            message = f"expected a line of at most {LONGEST_LINE} bytes, got a longer one"
            complaints[line] = ("long line", message)
        return sound_chunk(words, self.vectors, lines, complaints, first_line=first_line)

    def _fields(self, line: int) -> list[bytes]:
        start, stop = self.lines[line]
        return split_fields(bytes(self.text[start:stop]))

    def _read_slowly(self, row: int) -> bytes | None:
        """Let Python read a row that the kernel would not round; return a number beyond float32."""
        numbers = self._fields(int(self.rows[row, 2]))[-self.vectors.shape[1] :]
        with np.errstate(over="ignore"):
            self.vectors[row] = np.array(list(map(float, numbers))).astype(np.float32)
        beyond = np.flatnonzero(~np.isfinite(self.vectors[row]))
        return numbers[beyond[0]] if len(beyond) else None

    def _explain(self, line: int) -> Complaint:
        """Say in words what is wrong with a line."""
        dim = self.vectors.shape[1]
        fields = self._fields(line)
        if self.status[line] == NO_WORD:
            return "no word", f"expected a word before the {dim} numbers, got none"
        if self.status[line] == NOT_A_NUMBER:
            culprit = next(field for field in reversed(fields) if not is_decimal(field))
            if is_number(culprit):
                return _not_finite(culprit)
            if len(fields) == dim + 1:
                return "not a number", f"expected a number, got {_show(culprit)}"
        last = self.ended and line == len(self.lines) - 1
        cut = " (in the last line: the file may be cut off)" if last else ""
        return "ragged", f"expected {dim} numbers after the word, got {_got(fields)}{cut}"


def _got(fields: list[bytes]) -> str:
    """Say how many numbers follow the word, and which field is none."""
    culprit = next((field for field in fields[1:] if not is_number(field)), None)
    count = str(len(fields) - 1)
    return count if culprit is None else f"{count} fields, of which {_show(culprit)} is no number"


def _not_finite(field: bytes) -> Complaint:
    return "not finite", f"expected finite numbers, got {_show(field)}"


def _show(field: bytes) -> str:
    return repr(field[:40].decode("utf-8", "replace"))


def _parsed_blocks(stream: IO[bytes], dim: int, reading: Reading) -> Iterator[_Block]:
    """Parse blocks in threads and hand them out in order, a few in flight at a time."""
    workers = min(thread_count(), 8)
    pool = ThreadPoolExecutor(workers)
    pending: deque[Future[_Block]] = deque()
    done = 0
    try:
        for text, ended in _whole_lines(stream):
            pending.append(pool.submit(_parse, text, dim, ended))
            done += len(text)
            reading.progress(f"reading {reading.path.name}", done, None)
            if len(pending) > workers:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    finally:
        # Not waited for: an abandoned generator may be closed by the garbage collector inside
        # the start of another thread, where joining one never ends.
        pool.shutdown(wait=False, cancel_futures=True)


def _whole_lines(stream: IO[bytes]) -> Iterator[tuple[bytearray, bool]]:
    """Cut a stream into blocks that end with a line; a last line without end is marked."""
    lines = bytearray()
    while block := stream.read(_BLOCK):
        cut = block.rfind(b"\n") + 1
        if cut:
            lines += memoryview(block)[:cut]
            yield lines, False
            lines = bytearray(block[cut:])
        elif len(lines) <= LONGEST_LINE:
            lines += block
    if lines:
        yield lines, True


def _parse(text: bytearray, dim: int, ended: bool) -> _Block:
    letters = np.frombuffer(text, dtype=np.uint8)
    stops = np.flatnonzero(letters == 10)
    if not text.endswith(b"\n"):
        stops = np.append(stops, len(text))
    lines = np.stack([np.concatenate([[0], stops[:-1] + 1]), stops], axis=1)
    # A row takes two bytes a number or more, which bounds the memory for a header that is wrong.
    most = min(len(lines), len(text) // (2 * dim)) + 1
    vectors = np.empty((most, dim), dtype=np.float32)
    rows = np.empty((most, 3), dtype=np.int64)
    status = np.zeros(len(lines), dtype=np.uint8)
    filled = parse_lines(letters, lines, vectors, rows, status)
    return _Block(
        text=text,
        lines=lines,
        rows=rows[:filled],
        vectors=vectors[:filled],
        status=status,
        ended=ended,
    )
