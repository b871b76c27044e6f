"""Find out from the first lines of a text file whether it holds word vectors, and how many wide."""

from __future__ import annotations

import codecs
import re
from collections import Counter
from dataclasses import dataclass

_PEEK_LINES = 200
_BOM = b"\xef\xbb\xbf"
_BLANK_LINES = re.compile(rb"(?:[ \t\r]*\n)*")
_FIELD = re.compile(rb"[^ \t\r\n]+")
_DECIMAL = re.compile(rb"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_NOT_FINITE = re.compile(rb"[+-]?(?:nan|inf|infinity)", re.IGNORECASE)
_HEADER = re.compile(rb"[ \t]*(\d{1,18})[ \t]+(\d{1,18})[ \t\r]*(?:\n|\Z)")


@dataclass(frozen=True, kw_only=True)
class Shape:
    """What the first lines of a text file tell.

    Attributes
    ----------
    dim
        d, the numbers a word.
    promised
        n, if there is a header.
    skip
        The bytes before the first line that holds a word.
    first_line
        The number of that line.
    """

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
