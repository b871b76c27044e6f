"""The files of a corpus, from folders and archives, read in memory and never unpacked."""

from __future__ import annotations

import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from lydite.errors import FormatError, LyditeError, ResourceError
from lydite.files.bounds import check_ratio, read_whole
from lydite.files.compression import DECOMPRESSION_ERRORS, damaged, open_decompressed

_TAR_MAGIC = slice(257, 262)


class Member(NamedTuple):
    """A file: where it stands, for messages, and its bytes."""

    place: str
    content: bytes

    @property
    def stem(self) -> str:
        """Its name without folders and ending."""
        return PurePosixPath(self.place).stem

    @property
    def text(self) -> str:
        """Its text: UTF-8, or Latin-1 where it is not."""
        plain = self.content.removeprefix(b"\xef\xbb\xbf")
        try:
            return plain.decode()
        except UnicodeDecodeError:
            return plain.decode("latin-1")


def members(paths: Sequence[Path]) -> Iterator[Member]:
    """Yield the files at the paths, those inside zip and tar archives one by one.

    Only regular files are read; links and devices are passed over. Names inside an archive are
    for messages alone, so none of them can point anywhere.
    """
    for path in paths:
        try:
            yield from _members(path)
        except LyditeError:
            raise
        except (tarfile.TarError, zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
            raise FormatError(
                f"the archive cannot be read: {error}", path=path, hint="get the file again"
            ) from None
        except (*DECOMPRESSION_ERRORS, zlib.error) as error:
            raise damaged(path, error) from error
        except OSError as error:
            raise ResourceError(
                f"{path} cannot be read: {error.strerror}", hint="check the path"
            ) from error


def _members(path: Path) -> Iterator[Member]:
    with open_decompressed(path) as stream:
        head = stream.read(512)
    if head.startswith(b"PK\x03\x04"):
        yield from _of_zip(path)
    elif head[_TAR_MAGIC] == b"ustar":
        yield from _of_tar(path)
    else:
        with open_decompressed(path) as stream:
            yield Member(str(path), read_whole(stream, path))


def _of_zip(path: Path) -> Iterator[Member]:
    with zipfile.ZipFile(path) as packed:
        # No more is read of a member than it says; several may share their bytes.
        check_ratio(sum(info.file_size for info in packed.infolist()), path.stat().st_size, path)
        for info in packed.infolist():
            mode = info.external_attr >> 16
            if info.is_dir() or (stat.S_IFMT(mode) and not stat.S_ISREG(mode)):
                continue
            with packed.open(info) as stream:
                yield Member(f"{path}/{info.filename}", read_whole(stream, path))


def _of_tar(path: Path) -> Iterator[Member]:
    with open_decompressed(path) as raw, tarfile.open(fileobj=raw, mode="r|") as packed:
        for info in packed:
            stream = packed.extractfile(info) if info.isreg() else None
            if stream is not None:
                yield Member(f"{path}/{info.name}", read_whole(stream, path))
