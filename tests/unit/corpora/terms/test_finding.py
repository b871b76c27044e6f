from __future__ import annotations

from pathlib import Path

import pytest

from lydite.corpora.documents import open_corpus
from lydite.corpora.term_sources import TermChoice, find_terms
from lydite.errors import InputError, UnknownNameError

ENTRIES = "art, 3\nbeing, 3\ncat, 3\nday, 3\near, 3\nfate, 3\ngod, 3\nhome, 3\nink, 3\njoke, 3"
PROSE = "The art of being a cat lasts a day.\nThe ear hears it, and so does fate.\n"


@pytest.fixture
def book(tmp_path: Path) -> Path:
    path = tmp_path / "book.txt"
    path.write_text(f"{PROSE * 3}\nINDEX\n\n{ENTRIES}\n", encoding="utf-8")
    return path


def test_an_index_by_name(book: Path) -> None:
    terms = find_terms("index", open_corpus([book]))
    assert [term.text for term in terms.terms][:2] == ["art", "being"]
    assert terms.source == "index of book.txt"


def test_indexes_of_several_books_are_gathered(book: Path) -> None:
    (book.parent / "other.txt").write_text(PROSE, encoding="utf-8")
    terms = find_terms("index", open_corpus([book.parent]))
    assert len(terms.terms) == 10
    assert any("other.txt: no index was found" in note for note in terms.notes)


def test_no_index_in_any_book_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other.txt").write_text(PROSE, encoding="utf-8")
    with pytest.raises(InputError, match=r"other\.txt: no index was found"):
        find_terms("index", open_corpus([tmp_path]))


def test_random_words_and_lists_by_name(book: Path, tmp_path: Path) -> None:
    corpus = open_corpus([book])
    drawn = find_terms("random", corpus, choice=TermChoice(most=2, least=1))
    assert len(drawn.terms) == 2
    listed = tmp_path / "terms.txt"
    listed.write_text("cat\n", encoding="utf-8")
    assert [term.text for term in find_terms(str(listed), corpus).terms] == ["cat"]


def test_titles_by_name(tmp_path: Path) -> None:
    path = tmp_path / "wiki.txt"
    path.write_text("Emu\nThe emu runs. The emu rests.\n\nNile perch\nAn emu eats it.\n")
    terms = find_terms("titles", open_corpus([path]), choice=TermChoice(least=3))
    assert [term.tokens for term in terms.terms] == [("emu",)]


def test_keywords_need_a_background(book: Path) -> None:
    with pytest.raises(InputError, match="keywords need the frequencies"):
        find_terms("keywords", open_corpus([book]))


def test_an_unknown_source_is_refused(book: Path) -> None:
    with pytest.raises(
        UnknownNameError, match="there is no source of terms called 'indx'"
    ) as caught:
        find_terms("indx", open_corpus([book]))
    assert "did you mean index?" in str(caught.value)
