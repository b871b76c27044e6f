"""How paragraph vectors are trained."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from lydite.errors import InputError
from lydite.models.background import check_count, check_number

Architecture: TypeAlias = Literal["pv-dm", "pv-dbow"]

#: Where the learning rate ends, in training and in inference.
LEAST_ALPHA: Final = 0.0001


@dataclass(frozen=True, kw_only=True)
class ParagraphRecipe:
    """How paragraph vectors are trained (Le & Mikolov 2014).

    Attributes
    ----------
    architecture
        ``pv-dm`` predicts a word from the paragraph's vector and those of the words around it, all
        laid end to end, so that places count; ``pv-dbow`` predicts the paragraph's words from its
        vector alone.
    dim
        The number of dimensions.
    window
        Of PV-DM: words on either side, always all of them; where the sentence ends, a padding word
        stands for them. PV-DBOW has no use for it.
    negative
        Words drawn against each true one, by their frequency to the power of 0.75.
    min_count
        Words that are rarer are left out before windows are laid.
    epochs
        How often the corpus is gone through.
    sample
        Words of a relative frequency above this are dropped at random, also in inference; 0 keeps
        all.
    alpha
        The learning rate at the beginning, which falls in a straight line to `LEAST_ALPHA`.
    seed
        Of the first vectors and of everything drawn.
    workers
        Threads. Only with one does the same seed give the same bits: several write to the same
        weights without waiting for each other.
    """

    architecture: Architecture = "pv-dm"
    dim: int = 300
    window: int = 8
    negative: int = 5
    min_count: int = 5
    epochs: int = 10
    sample: float = 1e-3
    alpha: float = 0.025
    seed: int = 0
    workers: int = 1

    def __post_init__(self) -> None:
        if self.architecture not in get_args(Architecture):
            raise InputError(f"expected pv-dm or pv-dbow, got {self.architecture!r}")
        for name in ("dim", "window", "negative", "min_count", "epochs", "workers"):
            check_count(name, getattr(self, name), least=1)
        check_number("sample", self.sample, least=0)
        check_number("alpha", self.alpha, least=0, above=True)
        # gensim adds 7919 to it, and a seed has 32 bits.
        if type(self.seed) is not int or not 0 <= self.seed < 2**31:
            raise InputError(f"expected a seed from 0 to 2^31 - 1, got {self.seed!r}")

    @property
    def pads(self) -> bool:
        """Whether a padding word stands where a window reaches beyond the sentence."""
        return self.architecture == "pv-dm"

    @property
    def inputs(self) -> int:
        """How many numbers go into a prediction: with the windows of PV-DM, (1 + 2 window) dim."""
        return self.dim * (1 + 2 * self.window) if self.pads else self.dim
