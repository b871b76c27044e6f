"""The cells of a matrix of counts, dealt into tiles that threads can learn from side by side.

Words are put into blocks at random. Tile (i, j) holds the cells of words of block i with contexts
of block j; tiles (i, i + s), for one s, share neither a word nor a context. Threads that go through
them at the same time never write to the same vector, so that it does not matter how many there are
(stratified gradient descent, Gemulla et al. 2011); and the vectors of a tile stay in the
processor's cache while its cells are learnt.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lydite.corpora.cooccurrence.counts import CountMatrix, row_blocks
from lydite.models.glove.kernel import Part, Tiled, Weighing, count_cells, deal_cells, shuffle_tiles
from lydite.spaces.vocabulary import bounds
from lydite.threads import thread_count
from lydite.types import Indices

#: Bytes of the vectors of a tile, and how many blocks there are at least, to be shared out.
_TILE_BYTES = 1 << 20
_FEWEST_BLOCKS = 16
_BLOCK = 1 << 21


@dataclass(frozen=True, kw_only=True, eq=False)
class Tiles:
    """Cells by tile.

    Attributes
    ----------
    cells
        The arrays, 16 bytes a cell.
    places
        Shape (n,): which row of the vectors is that of each word.
    side
        How many blocks there are; tile (i, j) has the number ``i * side + j``.
    """

    cells: Tiled
    places: NDArray[np.int32]
    side: int

    def __len__(self) -> int:
        return int(self.cells.starts[-1])

    def stratum(self, shift: int) -> Indices:
        """Return the tiles (i, i + shift), which share no word and no context, (side,)."""
        blocks = np.arange(self.side)
        return blocks * self.side + (blocks + shift) % self.side


def deal(counts: CountMatrix, weighing: Weighing, dim: int, seed: int) -> Tiles:
    """Deal the cells of a matrix into tiles, in a random order within each.

    Parameters
    ----------
    counts
        Shape (n, n).
    weighing
        How counts become targets and weights.
    dim
        Of the vectors: how many words a block has depends on it.
    seed
        Of the blocks and of the order.
    """
    bytes_a_word = 2 * 2 * (dim + 1) * np.dtype(np.float32).itemsize
    wanted = max(_FEWEST_BLOCKS, -(-len(counts) * bytes_a_word // _TILE_BYTES))
    height = -(-len(counts) // wanted)
    side = -(-len(counts) // height)
    places = np.random.default_rng(seed).permutation(len(counts)).astype(np.int32)
    sizes = np.zeros(side * side, dtype=np.int64)
    for part in _parts(counts):
        count_cells(part, places, height, side, sizes)
    starts = bounds(sizes)
    cells = Tiled(
        starts,
        *(np.empty(starts[-1], dtype=np.int32) for _ in range(2)),
        *(np.empty(starts[-1], dtype=np.float32) for _ in range(2)),
    )
    filled = starts[:-1].copy()
    # Compiled code takes no whole numbers for others.
    numbers = Weighing(*map(float, weighing))
    for part in _parts(counts):
        deal_cells(part, places, height, side, numbers, cells, filled)
    with ThreadPoolExecutor(thread_count()) as pool:
        edges = np.linspace(0, side, thread_count() + 1).astype(np.int64) * side
        key = np.uint64(seed)
        list(pool.map(lambda a, b: shuffle_tiles(cells, a, b, key), edges[:-1], edges[1:]))
    return Tiles(cells=cells, places=places, side=side)


def _parts(counts: CountMatrix) -> Iterator[Part]:
    for first, last in row_blocks(np.diff(counts.starts), _BLOCK):
        begin, end = int(counts.starts[first]), int(counts.starts[last])
        yield Part(
            first,
            counts.starts[first : last + 1] - begin,
            # Mapped arrays may be read-only, which compiled code does not take.
            np.array(counts.columns[begin:end]),
            np.array(counts.values[begin:end]),
        )
