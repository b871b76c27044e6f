"""Take a card's files out of its archive, and nothing else.

Only the members that the card names are read; each goes to the path that the card gives it, is cut
off past its pinned size, and has to have its pinned sha256. So what an archive claims of itself
(names with ``..``, links, sizes) decides nothing.
"""

from __future__ import annotations

import hashlib
import stat
import zipfile
import zlib
from pathlib import Path
from typing import IO

from lydite.errors import ChecksumError, FormatError
from lydite.resources.card import Card, CardFile, is_inside
from lydite.storage import atomic_writer

_BLOCK = 1 << 20


def unpack(archive: Path, card: Card, folder: Path) -> None:
    """Unpack the members of a zip archive that a card names, to the card's paths below ``folder``.

    Raises
    ------
    FormatError
        If the archive is damaged, or a member is absent, encrypted, a link, or has a name that
        points outside.
    ChecksumError
        If a member is larger than its pinned size or has another sha256. Nothing is left behind.
    """
    try:
        with zipfile.ZipFile(archive) as packed:
            for file in card.files:
                if file.member:
                    _take(packed, file, file.member, archive=archive, folder=folder)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        raise FormatError(
            f"expected a zip file: {error}", path=archive, hint="delete it and fetch it again"
        ) from None


def _take(
    packed: zipfile.ZipFile, file: CardFile, member: str, *, archive: Path, folder: Path
) -> None:
    try:
        info = packed.getinfo(member)
    except KeyError:
        raise FormatError(f"has no member {member!r}", path=archive) from None
    if not is_inside(member) or not is_inside(file.path):
        raise FormatError(f"{member!r} points outside its folder", path=archive)
    if info.is_dir() or stat.S_ISLNK(info.external_attr >> 16):
        raise FormatError(f"{member!r} is a link or a folder, expected a file", path=archive)
    if info.flag_bits & 1:
        raise FormatError(f"{member!r} is encrypted", path=archive)
    with packed.open(info) as source, atomic_writer(folder / file.path) as target:
        _copy(source, target, file, member)


def _copy(source: IO[bytes], target: IO[bytes], file: CardFile, member: str) -> None:
    digest = hashlib.sha256()
    left = file.bytes
    while block := source.read(min(_BLOCK, left + 1)):
        left -= len(block)
        if left < 0:
            raise ChecksumError(
                f"{member}: expected {file.bytes} bytes, the archive holds more",
                hint="the archive is not the pinned one; delete it and fetch it again",
            )
        digest.update(block)
        target.write(block)
    if digest.hexdigest() != file.sha256:
        raise ChecksumError(
            f"{member}: expected sha256 {file.sha256}, got {digest.hexdigest()}",
            hint="the archive is not the pinned one; delete it and fetch it again",
        )
