"""A transition parser over frozen vectors: transitions, network, training, all compiled.

Nodes of a sentence are its words from 1 to n and the root, 0. In both systems a sentence of n words
takes 2 n transitions, and one word alone hangs on the root. Arc-hybrid (Kuhlmann,
Gómez-Rodríguez & Satta 2011) has the root behind the last word in the buffer, arc-standard
(Nivre 2004) at the bottom of the stack.

Vectors are frozen, so what a word at a position adds to the hidden layer is one row of a product of
matrices, made once for all words of a batch; a transition then only sums rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lydite.compiled import compiled, part, record
from lydite.errors import UndefinedScoreError
from lydite.evaluations.downstream.baselines import data_key
from lydite.evaluations.downstream.words import places_of, starts_of
from lydite.evaluations.localization.classifiers import Scale
from lydite.evaluations.parsing.data import Int32s, Treebank, Trees
from lydite.progress import current_progress
from lydite.threads import thread_count
from lydite.types import Floats, Indices, Lookup, Mask, Plain, Vectors

HYBRID: Final = 0
STANDARD: Final = 1

STATIC: Final = 0
DYNAMIC: Final = 1

SHIFT: Final = 0
LEFT: Final = 1
RIGHT: Final = 2
ACTIONS: Final = 3

#: What stands where there is no node.
NONE: Final = -1

#: Where the words are that a parser looks at, after Chen & Manning (2014): three of the stack,
#: three of the buffer, the two outermost children on each side of the two topmost; then the
#: outermost grandchildren, for which arc-hybrid, where the first word of the buffer already has
#: children, takes that word's two outermost.
POSITIONS: Final = 18

#: Of the positions from the seventh on, in each system: at which position the parent stands ...
_PARENTS = np.array(
    [
        [0, 0, 0, 0, 1, 1, 1, 1, 6, 7, 3, 3],
        [0, 0, 0, 0, 1, 1, 1, 1, 6, 7, 10, 11],
    ]
)
#: ... and which of its children it is.
_SIDES = np.array(
    [
        [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 0, 2],
        [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 0, 1],
    ]
)

Int64s: TypeAlias = NDArray[np.int64]

_COSTLY: Final = 1 << 30


class State(NamedTuple):
    """A parse under way."""

    at: Int64s  # (3,): how many nodes are on the stack, the first word of the buffer, and n
    stack: Int64s  # (n + 1,)
    # (n + 1, 4): of each node the outermost on the left and on the right, then the ones next to
    # them.
    children: Int64s


def new_state(longest: int) -> State:
    """Return room for sentences of so many words."""
    return State(
        np.empty(3, np.int64), np.empty(longest + 1, np.int64), np.empty((longest + 1, 4), np.int64)
    )


@part
def begin(state: State, system: int, n: int) -> None:
    """Put a sentence of n words into the buffer."""
    at, stack, children = state
    at[0] = system == STANDARD
    at[1] = 1
    at[2] = n
    stack[0] = 0
    for node in range(n + 1):
        for side in range(4):
            children[node, side] = NONE


@part
def on_stack(state: State, depth: int) -> int:
    """Return the node so deep in the stack, 0 being the topmost."""
    place = state.at[0] - 1 - depth
    node: int = state.stack[place] if place >= 0 else NONE
    return node


@part
def in_buffer(state: State, system: int, ahead: int) -> int:
    """Return the node so far ahead in the buffer."""
    at = state.at
    node: int = at[1] + ahead
    if node <= at[2]:
        return node
    return 0 if system == HYBRID and node == at[2] + 1 else NONE


@part
def is_legal(state: State, system: int, action: int) -> bool:
    """Tell whether a transition can be taken and leaves the sentence one root."""
    at = state.at
    size: int = at[0]
    more: bool = at[1] <= at[2]
    if action == SHIFT:
        return more
    if system == HYBRID:
        return size >= 2 if action == RIGHT else size == 1 or (size > 1 and more)
    return size > 2 or (action == RIGHT and size == 2 and not more)


@part
def arc(state: State, system: int, action: int) -> tuple[int, int]:
    """Return the head and the dependent that a transition joins, nodes that are there."""
    top, second = on_stack(state, 0), on_stack(state, 1)
    if action == RIGHT:
        return second, top
    if system == HYBRID:
        return in_buffer(state, system, 0), top
    return top, second


@part
def take(state: State, system: int, action: int) -> None:
    """Take a transition, which has to be legal."""
    at, stack, children = state
    if action == SHIFT:
        stack[at[0]] = at[1]
        at[0] += 1
        at[1] += 1
        return
    head, child = arc(state, system, action)
    side = action - LEFT
    # A new child is always farther out than those before it.
    children[head, side + 2] = children[head, side]
    children[head, side] = child
    at[0] -= 1
    if action == LEFT and system == STANDARD:
        stack[at[0] - 1] = head


@part
def _waits(state: State, gold: Int64s, node: int) -> int:
    """Return how many of a node's children are still in the buffer."""
    at, count = state.at, 0
    for child in range(at[1], at[2] + 1):
        count += gold[child] == node
    return count


@part
def static_oracle(state: State, system: int, gold: Int64s) -> int:
    """Return the transition towards a projective tree; an arc is made as soon as it can be."""
    top, second = on_stack(state, 0), on_stack(state, 1)
    if top == NONE:
        return SHIFT
    if system == STANDARD:
        if second > 0 and gold[second] == top:
            return LEFT
    elif gold[top] == in_buffer(state, system, 0) and is_legal(state, system, LEFT):
        return LEFT if _waits(state, gold, top) == 0 else SHIFT
    if second != NONE and gold[top] == second and is_legal(state, system, RIGHT):
        return RIGHT if _waits(state, gold, top) == 0 else SHIFT
    return SHIFT


@part
def hybrid_costs(state: State, gold: Int64s, costs: Int64s) -> None:
    """Fill in how many gold arcs each transition of arc-hybrid puts out of reach.

    Goldberg & Nivre (2013), section 4.3, with two differences that come from there being one root:
    only a word at the bottom of the stack, or one that can still come there, can hang on the root.

    ``gold``, (n + 1,), has the heads of the nodes of a projective tree; ``costs``, (3,), is filled,
    very large for what is not legal.
    """
    at, stack = state.at, state.stack
    size, first, n = at[0], at[1], at[2]
    top, second = on_stack(state, 0), on_stack(state, 1)
    for action in range(ACTIONS):
        costs[action] = 0 if is_legal(state, HYBRID, action) else _COSTLY
    if size > 0:
        waiting = _waits(state, gold, top)
        head = gold[top]
        ahead = head >= first
        below = head == second and size > 1
        bottom = head == 0 and size == 1
        costs[LEFT] += waiting
        costs[RIGHT] += waiting + ahead
        if first <= n:
            costs[LEFT] += below + bottom + (ahead and head != first)
    if first <= n:
        head = gold[first]
        if head == 0:
            costs[SHIFT] += size > 0
        for place in range(size):
            node = stack[place]
            costs[SHIFT] += (gold[node] == first) + (node != top and head == node)


@part
def look(state: State, system: int, nodes: Int64s) -> None:
    """Fill in the nodes at the positions that a parser looks at, (POSITIONS,)."""
    children = state.children
    for ahead in range(3):
        nodes[ahead] = on_stack(state, ahead)
        nodes[ahead + 3] = in_buffer(state, system, ahead)
    for place in range(6, POSITIONS):
        parent = nodes[_PARENTS[system, place - 6]]
        nodes[place] = children[parent, _SIDES[system, place - 6]] if parent > 0 else NONE


Float32s: TypeAlias = NDArray[np.float32]
Float64s: TypeAlias = NDArray[np.float64]
UInt64s: TypeAlias = NDArray[np.uint64]


class Layer(NamedTuple):
    """A classifier, or the gradient of its weights."""

    table: Float32s  # (rows, POSITIONS, h): what each word adds at each position
    bias: Float32s  # (h,)
    actions: Float32s  # (h, ACTIONS)
    labels: Float32s  # (2, h, l): of arcs to the left and to the right


class Batch(NamedTuple):
    """n words of m sentences."""

    starts: Int64s  # (m + 1,): the first word of each sentence
    words: Int32s  # (n,): rows of the table
    # (n,).
    heads: Int32s
    labels: Int32s


class Rules(NamedTuple):
    """How to go through sentences."""

    system: int
    oracle: int
    # How often a transition that costs something is taken all the same, if the classifier prefers
    # it and the oracle is dynamic.
    explored: float
    drop: int  # of 256 hidden units, how many are dropped


class Room(NamedTuple):
    """What is overwritten at every transition, and at every sentence."""

    rows: Int64s  # (POSITIONS,): of the table
    # (h,): the hidden layer and its gradient.
    hidden: Float32s
    back: Float32s
    # (ACTIONS,): probabilities and costs of transitions, and the gradient of their scores.
    actions: Float64s
    costs: Int64s
    wrong: Float32s
    labels: Float32s  # (l,): scores, and then probabilities
    gold: Int64s  # (n + 1,): heads of the nodes
    random: UInt64s  # (1,): the state of the generator


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


@part
def _crossing(heads: Int32s, root: int, n: int) -> int:
    """Return the dependent of the shortest arc over a word that is not below its head, or 0.

    The head of word i of the sentence is at ``root`` + i.
    """
    shortest, found = n + 1, 0
    for child in range(1, n + 1):
        head = heads[root + child]
        low, high = (head, child) if head < child else (child, head)
        if head == 0 or high - low >= shortest:
            continue
        for between in range(low + 1, high):
            above = between
            while above != head and above != 0:  # noqa: PLR1714 - Numba has no such test of a tuple
                above = heads[root + above]
            if above == 0:
                shortest, found = high - low, child
                break
    return found


@compiled(lambda t: t.void(t.i8[::1], t.i4[::1], t.i4[::1]))
def lift(starts: Int64s, heads: Int32s, lifted: Int32s) -> None:
    """Make trees projective in place, and fill in how many arcs were lifted, (m,).

    The shortest arc that crosses others is hung on its head's head, again and again (Nivre &
    Nilsson 2005); its relation stays.
    """
    for sentence in range(starts.shape[0] - 1):
        root, n = starts[sentence] - 1, starts[sentence + 1] - starts[sentence]
        lifted[sentence] = 0
        child = _crossing(heads, root, n)
        while child > 0:
            heads[root + child] = heads[root + heads[root + child]]
            lifted[sentence] += 1
            child = _crossing(heads, root, n)


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

    ``turned`` are label weights of shape (2, l, h). The room's generator is that of dropout and
    exploration. Returns the sum of the losses, of transitions and of the labels of arcs that are
    right.
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


@compiled(lambda t: t.void(t.f4[::1], t.f4[::1], t.f4[::1], t.f4[::1], t.f8, t.f8, t.i8))
def adam(
    weights: Float32s,
    gradient: Float32s,
    means: Float32s,
    squares: Float32s,
    rate: float,
    scale: float,
    step: int,
) -> None:
    """Move weights against a gradient times ``scale`` (Kingma & Ba 2015, algorithm 1)."""
    first, second = np.float32(0.9), np.float32(0.999)
    rest_first, rest_second = np.float32(0.1), np.float32(0.001)
    corrected = np.float32(rate * np.sqrt(1 - 0.999**step) / (1 - 0.9**step))
    tiny, times = np.float32(1e-8), np.float32(scale)
    for i in range(weights.shape[0]):
        slope = gradient[i] * times
        means[i] = first * means[i] + rest_first * slope
        squares[i] = second * squares[i] + rest_second * slope * slope
        weights[i] -= corrected * means[i] / (np.sqrt(squares[i]) + tiny)


System: TypeAlias = Literal["arc-hybrid", "arc-standard"]
Oracle: TypeAlias = Literal["dynamic", "static"]

#: In the order of the numbers that compiled code has for them.
SYSTEMS: Final[tuple[System, ...]] = ("arc-hybrid", "arc-standard")

#: Sentences that are parsed with one product of vectors and weights.
_AT_ONCE = 256


@dataclass(frozen=True, kw_only=True, eq=False)
class Sentences:
    """Trees as a classifier sees them."""

    starts: Indices  # (m + 1,): the first word of each sentence
    rows: Int32s  # (n,): the row of each word among the vectors, after those that are reserved
    # (n,): gold; -1 for a label that training does not have.
    heads: Int32s
    labels: Int32s

    def __len__(self) -> int:
        """Return how many sentences there are."""
        return len(self.starts) - 1

    def chosen(self, sentences: Indices) -> Sentences:
        """Return some sentences, in the order given."""
        places = places_of(self.starts, sentences)
        return Sentences(
            starts=starts_of(np.diff(self.starts)[sentences]),
            rows=self.rows[places],
            heads=self.heads[places],
            labels=self.labels[places],
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Weights:
    """Of one classifier; arrays of float32."""

    inputs: Vectors  # (d, POSITIONS * h)
    bias: Vectors  # (h,)
    actions: Vectors  # (h, 3): shift, left, right
    labels: Vectors  # (2, h, l)

    @property
    def arrays(self) -> tuple[Vectors, Vectors, Vectors, Vectors]:
        """All of them."""
        return self.inputs, self.bias, self.actions, self.labels

    def like(self) -> Weights:
        """Return zeros of the same shapes."""
        inputs, bias, actions, labels = (np.zeros_like(array) for array in self.arrays)
        return Weights(inputs=inputs, bias=bias, actions=actions, labels=labels)

    def copy(self) -> Weights:
        """Return the same weights in other arrays."""
        inputs, bias, actions, labels = (array.copy() for array in self.arrays)
        return Weights(inputs=inputs, bias=bias, actions=actions, labels=labels)


def new_weights(dim: int, hidden: int, labels: int, generator: np.random.Generator) -> Weights:
    """Draw weights: uniform, of the variance that He et al. (2015) give for rectified units."""

    def drawn(fan: int, *shape: int) -> Vectors:
        reach = np.float32(np.sqrt(6 / fan))
        return np.asarray((2 * generator.random(shape, dtype=np.float32) - 1) * reach)

    return Weights(
        inputs=drawn(dim * POSITIONS, dim, POSITIONS * hidden),
        bias=np.zeros(hidden, dtype=np.float32),
        actions=drawn(hidden, hidden, ACTIONS) / np.float32(2),
        labels=drawn(hidden, 2, hidden, labels) / np.float32(2),
    )


@dataclass(frozen=True, kw_only=True)
class Course:
    """How sentences are learned from."""

    system: System
    oracle: Oracle
    explored: float  # how often a costly transition is followed, with the dynamic oracle
    dropout: float


def gradient_of(
    weights: Weights, vectors: Vectors, batch: Sentences, course: Course, *, seed: int
) -> tuple[float, Weights]:
    """Return the loss of some sentences, summed over transitions, and its gradient.

    Vectors, (rows, d), are of nothing, the root, and words.
    """
    longest = int(np.diff(batch.starts).max())
    known, rows = local_rows(batch.rows)
    inputs = vectors[known]
    table = _table(inputs, weights)
    sums = np.zeros_like(table)
    found = weights.like()
    loss = learn(
        Rules(
            SYSTEMS.index(course.system),
            int(course.oracle == "dynamic"),
            course.explored,
            round(256 * course.dropout),
        ),
        Batch(batch.starts, rows, batch.heads, batch.labels),
        Layer(table, weights.bias, weights.actions, weights.labels),
        np.ascontiguousarray(weights.labels.transpose(0, 2, 1)),
        Layer(sums, found.bias, found.actions, found.labels),
        new_state(longest),
        new_room(longest, len(weights.bias), weights.labels.shape[2], seed),
    )
    np.matmul(inputs.T, sums.reshape(len(sums), -1), out=found.inputs)
    return loss, found


def parsed(
    weights: Weights, vectors: Vectors, data: Sentences, *, system: System, root_label: int
) -> tuple[Int32s, Int32s]:
    """Return heads and labels, (n,), by the likeliest transition at each step."""
    longest = int(np.diff(data.starts).max())
    state = new_state(longest)
    room = new_room(longest, len(weights.bias), weights.labels.shape[2])
    heads, labels = np.empty_like(data.heads), np.empty_like(data.labels)
    for begin in range(0, len(data), _AT_ONCE):
        starts = data.starts[begin : begin + _AT_ONCE + 1]
        words = slice(int(starts[0]), int(starts[-1]))
        known, rows = local_rows(data.rows[words])
        parse(
            SYSTEMS.index(system),
            root_label,
            Batch(starts - starts[0], rows, heads[words], labels[words]),
            Layer(_table(vectors[known], weights), weights.bias, weights.actions, weights.labels),
            state,
            room,
        )
    return heads, labels


def _table(vectors: Vectors, weights: Weights) -> Vectors:
    """Return what words add to the hidden layer at each position, (rows, POSITIONS, h)."""
    return (vectors @ weights.inputs).reshape(len(vectors), -1, len(weights.bias))


def local_rows(rows: Int32s) -> tuple[Indices, Int32s]:
    """Return the vectors that words need, the reserved ones first, and which is whose, (n,).

    >>> known, rows = local_rows(np.array([9, 4, 9], dtype=np.int32))
    >>> known.tolist(), rows.tolist()
    ([0, 1, 4, 9], [3, 2, 3])
    """
    known, places = np.unique(rows, return_inverse=True)
    return np.concatenate([[0, 1], known]), (places + 2).astype(np.int32)


#: Rows before those of words: nothing at a position, the root, a word without a vector.
UNKNOWN = 2
INDICATORS = 3


@dataclass(frozen=True, kw_only=True, eq=False)
class Numbered:
    """The trees of a treebank with its words and relations numbered."""

    words: tuple[str, ...]  # different ones, in the order in which they first occur
    relations: tuple[str, ...]  # of training, sorted
    root_label: int  # the relation that most roots of training have
    # Sentences whose rows are numbers of words; training ones are projective.
    train: Sentences
    development: Sentences
    test: Sentences
    # Which words of development and test count.
    tuned_on: Mask
    tested_on: Mask
    lifted: int  # training sentences that were not projective

    @property
    def times(self) -> Indices:
        """How often each word occurs in all parts, (v,)."""
        rows = np.concatenate([part.rows for part in (self.train, self.development, self.test)])
        return np.bincount(rows, minlength=len(self.words))

    @property
    def tested_sentences(self) -> int:
        """How many test sentences have a word that counts."""
        return int(np.logical_or.reduceat(self.tested_on, self.test.starts[:-1]).sum())

    @property
    def key(self) -> str:
        """What tells these data apart from others."""
        parts = (self.train, self.development, self.test)
        arrays = [each for p in parts for each in (p.starts, p.rows, p.heads, p.labels)]
        return data_key(self.words, self.relations, *arrays, self.tuned_on, self.tested_on)


def numbered(bank: Treebank, *, punctuation: bool) -> Numbered:
    """Give numbers to words and relations of a treebank, and make training trees projective."""
    parts = (bank.train, bank.development, bank.test)
    words: dict[str, int] = {}
    for treebank in parts:
        for word in treebank.words:
            words.setdefault(word, len(words))
    relations = tuple(sorted(set(bank.train.relations)))
    place = {name: number for number, name in enumerate(relations)}
    train, tuning, test = (_sentences(part, words, place) for part in parts)
    heads, lifted = train.heads.copy(), np.empty(len(train), dtype=np.int32)
    lift(train.starts, heads, lifted)
    roots = np.bincount(train.labels[train.heads == 0], minlength=len(relations))
    return Numbered(
        words=tuple(words),
        relations=relations,
        root_label=int(roots.argmax()),
        train=replace(train, heads=heads),
        development=tuning,
        test=test,
        tuned_on=_scored(bank.development, punctuation=punctuation),
        tested_on=_scored(bank.test, punctuation=punctuation),
        lifted=int((lifted > 0).sum()),
    )


def crossing(data: Sentences) -> int:
    """Return how many sentences are not projective, which no transition here can make."""
    lifted = np.empty(len(data), dtype=np.int32)
    lift(data.starts, data.heads.copy(), lifted)
    return int((lifted > 0).sum())


def _sentences(trees: Trees, words: dict[str, int], relations: dict[str, int]) -> Sentences:
    return Sentences(
        starts=trees.starts,
        rows=np.array([words[word] for word in trees.words], dtype=np.int32),
        heads=trees.heads,
        labels=np.array([relations.get(name, -1) for name in trees.relations], dtype=np.int32),
    )


def _scored(trees: Trees, *, punctuation: bool) -> Mask:
    if punctuation or trees.punctuation.all():
        return np.ones(len(trees.words), dtype=np.bool_)
    return ~trees.punctuation


def inputs_of(lookup: Lookup, train: Indices | Int32s, scale: Scale) -> tuple[Vectors, Int32s]:
    """Return the rows that a parser sees, (rows, d + 3), and which is whose word's, (words,).

    The last three columns say that nothing stands at a position, or the root, or a word that has
    no vector. Scaling is fitted to the words of training, as often as they occur.
    """
    times = np.bincount(train, minlength=len(lookup.found))[lookup.found]
    if not times.any():
        raise UndefinedScoreError(
            f"the model knows none of the {len(train)} words of training",
            hint="does the model know words of this language?",
        )
    place = np.cumsum(lookup.found) - 1
    vectors = _scaled(lookup.vectors[lookup.found], times, scale)
    width = vectors.shape[1]
    rows = np.zeros((INDICATORS + len(vectors), width + INDICATORS), dtype=np.float32)
    rows[INDICATORS:, :width] = vectors
    rows[range(INDICATORS), range(width, width + INDICATORS)] = 1
    return rows, np.where(lookup.found, place + INDICATORS, UNKNOWN).astype(np.int32)


def _scaled(vectors: Vectors, times: Indices, scale: Scale) -> Floats:
    """Scale vectors as `lydite.evaluations.localization.classifiers.scaled` does, word by word.

    Means, deviations and lengths are those of running words: each of them as often as it occurs.
    """
    wide = vectors.astype(np.float64)
    if scale == "rms":
        return np.asarray(wide / (np.sqrt(times @ (wide**2).sum(axis=1) / times.sum()) or 1.0))
    if scale == "unit":
        norms = np.linalg.norm(wide, axis=1, keepdims=True)
        return np.asarray(wide / np.where(norms > 0, norms, 1))
    if scale == "none":
        return wide
    shares = times / times.sum()
    wide -= shares @ wide
    deviation = np.sqrt(shares @ wide**2)
    deviation[deviation == 0] = np.inf
    return np.asarray(wide / deviation)


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How a parser is trained."""

    course: Course
    scale: Scale
    hidden: int
    epochs: int  # at most; the best one on development data counts
    batch: int = 16  # sentences between two steps
    rate: float = 0.01  # of learning, at first; it goes down to 0 in a straight line


@dataclass(frozen=True, kw_only=True, eq=False)
class Trained:
    """What became of one training."""

    epoch: int  # the best one, counted from 1
    tuned: tuple[float, float]  # UAS and LAS on development data
    # Parses of the test sentences, (n,).
    heads: Int32s
    labels: Int32s

    def plain(self, data: Numbered) -> dict[str, Plain]:
        """Return what a report tells of it."""
        uas, las = attachment(data.test, self.heads, self.labels, data.tested_on)
        return {
            "uas": uas,
            "las": las,
            "epoch": self.epoch,
            "development_uas": self.tuned[0],
            "development_las": self.tuned[1],
        }


def trained(
    data: Numbered, lookups: Sequence[Lookup], plan: Plan, *, seeds: Sequence[int]
) -> list[Trained]:
    """Train and test one parser per seed, side by side on as many cores as there are.

    Lookups are one for all seeds or one for each.
    """
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    progress = current_progress()
    inputs = [inputs_of(lookup, data.train.rows, plan.scale) for lookup in lookups]
    jobs = [(inputs[i % len(inputs)], seed) for i, seed in enumerate(seeds)]
    found: list[Trained] = []
    # Products in threads of their own would differ in the last bit with the number of cores.
    with threadpool_limits(1), ThreadPoolExecutor(min(thread_count(), len(jobs))) as pool:
        for each in pool.map(lambda job: _trained(data, job[0], plan, job[1]), jobs):
            found.append(each)
            progress("parsers", len(found), len(jobs))
    return found


def _trained(data: Numbered, inputs: tuple[Vectors, Int32s], plan: Plan, seed: int) -> Trained:
    vectors, rows = inputs
    training, tuning, test = (
        replace(part, rows=rows[part.rows]) for part in (data.train, data.development, data.test)
    )

    def parses(weights: Weights, part: Sentences) -> tuple[Int32s, Int32s]:
        return parsed(weights, vectors, part, system=plan.course.system, root_label=data.root_label)

    passes = epochs(training, vectors, plan, labels=len(data.relations), seed=seed)
    best: tuple[int, tuple[float, float], Weights] | None = None
    for epoch, weights in enumerate(passes, 1):
        uas, las = attachment(tuning, *parses(weights, tuning), data.tuned_on)
        if best is None or (las, uas) > best[1][::-1]:
            best = epoch, (uas, las), weights.copy()
    assert best is not None
    heads, labels = parses(best[2], test)
    return Trained(epoch=best[0], tuned=best[1], heads=heads, labels=labels)


def epochs(
    data: Sentences, vectors: Vectors, plan: Plan, *, labels: int, seed: int
) -> Iterator[Weights]:
    """Train by Adam on batches of sentences; yield the weights, which go on to change.

    The trees are projective; the first two of the vectors, (rows, d), are of no word.
    """
    generator = np.random.default_rng(seed)
    weights = new_weights(vectors.shape[1], plan.hidden, labels, generator)
    moments = weights.like(), weights.like()
    steps, step = plan.epochs * -(-len(data) // plan.batch), 0
    for epoch in range(plan.epochs):
        # The classifier knows too little at first to be followed (Goldberg & Nivre 2013).
        course = plan.course if epoch else replace(plan.course, explored=0.0)
        order = generator.permutation(len(data))
        for start in range(0, len(order), plan.batch):
            batch = data.chosen(order[start : start + plan.batch])
            drawn = int(generator.integers(1 << 62))
            _, gradient = gradient_of(weights, vectors, batch, course, seed=drawn)
            rate = plan.rate * (1 - step / steps)
            step += 1
            _move(weights, gradient, moments, rate, 0.5 / len(batch.rows), step)
        yield weights


def _move(
    weights: Weights,
    gradient: Weights,
    moments: tuple[Weights, Weights],
    rate: float,
    scale: float,
    step: int,
) -> None:
    means, squares = moments
    for each in zip(weights.arrays, gradient.arrays, means.arrays, squares.arrays, strict=True):
        own, slope, mean, square = (array.reshape(-1) for array in each)
        adam(own, slope, mean, square, rate, scale, step)


def attachment(gold: Sentences, heads: Int32s, labels: Int32s, scored: Mask) -> tuple[float, float]:
    """Return UAS and LAS: shares of right heads, and of right heads with right labels."""
    right = (heads == gold.heads)[scored]
    named = right & (labels == gold.labels)[scored]
    return float(right.mean()), float(named.mean())
