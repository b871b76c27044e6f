"""GloVe's rate of updates at 100 dimensions, beside what the machine's memory allows.

A cell reads and writes the vector of a word and that of a context, each with its bias and the sums
of AdaGrad: 4 x 101 numbers of 4 bytes, once each way, and 16 bytes of the cell itself. The first
peer moves the same bytes of the same cells in the same order and does nothing else with them; its
vectors come from the processor's cache, where tiles keep them. The second is what main memory
allows to a program that fetches them from there: the bytes over the rate of STREAM's triad.

Counts are those of the first words of the Wikipedia sample in ``LYDITE_DATA``; without it, of words
drawn from Zipf's law.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numba import njit

from benchmarks.inputs import first_words
from benchmarks.measure import Job, Peer
from lydite.threads import thread_count
from lydite.trained.cooccurrence import count_cooccurrences
from lydite.trained.encoded_corpus import encode_files, frequent_words
from lydite.trained.glove import HarmonicWindows, Tiled, Tiles, Weighing, deal, learn_tiles
from lydite.types import Indices, Vectors

CAVEATS = ["the second peer is STREAM's triad, its seconds taken for the bytes of all cells"]

_DIM = 100
_BYTES = 2 * 4 * (_DIM + 1) * 4 + 16


@dataclass(frozen=True, kw_only=True)
class Size:
    """Words of the corpus, and numbers of each array of the triad."""

    words: int = 2_000_000
    triad: int = 1 << 25


FULL = Size()
SMALL = Size(words=20_000, triad=1 << 10)


@njit(nogil=True)
def _touch(tiled: Tiled, tiles: Indices, words: Vectors, contexts: Vectors) -> None:
    """Read and write what learning reads and writes."""
    one = np.float32(1)
    for tile in tiles:
        for at in range(tiled.starts[tile], tiled.starts[tile + 1]):
            word, context = words[tiled.rows[at]], contexts[tiled.columns[at]]
            step = one if tiled.weights[at] > tiled.targets[at] else -one
            for k in range(word.shape[0]):
                word[k] += step
                context[k] += step


@njit(nogil=True)
def _triad(a: Vectors, b: Vectors, c: Vectors) -> None:
    for i in range(a.shape[0]):
        a[i] = b[i] + np.float32(0.5) * c[i]


def jobs(size: Size, folder: Path) -> Iterator[Job]:
    tiles = _tiles(first_words(folder / "text.txt", size.words), folder)
    generator = np.random.default_rng(0)
    words, contexts = (np.ones((len(tiles.places), 2, _DIM + 1), np.float32) for _ in range(2))
    for state in (words, contexts):
        state[:, 0] = (generator.random(state[:, 0].shape, dtype=np.float32) - 0.5) / _DIM
    flat = [state.reshape(len(state), -1).copy() for state in (words, contexts)]
    costs = np.zeros(tiles.side**2)

    def learn(share: Indices) -> None:
        learn_tiles(tiles.cells, share, words, contexts, 0.05, costs)

    def touch(share: Indices) -> None:
        _touch(tiles.cells, share, *flat)

    for threads in sorted({1, thread_count()}):
        yield Job(
            name=f"GloVe, threads: {threads}",
            amount=f"an epoch of {len(tiles) / 1e6:.1f} M cells, {len(tiles.places):,} words",
            ours=partial(_epoch, tiles, learn, threads),
            peers=[
                Peer(
                    name=f"the same {_BYTES} bytes a cell moved",
                    run=partial(_epoch, tiles, touch, threads),
                    target=2,
                    at_most=True,
                ),
                Peer(
                    name=f"{_BYTES} bytes a cell from main memory",
                    run=_triads(threads, size.triad),
                    target=1,
                    at_most=True,
                    times=len(tiles) * _BYTES / (3 * 4 * size.triad * threads),
                ),
            ],
            rate=(len(tiles), "cells"),
        )


def _tiles(text: Path, folder: Path) -> Tiles:
    windows = HarmonicWindows()
    corpus = encode_files([text], folder)
    kept = frequent_words(corpus, min_count=5)
    counts = count_cooccurrences(corpus, kept.rows, kept.counts, windows, folder / "counts")
    return deal(counts, Weighing(windows.scale, 100.0, 0.75), _DIM, 0)


def _epoch(tiles: Tiles, job: Callable[[Indices], None], threads: int) -> None:
    """Go through all tiles, each thread through its share of those that have no word in common."""
    with ThreadPoolExecutor(threads) as pool:
        for shift in range(tiles.side):
            list(pool.map(job, np.array_split(tiles.stratum(shift), threads)))


def _triads(threads: int, length: int) -> Callable[[], None]:
    """Return a triad of arrays that fit in no cache, in each of the threads."""
    arrays = [[np.ones(length, dtype=np.float32) for _ in range(3)] for _ in range(threads)]

    def run() -> None:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(lambda each: _triad(*each), arrays))

    return run
