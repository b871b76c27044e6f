"""One compiled step of the skip-gram family: words set against what predicts them."""

from __future__ import annotations

import math

import numpy as np

from lydite.models.skipgram_family.layout import Float32s, Int64s
from lydite.spaces.compiled import part, part_with

#: Sums may be taken in any order: eight products at a time.
_fast_part = part_with(fastmath={"reassoc", "contract", "nsz"})
#: Written out where it is called: a call that takes arrays counts how often each of them is in use,
#: and twelve such counts take as long as the products of a vector.
_inlined = part_with(inline="always")


@_fast_part
def _dots(
    left: Float32s, a: int, right: Float32s, b: int, c: int, matrix: int
) -> tuple[np.float32, np.float32]:
    """Return the products with two output vectors: what is multiplied is fetched but once."""
    one = np.float32(0.0)
    other = np.float32(0.0)
    for i in range(left.shape[1]):
        one += left[a, i] * right[b, matrix, i]
        other += left[a, i] * right[c, matrix, i]
    return one, other


@_fast_part
def _pull(  # noqa: PLR0913, PLR0917 - compiled code takes arrays one by one
    gain: np.float32,
    other_gain: np.float32,
    hidden: Float32s,
    place: int,
    outputs: Float32s,
    word: int,
    other: int,
    matrix: int,
    errors: Float32s,
    position: int,
) -> None:
    """Move two output vectors, and note how what predicts them is to move."""
    for i in range(hidden.shape[1]):
        source = hidden[place, i]
        output = outputs[word, matrix, i]
        outputs[word, matrix, i] = output + gain * source
        second = outputs[other, matrix, i]
        outputs[other, matrix, i] = second + other_gain * source
        errors[position, i] += gain * output + other_gain * second


@_fast_part
def add(factor: np.float32, source: Float32s, a: int, target: Float32s, b: int) -> None:
    """Add a multiple of one row to another."""
    for i in range(target.shape[1]):
        target[b, i] += factor * source[a, i]


@_fast_part
def product(left: Float32s, a: int, right: Float32s, b: int) -> np.float32:
    """Return the product of two rows."""
    total = np.float32(0.0)
    for i in range(left.shape[1]):
        total += left[a, i] * right[b, i]
    return total


@part
def _sigmoid(x: np.float32) -> np.float32:
    return np.float32(1.0) / (np.float32(1.0) + math.exp(-x))


@_inlined
def step(  # noqa: PLR0913, PLR0917 - compiled code takes arrays one by one
    hidden: Float32s,
    outputs: Float32s,
    first: int,
    last: int,
    count: int,
    rate: np.float32,
    places: Int64s,
    words: Int64s,
    gains: Float32s,
    errors: Float32s,
) -> None:
    """Set words against what predicts them, and move their output vectors.

    What predicts is ``hidden[places[p]]`` at each position p from ``first`` to before ``last``;
    its output matrix is p where there are several. ``errors[p]`` is filled with its move.
    """
    single = outputs.shape[1] == 1
    # Words are taken by twos; an odd one is joined by the true word, with nothing to be learnt.
    words[count] = words[0]
    for k in range(0, count, 2):
        score = other = np.float32(0.0)
        for p in range(first, last):
            more, others = _dots(
                hidden, places[p], outputs, words[k], words[k + 1], 0 if single else p
            )
            score += more
            other += others
        gains[k] = rate * (np.float32(k == 0) - _sigmoid(score))
        gains[k + 1] = -rate * _sigmoid(other)
    gains[count] = np.float32(0.0)
    for p in range(first, last):
        matrix = 0 if single else p
        for i in range(errors.shape[1]):
            errors[p, i] = np.float32(0.0)
        for k in range(0, count, 2):
            _pull(
                gains[k],
                gains[k + 1],
                hidden,
                places[p],
                outputs,
                words[k],
                words[k + 1],
                matrix,
                errors,
                p,
            )
