from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from lydite.corpora.term_sources import Keyness, keyword_terms, log_odds
from lydite.errors import InputError
from lydite.types import Floats


@dataclass(frozen=True)
class Listed:
    known: Mapping[str, float]
    name: str = "the list"

    def counts(self, words: Sequence[str]) -> Floats:
        return np.array([self.known.get(word, 0.0) for word in words])


LANGUAGE = Listed({"the": 6e7, "of": 3e7, "sense": 2e5, "external": 2e4, "world": 4e5, "cat": 1e5})
TEXT = [("the", "external", "world", "of", "sense-data")] * 20 + [("the", "cat", "42")] * 20


def test_log_odds_by_hand() -> None:
    # alpha = 1000 * 11 / 200 = 55; log(65 / 1035) - log(56 / 1044), over sqrt(1 / 65 + 1 / 56)
    expected = (math.log(65 / 1035) - math.log(56 / 1044)) / math.sqrt(1 / 65 + 1 / 56)
    found = log_odds(np.array([10.0, 0.0]), 100, np.array([1.0, 0.0]), 100)
    assert found == pytest.approx([expected, 0.0])


def test_log_odds_are_antisymmetric() -> None:
    here, there = np.array([10.0, 3.0]), np.array([4.0, 9.0])
    assert log_odds(here, 50, there, 70) == pytest.approx(-log_odds(there, 70, here, 50))


def test_words_and_pairs_that_set_the_text_apart() -> None:
    terms = keyword_terms(TEXT, LANGUAGE, most=10)
    # Function words, numbers and pairs with them are none. A pair counts as its rarer word, so
    # that "external world" stands beside "external".
    assert {term.tokens for term in terms.terms} == {
        ("external",),
        ("external", "world"),
        ("world",),
        ("sense-data",),
        ("cat",),
    }


def test_a_word_that_the_background_does_not_know_is_a_keyword() -> None:
    assert ("sense-data",) in {term.tokens for term in keyword_terms(TEXT, LANGUAGE, most=3).terms}


@pytest.mark.parametrize("choice", [{"most": 0}, {"least": 0}, {"keyness": Keyness(prior=0)}])
def test_choices_that_make_no_sense_are_refused(choice: dict[str, int]) -> None:
    with pytest.raises(InputError, match="expected more than 0 of everything, got 0"):
        keyword_terms(TEXT, LANGUAGE, **choice)  # type: ignore[arg-type]


def test_a_text_without_keywords_is_refused() -> None:
    with pytest.raises(InputError, match="no word that occurs 50 times or more is more frequent"):
        keyword_terms(TEXT, LANGUAGE, least=50)
