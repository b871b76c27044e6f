"""How latent senses are learnt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from lydite.errors import InputError
from lydite.models.background import check_count, check_number

#: What the priors of all senses of a word add up to, if alpha is not given.
PRIOR_MASS: Final = 2.0

#: tomotopy keeps the number of a sense in 16 bits.
_MOST_SENSES = 32_767
_COUNTS = ("lemmata", "contexts", "window", "min_count", "senses", "iterations", "workers")


@dataclass(frozen=True, kw_only=True)
class SenseRecipe:
    """How latent senses are learnt, by latent Dirichlet allocation over the contexts of lemmas.

    Attributes
    ----------
    lemmata, contexts, window, min_count, lemmas
        What is counted, see :func:`~lydite.models.lemma_contexts.counted_lemmas`; the defaults are
        those of Cheung & Penn (2012, section 4.2).
    senses
        K, the number of latent senses that all words share. Cheung & Penn (2012) use 1,200.
    iterations
        How often Gibbs sampling goes through all tokens. Cheung & Penn use 600.
    alpha
        The prior of each sense of a word: so many context words are taken to have been seen with
        it before any was. None is ``2 / senses``. The usual ``50 / senses`` (Griffiths & Steyvers
        2004) is meant for documents of some hundred words; of a rare lemma that has a few dozen
        context words it would leave hardly more than the prior. Cheung & Penn name no priors. They
        stay as they are: tomotopy's own estimation of them is switched off.
    eta
        The prior of each context word in a sense.
    most
        How many context words of a lemma are sampled from at most; None is all. A corpus has a few
        context words a token, which follow Zipf's law: without a limit most of the time goes
        to the senses of a few frequent words. Which of them are kept is drawn without replacement.
    seed
        Of the first senses and of everything drawn.
    workers
        Threads of the sampler. Only with one does the same seed give the same bits.
    """

    lemmata: int = 30_000
    contexts: int = 3_000
    window: int = 5
    min_count: int = 1
    lemmas: str = "simplemma"
    senses: int = 1200
    iterations: int = 600
    alpha: float | None = None
    eta: float = 0.01
    most: int | None = 2000
    seed: int = 0
    workers: int = 1

    def __post_init__(self) -> None:
        for name in _COUNTS:
            check_count(name, getattr(self, name), least=1)
        if self.contexts > self.lemmata:
            raise InputError(
                f"expected no more contexts than lemmata, got {self.contexts} and {self.lemmata}",
                hint="contexts are chosen among the lemmata",
            )
        if self.senses > _MOST_SENSES:
            raise InputError(f"expected at most {_MOST_SENSES} senses, got {self.senses}")
        if self.alpha is not None:
            check_number("alpha", self.alpha, least=0, above=True)
        check_number("eta", self.eta, least=0, above=True)
        if self.most is not None:
            check_count("most", self.most, least=1)
        if type(self.seed) is not int or not 0 <= self.seed < 2**32:
            raise InputError(f"expected a seed from 0 to 2^32 - 1, got {self.seed!r}")

    @property
    def prior(self) -> float:
        """Alpha, also where it is not given."""
        return PRIOR_MASS / self.senses if self.alpha is None else self.alpha
