from __future__ import annotations

import importlib.util
import sys

import pytest

from lydite.corpora.lemmas import _simplemma, lemmatizer
from lydite.errors import MissingExtraError, SpecError


def test_none_puts_words_into_lower_case() -> None:
    assert lemmatizer("none")(["Cats", "", "ÉTÉ"]) == ["cats", "", "été"]


@pytest.mark.skipif(importlib.util.find_spec("simplemma") is None, reason="no extra 'lemmas'")
def test_simplemma_knows_forms() -> None:
    words = ["Acquires", "acquired", "mice", "was", "sentences", "IL-2", "Pfizer", "zzyx", "."]
    expected = ["acquire", "acquire", "mouse", "be", "sentence", "il-2", "pfizer", "zzyx", "."]
    assert lemmatizer("simplemma")(words) == expected
    assert lemmatizer()(words) == expected


def test_a_name_that_is_close_is_suggested() -> None:
    with pytest.raises(SpecError, match="did you mean simplemma"):
        lemmatizer("simplema")


def test_missing_package_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    _simplemma.cache_clear()
    monkeypatch.setitem(sys.modules, "simplemma", None)
    with pytest.raises(MissingExtraError, match=r"lydite\[lemmas\]"):
        lemmatizer("simplemma")
    _simplemma.cache_clear()
