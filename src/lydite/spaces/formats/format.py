"""What a vector format declares of itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from lydite.progress import Progress
from lydite.spaces.formats.rows import Chunk, Reading
from lydite.spaces.space import Space
from lydite.types import PlainMapping


@dataclass(frozen=True, kw_only=True)
class Format:
    """A vector format: how its files are recognized, read and written.

    Attributes
    ----------
    suffixes
        The endings of its files. Reading goes by content; on writing the ending chooses the format.
    recognizes
        Tells from the first bytes of a file, decompressed, whether it is one.
    read
        Yields the rows of a file. Takes the reading, the first bytes, and the word list that the
        user names, if any.
    write
        Writes a space and, where the format can hold it, what the space was made from; ``None`` if
        Lydite only reads the format.
    other_titles
        Formats of other names whose files are read in the same way.
    guessed
        It has no magic number: files are recognized by how their lines look. Such formats are
        tried last.
    takes_word_list
        The words may stand in another file.
    keeps_all
        Counts, context vectors and provenance are written too, not only words and vectors.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    recognizes: Callable[[bytes], bool]
    read: Callable[[Reading, bytes, Path | None], Iterator[Chunk]]
    write: Callable[[Space, IO[bytes], Progress, PlainMapping | None], None] | None = None
    other_titles: tuple[str, ...] = ()
    guessed: bool = False
    takes_word_list: bool = False
    keeps_all: bool = False
