"""Find the index at the back of a book."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from lydite.corpora.terms.index_entries import IndexEntry, is_index_heading, parse_index

#: Fewer entries than this do not make an index.
LEAST_ENTRIES = 10
#: The share of entries that have pages or refer to others, and that of neighbours in order.
_LEAST_PAGED, _LEAST_ORDERED = 0.5, 0.8
#: So many blank lines part an index from what the publisher printed after it.
_GAP = re.compile(r"\n(?:[ \t]*\n){3,}")
_STOP = re.compile(
    r"^\W*(?:end of (?:the |this )?project gutenberg|\*\*\* ?end of|the end\W*$|footnotes?\W*$"
    r"|transcriber['’]s? note|\[ ?illustration|printed (?:by|in)\b|(?:\*\s+){3,})",
    re.I | re.M,
)


def split_off_index(text: str) -> tuple[str, str] | None:
    r"""Divide a book into its body and its index.

    An index is what follows a line that says so and nothing else, provided that it is in
    alphabetical order and that its entries have pages. A table of contents is neither, and a book
    may name an index there that the text does not have.

    Parameters
    ----------
    text
        A whole book, with or without a header and footer of Project Gutenberg.

    Returns
    -------
    What stands before the index, and the index without what the publisher put after it; None where
    there is no index.

    Examples
    --------
    >>> pages = "\n".join(f"{letter}-term, {page}" for page, letter in enumerate("abcdefghijkl"))
    >>> body, index = split_off_index(f"Some text.\n\nINDEX\n\n{pages}\n")
    >>> body, index.splitlines()[0]
    ('Some text.\n\n', 'a-term, 0')
    """
    text = text.replace("\r\n", "\n")
    found: tuple[str, str] | None = None
    for start, end in reversed(_headings(text)):
        if found is None:
            index = _without_footer(text[end:])
            found = (text[:start], index) if _is_index(parse_index(index)) else None
        elif _is_index(parse_index(found[0][end:])):
            # One of several: an index of names stands before that of subjects.
            found = text[:start], text[end : len(found[0])] + "\n" + found[1]
    return found


def _headings(text: str) -> list[tuple[int, int]]:
    places = []
    start = 0
    for line in text.split("\n"):
        end = min(start + len(line) + 1, len(text))
        if is_index_heading(line):
            places.append((start, end))
        start = end
    return places


def _without_footer(text: str) -> str:
    """Keep the leading blocks that go on with the alphabet."""
    stop = _STOP.search(text)
    blocks = _GAP.split(text[: stop.start()] if stop else text)
    kept: list[str] = []
    last = ""
    for block in blocks:
        entries = parse_index(block)
        initials = [_initial(entry) for entry in entries if _initial(entry)]
        if not initials:
            continue
        if kept and (initials[0] < last or not _has_pages(entries)):
            break
        kept.append(block.strip("\n"))
        last = initials[-1]
    return "\n\n\n".join(kept)


def _is_index(entries: Sequence[IndexEntry]) -> bool:
    initials = [_initial(entry) for entry in entries if _initial(entry)]
    pairs = list(itertools.pairwise(initials))
    ordered = sum(first <= second for first, second in pairs)
    return (
        len(initials) >= LEAST_ENTRIES
        and len(set(initials)) > 1
        and _has_pages(entries)
        and ordered >= _LEAST_ORDERED * len(pairs)
    )


def _has_pages(entries: Sequence[IndexEntry]) -> bool:
    paged = sum(any(each.pages or each.see for each in (entry, *entry.below)) for entry in entries)
    return paged >= _LEAST_PAGED * len(entries)


def _initial(entry: IndexEntry) -> str:
    return next((letter.casefold() for letter in entry.heading if letter.isalpha()), "")
