"""Train the network: AdaGrad over minibatches of trees, stopped early.

Some sentences, drawn by the seed, are held out. After each pass over the others the error on these
is measured: the squared distance between words and what was made of them, over all nodes and the
leaves below them, as a share of the distance that the mean word would have. When it has not fallen
for ``patience`` passes training ends, and the weights of the least error are kept.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from lydite.corpora.trees.forest import Forest
from lydite.errors import InputError
from lydite.models.background import check_count, check_number, check_seed
from lydite.models.urae.network import add_gradient, reconstruction_error
from lydite.models.urae.scaling import Scaling, scaling_of
from lydite.models.urae.weights import Reals, first_weights, weights_over
from lydite.spaces.space import CaseRule
from lydite.types import Indices, Vectors, current_progress

logger = logging.getLogger(__name__)

_TINY = 1e-8


@dataclass(frozen=True, kw_only=True)
class UraeRecipe:
    """How the network is trained.

    Attributes
    ----------
    dim
        The number of dimensions.
    epochs
        How often the trees are gone through at most.
    batch
        Trees of a minibatch.
    rate
        The learning rate of AdaGrad: the first step of each weight.
    decay
        Of weights: half of it times their squares is added to the cost; biases go free.
    held_out
        The share of trees that are kept to stop early.
    patience
        Passes without a new least error on these, after which training ends.
    case
        ``fold`` asks again in lower case for words that are absent as written.
    seed
        Of the first weights, of what is held out and of the order of trees.
    """

    dim: int = 200
    epochs: int = 20
    batch: int = 16
    rate: float = 0.01
    decay: float = 1e-4
    held_out: float = 0.05
    patience: int = 3
    case: CaseRule = "fold"
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("dim", "epochs", "batch", "patience"):
            check_count(name, getattr(self, name), least=1)
        check_number("rate", self.rate, least=0, above=True)
        check_number("decay", self.decay, least=0)
        check_number("held_out", self.held_out, least=0, above=True)
        if self.held_out >= 1:
            raise InputError(f"expected a share below 1 to hold out, got {self.held_out}")
        if self.case not in {"exact", "fold"}:
            raise InputError(f"expected case to be exact or fold, got {self.case!r}")
        check_seed(self.seed)


@dataclass(frozen=True, kw_only=True)
class Pass:
    """What a pass over the trees came to.

    Attributes
    ----------
    trained
        The error on the trees trained on, while the weights were changing.
    held_out
        The error on the others, at the end.
    seconds
        How long it took.
    """

    trained: float
    held_out: float
    seconds: float


@dataclass(frozen=True, kw_only=True, eq=False)
class TrainedUrae:
    """A network and how it came about.

    Attributes
    ----------
    weights
        Shape (m,), float32: see :func:`~lydite.models.urae.weights.weights_over`.
    scaling
        Of the word vectors.
    passes
        One after the other.
    best
        Which of them the weights are of.
    unknown
        The share of tokens without a vector.
    """

    weights: Vectors
    scaling: Scaling
    passes: tuple[Pass, ...]
    best: int
    unknown: float


def train_urae(forest: Forest, words: object, recipe: UraeRecipe) -> TrainedUrae:
    """Train the network on trees.

    Parameters
    ----------
    forest
        Trees; those of one word teach nothing.
    words
        A word model.
    recipe
        How.

    Raises
    ------
    InputError
        If there are fewer than two trees of several words, or no vectors for their words.

    Examples
    --------
    >>> from lydite.corpora.trees.branching import branched
    >>> from lydite.models.catalogue import load
    >>> forest = branched([["a", "cat", "sat"], ["a", "dog", "ran"]] * 4, "right")
    >>> trained = train_urae(forest, load("random(3)"), UraeRecipe(dim=4, epochs=2))
    >>> trained.weights.shape, len(trained.passes)
    ((107,), 2)
    """
    scaling = scaling_of(words, forest, case=recipe.case)
    table = scaling.words(words, forest.words, case=recipe.case)
    training = _Training(forest, table.vectors, recipe)
    passes: list[Pass] = []
    best, kept = 0, training.weights.copy()
    for done in training.passes():
        passes.append(done)
        if done.held_out <= passes[best].held_out:
            best, kept = len(passes) - 1, training.weights.copy()
        if len(passes) - 1 - best >= recipe.patience:
            break
    if not np.isfinite(passes[best].held_out):
        raise InputError(
            f"expected an error that is a number, got {passes[best].held_out}",
            hint="lower the rate",
        )
    unknown = 1 - float(table.found[forest.tokens[forest.leaves]].mean())
    return TrainedUrae(
        weights=kept, scaling=scaling, passes=tuple(passes), best=best, unknown=unknown
    )


class _Training:
    """The weights as they are, and what changes them."""

    def __init__(self, forest: Forest, words: Vectors, recipe: UraeRecipe) -> None:
        random = np.random.default_rng(recipe.seed)
        several = np.flatnonzero(forest.heights[forest.roots] > 0)
        if len(several) < 2:
            raise InputError(
                f"expected at least 2 trees of several words, got {len(several)}",
                hint="give more trees to train on",
            )
        held = max(1, round(recipe.held_out * len(several)))
        drawn = random.permutation(several)
        self._held_out = forest.take(np.sort(drawn[:held]))
        self._forest = forest.take(np.sort(drawn[held:]))
        self._words = words
        self._recipe = recipe
        self._random = random
        self._size = (recipe.dim, words.shape[1])
        self.weights: Vectors = first_weights(*self._size, seed=recipe.seed).astype(np.float32)
        self._squares = np.zeros_like(self.weights)

    def passes(self) -> Iterator[Pass]:
        whole = _distances(self._forest, self._words)
        whole_held_out = _distances(self._held_out, self._words)
        progress = current_progress()
        for number in range(self._recipe.epochs):
            started = time.perf_counter()
            error = self._go_through(number)
            held_out = reconstruction_error(
                weights_over(self.weights, *self._size), self._held_out, self._words
            )
            done = Pass(
                trained=error / whole,
                held_out=held_out / whole_held_out,
                seconds=time.perf_counter() - started,
            )
            logger.info("pass %d: %s", number + 1, done)
            progress("passes over the trees", number + 1, self._recipe.epochs)
            yield done

    def _go_through(self, number: int) -> float:
        order = self._random.permutation(len(self._forest))
        progress = current_progress()
        error = 0.0
        for start in range(0, len(order), self._recipe.batch):
            trees = order[start : start + self._recipe.batch]
            error += self._step(np.sort(trees))
            progress(f"trees, pass {number + 1}", start + len(trees), len(order))
        return error

    def _step(self, trees: Indices) -> float:
        forest = self._forest.take(trees)
        cost = cost_of(self.weights, self._size, forest, self._words, decay=self._recipe.decay)
        self._squares += cost.gradient**2
        self.weights -= self._recipe.rate * cost.gradient / (np.sqrt(self._squares) + _TINY)
        return cost.error


class Cost(NamedTuple):
    """What training makes small.

    Attributes
    ----------
    cost
        The error of a node on average, and half the decay times the squares of the matrices.
    error
        The squared distances of all reconstructed leaves, summed over all inner nodes.
    gradient
        Shape (m,): of the cost.
    """

    cost: float
    error: float
    gradient: Reals


def cost_of(
    weights: Reals, size: tuple[int, int], forest: Forest, words: Reals, *, decay: float
) -> Cost:
    """Return the cost of m weights for some trees, and its gradient.

    Parameters
    ----------
    weights
        Shape (m,), float32 or float64.
    size
        The dimensions of the network and of the word vectors.
    forest
        Trees over v words, one of them at least with an inner node.
    words
        Shape (v, w), of the same type as the weights.
    decay
        Of weights.
    """
    gradient = np.zeros_like(weights)
    error = add_gradient(weights_over(weights, *size), forest, words, weights_over(gradient, *size))
    nodes = np.count_nonzero(~forest.leaves)
    gradient /= nodes
    squares = 0.0
    for matrix, slope in zip(
        weights_over(weights, *size), weights_over(gradient, *size), strict=True
    ):
        if matrix.ndim == 2:
            slope[:] += decay * matrix
            squares += float(np.vdot(matrix, matrix))
    return Cost(cost=error / nodes + decay / 2 * squares, error=error, gradient=gradient)


def _distances(forest: Forest, words: Reals) -> float:
    """Return the squared lengths of the words, summed over the leaves below all inner nodes."""
    squares = np.einsum("ij,ij->i", words, words, dtype=np.float64)
    at_leaves = np.where(forest.leaves, squares[forest.tokens], 0.0)
    until = np.concatenate([[0.0], np.cumsum(at_leaves)])
    inner = np.flatnonzero(~forest.leaves)
    # In postfix order the nodes below one stand right before it.
    return float((until[inner + 1] - until[inner + 2 - 2 * forest.widths[inner]]).sum())
