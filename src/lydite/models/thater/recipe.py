"""How first-order vectors are made."""

from __future__ import annotations

from dataclasses import dataclass

from lydite.models.background import check_count, check_number


@dataclass(frozen=True, kw_only=True)
class ThaterRecipe:
    """How first-order vectors are made; the defaults are those of Cheung & Penn (2012).

    Attributes
    ----------
    lemmata
        How many lemmas are counted, the most frequent.
    min_count
        How often a triple has to stand in the corpus.
    pmi
        How much pointwise mutual information, by the natural logarithm, it has to have.
    """

    lemmata: int = 30_000
    min_count: int = 10
    pmi: float = 2.0

    def __post_init__(self) -> None:
        check_count("lemmata", self.lemmata, least=1)
        check_count("min_count", self.min_count, least=1)
        check_number("pmi", self.pmi, least=0)
