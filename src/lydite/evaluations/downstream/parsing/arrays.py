"""The arrays that compiled training and parsing work on, and Numba's types of them."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lydite.evaluations.downstream.parsing.transitions import (
    ACTIONS,
    POSITIONS,
    Int32s,
    Int64s,
    State,
)
from lydite.spaces.compiled import record

Float32s: TypeAlias = NDArray[np.float32]
Float64s: TypeAlias = NDArray[np.float64]
UInt64s: TypeAlias = NDArray[np.uint64]


class Layer(NamedTuple):
    """A classifier, or the gradient of its weights.

    Attributes
    ----------
    table
        Shape (rows, POSITIONS, h): what each word adds at each position.
    bias
        Shape (h,).
    actions
        Shape (h, ACTIONS).
    labels
        Shape (2, h, l): of arcs to the left and to the right.
    """

    table: Float32s
    bias: Float32s
    actions: Float32s
    labels: Float32s


class Batch(NamedTuple):
    """n words of m sentences.

    Attributes
    ----------
    starts
        Shape (m + 1,): the first word of each sentence.
    words
        Shape (n,): rows of the table.
    heads, labels
        Shape (n,).
    """

    starts: Int64s
    words: Int32s
    heads: Int32s
    labels: Int32s


class Rules(NamedTuple):
    """How to go through sentences.

    Attributes
    ----------
    system, oracle
        By number.
    explored
        How often a transition that costs something is taken all the same, if the classifier
        prefers it and the oracle is dynamic.
    drop
        Of 256 hidden units, how many are dropped.
    """

    system: int
    oracle: int
    explored: float
    drop: int


class Room(NamedTuple):
    """What is overwritten at every transition, and at every sentence.

    Attributes
    ----------
    rows
        Shape (POSITIONS,): of the table.
    hidden, back
        Shape (h,): the hidden layer and its gradient.
    actions, costs, wrong
        Shape (ACTIONS,): probabilities and costs of transitions, and the gradient of their scores.
    labels
        Shape (l,): scores, and then probabilities.
    gold
        Shape (n + 1,): heads of the nodes.
    random
        Shape (1,): the state of the generator.
    """

    rows: Int64s
    hidden: Float32s
    back: Float32s
    actions: Float64s
    costs: Int64s
    wrong: Float32s
    labels: Float32s
    gold: Int64s
    random: UInt64s


def new_room(longest: int, hidden: int, labels: int, seed: int = 0) -> Room:
    """Return room for sentences of so many words."""
    return Room(
        np.empty(POSITIONS, np.int64),
        np.empty(hidden, np.float32),
        np.empty(hidden, np.float32),
        np.empty(ACTIONS, np.float64),
        np.empty(ACTIONS, np.int64),
        np.empty(ACTIONS, np.float32),
        np.empty(labels, np.float32),
        np.empty(longest + 1, np.int64),
        np.array([seed], np.uint64),
    )


layer_type = record(Layer, lambda t: (t.f4[:, :, ::1], t.f4[::1], t.f4[:, ::1], t.f4[:, :, ::1]))
batch_type = record(Batch, lambda t: (t.i8[::1], *[t.i4[::1]] * 3))
rules_type = record(Rules, lambda t: (t.i8, t.i8, t.f8, t.i8))
state_type = record(State, lambda t: (t.i8[::1], t.i8[::1], t.i8[:, ::1]))
room_type = record(
    Room,
    lambda t: (
        t.i8[::1],
        *[t.f4[::1]] * 2,
        t.f8[::1],
        t.i8[::1],
        *[t.f4[::1]] * 2,
        t.i8[::1],
        t.u8[::1],
    ),
)
