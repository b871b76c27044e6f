"""Find out from its first bytes what kind of vector file this is, and read it."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Literal, TypeAlias

from lydite.errors import FormatError, InputError
from lydite.files.compression import DECOMPRESSION_ERRORS, compression, damaged, open_decompressed
from lydite.spaces.formats.arrays import read_npy, read_npz
from lydite.spaces.formats.rows import Chunk, Reading, require_file
from lydite.spaces.formats.safetensors import read_safetensors
from lydite.spaces.formats.text import (
    LONGEST_LINE,
    Shape,
    holds_floats,
    read_header,
    read_text,
    sniff_shape,
)
from lydite.spaces.formats.word2vec_binary import read_binary

Format: TypeAlias = Literal["text", "word2vec-binary", "npy", "npz", "safetensors"]

_HEAD = 1 << 18
_PICKLE_HINT = (
    "Lydite never loads pickles, since they can run code. With gensim: "
    "KeyedVectors.load(path).save_word2vec_format('vectors.txt')"
)
#: The first bytes of files that are often taken for vector files: what they are, what to do.
_OTHERS = {
    b"\xba\x16\x4f\x2f": (
        "a fastText model with subwords (.bin)",
        "use the .vec file that fastText writes beside it",
    ),
    **{b"\x80" + bytes([n]): ("a Python pickle", _PICKLE_HINT) for n in range(2, 6)},
    b"\xff\xfe": ("text in UTF-16", "save it in UTF-8"),
    b"\xfe\xff": ("text in UTF-16", "save it in UTF-8"),
}


def detect(path: Path) -> Format:
    """Return the format of a vector file, from its content.

    Raises
    ------
    ResourceError
        If there is no such file, or it cannot be read.
    FormatError
        For files that are none of the known formats, with what they seem to be.
    """
    return _recognise(path)[0]


def _recognise(path: Path) -> tuple[Format, Shape | None]:
    """Return the format and, for text and word2vec's binary format, what the first lines tell."""
    require_file(path)
    head = _head(path)
    if not head.strip():
        raise FormatError("expected word vectors, got an empty file", path=path)
    kind = _array_format(head)
    if kind is not None:
        return (_zip_kind(path) if kind == "npz" else kind), None
    for magic, (what, hint) in _OTHERS.items():
        if head.startswith(magic):
            raise FormatError(f"expected word vectors, got {what}", path=path, hint=hint)
    if shape := sniff_shape(head):
        return "text", shape
    header = read_header(head)
    if header and holds_floats(head[header.skip :], header):
        return "word2vec-binary", header
    shown = head[:40].decode("utf-8", "replace")
    raise FormatError(
        f"expected word vectors (a word and numbers a line, or a known binary format), "
        f"got a file that starts with {shown!r}",
        path=path,
        line=1,
        hint="Lydite reads word2vec text and binary, GloVe, fastText .vec, .npy, .npz, safetensors",
    )


def takes_word_list(path: Path) -> bool:
    """Tell whether a file holds a matrix whose words may stand in another file."""
    try:
        with open_decompressed(path) as stream:
            return _array_format(stream.read(16)) is not None
    except DECOMPRESSION_ERRORS as error:
        raise damaged(path, error) from error


def read_chunks(reading: Reading, vocabulary: Path | None = None) -> Generator[Chunk, None, None]:
    """Read a vector file of any known format, in chunks of rows.

    Nothing is raised for faulty rows: they come with the chunks, and whoever takes those decides
    (:meth:`~lydite.spaces.formats.rows.Reading.settle`).

    Parameters
    ----------
    reading
        The file and how to read it.
    vocabulary
        The word list, for matrices that have none inside.
    """
    path = reading.path
    try:
        kind, shape = _recognise(path)
        if kind in _ARRAY_READERS:
            with _decompressed_file(path) as file:
                yield from _ARRAY_READERS[kind](file, reading, vocabulary)
            return
        if vocabulary is not None:
            raise InputError(
                f"{path}: expected a matrix to go with the word list {vocabulary}, "
                f"got a file that has words of its own",
                hint="leave the word list out",
            )
        if shape is not None:
            read = read_text if kind == "text" else read_binary
            with open_decompressed(path) as stream:
                yield from read(stream, reading, shape)
    except DECOMPRESSION_ERRORS as error:
        raise damaged(path, error) from error


_Reader: TypeAlias = Callable[[Path, Reading, Path | None], Iterator[Chunk]]
_ARRAY_READERS: dict[str, _Reader] = {
    "npy": read_npy,
    "npz": read_npz,
    "safetensors": read_safetensors,
}


def _array_format(head: bytes) -> Format | None:
    if head.startswith(b"\x93NUMPY"):
        return "npy"
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return "npz"
    if head[8:9] == b"{" and int.from_bytes(head[:8], "little") < 100_000_000:
        return "safetensors"
    return None


def _head(path: Path) -> bytes:
    """Return the first bytes, more if there is no whole line among them."""
    try:
        with open_decompressed(path) as stream:
            head = stream.read(_HEAD)
            while b"\n" not in head and len(head) < LONGEST_LINE and (more := stream.read(_HEAD)):
                head += more
            return head
    except DECOMPRESSION_ERRORS as error:
        raise damaged(path, error) from error


def _zip_kind(path: Path) -> Format:
    names: list[str] = []
    with (
        contextlib.suppress(zipfile.BadZipFile),
        _decompressed_file(path) as file,
        zipfile.ZipFile(file) as archive,
    ):
        names = archive.namelist()
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
