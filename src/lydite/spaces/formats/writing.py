"""Write a space: word2vec text and binary, npz, safetensors; compressed if the name says so."""

from __future__ import annotations

import contextlib
import gzip
import io
import lzma
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, cast

import numpy as np

from lydite.errors import InputError
from lydite.spaces.space import Space
from lydite.storage import atomic_writer
from lydite.types import Progress, silent

_ROWS = 1 << 13


def write_space(space: Space, path: Path, *, progress: Progress = silent) -> None:
    """Write a space in the format that the name of the file asks for, atomically.

    Parameters
    ----------
    space
        What to write.
    path
        ``.txt`` or ``.vec`` for word2vec text, ``.bin`` for word2vec binary, ``.npz``,
        ``.safetensors``; then ``.gz``, ``.xz`` or ``.zst`` to compress.
    """
    suffixes = [suffix.lower() for suffix in path.suffixes]
    packing = suffixes.pop() if suffixes and suffixes[-1] in {".gz", ".xz", ".zst"} else ""
    writer = _WRITERS.get(suffixes[-1] if suffixes else "")
    if writer is None:
        raise InputError(
            f"{path}: expected a name that ends in one of {', '.join(_WRITERS)} "
            f"(then .gz, .xz or .zst to compress)",
            hint="the ending of the output file chooses the format",
        )
    with atomic_writer(path) as raw, _compressed(raw, packing) as stream:
        writer(space, stream, progress)


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
        # repr of a float32 is the shortest text that reads back to the same bits.
        lines = (
            f"{_one_line(word)} {' '.join(map(str, vector))}\n"
            for word, vector in zip(words, vectors.astype(str).tolist(), strict=True)
        )
        stream.write("".join(lines).encode())


def _write_binary(space: Space, stream: IO[bytes], progress: Progress) -> None:
    stream.write(f"{len(space)} {space.dim}\n".encode())
    for words, vectors in _blocks(space, progress):
        rows = vectors.astype("<f4")
        for word, row in zip(words, rows, strict=True):
            if " " in word:
                raise InputError(
                    f"word2vec's binary format cannot hold a word with a space, got {word!r}",
                    hint="write text, npz or safetensors, or join the words with '_'",
                )
            stream.write(_one_line(word).encode() + b" " + row.tobytes() + b"\n")


def _one_line(word: str) -> str:
    if not word or "\n" in word or "\r" in word:
        raise InputError(
            f"word2vec's formats cannot hold an empty word or one with a line break, got {word!r}",
            hint="write npz or safetensors instead",
        )
    return word


def _write_npz(space: Space, stream: IO[bytes], progress: Progress) -> None:
    buffer = io.BytesIO()
    np.savez(
        buffer,
        vectors=space.vectors,
        words=np.asarray(space.vocabulary.words.letters),
        offsets=np.asarray(space.vocabulary.words.offsets),
    )
    stream.write(buffer.getbuffer())
    progress("writing", len(space), len(space))


def _write_safetensors(space: Space, stream: IO[bytes], progress: Progress) -> None:
    from safetensors.numpy import save

    words = space.vocabulary.words
    stream.write(
        save(
            {
                "vectors": np.ascontiguousarray(space.vectors),
                "words": np.ascontiguousarray(words.letters),
                "offsets": np.ascontiguousarray(words.offsets),
            },
            metadata={"format": "lydite-space"},
        )
    )
    progress("writing", len(space), len(space))


def _blocks(
    space: Space, progress: Progress
) -> Iterator[tuple[list[str], np.ndarray[tuple[int, int], np.dtype[np.float32]]]]:
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
