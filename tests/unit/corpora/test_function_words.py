from __future__ import annotations

import pytest

from lydite.corpora import lemmas as function_words
from lydite.corpora.lemmas import FUNCTION_WORDS


def test_classes_hold_what_their_names_say() -> None:
    assert {"a", "the"} <= function_words.ARTICLES
    assert {"he", "themselves", "who"} <= function_words.PRONOUNS
    assert {"of", "in", "towards"} <= function_words.PREPOSITIONS
    assert {"be", "was", "'ll"} <= function_words.AUXILIARIES
    assert {"and", "because"} <= function_words.CONJUNCTIONS


@pytest.mark.parametrize("word", ["acquire", "say", "born", "company", "two", "first", "good"])
def test_words_with_a_meaning_are_not_there(word: str) -> None:
    assert word not in FUNCTION_WORDS


def test_all_classes_are_together_in_lower_case() -> None:
    classes = [value for value in vars(function_words).values() if isinstance(value, frozenset)]
    assert frozenset().union(*classes) == FUNCTION_WORDS
    assert all(word == word.lower() and word.split() == [word] for word in FUNCTION_WORDS)
