"""GloVe, trained on the co-occurrence counts of a corpus.

Words are put into blocks at random. Tile (i, j) holds the cells of words of block i with contexts
of block j; tiles (i, i + s), for one s, share neither a word nor a context. Threads that go through
them at the same time never write to the same vector, so that it does not matter how many there are
(stratified gradient descent, Gemulla et al. 2011); and the vectors of a tile stay in the
processor's cache while its cells are learned.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lydite.compiled import compiled, part, record
from lydite.declare import Inline, Param
from lydite.errors import InputError
from lydite.models.contexts import check_number
from lydite.progress import current_progress
from lydite.spaces.space import Space
from lydite.spaces.vocabulary import bounds
from lydite.threads import thread_count
from lydite.trained.cooccurrence import CountedCorpus, CountMatrix, Windows, WindowSize, row_blocks
from lydite.trained.family import (
    FrequentWords,
    SpaceFamily,
    SpaceRecipe,
    space_examples,
    trained_space,
)
from lydite.trained.parameters import Alpha, Dim, Seed, check_declared
from lydite.trained.zoo.corpus import SharedCorpus
from lydite.types import Floats, Indices, Vectors

#: The least common multiple of 1 to 10: the finest unit that leaves counts room in 32 bits.
_FINEST = 2520


@dataclass(frozen=True, kw_only=True)
class HarmonicWindows(Windows):
    """Windows that weigh a context at distance d by 1/d (Pennington et al. 2014, section 4.2).

    Counts are whole numbers, in units of 1/2520 from a size of 9 on, and before that of the least
    common multiple of all distances. In windows of up to 10 words all weights are exact; in wider
    ones those that are not are rounded, by 0.1 % of the weight at most up to 15 words. Two words
    may stand side by side 1.7 million times.

    >>> windows = HarmonicWindows(size=4)
    >>> windows.weights().tolist(), windows.scale
    ([0, 12, 6, 4, 3], 12.0)
    """

    size: WindowSize = 10
    harmonic: bool = True  # Always true: keeps these counts apart from others in the cache

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.dynamic != "none" or not self.harmonic:
            raise InputError(
                f"expected windows that weigh by 1/distance alone, got dynamic={self.dynamic!r}",
                hint="use Windows for weights of the other kinds",
            )

    @property
    def scale(self) -> float:
        """What a context at distance 1 is counted as."""
        return float(min(math.lcm(*range(1, self.size + 1)), _FINEST))

    def weights(self) -> Indices:
        """Return what a context at each distance counts, (size + 1,), in units of 1 / scale."""
        exact = self.scale / np.arange(1, self.size + 1)
        return np.concatenate([[0], np.rint(exact).astype(np.int64)])


Int32s: TypeAlias = NDArray[np.int32]
Int64s: TypeAlias = NDArray[np.int64]
Tallies: TypeAlias = NDArray[np.uint32]
Singles: TypeAlias = NDArray[np.float32]

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

    - ``places`` (n,): where each word stands among the blocks.
    - ``side``: how many blocks there are; tile (i, j) has the number ``i * side + j``.
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

    - ``words``, ``contexts`` (n, 2, dim + 1): in ``[i, 0]`` the vector of word i and its
      bias, in ``[i, 1]`` the sums of their squared steps.
    - ``costs`` (side * side,): filled with half the weighted squared error of each of the
      tiles, each cell's before it was learned.
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


#: Bytes of the vectors of a tile, and how many blocks there are at least, to be shared out.
_TILE_BYTES = 1 << 20
_FEWEST_BLOCKS = 16
_BLOCK = 1 << 21


@dataclass(frozen=True, kw_only=True, eq=False)
class Tiles:
    """Cells by tile."""

    cells: Tiled
    places: NDArray[np.int32]  # (n,): which row of the vectors is that of each word
    side: int  # How many blocks there are; tile (i, j) has the number ``i * side + j``

    def __len__(self) -> int:
        return int(self.cells.starts[-1])

    def stratum(self, shift: int) -> Indices:
        """Return the tiles (i, i + shift), which share no word and no context, (side,)."""
        blocks = np.arange(self.side)
        return blocks * self.side + (blocks + shift) % self.side


def deal(counts: CountMatrix, weighing: Weighing, dim: int, seed: int) -> Tiles:
    """Deal the cells of a matrix into tiles, in a random order within each."""
    bytes_a_word = 2 * 2 * (dim + 1) * np.dtype(np.float32).itemsize
    wanted = max(_FEWEST_BLOCKS, -(-len(counts) * bytes_a_word // _TILE_BYTES))
    height = -(-len(counts) // wanted)
    side = -(-len(counts) // height)
    places = np.random.default_rng(seed).permutation(len(counts)).astype(np.int32)
    sizes = np.zeros(side * side, dtype=np.int64)
    for rows in _parts(counts):
        count_cells(rows, places, height, side, sizes)
    starts = bounds(sizes)
    cells = Tiled(
        starts,
        *(np.empty(starts[-1], dtype=np.int32) for _ in range(2)),
        *(np.empty(starts[-1], dtype=np.float32) for _ in range(2)),
    )
    filled = starts[:-1].copy()
    # Compiled code takes no whole numbers for others.
    numbers = Weighing(*map(float, weighing))
    for rows in _parts(counts):
        deal_cells(rows, places, height, side, numbers, cells, filled)
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


@dataclass(frozen=True, kw_only=True)
class GloveRecipe:
    """How GloVe is trained (Pennington, Socher & Manning 2014).

    Minimizes ``1/2 Σ f(x_ij) (w_i · c_j + b_i + d_j - log x_ij)²`` over all cells that are not 0,
    with ``f(x) = min(1, (x / x_max)^weight_power)``, by AdaGrad, a cell at a time. As in the
    authors' program, the sums of AdaGrad begin at 1 and the steps that are squared have the
    learning rate in them.

    The authors go 50 times through all cells below 300 dimensions. ``weight_power`` is the paper's
    alpha, and its x_max is 100, for 1 to 42 billion words; the authors' own demonstration on 17
    million (text8) takes 10. The seed is that of the first vectors and of the order of cells: the
    same seed gives the same bits on one machine, however many threads there are.
    """

    dim: Dim = 100
    epochs: Annotated[int, Param("Passes over the counts.", least=1)] = 25
    x_max: Annotated[
        float,
        Param(
            "Count from which all word pairs have the same weight. 100 suits billions of words; "
            "use 10 for tens of millions, as the authors do for 17 million (text8).",
            above=0,
        ),
    ] = 100.0
    weight_power: Annotated[float, Param("Exponent that lowers the weight of rarer pairs.")] = 0.75
    alpha: Alpha = 0.05
    seed: Seed = 0

    def __post_init__(self) -> None:
        check_declared(self)
        check_number("weight_power", self.weight_power, least=0)


@dataclass(frozen=True, kw_only=True, eq=False)
class Fitted:
    """What was fitted to counts."""

    #: ``words``, ``contexts`` (n, dim): w and c.
    words: Vectors
    contexts: Vectors
    #: ``word_biases``, ``context_biases`` (n,): b and d.
    word_biases: Vectors
    context_biases: Vectors
    #: (epochs,): the mean of what is minimized over the cells, each taken before it was
    #: learned.
    costs: Floats


def glove_space(corpus: CountedCorpus, windows: Windows, recipe: GloveRecipe) -> Space:
    """Make a space of a corpus that is counted in these windows.

    Vectors are the sums of those as word and as context, w + c, of which ``contexts`` keeps c.
    Words that never stand beside another of the vocabulary are left out.
    """
    fitted = fit_glove(corpus.contexts, recipe, scale=windows.scale)
    kept = np.flatnonzero(np.diff(corpus.contexts.starts))
    contexts = fitted.contexts[kept]
    vectors = fitted.words[kept] + contexts
    return trained_space(
        corpus.words.take(kept), vectors, corpus.counts[kept], contexts, spec="glove"
    )


def fit_glove(
    counts: CountMatrix, recipe: GloveRecipe, *, scale: float = 1.0, threads: int | None = None
) -> Fitted:
    """Fit vectors to counts.

    ``counts`` are in units of ``1 / scale``. Threads change nothing but the time it takes.

    >>> values = np.array([8, 8, 2], dtype=np.uint32)
    >>> columns = np.array([1, 0, 1], dtype=np.int32)
    >>> counts = CountMatrix(starts=np.array([0, 1, 3]), columns=columns, values=values)
    >>> fitted = fit_glove(counts, GloveRecipe(dim=2, epochs=400, alpha=0.5))
    >>> fitted.words.shape, bool(fitted.costs[-1] < 0.001 * fitted.costs[0])
    ((2, 2), True)
    """
    if not counts.starts[-1]:
        raise InputError(
            "expected words of the vocabulary beside each other, got none",
            hint="use a larger corpus, a wider window, or a smaller min_count",
        )
    weighing = Weighing(scale, recipe.x_max, recipe.weight_power)
    tiles = deal(counts, weighing, recipe.dim, recipe.seed)
    generator = np.random.default_rng([recipe.seed, 1])
    words, contexts = (_first(generator, len(counts), recipe.dim) for _ in range(2))
    costs = np.empty(recipe.epochs)
    threads = threads or thread_count()
    with ThreadPoolExecutor(threads) as pool:
        for epoch in range(recipe.epochs):
            order = generator.permutation(tiles.side)
            of_tiles = np.zeros(tiles.side**2)
            for shift in order.tolist():
                pending = [
                    pool.submit(
                        learn_tiles, tiles.cells, share, words, contexts, recipe.alpha, of_tiles
                    )
                    for share in _shares(tiles, tiles.stratum(shift), threads)
                ]
                for share in pending:
                    share.result()
            costs[epoch] = float(of_tiles.sum()) / len(tiles)
            current_progress()("fitting glove", epoch + 1, recipe.epochs)
    if not np.isfinite(words[:, 0]).all() or not np.isfinite(contexts[:, 0]).all():
        raise InputError(
            f"expected vectors to settle, got infinite ones with a learning rate of {recipe.alpha}",
            hint="use a smaller alpha; 0.05 is usual",
        )
    words, contexts = words[tiles.places, 0], contexts[tiles.places, 0]
    return Fitted(
        words=np.ascontiguousarray(words[:, :-1]),
        contexts=np.ascontiguousarray(contexts[:, :-1]),
        word_biases=words[:, -1].copy(),
        context_biases=contexts[:, -1].copy(),
        costs=costs,
    )


def _first(generator: np.random.Generator, words: int, dim: int) -> Vectors:
    """Return vectors with biases, drawn as the authors do, and the sums of AdaGrad."""
    state = np.ones((words, 2, dim + 1), dtype=np.float32)
    state[:, 0] = (generator.random((words, dim + 1), dtype=np.float32) - 0.5) / dim
    return state


def _shares(tiles: Tiles, stratum: Indices, count: int) -> list[Indices]:
    """Divide tiles that may be learned side by side into shares of about as many cells."""
    sizes = tiles.cells.starts[stratum + 1] - tiles.cells.starts[stratum]
    ends = np.cumsum(sizes)
    edges = np.searchsorted(ends, np.linspace(0, ends[-1], count + 1)[1:-1])
    return [np.ascontiguousarray(share) for share in np.split(stratum, edges)]


@dataclass(frozen=True, kw_only=True)
class GloveFamily(SpaceFamily):
    """Spaces by GloVe."""

    fit: Annotated[GloveRecipe, Inline()] = GloveRecipe()
    windows: Annotated[HarmonicWindows, Inline(without=("dynamic", "harmonic"))] = HarmonicWindows()
    words: Annotated[FrequentWords, Inline()] = field(default_factory=FrequentWords)

    @property
    def name(self) -> str:
        """What the family is called."""
        return "glove"

    def make(self, corpus: SharedCorpus) -> Space:
        """Count co-occurrences, then fit vectors to them."""
        counts = corpus.counted(self.windows, self.words.min_count, self.words.limit)
        return glove_space(counts, self.windows, self.fit)


@dataclass(frozen=True, kw_only=True)
class GloveTraining(SpaceRecipe):
    """Train GloVe: count co-occurrences, then fit vectors to their logarithms.

    All cores are used; the same seed gives the same bits, however many there are.
    """

    name: ClassVar[str] = "glove"
    examples: ClassVar[tuple[str, ...]] = space_examples("glove", "--epochs 50 --x-max 10")

    family: Annotated[GloveFamily, Inline()] = GloveFamily()
