"""Text formats: word2vec text (header ``n d``), GloVe and fastText .vec (with or without it).

One line per word: the word, then d numbers, with blanks or tabs between. The vector is the last d
fields, so a word may hold spaces; a word with a space that ends in a number with a point is taken
for a row with too many numbers. Blank lines, CRLF and a byte-order mark are skipped.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter, deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lydite.compiled import compiled, part
from lydite.files.compression import open_decompressed
from lydite.progress import Progress
from lydite.spaces.formats.format import Format
from lydite.spaces.formats.rows import (
    Chunk,
    Complaint,
    Fault,
    Reading,
    complain_of_words,
    end_of_file,
    refuse_words,
    sound_chunk,
    space_blocks,
)
from lydite.spaces.space import Space
from lydite.spaces.vocabulary import PackedWords, bounds, spans
from lydite.threads import thread_count
from lydite.types import Indices, PlainMapping, Vectors

_PEEK_LINES = 200
_BOM = b"\xef\xbb\xbf"
_BLANK_LINES = re.compile(rb"(?:[ \t\r]*\n)*")
_FIELD = re.compile(rb"[^ \t\r\n]+")
_DECIMAL = re.compile(rb"[+-]?(?:\d++\.?\d*+|\.\d++)(?:[eE][+-]?\d++)?")
_NOT_FINITE = re.compile(rb"[+-]?(?:nan|inf|infinity)", re.IGNORECASE)
#: A blank and a decimal at the end would be taken for one number too many.
_NOT_WRITABLE = re.compile(
    r"[\n\r]|[ \t]\Z|[ \t][+-]?(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?\Z"
)
_HEADER = re.compile(rb"[ \t]*(\d{1,18})[ \t]+(\d{1,18})[ \t\r]*(?:\n|\Z)")


@dataclass(frozen=True, kw_only=True)
class Shape:
    """What the first lines of a text file say: d, n if there is a header, where words begin."""

    dim: int
    promised: int | None
    skip: int
    first_line: int


def read_header(head: bytes) -> Shape | None:
    r"""Read a header ``n d``, if the file has one.

    >>> read_header(b"2 3\ncat 1 2 3\ndog 4 5 6\n")
    Shape(dim=3, promised=2, skip=4, first_line=2)
    """
    start = _text_start(head)
    header = _HEADER.match(head, start)
    if header is None:
        return None
    return Shape(
        dim=int(header[2]),
        promised=int(header[1]),
        skip=header.end(),
        first_line=head.count(b"\n", 0, start) + 2,
    )


def sniff_shape(head: bytes) -> Shape | None:
    r"""Find header and dimension from the first bytes of a file; None if it is not such a text.

    Without a header the dimension is the most frequent number of fields after the word, or of
    numbers at the end of a line, since a few words may hold spaces.

    >>> sniff_shape(b"new york 1 2\ncat 1 2\n").dim
    2
    """
    start = _text_start(head)
    header = read_header(head)
    if header is not None:
        rest = head[header.skip :]
        rows = _field_counts(rest)
        if header.dim in rows or not rest.strip():
            return header
        if not rows and holds_floats(rest, header):
            return None
        if _usual(rows) != 1 or header.promised == len(rest.strip().splitlines()):
            # A header that no row agrees with: keep it, so that the first row is named as wrong.
            # Only among rows of one number can two integers be a row themselves.
            return header
    counts = _field_counts(head[start:])
    if not counts:
        return None
    lines = head.count(b"\n", 0, start)
    return Shape(dim=_usual(counts), promised=None, skip=start, first_line=lines + 1)


def holds_floats(rest: bytes, header: Shape) -> bool:
    r"""Tell whether what follows a header is words with float32 numbers, as word2vec writes them.

    The bytes of a few numbers may all be letters; then the lengths of all rows have to fit.

    >>> holds_floats(b"a abcdefgh\n", Shape(dim=2, promised=1, skip=4, first_line=2))
    True
    """
    if is_binary(rest):
        return True
    place = 0
    for _ in range(min(header.promised or 0, _PEEK_LINES)):
        blank = rest.find(b" ", place)
        if blank < 0:
            return False
        place = blank + 1 + 4 * header.dim
        place += rest[place : place + 1] == b"\n"
    return 0 < place == len(rest)


def is_binary(text: bytes) -> bool:
    """Tell whether the first bytes of a file cannot be text: control characters, not UTF-8."""
    if text.translate(None, bytes(range(9, 256))):
        return True
    try:
        codecs.getincrementaldecoder("utf-8")().decode(text)
    except UnicodeDecodeError:
        return True
    return False


def split_fields(line: bytes) -> list[bytes]:
    """Split a line at blanks and tabs, and at nothing else: words hold stranger spaces."""
    return _FIELD.findall(line)


def is_decimal(field: bytes) -> bool:
    """Tell whether a field is a decimal number; 1_0 and 0x10 are none."""
    return _DECIMAL.fullmatch(field) is not None


def is_number(field: bytes) -> bool:
    """Tell whether a field is a decimal number, NaN or infinity."""
    return is_decimal(field) or _NOT_FINITE.fullmatch(field) is not None


def _text_start(head: bytes) -> int:
    """Return where the first line that is not blank begins."""
    start = len(_BOM) if head.startswith(_BOM) else 0
    blank = _BLANK_LINES.match(head, start)
    return blank.end() if blank else start


def _field_counts(text: bytes) -> Counter[int]:
    """Count how many lines can have which dimension; empty if most lines do not end in a number."""
    lines = text.split(b"\n", _PEEK_LINES)
    # What follows the last end of a line may be cut; it counts only if there is nothing else.
    votes = [_dims(line) for line in (lines[:-1] or lines) if line.strip()]
    if sum(map(bool, votes)) < len(votes) / 2:
        return Counter()
    return Counter(dim for vote in votes for dim in vote)


def _dims(line: bytes) -> set[int]:
    """Return the dimensions that a line can have: all its fields, or those that are numbers."""
    fields = split_fields(line)
    if not line[:1].strip() and is_number(fields[0]):
        return set()  # the word is missing
    numbers = 0
    for field in reversed(fields[1:]):
        if not is_number(field):
            break
        numbers += 1
    return {numbers, len(fields) - 1} if numbers else set()


def _usual(counts: Counter[int]) -> int:
    most = max(counts.values(), default=0)
    return min((dim for dim, count in counts.items() if count == most), default=0)


OK: Final = 0
#: Not an error: a number that the fast path cannot round with certainty; Python reads that line.
SLOW: Final = 1
TOO_FEW: Final = 2
TOO_MANY: Final = 3
NO_WORD: Final = 4
NOT_A_NUMBER: Final = 5

_POWERS = 10.0 ** np.arange(0, 291)
#: Well inside the normal numbers of float32, so that each has one above and one below.
_LARGEST = 1e38
_SMALLEST = 1e-37
_EXACT_MANTISSA = np.uint64(1 << 53)
#: The most decimal digits that fit into 64 bits.
_DIGITS = 19
#: Far beyond every float; larger exponents need not be told apart.
_HUGE = 100_000

Text: TypeAlias = NDArray[np.uint8]
Int64s: TypeAlias = NDArray[np.int64]


@part
def _blank(letter: int) -> bool:
    return letter in (32, 9, 13)


@part
def _digit(letter: int) -> bool:
    return 48 <= letter <= 57


@part
def _parse_exponent(text: Text, at: int, stop: int) -> tuple[int, int]:
    """Read what follows the ``e`` of a number."""
    sign = 1
    if at < stop and text[at] in (43, 45):
        sign = 44 - int(text[at])
        at += 1
    if at == stop:
        return 0, NOT_A_NUMBER
    power = 0
    while at < stop:
        if not _digit(text[at]):
            return 0, NOT_A_NUMBER
        power = min(power * 10 + int(text[at]) - 48, _HUGE)
        at += 1
    return sign * power, OK


@part
def _scale(mantissa: np.uint64, exponent: int) -> tuple[float, int]:
    """Return mantissa · 10^exponent where it can be rounded to float32 with certainty.

    A mantissa below 2^53 and a power up to 10^22 are exact in float64, so their product is
    correctly rounded. Otherwise it is off by a few units in the last place, which matters only
    next to the middle between two float32 numbers.
    """
    if mantissa == 0:
        return 0.0, OK
    if not -290 <= exponent <= 290:
        return 0.0, SLOW
    value = float(mantissa)
    value = value * _POWERS[exponent] if exponent >= 0 else value / _POWERS[-exponent]
    if not _SMALLEST < value < _LARGEST:
        return 0.0, SLOW
    if mantissa < _EXACT_MANTISSA and -22 <= exponent <= 22:
        return value, OK
    nearest = np.float32(value)
    half_step = 0.5 * float(np.nextafter(nearest, np.float32(np.inf)) - nearest)
    offset = abs(value - float(nearest))
    # Below a power of two the step is half as wide; both middles are kept clear of.
    margin = value * 2e-15
    if abs(offset - half_step) <= margin or abs(offset - 0.5 * half_step) <= margin:
        return 0.0, SLOW
    return value, OK


@part
def parse_number(text: Text, start: int, stop: int) -> tuple[float, int]:
    """Read one decimal number; returns its value and a status.

    Every value is, once rounded to float32, bit for bit what ``numpy.float32(text)`` gives.
    Digits beyond the 19th change the value by less than the margin of ``_scale``.
    """
    at = start
    sign = 1.0
    if text[at] in (43, 45):
        sign = 44.0 - float(text[at])
        at += 1
    mantissa = np.uint64(0)
    seen = 0
    significant = 0
    exponent = 0
    point = False
    while at < stop:
        letter = text[at]
        if _digit(letter):
            seen += 1
            if significant == _DIGITS:
                exponent += int(not point)
            else:
                mantissa = mantissa * np.uint64(10) + np.uint64(letter - 48)
                significant += int(mantissa > 0)
                exponent -= int(point)
        elif letter == 46 and not point:
            point = True
        else:
            break
        at += 1
    if seen == 0:
        return 0.0, NOT_A_NUMBER
    if at < stop:
        if text[at] | 32 != 101:
            return 0.0, NOT_A_NUMBER
        power, status = _parse_exponent(text, at + 1, stop)
        if status != OK:
            return 0.0, status
        exponent += power
    value, status = _scale(mantissa, exponent)
    return sign * value, status


@part
def _parse_vector(text: Text, start: int, stop: int, out: NDArray[np.float32]) -> tuple[int, int]:
    """Read as many numbers as ``out`` holds from the end of a line; returns the end of the word."""
    at = stop
    status = OK
    for field in range(out.shape[0] - 1, -1, -1):
        end = at
        while at > start and not _blank(text[at - 1]):
            at -= 1
        if at == start:
            return at, TOO_FEW
        value, code = parse_number(text, at, end)
        if code > SLOW:
            return at, code
        status = max(status, code)
        out[field] = np.float32(value)
        while at > start and _blank(text[at - 1]):
            at -= 1
    return at, NO_WORD if at == start else status


@part
def _ends_in_decimal(text: Text, start: int, stop: int) -> bool:
    """Tell whether a word holds a space and ends in a number with a point: one number too many."""
    at = stop
    point = False
    while at > start and not _blank(text[at - 1]):
        at -= 1
        point = point or text[at] == 46
    return point and at > start and parse_number(text, at, stop)[1] <= SLOW


@compiled(lambda t: t.i8(t.u1[::1], t.i8[:, ::1], t.f4[:, ::1], t.i8[:, ::1], t.u1[::1]))
def parse_lines(
    text: Text,
    lines: Int64s,
    vectors: NDArray[np.float32],
    rows: Int64s,
    status: Text,
) -> int:
    """Read lines from their end: the last d fields are the vector, the rest is the word.

    Parameters
    ----------
    lines
        Shape (m, 2): where each line starts and stops.
    vectors
        Shape (r, d), filled row by row; r is one more than the rows that the text can hold.
    rows
        Shape (r, 3), filled row by row: start and stop of the word, number of the line.
    status
        Shape (m,), one code per line.
    """
    row = 0
    for line in range(lines.shape[0]):
        start, stop = lines[line]
        while stop > start and _blank(text[stop - 1]):
            stop -= 1
        if stop == start:
            continue
        at, code = _parse_vector(text, start, stop, vectors[row])
        if code <= SLOW and _ends_in_decimal(text, start, at):
            code = TOO_MANY
        status[line] = code
        if code <= SLOW:
            rows[row, 0] = start
            rows[row, 1] = at
            rows[row, 2] = line
            row += 1
    return row


_BLOCK = 1 << 20
#: What a line has beyond this is not kept; the line is refused.
LONGEST_LINE = 1 << 22


def read_text(stream: IO[bytes], reading: Reading, shape: Shape) -> Iterator[Chunk]:
    """Parse a text file in blocks, on all cores; the stream is decompressed and at its start."""
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
    if culprit is None:
        return count
    return f"{count} fields, of which {_show(culprit)} is not a number"


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
    # A row takes at least two bytes per number, which bounds the memory for a header that is wrong.
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


def _read(reading: Reading, head: bytes, _vocabulary: Path | None) -> Iterator[Chunk]:
    if shape := sniff_shape(head):
        with open_decompressed(reading.path) as stream:
            yield from read_text(stream, reading, shape)


def _write(
    space: Space, stream: IO[bytes], progress: Progress, _provenance: PlainMapping | None
) -> None:
    stream.write(f"{len(space)} {space.dim}\n".encode())
    what = "a line break, a blank at its end, or a blank and a decimal"
    for words, vectors in space_blocks(space, progress):
        refuse_words(words, _NOT_WRITABLE, what)
        # The text of a float32 is the shortest that reads back to the same bits.
        lines = (
            f"{word} {' '.join(numbers)}\n"
            for word, numbers in zip(words, vectors.astype(str).tolist(), strict=True)
        )
        stream.write("".join(lines).encode())


TEXT = Format(
    name="text",
    title="word2vec text",
    other_titles=("GloVe", "fastText .vec"),
    suffixes=(".txt", ".vec"),
    recognizes=lambda head: sniff_shape(head) is not None,
    guessed=True,
    read=_read,
    write=_write,
)
