"""The data files and index files of one part of speech."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from lydite.lexicons.taxonomies.wordnet.fields import Fields, read_fields
from lydite.lexicons.taxonomies.wordnet.spelling import without_markers
from lydite.spaces.vocabulary import Bytes, PackedWords, bounds
from lydite.types import Indices, Mask

_LARGEST = 255


@dataclass(frozen=True, kw_only=True, eq=False)
class Synsets:
    """The synsets of a data file, in its order.

    Attributes
    ----------
    fields
        The file; line i is synset i.
    offsets, files, satellites
        Shape (n,): where the line begins, the number of the lexicographer file, and whether it is
        a satellite of another adjective.
    lemmas, lemma_synsets, lemma_ids
        Shape (k,): the words as written, the synset each stands in, and its ``lex_id``.
    symbols, sources, targets, target_letters
        Shape (p,): for each pointer its symbol as a number (see :func:`symbol`), the synset that
        it starts from, and offset and part of speech of the one it leads to.
    """

    fields: Fields
    offsets: Indices
    files: Indices
    satellites: Mask
    lemmas: PackedWords
    lemma_synsets: Indices
    lemma_ids: Indices
    symbols: Indices
    sources: Indices
    targets: Indices
    target_letters: Bytes

    def __len__(self) -> int:
        return len(self.offsets)

    def find(self, offsets: Indices) -> Indices:
        """Return the synsets at offsets, -1 where none begins."""
        if not len(self):
            return np.full(len(offsets), -1)
        at = np.minimum(np.searchsorted(self.offsets, offsets), len(self) - 1)
        return np.where(self.offsets[at] == offsets, at, -1)


def symbol(text: str) -> int:
    """Return the number of a pointer symbol.

    >>> symbol("@"), symbol("@i")
    (64, 26944)
    """
    return int.from_bytes(text.encode(), "little")


def read_synsets(path: Path) -> Synsets:
    """Read a data file (wndb(5WN)): offset, file, type, words, pointers, frames, gloss."""
    fields = read_fields(path, glossed=True)
    lines = np.arange(len(fields))
    offsets = fields.integers(lines, 0, "the offset of a synset")
    _require_offsets(fields, offsets)
    types = fields.letters(lines, 2, "the type of a synset")
    word_counts = fields.integers(lines, 3, "the number of words", base=16)
    without = np.flatnonzero(word_counts == 0)
    if len(without):
        raise fields.fault(int(without[0]), "expected at least one word in a synset, got none")
    pointer_column = 4 + 2 * word_counts
    pointer_counts = fields.integers(lines, pointer_column, "the number of pointers")
    fields.require(lines, pointer_column + 1 + 4 * pointer_counts)
    word_lines, word_places = _nested(word_counts)
    pointer_lines, pointer_places = _nested(pointer_counts)
    pointers = pointer_column[pointer_lines] + 1 + 4 * pointer_places
    return Synsets(
        fields=fields,
        offsets=offsets,
        files=_small(fields, lines, 1, "the number of a lexicographer file"),
        satellites=types == ord("s"),
        lemmas=without_markers(fields.words(word_lines, 4 + 2 * word_places)),
        lemma_synsets=word_lines,
        lemma_ids=_small(fields, word_lines, 5 + 2 * word_places, "a lex_id", base=16),
        symbols=_symbols(fields, pointer_lines, pointers),
        sources=pointer_lines,
        targets=fields.integers(pointer_lines, pointers + 1, "the offset of a synset"),
        target_letters=fields.letters(pointer_lines, pointers + 2, "a part of speech"),
    )


def _small(
    fields: Fields, lines: Indices, columns: Indices | int, what: str, base: int = 10
) -> Indices:
    """Return numbers of a byte."""
    numbers = fields.integers(lines, columns, what, base)
    large = np.flatnonzero(numbers > _LARGEST)
    if len(large):
        got = int(numbers[large[0]])
        raise fields.fault(int(lines[large[0]]), f"expected {what} up to {_LARGEST}, got {got}")
    return numbers


def _nested(counts: Indices) -> tuple[Indices, Indices]:
    """Return line and place within the line of things of which each line has some."""
    lines = np.repeat(np.arange(len(counts)), counts)
    return lines, np.arange(len(lines)) - bounds(counts)[lines]


def _require_offsets(fields: Fields, offsets: Indices) -> None:
    moved = np.flatnonzero(offsets != fields.begins)
    if len(moved):
        line = int(moved[0])
        raise fields.fault(
            line,
            f"expected the offset {fields.begins[line]:08d}, where the line begins, "
            f"got {offsets[line]:08d}",
            hint="the file was changed: fetch it anew, and copy it byte for byte",
        )


def _symbols(fields: Fields, lines: Indices, columns: Indices) -> Indices:
    starts, lengths = fields.places(lines, columns)
    second = np.where(lengths > 1, fields.text[starts + 1], 0).astype(np.int64)
    return fields.text[starts] + 256 * second


@dataclass(frozen=True, kw_only=True, eq=False)
class Index:
    """The senses of an index file.

    Attributes
    ----------
    fields
        The file; line i is lemma i.
    lemmas
        As written, in small letters.
    owners, ranks, offsets
        Shape (k,): for each sense the lemma, its place among the senses of the lemma, and the
        offset of the synset.
    """

    fields: Fields
    lemmas: PackedWords
    owners: Indices
    ranks: Indices
    offsets: Indices


def read_index(path: Path) -> Index:
    """Read an index file (wndb(5WN)): lemma, counts, pointer symbols, offsets by sense."""
    fields = read_fields(path)
    lines = np.arange(len(fields))
    counts = fields.integers(lines, 2, "the number of synsets")
    symbols = fields.integers(lines, 3, "the number of pointer symbols")
    fields.require(lines, 6 + symbols + counts)
    owners, ranks = _nested(counts)
    return Index(
        fields=fields,
        lemmas=fields.words(lines, 0),
        owners=owners,
        ranks=ranks,
        offsets=fields.integers(owners, 6 + symbols[owners] + ranks, "the offset of a synset"),
    )
