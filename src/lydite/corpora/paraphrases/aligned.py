"""Groups from aligned versions of one text, such as translations of the same verses."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from lydite.corpora.json_lines import json_objects, named
from lydite.corpora.paraphrases.rows import Row, shown
from lydite.corpora.reading import text_lines
from lydite.corpora.tables import WHOLE_LINES
from lydite.errors import FormatError, InputError
from lydite.types import Plain

_WORD = re.compile(r"[^\W_]")
_WORDLESS = "passages without a word left out"
_TOO_FEW = "ids in too few versions left out"
_JSON_HINT = 'a line is {"id": "1", "text": "In the beginning."}'
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
    """Read an id, a tab and a text a line; a header ``id``, tab, ``text`` is passed over."""
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
    """Read ``{"id": ..., "text": ...}`` a line."""
    passages: dict[str, Passage] = {}
    for number, record in json_objects(path, hint=_JSON_HINT):
        key = named(record, "id", path, number, hint=_JSON_HINT)
        text = record.get("text")
        if not isinstance(text, str):
            raise FormatError(
                f"expected a text at id {key!r}, got {str(text)[:60]}",
                path=path,
                line=number,
                hint=_JSON_HINT,
            )
        _add(passages, key, text, path, number)
    return Version(path, passages)


def read_id_object(path: Path) -> Version:
    """Read one object of JSON that has a text for each id."""
    lines = (line for _, line in text_lines(path, longest=WHOLE_LINES))
    try:
        entries = json.loads("\n".join(lines), object_pairs_hook=list)
    except json.JSONDecodeError as error:
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

    A passage without a word, such as the dots that stand for a verse, is none.

    Parameters
    ----------
    versions
        At least ``minimum``.
    minimum
        In how many versions an id has to occur.

    Returns
    -------
    The passages of each id, in the order of the ids in the first version that has them, and how
    many passages and ids were left out.
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
            f"expected each id once, got {key!r} again: {shown(text)}",
            path=path,
            line=line,
            hint="ids name one passage each",
        )
    passages[key] = Passage(text, line)


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
