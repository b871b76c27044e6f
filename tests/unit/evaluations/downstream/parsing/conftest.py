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
    ) -> None:
        longest = np.diff(starts).max()
        state = t.new_state(longest)
        nodes = np.empty(longest + 1, np.int32)
        for sentence in range(starts.shape[0] - 1):
            first, n = starts[sentence], starts[sentence + 1] - starts[sentence]
            nodes[0] = -1
            nodes[1 : n + 1] = gold[first : first + n]
            t.begin(state, system, n)
            for step in range(2 * n):
                action = t.static_oracle(state, system, nodes)
                actions[2 * first + step] = action
                t.take(state, system, action)
            heads[first : first + n] = state.heads[1 : n + 1]

    compiled: Any = njit(follow)
    return compiled  # type: ignore[no-any-return]
