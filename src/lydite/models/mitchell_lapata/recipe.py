"""How the count vectors of Mitchell & Lapata are made."""

from __future__ import annotations

from dataclasses import dataclass

from lydite.errors import InputError
from lydite.models.background import check_count, check_number


@dataclass(frozen=True, kw_only=True)
class MitchellLapataRecipe:
    """How count vectors are made; the defaults are those of Cheung & Penn (2012, section 4.2).

    Values are positive pointwise mutual information. The paper says "pmi-scaled" and no more:
    information itself is minus infinity for a lemma that was never met in a context, which neither
    sums nor products survive, and below 0 it rests on few counts; as 0 it says that nothing is
    known of the context. Probabilities are shares of the counts, without smoothing, since the
    contexts are the most frequent lemmas and hardly any count of theirs is small.

    Attributes
    ----------
    lemmata
        How many lemmas have a vector, the most frequent.
    contexts
        How many of them are dimensions, the most frequent that are no function words.
    window
        Words on either side, within the sentence; function words take up places, punctuation does
        not.
    min_count
        Lemmas that are rarer have no vector.
    cds
        Exponent of the counts of contexts; 0.75 makes the information of rare ones less.
    lemmas
        The lemmatizer of running text, and of texts that are encoded later.
    """

    lemmata: int = 30_000
    contexts: int = 3_000
    window: int = 5
    min_count: int = 1
    cds: float = 1.0
    lemmas: str = "simplemma"

    def __post_init__(self) -> None:
        for name in ("lemmata", "contexts", "window", "min_count"):
            check_count(name, getattr(self, name), least=1)
        check_number("cds", self.cds, least=0)
        if self.contexts > self.lemmata:
            raise InputError(
                f"expected no more contexts than lemmata, got {self.contexts} and {self.lemmata}",
                hint="contexts are chosen among the lemmata",
            )
