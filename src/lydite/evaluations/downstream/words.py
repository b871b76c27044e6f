"""Words of sentences, looked up in a model with regard to their case."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from lydite.errors import UnsuitableModelError
from lydite.models.catalogue import model_spec
from lydite.models.protocols import WordModel
from lydite.models.words import find_words
from lydite.types import Lookup

#: How words are looked up: as written and then in lower case, as written, in lower case.
Case: TypeAlias = Literal["fallback", "as-is", "lower"]


def look_up(model: object, words: Sequence[str], *, case: Case, what: str) -> Lookup:
    """Return the vectors of words, (v, d), and which have one.

    Parameters
    ----------
    what
        The evaluation that asks, for messages.

    Raises
    ------
    UnsuitableModelError
        If the model has no vectors of words.

    Examples
    --------
    >>> from lydite.spaces.space import Space
    >>> space = Space.of({"cat": [1.0]})
    >>> look_up(space, ["Cat", "cat"], case="as-is", what="tagging").found.tolist()
    [False, True]
    """
    if not isinstance(model, WordModel):
        raise UnsuitableModelError(
            f"{what} needs vectors of single words, and {model_spec(model)} has none to look up",
            hint="give a model of words, such as a vector file",
        )
    asked = [word.lower() for word in words] if case == "lower" else words
    return find_words(model, asked, case="fold" if case == "fallback" else "exact")
