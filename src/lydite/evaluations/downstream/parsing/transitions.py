"""Transition systems of dependency parsing and their oracles, compiled.

Nodes of a sentence are its words from 1 to n and the root, 0. In both systems a sentence of n words
takes 2 n transitions, and one word alone hangs on the root.

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
    children
        Shape (n + 1, 4): of each node the outermost on the left and on the right, then the ones
        next to them.
    """

    at: Int64s
    stack: Int64s
    children: Int64s


def new_state(longest: int) -> State:
    """Return room for sentences of so many words."""
    return State(
        np.empty(3, np.int64),
        np.empty(longest + 1, np.int64),
        np.empty((longest + 1, 4), np.int64),
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

    Parameters
    ----------
    gold
        Shape (n + 1,): heads of the nodes, of a projective tree.
    costs
        Shape (3,): filled; very large for what is not legal.
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
