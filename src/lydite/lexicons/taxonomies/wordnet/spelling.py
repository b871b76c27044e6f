"""Changing many packed words at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from lydite.spaces.vocabulary import Bytes, PackedWords, bounds, pack, spans
from lydite.types import Indices, Mask

_BLOCK = 1 << 16
_CAPITALS = np.arange(256, dtype=np.uint8)
_CAPITALS[65:91] += 32
_BLANKS = np.arange(256, dtype=np.uint8)
_BLANKS[ord("_")] = ord(" ")


def gathered(letters: Bytes, starts: Indices, lengths: Indices) -> PackedWords:
    """Return the words that begin at some places of a text.

    In blocks: the places of all letters would take eight times the room of the letters, and most
    of the time would go into fresh memory.

    >>> gathered(np.frombuffer(b"abcdef", np.uint8), np.array([3, 0]), np.array([2, 1])).to_list()
    ['de', 'a']
    """
    offsets = bounds(lengths)
    found = np.empty(offsets[-1], dtype=np.uint8)
    for some in _blocks(offsets):
        places = spans(starts[some], lengths[some])
        found[offsets[some.start] : offsets[some.stop]] = letters[places]
    return PackedWords(letters=found, offsets=offsets)


def taken(words: PackedWords, places: Indices) -> PackedWords:
    """Return the words at some places.

    >>> taken(pack(["a", "bc", "d"]), np.array([2, 1])).to_list()
    ['d', 'bc']
    """
    starts = words.offsets[places]
    return gathered(words.letters, starts, words.offsets[places + 1] - starts)


def _blocks(offsets: Indices) -> Iterator[slice]:
    """Cut words into blocks of few letters."""
    start = 0
    while start < len(offsets) - 1:
        beyond = int(np.searchsorted(offsets, offsets[start] + _BLOCK, side="right"))
        stop = max(beyond - 1, start + 1)
        yield slice(start, stop)
        start = stop


def lowered(words: PackedWords) -> PackedWords:
    """Return words in small letters.

    >>> lowered(pack(["New York", "Ärger"])).to_list()
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
    return gathered(words.letters, words.offsets[:-1], lengths)


def kept(words: PackedWords, which: Mask) -> PackedWords:
    """Return some of the words, in their order.

    >>> kept(pack(["a", "bc", "d"]), np.array([True, False, True])).to_list()
    ['a', 'd']
    """
    lengths = np.diff(words.offsets)
    letters = words.letters[np.repeat(which, lengths)]
    return PackedWords(letters=letters, offsets=bounds(lengths[which]))


def glued(parts: Sequence[PackedWords]) -> PackedWords:
    """Write words one behind the other: the first of each part make the first word, and so on.

    >>> glued([pack(["dog", "go"]), pack([".n.01", ".v.02"])]).to_list()
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


def formatted(template: str, *columns: Indices) -> PackedWords:
    """Format rows of numbers; each different row only once.

    >>> formatted(".{:02d}", np.array([1, 12, 1])).to_list()
    ['.01', '.12', '.01']
    """
    spread = [int(column.max(initial=0)) + 1 for column in columns]
    codes = np.ravel_multi_index(columns, spread)
    met = np.bincount(codes) > 0
    different = np.flatnonzero(met)
    rows = zip(*(each.tolist() for each in np.unravel_index(different, spread)), strict=True)
    return taken(pack([template.format(*row) for row in rows]), (np.cumsum(met) - 1)[codes])
