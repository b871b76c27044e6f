from __future__ import annotations

import pytest

from lydite.corpora.term_sources import article_titles, random_terms, title_terms
from lydite.errors import InputError

WORDS = [f"word{chr(97 + number)}" for number in range(20)]
SENTENCES = [(*WORDS, "1914", "rare")] * 3 + [("1914",)]


def test_random_words_are_frequent_enough_and_seeded() -> None:
    drawn = random_terms([*SENTENCES[:3], tuple(WORDS)], least=4, most=5, seed=1)
    assert len(drawn.terms) == 5
    assert {term.text for term in drawn.terms} <= set(WORDS)
    again = random_terms([*SENTENCES[:3], tuple(reversed(WORDS))], least=4, most=5, seed=1)
    assert again.terms == drawn.terms
    assert random_terms(SENTENCES, least=3, most=5, seed=2).terms != drawn.terms


def test_a_text_without_frequent_words_is_refused() -> None:
    with pytest.raises(InputError, match="no word occurs 9 times or more"):
        random_terms(SENTENCES, least=9)


def test_titles_are_first_lines() -> None:
    lines = ["", "Emu", "A bird.", "Habits.", "", "  ", "Nile perch", "A fish.", "", "Cod"]
    assert list(article_titles(lines)) == ["Emu", "Nile perch", "Cod"]


def test_titles_of_one_word_that_occur_are_drawn() -> None:
    sentences = [("emu", "runs")] * 3 + [("cod",)]
    titles = ["Emu", "Nile perch", "Cod", "1914"]
    assert [term.tokens for term in title_terms(titles, sentences, least=2).terms] == [("emu",)]
    assert len(title_terms(titles, sentences, least=1).terms) == 2


def test_titles_that_do_not_occur_are_refused() -> None:
    with pytest.raises(InputError, match="none of 1 titles of one word occurs 10 times"):
        title_terms(["Emu"], [("emu",)])
    with pytest.raises(InputError, match="no title is a single word"):
        title_terms(["Nile perch"], [("emu",)])


def test_drawing_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="1 term or more, got 0"):
        random_terms(SENTENCES, least=1, most=0)
