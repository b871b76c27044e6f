"""What is known of a data set before a byte of it is read.

A card is a TOML file named after its data set: where the files come from, their sha256 and size,
the licence, whom to cite, and what is known to be wrong with the data. A data set is never a class.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal, get_args
from urllib.parse import urlsplit

from lydite.errors import FormatError
from lydite.files.bounds import read_small
from lydite.files.plain import parse_toml
from lydite.registry import nearest
from lydite.types import Plain, PlainMapping

Kind = Literal[
    "book",
    "classification",
    "corpus",
    "entity-relations",
    "groups",
    "information-content",
    "inventory",
    "judgements",
    "lexicon",
    "oracle",
    "questions",
    "samples",
    "sentence-pairs",
    "similarity",
    "taxonomy",
    "treebank",
    "word-relations",
]
Role = Literal["data", "licence"]

_NAME = re.compile(r"[a-z0-9]+(?:[.-][a-z0-9]+)*")
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, kw_only=True)
class CardFile:
    """One file of a data set.

    Attributes
    ----------
    path
        Where the file lies below the data folder, with forward slashes.
    sha256
        Of the whole file, in lower-case hexadecimal.
    url
        An https address that serves exactly these bytes, or None if there is no such address.
    member
        The file's name inside the card's archive, if it is got by unpacking that.
    role
        ``data`` is what a reader opens; ``licence`` is fetched with it, never read.
    """

    path: str
    sha256: str
    bytes: int
    url: str | None = None
    member: str | None = None
    role: Role = "data"


@dataclass(frozen=True, kw_only=True)
class Archive:
    """A packed file from which a card's files are taken; see `CardFile.member`."""

    path: str
    sha256: str
    bytes: int
    url: str | None = None
    unpack: Literal["zip"] = "zip"


@dataclass(frozen=True, kw_only=True)
class Card:
    """A data set: what it is, where it is, what one may do with it, what is wrong with it.

    Attributes
    ----------
    name
        Lower-case words joined by hyphens; also the name of the card's file.
    format
        How the files are laid out, in one line.
    licence, redistributable
        The terms; ``redistributable`` is true only where they clearly allow it.
    citation, also_cite
        Keys into ``citations.toml``.
    source
        Where a person finds the data set, in words or as an address.
    encoding
        Of the text in the files, as Python names it.
    defects
        What is known to be wrong or surprising, measured on exactly these bytes.
    archive
        The packed file that the members come from, if any.
    starter
        True if the files are part of this package.
    """

    name: str
    title: str
    kind: Kind
    format: str
    licence: str
    redistributable: bool
    citation: str
    source: str
    files: tuple[CardFile, ...]
    encoding: str = "utf-8"
    also_cite: tuple[str, ...] = ()
    defects: tuple[str, ...] = ()
    notes: str = ""
    archive: Archive | None = None
    starter: bool = False

    @property
    def data_files(self) -> tuple[CardFile, ...]:
        """The files that a reader opens."""
        return tuple(file for file in self.files if file.role == "data")

    @property
    def bytes(self) -> int:
        """Size of all data files together."""
        return sum(file.bytes for file in self.data_files)

    @property
    def fetchable(self) -> bool:
        """Whether nobody has to bring a file: all are in this package or have an address."""
        return self.starter or all(self.address(file) for file in self.data_files)

    def address(self, file: CardFile) -> str | None:
        """Return where a file can be fetched from, by itself or in the archive."""
        if file.member and self.archive:
            return self.archive.url
        return file.url


@dataclass(frozen=True, kw_only=True)
class Citation:
    """A reference: ``text`` is the whole of it, ready to print."""

    key: str
    author: str
    title: str
    venue: str
    year: int
    text: str


def read_card(path: Path) -> Card:
    """Read and check one card; its name must be that of its file.

    Raises
    ------
    FormatError
        If the file is not TOML, or a key is unknown, missing or of the wrong form. The message
        names the file and the key.
    """
    card = parse_card(_load(path), path=path)
    if card.name != path.stem:
        raise FormatError(
            f"name: expected {path.stem!r}, as the file, got {card.name!r}", path=path
        )
    return card


def parse_card(values: PlainMapping, *, path: Path) -> Card:
    """Check the values of a card and build it; ``path`` is named in errors."""
    table = _Table(values, path=path)
    name = table.text("name")
    table.require(bool(_NAME.fullmatch(name)), "name", "lower-case words joined by hyphens", name)
    archive = table.table("archive")
    card = Card(
        name=name,
        title=table.text("title"),
        kind=table.choice("kind", get_args(Kind)),
        format=table.text("format"),
        licence=table.text("licence"),
        redistributable=table.flag("redistributable"),
        citation=table.text("citation"),
        source=table.text("source"),
        files=tuple(_parse_file(each) for each in table.tables("files")),
        encoding=table.text("encoding", "utf-8"),
        also_cite=table.texts("also_cite"),
        defects=table.texts("defects"),
        notes=table.text("notes", ""),
        archive=_parse_archive(archive) if archive else None,
        starter=table.flag("starter", default=False),
    )
    table.finish()
    _check_files(card, table)
    return card


def read_citations(path: Path) -> dict[str, Citation]:
    """Read ``citations.toml``: one table per key."""
    citations = {}
    for key, values in _load(path).items():
        table = _Table(values if isinstance(values, dict) else {}, path=path, where=key)
        citations[key] = Citation(
            key=key,
            author=table.text("author"),
            title=table.text("title"),
            venue=table.text("venue"),
            year=table.whole("year"),
            text=table.text("text"),
        )
        table.finish()
    return citations


def _load(path: Path) -> PlainMapping:
    try:
        return parse_toml(read_small(path).decode())
    except ValueError as error:
        raise FormatError(f"expected TOML: {error}", path=path) from None


def _parse_file(table: _Table) -> CardFile:
    file = CardFile(
        path=table.relative_path("path"),
        sha256=table.sha256("sha256"),
        bytes=table.whole("bytes"),
        url=table.https("url"),
        member=table.text("member", "") or None,
        role=table.choice("role", get_args(Role), default="data"),
    )
    table.finish()
    return file


def _parse_archive(table: _Table) -> Archive:
    archive = Archive(
        path=table.relative_path("path"),
        sha256=table.sha256("sha256"),
        bytes=table.whole("bytes"),
        url=table.https("url"),
        unpack=table.choice("unpack", ("zip",)),
    )
    table.finish()
    return archive


def _check_files(card: Card, table: _Table) -> None:
    paths = [file.path for file in card.files]
    table.require(bool(card.data_files), "files", "at least one data file", len(paths))
    table.require(len(set(paths)) == len(paths), "files", "each path once", paths)
    packed = any(file.member for file in card.files)
    table.require(packed == (card.archive is not None), "archive", "one if files are members", "-")
    online = [file.url for file in card.files if file.url]
    table.require(not (card.starter and online), "starter", "files without url", online)


class _Table:
    """One TOML table, taken key by key; a key that nobody took is an error."""

    def __init__(self, values: PlainMapping, *, path: Path, where: str = "") -> None:
        self._values = values
        self._path = path
        self._where = where
        self._taken: list[str] = []

    def require(self, holds: bool, key: str, expected: str, got: object) -> None:
        if not holds:
            message = f"{self._at(key)}: expected {expected}, got {got!r}"
            raise FormatError(message, path=self._path)

    def finish(self) -> None:
        for key in self._values:
            if key not in self._taken:
                close = nearest(key, self._taken)
                hint = f"did you mean {close[0]}?" if close else None
                raise FormatError(f"{self._at(key)}: unknown key", path=self._path, hint=hint)

    def text(self, key: str, default: str | None = None) -> str:
        value = self._take(key, default)
        self.require(isinstance(value, str), key, "a text", value)
        self.require(bool(value) or value == default, key, "a text that is not empty", value)
        return str(value)

    def texts(self, key: str) -> tuple[str, ...]:
        value = self._take(key, [])
        fits = isinstance(value, list) and all(isinstance(each, str) for each in value)
        self.require(fits, key, "a list of texts", value)
        return tuple(value)

    def flag(self, key: str, *, default: bool | None = None) -> bool:
        value = self._take(key, default)
        self.require(isinstance(value, bool), key, "true or false", value)
        return bool(value)

    def whole(self, key: str) -> int:
        value = self._take(key, None)
        fits = isinstance(value, int) and not isinstance(value, bool) and value > 0
        self.require(fits, key, "a whole number above zero", value)
        return int(value)

    def choice(self, key: str, known: tuple[str, ...], *, default: str | None = None) -> Plain:
        value = self.text(key, default)
        self.require(value in known, key, f"one of {', '.join(known)}", value)
        return value

    def sha256(self, key: str) -> str:
        value = self.text(key)
        self.require(bool(_SHA256.fullmatch(value)), key, "64 lower-case hexadecimal digits", value)
        return value

    def https(self, key: str) -> str | None:
        value = self.text(key, "")
        parts = urlsplit(value)
        fits = parts.scheme == "https" and bool(parts.hostname) and not parts.username
        printable = value.isascii() and value.isprintable() and " " not in value
        self.require(not value or (fits and printable), key, "an https address", value)
        return value or None

    def relative_path(self, key: str) -> str:
        value = self.text(key)
        self.require(is_inside(value), key, "a path that stays below the data folder", value)
        return value

    def table(self, key: str) -> _Table | None:
        value = self._take(key, {})
        self.require(isinstance(value, dict), key, "a table", value)
        return _Table(value, path=self._path, where=self._at(key)) if value else None

    def tables(self, key: str) -> list[_Table]:
        value = self._take(key, None)
        fits = isinstance(value, list) and all(isinstance(each, dict) for each in value)
        self.require(fits, key, "a list of tables", value)
        return [
            _Table(each, path=self._path, where=f"{self._at(key)}[{index}]")
            for index, each in enumerate(value)
        ]

    def _at(self, key: str) -> str:
        return f"{self._where}.{key}" if self._where else key

    def _take(self, key: str, default: object) -> Plain:
        self._taken.append(key)
        value = self._values.get(key, default)
        self.require(value is not None, key, "a value", "nothing")
        return value


def is_inside(name: str) -> bool:
    """Whether a relative path with forward slashes stays below the folder it is put in.

    >>> is_inside("books/hume.txt"), is_inside("../hume.txt"), is_inside("/etc/passwd")
    (True, False, False)
    """
    parts = PurePosixPath(name).parts
    plain = bool(parts) and ".." not in parts and not name.startswith("/")
    return plain and not re.search(r"[\\:\x00-\x1f]", name)
