"""Words to learn against, drawn by their frequency to the power of 0.75 (Mikolov et al. 2013)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lydite.errors import InputError
from lydite.types import Floats

_POWER = 0.75


@dataclass(frozen=True, kw_only=True, eq=False)
class Negatives:
    """The distribution of negatives over the v words of a background.

    Attributes
    ----------
    cumulative
        Shape (v,): the share of all words up to and with each one; the word of a number u in
        [0, 1) is the first whose share is above u.
    guide
        Shape (v,): that word for 0, 1/v, 2/v …, from where it is found in a step or two (Chen &
        Asau 1974).
    """

    cumulative: Floats
    guide: NDArray[np.int32]

    @classmethod
    def of(cls, counts: Floats, *, name: str) -> Negatives:
        """Make the distribution from counts; words that never occur are never drawn.

        >>> Negatives.of(np.array([16.0, 0.0, 1.0]), name="space").cumulative.round(3).tolist()
        [0.889, 0.889, 1.0]
        """
        if np.count_nonzero(counts) < 2:
            raise InputError(
                f"expected counts of at least 2 words of {name}, got {np.count_nonzero(counts)}",
                hint="negatives are drawn by how often the words of the background occur",
            )
        cumulative = np.cumsum(np.asarray(counts, dtype=np.float64) ** _POWER)
        cumulative /= cumulative[-1]
        parts = np.arange(len(counts)) / len(counts)
        guide = np.searchsorted(cumulative, parts, side="right").astype(np.int32)
        return cls(cumulative=cumulative, guide=guide)
