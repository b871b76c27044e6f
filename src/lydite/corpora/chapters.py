"""Find the chapters of a book."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from lydite.corpora.contents import (
    MOST_ABOVE,
    contents_span,
    ends_with_page,
    is_prose,
    listed_titles,
    plain_title,
)
from lydite.corpora.headings import BESIDE, DIVISIONS, LISTS, Heading, headings
from lydite.corpora.paragraphs import blocks
from lydite.errors import InputError

_INDEX = re.compile(r"(?:general |analytical )?index(?: (?:of|to)\b.*)?[.:]?", re.IGNORECASE)
#: A heading that is known by its capitals alone has this many characters of text below it.
_LEAST_TEXT = 2000
#: Text before the first chapter is left out only if it is a smaller part of the book.
_FRONT = 0.12
#: Numbers that may be missing in a count of chapters, where a heading has an unusual form.
_MOST_MISSING = 2


@dataclass(frozen=True, kw_only=True)
class Chapter:
    """A chapter: ``text[start:stop]``, of which ``text[body:stop]`` stands under the heading."""

    title: str
    start: int
    body: int
    stop: int


def chapters(text: str) -> list[Chapter]:
    """Find the chapters of a book, in order.

    Tried one after the other, until there are two chapters: headings with a name and a number
    (``CHAPTER I``, ``Lecture 2``, ``THE THIRD BOOK``), of several kinds the one that most likely
    names chapters; headings that the table of contents lists; numerals that stand alone and count
    up; lines in capitals with enough text below them. Preface, introduction, appendix and the like
    count as chapters. Contents, index and other lists do not, nor does what precedes the first
    chapter, if it is short. Of a text without chapters the whole is one, with an empty title.

    Parameters
    ----------
    text
        Paragraphs and headings divided by blank lines.
    """
    found = list(headings(text))
    index = _index(found, text)
    found = [each for each in found if each.start < index]
    begin, end = contents_span(found, text)
    later = [each for each in found if each.start >= end]
    main = (
        _numbered(later)
        or _listed(later, text[begin:end])
        or _numerals(later)
        or _in_capitals(later, index)
    )
    if not main:
        return [Chapter(title="", start=0, body=0, stop=index)]
    return _divided(text[:index], found, main, (begin, end))


def middle_boundary(found: Sequence[Chapter], lengths: Sequence[int]) -> int:
    """Return the chapter with which the second half of a book begins.

    The boundary is the one nearest the middle, counted in tokens; of two as near, the first.

    Parameters
    ----------
    found
        The chapters, in order.
    lengths
        The tokens of each.

    Examples
    --------
    >>> three = [Chapter(title=t, start=0, body=0, stop=0) for t in "ABC"]
    >>> middle_boundary(three, [50, 20, 40])
    1
    """
    if len(found) < 2:
        raise InputError(
            f"expected at least two chapters to divide between, got {len(found)}",
            hint="headings stand alone between blank lines, such as CHAPTER I; random samples"
            " need no chapters",
        )
    before = list(accumulate(lengths))[:-1]
    middle = sum(lengths) / 2
    return min(range(len(before)), key=lambda at: abs(before[at] - middle)) + 1


def is_heading(paragraph: str) -> bool:
    """Tell whether a paragraph is no more than a heading: numbered, or a few words in capitals.

    >>> [is_heading(each) for each in ("FOOTNOTES:", "II.", "Part 1. Time", "So it IS.")]
    [True, True, True, False]
    """
    found = next(headings(paragraph), None)
    if found is None:
        return False
    return bool(found.division) or (found.capitals and len(found.text.split()) <= 12)


def _index(found: Sequence[Heading], text: str) -> int:
    """Return where the index at the end of a book starts, the end of the text if it has none."""
    late = (each for each in found if each.start > len(text) / 2 and _INDEX.fullmatch(each.text))
    return next((each.start for each in late if _is_list(text[each.stop :])), len(text))


def _is_list(block: str) -> bool:
    """Tell whether less than half of a text is running text."""
    prose = sum(len(each) for each in blocks(block) if is_prose(each))
    return 2 * prose < len(block)


def _numbered(found: Sequence[Heading]) -> list[Heading]:
    """Choose the headings of the division that most likely is the chapter."""
    for division in DIVISIONS:
        chosen = _counted([each for each in found if each.division == division])
        # A table without a heading of its own comes before the chapters with all their numbers.
        half, odd = divmod(len(chosen), 2)
        numbers = [each.number for each in chosen]
        if half and not odd and numbers[:half] == numbers[half:]:
            near = chosen[half - 1].stop - chosen[0].start
            chosen = chosen[half:] if near < _FRONT * chosen[-1].start else chosen
        if len(chosen) > 1:
            return chosen
    return []


def _counted(found: Sequence[Heading]) -> list[Heading]:
    """Leave out what does not count on, or anew from one: references to another section."""
    in_capitals = 2 * sum(each.text[0:2].isupper() for each in found) > len(found)
    chosen: list[Heading] = []
    for each in found:
        last = chosen[-1].number if chosen else 0
        counts = each.number == 1 or last < each.number <= last + 1 + _MOST_MISSING
        if counts and (each.text[0:2].isupper() or not in_capitals):
            chosen.append(each)
    return chosen


def _listed(found: Sequence[Heading], contents: str) -> list[Heading]:
    """Choose the headings that stand in the table of contents; of equal ones the first."""
    titles = listed_titles(contents)
    chosen: dict[str, Heading] = {}
    for each in found:
        title = plain_title(each.title or each.text)
        if len(title) > 3 and title in titles and not _is_beside(each):
            chosen.setdefault(title, each)
    return list(chosen.values()) if len(chosen) > 1 else []


def _numerals(found: Sequence[Heading]) -> list[Heading]:
    """Choose numerals that stand alone and count up from one; those of sections start anew."""
    chosen: list[Heading] = []
    for each in found:
        if each.division == "numeral" and each.number == len(chosen) + 1:
            chosen.append(each)
    return chosen if len(chosen) > 1 else []


def _in_capitals(found: Sequence[Heading], stop: int) -> list[Heading]:
    """Choose lines in capitals that have enough text below them."""
    capital = [each for each in found if each.capitals and not LISTS.fullmatch(each.text)]
    ends = [*(each.start for each in capital[1:]), stop]
    chosen = [
        each
        for each, end in zip(capital, ends, strict=False)
        if end - each.stop > _LEAST_TEXT and not _is_beside(each)
    ]
    return chosen if len(chosen) > 1 else []


def _is_beside(heading: Heading) -> bool:
    return heading.text.strip(".:").casefold().split(" ")[0] in BESIDE and (
        heading.capitals or len(heading.text.split()) == 1
    )


def _divided(
    text: str, found: Sequence[Heading], main: Sequence[Heading], contents: tuple[int, int]
) -> list[Chapter]:
    """Cut a text at the headings of its chapters, of parts beside them, and of lists."""
    first, last = main[0].start, main[-1].start
    starting = {each.start for each in main}
    starting |= {each.start for each in found if _is_beside(each) and not first < each.start < last}
    marks = [each for each in found if each.start in starting or LISTS.fullmatch(each.text)]
    ends = [*(each.start for each in marks[1:]), len(text)]
    cuts = []
    for each, end in zip(marks, ends, strict=True):
        if each.start in starting:
            cuts.append(_titled(text, found, found.index(each)))
        elif each.start == contents[0] or _is_list(text[each.stop : end]):
            cuts.append(Chapter(title="", start=each.start, body=each.start, stop=each.start))
    stops = [*(cut.start for cut in cuts[1:]), len(text)]
    divided = [
        replace(cut, stop=stop)
        for cut, stop in zip(cuts, stops, strict=True)
        if cut.title and any(map(is_prose, blocks(text[cut.body : stop])))
    ]
    front = divided[0].start if divided else 0
    if front > _FRONT * len(text):
        opening = Chapter(title="", start=contents[1], body=contents[1], stop=front)
        return [opening, *divided]
    return divided


def _titled(text: str, found: Sequence[Heading], place: int) -> Chapter:
    """Return the chapter of a heading, with lines of the heading above and below it."""
    heading = found[place]
    first, body, title = place, heading.stop, heading.text
    if heading.title:
        label = title.removesuffix(heading.title).rstrip(" .:—–-")
        title = f"{label}. {heading.title}"
    if heading.division and not heading.title and place + 1 < len(found):
        below = found[place + 1]
        if not text[body : below.start].strip() and _may_be_title(below):
            body, title = below.stop, f"{title.rstrip('.:')}. {below.text}"
    while first and place - first < MOST_ABOVE:
        above = found[first - 1]
        if text[above.stop : found[first].start].strip() or not _may_go_above(above):
            break
        first -= 1
    if first < place and found[place - 1].division == "numeral":
        title = f"{found[place - 1].text.rstrip('.')}. {title}"
    return Chapter(title=title, start=found[first].start, body=body, stop=0)


def _may_be_title(heading: Heading) -> bool:
    return not heading.division and (heading.capitals or heading.text[-1] not in ".!?,;:")


def _may_go_above(heading: Heading) -> bool:
    named = bool(heading.capitals or heading.division)
    listed = LISTS.fullmatch(heading.text) or ends_with_page(heading.text)
    return named and not listed and not _is_beside(heading)
