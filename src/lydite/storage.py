"""Where files go and how they get there whole: cache folder, atomic writes, locks, checksums."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from lydite.errors import InputError, ResourceError

_BLOCK = 1 << 20
_HEAD = 1 << 16


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
            hint="set LYDITE_CACHE to a writable folder",
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
    if not path.is_file():
        # A pipe would be waited for.
        raise ResourceError(f"{path}: expected a file, got none", hint="check the path")
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


@contextlib.contextmanager
def output_writer(path: Path) -> Iterator[IO[bytes]]:
    """Open a file that a user names, atomically, unless it would take the place of another's."""
    check_output(path)
    with atomic_writer(path) as stream:
        yield stream
    _note_output(path)


def write_output(path: Path, text: str) -> None:
    """Write a whole text file that a user names, in UTF-8; see `output_writer`."""
    with output_writer(path) as stream:
        stream.write(text.encode("utf-8"))


def check_output(path: Path) -> None:
    """Refuse to replace a file that Lydite did not write, best before hours of work.

    It wrote a page that says so, a safetensors file with a provenance, and what the cache notes
    with the size and time that the file still has. An empty file is nobody's.
    """
    try:
        stat = path.stat()
    except OSError:
        return
    if not stat.st_size or not path.is_file() or _is_noted(path, stat) or _says_so(path):
        return
    raise InputError(
        f"{path}: there is a file that Lydite did not write, or that was changed since; it is not "
        "replaced",
        hint="name another file, or move this one away",
    )


def _says_so(path: Path) -> bool:
    with path.open("rb") as stream:
        head = stream.read(_HEAD)
    if path.suffix == ".html":
        return b'<meta name="generator" content="Lydite">' in head
    marks = (b'"__metadata__": {"format": "lydite-space"', b'"__metadata__":{"provenance":')
    return path.suffix == ".safetensors" and any(mark in head for mark in marks)


def _note_path(path: Path) -> Path:
    return cache_dir("written") / sha256_text(str(path.resolve()))


def _is_noted(path: Path, stat: os.stat_result) -> bool:
    with contextlib.suppress(OSError, ValueError):
        return _note_path(path).read_text("ascii") == f"{stat.st_size} {stat.st_mtime_ns}"
    return False


def _note_output(path: Path) -> None:
    # Without a cache the next writer has to ask.
    with contextlib.suppress(OSError):
        stat = path.stat()
        atomic_write_text(_note_path(path), f"{stat.st_size} {stat.st_mtime_ns}")


@contextlib.contextmanager
def locked(path: Path, *, wait: bool = True) -> Iterator[None]:
    """Hold a file that no other process or thread can hold meanwhile.

    Parameters
    ----------
    path
        A file for this purpose alone, made and removed. One that is left behind by a process
        that died does not matter. A file system without locks locks nothing.
    wait
        Whether to wait for another holder.

    Raises
    ------
    BlockingIOError
        If there is another holder and it is not to be waited for.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    stream = path.open("ab")
    try:
        _lock(stream.fileno(), wait=wait)
        while not _is_at(path, stream):
            # Its holder, whom we waited for, has removed it; others may hold a new one.
            stream.close()
            stream = path.open("ab")
            _lock(stream.fileno(), wait=wait)
        try:
            yield
        finally:
            # Windows removes no open file. One with anything in it was never a lock.
            with contextlib.suppress(OSError):
                if not path.stat().st_size:
                    path.unlink()
    finally:
        stream.close()


def _is_at(path: Path, stream: IO[bytes]) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(stream.fileno()))
    except FileNotFoundError:
        return False


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int, *, wait: bool) -> None:
        os.lseek(descriptor, 0, os.SEEK_SET)
        while True:  # one call gives up after ten seconds
            try:
                msvcrt.locking(descriptor, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
            except OSError as error:
                if not wait:
                    raise BlockingIOError(errno.EAGAIN, "it is locked") from error
            else:
                return

else:
    import fcntl

    def _lock(descriptor: int, *, wait: bool) -> None:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except OSError as error:
            if error.errno not in {errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS}:
                raise


def _umask() -> int:
    # The only portable way to read the mask is to set it; mkstemp makes files private, and a
    # shared cache or a published report must not stay so. Should another thread make a file in
    # between, it is better private than open to all.
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
