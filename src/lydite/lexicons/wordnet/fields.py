"""The files of WordNet as arrays: lines cut at blanks, synsets, parts of speech end to end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from lydite.errors import FormatError, LyditeError, ResourceError
from lydite.files.bounds import read_small
from lydite.spaces.vocabulary import Bytes, PackedWords, bounds, pack, spans
from lydite.types import Indices, Mask

_BLOCK = 1 << 16
_CAPITALS = np.arange(256, dtype=np.uint8)
_CAPITALS[65:91] += 32
_BLANKS = np.arange(256, dtype=np.uint8)
_BLANKS[ord("_")] = ord(" ")


def gather_words(letters: Bytes, starts: Indices, lengths: Indices) -> PackedWords:
    """Return the words that begin at some places of a text.

    In blocks: the places of all letters would take eight times the room of the letters, and most
    of the time would go into fresh memory.

    >>> letters = np.frombuffer(b"abcdef", np.uint8)
    >>> gather_words(letters, np.array([3, 0]), np.array([2, 1])).to_list()
    ['de', 'a']
    """
    offsets = bounds(lengths)
    found = np.empty(offsets[-1], dtype=np.uint8)
    for some in _blocks(offsets):
        places = spans(starts[some], lengths[some])
        found[offsets[some.start] : offsets[some.stop]] = letters[places]
    return PackedWords(letters=found, offsets=offsets)


def take_words(words: PackedWords, places: Indices) -> PackedWords:
    """Return the words at some places.

    >>> take_words(pack(["a", "bc", "d"]), np.array([2, 1])).to_list()
    ['d', 'bc']
    """
    starts = words.offsets[places]
    return gather_words(words.letters, starts, words.offsets[places + 1] - starts)


def _blocks(offsets: Indices) -> Iterator[slice]:
    """Cut words into blocks of few letters."""
    start = 0
    while start < len(offsets) - 1:
        beyond = int(np.searchsorted(offsets, offsets[start] + _BLOCK, side="right"))
        stop = max(beyond - 1, start + 1)
        yield slice(start, stop)
        start = stop


def lower_words(words: PackedWords) -> PackedWords:
    """Return words in small letters.

    >>> lower_words(pack(["New York", "Ärger"])).to_list()
    ['new york', 'ärger']
    """
    if (words.letters < 128).all():
        return PackedWords(letters=_CAPITALS[words.letters], offsets=words.offsets)
    return pack([word.lower() for word in words.to_list()])


def with_blanks(words: PackedWords) -> PackedWords:
    """Return words with blanks for underscores.

    >>> with_blanks(pack(["New_York"])).to_list()
    ['New York']
    """
    return PackedWords(letters=_BLANKS[words.letters], offsets=words.offsets)


def without_markers(words: PackedWords) -> PackedWords:
    """Return words without the syntactic marker of an adjective.

    >>> without_markers(pack(["galore(ip)", "last(a)", "a(b)c", "x"])).to_list()
    ['galore', 'last', 'a(b)c', 'x']
    """
    lengths = np.diff(words.offsets)
    ends = np.where(lengths > 0, words.offsets[1:] - 1, 0)
    marked = np.flatnonzero((lengths > 0) & (words.letters[ends] == ord(")")))
    for word in marked.tolist():
        lengths[word] = max(words.raw(word).rfind(b"("), 0) or lengths[word]
    return gather_words(words.letters, words.offsets[:-1], lengths)


def keep_words(words: PackedWords, which: Mask) -> PackedWords:
    """Return some of the words, in their order.

    >>> keep_words(pack(["a", "bc", "d"]), np.array([True, False, True])).to_list()
    ['a', 'd']
    """
    lengths = np.diff(words.offsets)
    letters = words.letters[np.repeat(which, lengths)]
    return PackedWords(letters=letters, offsets=bounds(lengths[which]))


def glue_words(parts: Sequence[PackedWords]) -> PackedWords:
    """Write words one behind the other: the first of each part make the first word, and so on.

    >>> glue_words([pack(["dog", "go"]), pack([".n.01", ".v.02"])]).to_list()
    ['dog.n.01', 'go.v.02']
    """
    lengths = np.array([np.diff(part.offsets) for part in parts])
    offsets = bounds(lengths.sum(axis=0))
    letters = np.empty(offsets[-1], dtype=np.uint8)
    starts = offsets[:-1].copy()
    for part, length in zip(parts, lengths, strict=True):
        for some in _blocks(part.offsets):
            source = part.letters[part.offsets[some.start] : part.offsets[some.stop]]
            letters[spans(starts[some], length[some])] = source
        starts += length
    return PackedWords(letters=letters, offsets=offsets)


def format_rows(template: str, *columns: Indices) -> PackedWords:
    """Format rows of numbers; each different row only once.

    >>> format_rows(".{:02d}", np.array([1, 12, 1])).to_list()
    ['.01', '.12', '.01']
    """
    spread = [int(column.max(initial=0)) + 1 for column in columns]
    codes = np.ravel_multi_index(columns, spread)
    met = np.bincount(codes) > 0
    different = np.flatnonzero(met)
    rows = zip(*(each.tolist() for each in np.unravel_index(different, spread)), strict=True)
    return take_words(pack([template.format(*row) for row in rows]), (np.cumsum(met) - 1)[codes])


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
        return gather_words(self.text, *self.places(lines, columns))

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
    """Read a file; ``glossed`` if the fields of each line end at a bar, as in the data files.

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
        content = read_small(path)
    except LyditeError:
        raise
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
            hint="the file was changed: fetch it again and copy it byte for byte",
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


@dataclass(frozen=True, kw_only=True, eq=False)
class Parts:
    """Some parts of speech of a WordNet, in its order: a letter and the files of each."""

    letters: str
    synsets: tuple[Synsets, ...]
    indexes: tuple[Index, ...]

    @cached_property
    def starts(self) -> Indices:
        """The number of each part's first concept; the last is the number of all."""
        return bounds(np.array([len(each) for each in self.synsets]))

    def __len__(self) -> int:
        return int(self.starts[-1])

    def joined(self, take: Callable[[Synsets], Indices]) -> Indices:
        """Lay an array of each part end to end."""
        return np.concatenate([take(each) for each in self.synsets])

    def concepts(self, take: Callable[[Synsets], Indices]) -> Indices:
        """Lay arrays of synsets end to end, as concepts."""
        shifted = [take(e) + s for e, s in zip(self.synsets, self.starts[:-1], strict=True)]
        return np.concatenate(shifted)

    @cached_property
    def part_of(self) -> Indices:
        """Shape (n,): the part that each concept belongs to."""
        return np.repeat(np.arange(len(self.letters)), np.diff(self.starts))

    @cached_property
    def satellites(self) -> Mask:
        """Shape (n,): whether a concept is a satellite adjective."""
        return np.concatenate([each.satellites for each in self.synsets])

    @cached_property
    def lemmas(self) -> PackedWords:
        """The k words of all synsets, as they are written."""
        return PackedWords.join([each.lemmas for each in self.synsets])

    @cached_property
    def lemma_concepts(self) -> Indices:
        """Shape (k,): the concept that each word stands in, ascending."""
        return self.concepts(lambda each: each.lemma_synsets)

    @cached_property
    def targets(self) -> Indices:
        """Shape (p,): the concept each pointer leads to; -1 if its part of speech is absent."""
        return np.concatenate([self._targets(each) for each in self.synsets])

    def _targets(self, synsets: Synsets) -> Indices:
        found = np.full(len(synsets.targets), -1)
        letters: Bytes = synsets.target_letters
        self._require_letters(synsets)
        for letter, part, start in zip(self.letters, self.synsets, self.starts[:-1], strict=True):
            satellites = letters == ord("s") if letter == "a" else np.zeros(1, dtype=np.bool_)
            meant = np.flatnonzero((letters == ord(letter)) | satellites)
            places = part.find(synsets.targets[meant])
            nowhere = meant[places < 0]
            if len(nowhere):
                raise _dangling(synsets, int(nowhere[0]), part)
            found[meant] = places + start
        return found

    @staticmethod
    def _require_letters(synsets: Synsets) -> None:
        strange = np.flatnonzero(~np.isin(synsets.target_letters, list(b"nvasr")))
        if len(strange):
            letter = chr(synsets.target_letters[strange[0]])
            raise synsets.fields.fault(
                int(synsets.sources[strange[0]]),
                f"expected the part of speech of a pointer, one of n, v, a, s, r, got {letter!r}",
            )

    def line_of(self, concepts: Iterable[int], message: str) -> FormatError:
        """Build the error for the first of some concepts."""
        concept = next(iter(concepts))
        part = int(self.part_of[concept])
        return self.synsets[part].fields.fault(concept - int(self.starts[part]), message)


def _dangling(synsets: Synsets, pointer: int, part: Synsets) -> FormatError:
    return synsets.fields.fault(
        int(synsets.sources[pointer]),
        f"expected a synset at {synsets.targets[pointer]:08d} of {part.fields.path.name}, "
        "where a pointer leads, got none",
        hint="the files are of different versions, or one is truncated: fetch them again",
    )
