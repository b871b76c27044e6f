"""Draw words by frequency in one step: the alias method (Walker 1977; Vose 1991)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lydite.types import Floats

_SHIFT = np.uint64(32)
_WHOLE = float(1 << 32)


def alias_table(weights: Floats) -> NDArray[np.uint64]:
    """Make a table to draw from n words by their weights.

    A word i is drawn evenly, and 32 random bits beside it; where these are below the upper half of
    entry i, the draw is i, and otherwise the word in the lower half. Chances are right to 2^-32 of
    1 / n.

    Parameters
    ----------
    weights
        Shape (n,), none below 0 and some above.

    Examples
    --------
    >>> table = alias_table(np.array([3.0, 1.0]))
    >>> [(hex(entry >> 32), entry & 0xFFFFFFFF) for entry in table.tolist()]
    [('0xffffffff', 0), ('0x80000000', 0)]
    """
    shares = np.asarray(weights, dtype=np.float64)
    shares = shares * (len(shares) / shares.sum())
    others = np.arange(len(shares))
    small = np.flatnonzero(shares < 1).tolist()
    large = np.flatnonzero(shares >= 1).tolist()
    left = shares.tolist()
    while small and large:
        low, high = small.pop(), large[-1]
        others[low] = high
        left[high] -= 1 - left[low]
        if left[high] < 1:
            small.append(large.pop())
    # What is left over is whole but for rounding.
    shares = np.array(left)
    shares[[*small, *large]] = 1
    upper = np.minimum(np.floor(shares * _WHOLE), _WHOLE - 1).astype(np.uint64)
    return (upper << _SHIFT) | others.astype(np.uint64)
