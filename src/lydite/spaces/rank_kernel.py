"""Compiled counting of similarities above a threshold: the inner loop of cosine ranks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lydite.spaces.compiled import compiled


@compiled(lambda t: t.void(t.f4[:, ::1], t.i8[::1], t.f4[::1], t.f4[::1], t.i8[:, ::1]))
def count_above(
    similarities: NDArray[np.float32],
    rows: NDArray[np.int64],
    low: NDArray[np.float32],
    high: NDArray[np.float32],
    counts: NDArray[np.int64],
) -> None:
    """Count similarities above ``high`` and from ``low`` upwards, for each of some rows."""
    for target in range(len(rows)):
        row, floor, ceiling = rows[target], low[target], high[target]
        above, near = np.int32(0), np.int32(0)
        # Indexed on purpose: iterating over the row keeps the compiler from vectorising the loop.
        for column in range(similarities.shape[1]):
            above += np.int32(similarities[row, column] > ceiling)
            near += np.int32(similarities[row, column] >= floor)
        counts[target, 0] = above
        counts[target, 1] = near
