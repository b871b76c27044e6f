from __future__ import annotations

import pytest

from lydite.errors import InputError
from lydite.trained.paragraph_vectors import ParagraphRecipe


def test_numbers_that_go_into_a_prediction() -> None:
    # A paragraph and 2 x 8 words of 300 numbers each; without windows, the paragraph alone.
    assert ParagraphRecipe(architecture="pv-dm").inputs == 17 * 300
    assert ParagraphRecipe(architecture="pv-dbow").inputs == 300


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"dim": 0}, "expected dim to be a whole number from 1, got 0"),
        ({"window": 1.5}, "expected window to be a whole number from 1, got 1.5"),
        ({"alpha": 0.0}, "expected alpha to be a number above 0, got 0.0"),
        ({"sample": -1.0}, "expected sample to be a number from 0, got -1.0"),
        ({"seed": 2**31}, "expected a seed from 0 to 2^31 - 1, got 2147483648"),
        ({"architecture": "pv"}, "expected architecture among pv-dm, pv-dbow, got 'pv'"),
    ],
)
def test_recipes_that_are_none(change: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as caught:
        ParagraphRecipe(**change)  # type: ignore[arg-type]
    assert str(caught.value) == message
