"""Count which words stand near which, on all cores and within bounded memory.

The corpus is taken in segments. In each, the places of every word are listed, and the rows of the
matrix are counted one after the other; the counts go to disk. Several segments are added up in the
end. Counts are whole numbers, so neither the segments nor the threads make a difference.
"""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lydite.corpora.cooccurrence.cooccurrence_kernel import count_rows, list_places, prepare
from lydite.corpora.cooccurrence.counts import (
    CountMatrix,
    Piece,
    add_counts,
    row_blocks,
    write_counts,
)
from lydite.corpora.cooccurrence.encoding import EncodedCorpus
from lydite.corpora.cooccurrence.windows import Windows
from lydite.errors import InputError
from lydite.spaces.vocabulary import bounds
from lydite.threads import thread_count
from lydite.types import Indices, current_progress

#: Bytes that counting may take beside the vocabulary.
MEMORY = 1 << 30

_BYTES_A_TOKEN = 16
_LARGEST_PIECE = 1 << 22
_COUNT_BITS = 32


def count_cooccurrences(
    corpus: EncodedCorpus,
    rows: NDArray[np.int32],
    counts: Indices,
    windows: Windows,
    folder: Path,
    *,
    contexts: int | None = None,
    memory: int = MEMORY,
    threads: int | None = None,
) -> CountMatrix:
    """Count the contexts of words.

    Parameters
    ----------
    corpus
        Sentences as numbers of words.
    rows
        The row, and column, of each word of the corpus; -1 out of the vocabulary. Words that share
        a row are counted as one.
    counts
        Shape (n,): how often the word of each row stands, for subsampling.
    windows
        What is a context.
    folder
        Where the counts go; they are there as long as it is.
    contexts
        How many rows, from the first on, have a column too; by default all.
    memory
        Bytes to keep to, beside the vocabulary. A sentence is never divided, though.
    threads
        How many; by default all cores.

    Returns
    -------
    CountMatrix
        Shape (n, contexts), in units of ``1 / windows.scale``: entry (w, c) is how often c is a
        context of w. It does not depend on ``memory`` and ``threads``.

    Examples
    --------
    >>> import tempfile
    >>> from lydite.corpora.cooccurrence.encoding import encode_sentences, frequent_words
    >>> with tempfile.TemporaryDirectory() as name:
    ...     corpus = encode_sentences(["a b a".split(), "b c".split()], Path(name))
    ...     kept = frequent_words(corpus)
    ...     found = count_cooccurrences(
    ...         corpus, kept.rows, kept.counts, Windows(size=1), Path(name) / "counts"
    ...     )
    ...     kept.words.to_list(), found.columns.tolist(), found.values.tolist()
    (['a', 'b', 'c'], [1, 0, 2, 1], [2, 2, 1, 1])
    """
    if not len(counts):
        raise InputError("expected a vocabulary, got no words")
    weights = windows.weights()
    # The sum of a row in one segment has to fit into 32 bits.
    most = min(memory // _BYTES_A_TOKEN, (1 << _COUNT_BITS) // int(2 * weights.sum()), 1 << 30)
    segments = list(_segments(corpus.ids, max(most, 1)))
    with ThreadPoolExecutor(threads or thread_count()) as pool:
        job = _Counting(
            corpus.ids, rows, counts, windows, pool, threads or thread_count(), contexts
        )
        runs = []
        for number, (first, last) in enumerate(segments):
            pieces = job.pieces(first, last, max(min(memory // 64, _LARGEST_PIECE), 1))
            run = folder / f"run-{number}" if len(segments) > 1 else folder
            runs.append(write_counts(pieces, run))
            current_progress()("counting contexts", last, len(corpus.ids))
    return runs[0] if len(runs) == 1 else add_counts(runs, len(counts), folder)


def _segments(ids: NDArray[np.int32], most: int) -> Iterator[tuple[int, int]]:
    """Divide a corpus into whole sentences, of so many tokens where a sentence has no more."""
    first = 0
    while True:
        last = min(first + most, len(ids))
        ends = np.flatnonzero(ids[first:last] < 0)
        if len(ends):
            last = first + int(ends[-1]) + 1
        while last < len(ids) and ids[last - 1] >= 0:
            last += 1
        yield first, last
        first = last
        if first == len(ids):
            return


class _Counting:
    """What all segments share."""

    def __init__(
        self,
        ids: NDArray[np.int32],
        rows: NDArray[np.int32],
        counts: Indices,
        windows: Windows,
        pool: ThreadPoolExecutor,
        threads: int,
        contexts: int | None,
    ) -> None:
        self._ids, self._rows, self._height = ids, rows, len(counts)
        self._width = len(counts) if contexts is None else min(contexts, len(counts))
        self._windows = windows
        self._weights = windows.weights()
        self._dropped = windows.drop_probability(counts)
        self._seed = np.uint64(windows.seed)
        self._pool, self._threads = pool, threads
        self._before = 0

    def pieces(self, first: int, last: int, most: int) -> Iterator[Piece]:
        """Count the contexts in a segment, a few rows at a time."""
        tokens = np.empty(last - first + 2, dtype=np.int32)
        sizes = np.zeros(self._height, dtype=np.int64)
        filled = prepare(
            self._ids[first:last],
            first,
            self._rows,
            self._dropped,
            self._seed,
            self._windows.delete,
            tokens,
            sizes,
        )
        tokens = tokens[:filled]
        starts = bounds(sizes)
        places = np.empty(int(starts[-1]), dtype=np.int32)
        list_places(tokens, starts[:-1].copy(), places)
        # However often a word stands, it has no more contexts than there are columns.
        room = np.minimum(sizes * 2 * self._windows.size, self._width)
        base, self._before = self._before, self._before + filled - 2

        def count(block: tuple[int, int]) -> Piece:
            begin, end = block
            space = int(room[begin:end].sum())
            columns, values = np.empty(space, dtype=np.int32), np.empty(space, dtype=np.uint32)
            lengths = np.empty(end - begin, dtype=np.int64)
            found = count_rows(
                tokens,
                starts,
                places,
                begin,
                end,
                self._weights,
                self._windows.dynamic == "sampled",
                # Not the numbers that subsampling has drawn.
                self._seed ^ np.uint64(1 << 63),
                base,
                np.zeros(self._width, dtype=np.uint32),
                columns,
                values,
                lengths,
            )
            return columns[:found].copy(), values[:found].copy(), lengths

        return _in_order(self._pool, count, row_blocks(room, most), self._threads + 1)


def _in_order(
    pool: ThreadPoolExecutor,
    job: Callable[[tuple[int, int]], Piece],
    blocks: Iterable[tuple[int, int]],
    most: int,
) -> Iterator[Piece]:
    """Yield results in the order of the blocks, with no more than so many at a time."""
    waiting: deque[Future[Piece]] = deque()
    for block in blocks:
        if len(waiting) == most:
            yield waiting.popleft().result()
        waiting.append(pool.submit(functools.partial(job, block)))
    while waiting:
        yield waiting.popleft().result()
