"""Compiled retrofitting.

Imported only when a space is really retrofitted, because importing Numba takes long.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numba import types
from numpy.typing import NDArray

from lydite.spaces.compiled import compiled, part

Int32s: TypeAlias = NDArray[np.int32]
Int64s: TypeAlias = NDArray[np.int64]
Mask: TypeAlias = NDArray[np.bool_]
Singles: TypeAlias = NDArray[np.float32]

#: Mapped from disk, perhaps.
_READ = types.Array(types.float32, 2, "C", readonly=True)


@compiled("void(i8[::1], i4[::1], i8[::1], i4[::1])")
def turn_lists(starts: Int64s, others: Int32s, ends: Int64s, owners: Int32s) -> None:
    """List for each word whose neighbour it is.

    Parameters
    ----------
    starts, others
        The neighbours of n words, each below n.
    ends
        Shape (n,): where the list of each word begins in ``owners``; moved to where it ends.
    owners
        Filled.
    """
    for word in range(starts.shape[0] - 1):
        for at in range(starts[word], starts[word + 1]):
            other = others[at]
            owners[ends[other]] = word
            ends[other] += 1


@part
def _earlier(word: int, at: Int64s, stop: int, others: Int32s, done: Mask) -> int:
    """Return the next neighbour that has to come before a word and has not come yet, or -1."""
    while at[word] < stop:
        other = others[at[word]]
        at[word] += 1
        if other < word and not done[other]:
            return int(other)
    return -1


@compiled("i8[::1](i8[::1], i4[::1], i8[::1], i4[::1])")
def order_words(starts: Int64s, others: Int32s, ends: Int64s, owners: Int32s) -> Int64s:
    """Put words into an order in which neighbours are close, but no two of them change places.

    What a word becomes depends only on which of its neighbours were moved before it. So every order
    in which neighbours come one after the other as before leads to the same vectors; one in which
    they are close keeps them in the processor's cache.

    Parameters
    ----------
    starts, others
        The neighbours of n words.
    ends, owners
        The same, turned round; word i has those from ``ends[i - 1]`` to ``ends[i]``.

    Returns
    -------
    Shape (n,): the words in the new order.
    """
    count = starts.shape[0] - 1
    order, stack = np.empty(count, np.int64), np.empty(count, np.int64)
    done = np.zeros(count, np.bool_)
    forth, back = starts[:-1].copy(), np.zeros(count, np.int64)
    back[1:] = ends[:-1]
    filled = 0
    for root in range(count - 1, -1, -1):
        depth = 0 if not done[root] else -1
        stack[0] = root
        while depth >= 0:
            word = stack[depth]
            before = _earlier(word, forth, starts[word + 1], others, done)
            if before < 0:
                before = _earlier(word, back, ends[word], owners, done)
            if before >= 0:
                depth += 1
                stack[depth] = before
                continue
            depth -= 1
            done[word] = True
            order[filled] = word
            filled += 1
    return order


@compiled(types.void(_READ, types.float32[:, ::1]), error_model="numpy")
def unit_rows(vectors: Singles, out: Singles) -> None:
    """Write vectors (n, d), each divided by its length; zeros stay zeros.

    The same as :func:`lydite.spaces.cosine.unit_rows`, in one pass and without copies.
    """
    for row in range(vectors.shape[0]):
        total = 0.0
        for k in range(vectors.shape[1]):
            total += np.float64(vectors[row, k]) * np.float64(vectors[row, k])
        scale = 1.0 / np.sqrt(total) if total > 0 else 0.0
        for k in range(vectors.shape[1]):
            out[row, k] = vectors[row, k] * scale


@part
def _towards(starts: Int64s, others: Int32s, first: Singles, moved: Singles, alpha: float) -> None:
    """Move each of ``first`` once."""
    for word in range(starts.shape[0] - 1):
        begin, end = starts[word], starts[word + 1]
        own = alpha * np.float32(end - begin)
        scale = np.float32(1.0) / (own + np.float32(end - begin))
        here, there = moved[word], first[word]
        for k in range(here.shape[0]):
            here[k] = own * there[k]
        for at in range(begin, end):
            near = moved[others[at]]
            for k in range(here.shape[0]):
                here[k] += near[k]
        for k in range(here.shape[0]):
            here[k] *= scale


@compiled("void(i8[::1], i4[::1], i8[::1], f4[:, :], f4, i8)", error_model="numpy")
def move_words(
    starts: Int64s, others: Int32s, rows: Int64s, vectors: Singles, alpha: float, iterations: int
) -> None:
    """Move each vector towards those of its neighbours, in order, in place.

    Parameters
    ----------
    starts, others
        The neighbours of n words, numbers below m; no word is its own.
    rows
        Shape (m,): where the words stand among the vectors, the first n of them to be moved.
    vectors
        Some dimensions of all vectors.
    alpha
        How much the first place of a vector counts, against 1 for all its neighbours together.
    iterations
        How often to go through the words.
    """
    count, width = starts.shape[0] - 1, vectors.shape[1]
    moved = np.empty((rows.shape[0], width), np.float32)
    for word in range(rows.shape[0]):
        for k in range(width):
            moved[word, k] = vectors[rows[word], k]
    first = moved[:count].copy()
    for _ in range(iterations):
        _towards(starts, others, first, moved, alpha)
    for word in range(count):
        for k in range(width):
            vectors[rows[word], k] = moved[word, k]
