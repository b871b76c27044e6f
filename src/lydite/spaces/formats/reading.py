"""What all readers share: options, chunks of words with vectors, and what to do with dirt."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from lydite.errors import FormatError
from lydite.spaces.vocabulary import PackedWords
from lydite.types import Progress, Vectors, silent

LENIENT_HINT = "mend the file, or read it with --lenient to leave such rows out"


@dataclass(frozen=True, kw_only=True)
class Chunk:
    """Some rows of a space: n words and their vectors (n, d)."""

    words: PackedWords
    vectors: Vectors


@dataclass(kw_only=True)
class Reading:
    """One pass over a file: how to read it, and what was met on the way.

    Attributes
    ----------
    path
        The file, for messages.
    lenient
        Leave faulty rows out and count them, where the default is an error at the first.
    limit
        Stop after this many words.
    problems
        How many rows of each kind were left out.
    progress
        Told how many bytes are read.
    """

    path: Path
    lenient: bool = False
    limit: int | None = None
    problems: Counter[str] = field(default_factory=Counter)
    progress: Progress = silent

    def fault(self, kind: str, message: str, *, line: int | None = None) -> None:
        """Raise for a faulty row, or count it."""
        if not self.lenient:
            raise FormatError(message, path=self.path, line=line, hint=LENIENT_HINT)
        self.problems[kind] += 1

    def keep_finite(self, chunk: Chunk, *, first_row: int) -> Chunk:
        """Return the chunk without rows that hold NaN or infinities."""
        finite = np.isfinite(chunk.vectors).all(axis=1)
        if finite.all():
            return chunk
        for row in np.flatnonzero(~finite):
            word = chunk.words[int(row)]
            self.fault(
                "not finite",
                f"row {first_row + row + 1}: expected finite numbers for {word!r}, "
                f"got NaN or infinity",
            )
        kept = np.flatnonzero(finite)
        return Chunk(words=chunk.words.take(kept), vectors=chunk.vectors[kept])
