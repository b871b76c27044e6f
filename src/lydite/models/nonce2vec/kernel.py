"""Compiled learning of terms: skip-gram with negative sampling where one input vector moves.

Every random number is a hash of the sentence, its place and the pair, so that it matters neither in
which thread nor in which company a term is learnt.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lydite.models.nonce2vec.settings import LEAST_ALPHA, LEAST_WINDOW
from lydite.spaces.compiled import Type, Types, compiled, part, record

_TERM: Final = -2
_STEP = np.uint64(0x9E3779B97F4A7C15)
#: Keeps the random numbers of learning apart from those of the sum that it starts from.
SALT = np.uint64(0xD1B54A32D192ED03)

Int32s: TypeAlias = NDArray[np.int32]
Int64s: TypeAlias = NDArray[np.int64]
UInt64s: TypeAlias = NDArray[np.uint64]
Float32s: TypeAlias = NDArray[np.float32]
Float64s: TypeAlias = NDArray[np.float64]


class Text(NamedTuple):
    """The contexts of n samples, as in :class:`lydite.models.encoding.Encoded`.

    ``keep`` (t,) is how likely each token is kept in the first sentence.
    """

    rows: Int32s
    sentences: Int64s
    samples: Int64s
    keys: UInt64s
    keep: Float64s


class Background(NamedTuple):
    """Input and output vectors (v, d), and the distribution of negatives over the v words.

    ``cumulative`` and ``guide`` are those of :class:`lydite.models.nonce2vec.negatives.Negatives`.
    """

    inputs: Float32s
    outputs: Float32s
    cumulative: Float64s
    guide: Int32s


class Plan(NamedTuple):
    """The settings, as numbers."""

    alpha: float
    decay: float
    sample_decay: float
    window: int
    window_decay: int
    epochs: int
    negatives: int
    by_sentence: bool
    moving: bool
    released: bool


class Pairs(NamedTuple):
    """The context words of a term in the order they are learnt from."""

    targets: Int32s
    rates: Float64s
    keys: UInt64s


def _background(t: Types) -> Type:
    # Vectors are usually mapped from a file, and so cannot be written to.
    frozen = t.Array(t.f4, 2, "C", readonly=True)
    return record(Background, lambda t: (frozen, frozen, t.f8[::1], t.i4[::1]))(t)


_text = record(Text, lambda t: (t.i4[::1], t.i8[::1], t.i8[::1], t.u8[::1], t.f8[::1]))
_plan = record(Plan, lambda t: (*[t.f8] * 3, *[t.i8] * 4, *[t.b1] * 3))


@part
def _mix(bits: np.uint64) -> np.uint64:
    """Scramble 64 bits (the finaliser of splitmix64)."""
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


@part
def _bits(key: np.uint64, n: int) -> np.uint64:
    """Return the n-th 64 random bits of a key."""
    return _mix(key + (np.uint64(n) + np.uint64(1)) * _STEP)


@part
def _chance(key: np.uint64, n: int) -> float:
    """Return the n-th random number of a key, from 0 to 1."""
    return float(_bits(key, n) >> np.uint64(11)) * 2.0**-53


@part
def _longest(text: Text, first: int, last: int) -> int:
    longest = 0
    for sentence in range(first, last):
        longest = max(longest, text.sentences[sentence + 1] - text.sentences[sentence])
    return longest


@part
def _most_pairs(text: Text, first: int, last: int) -> int:
    """Return the largest number of pairs that sentences can have in one epoch."""
    most = 0
    for sentence in range(first, last):
        start, stop = text.sentences[sentence], text.sentences[sentence + 1]
        uses = 0
        for i in range(start, stop):
            uses += int(text.rows[i] == _TERM)
        most += uses * (stop - start)
    return most


@part
def _keep_tokens(
    text: Text, sentence: int, shrink: float, key: np.uint64, kept: Int32s, uses: Int32s
) -> tuple[int, int]:
    """Drop unknown and frequent words of a sentence.

    Returns how many tokens are left, in ``kept``, and how many are the term, whose places among
    them are in ``uses``.
    """
    start = text.sentences[sentence]
    left = 0
    used = 0
    for i in range(start, text.sentences[sentence + 1]):
        row = text.rows[i]
        if row == _TERM or (row >= 0 and _chance(key, i - start) < text.keep[i] * shrink):
            kept[left] = row
            if row == _TERM:
                uses[used] = left
                used += 1
            left += 1
    return left, used


@part
def _narrow(window: int, plan: Plan) -> int:
    narrower = window - plan.window_decay
    if plan.released:
        return narrower if window - 1 >= LEAST_WINDOW else window
    return narrower if narrower >= LEAST_WINDOW else window


@part
def _list_pairs(text: Text, first: int, last: int, plan: Plan, pairs: Pairs) -> int:
    """List the context words of the sentences of one sample; returns how many."""
    kept = np.empty(_longest(text, first, last), dtype=np.int32)
    uses = np.empty_like(kept)
    window = plan.window
    shrink = 1.0
    seen = 0
    listed = 0
    for turn in range(plan.epochs * (last - first)):
        sentence = first + turn % (last - first)
        key = _bits(text.keys[sentence] ^ SALT, turn)
        left, used = _keep_tokens(text, sentence, shrink, key, kept, uses)
        if plan.by_sentence:
            seen = 0
        for i in range(left):
            for j in range(used):
                if uses[j] == i or abs(uses[j] - i) > window:
                    continue
                # Another use of the term is counted, but nothing is learnt from it.
                seen += 1
                if kept[i] != _TERM:
                    pairs.targets[listed] = kept[i]
                    rate = plan.alpha * math.exp(-(seen - 1) / plan.decay)
                    pairs.rates[listed] = max(rate, LEAST_ALPHA)
                    pairs.keys[listed] = _bits(~key, listed)
                    listed += 1
        shrink /= plan.sample_decay
        window = _narrow(window, plan)
    return listed


@part
def _sum_words(
    text: Text, first: int, last: int, window: int, inputs: Float32s, vector: Float64s
) -> int:
    """Add up the context words of the sentences of one sample; returns how many they are."""
    for i in range(vector.shape[0]):
        vector[i] = 0.0
    kept = np.empty(_longest(text, first, last), dtype=np.int32)
    uses = np.empty_like(kept)
    used = 0
    for sentence in range(first, last):
        left, count = _keep_tokens(text, sentence, 1.0, text.keys[sentence], kept, uses)
        for i in range(left):
            near = False
            for j in range(count):
                near = near or abs(uses[j] - i) <= window
            if near and kept[i] != _TERM:
                used += 1
                for k in range(vector.shape[0]):
                    vector[k] += inputs[kept[i], k]
    return used


@part
def _draw_words(key: np.uint64, target: int, background: Background, words: Int64s) -> None:
    """Put the context word first, and behind it others drawn at random."""
    words[0] = target
    filled = 1
    n = 0
    while filled < words.shape[0]:
        chance = _chance(key, n)
        n += 1
        word = background.guide[np.int64(chance * background.guide.shape[0])]
        while background.cumulative[word] <= chance:
            word += 1
        if word != target:
            words[filled] = word
            filled += 1


@part
def _dot(left: Float64s, right: Float32s, row: int) -> float:
    # Four sums at a time, because one alone has to wait for each addition.
    a = b = c = d = 0.0
    whole = left.shape[0] // 4 * 4
    for i in range(0, whole, 4):
        a += left[i] * right[row, i]
        b += left[i + 1] * right[row, i + 1]
        c += left[i + 2] * right[row, i + 2]
        d += left[i + 3] * right[row, i + 3]
    for i in range(whole, left.shape[0]):
        a += left[i] * right[row, i]
    return (a + b) + (c + d)


@part
def _sigmoid(x: float) -> float:
    # The sign keeps the exponential from growing beyond every number.
    small = math.exp(-abs(x))
    return (1.0 if x >= 0 else small) / (1.0 + small)


@part
def _own_place(row: int, outputs: Float32s, owners: Int64s, own: Float32s) -> np.int64:
    """Find the copy of an output vector that this term may move; made when first asked for."""
    place = np.int64(_mix(np.uint64(row)) % np.uint64(owners.shape[0]))
    while owners[place] > 0 and owners[place] != row + 1:
        place = np.int64((place + 1) % owners.shape[0])
    if owners[place] == 0:
        owners[place] = row + 1
        for i in range(own.shape[1]):
            own[place, i] = outputs[row, i]
    return place


@part
def _fill_gains(vector: Float64s, near: Float32s, rate: float, gains: Float64s) -> None:
    """Fill in how far each vector pulls: the first is a context word, the others are not."""
    for k in range(near.shape[0]):
        label = 1.0 if k == 0 else 0.0
        gains[k] = (label - _sigmoid(_dot(vector, near, k))) * rate


@part
def _move(vector: Float64s, near: Float32s, gains: Float64s) -> None:
    for i in range(vector.shape[0]):
        error = 0.0
        for k in range(gains.shape[0]):
            error += gains[k] * near[k, i]
        vector[i] += error


@part
def _train(vector: Float64s, pairs: Pairs, count: int, background: Background, plan: Plan) -> None:
    """Move the vector of one term, pair by pair."""
    outputs = background.outputs
    words = np.empty(plan.negatives + 1, dtype=np.int64)
    gains = np.empty(words.shape[0])
    near = np.empty((words.shape[0], vector.shape[0]), dtype=np.float32)
    slots = 2 * min(count * words.shape[0], outputs.shape[0]) + 1 if plan.moving else 0
    owners = np.zeros(slots, dtype=np.int64)
    own = np.empty((slots, vector.shape[0]), dtype=np.float32)
    for pair in range(count):
        _draw_words(pairs.keys[pair], pairs.targets[pair], background, words)
        for k in range(words.shape[0]):
            place = _own_place(words[k], outputs, owners, own) if plan.moving else words[k]
            for i in range(vector.shape[0]):
                near[k, i] = own[place, i] if plan.moving else outputs[place, i]
            words[k] = place
        _fill_gains(vector, near, pairs.rates[pair], gains)
        if plan.moving:
            for k in range(words.shape[0]):
                for i in range(vector.shape[0]):
                    own[words[k], i] += gains[k] * vector[i]
        _move(vector, near, gains)


@compiled(
    lambda t: t.void(
        t.i8,
        t.i8,
        _text(t),
        _background(t),
        _plan(t),
        t.f4[:, ::1],
        t.i8[:, ::1],
    )
)
def learn_samples(
    first: int,
    last: int,
    text: Text,
    background: Background,
    plan: Plan,
    vectors: Float32s,
    used: Int64s,
) -> None:
    """Learn the terms of samples.

    Parameters
    ----------
    first, last
        Which samples.
    text, background, plan
        What is learnt from, and how.
    vectors
        Shape (n, d), filled.
    used
        Shape (n, 2), filled with the number of tokens that each vector started from, and of the
        pairs it then learnt from.
    """
    vector = np.empty(vectors.shape[1])
    for sample in range(first, last):
        begin, end = text.samples[sample], text.samples[sample + 1]
        most = _most_pairs(text, begin, end) * plan.epochs
        pairs = Pairs(
            np.empty(most, dtype=np.int32), np.empty(most), np.empty(most, dtype=np.uint64)
        )
        count = _list_pairs(text, begin, end, plan, pairs)
        used[sample, 0] = _sum_words(text, begin, end, plan.window, background.inputs, vector)
        used[sample, 1] = count
        _train(vector, pairs, count, background, plan)
        for i in range(vector.shape[0]):
            vectors[sample, i] = vector[i]
