"""What all formats share: chunks of words with vectors, options of reading, faulty rows."""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydite.errors import FormatError, InputError
from lydite.progress import Progress, current_progress
from lydite.spaces.space import Space
from lydite.spaces.vocabulary import PackedWords
from lydite.types import Indices, Vectors

LENIENT_HINT = "correct the file, or read it with --lenient to leave such rows out"
#: Beyond these, a file is taken for something else than word vectors before memory runs out.
LONGEST_WORD = 1 << 16
LARGEST_DIM = 1 << 20


@dataclass(frozen=True, kw_only=True)
class Fault:
    """A row that cannot be used; ``row`` counts the good rows of its chunk that stand before it."""

    kind: str
    message: str
    row: int
    line: int | None = None
    hint: str = LENIENT_HINT


@dataclass(frozen=True, kw_only=True, eq=False)
class Chunk:
    """Some rows of a space: n words, vectors (n, d), and the faulty rows between them.

    ``beside`` is what else the file says of the words: ``counts`` (n,), ``contexts`` (n, d).
    """

    words: PackedWords
    vectors: Vectors
    faults: tuple[Fault, ...] = ()
    beside: Mapping[str, NDArray[Any]] = field(default_factory=dict)

    def columns(self) -> dict[str, NDArray[Any]]:
        """Return all arrays with one row per word."""
        return {"vectors": self.vectors, **self.beside}


@dataclass(kw_only=True)
class Reading:
    """One pass over a file: how to read it, and what was met on the way.

    Attributes
    ----------
    lenient
        Leave faulty rows out and count them, where the default is an error at the first.
    limit
        Stop after this many words.
    problems
        How many rows of each kind were left out.
    progress
        Gets how many bytes or words are read.
    """

    path: Path
    lenient: bool = False
    limit: int | None = None
    problems: Counter[str] = field(default_factory=Counter)
    progress: Progress = field(default_factory=current_progress)

    def report(self, fault: Fault) -> None:
        """Raise for a faulty row, or count it."""
        if not self.lenient:
            raise FormatError(fault.message, path=self.path, line=fault.line, hint=fault.hint)
        self.problems[fault.kind] += 1

    def check_dim(self, dim: int) -> None:
        """Refuse a dimension that no space has, before memory is taken."""
        if not 1 <= dim <= LARGEST_DIM:
            raise FormatError(
                f"expected a header with a dimension from 1 to {LARGEST_DIM}, got {dim}",
                path=self.path,
                line=1,
                hint="the first line says how many words there are, then how many numbers per word",
            )

    def settle(self, chunks: Generator[Chunk, None, None]) -> Iterator[Chunk]:
        """Report the faults of each chunk and hand it on."""
        with contextlib.closing(chunks):
            for chunk in chunks:
                for fault in chunk.faults:
                    self.report(fault)
                yield chunk


#: Kind and message of a fault.
Complaint = tuple[str, str]


def complain_of_words(words: PackedWords) -> dict[int, Complaint]:
    """Find the words that cannot be used: empty, endless, or not text in UTF-8."""
    lengths = np.diff(words.offsets)
    odd = (lengths == 0) | (lengths > LONGEST_WORD)
    complaints: dict[int, Complaint] = {}
    for row in np.flatnonzero(odd).tolist():
        got = f"got {lengths[row]}"
        message = f"expected a word of 1 to {LONGEST_WORD} bytes, {got}"
        complaints[row] = ("no word" if lengths[row] == 0 else "long word", message)
    if not _is_text(words, words.offsets[:-1][lengths > 0]):
        for row in np.flatnonzero(~odd).tolist():
            raw = words.raw(row)
            if 0 in raw or not _decodes(raw):
                message = f"expected a word in UTF-8 without NUL, got {raw[:40]!r}"
                complaints[row] = ("invalid UTF-8", message)
    return complaints


def _is_text(words: PackedWords, starts: Indices) -> bool:
    """Tell whether all words are text, decoding them in one piece."""
    letters = words.letters
    # Halves of one character in two words would decode together.
    halved = (letters[starts] & 0xC0 == 0x80).any()
    return bool(letters.all()) and not halved and _decodes(letters.tobytes())


def _decodes(raw: bytes) -> bool:
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True


def complain_of_numbers(words: PackedWords, vectors: NDArray[Any]) -> dict[int, Complaint]:
    """Find the rows that hold NaN or infinities."""
    finite = np.isfinite(vectors).all(axis=tuple(range(1, vectors.ndim)))
    if finite.all():
        return {}
    return {
        row: (
            "not finite",
            f"expected finite numbers for {words.raw(row).decode('utf-8', 'replace')!r}, "
            "got NaN, infinity or an overflow",
        )
        for row in np.flatnonzero(~finite).tolist()
    }


def numbered_chunk(
    words: PackedWords,
    vectors: Vectors,
    *,
    first_row: int,
    beside: Mapping[str, NDArray[Any]] | None = None,
) -> Chunk:
    """Make a chunk of rows that have no lines; faults are placed by the number of their row."""
    complaints: dict[int, Complaint] = {}
    for numbers in (*(beside or {}).values(), vectors):
        complaints |= complain_of_numbers(words, numbers)
    complaints |= complain_of_words(words)
    named = {
        row: (kind, f"row {first_row + row + 1}: {message}")
        for row, (kind, message) in complaints.items()
    }
    return sound_chunk(words, vectors, np.arange(len(words)), named, beside=beside)


def sound_chunk(
    words: PackedWords,
    vectors: Vectors,
    places: Indices,
    complaints: Mapping[int, Complaint],
    *,
    first_line: int | None = None,
    beside: Mapping[str, NDArray[Any]] | None = None,
) -> Chunk:
    """Make a chunk of the rows without a complaint.

    Parameters
    ----------
    places
        Shape (n,), ascending: the place of each row among the rows or lines of the file's block.
    complaints
        By place; places that no row came from may be among them.
    first_line
        The number of the line at place 0.
    """
    beside = beside or {}
    if not complaints:
        return Chunk(words=words, vectors=vectors, beside=beside)
    kept = np.flatnonzero(~np.isin(places, list(complaints)))
    faults = tuple(
        Fault(
            kind=kind,
            message=message,
            row=int(np.searchsorted(places[kept], place)),
            line=None if first_line is None else first_line + place,
        )
        for place, (kind, message) in sorted(complaints.items())
    )
    return Chunk(
        words=words.take(kept),
        vectors=vectors[kept],
        faults=faults,
        beside={name: rows[kept] for name, rows in beside.items()},
    )


def end_of_file(dim: int, fault: Fault) -> Chunk:
    """Make the chunk that ends a file which is not as long as it promised."""
    return Chunk(
        words=PackedWords.empty(), vectors=np.empty((0, dim), dtype=np.float32), faults=(fault,)
    )


#: Rows written at a time.
BLOCK_ROWS = 1 << 13


def space_blocks(space: Space, progress: Progress) -> Iterator[tuple[list[str], Vectors]]:
    """Yield words and vectors to write, some rows at a time."""
    for start in range(0, len(space), BLOCK_ROWS):
        stop = min(start + BLOCK_ROWS, len(space))
        yield space.vocabulary[start:stop], np.asarray(space.vectors[start:stop])
        progress("writing", stop, len(space))


def refuse_words(words: list[str], trouble: re.Pattern[str], what: str) -> None:
    """Refuse words that would not read back as they are."""
    for word in words:
        if trouble.search(word):
            raise InputError(
                f"this format of word2vec cannot store a word with {what}, got {word[:40]!r}",
                hint="write npz or safetensors, or join the parts of words with '_'",
            )
