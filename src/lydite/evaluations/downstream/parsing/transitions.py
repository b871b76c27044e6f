"""Transition systems of dependency parsing and their oracles, compiled.

Imported only when something is really parsed, because importing Numba takes long. Nodes of a
sentence are its words from 1 to n and the root, 0. In both systems a sentence of n words takes
2 n transitions, and one word alone hangs on the root.

Arc-hybrid (Kuhlmann, Gómez-Rodríguez & Satta 2011) has the root behind the last word in the buffer,
arc-standard (Nivre 2004) at the bottom of the stack.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lydite.spaces.compiled import part

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

Int32s: TypeAlias = NDArray[np.int32]
Int64s: TypeAlias = NDArray[np.int64]

_COSTLY: Final = 1 << 30


class State(NamedTuple):
    """A parse under way.

    Attributes
    ----------
    at
        Shape (3,): how many nodes are on the stack, the first word of the buffer, and n.
    stack
        Shape (n + 1,).
    heads
        Shape (n + 1,): -1 where there is none yet.
    left, left2, right, right2
        Shape (n + 1,): the outermost child on each side, and the one next to it.
    """

    at: Int64s
    stack: Int32s
    heads: Int32s
    left: Int32s
    left2: Int32s
    right: Int32s
    right2: Int32s


@part
def new_state(longest: int) -> State:
    """Return room for sentences of so many words."""
    return State(
        np.zeros(3, np.int64),
        np.empty(longest + 1, np.int32),
        np.empty(longest + 1, np.int32),
        np.empty(longest + 1, np.int32),
        np.empty(longest + 1, np.int32),
        np.empty(longest + 1, np.int32),
        np.empty(longest + 1, np.int32),
    )


@part
def begin(state: State, system: int, n: int) -> None:
    """Put a sentence of n words into the buffer."""
    state.at[0] = 0
    state.at[1] = 1
    state.at[2] = n
    for node in range(n + 1):
        state.heads[node] = NONE
        state.left[node] = NONE
        state.left2[node] = NONE
        state.right[node] = NONE
        state.right2[node] = NONE
    if system == STANDARD:
        state.stack[0] = 0
        state.at[0] = 1


@part
def on_stack(state: State, depth: int) -> int:
    """Return the node so deep in the stack, 0 being the topmost."""
    place = state.at[0] - 1 - depth
    return int(state.stack[place]) if place >= 0 else NONE


@part
def in_buffer(state: State, system: int, ahead: int) -> int:
    """Return the node so far ahead in the buffer."""
    node = state.at[1] + ahead
    if node <= state.at[2]:
        return int(node)
    return 0 if system == HYBRID and node == state.at[2] + 1 else NONE


@part
def is_legal(state: State, system: int, action: int) -> bool:
    """Tell whether a transition can be taken and leaves the sentence one root."""
    size, more = state.at[0], state.at[1] <= state.at[2]
    if action == SHIFT:
        return bool(more)
    if system == HYBRID:
        return bool(size >= 2 if action == RIGHT else size == 1 or (size > 1 and more))
    return bool(size > 2 or (action == RIGHT and size == 2 and not more))


@part
def arc(state: State, system: int, action: int) -> tuple[int, int]:
    """Return the head and the dependent that a transition joins, nodes that are there."""
    if action == RIGHT:
        return on_stack(state, 1), on_stack(state, 0)
    if system == HYBRID:
        return in_buffer(state, system, 0), on_stack(state, 0)
    return on_stack(state, 0), on_stack(state, 1)


@part
def take(state: State, system: int, action: int) -> None:
    """Take a transition, which has to be legal."""
    if action == SHIFT:
        state.stack[state.at[0]] = state.at[1]
        state.at[0] += 1
        state.at[1] += 1
        return
    head, child = arc(state, system, action)
    state.heads[child] = head
    # A new child is always farther out than those before it.
    if action == LEFT:
        state.left2[head] = state.left[head]
        state.left[head] = child
    else:
        state.right2[head] = state.right[head]
        state.right[head] = child
    state.at[0] -= 1
    if action == LEFT and system == STANDARD:
        state.stack[state.at[0] - 1] = head


@part
def _waits(state: State, gold: Int32s, node: int) -> int:
    """Return how many of a node's children are still in the buffer."""
    count = 0
    for child in range(state.at[1], state.at[2] + 1):
        count += gold[child] == node
    return count


@part
def static_oracle(state: State, system: int, gold: Int32s) -> int:
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
def hybrid_costs(state: State, gold: Int32s, costs: Int64s) -> None:
    """Fill in how many gold arcs each transition of arc-hybrid puts out of reach.

    Goldberg & Nivre (2013), section 4.3, with two differences that come from there being one root:
    only a word at the bottom of the stack, or one that can still come there, can hang on the root.

    Parameters
    ----------
    gold
        Shape (n + 1,): heads of the nodes, of a projective tree.
    costs
        Shape (3,): filled; very large for what is not legal.
    """
    size, first, n = state.at[0], state.at[1], state.at[2]
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
        for depth in range(size):
            node = on_stack(state, depth)
            costs[SHIFT] += (gold[node] == first) + (depth > 0 and head == node)


@part
def look(state: State, system: int, nodes: Int64s) -> None:  # noqa: C901 - a list of places
    """Fill in the nodes at the positions that a parser looks at, (POSITIONS,)."""
    top, second, first = on_stack(state, 0), on_stack(state, 1), in_buffer(state, system, 0)
    nodes[0], nodes[1], nodes[2] = top, second, on_stack(state, 2)
    nodes[3], nodes[4], nodes[5] = first, in_buffer(state, system, 1), in_buffer(state, system, 2)
    for place in range(6, POSITIONS):
        nodes[place] = NONE
    if top > 0:
        nodes[6], nodes[7] = state.left[top], state.right[top]
        nodes[8], nodes[9] = state.left2[top], state.right2[top]
        if nodes[6] > 0:
            nodes[14] = state.left[nodes[6]]
        if nodes[7] > 0:
            nodes[15] = state.right[nodes[7]]
    if second > 0:
        nodes[10], nodes[11] = state.left[second], state.right[second]
        nodes[12], nodes[13] = state.left2[second], state.right2[second]
    if system == HYBRID:
        if first > 0:
            nodes[16], nodes[17] = state.left[first], state.left2[first]
    elif second > 0:
        if nodes[10] > 0:
            nodes[16] = state.left[nodes[10]]
        if nodes[11] > 0:
            nodes[17] = state.right[nodes[11]]
