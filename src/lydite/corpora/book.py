"""A book: its text without what its publisher put around it, and its chapters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from lydite.corpora.chapters import Chapter, is_heading
from lydite.corpora.paragraphs import blocks
from lydite.corpora.preparation import Preparation


class BookSentence(NamedTuple):
    """The tokens of a sentence, and the number of its chapter in ``Book.chapters``."""

    tokens: tuple[str, ...]
    chapter: int


@dataclass(frozen=True, kw_only=True, eq=False)
class Book:
    """A text short enough to be held in memory.

    Attributes
    ----------
    name
        Its file.
    text
        The whole text, with title page, contents and index, without licence,
        transcriber's notes, illustrations and page numbers.
    chapters
        In order; ``text[chapter.body:chapter.stop]`` is what stands under the heading. Where no
        chapters are found there is one, without a title, that holds everything but an index.
    preparation
        How sentences are cut and tokens chosen.
    """

    name: str
    text: str
    chapters: tuple[Chapter, ...]
    preparation: Preparation

    def sentences(self) -> Iterator[BookSentence]:
        """Yield the sentences of all chapters; headings, contents and index have none."""
        for number, chapter in enumerate(self.chapters):
            for paragraph in blocks(self.text[chapter.body : chapter.stop]):
                if is_heading(paragraph):
                    continue
                for sentence in self.preparation.cut(paragraph):
                    yield BookSentence(sentence, number)

    def lengths(self) -> tuple[int, ...]:
        """Count the tokens of each chapter."""
        totals = [0] * len(self.chapters)
        for tokens, chapter in self.sentences():
            totals[chapter] += len(tokens)
        return tuple(totals)
