"""How a model of the skip-gram family is trained."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from lydite.errors import InputError
from lydite.models.background import check_count, check_number, check_seed

Architecture: TypeAlias = Literal[
    "skipgram", "cbow", "structured-skipgram", "cwindow", "cbow-attention"
]
ARCHITECTURES: Final[tuple[Architecture, ...]] = get_args(Architecture)

#: Those to which every position of the window is alike.
PLAIN: Final[frozenset[Architecture]] = frozenset({"skipgram", "cbow"})
#: Those with an output matrix for each position of the window.
STRUCTURED: Final[frozenset[Architecture]] = frozenset({"structured-skipgram", "cwindow"})


@dataclass(frozen=True, kw_only=True)
class SkipgramRecipe:
    """How a model is trained, by negative sampling.

    Attributes
    ----------
    architecture
        ``skipgram``: a word predicts each word around it; ``cbow``: the mean of the words around a
        word predicts it (Mikolov et al. 2013). ``structured-skipgram`` and ``cwindow``: the same,
        with output vectors of their own for each position in the window, and with the words around
        laid side by side instead of averaged (Ling et al. 2015a). ``cbow-attention``: the words
        around are weighed by what each word at each position is worth (Ling et al. 2015b).
    dim
        The number of dimensions.
    window
        Words on either side, within the sentence, counted after words were left out.
    dynamic
        Whether a window of 1 to ``window`` is drawn for each place; if not, it is always whole. By
        default it is drawn for ``skipgram`` and ``cbow`` alone, as in the code of their authors:
        the others learn by themselves what a position is worth.
    negative
        Words drawn against each true one, by their frequency to the power of 0.75; one that is
        the true word by chance is passed over.
    min_count
        Words that are rarer are left out before windows are laid.
    limit
        How many words to keep at most, the most frequent ones.
    epochs
        How often the corpus is gone through.
    sample
        Words of a relative frequency above this are dropped at random; 0 keeps all.
    alpha
        The learning rate at the beginning, which falls in a straight line to 0.0001.
    seed
        Of the first vectors and of everything drawn.
    workers
        Threads. Only with one does the same seed give the same bits, on one kind of processor:
        several write to the same vectors without waiting for each other (Recht et al. 2011).
    """

    architecture: Architecture = "skipgram"
    dim: int = 100
    window: int = 5
    dynamic: bool | None = None
    negative: int = 5
    min_count: int = 5
    limit: int | None = None
    epochs: int = 5
    sample: float = 1e-3
    alpha: float = 0.025
    seed: int = 0
    workers: int = 1

    def __post_init__(self) -> None:
        if self.architecture not in ARCHITECTURES:
            raise InputError(
                f"expected one of {', '.join(ARCHITECTURES)}, got {self.architecture!r}"
            )
        for name in ("dim", "window", "negative", "min_count", "epochs", "workers"):
            check_count(name, getattr(self, name), least=1)
        if self.limit is not None:
            check_count("limit", self.limit, least=2)
        if self.dynamic is not None and not isinstance(self.dynamic, bool):
            raise InputError(
                f"expected dynamic to be true or false, got {self.dynamic!r}",
                hint="leave it out for what is usual",
            )
        check_number("sample", self.sample, least=0)
        check_number("alpha", self.alpha, least=0, above=True)
        check_seed(self.seed)

    @property
    def draws_windows(self) -> bool:
        """Whether the size of each window is drawn."""
        return self.architecture in PLAIN if self.dynamic is None else self.dynamic

    @property
    def matrices(self) -> int:
        """How many output matrices there are: one, or one a position of the window."""
        return 2 * self.window if self.architecture in STRUCTURED else 1
