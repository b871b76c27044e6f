from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from lydite.corpora.documents import open_corpus
from lydite.corpora.languages import (
    check_language,
    detect_language,
    function_words,
    ranked_words,
    spaced_words,
)
from lydite.corpora.term_sources import find_terms
from lydite.errors import InputError
from lydite.resources.lexicons import open_frequencies


@pytest.mark.parametrize(
    ("code", "language"),
    [("deu", "de"), ("fra", "fr"), ("ita", "it"), ("spa", "es"), ("eng", "en")],
)
def test_ten_sentences_tell_their_language(shared_data: Path, code: str, language: str) -> None:
    pair = "deu-eng" if code == "eng" else f"{code}-eng"
    path = shared_data / "inference" / "tatoeba" / f"tatoeba.{pair}.{code}"
    lines = path.read_text("utf-8").splitlines()
    tens = [" ".join(lines[i : i + 10]) for i in range(0, 200, 10)]
    assert {detect_language(text) for text in tens} == {language}


def test_a_title_page_in_another_language_does_not_count() -> None:
    title = "This book is for the use of anyone anywhere at no cost and with no restrictions. "
    text = "Ich weiß nicht, was soll es bedeuten, daß ich so traurig bin, sagte der Mann. "
    assert detect_language(title * 5 + text * 60) == "de"


@pytest.mark.parametrize(
    ("code", "hint"), [("German", "German is de"), ("deutsch", "codes are those of ISO 639")]
)
def test_a_language_is_named_by_its_code(code: str, hint: str) -> None:
    with pytest.raises(InputError, match=f"expected the code of a language, .* got '{code}'") as e:
        check_language(code)
    assert e.value.hint == hint


def test_a_text_without_words_has_no_language() -> None:
    assert detect_language("1 2 3 4") is None
    assert detect_language("") is None


@pytest.mark.parametrize(
    ("text", "language", "spaced"),
    [
        ("l'amour, l’amour", "fr", "l amour, l amour"),
        ("Dit-il? Va-t-elle? Ce jour-là", "fr", "Dit il? Va elle? Ce jour là"),
        ("le rendez-vous d'aujourd'hui", "fr", "le rendez-vous d aujourd'hui"),
        ("dell'arte, un'altra", "it", "dell arte, un altra"),
        ("don't, O'Neill, d'Alembert", "en", "don't, O'Neill, d'Alembert"),
    ],
)
def test_words_that_a_language_writes_together(text: str, language: str, spaced: str) -> None:
    assert spaced_words(text, language) == spaced


@pytest.mark.parametrize("language", ["de", "fr", "es", "it"])
def test_most_of_the_frequent_words_of_a_language_are_listed(language: str) -> None:
    top = ranked_words(language, 1, 60)
    assert sum(word in function_words(language) for word in top) >= 0.9 * len(top)


def test_no_list_for_an_unknown_language() -> None:
    assert ranked_words("xx", 1, 10) == []


@pytest.mark.parametrize(
    ("name", "some"),
    [
        ("faust_de.txt", {"mephistopheles", "homunculus", "kaiser", "geist"}),
        ("swann_fr.txt", {"swann", "odette", "sonate", "plaisir"}),
    ],
)
def test_keywords_are_no_function_words(shared_data: Path, name: str, some: set[str]) -> None:
    corpus = open_corpus([shared_data / "books" / name])
    language = corpus.preparation.language
    background = open_frequencies("wordfreq", language=language)
    found = {
        word
        for term in find_terms("keywords", corpus, background=background).terms
        for word in term.tokens
    }
    assert some <= found
    assert not found & function_words(language)
    assert not found & set(ranked_words(language, 1, 100))


def test_detection_costs_nothing_until_it_is_needed() -> None:
    code = "import lydite.corpora.documents, sys; print('py3langid' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "False"
