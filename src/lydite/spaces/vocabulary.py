"""A vocabulary that opens in no time: words as bytes, found through sorted hashes.

Nothing here builds a dictionary of Python strings, so that a vocabulary of a million words can be
mapped from disk and asked for a few thousand of them within milliseconds.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from lydite.types import Indices, Mask

Bytes: TypeAlias = NDArray[np.uint8]
Hashes: TypeAlias = NDArray[np.uint64]

#: What a folder holds of a vocabulary.
VOCABULARY_ARRAYS: Final[dict[str, Any]] = {
    "letters": np.uint8,
    "offsets": np.int64,
    "hashes": np.uint64,
    "order": np.int32,
}

_BASE = np.uint64(0x9E3779B97F4A7C15)
_BLOCK_BYTES = 1 << 18
_BLOCK_WORDS = 1 << 16


@dataclass(frozen=True, kw_only=True, eq=False)
class PackedWords:
    """Words laid end to end in UTF-8; word i is ``letters[offsets[i]:offsets[i + 1]]``."""

    letters: Bytes
    offsets: Indices

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, index: int) -> str:
        return self.raw(index).decode("utf-8", "surrogatepass")

    @classmethod
    def empty(cls) -> PackedWords:
        """Return no words."""
        return pack_bytes([])

    @classmethod
    def join(cls, parts: Sequence[PackedWords]) -> PackedWords:
        """Return the words of several packings, one after the other."""
        lengths = [np.diff(part.offsets) for part in parts]
        return cls(
            letters=np.concatenate([part.letters for part in parts]),
            offsets=bounds(np.concatenate(lengths)),
        )

    def raw(self, index: int) -> bytes:
        """Return the bytes of a word."""
        return self.letters[self.offsets[index] : self.offsets[index + 1]].tobytes()

    def to_list(self) -> list[str]:
        """Decode all words, far faster than one by one."""
        text = self.letters.tobytes()
        ends = self.offsets.tolist()
        return [text[a:b].decode("utf-8", "surrogatepass") for a, b in itertools.pairwise(ends)]

    def take(self, indices: Indices) -> PackedWords:
        """Return the words at the given places, packed anew."""
        lengths = np.diff(self.offsets)[indices]
        return PackedWords(
            letters=self.letters[spans(self.offsets[indices], lengths)], offsets=bounds(lengths)
        )


def pack(words: Iterable[str]) -> PackedWords:
    """Lay words end to end.

    >>> pack(["ab", "c"]).offsets.tolist()
    [0, 2, 3]
    """
    return pack_bytes([word.encode("utf-8", "surrogatepass") for word in words])


def pack_bytes(words: Sequence[bytes]) -> PackedWords:
    """Lay words that are in UTF-8 already end to end."""
    lengths = np.fromiter(map(len, words), np.int64, len(words))
    letters = np.frombuffer(b"".join(words), dtype=np.uint8)
    return PackedWords(letters=letters, offsets=bounds(lengths))


def bounds(lengths: Indices) -> Indices:
    """Turn n lengths into n + 1 offsets.

    >>> bounds(np.array([2, 1])).tolist()
    [0, 2, 3]
    """
    offsets = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return offsets


def spans(starts: Indices, lengths: Indices) -> Indices:
    """Return the indices of all elements of several spans, one after the other.

    >>> spans(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    ends = bounds(lengths)
    return np.arange(ends[-1]) + np.repeat(starts - ends[:-1], lengths)


def hash_words(words: PackedWords) -> Hashes:
    """Hash every word: a polynomial in its bytes modulo 2^64, then mixed.

    Computed with array operations alone, in blocks, so that vocabularies and queries are hashed
    the same way without a compiled kernel. Equal hashes are always confirmed byte by byte.
    """
    hashes = np.empty(len(words), dtype=np.uint64)
    start = 0
    while start < len(words):
        limit = words.offsets[start] + _BLOCK_BYTES
        stop = max(int(np.searchsorted(words.offsets, limit, side="right")) - 1, start + 1)
        hashes[start:stop] = _hash_block(words.letters, words.offsets[start : stop + 1])
        start = stop
    return hashes


def _hash_block(letters: Bytes, offsets: Indices) -> Hashes:
    lengths = np.diff(offsets)
    sums = np.zeros(len(lengths), dtype=np.uint64)
    filled = np.flatnonzero(lengths)
    if len(filled):
        starts = offsets[filled] - offsets[0]
        place = np.arange(offsets[-1] - offsets[0]) - np.repeat(starts, lengths[filled])
        powers = np.full(int(lengths.max()) + 1, _BASE)
        powers[0] = 1
        np.cumprod(powers, out=powers)
        terms = (letters[offsets[0] : offsets[-1]].astype(np.uint64) + np.uint64(1)) * powers[place]
        sums[filled] = np.add.reduceat(terms, starts)
    return mix(sums ^ lengths.astype(np.uint64))


def mix(bits: Hashes) -> Hashes:
    """Scramble 64-bit integers (the finaliser of splitmix64).

    Reference: Steele, Lea & Flood, "Fast splittable pseudorandom number generators", 2014.
    """
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


@dataclass(frozen=True, kw_only=True, eq=False)
class Vocabulary(Sequence[str]):
    """The words of a space, in its order.

    Attributes
    ----------
    hashes
        Their hashes, sorted.
    order
        ``order[k]`` is the word whose hash stands at ``hashes[k]``; equal hashes keep the
        vocabulary's order.
    """

    words: PackedWords
    hashes: Hashes
    order: NDArray[np.int32]

    @classmethod
    def build(cls, words: PackedWords) -> Vocabulary:
        """Index packed words; a word that stands twice is found at its first place."""
        hashes = hash_words(words)
        order = np.argsort(hashes, kind="stable").astype(np.int32)
        return cls(words=words, hashes=hashes[order], order=order)

    @classmethod
    def of(cls, words: Iterable[str]) -> Vocabulary:
        """Index words given as strings.

        >>> Vocabulary.of(["cat", "dog"]).find(["dog", "emu"]).tolist()
        [1, -1]
        """
        return cls.build(pack(words))

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Vocabulary:
        """Return a vocabulary from the arrays of a folder."""
        words = PackedWords(letters=arrays["letters"], offsets=arrays["offsets"])
        return cls(words=words, hashes=arrays["hashes"], order=arrays["order"])

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return what is to be written into a folder."""
        return {
            "letters": self.words.letters,
            "offsets": self.words.offsets,
            "hashes": self.hashes,
            "order": self.order,
        }

    def __len__(self) -> int:
        return len(self.words)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self.words[i] for i in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(f"the vocabulary has {len(self)} words, got index {index}")
        return self.words[index % len(self)]

    def __iter__(self) -> Iterator[str]:
        return iter(self.words.to_list())

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self.find([word])[0] >= 0

    def find(self, words: Sequence[str]) -> Indices:
        """Return the place of each word, -1 where it is absent.

        Words that are a vocabulary themselves are packed and hashed already.
        """
        if not isinstance(words, Vocabulary):
            return self.find_packed(pack(words))
        wanted = np.empty(len(words), dtype=np.uint64)
        at = np.empty(len(words), dtype=np.int64)
        wanted[words.order] = words.hashes
        at[words.order] = np.searchsorted(self.hashes, words.hashes)
        return self._confirmed(words.words, wanted, at)

    def find_packed(self, queries: PackedWords) -> Indices:
        """Return the place of each packed word, -1 where it is absent."""
        wanted = hash_words(queries)
        return self._confirmed(queries, wanted, np.searchsorted(self.hashes, wanted))

    def _confirmed(self, queries: PackedWords, wanted: Hashes, at: Indices) -> Indices:
        """Return the places of queries, whose hashes stand from ``at`` on if they are there."""
        places = np.full(len(queries), -1, dtype=np.int64)
        for start in range(0, len(queries), _BLOCK_WORDS):
            block = np.arange(start, min(start + _BLOCK_WORDS, len(queries)))
            while len(block := block[at[block] < len(self)]):
                block = block[self.hashes[at[block]] == wanted[block]]
                candidates = self.order[at[block]].astype(np.int64)
                same = _equal(queries, block, self.words, candidates)
                places[block[same]] = candidates[same]
                # A true collision of hashes: look at the next word with that hash.
                block = block[~same]
                at[block] += 1
        return places

    def find_folded(self, words: Sequence[str]) -> Indices:
        """Return the first place of each word when case is ignored, -1 where it is absent."""
        return self._folded.find([word.casefold() for word in words])

    def repeats(self) -> Indices:
        """Return the places of words that stand earlier in the vocabulary too, ascending."""
        suspects = self.order[
            np.flatnonzero(np.diff(self.hashes, prepend=self.hashes[:1] + np.uint64(1)) == 0)
        ]
        places = np.sort(suspects.astype(np.int64))
        return places[self.find_packed(self.words.take(places)) < places]

    def distinct(self) -> tuple[Vocabulary, Indices]:
        """Return the vocabulary without repeats, and the places of the words that stay."""
        kept = np.setdiff1d(np.arange(len(self)), self.repeats(), assume_unique=True)
        if len(kept) == len(self):
            return self, kept
        return Vocabulary.build(self.words.take(kept)), kept

    @cached_property
    def _folded(self) -> Vocabulary:
        return Vocabulary.of(word.casefold() for word in self.words.to_list())


def _equal(left: PackedWords, i: Indices, right: PackedWords, j: Indices) -> Mask:
    """Compare words of two packings pair by pair, byte by byte."""
    lengths = left.offsets[i + 1] - left.offsets[i]
    same: Mask = lengths == right.offsets[j + 1] - right.offsets[j]
    pairs = np.flatnonzero(same & (lengths > 0))
    if len(pairs):
        spans_left = spans(left.offsets[i[pairs]], lengths[pairs])
        spans_right = spans(right.offsets[j[pairs]], lengths[pairs])
        differs = left.letters[spans_left] != right.letters[spans_right]
        same[pairs] = ~np.logical_or.reduceat(differs, bounds(lengths[pairs])[:-1])
    return same
