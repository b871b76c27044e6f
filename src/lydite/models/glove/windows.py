"""Windows in which a context counts one over its distance, as GloVe weighs them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from lydite.corpora.cooccurrence.windows import Windows
from lydite.errors import InputError
from lydite.types import Indices

#: The least common multiple of 1 to 10: the finest unit that leaves counts room in 32 bits.
_FINEST = 2520


@dataclass(frozen=True, kw_only=True)
class HarmonicWindows(Windows):
    """Windows that weigh a context at distance d by 1/d (Pennington et al. 2014, section 4.2).

    Counts are whole numbers, in units of 1/2520 from a size of 9 on, and before that of the least
    common multiple of all distances. In windows of up to 10 words all weights are exact; in wider
    ones those that are not are rounded, by 0.1 % of the weight at most up to 15 words. Two words
    may stand side by side 1.7 million times.

    Attributes
    ----------
    harmonic
        Always true: keeps these counts apart from others in the cache.

    Examples
    --------
    >>> windows = HarmonicWindows(size=4)
    >>> windows.weights().tolist(), windows.scale
    ([0, 12, 6, 4, 3], 12.0)
    """

    size: int = 10
    harmonic: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.dynamic != "none" or not self.harmonic:
            raise InputError(
                f"expected windows that weigh by 1/distance alone, got dynamic={self.dynamic!r}",
                hint="use Windows for weights of the other kinds",
            )

    @property
    def scale(self) -> float:
        """What a context at distance 1 is counted as."""
        return float(min(math.lcm(*range(1, self.size + 1)), _FINEST))

    def weights(self) -> Indices:
        """Return what a context at each distance counts, (size + 1,), in units of 1 / scale."""
        exact = self.scale / np.arange(1, self.size + 1)
        return np.concatenate([[0], np.rint(exact).astype(np.int64)])
