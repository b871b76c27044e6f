"""How a structured vector space is made."""

from __future__ import annotations

from dataclasses import dataclass, field

from lydite.models.background import check_count
from lydite.models.mitchell_lapata.recipe import MitchellLapataRecipe


@dataclass(frozen=True, kw_only=True)
class ErkPadoRecipe:
    """How a structured vector space is made; the defaults are those of Cheung & Penn (2012).

    Attributes
    ----------
    theta
        Triples take part that stand more often than this in the corpus.
    words
        How the vectors of words are made. Its lemmatizer is not used: lemmas are those of the
        corpus.
    """

    theta: int = 10
    words: MitchellLapataRecipe = field(default_factory=lambda: MitchellLapataRecipe(lemmas="none"))

    def __post_init__(self) -> None:
        check_count("theta", self.theta, least=0)
