"""Compiled training of the skip-gram family: one loop over the corpus for all architectures.

Whatever predicts (a vector, a mean, a weighed mean, vectors side by side) and whatever is
predicted, the step is the same: a few output vectors are set against what predicts them, and both
are moved. Only what happens before and after it differs.

Numba keeps the machine code for as long as this file is the same, and does not look at those of its
parts: after a change to one of them, remove ``__pycache__``.
"""

from __future__ import annotations

import numpy as np

from lydite.models.skipgram_family.draws import STEP, below, draw_words, mix
from lydite.models.skipgram_family.layout import (
    CWINDOW,
    LONGEST,
    SKIPGRAM,
    STRUCTURED_SKIPGRAM,
    Int32s,
    Plan,
    Room,
    Weights,
)
from lydite.models.skipgram_family.mean import predict_from_mean
from lydite.models.skipgram_family.prefetch import fetch_words
from lydite.models.skipgram_family.step import add, step
from lydite.spaces.compiled import compiled, part, record


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
    learnt = 0
    for centre in range(length):
        reach = window
        if plan.dynamic:
            state += STEP
            reach = int(1 + below(mix(state), window))
        first = window - min(reach, centre)
        last = window + min(reach, length - 1 - centre)
        if first == last:
            continue
        learnt += 1
        for p in range(first, last):
            other = kept[centre + p - window + int(p >= window)]
            places[p] = kept[centre] if by_itself else other
            if by_itself:
                count, state = draw_words(other, state, plan.negative, table, words)
                if plan.architecture == STRUCTURED_SKIPGRAM:
                    fetch_words(outputs, p, words, count)
                step(inputs, outputs, p, p + 1, count, rate, places, words, gains, errors)
                add(np.float32(1.0), errors, p, inputs, places[p])
        if by_itself:
            continue
        count, state = draw_words(kept[centre], state, plan.negative, table, words)
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
    return learnt, state


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

    Parameters
    ----------
    ids
        The corpus: numbers of words, negative after each sentence.
    first, last
        The block.
    before
        Places gone through in earlier epochs.
    seed
        Of everything that is drawn in this block.
    weights
        Moved.
    plan
        How.

    Returns
    -------
    How many places of words had others around them.
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
    learnt = 0
    inside = False
    while at < last or (inside and at < ids.shape[0]):
        done = (before + at) / plan.places
        rate = np.float32(plan.alpha - (plan.alpha - plan.least) * done)
        at, length, state = _keep_words(ids, at, state, plan, room.kept)
        inside = ids[at - 1] >= 0
        more, state = _learn_sentence(length, state, rate, weights, plan, room)
        learnt += more
    return learnt
