"""The two halves of a text: where it is divided, and what stands in each.

Bloem et al. (2019, section 3) split data in the middle, books at the chapter boundary near it
(section 4). Of several works the boundary between two works comes before that of chapters. Where
no boundary is near enough to the middle, the middle itself divides: between two paragraphs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal, TypeAlias

from lydite.corpora.books import Book, Passage
from lydite.corpora.documents import Corpus
from lydite.errors import FormatError, InputError

#: A half has at least this share of the text; a boundary that leaves less does not halve it.
LEAST_SHARE = 1 / 3

Boundary: TypeAlias = Literal["work", "chapter", "paragraph", "sentence"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Halves:
    """A text that is divided before one of its sentences.

    Attributes
    ----------
    middle
        The number of the sentence with which the second half begins.
    boundary, note
        What it is divided at, and where, in words.
    """

    name: str
    middle: int
    boundary: Boundary
    note: str
    _corpus: Corpus

    def sentences(self, *, later: bool) -> Iterator[tuple[str, ...]]:
        """Yield the sentences of the first half, or of the later one."""
        number = 0
        for passage in _passages(self._corpus):
            for sentence in passage.sentences:
                if (number >= self.middle) == later:
                    yield sentence
                number += 1


def find_halves(corpus: Corpus) -> Halves:
    """Divide a text between works, or chapters, or else in the middle.

    Raises
    ------
    InputError
        If it has a single sentence.
    """
    lengths: list[int] = []
    works: list[int] = []
    chapters: list[tuple[int, int]] = []
    paragraphs: list[int] = []
    for number, passage in enumerate(_passages(corpus)):
        count = len(passage.sentences)
        lengths += map(len, passage.sentences)
        works += [passage.work] * count
        chapters += [(passage.work, passage.chapter)] * count
        paragraphs += [number] * count
    if len(lengths) < 2:
        raise InputError(
            f"expected at least two sentences to divide between, got {len(lengths)}",
            hint="check that the file holds the text",
        )
    before = [0, *accumulate(lengths)]
    boundary, middle = _divide(works, chapters, paragraphs, before)
    work, chapter = chapters[middle]
    where = _where(corpus, boundary, work, chapter, len(set(chapters)))
    return Halves(
        name="+".join(path.name for path in corpus.files),
        middle=middle,
        boundary=boundary,
        note=f"divided {where}: {before[middle]:,} and {before[-1] - before[middle]:,} tokens",
        _corpus=corpus,
    )


def _divide(
    works: Sequence[int],
    chapters: Sequence[tuple[int, int]],
    paragraphs: Sequence[int],
    before: Sequence[int],
) -> tuple[Boundary, int]:
    """Return the largest kind of boundary that halves the text, and the sentence behind it."""
    least = LEAST_SHARE * before[-1]
    kinds: tuple[tuple[Boundary, Sequence[object]], ...] = (
        ("work", works),
        ("chapter", chapters),
        ("paragraph", paragraphs),
    )
    for boundary, numbers in kinds:
        middle = _nearest(numbers, before)
        if least <= before[middle] <= before[-1] - least:
            return boundary, middle
    return "sentence", _nearest(range(len(works)), before)


def _nearest(numbers: Sequence[object], before: Sequence[int]) -> int:
    """Return where a new number starts nearest the middle, 0 if there is only one."""
    starts = [at for at in range(1, len(numbers)) if numbers[at] != numbers[at - 1]]
    return min(starts, key=lambda at: abs(2 * before[at] - before[-1]), default=0)


def _where(corpus: Corpus, boundary: Boundary, work: int, chapter: int, chapters: int) -> str:
    if boundary == "work":
        return f"before {corpus.files[work].name!r}"
    if boundary == "chapter":
        title = " ".join(_books(corpus)[work].chapters[chapter].title.split())
        return f"before {title!r}"
    found = "no headings were found" if chapters == 1 else "no heading is near the middle"
    within = f" of {corpus.files[work].name!r}" if len(corpus.files) > 1 else ""
    return f"in the middle{within}, between two {boundary}s ({found})"


def _passages(corpus: Corpus) -> Iterator[Passage]:
    """Yield paragraphs with their chapters where all files are books, and without where not."""
    books = _books(corpus)
    if not books:
        yield from corpus.passages()
    for work, book in enumerate(books):
        for passage in book.passages():
            yield passage._replace(work=work)


def _books(corpus: Corpus) -> list[Book]:
    try:
        return list(corpus.books())
    except FormatError:
        # Records, or too long for a book: corpus.passages() refuses what is no text at all.
        return []
