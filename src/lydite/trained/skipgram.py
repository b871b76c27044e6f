"""The skip-gram family: one compiled loop over the corpus for all architectures.

Whatever predicts (a vector, a mean, a weighed mean, vectors side by side) and whatever is
predicted, the step is the same: a few output vectors are set against what predicts them, and both
are moved. Only what happens before and after it differs.

Skip-gram and CBOW are here beside gensim's (`lydite.trained.gensim_engine`) so that what differs
between them and their relatives, which no maintained library has, is the model and not the program;
gensim is what others use and compare with. docs/decisions/009-the-zoo.md has the figures.

Mikolov et al., "Distributed representations of words and phrases and their compositionality", 2013;
Ling et al., "Two/too simple adaptations of word2vec for syntax problems", NAACL 2015 (a), and "Not
all contexts are created equal: better word representations with variable attention", EMNLP 2015
(b).
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Final, Literal, NamedTuple, Self, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from lydite.compiled import compiled, intrinsic_part, part, part_with, record
from lydite.corpora.documents import open_corpus
from lydite.declare import Inline, Param
from lydite.errors import InputError
from lydite.models.contexts import check_window, keep_probability
from lydite.progress import current_progress
from lydite.recipe import Product
from lydite.spaces.space import Space
from lydite.trained.encoded_corpus import EncodedCorpus, WordRows, frequent_words
from lydite.trained.family import SpaceFamily, SpaceRecipe, space_examples, trained_space
from lydite.trained.gensim_engine import Word2VecRecipe, train_word2vec, versions_with_gensim
from lydite.trained.inputs import paths_of
from lydite.trained.parameters import (
    Alpha,
    Dim,
    Epochs,
    Limit,
    MinCount,
    Negative,
    Sample,
    Seed,
    Window,
    Workers,
    check_declared,
)
from lydite.trained.zoo.corpus import SharedCorpus
from lydite.types import Floats

Architecture: TypeAlias = Literal[
    "skipgram", "cbow", "structured-skipgram", "cwindow", "cbow-attention"
]
ARCHITECTURES: Final[tuple[Architecture, ...]] = get_args(Architecture)

#: Those to which every position of the window is alike.
PLAIN: Final[frozenset[Architecture]] = frozenset({"skipgram", "cbow"})
#: Those with an output matrix for each position of the window.
STRUCTURED: Final[frozenset[Architecture]] = frozenset({"structured-skipgram", "cwindow"})


@dataclass(frozen=True, kw_only=True)
class SkipgramRecipe:
    """How a model is trained, by negative sampling.

    ``skipgram``: a word predicts each word around it; ``cbow``: the mean of the words around a word
    predicts it (Mikolov et al. 2013). ``structured-skipgram`` and ``cwindow``: the same, with
    output vectors of their own for each position in the window, and with the words around laid
    side by side instead of averaged (Ling et al. 2015a). ``cbow-attention``: the words around are
    weighed by what each word at each position is worth (Ling et al. 2015b).

    Windows lie within the sentence, of the words that are left. By default their size is drawn for
    ``skipgram`` and ``cbow`` alone, as in the code of their authors: the others learn by themselves
    what a position is worth. Negative samples are drawn by their frequency to the power of 0.75;
    one that is the true word by chance is skipped. The learning rate falls in a straight line to
    0.0001. Only with one thread does the same seed give the same bits, on one kind of processor:
    several write to the same vectors without waiting for each other (Recht et al. 2011).
    """

    architecture: Architecture = "skipgram"
    dim: Dim = 100
    window: Window = 5
    dynamic: Annotated[
        bool | None,
        Param("Draw the window size at each position, from 1 to --window.", default="no-dynamic"),
    ] = None
    negative: Negative = 5
    min_count: MinCount = 5
    limit: Limit = None
    epochs: Epochs = 5
    sample: Sample = 1e-3
    alpha: Alpha = 0.025
    seed: Seed = 0
    workers: Workers = 1

    def __post_init__(self) -> None:
        check_declared(self)

    @property
    def draws_windows(self) -> bool:
        """Whether the size of each window is drawn."""
        return self.architecture in PLAIN if self.dynamic is None else self.dynamic

    @property
    def matrices(self) -> int:
        """How many output matrices there are: one, or one per position of the window."""
        return 2 * self.window if self.architecture in STRUCTURED else 1


#: A longer sentence is taken in pieces of so many words, so that the room for it is bounded.
LONGEST: Final = 10_000

SKIPGRAM: Final = 0
CBOW: Final = 1
STRUCTURED_SKIPGRAM: Final = 2
CWINDOW: Final = 3
CBOW_ATTENTION: Final = 4

Int32s: TypeAlias = NDArray[np.int32]
Int64s: TypeAlias = NDArray[np.int64]
UInt64s: TypeAlias = NDArray[np.uint64]
Float32s: TypeAlias = NDArray[np.float32]
Float64s: TypeAlias = NDArray[np.float64]


class Weights(NamedTuple):
    """What is learned about v words.

    ``inputs`` (v, d) and ``outputs`` (v, matrices, d). ``worth`` (v + 1, 2 window), of attention
    alone and else without rows: what each word is worth at each position, and in the last row the
    position by itself.
    """

    inputs: Float32s
    outputs: Float32s
    worth: Float32s


class Plan(NamedTuple):
    """The recipe as numbers.

    ``rows`` are those of the words of the corpus, -1 out of the vocabulary; ``keep`` (v,) is how
    likely a token of each row is kept; ``table`` (v,) draws negatives. The rate falls from
    ``alpha`` to ``least`` while ``places`` of the corpus are gone through, all epochs together.
    """

    rows: Int32s
    keep: Float64s
    table: UInt64s
    architecture: int
    window: int
    dynamic: bool
    negative: int
    alpha: float
    least: float
    places: int


class Room(NamedTuple):
    """Room that a thread works in.

    ``kept`` are the rows of a sentence. ``places`` are rows of what predicts, one per position;
    ``words`` the rows predicted, the true one first, and ``gains`` how far each is moved.
    ``errors`` (2 window + 1, d) is where what predicts is to move. ``hidden`` (1, d) is a mean,
    which takes the last of the places, ``shares`` what part of it each position has, and
    ``slopes`` what is gained by more of it.
    """

    kept: Int32s
    places: Int64s
    words: Int64s
    gains: Float32s
    errors: Float32s
    hidden: Float32s
    shares: Float32s
    slopes: Float32s


#: What the state moves by before each draw (splitmix64).
STEP: Final = np.uint64(0x9E3779B97F4A7C15)
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_WHOLE = float(1 << 32)


def alias_table(weights: Floats) -> NDArray[np.uint64]:
    """Make a table to draw from n words by their weights.

    A word i is drawn evenly, and 32 random bits beside it; where these are below the upper half of
    entry i, the draw is i, and otherwise the word in the lower half. Chances are right to 2^-32 of
    1 / n.

    >>> table = alias_table(np.array([3.0, 1.0]))
    >>> [(hex(entry >> 32), entry & 0xFFFFFFFF) for entry in table.tolist()]
    [('0xffffffff', 0), ('0x80000000', 0)]
    """
    shares = np.asarray(weights, dtype=np.float64)
    shares = shares * (len(shares) / shares.sum())
    others = np.arange(len(shares))
    small = np.flatnonzero(shares < 1).tolist()
    large = np.flatnonzero(shares >= 1).tolist()
    left = shares.tolist()
    while small and large:
        low, high = small.pop(), large[-1]
        others[low] = high
        left[high] -= 1 - left[low]
        if left[high] < 1:
            small.append(large.pop())
    # What is left over is whole but for rounding.
    shares = np.array(left)
    shares[[*small, *large]] = 1
    upper = np.minimum(np.floor(shares * _WHOLE), _WHOLE - 1).astype(np.uint64)
    return (upper << _HALF) | others.astype(np.uint64)


@part
def mix(bits: np.uint64) -> np.uint64:
    """Scramble 64 bits (the finalizer of splitmix64)."""
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


@part
def below(bits: np.uint64, count: int) -> np.int64:
    """Turn the upper half of random bits into a whole number below another."""
    return np.int64(((bits >> _HALF) * np.uint64(count)) >> _HALF)


@part
def draw_words(
    target: int, state: np.uint64, negative: int, table: UInt64s, words: Int64s
) -> tuple[int, np.uint64]:
    """Put the true word first and others behind it; returns how many, and the state."""
    words[0] = target
    filled = 1
    for _ in range(negative):
        state += STEP
        bits = mix(state)
        word = below(bits, table.shape[0])
        entry = table[word]
        if bits & _LOW >= entry >> _HALF:
            word = np.int64(entry & _LOW)
        words[filled] = word
        filled += int(word != target)
    return filled, state


#: Numbers of four bytes in a line of cache.
_LINE = 16


@intrinsic_part
def _fetch(_typing: Any, array: Any, row: Any, matrix: Any, column: Any) -> Any:  # noqa: ANN401
    """Ask for the line that an element is in, to write to it; nothing waits for it."""
    from llvmlite import ir  # type: ignore[import-untyped]
    from numba import types
    from numba.core import cgutils

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ANN401
        kind = signature.args[0]
        held = context.make_array(kind)(context, builder, arguments[0])
        place: Any = cgutils.get_item_pointer
        element = place(context, builder, kind, held, arguments[1:], wraparound=False)
        pointer, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        asked = ir.FunctionType(ir.VoidType(), [pointer, number, number, number])
        prefetch = builder.module.declare_intrinsic("llvm.prefetch", [pointer], asked)
        write, near, data = number(1), number(3), number(1)
        builder.call(prefetch, [builder.bitcast(element, pointer), write, near, data])
        return context.get_dummy_value()

    return types.none(array, types.intp, types.intp, types.intp), generate


@part
def fetch_words(outputs: Float32s, matrix: int, words: Int64s, count: int) -> None:
    """Ask for the output vectors of all words of a step at once.

    Where there is a matrix for each position, they are seldom in the cache, and asking for one
    after the other takes longer than all products with them.
    """
    for k in range(count):
        for i in range(0, outputs.shape[2], _LINE):
            _fetch(outputs, words[k], matrix, i)  # type: ignore[call-arg]


#: Sums may be taken in any order: eight products at a time.
_fast_part = part_with(fastmath={"reassoc", "contract", "nsz"})
#: Written out where it is called: a call that takes arrays counts how often each of them is in use,
#: and twelve such counts take as long as the products of a vector.
_inlined = part_with(inline="always")


@_fast_part
def _dots(
    left: Float32s, a: int, right: Float32s, b: int, c: int, matrix: int
) -> tuple[np.float32, np.float32]:
    """Return the products with two output vectors: what is multiplied is fetched but once."""
    one = np.float32(0.0)
    other = np.float32(0.0)
    for i in range(left.shape[1]):
        one += left[a, i] * right[b, matrix, i]
        other += left[a, i] * right[c, matrix, i]
    return one, other


@_fast_part
def _pull(  # noqa: PLR0913, PLR0917 - compiled code takes arrays one by one
    gain: np.float32,
    other_gain: np.float32,
    hidden: Float32s,
    place: int,
    outputs: Float32s,
    word: int,
    other: int,
    matrix: int,
    errors: Float32s,
    position: int,
) -> None:
    """Move two output vectors, and note how what predicts them is to move."""
    for i in range(hidden.shape[1]):
        source = hidden[place, i]
        output = outputs[word, matrix, i]
        outputs[word, matrix, i] = output + gain * source
        second = outputs[other, matrix, i]
        outputs[other, matrix, i] = second + other_gain * source
        errors[position, i] += gain * output + other_gain * second


@_fast_part
def add(factor: np.float32, source: Float32s, a: int, target: Float32s, b: int) -> None:
    """Add a multiple of one row to another."""
    for i in range(target.shape[1]):
        target[b, i] += factor * source[a, i]


@_fast_part
def product(left: Float32s, a: int, right: Float32s, b: int) -> np.float32:
    """Return the product of two rows."""
    total = np.float32(0.0)
    for i in range(left.shape[1]):
        total += left[a, i] * right[b, i]
    return total


@part
def _sigmoid(x: np.float32) -> np.float32:
    return np.float32(1.0) / (np.float32(1.0) + math.exp(-x))


@_inlined
def step(  # noqa: PLR0913, PLR0917 - compiled code takes arrays one by one
    hidden: Float32s,
    outputs: Float32s,
    first: int,
    last: int,
    count: int,
    rate: np.float32,
    places: Int64s,
    words: Int64s,
    gains: Float32s,
    errors: Float32s,
) -> None:
    """Set words against what predicts them, and move their output vectors.

    What predicts is ``hidden[places[p]]`` at each position p from ``first`` to before ``last``;
    its output matrix is p where there are several. ``errors[p]`` is filled with its move.
    """
    single = outputs.shape[1] == 1
    # Words are taken by twos; an odd one is joined by the true word, with nothing to be learned.
    words[count] = words[0]
    for k in range(0, count, 2):
        score = other = np.float32(0.0)
        for p in range(first, last):
            more, others = _dots(
                hidden, places[p], outputs, words[k], words[k + 1], 0 if single else p
            )
            score += more
            other += others
        gains[k] = rate * (np.float32(k == 0) - _sigmoid(score))
        gains[k + 1] = -rate * _sigmoid(other)
    gains[count] = np.float32(0.0)
    for p in range(first, last):
        matrix = 0 if single else p
        for i in range(errors.shape[1]):
            errors[p, i] = np.float32(0.0)
        for k in range(0, count, 2):
            _pull(
                gains[k],
                gains[k + 1],
                hidden,
                places[p],
                outputs,
                words[k],
                words[k + 1],
                matrix,
                errors,
                p,
            )


@part
def _share(first: int, last: int, places: Int64s, worth: Float32s, shares: Float32s) -> None:
    """Fill in what part of a mean each position has: even, or the softmax of its worth.

    The last row of ``worth`` is what a position is worth by itself.
    """
    if worth.shape[0] == 0:
        for p in range(first, last):
            shares[p] = np.float32(1.0) / np.float32(last - first)
        return
    bias = worth.shape[0] - 1
    largest = np.float32(-np.inf)
    for p in range(first, last):
        shares[p] = worth[places[p], p] + worth[bias, p]
        largest = max(largest, shares[p])
    total = np.float32(0.0)
    for p in range(first, last):
        shares[p] = math.exp(shares[p] - largest)
        total += shares[p]
    for p in range(first, last):
        shares[p] /= total


@part
def _attend(  # noqa: PLR0913, PLR0917 - compiled code takes arrays one by one
    first: int,
    last: int,
    row: int,
    places: Int64s,
    errors: Float32s,
    inputs: Float32s,
    shares: Float32s,
    worth: Float32s,
    slopes: Float32s,
) -> None:
    """Move what words are worth at their positions, by the gradient of a softmax."""
    mean = np.float32(0.0)
    for p in range(first, last):
        slopes[p] = product(errors, row, inputs, places[p])
        mean += shares[p] * slopes[p]
    for p in range(first, last):
        move = shares[p] * (slopes[p] - mean)
        worth[places[p], p] += move
        worth[worth.shape[0] - 1, p] += move


@part
def predict_from_mean(  # noqa: PLR0913, PLR0917 - compiled code takes arrays one by one
    first: int,
    last: int,
    count: int,
    rate: np.float32,
    inputs: Float32s,
    outputs: Float32s,
    worth: Float32s,
    places: Int64s,
    words: Int64s,
    gains: Float32s,
    errors: Float32s,
    hidden: Float32s,
    shares: Float32s,
    slopes: Float32s,
) -> None:
    """Let the mean of the words at ``places`` predict ``words``.

    As in the code of word2vec and of gensim, the words of an even mean are moved by its whole
    error, as if they had been summed: by their share of it, CBOW would need a rate so many times as
    large as there are words in a window.
    """
    _share(first, last, places, worth, shares)
    for i in range(hidden.shape[1]):
        hidden[0, i] = np.float32(0.0)
    for p in range(first, last):
        add(shares[p], inputs, places[p], hidden, 0)
    row = places.shape[0] - 1
    places[row] = 0
    step(hidden, outputs, row, row + 1, count, rate, places, words, gains, errors)
    if worth.shape[0] > 0:
        _attend(first, last, row, places, errors, inputs, shares, worth, slopes)
    for p in range(first, last):
        add(shares[p] * np.float32(last - first), errors, row, inputs, places[p])


@part
def _learn_sentence(
    length: int, state: np.uint64, rate: np.float32, weights: Weights, plan: Plan, room: Room
) -> tuple[int, np.uint64]:
    """Learn from the words kept of a sentence; returns how many had others around, and the state.

    The positions of a window are numbered from the left, without the word in the middle; those
    inside the sentence always follow each other.
    """
    # Taken out of their tuples once, since each look into one counts who uses the array.
    inputs, outputs, worth = weights
    kept, places, words, gains, errors, hidden, shares, slopes = room
    table, window = plan.table, plan.window
    by_itself = plan.architecture in (SKIPGRAM, STRUCTURED_SKIPGRAM)
    learned = 0
    for center in range(length):
        reach = window
        if plan.dynamic:
            state += STEP
            reach = int(1 + below(mix(state), window))
        first = window - min(reach, center)
        last = window + min(reach, length - 1 - center)
        if first == last:
            continue
        learned += 1
        for p in range(first, last):
            other = kept[center + p - window + int(p >= window)]
            places[p] = kept[center] if by_itself else other
            if by_itself:
                count, state = draw_words(other, state, plan.negative, table, words)
                if plan.architecture == STRUCTURED_SKIPGRAM:
                    fetch_words(outputs, p, words, count)
                step(inputs, outputs, p, p + 1, count, rate, places, words, gains, errors)
                add(np.float32(1.0), errors, p, inputs, places[p])
        if by_itself:
            continue
        count, state = draw_words(kept[center], state, plan.negative, table, words)
        if plan.architecture == CWINDOW:
            step(inputs, outputs, first, last, count, rate, places, words, gains, errors)
            for p in range(first, last):
                add(np.float32(1.0), errors, p, inputs, places[p])
            continue
        predict_from_mean(
            first,
            last,
            count,
            rate,
            inputs,
            outputs,
            worth,
            places,
            words,
            gains,
            errors,
            hidden,
            shares,
            slopes,
        )
    return learned, state


@part
def _keep_words(
    ids: Int32s, at: int, state: np.uint64, plan: Plan, kept: Int32s
) -> tuple[int, int, np.uint64]:
    """Keep words of a sentence until it or the room ends; returns where, how many, and the state.

    The place returned is that after the sentence, or of the word that there was no room for.
    """
    length = 0
    while at < ids.shape[0] and ids[at] >= 0:
        row = plan.rows[ids[at]]
        if row >= 0:
            if length == kept.shape[0]:
                return at, length, state
            kept[length] = row
            if plan.keep[row] < 1.0:
                state += STEP
                chance = float(mix(state) >> np.uint64(11)) * 2.0**-53
                length += int(chance < plan.keep[row])
            else:
                length += 1
        at += 1
    return min(at + 1, ids.shape[0]), length, state


_weights = record(Weights, lambda t: (t.f4[:, ::1], t.f4[:, :, ::1], t.f4[:, ::1]))
_plan = record(
    Plan,
    lambda t: (
        t.i4[::1],
        t.f8[::1],
        t.u8[::1],
        t.i8,
        t.i8,
        t.b1,
        t.i8,
        t.f8,
        t.f8,
        t.i8,
    ),
)


@compiled(lambda t: t.i8(t.i4[::1], t.i8, t.i8, t.i8, t.u8, _weights(t), _plan(t)))
def train_block(
    ids: Int32s, first: int, last: int, before: int, seed: np.uint64, weights: Weights, plan: Plan
) -> int:
    """Learn from the sentences that begin in a block of the corpus, each to its end.

    - ``ids``: the corpus: numbers of words, negative after each sentence.
    - ``before``: places gone through in earlier epochs.
    - ``seed``: of everything that is drawn in this block.

    Returns how many places of words had others around them.
    """
    width = 2 * plan.window + 1
    dim = weights.inputs.shape[1]
    room = Room(
        np.empty(LONGEST, dtype=np.int32),
        np.zeros(width, dtype=np.int64),
        np.empty(plan.negative + 2, dtype=np.int64),
        np.empty(plan.negative + 2, dtype=np.float32),
        np.empty((width, dim), dtype=np.float32),
        np.empty((1, dim), dtype=np.float32),
        np.empty(width, dtype=np.float32),
        np.empty(width, dtype=np.float32),
    )
    at = first
    while first > 0 and at < last and ids[at - 1] >= 0:
        at += 1
    state = seed
    learned = 0
    inside = False
    while at < last or (inside and at < ids.shape[0]):
        done = (before + at) / plan.places
        rate = np.float32(plan.alpha - (plan.alpha - plan.least) * done)
        at, length, state = _keep_words(ids, at, state, plan, room.kept)
        inside = ids[at - 1] >= 0
        more, state = _learn_sentence(length, state, rate, weights, plan, room)
        learned += more
    return learned


#: The learning rate at the end.
LEAST_ALPHA: Final = 1e-4
#: How much the frequency of a word says about how often it is drawn as a negative.
NEGATIVE_POWER: Final = 0.75
#: Places of the corpus that a thread takes at a time.
BLOCK: Final = 1 << 16


def train_skipgram_family(corpus: EncodedCorpus, recipe: SkipgramRecipe) -> Space:
    """Train word vectors.

    For a true word and its negatives ``w`` with labels 1 and 0, ``log sigmoid(±score(w))`` is
    raised by one step of its gradient, where ``score(w)`` is ``h · o(w)``, and ``h`` the vector of
    a word (skip-gram), the mean of the words around (CBOW), or their mean by the softmax of
    ``k(word, position) + s(position)`` (CBOW with attention). Structured skip-gram has an ``o`` for
    each position, and so has CWindow: ``sum over positions p of v(word at p) · o(p, w)``.

    The words of a mean are moved by as many times their part of the gradient as there are words in
    the window: word2vec's and gensim's way, and rates like theirs are meant for it.

    The space has counts, and the output vectors as ``contexts`` where there is one matrix of them.
    The most frequent word is first; of equally frequent ones, the first met.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from lydite.trained.encoded_corpus import encode_sentences
    >>> text = [["the", "cat", "sat"], ["the", "dog", "sat"]] * 20
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     corpus = encode_sentences(text, Path(folder))
    ...     space = train_skipgram_family(corpus, SkipgramRecipe(dim=4, epochs=1, window=2))
    >>> list(space.vocabulary), space.counts.tolist(), space.contexts.shape
    (['the', 'sat', 'cat', 'dog'], [40.0, 40.0, 20.0, 20.0], (4, 4))
    """
    rows = _vocabulary(corpus, recipe)
    weights = first_weights(len(rows.words), recipe)
    plan = plan_of(corpus, rows, recipe)
    if not _train(corpus, recipe, weights, plan):
        raise InputError(
            "expected sentences with at least 2 words of the vocabulary, got none",
            hint="lower min_count or sample, or join lines that belong together",
        )
    return _space(rows, weights, recipe)


def first_weights(words: int, recipe: SkipgramRecipe) -> Weights:
    """Return what training starts from: even inputs from -1 / d to 1 / d as gensim's, and zeros."""
    generator = np.random.default_rng(recipe.seed)
    inputs = generator.random((words, recipe.dim), dtype=np.float32)
    inputs -= np.float32(0.5)
    inputs *= np.float32(2 / recipe.dim)
    valued = words + 1 if recipe.architecture == "cbow-attention" else 0
    return Weights(
        inputs=inputs,
        outputs=np.zeros((words, recipe.matrices, recipe.dim), dtype=np.float32),
        worth=np.zeros((valued, 2 * recipe.window), dtype=np.float32),
    )


def plan_of(corpus: EncodedCorpus, rows: WordRows, recipe: SkipgramRecipe) -> Plan:
    """Return the recipe as the compiled loop takes it."""
    counts = rows.counts.astype(np.float64)
    keep = np.ones(len(counts))
    if recipe.sample:
        keep = keep_probability(counts, recipe.sample * float(counts.sum()))
    return Plan(
        rows=rows.rows,
        keep=keep,
        table=alias_table(counts**NEGATIVE_POWER),
        architecture=ARCHITECTURES.index(recipe.architecture),
        window=recipe.window,
        dynamic=recipe.draws_windows,
        negative=recipe.negative,
        alpha=float(recipe.alpha),
        least=min(LEAST_ALPHA, float(recipe.alpha)),
        places=recipe.epochs * len(corpus.ids),
    )


def _vocabulary(corpus: EncodedCorpus, recipe: SkipgramRecipe) -> WordRows:
    rows = frequent_words(corpus, min_count=recipe.min_count, limit=recipe.limit)
    if len(rows.words) < 2:
        raise InputError(
            f"expected at least 2 words that occur {recipe.min_count} times or more, got 1",
            hint="use a larger corpus or a smaller min_count",
        )
    check_window(int(rows.counts.sum()), recipe.window)
    return rows


def _train(corpus: EncodedCorpus, recipe: SkipgramRecipe, weights: Weights, plan: Plan) -> int:
    """Go through the corpus; returns how many places something was learned from."""
    size = len(corpus.ids)
    seeds = np.random.SeedSequence(recipe.seed)

    def learn(epoch: int, first: int) -> int:
        drawn = np.random.SeedSequence(seeds.entropy, spawn_key=(epoch, first))
        seed = drawn.generate_state(1, np.uint64)[0]
        last = min(first + BLOCK, size)
        return train_block(corpus.ids, first, last, epoch * size, seed, weights, plan)

    blocks = list(itertools.product(range(recipe.epochs), range(0, size, BLOCK)))
    tell, learned = current_progress(), 0
    for done, count in enumerate(_in_threads(learn, blocks, recipe.workers), start=1):
        learned += count
        tell(f"training {recipe.architecture}", done, len(blocks))
    return learned


def _in_threads(
    work: Callable[[int, int], int], blocks: list[tuple[int, int]], workers: int
) -> Iterator[int]:
    pool = ThreadPoolExecutor(workers)
    try:
        yield from pool.map(work, *zip(*blocks, strict=True))
    finally:
        pool.shutdown(cancel_futures=True)


def _space(rows: WordRows, weights: Weights, recipe: SkipgramRecipe) -> Space:
    if not np.isfinite(weights.inputs).all():
        raise InputError(
            f"the vectors grew beyond all numbers with a learning rate of {recipe.alpha:g}",
            hint="lower alpha",
        )
    contexts = weights.outputs[:, 0] if recipe.matrices == 1 else None
    return trained_space(
        rows.words, weights.inputs, rows.counts, contexts, spec=recipe.architecture
    )


#: What trains skip-gram and CBOW: the project's own kernels, or gensim.
Engine: TypeAlias = Literal["lydite", "gensim"]


@dataclass(frozen=True, kw_only=True)
class SkipgramFamily(SpaceFamily):
    """Spaces by negative sampling; the architecture is the family."""

    learning: Annotated[SkipgramRecipe, Inline(without=("architecture",))] = SkipgramRecipe()

    @property
    def name(self) -> str:
        """What the family is called."""
        return self.learning.architecture

    @property
    def usual(self) -> Self:
        """The family with its usual values."""
        return type(self)(learning=SkipgramRecipe(architecture=self.learning.architecture))

    def make(self, corpus: SharedCorpus) -> Space:
        """Make a space."""
        return train_skipgram_family(corpus.encoded, self.learning)


@dataclass(frozen=True, kw_only=True)
class Word2VecFamily(SkipgramFamily):
    """Skip-gram and CBOW, which gensim trains as well."""

    engine: Annotated[
        Engine, Param("gensim, or Lydite's own kernels, which need no extra.", option="kernels")
    ] = "lydite"

    def __post_init__(self) -> None:
        check_declared(self)
        if self.engine == "gensim":
            _ = self.for_gensim

    @property
    def for_gensim(self) -> Word2VecRecipe:
        """What gensim takes of it."""
        if self.learning.dynamic not in {None, True}:
            raise InputError("gensim always draws the size of windows, got dynamic=false")
        names = [each.name for each in dataclasses.fields(Word2VecRecipe)]
        return Word2VecRecipe(**{name: getattr(self.learning, name) for name in names})

    def make(self, corpus: SharedCorpus) -> Space:
        """Make a space."""
        if self.engine == "lydite":
            return super().make(corpus)
        kept = corpus.vocabulary(self.learning.min_count, self.learning.limit)
        return train_word2vec(corpus.sentences(kept), self.for_gensim).space


def _family(architecture: Architecture) -> SkipgramFamily:
    return SkipgramFamily(learning=SkipgramRecipe(architecture=architecture))


def _word2vec(architecture: Architecture, engine: Engine = "gensim") -> Word2VecFamily:
    return Word2VecFamily(learning=SkipgramRecipe(architecture=architecture), engine=engine)


#: Those of this file, with their usual values.
SKIPGRAM_FAMILIES: Final[tuple[SkipgramFamily, ...]] = tuple(
    _word2vec(each, "lydite") if each in PLAIN else _family(each) for each in ARCHITECTURES
)

#: Options of gensim: windows are always drawn, and the vocabulary has no limit.
_Word2VecOptions: TypeAlias = Annotated[Word2VecFamily, Inline(without=("dynamic", "limit"))]


@dataclass(frozen=True, kw_only=True)
class SkipgramTraining(SpaceRecipe):
    """Train word2vec's skip-gram (extra train, unless --kernels lydite)."""

    name: ClassVar[str] = "skipgram"
    examples: ClassVar[tuple[str, ...]] = space_examples("skipgram", "--workers 8")

    family: _Word2VecOptions = field(default_factory=lambda: _word2vec("skipgram"))

    def run(self) -> Product:
        """Train the space; what gensim trains is read from the files as it goes."""
        if self.family.engine == "lydite":
            return super().run()
        recipe, located = self.family.for_gensim, self.located()
        text = open_corpus(
            paths_of(located), self.preparation, encoding=self.encoding, field=self.field
        )
        trained = train_word2vec(text.sentences(), recipe)
        about = {
            "recipe": dataclasses.asdict(recipe),
            "text": {name: getattr(trained, name) for name in ("sentences", "tokens", "words")},
            "versions": versions_with_gensim(),
        }
        return self.written(trained.space, located, about)


@dataclass(frozen=True, kw_only=True)
class CbowTraining(SkipgramTraining):
    """Train word2vec's continuous bag of words (extra train, unless --kernels lydite)."""

    name: ClassVar[str] = "cbow"
    examples: ClassVar[tuple[str, ...]] = space_examples("cbow", "--workers 8")

    family: _Word2VecOptions = field(default_factory=lambda: _word2vec("cbow"))


@dataclass(frozen=True, kw_only=True)
class StructuredSkipgramTraining(SpaceRecipe):
    """Train skip-gram with output vectors for each position in the window."""

    name: ClassVar[str] = "structured-skipgram"
    examples: ClassVar[tuple[str, ...]] = space_examples("structured-skipgram", "--workers 8")

    family: Annotated[SkipgramFamily, Inline()] = field(
        default_factory=lambda: _family("structured-skipgram")
    )


@dataclass(frozen=True, kw_only=True)
class CwindowTraining(SpaceRecipe):
    """Train CWindow: CBOW with the surrounding words concatenated, not averaged."""

    name: ClassVar[str] = "cwindow"
    examples: ClassVar[tuple[str, ...]] = space_examples("cwindow", "--workers 8")

    family: Annotated[SkipgramFamily, Inline()] = field(default_factory=lambda: _family("cwindow"))


@dataclass(frozen=True, kw_only=True)
class CbowAttentionTraining(SpaceRecipe):
    """Train CBOW with a learned weight for each word at each position."""

    name: ClassVar[str] = "cbow-attention"
    examples: ClassVar[tuple[str, ...]] = space_examples("cbow-attention", "--workers 8")

    family: Annotated[SkipgramFamily, Inline()] = field(
        default_factory=lambda: _family("cbow-attention")
    )
