"""The index at the back of a book: where it is, its entries, and the terms it lists."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lydite.corpora.books import blocks
from lydite.corpora.preparation import Preparation
from lydite.corpora.terms import Terms, gather_terms
from lydite.corpora.tokens import words
from lydite.errors import InputError

#: A page: ``17``, ``17-19``, ``36n``, ``36 n.``, ``124 ff.``, ``xi``, ``pp. 3-5``, ``passim``.
_PAGE = (
    r"(?:pp?\.\s*)?(?:\d+(?:\s*[-–—]\s*\d+)?|(?:[ivxl]+(?:\s*[-–]\s*[ivxl]+)?|passim)(?!\w))"
    r"(?:\s*(?:nn?|ff?|sqq?|et\s+seqq?)\b\.?)*"
)
_YEAR = r"1\d{3}|20\d\d"
_END = r"(?=[.,;:—-]*(?:\s|$))"
_AFTER_MARK = re.compile(rf"(?:^|[,.?!\"”’'])\s*(?:{_PAGE}){_END}")
_LISTED = re.compile(rf"\s(?!{_YEAR})(?:{_PAGE})(?:[\s.,—-]++(?:{_PAGE}))*+[\s.,—-]*+")
_STARTS = re.compile(rf"\s*(?:{_PAGE})\s*(?:[,.;(]|$)")
_ENDS = re.compile(rf"(?<!\w)(?:{_PAGE})[\s.,;:)]*$")
_PAGES = re.compile(rf"(?<![\w.]){_PAGE}{_END}")
_SEE = re.compile(
    r"(?:^|[.,;:(—-]\s*+|(?<!\s)\s{2,}+)(?:see|vide)(?:\s+(?:also|under))?\b[:\s]*", re.I
)
_REMARK = re.compile(r"[(\[][^()\[\]]*[)\]]")
_PAGE_MARK = re.compile(r"\{\d+\}|\[(?:Pg|p\.)\s*\w+\]", re.I)
_OPENING_QUOTE = re.compile(r"(?<!\w)['‘](?=\w)")
_CLOSING_QUOTE = re.compile(r"(?<=[\w.,])['’](?!\w)")
_LETTER = re.compile(r"\W*[^\W\d_]\W*")
_HEADING = re.compile(
    r"[\W_]*(?:(?:general|subject|name|author|alphabetical|analytical)\s+)?index"
    r"(?:\s+(?:of|to|nominum|rerum|verborum)\b[^,\d]*+)?[\W_]*",
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
        As printed.
    see, below
        The entries it refers to, and its sub-entries.
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
    listed = (found for found in _LISTED.finditer(text) if found.end() == len(text))
    places = [found.start() for found in (_AFTER_MARK.search(text), next(listed, None)) if found]
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


#: Fewer entries than this do not make an index.
LEAST_ENTRIES = 10
#: The share of entries that have pages or refer to others, and that of neighbours in order.
_LEAST_PAGED, _LEAST_ORDERED = 0.5, 0.8
#: So many blank lines part an index from what the publisher printed after it.
_GAP = re.compile(r"\n(?:[ \t]*\n){3,}")
_STOP = re.compile(
    r"^[^\w\n]*(?:end of (?:the |this )?project gutenberg|\*\*\* ?end of|the end\W*$|footnotes?\W*$"
    r"|transcriber['’]s? note|\[ ?illustration|printed (?:by|in)\b|(?:\*\s+){3,})",
    re.I | re.M,
)


def split_off_index(text: str) -> tuple[str, str] | None:
    r"""Divide a book into its body and its index; None where there is no index.

    An index is what follows a line that says so and nothing else, provided that it is in
    alphabetical order and that its entries have pages. A table of contents is neither, and a book
    may name an index there that the text does not have. The text may have a header and footer of
    Project Gutenberg; the index comes without what the publisher put after it.

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


def _before_marks(text: str, stop: int) -> int:
    """Return where lines without a letter begin that stand right before a line."""
    last = stop
    while last and not (text[last - 1].isalnum() or text[last - 1] == "_"):
        last -= 1
    return text.find("\n", last, stop) + 1 if last else 0


def _without_footer(text: str) -> str:
    """Keep the leading blocks that go on with the alphabet."""
    stop = _STOP.search(text)
    blocks = _GAP.split(text[: _before_marks(text, stop.start())] if stop else text)
    kept: list[str] = []
    last = ""
    for block in blocks:
        entries = parse_index(block)
        initials = [_initial(entry) for entry in entries if _initial(entry)]
        if not initials:
            continue
        if kept and (initials[0] < last or not _lists_pages(entries)):
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
        and _lists_pages(entries)
        and ordered >= _LEAST_ORDERED * len(pairs)
    )


def _lists_pages(entries: Sequence[IndexEntry]) -> bool:
    paged = sum(any(each.pages or each.see for each in (entry, *entry.below)) for entry in entries)
    return paged >= _LEAST_PAGED * len(entries)


def _initial(entry: IndexEntry) -> str:
    return next((letter.casefold() for letter in entry.heading if letter.isalpha()), "")


_ARTICLE = re.compile(r"^(?:the|a|an)\s+", re.IGNORECASE)
_INITIALS = re.compile(r"\w(?:[.\s]+\w)*\.?")
#: After one of these a capital letter says nothing.
_OPENING = frozenset(".!?:;\"“”‘’'()[]—-*_")
#: A word is a name if at least this share of its uses within sentences has a capital letter.
_NAME_SHARE = 0.9


def index_terms(
    text: str,
    *,
    name: str = "the text",
    preparation: Preparation | None = None,
    names: bool = True,
) -> Terms:
    """Take the terms of a book from its own index.

    An inverted entry (``Realism, naive``) is turned round where ``naive realism`` occurs in the
    book, and stays as printed where that occurs more often; where neither does, what stands before
    the comma is the term. A sub-entry is a term where it makes a phrase that occurs together with
    its entry (``Relations``, ``asymmetrical``); others are remarks. All others are kept, whether
    they occur or not.

    Parameters
    ----------
    names
        Whether to keep proper names: words which the book writes with a capital letter.

    References
    ----------
    Bloem et al., "Evaluating the Consistency of Word Embeddings from Small Data", RANLP 2019,
    section 4.
    """
    divided = split_off_index(text)
    if divided is None:
        raise InputError(
            f"{name}: no index was found: no line that says only INDEX is followed by"
            f" {LEAST_ENTRIES} or more entries in alphabetical order with page numbers",
            hint="give a list of terms, or take keywords or random words",
        )
    entries = parse_index(divided[1])
    body = _Body.of(divided[0], preparation or Preparation())
    found = [each for entry in entries for each in _of_entry(entry, body)]
    kept = found if names else [each for each in found if not body.is_name(each)]
    terms = gather_terms(map(body.cased, kept), source=f"index of {name}", preparation=preparation)
    problems = {key: count for key, count in terms.problems.items() if key != "given twice"}
    if len(kept) < len(found):
        problems["proper names"] = len(found) - len(kept)
    return Terms(
        source=terms.source,
        terms=terms.terms,
        problems=problems,
        notes=(f"{len(entries)} entries, {sum(len(each.below) for each in entries)} sub-entries",),
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class _Body:
    """The text of a book, to count how often phrases occur in it."""

    preparation: Preparation
    joined: str
    capital: Counter[str]
    small: Counter[str]

    @classmethod
    def of(cls, text: str, preparation: Preparation) -> _Body:
        paragraphs = [" ".join(block.split()) for block in blocks(text)]
        joined = "\n".join(f" {' '.join(preparation.tokens(each))} " for each in paragraphs)
        capital: Counter[str] = Counter()
        small: Counter[str] = Counter()
        opening: Counter[str] = Counter()
        for paragraph in paragraphs:
            before = "."
            for token in words(paragraph):
                if token.islower():
                    small[token] += 1
                elif token[0].isupper():
                    (opening if before in _OPENING else capital)[token.casefold()] += 1
                before = token
        # A word that opens sentences and is never written small is a name as well.
        capital.update({word: count for word, count in opening.items() if not small[word]})
        return cls(preparation=preparation, joined=joined, capital=capital, small=small)

    def count(self, phrase: str) -> int:
        """Count the uses of a phrase, longer ones that hold it included."""
        tokens = self.preparation.tokens(self.cased(phrase))
        return self.joined.count(f" {' '.join(tokens)} ") if tokens else 0

    def is_name(self, phrase: str) -> bool:
        # An index that writes common nouns small says itself what is a name.
        return phrase[:1].isupper() and all(map(self._is_name, words(phrase)))

    def _is_name(self, word: str) -> bool:
        capital, small = self.capital[word.casefold()], self.small[word.casefold()]
        return capital > 0 and capital >= _NAME_SHARE * (capital + small)

    def cased(self, phrase: str) -> str:
        """Write names with a capital letter and all other words small."""
        return re.sub(r"\w[\w'’-]*", lambda found: self._cased(found[0]), phrase)

    def _cased(self, word: str) -> str:
        if not self._is_name(word):
            return word.lower()
        # Some indexes print the first entry of each letter in capitals.
        return word.capitalize() if word.isupper() and len(word) > 3 else word


def _of_entry(entry: IndexEntry, body: _Body) -> Iterator[str]:
    head, _, rest = entry.heading.split(" = ")[0].partition(",")
    head = head.removeprefix("The ").strip()
    if not head:
        return
    yield (_most_frequent(_inverted(head, rest), body) if rest.strip() else "") or head
    first = head.split()[0]
    for below in entry.below:
        tail = _ARTICLE.sub("", below.heading)
        forms = [f"{head} {tail}", f"{tail} {head}", f"{first} {tail}", f"{tail} {first}"]
        term = _most_frequent(forms, body) if tail else ""
        if term:
            yield term


def _inverted(head: str, rest: str) -> list[str]:
    """Return the orders in which the parts of an entry may stand in the text."""
    parts = [_ARTICLE.sub("", part.strip()) for part in rest.split(",") if part.strip()]
    parts = [part for part in parts if part.lower() != "the" and not _INITIALS.fullmatch(part)]
    if not parts:
        return []
    turned = [f"{parts[0]} {head}", f"{parts[0]} the {head}"]
    longer = [" ".join([each, *parts[1:]]) for each in turned] if parts[1:] else []
    return [*longer, *turned, " ".join([head, *parts])]


def _most_frequent(phrases: Sequence[str], body: _Body) -> str:
    """Return the phrase that occurs most often, the first of equals, or none if none does."""
    counts = [body.count(phrase) for phrase in phrases]
    best = max(counts, default=0)
    return phrases[counts.index(best)] if best else ""
