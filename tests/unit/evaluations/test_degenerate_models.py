"""Models that know nothing are refused: none gets a good score, or one of chance, from ties."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lydite.errors import FormatError, UndefinedScoreError
from lydite.evaluations.nonces.data import read_chimeras
from lydite.lexicons.oracles import read_oracle
from lydite.models.composition import MeanOfWords
from lydite.runner import ask
from lydite.types import Lookup


class Same:
    """Gives all words the same vector."""

    def __init__(self, value: float, *, known: bool = True) -> None:
        self._value = value
        self._known = known

    def lookup(self, words: list[str]) -> Lookup:
        vectors = np.full((len(words), 3), self._value, dtype=np.float32)
        return Lookup(vectors=vectors, found=np.full(len(words), self._known))


@pytest.mark.parametrize("value", [1.0, 0.0, -2.5, 1e-30, 1e30])
@pytest.mark.parametrize("measure", ["cosine", "dot", "euclidean"])
def test_constant_vectors_have_no_score_of_subsumption(value: float, measure: str) -> None:
    """They once kept all conditions by ties: a score of 1.000."""
    question = f"subsumption(similarity={measure})"
    with pytest.raises(UndefinedScoreError, match=r"same similarity|covers none"):
        ask(Same(value), question, "starter-inventory", seed=0)


def test_separation_without_a_covered_item_has_no_score() -> None:
    """It once was .500, as of a model that knows all and tells nothing apart."""
    model = MeanOfWords.open(Same(1.0, known=False))
    with pytest.raises(UndefinedScoreError, match="covers none of"):
        ask(model, "separation", "starter-relations", seed=0)


@pytest.mark.parametrize("weight", ["1e308", "-1e200", "1e999", "NaN", "Infinity"])
def test_weights_of_an_oracle_that_cannot_be_squared_are_refused(
    tmp_path: Path, weight: str
) -> None:
    path = tmp_path / "oracle.txt"
    path.write_text(f'fish\t{{"noun": 1.0}}\nrun\t{{"noun": {weight}}}\n')
    with pytest.raises(FormatError, match="expected a word, a tab and its features"):
        read_oracle(path)


@pytest.mark.parametrize("rating", ["inf", "-inf", "nan", "1e300"])
def test_infinite_ratings_of_chimeras_are_refused(tmp_path: Path, rating: str) -> None:
    path = tmp_path / "chimeras.txt"
    path.write_text(f"1\ta ___ b @@ c ___ d\tcat,dog\t1.5,{rating}\n")
    with pytest.raises(FormatError, match="expected 2 ratings"):
        read_chimeras(path)
