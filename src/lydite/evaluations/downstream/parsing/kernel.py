"""Compiled training and parsing: everything between the products of word vectors and weights.

Imported only when something is really parsed, because importing Numba takes long.

Vectors are frozen, so what a word at a position adds to the hidden layer is one row of a product of
matrices, made once for all words of a batch; a transition then only sums rows.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numba import types
from numpy.typing import NDArray

from lydite.evaluations.downstream.parsing.transitions import (
    ACTIONS,
    DYNAMIC,
    POSITIONS,
    SHIFT,
    Int32s,
    Int64s,
    State,
    arc,
    begin,
    hybrid_costs,
    is_legal,
    look,
    new_state,
    static_oracle,
    take,
)
from lydite.spaces.compiled import compiled, part

Float32s: TypeAlias = NDArray[np.float32]
Float64s: TypeAlias = NDArray[np.float64]

#: Rows of a table before those of words: nothing stands there, the root stands there.
NOTHING = 0
ROOT = 1
RESERVED = 2


class Layer(NamedTuple):
    """A classifier, or the gradient of its weights.

    Attributes
    ----------
    table
        Shape (rows, POSITIONS * h): what each word adds at each position.
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
    """What is overwritten at every transition."""

    nodes: Int64s
    rows: Int64s
    hidden: Float32s
    back: Float32s
    actions: Float64s
    labels: Float32s
    costs: Int64s


@part
def _new_room(hidden: int, labels: int) -> Room:
    return Room(
        np.empty(POSITIONS, np.int64),
        np.empty(POSITIONS, np.int64),
        np.empty(hidden, np.float32),
        np.empty(hidden, np.float32),
        np.empty(ACTIONS, np.float64),
        np.empty(labels, np.float32),
        np.empty(ACTIONS, np.int64),
    )


@part
def _activate(state: State, system: int, words: Int32s, layer: Layer, room: Room) -> None:
    """Fill in the rows looked at, and the hidden layer: rectified sums of these rows."""
    look(state, system, room.nodes)
    size = room.hidden.shape[0]
    for j in range(size):
        room.hidden[j] = layer.bias[j]
    for place in range(POSITIONS):
        node = room.nodes[place]
        row = NOTHING if node < 0 else (ROOT if node == 0 else words[node - 1])
        room.rows[place] = row
        shown = layer.table[row, place * size : (place + 1) * size]
        for j in range(size):
            room.hidden[j] += shown[j]
    for j in range(size):
        room.hidden[j] = max(room.hidden[j], np.float32(0))


@part
def _drop(hidden: Float32s, drop: int, random: NDArray[np.uint64]) -> None:
    """Set hidden units to 0 with a probability of ``drop`` / 256, and scale up the others."""
    scale = np.float32(256 / (256 - drop))
    bits = np.uint64(0)
    for j in range(hidden.shape[0]):
        if j % 8 == 0:
            bits = _next(random)
        hidden[j] = hidden[j] * scale if (bits & np.uint64(255)) >= drop else np.float32(0)
        bits >>= np.uint64(8)


@part
def _next(random: NDArray[np.uint64]) -> np.uint64:
    """Return 64 random bits (Steele, Lea & Flood 2014, splitmix64)."""
    random[0] += np.uint64(0x9E3779B97F4A7C15)
    bits = random[0]
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.uint64(bits ^ (bits >> np.uint64(31)))


@part
def _score_actions(state: State, system: int, layer: Layer, room: Room) -> int:
    """Fill in the probabilities of transitions, 0 where not legal; return the likeliest."""
    for action in range(ACTIONS):
        room.actions[action] = 0.0
    for j in range(room.hidden.shape[0]):
        unit = room.hidden[j]
        if unit != 0:
            for action in range(ACTIONS):
                room.actions[action] += unit * layer.actions[j, action]
    best = -1
    for action in range(ACTIONS):
        if is_legal(state, system, action) and (
            best < 0 or room.actions[action] > room.actions[best]
        ):
            best = action
    total, highest = 0.0, room.actions[best]
    for action in range(ACTIONS):
        legal = is_legal(state, system, action)
        room.actions[action] = np.exp(room.actions[action] - highest) if legal else 0.0
        total += room.actions[action]
    for action in range(ACTIONS):
        room.actions[action] /= total
    return best


@part
def _score_labels(layer: Layer, side: int, room: Room) -> int:
    """Fill in the scores of the labels of an arc; return the best."""
    weights = layer.labels[side]
    count = room.labels.shape[0]
    for k in range(count):
        room.labels[k] = 0
    for j in range(room.hidden.shape[0]):
        unit = room.hidden[j]
        if unit != 0:
            for k in range(count):
                room.labels[k] += unit * weights[j, k]
    best = 0
    for k in range(count):
        if room.labels[k] > room.labels[best]:
            best = k
    return best


@part
def _targets(state: State, rules: Rules, gold: Int32s, room: Room) -> int:
    """Set the costs of transitions, the least being 0; return the likeliest that costs least."""
    costs = room.costs
    if rules.oracle == DYNAMIC:
        hybrid_costs(state, gold, costs)
    else:
        costs[:] = 1
        costs[static_oracle(state, rules.system, gold)] = 0
    least = costs.min()
    best = -1
    for action in range(ACTIONS):
        costs[action] -= least
        if costs[action] == 0 and (best < 0 or room.actions[action] > room.actions[best]):
            best = action
    return best


@part
def _learn_actions(layer: Layer, gradient: Layer, room: Room) -> float:
    """Add the gradient of -log of the probability of all transitions that cost least."""
    mass = 0.0
    for action in range(ACTIONS):
        if room.costs[action] == 0:
            mass += room.actions[action]
    mass = max(mass, 1e-30)
    wrong = np.empty(ACTIONS, np.float32)
    for action in range(ACTIONS):
        share = room.actions[action] / mass if room.costs[action] == 0 else 0.0
        wrong[action] = room.actions[action] - share
    for j in range(room.hidden.shape[0]):
        unit = room.hidden[j]
        room.back[j] = 0
        if unit != 0:
            for action in range(ACTIONS):
                gradient.actions[j, action] += unit * wrong[action]
                room.back[j] += layer.actions[j, action] * wrong[action]
    return float(-np.log(mass))


@part
def _learn_label(
    layer: Layer, turned: Float32s, gradient: Layer, side: int, label: int, room: Room
) -> float:
    """Add the gradient of -log of the probability of an arc's label."""
    best = _score_labels(layer, side, room)
    count = room.labels.shape[0]
    highest, total = room.labels[best], 0.0
    right = float(room.labels[label] - highest)
    for k in range(count):
        room.labels[k] = np.exp(room.labels[k] - highest)
        total += room.labels[k]
    for k in range(count):
        room.labels[k] /= np.float32(total)
    room.labels[label] -= np.float32(1)
    weights = gradient.labels[side]
    for j in range(room.hidden.shape[0]):
        unit = room.hidden[j]
        if unit != 0:
            for k in range(count):
                weights[j, k] += unit * room.labels[k]
    for k in range(count):
        wrong, row = room.labels[k], turned[side, k]
        for j in range(room.hidden.shape[0]):
            room.back[j] += wrong * row[j]
    return float(np.log(total)) - right


@part
def _learn_rows(gradient: Layer, scale: np.float32, room: Room) -> None:
    """Add the gradient of the hidden layer to the rows that it was summed from."""
    size = room.hidden.shape[0]
    for j in range(size):
        # A unit that was dropped or not active has no part in the loss.
        room.back[j] = room.back[j] * scale if room.hidden[j] > 0 else np.float32(0)
        gradient.bias[j] += room.back[j]
    for place in range(POSITIONS):
        row = gradient.table[room.rows[place], place * size : (place + 1) * size]
        for j in range(size):
            row[j] += room.back[j]


@part
def _followed(rules: Rules, liked: int, best: int, random: NDArray[np.uint64], room: Room) -> int:
    """Return the transition to go on with: the oracle's, or with the dynamic one a mistake."""
    if rules.oracle != DYNAMIC or room.costs[liked] == 0 or rules.explored == 0:
        return best
    drawn = float(_next(random) >> np.uint64(11)) * 2.0**-53
    return liked if drawn < rules.explored else best


_LAYER = types.NamedTuple(  # type: ignore[no-untyped-call]
    (types.float32[:, ::1], types.float32[::1], types.float32[:, ::1], types.float32[:, :, ::1]),
    Layer,
)
_BATCH = types.NamedTuple(  # type: ignore[no-untyped-call]
    (types.int64[::1], types.int32[::1], types.int32[::1], types.int32[::1]), Batch
)
_RULES = types.NamedTuple(  # type: ignore[no-untyped-call]
    (types.int64, types.int64, types.float64, types.int64), Rules
)


@compiled(
    types.float64(_RULES, types.uint64, _BATCH, _LAYER, types.float32[:, :, ::1], _LAYER),
)
def learn(
    rules: Rules, seed: int, batch: Batch, layer: Layer, turned: Float32s, gradient: Layer
) -> float:
    """Parse sentences along their gold trees and add up the gradient of the loss.

    Parameters
    ----------
    seed
        Of dropout and exploration.
    turned
        Label weights of shape (2, l, h).

    Returns
    -------
    The sum of the losses, of transitions and of the labels of arcs that are right.
    """
    starts, system, drop = batch.starts, rules.system, rules.drop
    longest = np.diff(starts).max()
    state, room = new_state(longest), _new_room(layer.bias.shape[0], layer.labels.shape[2])
    gold = np.empty(longest + 1, np.int32)
    random = np.array([seed], dtype=np.uint64)
    scale = np.float32(256 / (256 - drop))
    loss = 0.0
    for sentence in range(starts.shape[0] - 1):
        first, n = starts[sentence], starts[sentence + 1] - starts[sentence]
        gold[0] = -1
        gold[1 : n + 1] = batch.heads[first : first + n]
        begin(state, system, n)
        for _ in range(2 * n):
            _activate(state, system, batch.words[first : first + n], layer, room)
            if drop > 0:
                _drop(room.hidden, drop, random)
            liked = _score_actions(state, system, layer, room)
            best = _targets(state, rules, gold, room)
            loss += _learn_actions(layer, gradient, room)
            if best != SHIFT:
                head, child = arc(state, system, best)
                if head > 0 and gold[child] == head:
                    label = batch.labels[first + child - 1]
                    loss += _learn_label(layer, turned, gradient, best - 1, label, room)
            _learn_rows(gradient, scale, room)
            take(state, system, _followed(rules, liked, best, random, room))
    return loss


@compiled(types.void(types.int64, types.int64, _BATCH, _LAYER))
def parse(system: int, root_label: int, batch: Batch, layer: Layer) -> None:
    """Fill in heads and labels of a batch: the likeliest transition and label at every step."""
    starts = batch.starts
    state = new_state(np.diff(starts).max())
    room = _new_room(layer.bias.shape[0], layer.labels.shape[2])
    for sentence in range(starts.shape[0] - 1):
        first, n = starts[sentence], starts[sentence + 1] - starts[sentence]
        begin(state, system, n)
        for _ in range(2 * n):
            _activate(state, system, batch.words[first : first + n], layer, room)
            best = _score_actions(state, system, layer, room)
            if best != SHIFT:
                head, child = arc(state, system, best)
                label = _score_labels(layer, best - 1, room) if head > 0 else root_label
                batch.heads[first + child - 1] = head
                batch.labels[first + child - 1] = label
            take(state, system, best)
