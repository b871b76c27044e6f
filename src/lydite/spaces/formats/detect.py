"""Find out from its first bytes what kind of vector file this is, and read it."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, TypeAlias

from lydite.errors import FormatError
from lydite.spaces.formats.arrays import read_npy, read_npz, read_safetensors
from lydite.spaces.formats.compression import (
    DECOMPRESSION_ERRORS,
    compression,
    damaged,
    open_decompressed,
)
from lydite.spaces.formats.reading import Chunk, Reading
from lydite.spaces.formats.text import read_text, sniff_shape
from lydite.spaces.formats.word2vec_binary import read_binary

Format: TypeAlias = Literal["text", "word2vec-binary", "npy", "npz", "safetensors"]

_HEAD = 1 << 18
_PICKLE_HINT = (
    "Lydite never loads pickles, since they can run code. With gensim: "
    "KeyedVectors.load(path).save_word2vec_format('vectors.txt')"
)


def detect(path: Path) -> Format:
    """Return the format of a vector file, from its content.

    Raises
    ------
    FormatError
        For files that are none of the known formats, with what they seem to be.
    """
    head = _head(path)
    if not head.strip():
        raise FormatError("expected word vectors, got an empty file", path=path)
    if head.startswith(b"\x93NUMPY"):
        return "npy"
    if head.startswith(b"PK\x03\x04"):
        return _zip_kind(path)
    if head[8:9] == b"{" and int.from_bytes(head[:8], "little") < 100_000_000:
        return "safetensors"
    if head.startswith(b"\xba\x16\x4f\x2f"):
        raise FormatError(
            "expected word vectors, got a fastText model with subwords (.bin)",
            path=path,
            hint="use the .vec file that fastText writes beside it",
        )
    if head[:1] == b"\x80" and head[1:2] in {b"\x02", b"\x03", b"\x04", b"\x05"}:
        raise FormatError(
            "expected word vectors, got a Python pickle", path=path, hint=_PICKLE_HINT
        )
    return _text_or_binary(path, head)


def _text_or_binary(path: Path, head: bytes) -> Format:
    if sniff_shape(head) is not None:
        return "text"
    header = head.split(b"\n", 1)[0].split()
    if len(header) == 2 and all(map(bytes.isdigit, header)):
        return "word2vec-binary"
    shown = head[:40].decode("utf-8", "replace")
    raise FormatError(
        f"expected word vectors (a word and numbers a line, or a known binary format), "
        f"got a file that starts with {shown!r}",
        path=path,
        line=1,
        hint="Lydite reads word2vec text and binary, GloVe, fastText .vec, .npy, .npz, safetensors",
    )


def read_chunks(reading: Reading, vocabulary: Path | None = None) -> Iterator[Chunk]:
    """Read a vector file of any known format, in chunks of rows."""
    path = reading.path
    try:
        kind = detect(path)
        if kind in _ARRAY_READERS:
            with _decompressed_file(path) as file:
                yield from _ARRAY_READERS[kind](file, reading, vocabulary)
            return
        with open_decompressed(path) as stream:
            shape = sniff_shape(_head(path)) if kind == "text" else None
            yield from read_text(stream, reading, shape) if shape else read_binary(stream, reading)
    except DECOMPRESSION_ERRORS as error:
        raise damaged(path, error) from error


_ARRAY_READERS = {"npy": read_npy, "npz": read_npz, "safetensors": read_safetensors}


def _head(path: Path) -> bytes:
    try:
        with open_decompressed(path) as stream:
            return stream.read(_HEAD)
    except DECOMPRESSION_ERRORS as error:
        raise damaged(path, error) from error


def _zip_kind(path: Path) -> Format:
    names: list[str] = []
    with contextlib.suppress(zipfile.BadZipFile), _decompressed_file(path) as file:
        names = zipfile.ZipFile(file).namelist()
    if any(name.endswith("data.pkl") for name in names):
        raise FormatError(
            "expected word vectors, got a PyTorch file, which holds a pickle",
            path=path,
            hint="save the matrix with safetensors.torch.save_file instead",
        )
    if names and not any(name.endswith(".npy") for name in names):
        raise FormatError(
            f"expected word vectors, got a zip archive of {names[0]!r} and others",
            path=path,
            hint="unpack it and name the vector file inside",
        )
    return "npz"


@contextlib.contextmanager
def _decompressed_file(path: Path) -> Iterator[Path]:
    """Give a plain file with the same content, since arrays are mapped and not streamed."""
    if compression(path) is None:
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="lydite-") as folder:
        plain = Path(folder) / "plain"
        with open_decompressed(path) as source, plain.open("wb") as target:
            shutil.copyfileobj(source, target, _HEAD)
        yield plain
