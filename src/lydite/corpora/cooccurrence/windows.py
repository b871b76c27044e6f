"""What counts as near: the parameters of counting."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from lydite.errors import InputError
from lydite.types import Floats, Indices

#: ``expected`` weighs a context at distance d by (size - d + 1) / size, which is how likely a
#: window of 1 to ``size`` words reaches it; ``sampled`` draws such a window for each place.
Dynamics: TypeAlias = Literal["none", "expected", "sampled"]


@dataclass(frozen=True, kw_only=True)
class Windows:
    """Which words are contexts of which; the parameters of Hyperwords' first step.

    Attributes
    ----------
    size
        How many words on either side, within the sentence.
    dynamic
        Whether near words count more (``dyn``). Hyperwords draws the size of each window; the
        expectation of that is the same for every seed, and smoother.
    sample
        Subsampling (``sub``): a word of relative frequency f above ``sample`` is left out at each
        of its places with probability ``1 - sqrt(sample / f)``; 0 keeps all.
    delete
        Whether words out of the vocabulary and those sampled away are taken out before windows are
        laid (``del``), which makes windows wider; otherwise they leave gaps.
    seed
        Of subsampling and of windows that are drawn. What is drawn at a place depends on the seed
        and the place alone.

    References
    ----------
    Levy, Goldberg & Dagan (2015), Improving distributional similarity with lessons learned from
    word embeddings, TACL 3.
    """

    size: int = 5
    dynamic: Dynamics = "none"
    sample: float = 0.0
    delete: bool = False
    seed: int = 0

    def __post_init__(self) -> None:
        if self.size < 1:
            raise InputError(f"expected a window of 1 word or more, got {self.size}")
        if not 0 <= self.sample <= 1:
            raise InputError(
                f"expected sample to be a relative frequency from 0 to 1, got {self.sample}",
                hint="0 switches subsampling off; word2vec uses 1e-3 to 1e-5",
            )

    @property
    def random(self) -> bool:
        """Whether the counts depend on the seed."""
        return self.sample > 0 or self.dynamic == "sampled"

    @property
    def scale(self) -> float:
        """What a whole context is counted as."""
        return float(self.size) if self.dynamic == "expected" else 1.0

    def weights(self) -> Indices:
        """Return what a context at each distance counts, (size + 1,), in units of 1 / scale.

        >>> Windows(size=3, dynamic="expected").weights().tolist()
        [0, 3, 2, 1]
        """
        if self.dynamic == "expected":
            return np.concatenate([[0], np.arange(self.size, 0, -1)])
        return np.concatenate([[0], np.ones(self.size, dtype=np.int64)])

    def drop_probability(self, counts: Indices) -> Floats:
        """Return how likely each word is left out at a place of it; empty if none ever is.

        >>> Windows(sample=0.1).drop_probability(np.array([40, 60])).round(3).tolist()
        [0.5, 0.592]
        """
        if not self.sample:
            return np.zeros(0)
        threshold = self.sample * float(counts.sum())
        kept = np.sqrt(threshold / np.maximum(counts, threshold))
        return np.asarray(1.0 - kept, dtype=np.float64)
