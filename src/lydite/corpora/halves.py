"""The halves of a book as samples of its terms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lydite.corpora.book import Book
from lydite.corpora.chapters import middle_boundary
from lydite.corpora.occurrences import find_occurrences
from lydite.corpora.samples import Samples, split_halves
from lydite.corpora.terms.term import Term


def sample_halves(
    book: Book, terms: Sequence[Term], *, minimum: int = 2, inflected: bool = False
) -> Samples:
    """Divide a book at the chapter nearest its middle and take each half for a sample.

    Parameters
    ----------
    book
        A book with two chapters or more.
    terms
        The terms to look for.
    minimum
        Terms with fewer sentences in one of the halves are left out.
    inflected
        Whether other forms of a term's last word are uses of it.

    Returns
    -------
    Samples, with a note that says where the book is divided.
    """
    lengths = book.lengths()
    boundary = middle_boundary(book.chapters, lengths)
    first, second = (
        find_occurrences(
            (tokens for tokens, chapter in book.sentences() if (chapter >= boundary) == later),
            terms,
            inflected=inflected,
        )
        for later in (False, True)
    )
    samples = split_halves(first, second, minimum=minimum, name=f"halves of {book.name}")
    title = " ".join(book.chapters[boundary].title.split())
    note = f"divided before {title!r}: {first.tokens} and {second.tokens} tokens"
    return replace(samples, notes=(*samples.notes, note))
