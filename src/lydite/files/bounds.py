"""How much a file may be, or stand for: what is read is a file, and none of it is without bound.

A few bytes of a compressed file can stand for gigabytes. Past the first `FREE_BYTES`, a compressed
byte may stand for `max_ratio` others; text, vectors and trees stay far below. What is held in
memory as a whole may have `max_bytes`. Both can be raised: ``LYDITE_MAX_RATIO`` and
``LYDITE_MAX_BYTES``. What is read piece by piece, such as vectors, has no largest size.
"""

from __future__ import annotations

import io
import os
import stat
from pathlib import Path
from typing import IO, TYPE_CHECKING

from lydite.errors import FormatError, InputError, ResourceError
from lydite.registry import nearest

if TYPE_CHECKING:
    from typing_extensions import Buffer

RATIO_VARIABLE = "LYDITE_MAX_RATIO"
BYTES_VARIABLE = "LYDITE_MAX_BYTES"
#: What any compressed file may stand for: even a matrix of zeros of this size is read.
FREE_BYTES = 1 << 25
_RATIO = 100
_BYTES = 1 << 32


def max_ratio() -> int:
    """Return how many bytes a compressed byte may stand for."""
    return _of_environment(RATIO_VARIABLE, _RATIO)


def max_bytes() -> int:
    """Return how many bytes of a file may be held in memory at once."""
    return _of_environment(BYTES_VARIABLE, _BYTES)


def _of_environment(name: str, usual: int) -> int:
    text = os.environ.get(name, "").strip()
    if not text:
        return usual
    if text.isascii() and text.isdecimal() and 0 < len(text) <= 18 and int(text):
        return int(text)
    raise InputError(
        f"expected {name} to be a whole number above 0, got {text[:40]!r}",
        hint=f"without it, it is {usual}",
    )


def check_ratio(content: int, stored: int, path: Path) -> None:
    """Refuse content of so many bytes that is stored in so few."""
    if content > FREE_BYTES and content > max_ratio() * stored:
        raise FormatError(
            f"expected at most {max_ratio()} bytes for each compressed one, got more than "
            f"{content} from {stored}",
            path=path,
            hint="a file like this can fill memory or disk; if you trust it, set "
            f"{RATIO_VARIABLE} to more than {content // max(stored, 1)}, or decompress it yourself",
        )


def check_size(size: int, path: Path) -> None:
    """Refuse to hold so many bytes in memory."""
    if size > max_bytes():
        raise FormatError(
            f"expected at most {max_bytes()} bytes to hold in memory, got more",
            path=path,
            hint=f"divide it into parts, or set {BYTES_VARIABLE} to more",
        )


def read_whole(stream: IO[bytes], path: Path) -> bytes:
    """Read what is left of a stream, if it may be held in memory."""
    content = stream.read(max_bytes() + 1)
    check_size(len(content), path)
    return content


def open_file(path: Path) -> IO[bytes]:
    """Open a file for reading; a pipe, a socket or a device is refused and never waited for.

    Raises
    ------
    ResourceError
        If it is none. What the system refuses is raised as it comes.
    """
    # A pipe would otherwise be opened only when somebody writes to it.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        descriptor = os.open(path, flags)
    except OSError:
        if _is_odd(path):
            raise _no_file(path) from None
        raise
    except ValueError as error:
        raise ResourceError(
            f"{path}: the file cannot be read: {error}", hint="check the path"
        ) from error
    try:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(21, "Is a directory", str(path))
        if not stat.S_ISREG(mode):
            raise _no_file(path)
    except BaseException:
        os.close(descriptor)
        raise
    return os.fdopen(descriptor, "rb")


def _is_odd(path: Path) -> bool:
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _no_file(path: Path) -> ResourceError:
    return ResourceError(
        f"{path}: expected a file, got a pipe, a socket or a device",
        hint="files are read more than once; save the bytes to a file first",
    )


def read_small(path: Path) -> bytes:
    """Read a whole file that is no longer than may be held in memory."""
    with open_file(path) as stream:
        return read_whole(stream, path)


class Bounded(io.RawIOBase):
    """Decompressed bytes of a file, as long as they are not too many for its size."""

    def __init__(self, stream: IO[bytes], raw: IO[bytes], path: Path) -> None:
        self._stream = stream
        self._raw = raw
        self._path = path
        self._given = 0

    def readable(self) -> bool:
        """Tell that it can be read."""
        return True

    def readinto(self, buffer: Buffer, /) -> int:
        """Read some bytes, and refuse the first that are too many."""
        view = memoryview(buffer).cast("B")
        block = self._stream.read(len(view))
        view[: len(block)] = block
        self._given += len(block)
        check_ratio(self._given, self._raw.tell(), self._path)
        return len(block)

    def close(self) -> None:
        """Close the file too."""
        self._stream.close()
        self._raw.close()
        super().close()


def require_file(path: Path) -> None:
    """Refuse a path that cannot be opened for reading, and say what is there instead."""
    try:
        open_file(path).close()
    except ResourceError:
        raise
    except FileNotFoundError:
        raise ResourceError(f"{path}: there is no such file", hint=_near_names(path)) from None
    except IsADirectoryError:
        names = sorted(entry.name for entry in path.iterdir())
        raise ResourceError(
            f"{path}: expected a file, got a folder",
            hint=f"name a file inside it: {', '.join(names[:5]) or 'there is none'}",
        ) from None
    except OSError as error:
        raise ResourceError(
            f"{path}: the file cannot be read: {error.strerror}",
            hint="check the path and its permissions",
        ) from error


def _near_names(path: Path) -> str:
    if not path.parent.is_dir():
        return f"there is no folder {path.parent} either"
    close = nearest(path.name, [entry.name for entry in path.parent.iterdir()])
    return f"did you mean {' or '.join(close)}?" if close else f"check the path: {path.absolute()}"
