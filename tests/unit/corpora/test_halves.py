from __future__ import annotations

from pathlib import Path

import pytest

from lydite.corpora.documents import open_corpus
from lydite.corpora.halves import LEAST_SHARE, find_halves
from lydite.corpora.samples import sample_halves
from lydite.corpora.terms import Term
from lydite.errors import InputError

TERMS = [Term(text=text, tokens=tuple(text.split())) for text in ("free will", "time", "space")]
PARAGRAPH = (
    "Here, in part {0}, the question of free will is raised again\n"
    "by those who ask. There is no time like the present, in the\n"
    "{0} part, for what has to be done by us. On the next page of\n"
    "{0}, the problem of time returns, and with it free will.\n\n"
)
NUMBERS = (
    "one",
    "two",
    "six",
    "ten",
    "four",
    "five",
    "three",
    "seven",
    "eight",
    "nine",
    "eleven",
    "twelve",
)


def _written(folder: Path, *chapters: int, name: str = "b.txt", headings: bool = True) -> Path:
    """Write a book whose chapters have so many paragraphs."""
    text, numbers = "", iter(NUMBERS)
    for chapter, count in enumerate(chapters, 1):
        text += f"CHAPTER {chapter}\n\n" if headings else ""
        for _ in range(count):
            text += PARAGRAPH.format(next(numbers))
    path = folder / name
    path.write_text(text)
    return path


def test_a_book_is_divided_between_chapters(tmp_path: Path) -> None:
    samples = sample_halves(open_corpus([_written(tmp_path, 1, 1, 1, 1)]), TERMS)
    assert [each.term for each in samples.terms] == ["free will", "time"]
    assert [len(sample) for sample in samples.terms[0].samples] == [4, 4]
    assert samples.problems == {"never occurs": 1}
    assert samples.notes == ("divided before 'CHAPTER 3': 102 and 102 tokens",)


@pytest.mark.parametrize(
    ("chapters", "divided"),
    [
        ((5, 2, 4), "before 'CHAPTER 2'"),  # 5 before, 6 behind; the other leaves 7 and 4
        ((3, 1, 2), "before 'CHAPTER 2'"),
        ((2, 4, 2), "in the middle, between two paragraphs (no heading is near the middle)"),
        ((1, 1, 1, 9), "in the middle, between two paragraphs (no heading is near the middle)"),
    ],
)
def test_the_boundary_is_nearest_the_middle(
    tmp_path: Path, chapters: tuple[int, ...], divided: str
) -> None:
    halves = find_halves(open_corpus([_written(tmp_path, *chapters)]))
    assert halves.note.startswith(f"divided {divided}: ")
    first = sum(map(len, halves.sentences(later=False)))
    second = sum(map(len, halves.sentences(later=True)))
    assert first + second == 51 * sum(chapters)
    assert min(first, second) >= LEAST_SHARE * (first + second)


def test_a_book_without_headings_is_divided_in_the_middle(tmp_path: Path) -> None:
    samples = sample_halves(open_corpus([_written(tmp_path, 4, headings=False)]), TERMS)
    assert [len(sample) for sample in samples.terms[0].samples] == [4, 4]
    (note,) = samples.notes
    assert note.startswith("divided in the middle, between two paragraphs (no headings were found)")
    assert note.endswith(": 102 and 102 tokens")


def test_a_single_paragraph_is_divided_between_sentences(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("Time is long. Space is wide. Time passes. Space stays as it was.\n")
    halves = find_halves(open_corpus([path]))
    assert list(halves.sentences(later=False)) == [("time", "is", "long"), ("space", "is", "wide")]
    assert "between two sentences" in halves.note


def test_several_works_are_divided_between_two(tmp_path: Path) -> None:
    paths = [
        _written(tmp_path, 1, 1, name="a.txt"),
        _written(tmp_path, 2, 1, name="b.txt"),
        _written(tmp_path, 3, 1, name="c.txt"),
    ]
    halves = find_halves(open_corpus(paths))
    assert halves.note == "divided before 'c.txt': 255 and 204 tokens"
    assert halves.name == "a.txt+b.txt+c.txt"


def test_a_work_that_outweighs_the_others_is_divided_itself(tmp_path: Path) -> None:
    paths = [_written(tmp_path, 1, name="a.txt"), _written(tmp_path, 4, 5, name="b.txt")]
    assert find_halves(open_corpus(paths)).note.startswith("divided before 'CHAPTER 2': ")
    paths = [_written(tmp_path, 1, name="a.txt"), _written(tmp_path, 9, name="b.txt")]
    assert find_halves(open_corpus(paths)).note.startswith("divided in the middle of 'b.txt', ")


def test_records_have_a_middle_too(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "Time is long."}\n{"text": "Space is wide."}\n')
    assert find_halves(open_corpus([path])).middle == 1


def test_one_sentence_has_no_halves(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("Time is long.\n")
    with pytest.raises(InputError, match="at least two sentences to divide between, got 1"):
        find_halves(open_corpus([path]))


@pytest.mark.parametrize(
    ("name", "boundary"),
    [
        ("our_knowledge_external_world_37090.txt", "chapter"),
        ("swann_fr.txt", "chapter"),
        ("faust_de.txt", "paragraph"),
    ],
)
def test_real_books_have_halves(shared_data: Path, name: str, boundary: str) -> None:
    halves = find_halves(open_corpus([shared_data / "books" / name]))
    assert halves.boundary == boundary
    counts = [sum(map(len, halves.sentences(later=later))) for later in (False, True)]
    assert min(counts) > LEAST_SHARE * sum(counts)
