"""Lines and bytes of a file of any length, decompressed and decoded."""

from __future__ import annotations

import codecs
import contextlib
import io
import re
from collections.abc import Iterator
from pathlib import Path

from lydite.errors import FormatError, InputError, LyditeError, ResourceError
from lydite.files.bounds import read_whole
from lydite.files.compression import DECOMPRESSION_ERRORS, compression, damaged, open_decompressed
from lydite.progress import current_progress

#: Characters after which a line is cut, so that a corpus without line breaks is not read whole.
LONGEST_LINE = 1 << 20
#: A line of a table or of JSON is never cut, but refused beyond this.
WHOLE_LINES = 1 << 26
#: Encodings of Python that are none of files, and take their time.
_NO_ENCODINGS = frozenset(("idna", "punycode", "undefined", "unicode-escape", "raw-unicode-escape"))

_DECLARED = re.compile(rb"^Character set encoding: *([\w-]+)", re.MULTILINE)
_BEGINNING = 1 << 12
_NOTICE = 1 << 22


def text_lines(
    path: Path, encoding: str | None = None, *, longest: int = LONGEST_LINE
) -> Iterator[tuple[int, str]]:
    """Yield number and text of each line, without the line break.

    Parameters
    ----------
    encoding
        If none is given, what the file says of itself (a byte-order mark, the header of Project
        Gutenberg), or else UTF-8.
    longest
        Characters after which a line is cut, at a blank if there is one; its pieces bear the same
        number. With `WHOLE_LINES` such a line is an error.

    Raises
    ------
    FormatError
        If the file is binary, in another encoding or damaged, with the line.
    """
    with _errors_named(path):
        chosen = _known(encoding) if encoding else _own_encoding(path)
        size = path.stat().st_size if compression(path) is None else None
        with io.TextIOWrapper(open_decompressed(path), encoding=chosen) as stream:
            yield from _lines(stream, path, longest, size)


@contextlib.contextmanager
def _errors_named(path: Path) -> Iterator[None]:
    """Turn what goes wrong in reading a file into an error that names it."""
    try:
        yield
    except LyditeError:
        raise
    except DECOMPRESSION_ERRORS as error:
        raise damaged(path, error) from error
    except OSError as error:
        raise ResourceError(
            f"{path} cannot be read: {error.strerror}", hint="check the path"
        ) from error


def _known(encoding: str) -> str:
    try:
        found = codecs.lookup(encoding)
        # "hex" and the like are known, but turn bytes into bytes.
        known = "".encode(encoding) is not None and found.name not in _NO_ENCODINGS
    except (LookupError, ValueError, TypeError):
        known = False
    if not known:
        raise InputError(
            f"there is no encoding of texts called {encoding[:40]!r}",
            hint="utf-8, latin-1 and cp1252 are usual",
        )
    return found.name.replace("utf-8", "utf-8-sig")


def _own_encoding(path: Path) -> str:
    with open_decompressed(path) as stream:
        beginning = stream.read(_BEGINNING)
    if beginning.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    declared = _DECLARED.search(beginning) if b"Gutenberg" in beginning else None
    if declared is None or declared[1].upper().endswith(b"ASCII"):
        return "utf-8-sig"
    try:
        return _known(declared[1].decode())
    except InputError:
        return "utf-8-sig"


def _lines(
    stream: io.TextIOWrapper, path: Path, longest: int, size: int | None
) -> Iterator[tuple[int, str]]:
    progress = current_progress()
    number, done, noticed, rest = 1, 0, 0, ""
    try:
        while piece := stream.readline(longest):
            if "\0" in piece:
                raise _no_text(path, number, "bytes that are none")
            done += len(piece)
            if done - noticed > _NOTICE:
                progress(f"reading {path.name}", done, size)
                noticed = done
            # The last line of a file may lack its line break.
            line, whole = rest + piece, piece.endswith("\n") or len(piece) < longest
            if not whole and longest >= WHOLE_LINES:
                raise _too_long(path, number)
            end = len(line) if whole else line.rfind(" ") + 1 or len(line)
            rest = line[end:]
            if end:
                yield number, line[:end].rstrip("\n")
            number += whole
    except UnicodeDecodeError as error:
        # What has been decoded before the bytes at fault holds no further line break.
        fault = number + error.object.count(b"\n", 0, error.start)
        raise _no_text(path, fault, f"bytes that are not {error.encoding}") from error
    except UnicodeError as error:
        raise _no_text(path, number, f"other bytes: {error}") from error
    if rest:
        yield number, rest


def _too_long(path: Path, line: int) -> FormatError:
    return FormatError(
        f"expected lines of at most {WHOLE_LINES} characters, got a longer one",
        path=path,
        line=line,
        hint="is this the file you mean? If so, divide what it holds into several lines",
    )


def _no_text(path: Path, line: int, got: str) -> FormatError:
    return FormatError(
        f"expected text, got {got}",
        path=path,
        line=line,
        hint="save it as UTF-8 (`iconv -f latin1 -t utf-8 FILE`; commands with --encoding take "
        "latin-1 or cp1252), or take the text out of it if it is a PDF, an e-book or an "
        "office document",
    )


def read_content(path: Path, most: int = -1) -> bytes:
    """Read a file, or its first ``most`` bytes, decompressed and without a byte-order mark."""
    with _errors_named(path), open_decompressed(path) as stream:
        content = read_whole(stream, path) if most < 0 else stream.read(most)
        return content.removeprefix(b"\xef\xbb\xbf")


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


def numbered_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield number and text of each line that is neither blank nor a comment.

    A comment starts with ``#`` and a blank. A byte-order mark and CRLF are passed over; the file
    may be compressed.
    """
    for number, raw in enumerate(_raw_lines(path), 1):
        try:
            line = raw.decode().rstrip("\r")
        except UnicodeDecodeError as error:
            raise FormatError(
                "expected UTF-8, got other bytes",
                path=path,
                line=number,
                hint="save the file as UTF-8",
            ) from error
        if line.strip() and not line.startswith("# "):
            yield number, line


def _raw_lines(path: Path) -> Iterator[bytes]:
    with _errors_named(path), open_decompressed(path) as stream:
        first = True
        while line := stream.readline(WHOLE_LINES):
            if len(line) == WHOLE_LINES:
                raise FormatError(
                    f"expected lines of less than {WHOLE_LINES} bytes, got a longer one",
                    path=path,
                    hint="is this the file you mean?",
                )
            yield line.removeprefix(b"\xef\xbb\xbf" if first else b"").removesuffix(b"\n")
            first = False
