"""Which words stand near which: counted on all cores within bounded memory, kept in the cache.

The corpus is taken in segments. In each, the places of every word are listed, and all places of a
word are visited together, so that the counts of its row stay in the processor's cache; nothing is
hashed and no pair is ever written down. Rows go to disk, and several segments are added up in the
end. Counts are whole numbers, so neither the segments nor the threads make a difference.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import json
import logging
import shutil
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lydite.compiled import compiled, part
from lydite.corpora.documents import open_corpus
from lydite.corpora.preparation import Preparation
from lydite.declare import Param
from lydite.engine import current_engine, in_order
from lydite.errors import InputError, LyditeError, ResourceError
from lydite.files.arrays import DamagedFolderError, discard, map_arrays, seal, working_folder
from lydite.progress import current_progress
from lydite.spaces.vocabulary import PackedWords, bounds
from lydite.storage import cache_dir, sha256_text
from lydite.threads import thread_count
from lydite.trained.encoded_corpus import (
    EncodedCorpus,
    encode_files,
    encode_sentences,
    frequent_words,
)
from lydite.trained.parameters import Sample, Seed, check_declared
from lydite.types import Floats, Indices

#: ``expected`` weighs a context at distance d by (size - d + 1) / size, which is how likely a
#: window of 1 to ``size`` words reaches it; ``sampled`` draws such a window for each place.
Dynamics: TypeAlias = Literal["none", "expected", "sampled"]
WindowSize: TypeAlias = Annotated[
    int, Param("Words on either side of a word.", least=1, option="window", key="window")
]


@dataclass(frozen=True, kw_only=True)
class Windows:
    """Which words are contexts of which; the parameters of Hyperwords' first step.

    Windows lie within the sentence. Hyperwords draws the size of each of its dynamic windows
    (``sampled``); the expectation of that (``expected``) is the same for every seed, and smoother.
    A word of relative frequency f above ``sample`` is left out at each of its places with
    probability ``1 - sqrt(sample / f)``. To ``delete`` words out of the vocabulary and those
    sampled away before windows are laid makes windows wider. What is drawn at a place depends on
    the seed and the place alone.

    References
    ----------
    Levy, Goldberg & Dagan (2015), Improving distributional similarity with lessons learned from
    word embeddings, TACL 3.
    """

    size: WindowSize = 5
    dynamic: Annotated[
        Dynamics, Param("Give near contexts more weight: on average, or by drawn windows.")
    ] = "none"
    sample: Sample = 0.0
    delete: Annotated[bool, Param("Close the gaps that dropped and rare words leave.")] = False
    seed: Seed = 0

    def __post_init__(self) -> None:
        check_declared(self)
        if not 0 <= self.sample <= 1:
            raise InputError(
                f"expected sample to be a relative frequency from 0 to 1, got {self.sample}",
                hint="0 switches subsampling off; word2vec uses 1e-3 to 1e-5",
            )

    @property
    def random(self) -> bool:
        """Whether the counts depend on the seed."""
        return self.sample > 0 or self.dynamic == "sampled"

    @property
    def scale(self) -> float:
        """What a whole context is counted as."""
        return float(self.size) if self.dynamic == "expected" else 1.0

    def weights(self) -> Indices:
        """Return what a context at each distance counts, (size + 1,), in units of 1 / scale.

        >>> Windows(size=3, dynamic="expected").weights().tolist()
        [0, 3, 2, 1]
        """
        if self.dynamic == "expected":
            return np.concatenate([[0], np.arange(self.size, 0, -1)])
        return np.concatenate([[0], np.ones(self.size, dtype=np.int64)])

    def drop_probability(self, counts: Indices) -> Floats:
        """Return how likely each word is left out at a place of it; empty if none ever is.

        >>> Windows(sample=0.1).drop_probability(np.array([40, 60])).round(3).tolist()
        [0.5, 0.592]
        """
        if not self.sample:
            return np.zeros(0)
        threshold = self.sample * float(counts.sum())
        kept = np.sqrt(threshold / np.maximum(counts, threshold))
        return np.asarray(1.0 - kept, dtype=np.float64)


#: A place whose word is out of the vocabulary or was sampled away.
GAP: Final = -1
#: A place that no window reaches across.
BOUNDARY: Final = -2

_STEP = np.uint64(0x9E3779B97F4A7C15)
_LARGEST = np.int64(0xFFFFFFFF)

Ids: TypeAlias = NDArray[np.int32]
Int64s: TypeAlias = NDArray[np.int64]
Tallies: TypeAlias = NDArray[np.uint32]


@part
def _chance(seed: np.uint64, place: int) -> np.uint64:
    """Return 64 random bits that belong to a place of the corpus (splitmix64)."""
    bits = seed + (np.uint64(place) + np.uint64(1)) * _STEP
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


@compiled(lambda t: t.i8(t.i4[::1], t.i8, t.i4[::1], t.f8[::1], t.u8, t.b1, t.i4[::1], t.i8[::1]))
def prepare(
    ids: Ids,
    first: int,
    rows: Ids,
    dropped: Floats,
    seed: np.uint64,
    delete: bool,
    tokens: Ids,
    sizes: Int64s,
) -> int:
    """Turn numbers of words into rows of the matrix.

    - ``ids``: numbers of words; negative after each sentence.
    - ``rows``: the row of each word, negative out of the vocabulary.
    - ``dropped``: for each row, how likely a place of it is sampled away; empty: never.
    - ``delete``: whether words without a row leave no gap.
    - ``tokens``: filled with rows, `GAP` and `BOUNDARY`; two longer than ``ids``.
    - ``sizes`` (n,): raised by the number of places of each row.
    """
    tokens[0] = BOUNDARY
    filled = 1
    for i in range(ids.shape[0]):
        row = np.int32(BOUNDARY)
        if ids[i] >= 0:
            row = rows[ids[i]]
            if row >= 0 and dropped.shape[0] > 0 and dropped[row] > 0.0:
                chance = float(_chance(seed, first + i) >> np.uint64(11)) * 2.0**-53
                if chance <= dropped[row]:
                    row = np.int32(GAP)
            if row >= 0:
                sizes[row] += 1
            elif delete:
                continue
            else:
                row = np.int32(GAP)
        tokens[filled] = row
        filled += 1
    tokens[filled] = BOUNDARY
    return filled + 1


@compiled(lambda t: t.void(t.i4[::1], t.i8[::1], t.i4[::1]))
def list_places(tokens: Ids, ends: Int64s, places: Ids) -> None:
    """List the places of each row, row by row.

    - ``ends``: where the places of each row begin in ``places``; moved to where they end.
    """
    for i in range(tokens.shape[0]):
        row = tokens[i]
        if row >= 0:
            places[ends[row]] = i
            ends[row] += 1


@part
def _sort_columns(sums: NDArray[np.integer[Any]], columns: Ids, start: int, stop: int) -> None:
    """Put the columns whose sums are not 0, and which are listed here, in order."""
    if (stop - start) * 16 <= sums.shape[0]:
        columns[start:stop].sort()
        return
    at = start
    for column in range(sums.shape[0]):
        if sums[column] != 0:
            columns[at] = column
            at += 1


@compiled(
    lambda t: t.i8(
        t.i4[::1],
        t.i8[::1],
        t.i4[::1],
        t.i8,
        t.i8,
        t.i8[::1],
        t.b1,
        t.u8,
        t.i8,
        t.u4[::1],
        t.i4[::1],
        t.u4[::1],
        t.i8[::1],
    )
)
def count_rows(  # noqa: PLR0913, PLR0917 - compiled code takes arrays one by one
    tokens: Ids,
    starts: Int64s,
    places: Ids,
    first: int,
    last: int,
    weights: Int64s,
    sampled: bool,
    seed: np.uint64,
    base: int,
    sums: Tallies,
    columns: Ids,
    values: Tallies,
    lengths: Int64s,
) -> int:
    """Count the contexts of the rows from ``first`` to before ``last``.

    - ``tokens``, ``starts``, ``places``: as `prepare` and `list_places` leave them; row i has
      ``places[starts[i]:starts[i + 1]]``.
    - ``weights`` (window + 1,): what a context at each distance counts.
    - ``sampled``: whether each place has a window of its own, of 1 to ``window`` words.
    - ``base``: how many tokens of the corpus stand before these.
    - ``sums`` (m,), zeros; are zeros again at the end. Only the words of the first m rows
      are taken for contexts. The caller sees to it that no sum can take more than 32 bits.
    - ``columns``, ``values``: filled with the columns and counts of each row, in order.
    - ``lengths`` (last - first,): filled with how many columns each row has.

    Returns how many columns were filled.
    """
    filled = 0
    window = weights.shape[0] - 1
    for row in range(first, last):
        start = filled
        for k in range(starts[row], starts[row + 1]):
            place = int(places[k])
            reach = window
            if sampled:
                chance = _chance(seed, base + place) >> np.uint64(32)
                reach = 1 + int((chance * np.uint64(window)) >> np.uint64(32))
            for side in (-1, 1):
                at = place
                for distance in range(1, reach + 1):
                    at += side
                    token = tokens[at]
                    if token == BOUNDARY:
                        break
                    if 0 <= token < sums.shape[0]:
                        if sums[token] == 0:
                            columns[filled] = token
                            filled += 1
                        sums[token] += np.uint32(weights[distance])
        lengths[row - first] = filled - start
        _sort_columns(sums, columns, start, filled)
        for at in range(start, filled):
            values[at] = sums[columns[at]]
            sums[columns[at]] = 0
    return filled


@compiled(
    lambda t: t.i8(t.i8[:, ::1], t.i4[::1], t.u4[::1], t.i8[::1], t.i4[::1], t.u4[::1], t.i8[::1])
)
def merge_rows(
    bounds: Int64s,
    run_columns: Ids,
    run_values: Tallies,
    sums: Int64s,
    columns: Ids,
    values: Tallies,
    lengths: Int64s,
) -> int:
    """Add up rows of several runs.

    - ``bounds`` (runs, rows + 1): row i of run r is ``bounds[r, i]`` to ``bounds[r, i + 1]``
      of ``run_columns`` and ``run_values``.
    - ``sums`` (n,), zeros; are zeros again at the end.

    Returns how many columns were filled, or -1 if a count takes more than 32 bits.
    """
    filled = 0
    for row in range(bounds.shape[1] - 1):
        start = filled
        for run in range(bounds.shape[0]):
            for at in range(bounds[run, row], bounds[run, row + 1]):
                column = run_columns[at]
                if sums[column] == 0:
                    columns[filled] = column
                    filled += 1
                sums[column] += run_values[at]
        lengths[row] = filled - start
        _sort_columns(sums, columns, start, filled)
        for at in range(start, filled):
            if sums[columns[at]] > _LARGEST:
                return -1
            values[at] = sums[columns[at]]
            sums[columns[at]] = 0
    return filled


#: Columns, counts and row lengths of a few rows.
Piece: TypeAlias = tuple[NDArray[np.int32], NDArray[np.uint32], Indices]

_BLOCK = 1 << 21


@dataclass(frozen=True, kw_only=True, eq=False)
class CountMatrix:
    """Counts in compressed rows."""

    starts: Indices  # (n + 1,): row i is ``starts[i]`` to ``starts[i + 1]`` of the other two
    columns: NDArray[np.int32]
    values: NDArray[np.uint32]  # The counts, none of them 0

    def __len__(self) -> int:
        return len(self.starts) - 1

    def row_sums(self) -> Indices:
        """Return the sum of each row, (n,)."""
        sums = np.zeros(len(self), dtype=np.int64)
        for first, last in row_blocks(np.diff(self.starts), _BLOCK):
            begin, end = self.starts[first], self.starts[last]
            running = bounds(self.values[begin:end].astype(np.int64))
            sums[first:last] = np.diff(running[self.starts[first : last + 1] - begin])
        return sums


def write_counts(pieces: Iterable[Piece], folder: Path) -> CountMatrix:
    """Write rows into a folder as they come, and map them.

    The files are ``columns``, ``values`` and ``starts``.
    """
    folder.mkdir(parents=True, exist_ok=True)
    lengths = []
    with (folder / "columns").open("wb") as columns, (folder / "values").open("wb") as values:
        for piece in pieces:
            columns.write(piece[0].data)
            values.write(piece[1].data)
            lengths.append(piece[2])
    starts = bounds(np.concatenate(lengths))
    starts.tofile(folder / "starts")
    if not starts[-1]:
        empty = np.empty(0, dtype=np.int32)
        return CountMatrix(starts=starts, columns=empty, values=empty.astype(np.uint32))
    # Compiled code takes no read-only arrays; of this kind nothing is ever written back.
    return CountMatrix(
        starts=starts,
        columns=np.memmap(folder / "columns", dtype=np.int32, mode="c").view(np.ndarray),
        values=np.memmap(folder / "values", dtype=np.uint32, mode="c").view(np.ndarray),
    )


def add_counts(runs: Sequence[CountMatrix], width: int, folder: Path) -> CountMatrix:
    """Add matrices up, a few rows at a time.

    A matrix may have fewer rows than the sum, which has ``width`` rows and columns.
    """
    return write_counts(_added(runs, width), folder)


def _added(runs: Sequence[CountMatrix], width: int) -> Iterator[Piece]:
    starts = np.stack([np.pad(run.starts, (0, width - len(run)), mode="edge") for run in runs])
    sums = np.zeros(width, dtype=np.int64)
    for first, last in row_blocks(np.diff(starts).sum(axis=0), _BLOCK):
        taken = [slice(row[first], row[last]) for row in starts]
        columns = np.concatenate([run.columns[s] for run, s in zip(runs, taken, strict=True)])
        values = np.concatenate([run.values[s] for run, s in zip(runs, taken, strict=True)])
        before = bounds(np.array([s.stop - s.start for s in taken]))[:-1]
        inside = starts[:, first : last + 1] - starts[:, first : first + 1] + before[:, None]
        out = np.empty_like(columns), np.empty_like(values), np.empty(last - first, dtype=np.int64)
        filled = merge_rows(np.ascontiguousarray(inside), columns, values, sums, *out)
        if filled < 0:
            raise too_many()
        yield out[0][:filled], out[1][:filled], out[2]


def too_many() -> InputError:
    """Build the error for a count that takes more than 32 bits."""
    return InputError(
        f"expected no two words to occur together more than {(1 << 32) - 1} times, got more",
        hint="leave out frequent words with sample=1e-4",
    )


def row_blocks(sizes: Indices, most: int) -> Iterator[tuple[int, int]]:
    """Divide rows into blocks of at most so many entries, or of one row.

    >>> list(row_blocks(np.array([2, 2, 9, 1, 1]), 4))
    [(0, 2), (2, 3), (3, 5)]
    """
    ends = bounds(sizes)
    first = 0
    while first < len(sizes):
        last = int(np.searchsorted(ends, ends[first] + most, side="right")) - 1
        last = max(last, first + 1)
        yield first, last
        first = last


#: Bytes that counting may take beside the vocabulary.
MEMORY = 1 << 30

_BYTES_A_TOKEN = 16
_LARGEST_PIECE = 1 << 22
_COUNT_BITS = 32
#: Tokens of a segment that is counted in another process: 16 MB of numbers.
_SENT = 1 << 22


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

    - ``rows``: the row, and column, of each word of the corpus; -1 out of the vocabulary. Words
      that share a row are counted as one.
    - ``contexts``: how many rows, from the first on, have a column too; by default all.
    - ``memory``: bytes to keep to, beside the vocabulary. A sentence is never divided, though.

    The matrix has the shape (n, contexts), in units of ``1 / windows.scale``: entry (w, c) is how
    often c is a context of w. It does not depend on ``memory`` and ``threads``.

    >>> import tempfile
    >>> from lydite.trained.encoded_corpus import encode_sentences, frequent_words
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
    engine = current_engine()
    # What is drawn at a place depends on how many places before it were deleted.
    follows = windows.delete and windows.dynamic == "sampled"
    spread = (engine.elsewhere or engine.width > 1) and not follows
    segments = list(_segments(corpus.ids, max(min(most, _SENT) if spread else most, 1)))
    if spread and len(segments) > 1:
        jobs = ((first, corpus.ids[first:last]) for first, last in segments)
        data = (rows, counts, windows, contexts, memory)
        parts = []
        for number, piece in enumerate(in_order(_count_segment, jobs, data=data)):
            parts.append(write_counts([piece], folder / f"run-{number}"))
            current_progress()("counting contexts", segments[number][1], len(corpus.ids))
        return add_counts(parts, len(counts), folder)
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


def _count_segment(
    job: tuple[int, NDArray[np.int32]],
    rows: NDArray[np.int32],
    counts: Indices,
    windows: Windows,
    contexts: int | None,
    memory: int,
) -> Piece:
    """Count one segment, which begins so far into the corpus, in a process of its own."""
    offset, ids = job
    threads = thread_count()
    with ThreadPoolExecutor(threads) as pool:
        # What comes from another process may be read-only, which compiled code does not take.
        writable = np.require(ids, requirements=["C", "W"])
        own = np.require(rows, requirements=["C", "W"])
        counting = _Counting(writable, own, counts, windows, pool, threads, contexts, offset=offset)
        pieces = list(counting.pieces(0, len(ids), max(min(memory // 64, _LARGEST_PIECE), 1)))
    columns, values, lengths = (np.concatenate(part) for part in zip(*pieces, strict=True))
    return columns, values, lengths


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
        *,
        offset: int = 0,
    ) -> None:
        self._ids, self._rows, self._height = ids, rows, len(counts)
        self._width = len(counts) if contexts is None else min(contexts, len(counts))
        self._windows = windows
        self._weights = windows.weights()
        self._dropped = windows.drop_probability(counts)
        self._seed = np.uint64(windows.seed)
        self._pool, self._threads = pool, threads
        self._offset = self._before = offset

    def pieces(self, first: int, last: int, most: int) -> Iterator[Piece]:
        """Count the contexts in a segment, a few rows at a time."""
        tokens = np.empty(last - first + 2, dtype=np.int32)
        sizes = np.zeros(self._height, dtype=np.int64)
        filled = prepare(
            self._ids[first:last],
            self._offset + first,
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


logger = logging.getLogger(__name__)

_LAYOUT = 1
_ARRAYS: dict[str, Any] = {
    "starts": np.int64,
    "columns": np.int32,
    "values": np.uint32,
    "letters": np.uint8,
    "offsets": np.int64,
    "counts": np.int64,
}


@dataclass(frozen=True, kw_only=True)
class Counting:
    """What is counted, and how."""

    #: Of running text; or, without a preparation, of words with white space between, one sentence
    #: or paragraph per line.
    files: Sequence[Path]
    windows: Windows
    min_count: int = 100
    limit: int | None = None
    preparation: Preparation | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class CountedCorpus:
    """The vocabulary of a corpus, the most frequent word first, and its counts."""

    words: PackedWords
    counts: Indices
    #: (n, n), in units of ``1 / windows.scale``: how often each word is a context of each.
    contexts: CountMatrix


@contextlib.contextmanager
def counted(
    counting: Counting, *, sha256: str | None = None, memory: int = MEMORY
) -> Iterator[CountedCorpus]:
    """Count a corpus, or map its counts from the cache.

    Counts that do not depend on a seed are kept under the ``sha256`` of the files; None keeps
    nothing. They are there only inside the ``with``.
    """
    keeps = sha256 is not None and not counting.windows.random
    folder = cache_dir("cooccurrence", f"v{_LAYOUT}") / _key(counting, sha256 or "")
    found = _open(folder) if keeps else None
    if found is not None:
        yield found
        return
    work = working_folder(folder.parent if keeps else None)
    try:
        _write(counting, work, memory)
        found = _open(work)
        if found is None:
            raise ResourceError(
                f"{work}: counts cannot be read back after they were written",
                hint="look for room on the disk",
            )
        if keeps:
            with contextlib.suppress(OSError):
                # Fails when another process was first; its folder is as good as this one.
                work.rename(folder)
        yield found
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _key(counting: Counting, sha256: str) -> str:
    prepared = counting.preparation and dataclasses.asdict(counting.preparation)
    # What is not random does not depend on the seed.
    windows = dataclasses.asdict(counting.windows) | {"seed": None}
    facts = [sha256, windows, counting.min_count, counting.limit, prepared]
    return sha256_text(json.dumps(facts, sort_keys=True))


def _write(counting: Counting, folder: Path, memory: int) -> None:
    """Count the corpus into a folder and seal it."""
    work = folder / "work"
    work.mkdir()
    try:
        if counting.preparation is None:
            corpus = encode_files(counting.files, work)
        else:
            text = open_corpus(counting.files, counting.preparation)
            corpus = encode_sentences(text.sentences(), work)
        kept = frequent_words(corpus, min_count=counting.min_count, limit=counting.limit)
        count_cooccurrences(
            corpus, kept.rows, kept.counts, counting.windows, work / "counts", memory=memory
        )
        for name in ("starts", "columns", "values"):
            (work / "counts" / name).rename(folder / name)
    except LyditeError:
        raise
    except OSError as error:
        raise ResourceError(
            f"{folder}: counting failed: {error}",
            hint="free some space, or name another folder for the cache with LYDITE_CACHE",
        ) from error
    kept.words.letters.tofile(folder / "letters")
    kept.words.offsets.tofile(folder / "offsets")
    kept.counts.tofile(folder / "counts")
    shutil.rmtree(work, ignore_errors=True)
    seal(folder, _ARRAYS)


def _open(folder: Path) -> CountedCorpus | None:
    """Map a folder of counts; None if it is not there, or was damaged and is now gone."""
    try:
        arrays, _ = map_arrays(folder, _ARRAYS)
    except OSError:
        return None
    except DamagedFolderError as error:
        logger.warning("cached counts are damaged (%s) and will be counted again", error)
        discard(folder)
        return None
    return CountedCorpus(
        words=PackedWords(letters=arrays["letters"], offsets=arrays["offsets"]),
        counts=arrays["counts"],
        contexts=CountMatrix(
            starts=arrays["starts"], columns=arrays["columns"], values=arrays["values"]
        ),
    )
