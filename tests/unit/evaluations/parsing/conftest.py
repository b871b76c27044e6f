from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from lydite.compiled import compiled
from lydite.evaluations.parsing.parser import (
    SHIFT,
    State,
    arc,
    begin,
    new_state,
    state_type,
    static_oracle,
    take,
)


@pytest.fixture(scope="session")
def derive() -> Callable[..., None]:
    """Return what fills in the static oracle's transitions, (2 n,), and the heads, (n,)."""

    @compiled(
        lambda t: t.void(t.i8, t.i8[::1], t.i4[::1], t.i1[::1], t.i4[::1], state_type(t), t.i8[::1])
    )
    def follow(
        system: int,
        starts: NDArray[np.int64],
        gold: NDArray[np.int32],
        actions: NDArray[np.int8],
        heads: NDArray[np.int32],
        state: State,
        nodes: NDArray[np.int64],
    ) -> None:
        for sentence in range(starts.shape[0] - 1):
            first, n = starts[sentence], starts[sentence + 1] - starts[sentence]
            nodes[0] = -1
            for word in range(n):
                nodes[word + 1] = gold[first + word]
            begin(state, system, n)
            for step in range(2 * n):
                action = static_oracle(state, system, nodes)
                actions[2 * first + step] = action
                if action != SHIFT:
                    head, child = arc(state, system, action)
                    heads[first + child - 1] = head
                take(state, system, action)

    def derived(
        system: int,
        starts: NDArray[np.int64],
        gold: NDArray[np.int32],
        actions: NDArray[np.int8],
        heads: NDArray[np.int32],
    ) -> None:
        longest = int(np.diff(starts).max())
        state, nodes = new_state(longest), np.empty(longest + 1, np.int64)
        follow(system, starts, gold, actions, heads, state, nodes)

    return derived
