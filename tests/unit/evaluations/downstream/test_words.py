from __future__ import annotations

import numpy as np
import pytest

from lydite.errors import UnsuitableModelError
from lydite.evaluations.downstream.words import Case, look_up
from lydite.spaces.space import Space
from lydite.types import Vectors

SPACE = Space.of({"cat": [1.0, 2.0], "Cat": [3.0, 4.0], "dog": [5.0, 6.0]})


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        ("fold", [[1, 2], [3, 4], [5, 6], None]),
        ("exact", [[1, 2], [3, 4], None, None]),
        ("lower", [[1, 2], [1, 2], [5, 6], None]),
    ],
)
def test_the_case_of_words(case: Case, expected: list[list[float] | None]) -> None:
    found = look_up(SPACE, ["cat", "Cat", "DOG", "emu"], case=case, what="tagging")
    assert found.found.tolist() == [each is not None for each in expected]
    for vector, each in zip(found.vectors.tolist(), expected, strict=True):
        assert each is None or vector == each


def test_a_model_without_vectors_of_words_is_refused() -> None:
    class Texts:
        spec = "texts"

        def encode(self, texts: list[str], /) -> Vectors:
            return np.ones((len(texts), 2), dtype=np.float32)

    with pytest.raises(
        UnsuitableModelError, match=r"tagging needs vectors of .* texts has none to look up"
    ):
        look_up(Texts(), ["cat"], case="exact", what="tagging")
