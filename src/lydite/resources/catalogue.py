"""Which data sets are known, and where their files are on this machine.

A file is looked for in ``LYDITE_DATA`` (a folder that already holds the data), then in the cache,
which `lydite.resources.fetch` fills, then among the starter data inside this package.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Literal, NamedTuple

from lydite.errors import ChecksumError, InputError, ResourceError
from lydite.registry import unknown_name
from lydite.resources.archives import unpack
from lydite.resources.card import Archive, Card, CardFile, Citation, read_card, read_citations
from lydite.storage import atomic_write_text, cache_dir, sha256_file, sha256_text, user_path

logger = logging.getLogger(__name__)

_HERE = Path(__file__).parent
_CITATIONS = "citations.toml"

#: Entry points load to a folder of cards (a `Path`) or to a callable that returns cards.
GROUP = "lydite.resources"

#: What a text ends in that is surely meant as a file, not as a name.
_FILE_ENDINGS = {".tsv", ".csv", ".txt", ".json", ".jsonl", ".gz", ".xz", ".zst", ".obo", ".toml"}

Status = Literal["ok", "missing", "wrong size", "wrong checksum"]


@dataclass(frozen=True, kw_only=True)
class Located:
    """Files on this machine, ready to be read.

    Attributes
    ----------
    name
        The card's name, or the path as the user gave it.
    paths
        The data files, in the card's order; for a folder of the user's, all its files, sorted.
    sha256
        Of the file, if there is one, whatever it is called. Of several files of a card, which pins
        the content of each, that of their sorted sha256, one per line; of several files in a folder
        of the user's, that of their names below it with their sha256, so that a training and a test
        file that change places are other data.
    """

    name: str
    paths: tuple[Path, ...]
    sha256: str
    card: Card | None = None

    @property
    def folder(self) -> Path:
        """The folder that all the files lie in, at whatever depth."""
        return Path(os.path.commonpath([path.parent for path in self.paths]))

    def single(self) -> Path:
        """Return the one file, or raise if there are several."""
        if len(self.paths) != 1:
            raise InputError(
                f"{self.name}: expected one file, got {len(self.paths)} in {self.folder}",
                hint=f"give one of them by its path, such as {self.paths[0]}",
            )
        return self.paths[0]

    def named(self, filename: str) -> Path:
        """Return the file of that name, without its folder."""
        for path in self.paths:
            if path.name == filename:
                return path
        present = ", ".join(sorted(path.name for path in self.paths)[:8])
        raise ResourceError(f"{self.name}: expected a file {filename}, got {present}")


class FileStatus(NamedTuple):
    """What became of one file in a verification; ``path`` is where it is or should be."""

    path: Path
    status: Status


class Catalogue:
    """All cards: this package's, read one by one when asked for, and those of plugins."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._plugins: dict[str, Card] | None = None
        self._citations: dict[str, Citation] | None = None

    def find(self, name: str) -> Card:
        """Return the card of that name; the error for an unknown one suggests near matches."""
        if name in self._own():
            return read_card(self._folder / f"{name}.toml")
        try:
            return self._added()[name]
        except KeyError:
            hint = "`lydite data ls` shows the names; a file of your own is given by its path"
            raise unknown_name("resource", name, self, hint=hint) from None

    def citation(self, key: str) -> Citation:
        """Return the full reference that a card's key stands for."""
        if self._citations is None:
            self._citations = read_citations(self._folder / _CITATIONS)
        try:
            return self._citations[key]
        except KeyError:
            known = self._citations
            raise unknown_name("reference", key, known, hint=f"see {_CITATIONS}") from None

    def __contains__(self, name: object) -> bool:
        return name in self._own() or name in self._added()

    def __iter__(self) -> Iterator[str]:
        return iter(sorted({*self._own(), *self._added()}))

    def _own(self) -> set[str]:
        return {path.stem for path in self._folder.glob("*.toml") if path.name != _CITATIONS}

    def _added(self) -> dict[str, Card]:
        if self._plugins is None:
            self._plugins = {}
            for point in entry_points(group=GROUP):
                self._plugins.update(self._from_plugin(point, {*self._own(), *self._plugins}))
        return self._plugins

    @staticmethod
    def _from_plugin(point: EntryPoint, known: set[str]) -> dict[str, Card]:
        try:
            cards = {card.name: card for card in _plugin_cards(point.load())}
        except Exception as error:  # a broken plugin must not break the tool
            logger.warning("plugin %s could not be loaded: %s", point.value, error)
            return {}
        for name in known & cards.keys():
            logger.warning(
                "plugin %s: the resource %r exists already; the plugin's is left out",
                point.value,
                name,
            )
        return {name: card for name, card in cards.items() if name not in known}


def _plugin_cards(target: object) -> list[Card]:
    if isinstance(target, Path):
        return [read_card(path) for path in sorted(target.glob("*.toml"))]
    if not callable(target):
        raise InputError(f"expected a folder or a callable that returns cards, got {target!r}")
    cards = list(target())
    for card in cards:
        if not isinstance(card, Card):
            raise InputError(f"expected a Card, got {card!r}")
    return cards


CATALOGUE = Catalogue(_HERE / "cards")


def find(name: str) -> Card:
    """Return the card of that name.

    >>> find("simlex-999").title
    'SimLex-999'
    """
    return CATALOGUE.find(name)


def names() -> list[str]:
    """Return the names of all data sets, sorted."""
    return list(CATALOGUE)


def citation(key: str) -> Citation:
    """Return the reference that a card's ``citation`` stands for.

    >>> citation("hill-2015").year
    2015
    """
    return CATALOGUE.citation(key)


def locate(name_or_path: str | Path, *, fetch: bool = False) -> Located:
    """Find the files of a data set, or a file or folder of the user's own.

    A text that is a card's name means the card, even if a file of that name exists: write
    ``./simlex-999`` for the file. Any other text, and any `Path`, is a path.

    Parameters
    ----------
    fetch
        Fetch what is missing, if the card has an address for it.

    Raises
    ------
    UnknownNameError
        If the text is neither a name nor an existing path.
    ResourceError
        If files are missing; the hint says what to do.
    ChecksumError
        If a file is not the pinned one. The size is compared every time, the sha256 once for as
        long as the file is not touched.
    """
    if isinstance(name_or_path, str) and name_or_path in CATALOGUE:
        card = CATALOGUE.find(name_or_path)
        if fetch:
            from lydite.resources.fetch import fetch as fetch_card

            return fetch_card(card)
        return locate_card(card)
    if not str(name_or_path).strip():
        raise InputError("expected the name or path of a resource, got none")
    path = user_path(name_or_path)
    if path.exists():
        return _locate_path(path, str(name_or_path))
    if isinstance(name_or_path, Path) or len(path.parts) > 1 or path.suffix in _FILE_ENDINGS:
        raise ResourceError(
            f"{path}: no such file or folder",
            hint="check the path, or give a name that `lydite data ls` shows",
        )
    return locate_card(CATALOGUE.find(name_or_path))


def locate_card(card: Card) -> Located:
    """Find and check the data files of a card; see `locate`."""
    paths = _paths_at_hand(card)
    if None in paths and card.archive is not None:
        packed = _path_at_hand(card, card.archive)
        if packed is not None:
            check(packed, card.archive)
            unpack(packed, card, cached(card))
            paths = _paths_at_hand(card)
    missing = [file for file, path in zip(card.data_files, paths, strict=True) if path is None]
    if missing:
        raise _missing(card, missing)
    present = tuple(path for path in paths if path is not None)
    for file, path in zip(card.data_files, present, strict=True):
        check(path, file)
    hashes = sorted(file.sha256 for file in card.data_files)
    sha256 = hashes[0] if len(hashes) == 1 else sha256_text("".join(f"{h}\n" for h in hashes))
    return Located(name=card.name, paths=present, sha256=sha256, card=card)


def verify(name: str) -> list[FileStatus]:
    """Hash every file of a card again, licence files included, whatever is remembered.

    A missing file is given with the place in the cache where it would go.
    """
    card = CATALOGUE.find(name)
    return [_verify(card, file) for file in card.files]


def cached(card: Card) -> Path:
    """Return the folder below the cache that stands for the data folder of this card."""
    return cache_dir("resources") / card.name


def in_data_folder(file: CardFile | Archive) -> Path | None:
    """Return where a file lies in ``LYDITE_DATA``, or None if it is not there."""
    root = _data_folder()
    return root / file.path if root is not None and (root / file.path).is_file() else None


def check(path: Path, file: CardFile | Archive) -> None:
    """Compare a file with its pinned size, always, and sha256, once."""
    size = path.stat().st_size
    hint = "replace the file, or remove it and fetch it again"
    if size != file.bytes:
        raise ChecksumError(f"{path}: expected {file.bytes} bytes, got {size}", hint=hint)
    found = remembered_sha256(path)
    if found != file.sha256:
        raise ChecksumError(f"{path}: expected sha256 {file.sha256}, got {found}", hint=hint)


def remembered_sha256(path: Path) -> str:
    """Return a file's sha256, hashing it only if it has changed since the last call.

    Size, time and inode say so: of two files as large and as old as each other that change
    places, the inodes still differ.
    """
    status = path.stat()
    stamp = f"{status.st_size} {status.st_mtime_ns} {status.st_ino} "
    note = None
    # A cache that cannot be written costs time, nothing else.
    with contextlib.suppress(OSError):
        note = cache_dir("digests") / sha256_text(str(path.resolve()))
        remembered = note.read_text(encoding="utf-8")
        if remembered.startswith(stamp):
            return remembered.removeprefix(stamp)
    found = sha256_file(path)
    if note is not None:
        with contextlib.suppress(OSError):
            atomic_write_text(note, stamp + found)
    return found


def _locate_path(path: Path, name: str) -> Located:
    if path.is_file():
        return Located(name=name, paths=(path,), sha256=remembered_sha256(path))
    inside = (each.relative_to(path) for each in path.rglob("*") if each.is_file())
    visible = sorted(each for each in inside if not any(part[0] == "." for part in each.parts))
    if not visible:
        raise ResourceError(f"{path}: the folder contains no files", hint="check the path")
    paths = tuple(path / each for each in visible)
    hashes = [remembered_sha256(each) for each in paths]
    listed = [[each.as_posix(), sha256] for each, sha256 in zip(visible, hashes, strict=True)]
    sha256 = hashes[0] if len(hashes) == 1 else sha256_text(json.dumps(sorted(listed)))
    return Located(name=name, paths=paths, sha256=sha256)


def _data_folder() -> Path | None:
    folder = os.environ.get("LYDITE_DATA")
    return user_path(folder) if folder else None


def _home(card: Card) -> Path:
    return _HERE / "starter" if card.starter else cached(card)


def _roots(card: Card) -> Iterator[Path]:
    data = _data_folder()
    if data is not None and not card.starter:
        yield data
    yield _home(card)


def _path_at_hand(card: Card, file: CardFile | Archive) -> Path | None:
    candidates = (root / file.path for root in _roots(card))
    return next((path for path in candidates if path.is_file()), None)


def _paths_at_hand(card: Card) -> list[Path | None]:
    # A folder that has everything is preferred to a mixture.
    for root in _roots(card):
        paths: list[Path | None] = [root / file.path for file in card.data_files]
        if all(path is not None and path.is_file() for path in paths):
            return paths
    return [_path_at_hand(card, file) for file in card.data_files]


def _verify(card: Card, file: CardFile) -> FileStatus:
    path = _path_at_hand(card, file)
    if path is None:
        return FileStatus(_home(card) / file.path, "missing")
    if path.stat().st_size != file.bytes:
        return FileStatus(path, "wrong size")
    return FileStatus(path, "ok" if sha256_file(path) == file.sha256 else "wrong checksum")


def _missing(card: Card, missing: list[CardFile]) -> ResourceError:
    absent = ", ".join(file.path for file in missing[:3])
    more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
    data = _data_folder()
    places = ["the cache"] if data is None else [f"LYDITE_DATA ({data})", "the cache"]
    if data is not None and not data.is_dir():
        places[0] += ", which is not a folder,"
    return ResourceError(
        f"{card.name}: {absent}{more} not found in {' or '.join(places)}",
        hint=_next_step(card, [file for file in missing if not card.address(file)]),
    )


def _next_step(card: Card, unreachable: list[CardFile]) -> str:
    if not unreachable:
        return f"lydite data fetch {card.name}"
    path = unreachable[0].path
    return (
        f"there is no public pinned source: get the file from {card.source} and put it at "
        f"{_home(card) / path}, or set LYDITE_DATA to a folder that contains {path}"
    )


def locate_all(resource: str) -> tuple[Located, ...]:
    """Find one resource, or several joined by ``+``.

    A file whose name holds a plus is found under its own name.
    """
    if Path(resource).exists() or "+" not in resource:
        return (locate(resource),)
    return tuple(locate(part.strip()) for part in resource.split("+"))
