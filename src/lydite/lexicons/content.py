"""The bytes of a lexicon, whatever it is compressed with."""

from __future__ import annotations

from pathlib import Path

from lydite.errors import FormatError, ResourceError
from lydite.spaces.formats.compression import DECOMPRESSION_ERRORS, damaged, open_decompressed


def read_content(path: Path, most: int = -1) -> bytes:
    """Read a file, or its first ``most`` bytes, decompressed and without a byte-order mark."""
    try:
        with open_decompressed(path) as stream:
            return stream.read(most).removeprefix(b"\xef\xbb\xbf")
    except DECOMPRESSION_ERRORS as error:
        raise damaged(path, error) from error
    except OSError as error:
        raise ResourceError(
            f"{path} cannot be read: {error.strerror}", hint="check the path"
        ) from error


def require_utf8(content: bytes, path: Path) -> None:
    """Raise an error that names the first line with bytes that are not UTF-8."""
    try:
        content.decode()
    except UnicodeDecodeError as error:
        raise FormatError(
            "expected UTF-8, got other bytes",
            path=path,
            line=content.count(b"\n", 0, error.start) + 1,
            hint="save the file as UTF-8",
        ) from error
