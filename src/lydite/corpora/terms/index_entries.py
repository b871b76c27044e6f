"""Read the index at the back of a book: entries, sub-entries, pages, references."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

#: A page: ``17``, ``17-19``, ``36n``, ``36 n.``, ``124 ff.``, ``xi``, ``pp. 3-5``, ``passim``.
_PAGE = (
    r"(?:pp?\.\s*)?(?:\d+(?:\s*[-–—]\s*\d+)?|(?:[ivxl]+(?:\s*[-–]\s*[ivxl]+)?|passim)(?!\w))"
    r"(?:\s*(?:nn?|ff?|sqq?|et\s+seqq?)\b\.?)*"
)
_YEAR = r"1\d{3}|20\d\d"
_END = r"(?=[.,;:—-]*(?:\s|$))"
_AFTER_MARK = re.compile(rf"(?:^|[,.?!\"”’'])\s*(?:{_PAGE}){_END}")
_AFTER_BLANK = re.compile(rf"\s(?!{_YEAR})(?:{_PAGE})(?:[\s.,—-]+(?:{_PAGE}))*[\s.,—-]*$")
_STARTS = re.compile(rf"\s*(?:{_PAGE})\s*(?:[,.;(]|$)")
_ENDS = re.compile(rf"(?<!\w)(?:{_PAGE})[\s.,;:)]*$")
_PAGES = re.compile(rf"(?<![\w.]){_PAGE}{_END}")
_SEE = re.compile(r"(?:^|[.,;:(—-]\s*|\s{2,})(?:see|vide)(?:\s+(?:also|under))?\b[:\s]*", re.I)
_REMARK = re.compile(r"[(\[][^()\[\]]*[)\]]")
_PAGE_MARK = re.compile(r"\{\d+\}|\[(?:Pg|p\.)\s*\w+\]", re.I)
_OPENING_QUOTE = re.compile(r"(?<!\w)['‘](?=\w)")
_CLOSING_QUOTE = re.compile(r"(?<=[\w.,])['’](?!\w)")
_LETTER = re.compile(r"\W*[^\W\d_]\W*")
_HEADING = re.compile(
    r"[\W_]*(?:(?:general|subject|name|author|alphabetical|analytical)\s+)?index"
    r"(?:\s+(?:of|to|nominum|rerum|verborum)\b[^,\d]*)?[\W_]*",
    re.I,
)
_CLOSING = ("--", "—", ":", ",", ";", ")")


@dataclass(frozen=True, kw_only=True)
class IndexEntry:
    """An entry of an index.

    Attributes
    ----------
    heading
        What stands before the pages, as printed: ``Realism, naive``.
    pages
        Its pages, as printed.
    see
        The entries it refers to.
    below
        Its sub-entries.
    """

    heading: str
    pages: tuple[str, ...] = ()
    see: tuple[str, ...] = ()
    below: tuple[IndexEntry, ...] = ()


def is_index_heading(line: str) -> bool:
    """Whether a line is the heading of an index, and nothing else."""
    return bool(line.strip()) and len(line) < 80 and _HEADING.fullmatch(line) is not None


def parse_index(text: str) -> list[IndexEntry]:
    r"""Read the entries of an index.

    An entry starts at the left margin; what is indented continues a line that has no page yet, or
    is a sub-entry. Sub-entries may also follow in the same line after a semicolon. Headings of
    letters, marks of pages, italics and remarks in brackets are passed over.

    Parameters
    ----------
    text
        What :func:`~lydite.corpora.terms.index.split_off_index` found.

    Examples
    --------
    >>> entry, other = parse_index("Realism, naive, 2-4, 36n\n  refuted, 9 ff.\nTime, _see_ Space")
    >>> entry.heading, entry.pages, entry.below[0].heading, other.see
    ('Realism, naive', ('2-4', '36n'), 'refuted', ('Space',))
    """
    return [_entry(lines) for lines in _grouped(_logical_lines(text))]


@dataclass(frozen=True, kw_only=True)
class _Line:
    text: str
    indented: bool


def _logical_lines(text: str) -> list[_Line]:
    """Join what the width of the page has divided."""
    printed = [_PAGE_MARK.sub("", line).expandtabs().rstrip() for line in text.split("\n")]
    printed = [
        "" if _LETTER.fullmatch(line) or is_index_heading(line) else line for line in printed
    ]
    margin = min((len(line) - len(line.lstrip()) for line in printed if line), default=0)
    heads = [line for line in printed if line and not line[margin].isspace()]
    # Where most entries have a line without pages to themselves, that line is complete.
    alone = 2 * sum(_has_pages(line) or _is_closed(line) for line in heads) < len(heads)
    lines: list[_Line] = []
    open_line = open_reference = False
    for line in printed:
        if not line:
            open_line = open_reference = False
            continue
        indented = line[margin].isspace()
        goes_on = open_line or (open_reference and not _is_closed(line))
        if lines and (_STARTS.match(_plain(line)) or (indented and goes_on)):
            lines[-1] = _Line(text=_joined(lines[-1].text, line), indented=lines[-1].indented)
        else:
            lines.append(_Line(text=line.strip(), indented=indented))
        open_line = not _is_closed(lines[-1].text) and (indented or not alone)
        open_reference = not line.endswith(".") and _SEE.search(_plain(line)) is not None
    return lines


def _plain(text: str) -> str:
    return text.replace("_", "")


def _joined(text: str, more: str) -> str:
    if text.endswith("-") and not text.endswith("--"):
        return text + more.strip()  # the hyphen may belong to the word
    paged = _STARTS.match(_plain(more)) and text[-1].isalpha()
    return f"{text}{',' if paged else ''} {more.strip()}"


def _is_closed(line: str) -> bool:
    """Whether nothing is missing: there are pages or a reference, or sub-entries are announced."""
    plain = _plain(line)
    if plain.count("(") > plain.count(")"):
        return False
    return plain.endswith(_CLOSING) or bool(_ENDS.search(plain) or _SEE.search(plain))


def _has_pages(line: str) -> bool:
    return _AFTER_MARK.search(_plain(line)) is not None


def _grouped(lines: Sequence[_Line]) -> Iterator[list[str]]:
    """Yield each entry's own line and the lines below it."""
    group: list[str] = []
    for line in lines:
        if group and not line.indented:
            yield group
            group = []
        group.append(line.text)
    if group:
        yield group


def _entry(lines: Sequence[str]) -> IndexEntry:
    parts = [part for line in lines for part in _parts(line)]
    head = parts[0] if parts else IndexEntry(heading="")
    pages, see = list(head.pages), list(head.see)
    below = []
    for part in parts[1:]:
        if part.heading:
            below.append(part)
        else:
            pages += part.pages
            see += part.see
    return IndexEntry(heading=head.heading, pages=tuple(pages), see=tuple(see), below=tuple(below))


def _parts(line: str) -> Iterator[IndexEntry]:
    """Yield the parts of a line that semicolons divide; after a "see" they are references."""
    referring = False
    for piece in map(str.strip, _without_remarks(_plain(line)).split(";")):
        found = _SEE.search(piece)
        if referring and not found and not _has_pages(piece):
            yield IndexEntry(heading="", see=_references(piece))
            continue
        referring = found is not None
        text = piece[: found.start()] if found else piece
        see = _references(piece[found.end() :]) if found else ()
        heading, pages = _cut_off_pages(text)
        if heading or pages or see:
            yield IndexEntry(heading=heading, pages=pages, see=see)


def _without_remarks(text: str) -> str:
    shorter = _REMARK.sub(" ", text)
    return shorter if shorter == text else _without_remarks(shorter)


def _references(text: str) -> tuple[str, ...]:
    target = _bare(text)
    return (target,) if target else ()


def _cut_off_pages(text: str) -> tuple[str, tuple[str, ...]]:
    places = [
        found.start() for found in (_AFTER_MARK.search(text), _AFTER_BLANK.search(text)) if found
    ]
    if not places:
        return _bare(text), ()
    pages = tuple(" ".join(each.split()) for each in _PAGES.findall(text[min(places) :]))
    return _bare(text[: min(places) + 1] if min(places) else ""), pages


def _bare(text: str) -> str:
    """Strip quotation marks, and punctuation that only divides."""
    bare = re.sub(r'["“”]', "", " ".join(text.split()))
    if _OPENING_QUOTE.search(bare):
        bare = _CLOSING_QUOTE.sub("", _OPENING_QUOTE.sub("", bare))
    return bare.strip(" .,:;?!—-'‘’")
