"""Headings in a book: which lines are any, and what they are numbered with."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

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
    text
        Its words on one line.
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
