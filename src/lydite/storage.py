"""Where files go and how they get there whole: the cache folder, atomic writes, checksums."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from lydite.errors import InputError, ResourceError

_BLOCK = 1 << 20


def cache_dir(*parts: str) -> Path:
    """Return a folder below the cache, made if absent (``LYDITE_CACHE`` or the platform's own)."""
    root = os.environ.get("LYDITE_CACHE")
    if not root:
        import platformdirs

        root = platformdirs.user_cache_dir("lydite", appauthor=False)
    folder = user_path(root).joinpath(*parts)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ResourceError(
            f"{folder}: the cache folder cannot be made: {error.strerror}",
            hint="set LYDITE_CACHE to a folder that can be written to",
        ) from error
    return folder


def user_path(text: str | Path) -> Path:
    """Return a path as a user writes it, with ``~`` for the home folder."""
    try:
        return Path(text).expanduser()
    except RuntimeError as error:
        raise InputError(f"{text}: {error}", hint="write the path out in full") from error


def sha256_file(path: Path) -> str:
    """Return the sha256 of a file, read in blocks."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def sha256_text(text: str) -> str:
    """Return the sha256 of a text in UTF-8."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@contextlib.contextmanager
def atomic_writer(path: Path) -> Iterator[IO[bytes]]:
    """Open a temporary neighbour for writing and rename it to ``path`` when all went well.

    A reader sees the old file or the whole new one, never a part.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    # A file system has a longest name, which a name with something added may exceed.
    prefix = f".{path.name[:40]}."
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=prefix, suffix=".part")
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def atomic_write_text(path: Path, text: str) -> None:
    """Write a whole text file, in UTF-8, atomically."""
    with atomic_writer(path) as stream:
        stream.write(text.encode("utf-8"))


def _umask() -> int:
    # The only portable way to read the mask is to set it; mkstemp makes files private, and a
    # shared cache or a published report must not stay so. Should another thread make a file in
    # between, it is better private than open to all.
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
