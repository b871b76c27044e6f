"""Compiled work on whole gold trees: making them projective, and what the static oracle does.

Imported only when something is really parsed, because importing Numba takes long.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lydite.evaluations.downstream.parsing.transitions import (
    Int32s,
    Int64s,
    begin,
    new_state,
    static_oracle,
    take,
)
from lydite.spaces.compiled import compiled, part


@compiled("void(i8, i8[::1], i4[::1], i1[::1], i4[::1])")
def derive(
    system: int, starts: Int64s, gold: Int32s, actions: NDArray[np.int8], heads: Int32s
) -> None:
    """Fill in the static oracle's transitions, (2 n,), and the heads they lead to, (n,)."""
    longest = np.diff(starts).max()
    state = new_state(longest)
    nodes = np.empty(longest + 1, np.int32)
    for sentence in range(starts.shape[0] - 1):
        first, n = starts[sentence], starts[sentence + 1] - starts[sentence]
        nodes[0] = -1
        nodes[1 : n + 1] = gold[first : first + n]
        begin(state, system, n)
        for step in range(2 * n):
            action = static_oracle(state, system, nodes)
            actions[2 * first + step] = action
            take(state, system, action)
        heads[first : first + n] = state.heads[1 : n + 1]


@part
def _crossing(heads: Int32s) -> int:
    """Return the dependent of the shortest arc over a word that is not below its head, or 0."""
    n = heads.shape[0] - 1
    shortest, found = n + 1, 0
    for child in range(1, n + 1):
        head = heads[child]
        low, high = min(head, child), max(head, child)
        if head == 0 or high - low >= shortest:
            continue
        for between in range(low + 1, high):
            above = between
            while above != head and above != 0:  # noqa: PLR1714 - Numba has no such test of a tuple
                above = heads[above]
            if above == 0:
                shortest, found = high - low, child
                break
    return found


@compiled("void(i8[::1], i4[::1], i4[::1])")
def lift(starts: Int64s, heads: Int32s, lifted: Int32s) -> None:
    """Make trees projective in place, and fill in how many arcs were lifted, (m,).

    The shortest arc that crosses others is hung on its head's head, again and again (Nivre &
    Nilsson 2005); its relation stays.
    """
    nodes = np.empty(np.diff(starts).max() + 1, np.int32)
    for sentence in range(starts.shape[0] - 1):
        first, n = starts[sentence], starts[sentence + 1] - starts[sentence]
        nodes[0] = 0
        nodes[1 : n + 1] = heads[first : first + n]
        lifted[sentence] = 0
        child = _crossing(nodes[: n + 1])
        while child > 0:
            nodes[child] = nodes[nodes[child]]
            lifted[sentence] += 1
            child = _crossing(nodes[: n + 1])
        heads[first : first + n] = nodes[1 : n + 1]
