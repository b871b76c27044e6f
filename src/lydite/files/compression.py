"""Compressed files: on reading the content decides, on writing the ending of the name."""

from __future__ import annotations

import contextlib
import gzip
import io
import lzma
import shutil
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

from lydite.errors import FormatError

if TYPE_CHECKING:
    from typing_extensions import Buffer

#: The endings of compressed files.
COMPRESSIONS = (".gz", ".xz", ".zst")
_MAGIC = {b"\x1f\x8b": "gzip", b"\xfd7zXZ\x00": "xz", b"\x28\xb5\x2f\xfd": "zstd"}
_LONGEST = max(map(len, _MAGIC))
#: Compressed bytes taken at a time. Four of them can stand for 128 KiB, so a small bite bounds
#: the memory that a hostile or very uniform file needs.
_BITE = 1 << 12
_BUFFER = 1 << 18

#: What reading a damaged compressed file can raise.
DECOMPRESSION_ERRORS = (EOFError, gzip.BadGzipFile, lzma.LZMAError, zlib.error)


def compression(path: Path) -> str | None:
    """Return ``gzip``, ``xz``, ``zstd`` or None, from the first bytes of the file."""
    with path.open("rb") as stream:
        head = stream.read(_LONGEST)
    return next((name for magic, name in _MAGIC.items() if head.startswith(magic)), None)


def open_decompressed(path: Path) -> IO[bytes]:
    """Open a file for reading its decompressed bytes."""
    match compression(path):
        case "gzip":
            return cast("IO[bytes]", gzip.open(path, "rb"))
        case "xz":
            return lzma.open(path, "rb")
        case "zstd":
            return cast("IO[bytes]", io.BufferedReader(_Zstd(path), _BUFFER))
        case _:
            return path.open("rb")


@contextlib.contextmanager
def decompressed_file(path: Path) -> Iterator[Path]:
    """Give a plain file with the same content, for formats that are mapped and not streamed."""
    if compression(path) is None:
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="lydite-") as folder:
        plain = Path(folder) / "plain"
        with open_decompressed(path) as source, plain.open("wb") as target:
            shutil.copyfileobj(source, target, _BUFFER)
        yield plain


@contextlib.contextmanager
def open_compressed(raw: IO[bytes], suffix: str) -> Iterator[IO[bytes]]:
    """Give a stream that compresses into ``raw`` as the suffix says; any other leaves it plain."""
    match suffix:
        case ".gz":
            # No name and no time inside, so that the same content gives the same bytes.
            with gzip.GzipFile(fileobj=raw, mode="wb", filename="", mtime=0) as stream:
                yield cast("IO[bytes]", stream)
        case ".xz":
            with lzma.open(raw, "wb", preset=3) as stream:
                yield stream
        case ".zst":
            import zstandard

            with zstandard.ZstdCompressor().stream_writer(raw, closefd=False) as stream:
                yield cast("IO[bytes]", stream)
        case _:
            yield raw


class _Zstd(io.RawIOBase):
    """Decompressed bytes of a zstd file.

    The library's own stream reader ends quietly where a file is cut off; here that is an error.
    """

    def __init__(self, path: Path) -> None:
        import zstandard

        self._raw = path.open("rb")
        self._error = zstandard.ZstdError
        self._new_frame = zstandard.ZstdDecompressor().decompressobj
        self._frame = self._new_frame()
        self._in_frame = False
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Buffer, /) -> int:
        view = memoryview(buffer).cast("B")
        while not self._ready:
            bite = self._raw.read(_BITE)
            if not bite:
                if self._in_frame:
                    raise EOFError("the last zstd frame is cut off")
                return 0
            self._ready = memoryview(self._decompress(bite))
        taken = min(len(view), len(self._ready))
        view[:taken] = self._ready[:taken]
        self._ready = self._ready[taken:]
        return taken

    def _decompress(self, bite: bytes) -> bytes:
        parts = []
        try:
            while bite:
                parts.append(self._frame.decompress(bite))
                bite = self._frame.unused_data
                self._in_frame = not self._frame.eof
                if self._frame.eof:
                    self._frame = self._new_frame()
        except self._error as error:
            raise EOFError(str(error)) from error
        return b"".join(parts)

    def close(self) -> None:
        self._raw.close()
        super().close()


def damaged(path: Path, error: BaseException) -> FormatError:
    """Build the error for a compressed file that cannot be read to its end."""
    return FormatError(
        f"expected a whole compressed file, but decompressing failed: {error}",
        path=path,
        hint="the file is cut off or damaged; fetch or copy it again",
    )
