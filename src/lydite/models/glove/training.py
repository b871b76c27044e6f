"""Train GloVe on the co-occurrence counts of a corpus."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from lydite.corpora.cooccurrence.cache import CountedCorpus
from lydite.corpora.cooccurrence.counts import CountMatrix
from lydite.corpora.cooccurrence.windows import Windows
from lydite.errors import InputError
from lydite.models.background import check_count, check_number, check_seed
from lydite.models.glove.kernel import Weighing, learn_tiles
from lydite.models.glove.tiles import Tiles, deal
from lydite.spaces.space import Space, content_digest
from lydite.spaces.vocabulary import Vocabulary
from lydite.threads import thread_count
from lydite.types import Floats, Indices, Vectors, current_progress


@dataclass(frozen=True, kw_only=True)
class GloveRecipe:
    """How GloVe is trained (Pennington, Socher & Manning 2014).

    Minimises ``1/2 Σ f(x_ij) (w_i · c_j + b_i + d_j - log x_ij)²`` over all cells that are not 0,
    with ``f(x) = min(1, (x / x_max)^weight_power)``, by AdaGrad, a cell at a time. As in the
    authors' program, the sums of AdaGrad begin at 1 and the steps that are squared have the
    learning rate in them.

    Attributes
    ----------
    dim
        The number of dimensions.
    epochs
        How often all cells are gone through; the authors take 50 below 300 dimensions.
    x_max, weight_power
        Of the weighting function: from which count on all cells weigh the same, and how fast rarer
        ones weigh less (the paper's alpha). An x_max of 100 is the paper's, for 1 to 42 billion
        words; the authors' own demonstration on 17 million (text8) takes 10.
    alpha
        The learning rate.
    seed
        Of the first vectors and of the order of cells. The same seed gives the same bits on one
        machine, however many threads there are.
    """

    dim: int = 100
    epochs: int = 25
    x_max: float = 100.0
    weight_power: float = 0.75
    alpha: float = 0.05
    seed: int = 0

    def __post_init__(self) -> None:
        check_count("dim", self.dim, least=1)
        check_count("epochs", self.epochs, least=1)
        check_number("x_max", self.x_max, least=0, above=True)
        check_number("weight_power", self.weight_power, least=0)
        check_number("alpha", self.alpha, least=0, above=True)
        check_seed(self.seed)


@dataclass(frozen=True, kw_only=True, eq=False)
class Fitted:
    """What was fitted to counts.

    Attributes
    ----------
    words, contexts
        Shape (n, dim): w and c.
    word_biases, context_biases
        Shape (n,): b and d.
    costs
        Shape (epochs,): the mean of what is minimised over the cells, each taken before it was
        learnt.
    """

    words: Vectors
    contexts: Vectors
    word_biases: Vectors
    context_biases: Vectors
    costs: Floats


def glove_space(corpus: CountedCorpus, windows: Windows, recipe: GloveRecipe) -> Space:
    """Make a space of a corpus that is counted in these windows.

    Returns
    -------
    Space
        The words in their order, with ``counts``. Vectors are the sums of those as word and as
        context, w + c, of which ``contexts`` keeps c. Words that never stand beside another of
        the vocabulary are left out.
    """
    fitted = fit_glove(corpus.contexts, recipe, scale=windows.scale)
    kept = np.flatnonzero(np.diff(corpus.contexts.starts))
    packed = corpus.words.take(kept)
    counts = corpus.counts[kept].astype(np.float64)
    contexts = fitted.contexts[kept]
    vectors = fitted.words[kept] + contexts
    return Space(
        vocabulary=Vocabulary.build(packed),
        vectors=vectors,
        counts=counts,
        contexts=contexts,
        spec="glove",
        fingerprint=content_digest(packed, vectors, counts=counts, contexts=contexts),
    )


def fit_glove(
    counts: CountMatrix, recipe: GloveRecipe, *, scale: float = 1.0, threads: int | None = None
) -> Fitted:
    """Fit vectors to counts.

    Parameters
    ----------
    counts
        Shape (n, n), in units of ``1 / scale``.
    recipe
        How.
    threads
        How many; by default all cores. They change nothing but the time it takes.

    Raises
    ------
    InputError
        If there is no cell to learn from, or the learning rate was too high.

    Examples
    --------
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
            total = _epoch(_Job(tiles, words, contexts, recipe.alpha, threads), order, pool)
            costs[epoch] = total / len(tiles)
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


class _Job(NamedTuple):
    """What all epochs share."""

    tiles: Tiles
    words: Vectors
    contexts: Vectors
    rate: float
    threads: int


def _epoch(job: _Job, order: Indices, pool: ThreadPoolExecutor) -> float:
    """Go through all cells once, in strata of that order, and return what they cost."""
    costs = np.zeros(job.tiles.side**2)
    for shift in order.tolist():
        parts = [
            pool.submit(
                learn_tiles, job.tiles.cells, share, job.words, job.contexts, job.rate, costs
            )
            for share in _shares(job.tiles, job.tiles.stratum(shift), job.threads)
        ]
        for part in parts:
            part.result()
    return float(costs.sum())


def _shares(tiles: Tiles, stratum: Indices, count: int) -> list[Indices]:
    """Divide tiles that may be learnt side by side into shares of about as many cells."""
    sizes = tiles.cells.starts[stratum + 1] - tiles.cells.starts[stratum]
    ends = np.cumsum(sizes)
    edges = np.searchsorted(ends, np.linspace(0, ends[-1], count + 1)[1:-1])
    return [np.ascontiguousarray(share) for share in np.split(stratum, edges)]
