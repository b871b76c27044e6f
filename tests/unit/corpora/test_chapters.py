from __future__ import annotations

from pathlib import Path

import pytest

from lydite.corpora.books import Chapter, chapters
from lydite.corpora.documents import open_corpus

PROSE = " ".join(["the words of a chapter go on and on, as words in a book will do;"] * 40)


def book(*blocks: str) -> str:
    return "\n\n\n".join(blocks)


def titles(text: str) -> list[str]:
    return [each.title for each in chapters(text)]


def test_named_and_numbered_headings_are_chapters() -> None:
    text = book("A BOOK", "CHAPTER I", PROSE, "CHAPTER II", PROSE, "CHAPTER III", PROSE)
    assert titles(text) == ["CHAPTER I", "CHAPTER II", "CHAPTER III"]


def test_the_text_of_a_chapter_starts_below_its_title() -> None:
    text = book("Lecture 1", "What It Means", PROSE, "Lecture 2", "Why It Does", PROSE)
    first, second = chapters(text)
    assert (first.title, second.title) == ("Lecture 1. What It Means", "Lecture 2. Why It Does")
    assert text[first.body : first.stop].strip() == PROSE
    assert text[second.start : second.body] == "Lecture 2\n\n\nWhy It Does"
    assert second.stop == len(text)


def test_a_title_on_the_line_below_the_number_belongs_to_it() -> None:
    text = f"CHAPTER I\nOf the Balance\n\n{PROSE}\n\nCHAPTER II\nOf the Pound\n\n{PROSE}\n"
    assert titles(text) == ["CHAPTER I. Of the Balance", "CHAPTER II. Of the Pound"]


def test_a_new_part_stands_above_its_first_chapter() -> None:
    text = book("PART I", "CHAPTER I", PROSE, "PART II", "THE FUTURE", "CHAPTER II", PROSE)
    first, second = chapters(text)
    assert text[second.start :].startswith("PART II")
    assert text[first.body : first.stop].strip() == PROSE


def test_parts_within_sections_are_no_chapters() -> None:
    blocks = [
        *("SECTION I.", "PART I.", PROSE, "PART II.", PROSE),
        *("SECTION II.", "PART I.", PROSE, "PART II.", PROSE),
    ]
    assert titles(book(*blocks)) == ["SECTION I.", "SECTION II."]


def test_a_reference_to_another_section_is_no_heading() -> None:
    text = book("SECTION I.", PROSE, "Section IX.", PROSE, "SECTION II.", PROSE)
    assert titles(text) == ["SECTION I.", "SECTION II."]


@pytest.mark.parametrize("heading", ["Contents", None])
def test_a_table_with_summaries_is_not_taken_for_chapters(heading: str | None) -> None:
    summary = "on words and how they go on in the way that words will go on in any book of words"
    table = ["Lecture I", "On One", summary, "Lecture II", "On Two", summary]
    text = book(*([heading] if heading else []), *table) + "\n\n\n"
    text += book("Lecture I", "On One", PROSE * 3, "Lecture II", "On Two", PROSE * 3)
    assert [text[each.body : each.stop].strip() for each in chapters(text)] == [PROSE * 3] * 2


def test_titles_are_found_by_the_table_of_contents() -> None:
    table = "I. On Being       1\n\nII. On Not\n    Being   . . . .  33\n\nINDEX . . . . 60"
    text = book(
        "CONTENTS", table, "ESSAYS", "ON BEING.", PROSE, "I.", PROSE, "II.", PROSE,
        "ON NOT BEING.", "I.", PROSE, "II.", PROSE,
    )  # fmt: skip
    assert titles(text) == ["ON BEING.", "ON NOT BEING."]


def test_numerals_that_stand_alone_count_up() -> None:
    text = book("I", PROSE, "II", "I", PROSE, "II", PROSE, "III", PROSE)
    # The sections of the second chapter start anew with I.
    assert titles(text) == ["I", "II", "III"]


def test_lines_in_capitals_with_text_below_are_chapters() -> None:
    text = book("A TITLE", "BY AN AUTHOR", "ON TIME", PROSE, "ON SPACE", PROSE)
    assert titles(text) == ["ON TIME", "ON SPACE"]


def test_what_stands_beside_the_chapters_counts_and_lists_do_not() -> None:
    text = book(
        "PREFACE", PROSE, "CONTENTS", "I. One  1\nII. Two  2\n", "CHAPTER I", PROSE, "CHAPTER II",
        PROSE, "APPENDIX", PROSE, "BIBLIOGRAPHY", "Plato: Republic.",
        "INDEX", "Being, 1\n\nTime, 2\n\n" * 9,
    )  # fmt: skip
    assert titles(text) == ["PREFACE", "CHAPTER I", "CHAPTER II", "APPENDIX"]
    assert all("Being, 1" not in text[each.start : each.stop] for each in chapters(text))


def test_a_chapter_on_an_index_is_no_index() -> None:
    text = book("CHAPTER I", PROSE, "CHAPTER II", PROSE, "INDEX OF PRICES", PROSE)
    assert chapters(text)[-1].stop == len(text)


def test_an_introduction_within_a_chapter_is_none_of_its_own() -> None:
    text = book("CHAPTER I", PROSE, "INTRODUCTION", PROSE, "CHAPTER II", PROSE)
    assert titles(text) == ["CHAPTER I", "CHAPTER II"]


def test_long_text_before_the_first_chapter_is_kept() -> None:
    text = book(PROSE, "CHAPTER I", PROSE, "CHAPTER II", PROSE)
    assert titles(text) == ["", "CHAPTER I", "CHAPTER II"]


@pytest.mark.parametrize("text", ["", "Just a line.", PROSE, book("CHAPTER I", PROSE)])
def test_a_text_without_chapters_is_one(text: str) -> None:
    assert chapters(text) == [Chapter(title="", start=0, body=0, stop=len(text))]


def test_an_index_is_left_out_of_a_text_without_chapters() -> None:
    text = book(PROSE, PROSE, "INDEX", "Being, 1")
    (only,) = chapters(text)
    assert text[only.stop :].startswith("INDEX")


def test_headings_over_lists_alone_are_no_chapters() -> None:
    text = book("CHAPTER I", "Being, 1, 2, 3", "CHAPTER II", "Time, 4, 5, 6")
    assert chapters(text) == [Chapter(title="", start=0, body=0, stop=len(text))]


# Beside the numbered chapters: whether there is a preface or introduction, and an appendix.
BOOKS = {
    "analysis_of_mind_2529": ("LECTURE", 15, ["PREFACE"], []),
    "enquiry_human_understanding_9662": ("SECTION", 12, [], []),
    "our_knowledge_external_world_37090": ("LECTURE", 8, ["PREFACE"], []),
    "pragmatism_5116": ("Lecture", 8, ["Preface"], []),
    "problem_of_china_13940": ("CHAPTER", 15, [], ["APPENDIX"]),
    "problems_of_philosophy_5827": ("CHAPTER", 15, ["PREFACE"], []),
    "proposed_roads_to_freedom_690": ("CHAPTER", 8, ["INTRODUCTION"], []),
}


@pytest.mark.parametrize("name", BOOKS)
def test_numbered_chapters_of_real_books(shared_data: Path, name: str) -> None:
    label, count, front, back = BOOKS[name]
    found = next(open_corpus([shared_data / "books" / f"{name}.txt"]).books()).chapters
    named = [each.title.split(" ")[0].rstrip(".") for each in found]
    assert named == [*front, *[label] * count, *back]


def test_chapters_of_real_books_that_only_the_contents_tell(shared_data: Path) -> None:
    folder = shared_data / "books"
    essays = next(open_corpus([folder / "will_to_believe_26659.txt"]).books()).chapters
    assert [each.title for each in essays] == [
        "PREFACE.",
        "THE WILL TO BELIEVE.",
        "IS LIFE WORTH LIVING?",
        "THE SENTIMENT OF RATIONALITY.",
        "REFLEX ACTION AND THEISM.",
        "THE DILEMMA OF DETERMINISM.",
        "THE MORAL PHILOSOPHER AND THE MORAL LIFE.",
        "GREAT MEN AND THEIR ENVIRONMENT.",
        "THE IMPORTANCE OF INDIVIDUALS.",
        "ON SOME HEGELISMS.",
        "WHAT PSYCHICAL RESEARCH HAS ACCOMPLISHED.",
    ]
    logic = next(open_corpus([folder / "mysticism_and_logic_25447.txt"]).books()).chapters
    assert [each.title for each in logic] == [
        "PREFACE",
        "I. MYSTICISM AND LOGIC",
        "II. THE PLACE OF SCIENCE IN A LIBERAL EDUCATION",
        "III. A FREE MAN'S WORSHIP",
        "IV. THE STUDY OF MATHEMATICS",
        "V. MATHEMATICS AND THE METAPHYSICIANS",
        "VI. ON SCIENTIFIC METHOD IN PHILOSOPHY",
        "VII. THE ULTIMATE CONSTITUENTS OF MATTER",
        "VIII. THE RELATION OF SENSE-DATA TO PHYSICS",
        "IX. ON THE NOTION OF CAUSE",
        "X. KNOWLEDGE BY ACQUAINTANCE AND KNOWLEDGE BY DESCRIPTION",
    ]
