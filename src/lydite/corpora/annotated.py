"""Tagged corpora in any known format, sentence by sentence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias

from lydite.errors import FormatError
from lydite.files.archives import Member, members
from lydite.files.conllu import COLUMNS, FORM, LEMMA, UPOS, XPOS, blocks, conllu_sentences
from lydite.progress import current_progress


class Sense(NamedTuple):
    """A WordNet sense: its number, 0 if WordNet has none for it, and its key after the ``%``."""

    number: int
    key: str


class Token(NamedTuple):
    """A word with what its annotators said of it; what they did not say is None or empty.

    An expression of several words is one token, its parts joined by underscores.
    """

    form: str
    tag: str
    lemma: str | None = None
    senses: tuple[Sense, ...] = ()


Sentence: TypeAlias = list[Token]


_PIECE = re.compile(r"\(\s*([^\s()]+)\s+([^\s()]+)\s*\)|([()])")
_START = re.compile(rb"\s*\(\s*(?:\(|[^\s()/]+\s)")
_UNTAGGED = re.compile(rb"\([^\s()]+\s+[^\s()]+\s+[^\s()]")

#: The tag of what stands in no text: traces and other empty elements.
EMPTY: Final = "-NONE-"


def is_bracketed(head: bytes) -> bool:
    """Tell trees whose every word has a tag by their first bytes."""
    return bool(_START.match(head)) and not _UNTAGGED.search(head)


def bracketed_sentences(member: Member, text: str) -> Iterator[Sentence]:
    """Yield the leaves of one tree after the other, empty elements left out."""
    depth = 0
    sentence: Sentence = []
    for piece in _PIECE.finditer(text):
        tag, word, bracket = piece.groups()
        if word is None:
            depth += 1 if bracket == "(" else -1
        elif tag != EMPTY:
            sentence.append(Token(word, tag))
        if depth < 0:
            raise unbalanced(member, text, piece.start(), "a bracket too many")
        if depth == 0 and sentence:
            yield sentence
            sentence = []
    if depth:
        raise unbalanced(member, text, len(text), f"{depth} that are not closed")


def unbalanced(member: Member, text: str, at: int, what: str) -> FormatError:
    """Build the error for brackets that do not match, at a place in the text."""
    return FormatError(
        f"expected as many closing brackets as opening ones, got {what}",
        path=member.place,
        line=text.count("\n", 0, at) + 1,
        hint="a bracket that is a word is written -LRB- or -RRB-",
    )


#: Which tag of CoNLL-U: the universal one or the language's own.
TagColumn: TypeAlias = Literal["upos", "xpos"]

_PLACES = {"upos": UPOS, "xpos": XPOS}


def column_count(head: bytes) -> int:
    """Return how many columns most lines have, 0 if that is one or they differ too much."""
    lines = head.decode("latin-1").splitlines()
    whole = [line for line in lines if line.strip() and not line.startswith("# ")]
    # A tab at the beginning, as the Brown corpus has for a new paragraph, divides no columns.
    widths = Counter(line.strip().count("\t") + 1 for line in whole)
    width, count = widths.most_common(1)[0] if widths else (0, 0)
    return width if width > 1 and 2 * count > len(whole) else 0


def is_conllu(head: bytes) -> bool:
    """Tell CoNLL-U by its first bytes."""
    return column_count(head) == COLUMNS


def is_two_column(head: bytes) -> bool:
    """Tell lines of a word, a tab and a tag by their first bytes; further columns may follow."""
    return 1 < column_count(head) < COLUMNS


def tagged_sentences(member: Member, text: str, tags: TagColumn) -> Iterator[Sentence]:
    """Yield the sentences of CoNLL-U: multiword tokens (2-3) and empty nodes (8.1) left out."""
    column = _PLACES[tags]
    for sentence in conllu_sentences(_column_lines(text), member.place):
        for number, columns in sentence:
            if columns[column] == "_":
                raise _untagged(member, number, columns, tags)
        yield [Token(row[FORM], row[column], row[LEMMA]) for _, row in sentence]


def column_sentences(member: Member, text: str) -> Iterator[Sentence]:
    """Yield the sentences of a file with a word and a tag per line, blank lines between them."""
    for sentence in blocks(_column_lines(text), comment="# "):
        words = []
        for number, line in sentence:
            form, _, rest = line.partition("\t")
            tag = rest.partition("\t")[0].strip()
            if not form or not tag:
                raise FormatError(
                    f"expected a word, a tab and a tag, got {line[:60]!r}",
                    path=member.place,
                    line=number,
                    hint="columns are divided by tabs, sentences by blank lines",
                )
            words.append(Token(form, tag))
        yield words


def _column_lines(text: str) -> Iterator[tuple[int, str]]:
    return ((number, line.rstrip("\r")) for number, line in enumerate(text.split("\n"), 1))


def _untagged(member: Member, number: int, fields: list[str], tags: TagColumn) -> FormatError:
    other: TagColumn = "xpos" if tags == "upos" else "upos"
    tag = fields[_PLACES[other]]
    return FormatError(
        f"expected a tag in the column {tags}, got _",
        path=member.place,
        line=number,
        hint="the column of other tags is empty too: without tags it can be parsed at most"
        if tag == "_"
        else f"the column {other} has {tag!r}: read it with --as 'tagging(tags={other})', or in "
        f"`lydite train oracle` with --tags {other}",
    )


_WORD = re.compile(r"<wf ([^<>]*)>([^<>]*)</wf>")
_ATTRIBUTE = re.compile(r"(?<!\w)(\w++)=(\S++)")
_KEY = re.compile(r"[1-5]:\d\d:\d\d:[^:]*:(\d\d)?")

_Annotation: TypeAlias = tuple[str, str | None, tuple[Sense, ...]]


def is_semcor(head: bytes) -> bool:
    """Tell SemCor by its first bytes."""
    return head.lstrip().startswith((b"<contextfile", b"<context ")) or b"<wf cmd=" in head


def semcor_sentences(member: Member) -> Iterator[Sentence]:
    """Yield the sentences of one file; marks of punctuation are left out.

    A token that annotators passed over (``cmd=ignore``, ``tag``) has no senses; one with two,
    which they could not tell apart, has both.
    """
    known: dict[str, _Annotation] = {}
    for part in member.content.decode("latin-1").split("<s "):
        sentence: Sentence = []
        words = _WORD.findall(part)
        if len(words) != part.count("<wf"):
            raise _malformed(member)
        for attributes, form in words:
            annotation = known.get(attributes)
            if annotation is None:
                annotation = known[attributes] = _annotation(attributes, member)
            sentence.append(Token(form, *annotation))
        if sentence:
            yield sentence


def _annotation(text: str, member: Member) -> _Annotation:
    fields = dict(_ATTRIBUTE.findall(text))
    keys = fields["lexsn"].split(";") if "lexsn" in fields else []
    numbers = fields["wnsn"].split(";") if "wnsn" in fields and keys else ["0"] * len(keys)
    good = len(numbers) == len(keys) and all(number.isdecimal() for number in numbers)
    if not good or not all(map(_KEY.fullmatch, keys)):
        raise FormatError(
            "expected lexsn as 2:32:00:: and wnsn as numbers, several joined by semicolons, got "
            f"{fields.get('lexsn')} and {fields.get('wnsn')}",
            path=member.place,
            line=member.content.count(b"\n", 0, member.content.find(text.encode("latin-1"))) + 1,
            hint="leave lexsn out where a word has no sense",
        )
    senses = tuple(Sense(int(n), key) for n, key in zip(numbers, keys, strict=True))
    return fields.get("pos", ""), fields.get("lemma"), senses


def _malformed(member: Member) -> FormatError:
    lines = enumerate(member.content.decode("latin-1").split("\n"), 1)
    number, line = next(
        (number, line) for number, line in lines if line.count("<wf") != len(_WORD.findall(line))
    )
    return FormatError(
        "expected <wf cmd=done pos=VB lemma=say wnsn=1 lexsn=2:32:00::>said</wf>, got "
        f"{line[:60]!r}",
        path=member.place,
        line=number,
        hint="one word an element, on one line",
    )


_MOST_UNTAGGED = 0.1

#: What the Brown corpus adds to a tag for words in titles, headlines and quotations.
_SUFFIXES = re.compile(r"(?<!-tl)(?<!-hl)(?<!-nc)(?:-(?:tl|hl|nc))++\Z", re.IGNORECASE)


def is_slashed(head: bytes) -> bool:
    """Tell words with slashes by their first bytes, of which a cut word may be the last."""
    words = [word for line in _lines(head.decode("latin-1")) for word in line.split()][:-1]
    good = sum(_is_tagged(word) for word in words)
    return bool(words) and len(words) - good <= _MOST_UNTAGGED * len(words)


def slashed_sentences(member: Member, text: str) -> Iterator[Sentence]:
    """Yield sentences: of the Brown corpus lines, of Treebank chunks what blank lines divide.

    A tag is what follows the last slash; of ``JJ|NN``, between which an annotator could not
    choose, it is the first.
    """
    chunked = any(line.startswith("[ ") for line in text.splitlines())
    sentence: Sentence = []
    for number, line in enumerate(text.splitlines(), 1):
        words = [word for word in line.split() if word not in {"[", "]"} and set(word) != {"="}]
        sentence += [_token(word, member, number) for word in words]
        if sentence and not (chunked and words):
            yield sentence
            sentence = []
    if sentence:
        yield sentence


def _lines(text: str) -> Iterator[str]:
    for line in text.splitlines():
        yield line.replace("[ ", " ").replace(" ]", " ").replace("=", "")


def _is_tagged(word: str) -> bool:
    form, _, tag = word.rpartition("/")
    return bool(form and tag)


def _token(word: str, member: Member, number: int) -> Token:
    if not _is_tagged(word):
        raise FormatError(
            f"expected word/TAG, got {word!r}",
            path=member.place,
            line=number,
            hint="every word needs a tag after a slash",
        )
    form, _, tag = word.rpartition("/")
    return Token(form, _SUFFIXES.sub("", tag.partition("|")[0]))


TaggedFormat: TypeAlias = Literal["semcor", "conllu", "columns", "brackets", "slashes"]

_HEAD = 1 << 14

#: In this order: of the same text in two formats the one that comes first is read.
_SIGNS: dict[TaggedFormat, Callable[[bytes], bool]] = {
    "semcor": is_semcor,
    "conllu": is_conllu,
    "columns": is_two_column,
    "brackets": is_bracketed,
    "slashes": is_slashed,
}
_RANK = {name: rank for rank, name in enumerate(_SIGNS)}


def tagged_format(content: bytes) -> TaggedFormat | None:
    """Tell the format by the content; None if it is no tagged corpus.

    >>> tagged_format(b"The/at jury/nn said/vbd ./.")
    'slashes'
    """
    head = content[:_HEAD].removeprefix(b"\xef\xbb\xbf")
    return next((name for name, sign in _SIGNS.items() if sign(head)), None)


def survey(paths: Sequence[Path]) -> dict[str, TaggedFormat]:
    """Return which files of a corpus are to be read, and their formats.

    Files that are no tagged text (a README, raw text, parses without tags) are left out. Where one
    text stands there in several formats, under the same name but for folder and ending, one is
    kept: the Penn Treebank has each text both as trees and as tagged chunks.
    """
    found: dict[str, TaggedFormat] = {}
    best: dict[str, int] = {}
    for member in members(paths):
        kind = tagged_format(member.content)
        if kind is not None:
            found[member.place] = kind
            best[member.stem] = min(_RANK[kind], best.get(member.stem, len(_RANK)))
    if not found:
        raise FormatError(
            "expected a tagged corpus, got none",
            path=paths[0] if len(paths) == 1 else paths[0].parent,
            hint="SemCor, CoNLL-U, Penn Treebank trees, word/TAG, or word <tab> TAG per line",
        )
    return {place: kind for place, kind in found.items() if _RANK[kind] == best[Path(place).stem]}


def read_tagged(
    paths: Sequence[Path],
    *,
    tags: TagColumn = "upos",
    chosen: Mapping[str, TaggedFormat] | None = None,
) -> Iterator[Sentence]:
    """Yield the sentences of a tagged corpus, one file in memory at a time.

    Parameters
    ----------
    paths
        Files or archives (zip, tar, compressed or not), each read by what it holds: SemCor,
        CoNLL-U, trees of the Penn Treebank, ``word/TAG``, or ``word TAB TAG`` per line. Text is
        UTF-8, or Latin-1 where it is not.
    chosen
        What :func:`survey` returned for these paths, if it was called already.

    Raises
    ------
    FormatError
        If no file holds tagged text, or one is malformed; with file and line.
    """
    kinds = survey(paths) if chosen is None else chosen
    progress = current_progress()
    done = 0
    for member in members(paths):
        kind = kinds.get(member.place)
        if kind is not None:
            yield from _sentences(member, kind, tags)
            done += 1
            progress("reading tagged text", done, len(kinds))


def _sentences(member: Member, kind: TaggedFormat, tags: TagColumn) -> Iterator[Sentence]:
    if kind == "semcor":
        return semcor_sentences(member)
    text = member.text
    match kind:
        case "conllu":
            return tagged_sentences(member, text, tags)
        case "columns":
            return column_sentences(member, text)
        case "brackets":
            return bracketed_sentences(member, text)
        case "slashes":
            return slashed_sentences(member, text)
