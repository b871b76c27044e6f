from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numba import njit
from numpy.typing import NDArray

from lydite.evaluations.downstream.parsing import transitions as t


@pytest.fixture(scope="session")
def derive() -> Callable[..., None]:
    """Return what fills in the static oracle's transitions, (2 n,), and the heads, (n,)."""

    def follow(
        system: int,
        starts: NDArray[np.int64],
        gold: NDArray[np.int32],
        actions: NDArray[np.int8],
        heads: NDArray[np.int32],
        state: t.State,
        nodes: NDArray[np.int64],
    ) -> None:
        for sentence in range(starts.shape[0] - 1):
            first, n = starts[sentence], starts[sentence + 1] - starts[sentence]
            nodes[0] = -1
            for word in range(n):
                nodes[word + 1] = gold[first + word]
            t.begin(state, system, n)
            for step in range(2 * n):
                action = t.static_oracle(state, system, nodes)
                actions[2 * first + step] = action
                if action != t.SHIFT:
                    head, child = t.arc(state, system, action)
                    heads[first + child - 1] = head
                t.take(state, system, action)

    compiled: Any = njit(follow)

    def derived(system: int, starts: NDArray[np.int64], *arrays: NDArray[Any]) -> None:
        longest = int(np.diff(starts).max())
        compiled(system, starts, *arrays, t.new_state(longest), np.empty(longest + 1, np.int64))

    return derived
