"""Compiled counting of similarities above a threshold: the inner loop of cosine ranks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lydite.spaces.compiled import compiled


@compiled("void(f4[:, ::1], f4[::1], f4[::1], i8[:, ::1])")
def count_above(
    similarities: NDArray[np.float32],
    low: NDArray[np.float32],
    high: NDArray[np.float32],
    counts: NDArray[np.int64],
) -> None:
    """Count, in each row, the similarities above ``high`` and those from ``low`` upwards."""
    for row in range(similarities.shape[0]):
        floor, ceiling = low[row], high[row]
        above, near = np.int32(0), np.int32(0)
        # Indexed on purpose: iterating over the row keeps the compiler from vectorising the loop.
        for column in range(similarities.shape[1]):
            above += np.int32(similarities[row, column] > ceiling)
            near += np.int32(similarities[row, column] >= floor)
        counts[row, 0] = above
        counts[row, 1] = near
