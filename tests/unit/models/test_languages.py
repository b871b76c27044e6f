from __future__ import annotations

import logging

import numpy as np
import pytest

from lydite.corpora.languages import ranked_words
from lydite.models.additive import Additive
from lydite.models.catalogue import load
from lydite.models.languages import is_of_language, language_notes, language_share, spaces_of
from lydite.models.pooled import Pooled
from lydite.spaces.space import Space


def _first(count: int) -> Space:
    words = load("glove-6b-50d").vocabulary.words.take(np.arange(count)).to_list()
    return Space.of({word: [1.0, float(place)] for place, word in enumerate(words)})


@pytest.mark.parametrize("language", ["de", "fr", "es", "it", "nl", "pt", "sv", "ru"])
def test_glove_is_not_of_other_languages(language: str) -> None:
    assert not is_of_language(load("glove-6b-50d"), language)


def test_glove_is_english_whole_or_in_part() -> None:
    assert is_of_language(load("glove-6b-50d"), "en")
    for count in (50_000, 5000, 2000):
        assert is_of_language(_first(count), "en")
        assert not is_of_language(_first(count), "de")


def test_a_german_space_is_german_and_not_english() -> None:
    words = ranked_words("de", 1, 8000)
    space = Space.of({word: [1.0, float(place)] for place, word in enumerate(words)})
    assert is_of_language(space, "de")
    assert not is_of_language(space, "en")
    assert language_notes(space, "de") == []


def test_what_cannot_be_told_is_no_alarm() -> None:
    small = Space.of({"cat": [1.0, 2.0]})
    assert language_share(small, "de") is None
    assert is_of_language(small, "de")
    assert is_of_language(load("glove-6b-50d"), "la")  # wordfreq has no Latin


def test_a_german_text_with_english_vectors_is_a_loud_warning(
    caplog: pytest.LogCaptureFixture,
) -> None:
    glove = load("glove-6b-50d")
    with caplog.at_level(logging.WARNING):
        (note,) = language_notes(Additive.open(glove, sample=0), "de")
    assert note in caplog.messages
    assert "the text is in German, and glove-6b-50d is not of that language" in note
    assert "--language" in note
    assert language_notes(Additive.open(glove, sample=0), "en") == []
    assert language_notes(glove, None) == []


def test_spaces_are_found_however_deep() -> None:
    assert [space.spec for space in spaces_of(Pooled.open("mean(glove-6b-50d)"))] == [
        "glove-6b-50d"
    ]
    assert list(spaces_of(load("bow"))) == []
