"""Compiled draws: random bits, whole numbers below another, and words by their frequency."""

from __future__ import annotations

from typing import Final

import numpy as np

from lydite.models.skipgram_family.layout import Int64s, UInt64s
from lydite.spaces.compiled import part

#: What the state moves by before each draw (splitmix64).
STEP: Final = np.uint64(0x9E3779B97F4A7C15)
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)


@part
def mix(bits: np.uint64) -> np.uint64:
    """Scramble 64 bits (the finaliser of splitmix64)."""
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


@part
def below(bits: np.uint64, count: int) -> np.int64:
    """Turn the upper half of random bits into a whole number below another."""
    return np.int64(((bits >> _HALF) * np.uint64(count)) >> _HALF)


@part
def draw_words(
    target: int, state: np.uint64, negative: int, table: UInt64s, words: Int64s
) -> tuple[int, np.uint64]:
    """Put the true word first and others behind it; returns how many, and the state."""
    words[0] = target
    filled = 1
    for _ in range(negative):
        state += STEP
        bits = mix(state)
        word = below(bits, table.shape[0])
        entry = table[word]
        if bits & _LOW >= entry >> _HALF:
            word = np.int64(entry & _LOW)
        words[filled] = word
        filled += int(word != target)
    return filled, state
