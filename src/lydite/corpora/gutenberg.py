"""Texts of Project Gutenberg: what was put around and into the author's own words."""

from __future__ import annotations

import re

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
_ILLUSTRATION = re.compile(r"\[(?:Illustration|Blank Page|Decoration|Publisher's mark)[^\]]*\]")
_MATH = re.compile(r"\[Math: ?([^\]]*)\]")
_PAGE = re.compile(r"(?<![_^])\{[\divxlc]+\}|\[(?:Pg|Page|p\.) ?[\divxlc]+\]")
_MARKER = re.compile(r"\[(?:\d{1,3}|[A-Z*†‡])\]")
_FOOTNOTE = re.compile(r"\s*\[Footnote(?: [\w*]+)?: ?((?:[^\[\]]|\[[^\[\]]*\])*)\]")
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
    text = _ILLUSTRATION.sub("", text)
    text = _PAGE.sub("", _MARKER.sub("", _MATH.sub(r"\1", text)))
    text = _ITALICS.sub(r"\1", text)
    return "".join(map(_with_notes_behind, _GAPS.split(text)))


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
