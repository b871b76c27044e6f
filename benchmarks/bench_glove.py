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

import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit

from benchmarks.measure import Row, first_words, peak_of_both, publish, side_by_side
from lydite.threads import thread_count
from lydite.trained.cooccurrence import count_cooccurrences
from lydite.trained.encoded_corpus import encode_files, frequent_words
from lydite.trained.glove import HarmonicWindows, Tiled, Tiles, Weighing, deal, learn_tiles
from lydite.types import Indices, Vectors

_WORDS = 2_000_000
_DIM = 100
_BYTES = 2 * 4 * (_DIM + 1) * 4 + 16
_TRIAD = 1 << 25


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


def main() -> bool:
    tiles = _tiles()
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

    rows = []
    for threads in sorted({1, thread_count()}):
        ours, moved = side_by_side(
            lambda: _epoch(tiles, learn, threads),  # noqa: B023 - run before the next turn
            lambda: _epoch(tiles, touch, threads),  # noqa: B023
            repeats=2,
        )
        triad = _triad_seconds(threads)
        fetched = len(tiles) * _BYTES / (3 * 4 * _TRIAD * threads / triad)
        rate = len(tiles) / ours / threads
        note = f"{rate / 1e6:.2f} million cells a second and core"
        bandwidth = len(tiles) * _BYTES / fetched / 1e9
        for peer, seconds, most in (
            (f"the same bytes moved, {_BYTES} a cell", moved, 2),
            (f"{_BYTES} bytes a cell from main memory, {bandwidth:.1f} GB/s", fetched, 1),
        ):
            rows.append(
                Row(
                    job=f"GloVe, {len(tiles) / 1e6:.1f} M cells, threads: {threads}",
                    peer=peer,
                    ours_seconds=ours,
                    peer_seconds=seconds,
                    target=most,
                    at_most=True,
                    memory=peak_of_both(),
                    note=f"{note}, {seconds / ours:.0%} of this limit",
                )
            )
    return publish("glove", rows, [f"{_WORDS / 1e6:g} M words, {len(tiles.places):,} different"])


def _tiles() -> Tiles:
    windows = HarmonicWindows()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        first_words(folder / "text.txt", _WORDS)
        corpus = encode_files([folder / "text.txt"], folder)
        kept = frequent_words(corpus, min_count=5)
        counts = count_cooccurrences(corpus, kept.rows, kept.counts, windows, folder / "counts")
        return deal(counts, Weighing(windows.scale, 100.0, 0.75), _DIM, 0)


def _epoch(tiles: Tiles, job: Callable[[Indices], None], threads: int) -> None:
    """Go through all tiles, each thread through its share of those that have no word in common."""
    with ThreadPoolExecutor(threads) as pool:
        for shift in range(tiles.side):
            list(pool.map(job, np.array_split(tiles.stratum(shift), threads)))


def _triad_seconds(threads: int) -> float:
    """Return the seconds of a triad of arrays that fit in no cache, in each of the threads."""
    arrays: list[Any] = [
        [np.ones(_TRIAD, dtype=np.float32) for _ in range(3)] for _ in range(threads)
    ]
    with ThreadPoolExecutor(threads) as pool:
        run = lambda: list(pool.map(lambda each: _triad(*each), arrays))  # noqa: E731
        return side_by_side(run, lambda: None, repeats=5)[0]


if __name__ == "__main__":
    main()
