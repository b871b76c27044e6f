"""The table of contents of a book: where it stands, and the titles it lists."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from lydite.corpora.headings import GAP, Heading

_CONTENTS = re.compile(r"(?:table of )?contents[.:]?", re.IGNORECASE)
_PAGE = re.compile(r"(?:[ .·…]{3,}|[\s,])(?:\d+|[ivxlc]+)\.?\s*$")
_LABEL = re.compile(r"\s*(?:\w+\s+)?(?:[IVXLC]+|\d+)\s*[.:)]\s*")
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
