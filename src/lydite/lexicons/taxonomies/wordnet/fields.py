"""The lines of a WordNet file, cut at blanks with array operations."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from lydite.errors import FormatError, ResourceError
from lydite.lexicons.taxonomies.wordnet.spelling import gathered
from lydite.spaces.vocabulary import Bytes, PackedWords
from lydite.types import Indices, Mask

_BLANK, _LINE_END, _RETURN, _BAR = b" \n\r|"
_DIGITS = np.full(256, 99, dtype=np.uint8)
_DIGITS[list(b"0123456789")] = range(10)
_DIGITS[list(b"abcdef")] = _DIGITS[list(b"ABCDEF")] = range(10, 16)
#: More digits than any number of the format has.
_WIDEST = 9
WHOLE_COPY = "fetch a whole copy; files must be copied byte for byte"


@dataclass(frozen=True, kw_only=True, eq=False)
class Fields:
    """Lines and their fields; those that begin with a blank (the licence) are left out.

    Attributes
    ----------
    path
        The file.
    text
        Its bytes.
    begins, numbers
        Shape (n,): where each line begins, and its number counted from one.
    separators
        Where blanks and line ends stand.
    first
        Shape (n,): field k of a line ends at separator ``first + k``.
    counts
        Shape (n,): how many fields a line has.
    """

    path: Path
    text: Bytes
    begins: Indices
    numbers: Indices
    separators: Indices
    first: Indices
    counts: Indices

    def __len__(self) -> int:
        return len(self.begins)

    def places(self, lines: Indices, columns: Indices | int) -> tuple[Indices, Indices]:
        """Return start and length of fields."""
        self.require(lines, np.asarray(columns) + 1)
        at = self.first[lines] + columns
        # Nothing stands before the first field of the file, and index -1 is the last separator.
        starts = np.where(at > 0, self.separators[at - 1] + 1, 0)
        return starts, self.separators[at] - starts

    def require(self, lines: Indices, counts: Indices | int) -> None:
        """Refuse lines with fewer fields than these."""
        short = np.flatnonzero(self.counts[lines] < counts)
        if len(short):
            line = int(lines[short[0]])
            least = int(np.broadcast_to(counts, lines.shape)[short[0]])
            raise self.fault(line, f"expected at least {least} fields, got {self.counts[line]}")

    def words(self, lines: Indices, columns: Indices | int) -> PackedWords:
        """Return fields as they are written."""
        return gathered(self.text, *self.places(lines, columns))

    def letters(self, lines: Indices, columns: Indices | int, what: str) -> Bytes:
        """Return fields of one letter."""
        starts, lengths = self.places(lines, columns)
        self._refuse(lines, starts, lengths, lengths != 1, f"{what} as one letter")
        return self.text[starts]

    def integers(
        self, lines: Indices, columns: Indices | int, what: str, base: int = 10
    ) -> Indices:
        """Return fields that are whole numbers."""
        starts, lengths = self.places(lines, columns)
        bad = (lengths < 1) | (lengths > _WIDEST)
        values = np.zeros(len(starts), dtype=np.int64)
        # Nearly all columns are of one width, so that this is done once.
        for width in np.flatnonzero(np.bincount(lengths[~bad])).tolist():
            some = np.flatnonzero(lengths == width)
            digits = _DIGITS[sliding_window_view(self.text, width)[starts[some]]]
            bad[some] = (digits >= base).any(axis=1)
            value = np.zeros(len(some), dtype=np.int64)
            for column in digits.T:
                value = value * base + column
            values[some] = value
        self._refuse(lines, starts, lengths, bad, f"{what} as a number of base {base}")
        return values

    def _refuse(
        self, lines: Indices, starts: Indices, lengths: Indices, bad: Mask, what: str
    ) -> None:
        faulty = np.flatnonzero(bad)
        if len(faulty):
            at = faulty[0]
            field = self.text[starts[at] : starts[at] + lengths[at]].tobytes()
            got = field.decode(errors="replace")[:60]
            raise self.fault(int(lines[at]), f"expected {what}, got {got!r}")

    def fault(self, line: int, message: str, hint: str = WHOLE_COPY) -> FormatError:
        """Build the error for a line."""
        return FormatError(message, path=self.path, line=int(self.numbers[line]), hint=hint)


def read_fields(path: Path, *, glossed: bool = False) -> Fields:
    """Read a file.

    Parameters
    ----------
    path
        The file.
    glossed
        Whether the fields of each line end at a bar, as in the data files.

    Raises
    ------
    ResourceError
        If it cannot be read.
    FormatError
        If its line ends were changed, or it breaks off within a line.
    """
    text = np.frombuffer(_content(path), dtype=np.uint8)
    ends = np.flatnonzero(text == _LINE_END)
    begins = np.concatenate([[0], ends + 1])[: len(ends)]
    kept = np.flatnonzero(text[begins] != _BLANK)
    # Blanks and line ends: no other control characters are left.
    separators = np.flatnonzero(text <= _BLANK)
    first = np.searchsorted(separators, begins[kept])
    last = ends[kept]
    if glossed:
        bars = np.append(np.flatnonzero(text == _BAR), len(text))
        bar = bars[np.searchsorted(bars, begins[kept])]
        without = np.flatnonzero(bar > last)
        if len(without):
            raise FormatError(
                "expected a gloss after a bar, got none",
                path=path,
                line=int(kept[without[0]]) + 1,
                hint=WHOLE_COPY,
            )
        last = bar - 1
    return Fields(
        path=path,
        text=text,
        begins=begins[kept],
        numbers=kept + 1,
        separators=separators,
        first=first,
        counts=np.searchsorted(separators, last) + 1 - first,
    )


def _content(path: Path) -> bytes:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ResourceError(
            f"{path} cannot be read: {error.strerror}", hint="check the path"
        ) from error
    at = content.find(_RETURN)
    if at >= 0:
        raise FormatError(
            "expected lines that end in LF, got CR",
            path=path,
            line=content.count(b"\n", 0, at) + 1,
            hint="the line ends were changed, which moves every synset; " + WHOLE_COPY,
        )
    if content and not content.endswith(b"\n"):
        raise FormatError(
            f"expected a line end after the last line, got {content[-20:]!r}",
            path=path,
            line=content.count(b"\n") + 1,
            hint="the file seems cut short; " + WHOLE_COPY,
        )
    _require_utf8(path, content)
    return content


def _require_utf8(path: Path, content: bytes) -> None:
    try:
        if not content.isascii():
            content.decode()
    except UnicodeDecodeError as error:
        raise FormatError(
            "expected ASCII or UTF-8, got other bytes",
            path=path,
            line=content.count(b"\n", 0, error.start) + 1,
            hint=WHOLE_COPY,
        ) from error
