from __future__ import annotations

import pytest

from lydite.corpora.books import headings


@pytest.mark.parametrize(
    ("line", "division", "number", "title"),
    [
        ("CHAPTER I", "chapter", 1, ""),
        ("Chapter 12: The End", "chapter", 12, "The End"),
        ("CHAPTER THE", "", 0, ""),
        ("LECTURE IV. ON TIME", "lecture", 4, "ON TIME"),
        ("BOOK TWO", "book", 2, ""),
        ("THE THIRD BOOK", "book", 3, ""),
        ("Third Part", "part", 3, ""),
        ("Part II.--The World", "part", 2, "The World"),
        ("XIV.", "numeral", 14, ""),
        ("7", "numeral", 7, ""),
        ("Part two of it was dull", "", 0, ""),
        ("CHAPTER IX\nOn Wrapped\nTitles", "chapter", 9, "On Wrapped Titles"),
        ("I think so.", "", 0, ""),
    ],
)
def test_names_and_numbers_are_read(line: str, division: str, number: int, title: str) -> None:
    (found,) = headings(f"\n\n{line}\n\n")
    assert (found.division, found.number, found.title) == (division, number, title)


def test_only_short_blocks_are_headings_and_their_place_is_told() -> None:
    text = "ONE\n\n" + "word " * 60 + "\n\nTWO\n"
    assert [text[each.start : each.stop].strip() for each in headings(text)] == ["ONE", "TWO"]
