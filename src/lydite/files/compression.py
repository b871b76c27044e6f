"""Compressed files: on reading the content decides, on writing the ending of the name."""

from __future__ import annotations

import contextlib
import functools
import gzip
import io
import lzma
import shutil
import tempfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

from lydite.errors import FormatError
from lydite.files.bounds import Bounded, open_file

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
#: Memory that an xz file may ask for.
_XZ_MEMORY = 1 << 28

#: What reading a damaged compressed file can raise.
DECOMPRESSION_ERRORS = (EOFError, gzip.BadGzipFile, lzma.LZMAError, zlib.error)


def compression(path: Path) -> str | None:
    """Return ``gzip``, ``xz``, ``zstd`` or None, from the first bytes of the file."""
    with open_file(path) as stream:
        head = stream.read(_LONGEST)
    return _kind(head)


def _kind(head: bytes) -> str | None:
    return next((name for magic, name in _MAGIC.items() if head.startswith(magic)), None)


def open_decompressed(path: Path) -> IO[bytes]:
    """Open a file for reading its decompressed bytes, within the `lydite.files.bounds`."""
    raw = open_file(path)
    try:
        stream: IO[bytes]
        match _kind(raw.peek(_LONGEST)):  # type: ignore[attr-defined]  # it is buffered
            case "gzip":
                stream = cast("IO[bytes]", gzip.GzipFile(fileobj=raw, mode="rb"))
            case "xz":
                stream = cast("IO[bytes]", io.BufferedReader(_Frames(raw, *_xz()), _BUFFER))
            case "zstd":
                stream = cast("IO[bytes]", io.BufferedReader(_Frames(raw, *_zstd()), _BUFFER))
            case _:
                return raw
        return cast("IO[bytes]", io.BufferedReader(Bounded(stream, raw, path), _BUFFER))
    except BaseException:
        raw.close()
        raise


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


def _zstd() -> tuple[Callable[[], Any], type[Exception]]:
    import zstandard

    return zstandard.ZstdDecompressor().decompressobj, zstandard.ZstdError


def _xz() -> tuple[Callable[[], Any], type[Exception]]:
    # A file says itself how much memory it wants; the highest preset takes 65 MiB.
    return functools.partial(lzma.LZMADecompressor, memlimit=_XZ_MEMORY), lzma.LZMAError


class _Frames(io.RawIOBase):
    """Decompressed bytes of a file of frames, zstd's or those of xz.

    The libraries' own readers end quietly where a zstd file is cut off, which is an error here, and
    give an xz file as much memory as it asks for.
    """

    def __init__(
        self, raw: IO[bytes], new_frame: Callable[[], Any], error: type[Exception]
    ) -> None:
        self._raw = raw
        self._error = error
        self._new_frame = new_frame
        self._frame = new_frame()
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
                    raise EOFError("the last frame is cut off")
                return 0
            self._ready = memoryview(self._decompress(bite))
        taken = min(len(view), len(self._ready))
        view[:taken] = self._ready[:taken]
        self._ready = self._ready[taken:]
        return taken

    def _decompress(self, bite: bytes) -> bytes:
        parts = []
        # Between frames there may be zeros; no frame begins with one.
        while bite := bite if self._in_frame else bite.lstrip(b"\0"):
            try:
                parts.append(self._frame.decompress(bite))
            except self._error as error:
                raise EOFError(str(error)) from error
            bite = self._frame.unused_data
            self._in_frame = not self._frame.eof
            if self._frame.eof:
                self._frame = self._new_frame()
        return b"".join(parts)


def damaged(path: Path, error: BaseException) -> FormatError:
    """Build the error for a compressed file that cannot be read to its end."""
    return FormatError(
        f"expected a whole compressed file, but decompressing failed: {error}",
        path=path,
        hint="the file is cut off or damaged; fetch or copy it again",
    )
