"""Compiled cutting of text into tokens and numbering of words: the hot loop of reading a corpus."""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lydite.spaces.compiled import compiled, part

#: What a byte can be.
LETTER: Final = 0
BLANK: Final = 1
END: Final = 2
#: The first byte of a character that may be white space.
LEAD: Final = 3

#: What stands after the words of a sentence.
SENTENCE_END: Final = -1

_FNV_BASIS = np.uint64(0xCBF29CE484222325)
_FNV_PRIME = np.uint64(0x100000001B3)

Bytes: TypeAlias = NDArray[np.uint8]
Ids: TypeAlias = NDArray[np.int32]
Int64s: TypeAlias = NDArray[np.int64]
Hashes: TypeAlias = NDArray[np.uint64]


@part
def _blank_width(text: Bytes, at: int) -> int:
    """Return how many bytes the white space beyond ASCII takes that starts here, or 0."""
    first, second = text[at], text[at + 1]
    if first == 0xC2:
        return 2 if second in (0x85, 0xA0) else 0
    third = text[at + 2]
    if first == 0xE2 and second == 0x80:
        return 3 if third <= 0x8A or third in (0xA8, 0xA9, 0xAF) else 0
    blank = (
        (first == 0xE1 and second == 0x9A and third == 0x80)
        or (first == 0xE2 and second == 0x81 and third == 0x9F)
        or (first == 0xE3 and second == 0x80 and third == 0x80)
    )
    return 3 if blank else 0


@part
def _same(text: Bytes, start: int, stop: int, letters: Bytes, at: int) -> bool:
    for offset in range(stop - start):  # noqa: SIM110 - compiled code knows no generators
        if text[start + offset] != letters[at + offset]:
            return False
    return True


@part
def _word_end(text: Bytes, start: int, kinds: Bytes) -> tuple[int, np.uint64]:
    """Return where the word that starts here stops, and its hash (FNV-1a)."""
    at, hashed = start, _FNV_BASIS
    while True:
        kind = kinds[text[at]]
        if kind != LETTER and (kind != LEAD or _blank_width(text, at) > 0):
            return at, hashed ^ (hashed >> np.uint64(29))
        hashed = (hashed ^ np.uint64(text[at])) * _FNV_PRIME
        at += 1


@part
def _find(
    text: Bytes,
    start: int,
    stop: int,
    hashed: np.uint64,
    slots: Ids,
    hashes: Hashes,
    offsets: Int64s,
    letters: Bytes,
) -> tuple[int, int]:
    """Return the slot where the word is or belongs, and its number or -1."""
    mask = slots.shape[0] - 1
    slot = np.int64(hashed) & mask
    while slots[slot] >= 0:
        word = int(slots[slot])
        if (
            hashes[word] == hashed
            and offsets[word + 1] - offsets[word] == stop - start
            and _same(text, start, stop, letters, offsets[word])
        ):
            return slot, word
        slot = (slot + 1) & mask
    return slot, -1


@compiled(
    lambda t: t.i8(
        t.u1[::1],
        t.i8,
        t.u1[::1],
        t.i4[::1],
        t.u8[::1],
        t.i8[::1],
        t.u1[::1],
        t.i8[::1],
        t.i4[::1],
        t.i8[::1],
    ),
)
def encode(  # noqa: PLR0913, PLR0917 - compiled code takes arrays one by one
    text: Bytes,
    at: int,
    kinds: Bytes,
    slots: Ids,
    hashes: Hashes,
    offsets: Int64s,
    letters: Bytes,
    counts: Int64s,
    ids: Ids,
    state: Int64s,
) -> int:
    """Write the numbers of the words of a text, new words numbered as they are met.

    Parameters
    ----------
    text
        Bytes; the last three end sentences, so that no word and no character is cut.
    at
        Where to start.
    kinds
        Shape (256,): what each byte is.
    slots
        A table of open addressing, its size a power of two: number of a word, or -1.
    hashes, offsets, letters, counts
        The words met so far, as in ``PackedWords``, their hashes and how often each stands.
    ids
        Filled with numbers of words, `SENTENCE_END` after each sentence that is not empty.
    state
        The number of words and of ids; both are updated.

    Returns
    -------
    Where the text was left: at its end, or earlier because an array is full.
    """
    words, filled = state[0], state[1]
    while at < text.shape[0]:
        kind = kinds[text[at]]
        if kind == END:
            if filled > 0 and ids[filled - 1] != SENTENCE_END:
                if filled == ids.shape[0]:
                    break
                ids[filled] = SENTENCE_END
                filled += 1
            at += 1
            continue
        width = 1 if kind == BLANK else _blank_width(text, at) if kind == LEAD else 0
        if width > 0:
            at += width
            continue
        stop, hashed = _word_end(text, at, kinds)
        if (
            filled == ids.shape[0]
            or 2 * words >= slots.shape[0]
            or offsets[words] + stop - at > letters.shape[0]
        ):
            break
        slot, word = _find(text, at, stop, hashed, slots, hashes, offsets, letters)
        if word < 0:
            word = words
            words += 1
            slots[slot] = word
            hashes[word] = hashed
            offsets[word + 1] = offsets[word] + stop - at
            letters[offsets[word] : offsets[word + 1]] = text[at:stop]
        counts[word] += 1
        ids[filled] = word
        filled += 1
        at = stop
    state[0], state[1] = words, filled
    return at


@compiled(lambda t: t.void(t.u8[::1], t.i8, t.i4[::1]))
def fill_slots(hashes: Hashes, words: int, slots: Ids) -> None:
    """Enter words, all different, into an empty table."""
    mask = slots.shape[0] - 1
    for word in range(words):
        slot = np.int64(hashes[word]) & mask
        while slots[slot] >= 0:
            slot = (slot + 1) & mask
        slots[slot] = word
