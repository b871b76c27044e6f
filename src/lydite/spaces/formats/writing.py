"""Write a space: word2vec text and binary, npz, safetensors; compressed if the name says so."""

from __future__ import annotations

import contextlib
import gzip
import json
import lzma
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, cast

import numpy as np
from numpy.typing import NDArray

from lydite.errors import InputError
from lydite.progress import Progress, silent
from lydite.spaces.formats.rows import complain_of_words
from lydite.spaces.space import Space
from lydite.storage import atomic_writer
from lydite.types import PlainMapping, Vectors

_ROWS = 1 << 13
#: A blank and a decimal at the end would be taken for one number too many.
_NOT_IN_TEXT = re.compile(
    r"[\n\r]|[ \t]\Z|[ \t][+-]?(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?\Z"
)
_NOT_IN_BINARY = re.compile(r"[\n\r ]")


def write_space(
    space: Space,
    path: Path,
    *,
    provenance: PlainMapping | None = None,
    progress: Progress = silent,
) -> None:
    """Write a space in the format that the name of the file asks for, atomically.

    Parameters
    ----------
    space
        What to write.
    path
        ``.txt`` or ``.vec`` for word2vec text, ``.bin`` for word2vec binary, ``.npz``,
        ``.safetensors``; then ``.gz``, ``.xz`` or ``.zst`` to compress.
    provenance
        What the space was made from, in plain data. Like counts and context vectors it is kept by
        safetensors alone (:func:`keeps_all`).
    """
    ending, packing = _endings(path)
    if ending not in _WRITERS:
        raise InputError(
            f"{path}: expected a name that ends in one of {', '.join(_WRITERS)} "
            f"(then .gz, .xz or .zst to compress)",
            hint="the ending of the output file chooses the format",
        )
    if path.is_dir():
        raise InputError(f"{path}: expected the name of a file to write, got a folder")
    for row, (_, message) in complain_of_words(space.vocabulary.words).items():
        raise InputError(f"{path}: {space.vocabulary[row][:40]!r} cannot be written: {message}")
    with atomic_writer(path) as raw, _compressed(raw, packing) as stream:
        if keeps_all(path):
            _write_safetensors(space, stream, progress, provenance)
        else:
            _WRITERS[ending](space, stream, progress)


def keeps_all(path: Path) -> bool:
    """Tell whether the format that a file's name asks for keeps counts, contexts and provenance.

    >>> keeps_all(Path("vectors.safetensors.zst")), keeps_all(Path("vectors.txt"))
    (True, False)
    """
    return _endings(path)[0] == ".safetensors"


def _endings(path: Path) -> tuple[str, str]:
    """Return the endings of a name that stand for the format and for the compression."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    packing = suffixes.pop() if suffixes and suffixes[-1] in {".gz", ".xz", ".zst"} else ""
    return suffixes[-1] if suffixes else "", packing


@contextlib.contextmanager
def _compressed(raw: IO[bytes], packing: str) -> Iterator[IO[bytes]]:
    match packing:
        case ".gz":
            # No name and no time inside, so that the same space gives the same bytes.
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


def _write_text(space: Space, stream: IO[bytes], progress: Progress) -> None:
    stream.write(f"{len(space)} {space.dim}\n".encode())
    for words, vectors in _blocks(space, progress):
        _refuse(words, _NOT_IN_TEXT, "a line break, a blank at its end, or a blank and a decimal")
        # The text of a float32 is the shortest that reads back to the same bits.
        lines = (
            f"{word} {' '.join(numbers)}\n"
            for word, numbers in zip(words, vectors.astype(str).tolist(), strict=True)
        )
        stream.write("".join(lines).encode())


def _write_binary(space: Space, stream: IO[bytes], progress: Progress) -> None:
    stream.write(f"{len(space)} {space.dim}\n".encode())
    for words, vectors in _blocks(space, progress):
        _refuse(words, _NOT_IN_BINARY, "a space or a line break")
        for word, row in zip(words, vectors.astype("<f4"), strict=True):
            stream.write(word.encode() + b" " + row.tobytes() + b"\n")


def _refuse(words: list[str], trouble: re.Pattern[str], what: str) -> None:
    """Refuse words that would not read back as they are."""
    for word in words:
        if trouble.search(word):
            raise InputError(
                f"this format of word2vec cannot hold a word with {what}, got {word[:40]!r}",
                hint="write npz or safetensors, or join the parts of words with '_'",
            )


def _write_npz(space: Space, stream: IO[bytes], progress: Progress) -> None:
    words = space.vocabulary.words
    # A zip archive is written with steps back, which compressed streams do not allow.
    with tempfile.TemporaryFile() as file:
        np.savez(file, vectors=space.vectors, words=words.letters, offsets=words.offsets)
        file.seek(0)
        shutil.copyfileobj(file, stream)
    progress("writing", len(space), len(space))


def _write_safetensors(
    space: Space,
    stream: IO[bytes],
    progress: Progress,
    provenance: PlainMapping | None = None,
) -> None:
    """Write the tensors piece by piece, which the library does only with copies in memory."""
    words = space.vocabulary.words
    # Wide numbers first, so that each tensor begins at a multiple of its numbers' width.
    tensors: dict[str, tuple[str, NDArray[Any] | None]] = {
        "counts": ("F64", space.counts),
        "offsets": ("I64", words.offsets),
        "contexts": ("F32", space.contexts),
        "vectors": ("F32", space.vectors),
        "words": ("U8", words.letters),
    }
    about = {"format": "lydite-space"}
    if provenance is not None:
        about["provenance"] = json.dumps(provenance, ensure_ascii=False, sort_keys=True)
    header: dict[str, Any] = {"__metadata__": about}
    there = {name: (kind, array) for name, (kind, array) in tensors.items() if array is not None}
    at = 0
    for name, (kind, array) in there.items():
        ends = [at, at := at + array.nbytes]
        header[name] = {"dtype": kind, "shape": list(array.shape), "data_offsets": ends}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    stream.write(len(text).to_bytes(8, "little") + text)
    for name, (_, array) in there.items():
        for start in range(0, len(array), _ROWS):
            stream.write(np.ascontiguousarray(array[start : start + _ROWS]).data)
            if name == "vectors":
                progress("writing", min(start + _ROWS, len(array)), len(array))


def _blocks(space: Space, progress: Progress) -> Iterator[tuple[list[str], Vectors]]:
    for start in range(0, len(space), _ROWS):
        stop = min(start + _ROWS, len(space))
        yield space.vocabulary[start:stop], np.asarray(space.vectors[start:stop])
        progress("writing", stop, len(space))


_WRITERS: dict[str, Callable[[Space, IO[bytes], Progress], None]] = {
    ".txt": _write_text,
    ".vec": _write_text,
    ".bin": _write_binary,
    ".npz": _write_npz,
    ".safetensors": _write_safetensors,
}
