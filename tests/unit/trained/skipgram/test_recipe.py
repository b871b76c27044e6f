from __future__ import annotations

import pytest

from lydite.errors import InputError
from lydite.trained.skipgram import ARCHITECTURES, SkipgramRecipe


def test_windows_are_drawn_where_positions_are_alike() -> None:
    recipes = [SkipgramRecipe(architecture=name) for name in ARCHITECTURES]
    assert [recipe.draws_windows for recipe in recipes] == [True, True, False, False, False]
    assert [recipe.matrices for recipe in recipes] == [1, 1, 10, 10, 1]
    assert SkipgramRecipe(architecture="cwindow", dynamic=True).draws_windows
    assert not SkipgramRecipe(dynamic=False).draws_windows


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"dim": 0}, "expected dim to be a whole number from 1, got 0"),
        ({"limit": 1}, "expected limit to be a whole number from 2, got 1"),
        ({"alpha": 0.0}, "expected alpha to be a number above 0, got 0.0"),
        ({"sample": -1.0}, "expected sample to be a number from 0, got -1.0"),
        ({"seed": -1}, "expected a seed from 0 to 2^64 - 1, got -1"),
        (
            {"architecture": "glove"},
            "expected architecture among skipgram, cbow, structured-skipgram, cwindow, "
            "cbow-attention, got 'glove'",
        ),
    ],
)
def test_recipes_that_are_none(change: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as caught:
        SkipgramRecipe(**change)  # type: ignore[arg-type]
    assert str(caught.value) == message
