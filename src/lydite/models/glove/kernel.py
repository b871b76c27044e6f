"""Compiled loops of GloVe: cells dealt into tiles, and a pass over tiles that share no word."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lydite.spaces.compiled import compiled, part, record

Int32s: TypeAlias = NDArray[np.int32]
Int64s: TypeAlias = NDArray[np.int64]
Tallies: TypeAlias = NDArray[np.uint32]
Singles: TypeAlias = NDArray[np.float32]
Floats: TypeAlias = NDArray[np.float64]

_STEP = np.uint64(0x9E3779B97F4A7C15)


class Tiled(NamedTuple):
    """Cells (k,) by tile; tile t is ``starts[t]`` to ``starts[t + 1]`` of the others.

    ``rows`` and ``columns`` are places of words, ``targets`` the logarithms of counts, ``weights``
    what their errors count.
    """

    starts: Int64s
    rows: Int32s
    columns: Int32s
    targets: Singles
    weights: Singles


class Part(NamedTuple):
    """Counts in compressed rows, of the rows from ``first`` on; ``starts`` begins with 0."""

    first: int
    starts: Int64s
    columns: Int32s
    values: Tallies


class Weighing(NamedTuple):
    """What a whole count is counted as, and the constants of the weighting function."""

    scale: float
    x_max: float
    alpha: float


_tiled = record(Tiled, lambda t: (t.i8[::1], *[t.i4[::1]] * 2, *[t.f4[::1]] * 2))
_part = record(Part, lambda t: (t.i8, t.i8[::1], t.i4[::1], t.u4[::1]))
_weighing = record(Weighing, lambda t: (t.f8, t.f8, t.f8))


@compiled(lambda t: t.void(_part(t), t.i4[::1], t.i8, t.i8, t.i8[::1]))
def count_cells(counts: Part, places: Int32s, height: int, side: int, sizes: Int64s) -> None:
    """Count the cells of each tile.

    Parameters
    ----------
    counts
        Some rows of n.
    places
        Shape (n,): where each word stands among the blocks.
    height
        How many words a block has.
    side
        How many blocks there are; tile (i, j) has the number ``i * side + j``.
    sizes
        Shape (side * side,): raised.
    """
    for row in range(counts.starts.shape[0] - 1):
        above = (places[counts.first + row] // height) * side
        for at in range(counts.starts[row], counts.starts[row + 1]):
            sizes[above + places[counts.columns[at]] // height] += 1


@compiled(lambda t: t.void(_part(t), t.i4[::1], t.i8, t.i8, _weighing(t), _tiled(t), t.i8[::1]))
def deal_cells(
    counts: Part,
    places: Int32s,
    height: int,
    side: int,
    weighing: Weighing,
    tiled: Tiled,
    filled: Int64s,
) -> None:
    """Put cells into their tiles; ``filled`` (side * side,) is where the next one goes."""
    for row in range(counts.starts.shape[0] - 1):
        place = places[counts.first + row]
        above = (place // height) * side
        for at in range(counts.starts[row], counts.starts[row + 1]):
            column = places[counts.columns[at]]
            tile = above + column // height
            to = filled[tile]
            filled[tile] = to + 1
            count = counts.values[at] / weighing.scale
            tiled.rows[to] = place
            tiled.columns[to] = column
            tiled.targets[to] = np.log(count)
            tiled.weights[to] = min(1.0, (count / weighing.x_max) ** weighing.alpha)


@part
def _drawn(key: np.uint64, most: int) -> int:
    """Return a number from 0 to ``most``, a hash of the key (splitmix64)."""
    bits = key * _STEP
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    bits ^= bits >> np.uint64(31)
    return int(((bits >> np.uint64(32)) * np.uint64(most + 1)) >> np.uint64(32))


@compiled(lambda t: t.void(_tiled(t), t.i8, t.i8, t.u8))
def shuffle_tiles(tiled: Tiled, first: int, last: int, seed: np.uint64) -> None:
    """Put the cells of each tile, from ``first`` to before ``last``, into a random order."""
    for tile in range(first, last):
        start = tiled.starts[tile]
        for at in range(tiled.starts[tile + 1] - 1, start, -1):
            other = start + _drawn(seed + np.uint64(at), at - start)
            for array in (tiled.rows, tiled.columns):
                array[at], array[other] = array[other], array[at]
            for numbers in (tiled.targets, tiled.weights):
                numbers[at], numbers[other] = numbers[other], numbers[at]


@compiled(
    lambda t: t.void(
        _tiled(t),
        t.i8[::1],
        t.f4[:, :, ::1],
        t.f4[:, :, ::1],
        t.f4,
        t.f8[::1],
    ),
    fastmath=True,
    error_model="numpy",
)
def learn_tiles(
    tiled: Tiled, tiles: Int64s, words: Singles, contexts: Singles, rate: float, costs: Floats
) -> None:
    """Go through tiles, cell by cell.

    Parameters
    ----------
    tiled
        The cells.
    tiles
        Which tiles. Other threads may go through others that share no row or column with them.
    words, contexts
        Shape (n, 2, dim + 1): in ``[i, 0]`` the vector of word i and its bias, in ``[i, 1]`` the
        sums of their squared steps.
    rate
        The learning rate.
    costs
        Shape (side * side,): filled with half the weighted squared error of each of the tiles,
        each cell's before it was learnt.
    """
    dim = words.shape[2] - 1
    for tile in tiles:
        cost = 0.0
        for at in range(tiled.starts[tile], tiled.starts[tile + 1]):
            # Written out here: a function of its own would not be compiled with fast mathematics.
            word, context = words[tiled.rows[at]], contexts[tiled.columns[at]]
            product = word[0, dim] + context[0, dim]
            for k in range(dim):
                product += word[0, k] * context[0, k]
            error = product - tiled.targets[at]
            pull = rate * tiled.weights[at] * error
            for k in range(dim):
                of_word, of_context = pull * context[0, k], pull * word[0, k]
                word[0, k] -= of_word / np.sqrt(word[1, k])
                context[0, k] -= of_context / np.sqrt(context[1, k])
                word[1, k] += of_word * of_word
                context[1, k] += of_context * of_context
            word[0, dim] -= pull / np.sqrt(word[1, dim])
            context[0, dim] -= pull / np.sqrt(context[1, dim])
            word[1, dim] += pull * pull
            context[1, dim] += pull * pull
            cost += 0.5 * tiled.weights[at] * error * error
        costs[tile] = cost
