from __future__ import annotations

import pytest

from lydite.corpora.books import Book, Chapter
from lydite.corpora.preparation import Preparation
from lydite.corpora.samples import sample_halves
from lydite.corpora.terms import Term
from lydite.errors import InputError

TERMS = [Term(text=text, tokens=tuple(text.split())) for text in ("free will", "time", "space")]
CHAPTER = (
    "Here, in part {0}, the question of free will is raised again by those who ask. "
    "There is no time like the present, number {0}, for what has to be done by us. "
    "On the next page, page {0}, the problem of time returns, and with it free will.\n\n"
)


def _book(count: int) -> Book:
    chapters, text = [], ""
    for number in range(1, count + 1):
        heading, below = f"CHAPTER {number}\n\n", CHAPTER.format(10 + number)
        body = len(text) + len(heading)
        chapters.append(
            Chapter(title=heading.strip(), start=len(text), body=body, stop=body + len(below))
        )
        text += heading + below
    return Book(name="b.txt", text=text, chapters=tuple(chapters), preparation=Preparation())


def test_a_book_is_divided_between_chapters() -> None:
    samples = sample_halves(_book(4), TERMS)
    assert [each.term for each in samples.terms] == ["free will", "time"]
    assert [len(sample) for sample in samples.terms[0].samples] == [4, 4]
    assert samples.problems == {"never occurs": 1}
    assert samples.notes[0].startswith("divided before 'CHAPTER 3'")


def test_a_book_of_one_chapter_is_refused() -> None:
    with pytest.raises(InputError, match="at least two chapters"):
        sample_halves(_book(1), TERMS)
