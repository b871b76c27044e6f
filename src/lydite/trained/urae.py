"""The unfolding recursive autoencoder: network, training, file, and the model of texts.

Up: ``p = tanh(We [c1; c2] + be)`` at every inner node, all nodes of one height at once. Down: from
every inner node, ``[c1'; c2'] = tanh(Wd p' + bd)`` to the leaves below it, all copies at one depth
at once. The cost is the squared distance between the words and what was made of them, summed over
the leaves below a node, averaged over nodes, and the squares of the matrices:

``J = 1/|T| sum_n sum_l |x_l - x'_l|^2 + decay/2 sum |W|^2``

(Socher et al. 2011, equations 3 to 5). Between words and leaves stands a layer where their
dimensions differ: ``c = tanh(Wl x + bl)`` and ``x' = Wb c' + bb``; where they are equal, words are
leaves.

Some sentences, drawn by the seed, are held out. After each pass over the others the error on these
is measured: that distance, as a share of what the mean word would have. When it has not fallen for
``patience`` passes training ends, and the weights of the least error are kept.

Tensors of a file are the matrices of `Weights`, ``mean`` (w,) and ``scale`` (1,) of the word
vectors, and ``seen``, the sorted hashes of the sentences trained on. The metadata hold
``provenance``, as JSON: ``recipe``, ``words`` (spec, fingerprint and dimensions of the word model)
and what the file was made from.
"""

from __future__ import annotations

import dataclasses
import logging
import time
from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, TypeAlias, TypedDict

import numpy as np
from numpy.typing import NDArray

from lydite.corpora.documents import open_corpus
from lydite.corpora.paraphrases.load import every_sentence
from lydite.declare import Field, Inline, ModelSlot, Param, Slot, State
from lydite.errors import FormatError, InputError, LyditeError, ResourceError, UnsuitableModelError
from lydite.files.tensors import read_provenance, read_tensors, write_tensors
from lydite.models.catalogue import Model, load, model_fingerprint, model_spec
from lydite.models.embedding_cache import as_texts
from lydite.models.protocols import WordModel
from lydite.models.words import find_words
from lydite.progress import current_progress
from lydite.recipe import Product, Recipe
from lydite.resources.catalogue import Located, locate
from lydite.results.provenance import versions
from lydite.spaces.space import CaseRule
from lydite.spaces.vocabulary import Hashes
from lydite.storage import sha256_file, sha256_text, user_path
from lydite.trained.inputs import (
    check_network_file,
    check_other_file,
    located_as,
    named,
    paths_of,
    running_text,
)
from lydite.trained.parameters import Dim, Excluded, SafetensorsFile, Seed, check_declared
from lydite.trained.parsed.spacy import RAW
from lydite.trained.training_overlap import find_hashes, sentence_hash
from lydite.trained.trees import (
    SPACY,
    Forest,
    TextTrees,
    read_trees,
    text_key,
    text_trees,
    tree_keys,
)
from lydite.types import Floats, Indices, Mask, PlainMapping, Vectors

#: In standard deviations: what becomes 1, which is as far as a hyperbolic tangent reaches.
_REACH = 4.0


class ScaledWords(NamedTuple):
    """Vectors of words, (v, w), and which of the words have one, (v,); the others have zeros."""

    vectors: Vectors
    found: Mask


@dataclass(frozen=True, kw_only=True, eq=False)
class Scaling:
    """Where the middle of the word vectors is, and how far from it they reach.

    The mean and the standard deviation are over the tokens of the training trees: one mean a
    dimension, and one deviation for all, so that directions stay as they are.
    """

    mean: Vectors
    scale: float  # What vectors are divided by: four standard deviations

    def words(self, model: object, words: Sequence[str], *, case: CaseRule) -> ScaledWords:
        """Look words up; an unknown one gets the mean of the known ones, which is zero."""
        lookup = find_words(model, list(words) or [""], case=case)
        vectors = (lookup.vectors[: len(words)] - self.mean) / np.float32(self.scale)
        found = lookup.found[: len(words)]
        vectors[~found] = 0
        return ScaledWords(vectors, found)


def scaling_of(model: object, forest: Forest, *, case: CaseRule) -> Scaling:
    """Measure the words of training trees."""
    lookup = find_words(model, forest.words, case=case)
    tokens = forest.tokens[forest.leaves]
    counts = np.bincount(tokens, minlength=len(forest.words)) * lookup.found
    if np.count_nonzero(counts) < 2:
        raise InputError(
            f"expected vectors for the words of the trees, but {model_spec(model)} has "
            f"{np.count_nonzero(counts)} of {len(forest.words):,} words",
            hint="is the space of another language, or cased otherwise than the trees?",
        )
    vectors = lookup.vectors.astype(np.float64)
    mean = counts @ vectors / counts.sum()
    squares = counts @ (vectors - mean) ** 2 / counts.sum()
    scale = _REACH * float(np.sqrt(squares.mean()))
    return Scaling(mean=mean.astype(np.float32), scale=scale or 1.0)


#: float32 in use, float64 where gradients are checked.
Reals: TypeAlias = NDArray[np.floating[Any]]


class Weights(NamedTuple):
    """The matrices of a network of d dimensions over word vectors of w."""

    #: ``encoder``, ``encoder_bias`` (d, 2d) and (d,): two children to their parent.
    encoder: Reals
    encoder_bias: Reals
    #: ``decoder``, ``decoder_bias`` (2d, d) and (2d,): a parent back to its children.
    decoder: Reals
    decoder_bias: Reals
    #: ``leaf``, ``leaf_bias`` (d, w) and (d,): a word to a leaf; without elements if d = w,
    #: where words are leaves.
    leaf: Reals
    leaf_bias: Reals
    #: ``back``, ``back_bias`` (w, d) and (w,): a leaf back to a word; likewise.
    back: Reals
    back_bias: Reals


def weights_over(vector: Reals, dim: int, width: int) -> Weights:
    """Return the matrices whose numbers stand in a vector one after the other, as views."""
    shapes = _shapes(dim, width)
    ends = np.cumsum([int(np.prod(shape)) for shape in shapes])
    parts = np.split(vector, ends[:-1])
    return Weights(*(part.reshape(shape) for part, shape in zip(parts, shapes, strict=True)))


def count_weights(dim: int, width: int) -> int:
    """Return how many numbers there are to learn.

    >>> count_weights(200, 50)
    180850
    """
    return sum(int(np.prod(shape)) for shape in _shapes(dim, width))


def first_weights(dim: int, width: int, *, seed: int) -> Floats:
    """Draw the numbers to begin with.

    Matrices are uniform in ± sqrt(6 / (rows + columns)), after Glorot & Bengio (2010), biases 0.
    """
    random = np.random.default_rng(seed)
    vector = np.zeros(count_weights(dim, width))
    drawn = weights_over(vector, dim, width)
    for matrix in (drawn.encoder, drawn.decoder, drawn.leaf, drawn.back):
        if matrix.size:
            bound = np.sqrt(6 / sum(matrix.shape))
            matrix[:] = random.uniform(-bound, bound, matrix.shape)
    return vector


def _shapes(dim: int, width: int) -> tuple[tuple[int, ...], ...]:
    own = dim if dim != width else 0
    back = width if dim != width else 0
    return (
        (dim, 2 * dim),
        (dim,),
        (2 * dim, dim),
        (2 * dim,),
        (own, width),
        (own,),
        (back, dim),
        (back,),
    )


#: Nodes that are unfolded at the same time: about 60 MB with 200 dimensions. The tree of a long
#: sentence that branches to one side has as many below its nodes as the square of its length.
_UNFOLDED = 1 << 14


def encode_nodes(weights: Weights, forest: Forest, words: Reals) -> Reals:
    """Return the vector of every node, (n, d).

    - ``words`` (v, w): the vectors of the words.
    """
    leaves = np.flatnonzero(forest.leaves)
    vectors = np.empty((len(forest.tokens), len(weights.encoder)), dtype=words.dtype)
    met = words[forest.tokens[leaves]]
    if weights.leaf.size:
        met = np.tanh(met @ weights.leaf.T + weights.leaf_bias)
    vectors[leaves] = met
    for nodes in _by_height(forest):
        vectors[nodes] = np.tanh(
            _children(vectors, forest, nodes) @ weights.encoder.T + weights.encoder_bias
        )
    return vectors


def reconstruction_error(weights: Weights, forest: Forest, words: Reals) -> float:
    """Return the squared distances of all reconstructed leaves, summed over all inner nodes."""
    vectors = encode_nodes(weights, forest, words)
    return sum(
        sum(level.error for level in _unfold(weights, forest, words, vectors, nodes))
        for nodes in _chunks(forest)
    )


def add_gradient(weights: Weights, forest: Forest, words: Reals, gradient: Weights) -> float:
    """Add the gradient of :func:`reconstruction_error` to ``gradient``; return the error."""
    vectors = encode_nodes(weights, forest, words)
    wanted = np.zeros_like(vectors)
    error = 0.0
    for nodes in _chunks(forest):
        levels = list(_unfold(weights, forest, words, vectors, nodes))
        error += sum(level.error for level in levels)
        wanted[nodes] = _fold_back(weights, levels, gradient)
    _back_down(weights, forest, words, vectors, wanted, gradient)
    return error


def _by_height(forest: Forest) -> list[Indices]:
    """Return the inner nodes, those of one height together, from the lowest up."""
    order = np.argsort(forest.heights, kind="stable")
    highest = int(forest.heights.max(initial=0))
    ends = np.searchsorted(forest.heights[order], np.arange(1, highest + 1))
    return np.split(order, ends)[1:]


def _children(vectors: Reals, forest: Forest, nodes: Indices) -> Reals:
    """Return both children side by side, (p, 2d)."""
    pairs = np.stack([forest.left[nodes], forest.right[nodes]], axis=1)
    return vectors[pairs].reshape(len(nodes), -1)


def _chunks(forest: Forest) -> Iterator[Indices]:
    """Yield inner nodes, as many at a time as there is memory to unfold."""
    inner = np.flatnonzero(~forest.leaves)
    until = np.cumsum(forest.widths[inner] - 1)
    for part in np.split(inner, np.flatnonzero(np.diff(until // _UNFOLDED)) + 1):
        if len(part):
            yield part


class _Level(NamedTuple):
    """What is unfolded at one depth: p copies of inner nodes to 2p of their children."""

    parents: Reals  # (p, d)
    children: Reals  # (2p, d), left and right in turn
    #: ``leaves``, ``inner``: which of the children are which.
    leaves: Indices
    inner: Indices
    difference: Reals  # (leaves, w): what was made of words, less the words
    error: float  # The squares of the differences, summed


def _unfold(
    weights: Weights, forest: Forest, words: Reals, vectors: Reals, nodes: Indices
) -> Iterator[_Level]:
    """Yield one depth below the nodes after the other."""
    parents = vectors[nodes]
    while len(nodes):
        children = np.tanh(parents @ weights.decoder.T + weights.decoder_bias)
        children = children.reshape(2 * len(nodes), -1)
        below = np.stack([forest.left[nodes], forest.right[nodes]], axis=1).ravel()
        tokens = forest.tokens[below]
        leaves, inner = np.flatnonzero(tokens >= 0), np.flatnonzero(tokens < 0)
        made = children[leaves]
        if weights.back.size:
            made = made @ weights.back.T + weights.back_bias
        made -= words[tokens[leaves]]
        error = float(np.vdot(made, made))
        yield _Level(parents, children, leaves, inner, made, error)
        nodes, parents = below[inner], children[inner]


def _fold_back(weights: Weights, levels: list[_Level], gradient: Weights) -> Reals:
    """Add the decoder's gradient; return that of the vectors that were unfolded."""
    above = levels[-1].parents[:0]
    for level in reversed(levels):
        slope = np.empty_like(level.children)
        at_leaves = 2 * level.difference
        if weights.back.size:
            gradient.back[:] += at_leaves.T @ level.children[level.leaves]
            gradient.back_bias[:] += at_leaves.sum(axis=0)
            at_leaves = at_leaves @ weights.back
        slope[level.leaves] = at_leaves
        slope[level.inner] = above
        slope *= 1 - level.children**2
        slope = slope.reshape(len(level.parents), -1)
        gradient.decoder[:] += slope.T @ level.parents
        gradient.decoder_bias[:] += slope.sum(axis=0)
        above = slope @ weights.decoder
    return above


def _back_down(
    weights: Weights,
    forest: Forest,
    words: Reals,
    vectors: Reals,
    wanted: Reals,
    gradient: Weights,
) -> None:
    """Add the encoder's gradient, from the roots down; ``wanted`` is that of each node's vector."""
    for nodes in reversed(_by_height(forest)):
        slope = wanted[nodes] * (1 - vectors[nodes] ** 2)
        gradient.encoder[:] += slope.T @ _children(vectors, forest, nodes)
        gradient.encoder_bias[:] += slope.sum(axis=0)
        below = slope @ weights.encoder
        # A node has one parent, so that nothing is added to the same row twice.
        left, right = np.split(below, 2, axis=1)
        wanted[forest.left[nodes]] += left
        wanted[forest.right[nodes]] += right
    if weights.leaf.size:
        leaves = np.flatnonzero(forest.leaves)
        slope = wanted[leaves] * (1 - vectors[leaves] ** 2)
        gradient.leaf[:] += slope.T @ words[forest.tokens[leaves]]
        gradient.leaf_bias[:] += slope.sum(axis=0)


logger = logging.getLogger(__name__)

_TINY = 1e-8


@dataclass(frozen=True, kw_only=True)
class UraeRecipe:
    """How the network is trained, by AdaGrad: ``rate`` is the first step of each weight.

    Half of ``decay`` times the squares of the weights is added to the cost; biases go free. The
    seed is that of the first weights, of what is held out and of the order of trees.
    """

    dim: Dim = 200
    epochs: Annotated[int, Param("Maximum number of passes over the trees.", least=1)] = 20
    batch: Annotated[int, Param("Trees per minibatch.", least=1)] = 16
    rate: Annotated[float, Param("The learning rate of AdaGrad.", above=0)] = 0.01
    decay: Annotated[float, Param("Weight decay.", least=0)] = 1e-4
    held_out: Annotated[
        float, Param("Share of trees held out to decide when to stop.", above=0)
    ] = 0.05
    patience: Annotated[
        int,
        Param("Stop after this many passes without progress on the held-out trees.", least=1),
    ] = 3
    case: Annotated[CaseRule, Param("fold: look up absent words in lower case.")] = "fold"
    seed: Seed = 0

    def __post_init__(self) -> None:
        check_declared(self)
        if self.held_out >= 1:
            raise InputError(f"expected a share below 1 to hold out, got {self.held_out}")


@dataclass(frozen=True, kw_only=True)
class Pass:
    """What a pass over the trees came to."""

    trained: float  # The error on the trees trained on, while the weights were changing
    held_out: float  # The error on the others, at the end
    seconds: float


@dataclass(frozen=True, kw_only=True, eq=False)
class TrainedUrae:
    """A network and how it came about."""

    weights: Vectors
    scaling: Scaling
    passes: tuple[Pass, ...]
    best: int  # Which of the passes the weights are of
    unknown: float  # The share of tokens without a vector


def train_urae(forest: Forest, words: object, recipe: UraeRecipe) -> TrainedUrae:
    """Train the network on trees.

    Trees of one word teach nothing.

    >>> from lydite.trained.trees import branched
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
    """What training makes small."""

    #: The error of a node on average, and half the decay times the squares of the matrices.
    cost: float
    error: float  # The squared distances of all reconstructed leaves, summed over all inner nodes
    gradient: Reals


def cost_of(
    weights: Reals, size: tuple[int, int], forest: Forest, words: Reals, *, decay: float
) -> Cost:
    """Return the cost of m weights for some trees, and its gradient.

    - ``size``: the dimensions of the network and of the word vectors.
    - ``words`` (v, w), of the same type as the weights.
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


_HINT = "lydite train urae writes such files"


class WordsUsed(TypedDict):
    """Which word model a network was trained on."""

    spec: str
    fingerprint: str | None
    dim: int


@dataclass(frozen=True, kw_only=True, eq=False)
class Autoencoder:
    """What a file holds."""

    weights: Weights
    scaling: Scaling
    recipe: UraeRecipe
    words: WordsUsed
    seen: Hashes


def autoencoder(
    trained: TrainedUrae, forest: Forest, words: object, recipe: UraeRecipe
) -> Autoencoder:
    """Put together what is to be written."""
    width = len(trained.scaling.mean)
    hashes = [sentence_hash((key,)) for key in tree_keys(forest)]
    return Autoencoder(
        weights=weights_over(trained.weights, recipe.dim, width),
        scaling=trained.scaling,
        recipe=recipe,
        words={
            "spec": model_spec(words),
            "fingerprint": model_fingerprint(words),
            "dim": width,
        },
        seen=np.unique(np.array(hashes, dtype=np.uint64)),
    )


def write_autoencoder(
    network: Autoencoder, path: Path, *, provenance: PlainMapping | None = None
) -> None:
    """Write a network, atomically, with what it was made from."""
    check_network_file(path)
    tensors: dict[str, NDArray[Any]] = {
        **{name: tensor for name, tensor in network.weights._asdict().items() if tensor.size},
        "mean": network.scaling.mean,
        "scale": np.array([network.scaling.scale]),
        "seen": network.seen,
    }
    about = {
        **(provenance or {}),
        "recipe": dataclasses.asdict(network.recipe),
        "words": network.words,
    }
    write_tensors(tensors, path, provenance=about)


def read_autoencoder(path: Path) -> Autoencoder:
    """Open a trained network."""
    if not path.is_file():
        raise ResourceError(f"{path}: expected a file of a trained urae, found none", hint=_HINT)
    tensors, about = read_tensors(path, hint=_HINT), read_provenance(path, hint=_HINT)
    try:
        recipe = UraeRecipe(**about["recipe"])
        used = about["words"]
        words = WordsUsed(
            spec=str(used["spec"]), fingerprint=used["fingerprint"], dim=int(used["dim"])
        )
    except (KeyError, TypeError, InputError) as error:
        raise FormatError(
            "expected a trained urae, got safetensors without a training recipe",
            path=path,
            hint=_HINT,
        ) from error
    weights = _weights(path, tensors, recipe.dim, words["dim"])
    _check(path, tensors, {"mean": (words["dim"],), "scale": (1,)})
    return Autoencoder(
        weights=weights,
        scaling=Scaling(mean=tensors["mean"], scale=float(tensors["scale"][0])),
        recipe=recipe,
        words=words,
        seen=tensors.get("seen", np.zeros(0, dtype=np.uint64)),
    )


def _weights(path: Path, tensors: dict[str, NDArray[Any]], dim: int, width: int) -> Weights:
    weights = weights_over(np.zeros(count_weights(dim, width), dtype=np.float32), dim, width)
    wanted = {name: part for name, part in weights._asdict().items() if part.size}
    _check(path, tensors, {name: part.shape for name, part in wanted.items()})
    for name, part in wanted.items():
        part[:] = tensors[name]
    return weights


def _check(
    path: Path, tensors: dict[str, NDArray[Any]], expected: dict[str, tuple[int, ...]]
) -> None:
    for name, shape in expected.items():
        got = tensors[name].shape if name in tensors else "nothing"
        if got != shape:
            raise FormatError(
                f"expected numbers of the shape {shape} in {name!r}, got {got}",
                path=path,
                hint=_HINT,
            )
        if not np.isfinite(tensors[name]).all():
            raise FormatError(
                f"expected finite numbers in {name!r}, got others", path=path, hint=_HINT
            )


_TEXTS = 512


@dataclass(frozen=True, eq=False)
class Urae(Model):
    """Unfolding recursive autoencoder, from a file of ``lydite train urae``.

    A text has the vector at the root of its tree.

    Notes
    -----
    A word without a vector is a leaf like the mean of the words trained on.

    References
    ----------
    Socher, Huang, Pennington, Ng & Manning, "Dynamic pooling and unfolding recursive autoencoders
    for paraphrase detection", NIPS 2011.
    """

    name: ClassVar[str] = "urae"

    path: Annotated[str, Param("The file.")]
    _: KW_ONLY
    words: Annotated[
        WordModel | None,
        Param("The word model that it was trained on; by default the one that the file names."),
    ] = None
    trees: Annotated[
        str,
        Param(
            "``spacy``: binarised dependency trees (extra ``parse``). ``right``, ``left``, "
            "``balanced``: by the number of words. A name or a file: bracketed trees over the "
            "texts themselves."
        ),
    ] = SPACY
    tokenizer: Annotated[
        str, Param("What cuts texts into words, for ``right``, ``left`` and ``balanced``.")
    ] = "words"
    network: Annotated[Autoencoder, State]
    parser: Annotated[TextTrees, State]

    @classmethod
    def open(
        cls, path: str, *, words: object = None, trees: str = SPACY, tokenizer: str = "words"
    ) -> Urae:
        """Read the file, and open the word model and what makes the trees."""
        network = read_autoencoder(user_path(path))
        return cls(
            path,
            words=_words(path, network, words),
            trees=trees,
            tokenizer=tokenizer,
            network=network,
            parser=text_trees(trees, tokenizer=tokenizer),
        )

    def spec_value(self, field: Field) -> Any:  # noqa: ANN401
        """Return what the spec says of a field; not the words that the file names."""
        value = super().spec_value(field)
        named = field.name == "words" and model_spec(value) == self.network.words["spec"]
        return None if named else value

    @cached_property
    def fingerprint(self) -> str:
        """The sha256 of the file, of the word model and of the trees."""
        file = sha256_file(user_path(self.path))
        return sha256_text(f"{file} {model_fingerprint(self.words)} {self.parser.fingerprint}")

    def encode(self, texts: Sequence[str], /) -> Vectors:
        """Return one vector per text, (n, dim); zero where no word is known.

        The vector of a single word is that of its leaf.
        """
        texts = as_texts(texts)
        vectors = np.zeros((len(texts), self.network.recipe.dim), dtype=np.float32)
        # Each text once: the last bits of a product depend on what else is multiplied.
        places = {text: place for place, text in enumerate(dict.fromkeys(texts)) if text.split()}
        rows = self._encode_all(list(places))
        numbers = {text: row for row, text in enumerate(places)}
        there = [place for place, text in enumerate(texts) if text in numbers]
        vectors[there] = rows[[numbers[texts[place]] for place in there]]
        return vectors

    def saw(self, texts: Sequence[str], /) -> Mask:
        """Return which of the texts have the letters of a sentence trained on, (n,)."""
        return find_hashes(((text_key(text),) for text in as_texts(texts)), self.network.seen)

    def _encode_all(self, texts: list[str]) -> Vectors:
        vectors = np.zeros((len(texts), self.network.recipe.dim), dtype=np.float32)
        progress = current_progress()
        for start in range(0, len(texts), _TEXTS):
            part = texts[start : start + _TEXTS]
            vectors[start : start + len(part)] = self._encode(part)
            progress("encoding trees", start + len(part), len(texts))
        return vectors

    def _encode(self, texts: list[str]) -> Vectors:
        forest = self.parser.trees(texts)
        case = self.network.recipe.case
        table = self.network.scaling.words(self.words, forest.words, case=case)
        nodes = encode_nodes(self.network.weights, forest, table.vectors)
        known = np.concatenate([[0], np.cumsum(forest.leaves & table.found[forest.tokens])])
        inside = known[forest.roots + 1] - known[forest.roots + 1 - forest.sizes()]
        return np.asarray(np.where(inside[:, None] > 0, nodes[forest.roots], 0), dtype=np.float32)


def _words(path: str, network: Autoencoder, words: object) -> WordModel:
    """Open the word model, which has to be the one that the network was trained on."""
    used = network.words
    try:
        model = load(used["spec"] if words is None else words)
    except LyditeError as error:
        if words is None:
            raise UnsuitableModelError(
                f"{path} was trained on {used['spec']}, which cannot be opened: {error.message}",
                hint=f"give its path: urae({path}, words=...)",
            ) from error
        raise
    if not isinstance(model, WordModel):
        raise UnsuitableModelError(
            f"urae needs word vectors, but {model_spec(model)} has none",
            hint=f"give it the words that it was trained on: {used['spec']}",
        )
    got = model_fingerprint(model)
    width = model.lookup(["the"]).vectors.shape[1]
    if width != used["dim"] or (used["fingerprint"] and got and got != used["fingerprint"]):
        raise UnsuitableModelError(
            f"{path} was trained on {used['spec']} of {used['dim']} dimensions (fingerprint "
            f"{_short(used['fingerprint'])}), got {model_spec(model)} of {width} ({_short(got)})",
            hint="give it the words that it was trained on, or train it again on these: lydite "
            "train urae --words",
        )
    return model


def _short(fingerprint: str | None) -> str:
    return fingerprint[:12] if fingerprint else "unknown"


@dataclass(frozen=True, kw_only=True)
class UraeTraining(Recipe):
    """Train an unfolding recursive autoencoder on trees, or on text that is parsed first.

    The file keeps the network, hashes of the training sentences, which word vectors it uses, and
    what it was made from; it does not contain the word vectors themselves.
    """

    name: ClassVar[str] = "urae"
    examples: ClassVar[tuple[str, ...]] = (
        "train urae --trees sst-trees --words glove-6b-50d --out urae.safetensors",
        "train urae --trees mine.mrg --words space.safetensors --out mine.safetensors --dim 100",
        "train urae --corpus news.txt --limit 150000 --words glove-6b-50d --out news.safetensors",
        "train urae --trees mine.mrg --exclude groups.csv --words vectors.txt "
        "--out mine.safetensors",
        "localization 'urae(urae.safetensors)' --groups msrp-grouped",
    )

    words: Annotated[str, ModelSlot("words", "The word vectors to use.")]
    out: SafetensorsFile
    trees: Annotated[
        tuple[str, ...],
        Slot(
            "trees",
            "Trees in brackets: files, folders or names; gz, xz, zst, zip, tar.",
            accepts=("treebank",),
        ),
    ] = ()
    corpus: Annotated[
        tuple[str, ...],
        Slot(
            "corpus",
            "Running text instead of trees; --parser parses its sentences.",
            accepts=("corpus", "book"),
        ),
    ] = ()
    parser: Annotated[
        Literal["spacy", "right", "left", "balanced"],
        Param("spacy parses English (extra parse); the others depend only on the number of words."),
    ] = "spacy"
    limit: Annotated[int | None, Param("Take only the first sentences of the corpus.", least=2)] = (
        None
    )
    exclude: Excluded = ()
    recipe: Annotated[UraeRecipe, Inline()] = UraeRecipe()
    binarised: Annotated[
        Literal["right", "left"],
        Param("Side on which nodes with more than two children are binarized."),
    ] = "right"

    def run(self) -> Product:
        """Read or make the trees, train on them and write the network."""
        target = user_path(self.out)
        check_network_file(target)
        if bool(self.trees) == bool(self.corpus):
            raise InputError(
                "expected either trees or a corpus to train on",
                hint="--trees reads what is parsed already, --corpus parses running text",
            )
        treebanks = located_as(self.trees, ("treebank",), "trees")
        corpora = running_text(self.corpus)
        check_other_file(self.out, [*treebanks, *corpora])
        without = [locate(source) for source in self.exclude]
        model = load(self.words)
        if corpora:
            forest, parser = self._parsed(corpora)
            source = {"corpus": named(corpora), "parser": parser, "limit": self.limit}
        else:
            forest = read_trees(paths_of(treebanks), binarised=self.binarised)
            source = {"trees": named(treebanks), "binarised": self.binarised}
        kept = _not_in(without, forest)
        trained = train_urae(kept, model, self.recipe)
        about = {
            **source,
            "excluded": named(without),
            "text": {**_course(kept, trained), "left_out": len(forest) - len(kept)},
            "versions": versions(),
        }
        network = autoencoder(trained, kept, model, self.recipe)
        write_autoencoder(network, target, provenance=about)
        left = f", {len(forest) - len(kept):,} left out" if without else ""
        return Product(
            line=f"{self.recipe.dim} dimensions from {len(kept):,} trees{left}; pass "
            f"{trained.best + 1} of {len(trained.passes)} was best, with "
            f"{trained.passes[trained.best].held_out:.3f} of the words' variance not "
            f"reconstructed: {self.out}"
        )

    def _parsed(self, corpora: Sequence[Located]) -> tuple[Forest, str]:
        """Give the sentences of running text trees; return these and who did it."""
        source = text_trees(self.parser)
        sentences = open_corpus(paths_of(corpora), RAW).sentences()
        texts = [" ".join(tokens) for tokens in islice(sentences, self.limit)]
        return source.trees(texts), source.fingerprint


def _not_in(groups: Sequence[Located], forest: Forest) -> Forest:
    """Return the trees of sentences that are in none of these paraphrase groups."""
    if not groups:
        return forest
    keys = {text_key(text) for source in groups for text in every_sentence(source.paths)}
    return forest.take(np.flatnonzero([key not in keys for key in tree_keys(forest)]))


def _course(forest: Forest, trained: TrainedUrae) -> PlainMapping:
    """Return how training went, without the seconds, which differ from run to run."""
    return {
        "trees": len(forest),
        "tokens": int(forest.leaves.sum()),
        "unknown_tokens": trained.unknown,
        "best_pass": trained.best + 1,
        "errors": [each.trained for each in trained.passes],
        "errors_held_out": [each.held_out for each in trained.passes],
    }
