"""Compiled training and parsing: everything between the products of word vectors and weights.

Vectors are frozen, so what a word at a position adds to the hidden layer is one row of a product of
matrices, made once for all words of a batch; a transition then only sums rows.
"""

from __future__ import annotations

import numpy as np

from lydite.evaluations.downstream.parsing.arrays import (
    Batch,
    Float32s,
    Layer,
    Room,
    Rules,
    UInt64s,
    batch_type,
    layer_type,
    room_type,
    rules_type,
    state_type,
)
from lydite.evaluations.downstream.parsing.transitions import (
    ACTIONS,
    DYNAMIC,
    POSITIONS,
    SHIFT,
    Int32s,
    State,
    arc,
    begin,
    hybrid_costs,
    is_legal,
    look,
    static_oracle,
    take,
)
from lydite.spaces.compiled import compiled, part

#: Rows of a table before those of words: nothing stands there, the root stands there.
NOTHING = 0
ROOT = 1


@part
def _activate(
    state: State, system: int, words: Int32s, first: int, layer: Layer, room: Room
) -> None:
    """Fill in the rows looked at, and the hidden layer: rectified sums of these rows."""
    table, bias, rows, hidden = layer.table, layer.bias, room.rows, room.hidden
    size = hidden.shape[0]
    look(state, system, rows)
    for j in range(size):
        hidden[j] = bias[j]
    for place in range(POSITIONS):
        node = rows[place]
        row = NOTHING if node < 0 else (ROOT if node == 0 else words[first + node - 1])
        rows[place] = row
        for j in range(size):
            hidden[j] += table[row, place, j]
    for j in range(size):
        hidden[j] = np.float32(0) if hidden[j] < 0 else hidden[j]


@part
def _drop(hidden: Float32s, drop: int, random: UInt64s) -> None:
    """Set hidden units to 0 with a probability of ``drop`` / 256, and scale up the others."""
    scale = np.float32(256 / (256 - drop))
    bits = np.uint64(0)
    for j in range(hidden.shape[0]):
        if j % 8 == 0:
            bits = _next(random)
        hidden[j] = hidden[j] * scale if (bits & np.uint64(255)) >= drop else np.float32(0)
        bits >>= np.uint64(8)


@part
def _next(random: UInt64s) -> np.uint64:
    """Return 64 random bits (Steele, Lea & Flood 2014, splitmix64)."""
    random[0] += np.uint64(0x9E3779B97F4A7C15)
    bits = random[0]
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.uint64(bits ^ (bits >> np.uint64(31)))


@part
def _score_actions(state: State, system: int, weights: Float32s, room: Room) -> int:
    """Fill in the probabilities of transitions, 0 where not legal; return the likeliest."""
    hidden, scores = room.hidden, room.actions
    for action in range(ACTIONS):
        scores[action] = 0.0
    for j in range(hidden.shape[0]):
        unit = hidden[j]
        if unit != 0:
            for action in range(ACTIONS):
                scores[action] += unit * weights[j, action]
    best = -1
    for action in range(ACTIONS):
        if not is_legal(state, system, action):
            scores[action] = -np.inf
        elif best < 0 or scores[action] > scores[best]:
            best = action
    total, highest = 0.0, scores[best]
    for action in range(ACTIONS):
        scores[action] = np.exp(scores[action] - highest)
        total += scores[action]
    for action in range(ACTIONS):
        scores[action] /= total
    return best


@part
def _score_labels(weights: Float32s, side: int, hidden: Float32s, scores: Float32s) -> int:
    """Fill in the scores of the labels of an arc, (l,); return the best."""
    count = scores.shape[0]
    for k in range(count):
        scores[k] = 0
    for j in range(hidden.shape[0]):
        unit = hidden[j]
        if unit != 0:
            for k in range(count):
                scores[k] += unit * weights[side, j, k]
    best = 0
    for k in range(count):
        if scores[k] > scores[best]:
            best = k
    return best


@part
def _targets(state: State, rules: Rules, room: Room) -> int:
    """Set the costs of transitions, the least being 0; return the likeliest that costs least."""
    costs, scores, gold = room.costs, room.actions, room.gold
    if rules.oracle == DYNAMIC:
        hybrid_costs(state, gold, costs)
    else:
        right = static_oracle(state, rules.system, gold)
        for action in range(ACTIONS):
            costs[action] = action != right
    least = costs[0]
    for action in range(1, ACTIONS):
        least = min(least, costs[action])
    best = -1
    for action in range(ACTIONS):
        costs[action] -= least
        if costs[action] == 0 and (best < 0 or scores[action] > scores[best]):
            best = action
    return best


@part
def _learn_actions(weights: Float32s, gradient: Float32s, room: Room) -> float:
    """Add the gradient of -log of the probability of all transitions that cost least."""
    hidden, back, shares, costs = room.hidden, room.back, room.actions, room.costs
    wrong = room.wrong
    mass = 0.0
    for action in range(ACTIONS):
        if costs[action] == 0:
            mass += shares[action]
    mass = max(mass, 1e-30)
    for action in range(ACTIONS):
        wrong[action] = shares[action] - (shares[action] / mass if costs[action] == 0 else 0.0)
    for j in range(hidden.shape[0]):
        unit = hidden[j]
        back[j] = 0
        if unit != 0:
            for action in range(ACTIONS):
                gradient[j, action] += unit * wrong[action]
                back[j] += weights[j, action] * wrong[action]
    return float(-np.log(mass))


@part
def _learn_label(
    weights: Float32s, turned: Float32s, gradient: Float32s, side: int, label: int, room: Room
) -> float:
    """Add the gradient of -log of the probability of an arc's label."""
    hidden, back, shares = room.hidden, room.back, room.labels
    best = _score_labels(weights, side, hidden, shares)
    count = shares.shape[0]
    highest, total = shares[best], 0.0
    right = float(shares[label] - highest)
    for k in range(count):
        shares[k] = np.exp(shares[k] - highest)
        total += shares[k]
    for k in range(count):
        shares[k] /= np.float32(total)
    shares[label] -= np.float32(1)
    for j in range(hidden.shape[0]):
        unit = hidden[j]
        if unit != 0:
            for k in range(count):
                gradient[side, j, k] += unit * shares[k]
    for k in range(count):
        wrong = shares[k]
        for j in range(hidden.shape[0]):
            back[j] += wrong * turned[side, k, j]
    return float(np.log(total)) - right


@part
def _learn_rows(table: Float32s, bias: Float32s, scale: np.float32, room: Room) -> None:
    """Add the gradient of the hidden layer to the rows that it was summed from."""
    rows, hidden, back = room.rows, room.hidden, room.back
    for j in range(hidden.shape[0]):
        # A unit that was dropped or not active has no part in the loss.
        back[j] = back[j] * scale if hidden[j] > 0 else np.float32(0)
        bias[j] += back[j]
    for place in range(POSITIONS):
        row = rows[place]
        for j in range(hidden.shape[0]):
            table[row, place, j] += back[j]


@part
def _followed(rules: Rules, liked: int, best: int, random: UInt64s, cost: int) -> int:
    """Return the transition to go on with: the oracle's, or with the dynamic one a mistake."""
    if rules.oracle != DYNAMIC or cost == 0 or rules.explored == 0:
        return best
    drawn = float(_next(random) >> np.uint64(11)) * 2.0**-53
    return liked if drawn < rules.explored else best


@compiled(
    lambda t: t.f8(
        rules_type(t),
        batch_type(t),
        layer_type(t),
        t.f4[:, :, ::1],
        layer_type(t),
        state_type(t),
        room_type(t),
    )
)
def learn(
    rules: Rules,
    batch: Batch,
    layer: Layer,
    turned: Float32s,
    gradient: Layer,
    state: State,
    room: Room,
) -> float:
    """Parse sentences along their gold trees and add up the gradient of the loss.

    Parameters
    ----------
    turned
        Label weights of shape (2, l, h).
    state, room
        For the longest sentence; the room's generator is that of dropout and exploration.

    Returns
    -------
    The sum of the losses, of transitions and of the labels of arcs that are right.
    """
    starts, words, heads, labels = batch
    system, drop, gold, random = rules.system, rules.drop, room.gold, room.random
    scale = np.float32(256 / (256 - drop))
    loss = 0.0
    for sentence in range(starts.shape[0] - 1):
        first, n = starts[sentence], starts[sentence + 1] - starts[sentence]
        gold[0] = -1
        for word in range(n):
            gold[word + 1] = heads[first + word]
        begin(state, system, n)
        for _ in range(2 * n):
            _activate(state, system, words, first, layer, room)
            if drop > 0:
                _drop(room.hidden, drop, random)
            liked = _score_actions(state, system, layer.actions, room)
            best = _targets(state, rules, room)
            loss += _learn_actions(layer.actions, gradient.actions, room)
            if best != SHIFT:
                head, child = arc(state, system, best)
                if head > 0 and gold[child] == head:
                    label = labels[first + child - 1]
                    loss += _learn_label(
                        layer.labels, turned, gradient.labels, best - 1, label, room
                    )
            _learn_rows(gradient.table, gradient.bias, scale, room)
            take(state, system, _followed(rules, liked, best, random, room.costs[liked]))
    return loss


@compiled(lambda t: t.void(t.i8, t.i8, batch_type(t), layer_type(t), state_type(t), room_type(t)))
def parse(
    system: int, root_label: int, batch: Batch, layer: Layer, state: State, room: Room
) -> None:
    """Fill in heads and labels of a batch: the likeliest transition and label at every step."""
    starts, words, heads, labels = batch
    for sentence in range(starts.shape[0] - 1):
        first, n = starts[sentence], starts[sentence + 1] - starts[sentence]
        begin(state, system, n)
        for _ in range(2 * n):
            _activate(state, system, words, first, layer, room)
            best = _score_actions(state, system, layer.actions, room)
            if best != SHIFT:
                head, child = arc(state, system, best)
                heads[first + child - 1] = head
                label = root_label
                if head > 0:
                    label = _score_labels(layer.labels, best - 1, room.hidden, room.labels)
                labels[first + child - 1] = label
            take(state, system, best)
