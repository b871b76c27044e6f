"""Books: paragraphs, headings, chapters, and what a publisher put around the author's words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from lydite.corpora.preparation import Preparation

_BLANK_LINES = re.compile(r"\n[^\S\n]*(?:\n[^\S\n]*)+")
_ENDED = re.compile(r"[.!?…。！？][^\w.!?…。！？]*+$")
_WIDEST = 200
_FULL = 0.8


def is_wrapped(lines: Sequence[str]) -> bool:
    """Tell whether lines were broken to fit a width, so that a paragraph covers several.

    In wrapped text a line that is not the last of its paragraph has no room for the first word of
    the next, and seldom ends a sentence; verses and lists apart. Lines that are paragraphs or
    sentences of their own have all lengths.
    """
    inner = [
        (line.rstrip(), after.split(maxsplit=1)[0])
        for line, after in pairwise(lines)
        if line.strip() and after.strip()
    ]
    if not inner:
        return False
    width = sorted(len(line) for line, _ in inner)[int(0.95 * len(inner))]
    full = sum(len(line) + 1 + len(word) > _FULL * width for line, word in inner)
    ended = sum(bool(_ENDED.search(line)) for line, _ in inner)
    return width <= _WIDEST and 2 * full > len(inner) > 2 * ended


def blocks(text: str) -> Iterator[str]:
    r"""Yield what stands between blank lines.

    >>> list(blocks("one\ntwo\n\n  \nthree\n"))
    ['one\ntwo', 'three']
    """
    for block in _BLANK_LINES.split(text):
        if block.strip():
            yield block.strip("\n")


def gathered(lines: Iterable[str], wrapped: bool) -> Iterator[str]:
    """Yield the paragraphs of a stream of lines, each line by itself unless they are wrapped."""
    block: list[str] = []
    for line in lines:
        if line.strip():
            block.append(line)
        if block and not (wrapped and line.strip()):
            yield "\n".join(block)
            block = []
    if block:
        yield "\n".join(block)


#: Words that number the divisions of a book, the most likely name of a chapter first.
DIVISIONS = (
    "chapter", "lecture", "essay", "letter", "meditation", "dialogue", "discourse", "canto",
    "section", "sect", "scene", "act", "book", "part", "volume",
)  # fmt: skip
#: Headings of text that belongs to a book and stands beside its chapters.
BESIDE = (
    "preface", "foreword", "introduction", "introductory", "prologue", "prelude", "epilogue",
    "conclusion", "conclusions", "appendix", "afterword", "postscript",
)  # fmt: skip
#: Headings of what is no running text, to the end or up to the next heading.
LISTS = re.compile(
    r"(?:general |analytical )?(?:index(?: (?:of|to)\b.*)?|(?:table of )?contents|bibliograph\w*"
    r"(?: note)?|list of .*|glossary|errata|works cited|references|by the same author)[.:]?",
    re.IGNORECASE,
)

_ONES = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
_TENTH = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
_WORDS = {
    **{word: number for number, word in enumerate(_ONES.split(), 1)},
    **{word: number for number, word in enumerate(_TENTH.split(), 1)},
}
_ROMAN = re.compile(r"(?=[IVXLC])C{0,3}(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
_DIVISION, _ORDINAL = "|".join(DIVISIONS), _TENTH.replace(" ", "|")
_NUMBERED = re.compile(
    rf"(?:the )?(?P<division>{_DIVISION})\.? +(?P<number>\w+)\b(?P<rest>.*)"
    rf"|(?:the )?(?P<ordinal>{_ORDINAL}) (?P<after>{_DIVISION})\b(?P<tail>.*)",
    re.IGNORECASE | re.DOTALL,
)
_NUMERAL = re.compile(r"(?P<number>[IVXLC]+|\d{1,3})[.:]?")
#: Blank lines.
GAP = re.compile(r"\n(?:[^\S\n]*\n)+")
_MOST_LINES = 4
_LONGEST = 160


@dataclass(frozen=True, kw_only=True)
class Heading:
    """A short block of lines with blank lines around it that may be a heading.

    Attributes
    ----------
    start, stop
        Where it stands in the text.
    division
        What it is numbered as (``chapter``), ``numeral`` for a numeral by itself, or nothing.
    number
        Its number, 0 if it has none.
    title
        What follows the number.
    """

    start: int
    stop: int
    text: str
    division: str = ""
    number: int = 0
    title: str = ""

    @property
    def capitals(self) -> bool:
        """Whether it is written in capitals."""
        return is_capital(self.text)


def is_capital(text: str) -> bool:
    """Tell whether a text has letters, hardly any of them small."""
    letters = [letter for letter in text if letter.isalpha()]
    return len(letters) > 1 and sum(map(str.isupper, letters)) > 0.8 * len(letters)


def headings(text: str) -> Iterator[Heading]:
    """Yield all blocks of a text that may be headings, in order."""
    start = 0
    for gap in [*GAP.finditer(text), None]:
        stop = gap.start() if gap else len(text)
        block = text[start:stop]
        if block.strip() and len(block) <= _LONGEST and block.count("\n") < _MOST_LINES:
            yield _heading(block, start, stop)
        start = gap.end() if gap else stop


def _heading(block: str, start: int, stop: int) -> Heading:
    text = " ".join(block.split())
    found = _NUMBERED.fullmatch(text)
    if found:
        division = (found["division"] or found["after"]).lower()
        number = number_of(found["number"] or found["ordinal"])
        title = (found["rest"] or found["tail"] or "").lstrip(" .:—–-")
        # "Part two of the argument shows" is no heading; "PART TWO of" and "Part II. The" are.
        if number and (is_capital(text.split()[0]) or not title or not title[0].islower()):
            return Heading(
                start=start, stop=stop, text=text, division=division, number=number, title=title
            )
    numeral = _NUMERAL.fullmatch(text)
    number = number_of(numeral["number"]) if numeral else 0
    return Heading(
        start=start, stop=stop, text=text, division="numeral" if number else "", number=number
    )


def number_of(word: str) -> int:
    """Read a numeral, Roman, Arabic or in words; 0 if it is none.

    >>> [number_of(word) for word in ("XIV", "14", "Twelve", "third", "of", "MIX")]
    [14, 14, 12, 3, 0, 0]
    """
    if word.isdecimal():
        return int(word)
    if _ROMAN.fullmatch(word.upper()) and (word.isupper() or word.islower()):
        values = [_VALUES[letter] for letter in word.upper()]
        following = [*values[1:], 0]
        return sum(
            -value if value < after else value
            for value, after in zip(values, following, strict=True)
        )
    return _WORDS.get(word.lower(), 0)


_CONTENTS = re.compile(r"(?:table of )?contents[.:]?", re.IGNORECASE)
_PAGE = re.compile(r"(?:(?<![ .·…])[ .·…]{3,}+|[\s,])(?:\d++|[ivxlc]++)\.?+\s*+$")
_LABEL = re.compile(
    r"(?:(?<!\s)\s++)?(?:(?<!\w)\w++\s++)?(?:(?<![IVXLC])[IVXLC]++|(?<!\d)\d++)\s*+[.:)]\s*+"
)
_LETTERS = re.compile(r"[^\W\d_]+")
#: Headings that may stand one above the other, as those of a part and its first chapter.
MOST_ABOVE = 5


def contents_span(found: Sequence[Heading], text: str) -> tuple[int, int]:
    """Return where the table of contents starts and ends, zeros if there is none.

    It ends with the first running text, or rather with the headings above that. A summary, as a
    detailed table has them, stands below a heading that comes back later.
    """
    early = (each for each in found if each.start < len(text) / 5)
    opening = next((each for each in early if _CONTENTS.fullmatch(each.text)), None)
    if opening is None:
        return 0, 0
    last = {plain_title(each.text): each.start for each in found}
    short = {each.start: each for each in found}
    above: list[Heading] = []
    start = opening.stop
    for gap in GAP.finditer(text, opening.stop):
        heading, block = short.get(start), text[start : gap.start()]
        if heading and not ends_with_page(block):
            above.append(heading)
        else:
            comes_back = above and last[plain_title(above[-1].text)] > start
            if not heading and is_prose(block) and not comes_back:
                return opening.start, above[-MOST_ABOVE:][0].start if above else start
            above = []
        start = gap.end()
    return 0, 0


def listed_titles(contents: str) -> set[str]:
    """Return the titles in a table of contents, by their letters; some cover two lines."""
    lines = [_PAGE.sub("", _LABEL.sub("", line, count=1)) for line in contents.split("\n")]
    full = [line for line in lines if line.strip()][1:]
    single = {plain_title(line) for line in full}
    return single | {plain_title(line + after) for line, after in pairwise(full)}


def ends_with_page(line: str) -> bool:
    """Tell an entry of a table by the page at its end.

    >>> [ends_with_page(line) for line in ("Memory . . . 12", "On Memory", "Preface ix")]
    [True, False, True]
    """
    return bool(_PAGE.search(line))


def plain_title(title: str) -> str:
    """Return the letters of a title, without case, to compare it by.

    >>> plain_title("II. A Free Man's Worship")
    'iiafreemansworship'
    """
    return "".join(_LETTERS.findall(title)).casefold()


def is_prose(block: str) -> bool:
    """Tell running text from a list: few of its words are numbers, and most are small."""
    words = block.split()
    numbers = sum(word.strip(".,;").isdecimal() for word in words)
    small = sum(word[0].islower() for word in words)
    return len(words) > 20 and numbers < 0.04 * len(words) and small > 0.5 * len(words)


_INDEX = re.compile(r"(?:general |analytical )?index(?: (?:of|to)\b.*)?[.:]?", re.IGNORECASE)
#: A heading that is known by its capitals alone has this many characters of text below it.
_LEAST_TEXT = 2000
_SAID = re.compile(r"[«»“”\"]")
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
    """Find the chapters of a book, in order; blank lines divide its paragraphs and headings.

    Tried one after the other, until there are two chapters: headings with a name and a number
    (``CHAPTER I``, ``Lecture 2``, ``THE THIRD BOOK``), of several kinds the one that most likely
    names chapters; headings that the table of contents lists; numerals that stand alone and count
    up; lines in capitals with enough text below them. Preface, introduction, appendix and the like
    count as chapters. Contents, index and other lists do not, nor does what precedes the first
    chapter, if it is short. Of a text without chapters the whole is one, with an empty title.
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
    divided = _divided(text[:index], found, main, (begin, end)) if main else []
    return divided or [Chapter(title="", start=0, body=0, stop=index)]


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
    # A numeral that was no chapter is none here, and a sentence in capitals is said by somebody.
    capital = [
        each
        for each in found
        if each.capitals
        and each.division != "numeral"
        and not _SAID.search(each.text)
        and not LISTS.fullmatch(each.text)
    ]
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


#: The last line of the header in its spellings since 1991, and the first of the footer.
_START = re.compile(
    r"^[ \t]*(?:\*{3} ?START OF (?:THE|THIS) PROJECT GUTENBERG E-?(?:BOOK|TEXT).*(?:\n.+)*"
    r"|\*END\*? ?THE SMALL PRINT.*"
    r"|\*{3} ?START OF THE PROJECT GUTENBERG.*)$",
    re.MULTILINE | re.IGNORECASE,
)
_END = re.compile(
    r"^[ \t]*(?:\*{3} ?END OF (?:THE|THIS) PROJECT GUTENBERG"
    r"|(?:This is the )?End of (?:the |this )?Project Gutenberg"
    r"|\*{3} ?START: FULL LICENSE)",
    re.MULTILINE | re.IGNORECASE,
)
_CREDITS = re.compile(
    r"(?:this (?:e-?text|e-?book|file) was )?(?:produced|prepared|transcribed|scanned|digitized"
    r"|e-?text prepared|html version|proofread|updated editions)\b.{0,40}\bby\b"
    r"|\(?this file was produced from images",
    re.IGNORECASE,
)
_NOTE = re.compile(r"[\s|+*\[_-]*transcriber['’]?s?['’]?s? notes?\b", re.IGNORECASE)
_TYPOS = re.compile(r"[\s|+*\[_-]*typographical errors corrected", re.IGNORECASE)
_GAPS = re.compile(r"(\n(?:[^\S\n]*\n)+)")
_STARS = re.compile(r"[\s*.·•_-]+")
#: Both go on to the next closing bracket.
_ILLUSTRATION = re.compile(r"\[(?:Illustration|Blank Page|Decoration|Publisher's mark)")
_MATH = re.compile(r"\[Math: ?")
_PAGE_MARK = re.compile(r"(?<![_^])\{[\divxlc]+\}|\[(?:Pg|Page|p\.) ?[\divxlc]+\]")
_MARKER = re.compile(r"\[(?:\d{1,3}|[A-Z*†‡])\]")
_FOOTNOTE = re.compile(r"(?:(?<!\s)\s++)?\[Footnote(?: [\w*]++)?: ?((?:[^\[\]]|\[[^\[\]]*+\])*+)\]")
_LOOSE_FOOTNOTE = re.compile(r"\[Footnote(?: [\w*]+)?: ?")
_ITALICS = re.compile(r"(?<![^\W_])_((?:[^_\n]|\n(?!\s*\n))+)_(?![^\W_])")


def is_gutenberg(text: str) -> bool:
    """Tell a text of Project Gutenberg by its header or its footer."""
    return bool(_START.search(text) or _END.search(text))


def strip_gutenberg(text: str) -> str:
    """Return the author's words, in paragraphs divided by blank lines as they were.

    Taken away are header and footer with the licence, the credits of those who made the file,
    transcriber's notes, illustrations, page numbers (``{99}``, ``[Pg 99]``), the markers of
    footnotes (``[3]``) and of italics (``_so_``). A footnote in the midst of a sentence becomes a
    paragraph of its own behind it. A text without header and footer comes back as it is.

    Examples
    --------
    >>> strip_gutenberg('''*** START OF THIS PROJECT GUTENBERG EBOOK PRAGMATISM ***
    ...
    ... Produced by A. Reader
    ...
    ... The _true_[1] is only{2} the expedient.
    ...
    ... End of Project Gutenberg's Pragmatism, by William James''').strip()
    'The true is only the expedient.'
    """
    if not is_gutenberg(text):
        return text
    starts = [match.end() for match in _START.finditer(text) if match.end() < len(text) // 2]
    text = text[starts[-1] :] if starts else text
    end = _END.search(text)
    return _without_apparatus(_without_notes(text[: end.start()] if end else text))


def _without_notes(text: str) -> str:
    """Leave out what those who made the file wrote; blank lines stay as they are."""
    pieces = _GAPS.split(text)
    kept, place = [], 0
    while place < len(pieces):
        block, gap = pieces[place], "".join(pieces[place + 1 : place + 2])
        here = place
        if _NOTE.match(block):
            place = _end_of_note(pieces, place)
        elif _TYPOS.match(block) or (place < 12 and _CREDITS.match(block.strip())):
            place += 2
        else:
            kept += [block, gap]
            place += 2
        if place > here + 2 and place < len(pieces):
            kept.append(pieces[place - 1])
    return "".join(kept)


def _end_of_note(pieces: list[str], place: int) -> int:
    """Return where the text goes on after a transcriber's note."""
    if pieces[place].lstrip().startswith("["):
        closing = range(place, len(pieces), 2)
        return next((at + 2 for at in closing if pieces[at].rstrip().endswith("]")), place + 2)
    if 10 * place > 9 * len(pieces):
        return len(pieces)
    if len(pieces[place].split()) > 3:
        return place + 2
    gaps = range(place + 3, len(pieces), 2)
    return next((at + 1 for at in gaps if pieces[at].count("\n") > 2), place + 2)


def _without_apparatus(text: str) -> str:
    text = _without_brackets(_ILLUSTRATION, text, keep=False)
    text = _without_brackets(_MATH, text, keep=True)
    text = _PAGE_MARK.sub("", _MARKER.sub("", text))
    text = _ITALICS.sub(r"\1", text)
    return "".join(map(_with_notes_behind, _GAPS.split(text)))


def _without_brackets(opening: re.Pattern[str], text: str, *, keep: bool) -> str:
    """Take brackets away that begin so, with or without what stands between them.

    >>> _without_brackets(_MATH, "so [Math: a = b] is", keep=True)
    'so a = b is'
    """
    parts, at = [], 0
    for start in opening.finditer(text):
        if start.start() < at:
            continue
        end = text.find("]", start.end())
        if end < 0:
            break
        parts += [text[at : start.start()], text[start.end() : end] if keep else ""]
        at = end + 1
    return "".join([*parts, text[at:]])


def _with_notes_behind(block: str) -> str:
    """Put footnotes that interrupt a paragraph behind it; leave out rows of stars."""
    if not block.strip():
        return block
    if _STARS.fullmatch(block):
        return ""
    notes = _FOOTNOTE.findall(block)
    # A footnote of several paragraphs is closed in another block.
    rest = _LOOSE_FOOTNOTE.sub("", _FOOTNOTE.sub("", block))
    return "\n\n".join([rest, *notes])


class BookSentence(NamedTuple):
    """The tokens of a sentence, and the number of its chapter in ``Book.chapters``."""

    tokens: tuple[str, ...]
    chapter: int


class Passage(NamedTuple):
    """The sentences of a paragraph, the number of its chapter, and that of its file."""

    sentences: tuple[tuple[str, ...], ...]
    chapter: int = 0
    work: int = 0


@dataclass(frozen=True, kw_only=True, eq=False)
class Book:
    """A text short enough to be held in memory.

    Attributes
    ----------
    text
        The whole text, with title page, contents and index, without licence,
        transcriber's notes, illustrations and page numbers.
    chapters
        In order; ``text[chapter.body:chapter.stop]`` is what stands under the heading. Where no
        chapters are found there is one, without a title, that holds everything but an index.
    notes
        What was done to the text, for readers of results.
    """

    name: str
    text: str
    chapters: tuple[Chapter, ...]
    preparation: Preparation
    notes: tuple[str, ...] = ()

    def passages(self) -> Iterator[Passage]:
        """Yield the paragraphs of all chapters that have a sentence, and no headings."""
        for number, chapter in enumerate(self.chapters):
            for paragraph in blocks(self.text[chapter.body : chapter.stop]):
                sentences = () if is_heading(paragraph) else tuple(self.preparation.cut(paragraph))
                if sentences:
                    yield Passage(sentences, number)

    def sentences(self) -> Iterator[BookSentence]:
        """Yield the sentences of all chapters; headings, contents and index have none."""
        for passage in self.passages():
            for sentence in passage.sentences:
                yield BookSentence(sentence, passage.chapter)
