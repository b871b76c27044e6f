"""The parameters of Nonce2Vec, as published and as tuned for small data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from lydite.models.background import check_count, check_number

Preset: TypeAlias = Literal["published", "small-data"]
Restart: TypeAlias = Literal["sentence", "term"]
Freeze: TypeAlias = Literal["all", "input"]
Narrowing: TypeAlias = Literal["floor", "released"]

#: The learning rate never falls below this.
LEAST_ALPHA: Final = 1e-4
#: With ``narrowing=floor`` the window never falls below this.
LEAST_WINDOW: Final = 3


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How Nonce2Vec learns a term.

    Attributes
    ----------
    alpha
        The learning rate of the first pair.
    negatives
        Words drawn against each context word.
    sample
        Times the number of tokens of the term's text: the count in the background above which
        words are dropped at random (see :mod:`lydite.models.subsampling`); 0 keeps all.
    decay
        Lambda: the rate of the i-th pair is ``alpha exp(-(i - 1) / decay)``, at least 10^-4.
    sample_decay
        After each sentence the probability of keeping a word is divided by this.
    window_decay
        After each sentence the window is narrower by this.
    window
        Words on either side of the term, within the sentence, counted after words were dropped.
    epochs
        How often the sentences are gone through; rates, window and probabilities decay on.
    restart
        Whether i starts anew at each ``sentence``, as in the authors' first release, or counts
        on for the ``term``, as in the second.
    freeze
        ``all``: nothing but the term's own vector moves, as both papers say. ``input``: the output
        vectors of context words and negatives move too, as in the released code; here for the
        one term only, so that terms do not depend on each other.
    narrowing
        When the window stops to narrow. ``floor``: before it would fall below 3. ``released``:
        once it is below 4, as the released code has it; a window of 15 that loses 5 a sentence is
        then 0 from the fourth sentence on, so that nothing more is learnt.
    """

    alpha: float = 1.0
    negatives: int = 3
    sample: float = 10_000
    decay: float = 70.0
    sample_decay: float = 1.9
    window_decay: int = 5
    window: int = 15
    epochs: int = 1
    restart: Restart = "sentence"
    freeze: Freeze = "all"
    narrowing: Narrowing = "floor"

    def __post_init__(self) -> None:
        check_number("alpha", self.alpha, least=0, above=True)
        check_count("negatives", self.negatives, least=0)
        check_number("sample", self.sample, least=0)
        check_number("decay", self.decay, least=0, above=True)
        check_number("sample_decay", self.sample_decay, least=1)
        check_count("window_decay", self.window_decay, least=0)
        check_count("window", self.window, least=1)
        check_count("epochs", self.epochs, least=1)


PRESETS: Final[dict[str, Settings]] = {
    # Herbelot & Baroni (2017): one sentence a term.
    "published": Settings(),
    # Bloem, Fokkens & Herbelot (2019), section 7: several sentences a term.
    "small-data": Settings(alpha=0.1, negatives=5, decay=30.0, sample_decay=2.5, restart="term"),
}
