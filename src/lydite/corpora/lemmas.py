"""Lemmas of English words, by a dictionary or not at all."""

from __future__ import annotations

import functools
import importlib
import importlib.util
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

from lydite.errors import MissingExtraError, SpecError
from lydite.registry import nearest

Lemmatizer: TypeAlias = Callable[[Sequence[str]], list[str]]

#: For parsed text: the lemmas that stand there.
GIVEN: Final = "given"

_REMEMBERED = 1 << 20


def lemmatizer(name: str = "simplemma") -> Lemmatizer:
    """Return a function from words to their lemmas, all in lower case.

    Parameters
    ----------
    name
        ``simplemma`` (extra ``lemmas``) looks words up in a dictionary of forms, and takes a word
        that is not there as it is or by a few rules for endings; it does not look at the words
        around. ``none`` puts words into lower case.

    Raises
    ------
    SpecError
        If there is no lemmatizer of that name.
    MissingExtraError
        If its package is not installed.

    Examples
    --------
    >>> lemmatizer("none")(["Cats", "RAN"])
    ['cats', 'ran']
    """
    if name == "none":
        return _lower
    if name == "simplemma":
        return _simplemma()
    close = nearest(name, ("simplemma", "none"))
    raise SpecError(
        f"no lemmatizer is called {name!r}",
        hint=f"did you mean {close[0]}?" if close else "there are simplemma and none",
    )


def _lower(words: Sequence[str]) -> list[str]:
    return [word.lower() for word in words]


@functools.cache
def _simplemma() -> Lemmatizer:
    if importlib.util.find_spec("simplemma") is None:
        raise MissingExtraError("lemmatizing", extra="lemmas")
    package: Any = importlib.import_module("simplemma")

    @functools.lru_cache(maxsize=_REMEMBERED)
    def lemma(word: str) -> str:
        return str(package.lemmatize(word, lang="en")).lower()

    def lemmas(words: Sequence[str]) -> list[str]:
        return [lemma(word) for word in words]

    return lemmas
