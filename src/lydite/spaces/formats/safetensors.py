"""Matrices in safetensors, with their words in the tensors ``words`` and ``offsets`` or beside.

Tensors called ``counts`` and ``contexts`` say how often the words occur and which vectors they have
as contexts. What Lydite made the space from stands in the metadata, as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from lydite.errors import FormatError
from lydite.files.compression import DECOMPRESSION_ERRORS, decompressed_file, open_decompressed
from lydite.files.plain import parse_json
from lydite.progress import Progress
from lydite.spaces.formats.arrays import choose_matrix, find_words, matrix_chunks
from lydite.spaces.formats.format import Format
from lydite.spaces.formats.rows import BLOCK_ROWS, Chunk, Reading
from lydite.spaces.space import Space
from lydite.types import Floats, PlainMapping

_INTEGERS = {"U8", "I32", "I64"}
_FLOATS = {"F16", "BF16", "F32", "F64"}
_COUNTS = {"I32", "U32", "I64", "U64", "F32", "F64"}
#: NumPy has no bfloat16, which is the upper half of a float32.
_KINDS = {"F16": "<f2", "BF16": "<u2", "F32": "<f4", "F64": "<f8"} | {
    f"{kind}{bits}": f"<{kind.lower()}{bits // 8}" for kind in "IU" for bits in (32, 64)
}
#: A header is read whole; no space has as many tensors as would fill this.
_LONGEST_HEADER = 1 << 24


def _read(reading: Reading, _head: bytes, vocabulary: Path | None) -> Iterator[Chunk]:
    with decompressed_file(reading.path) as file:
        yield from _file_chunks(file, reading, vocabulary)


def _file_chunks(file: Path, reading: Reading, vocabulary: Path | None) -> Iterator[Chunk]:
    """Read a plain file; another than ``reading.path`` if that one is compressed."""
    import safetensors

    path = reading.path
    try:
        with safetensors.safe_open(file, framework="np") as tensors:
            slices = {name: tensors.get_slice(name) for name in tensors.keys()}  # noqa: SIM118
            kinds = {name: part.get_dtype() for name, part in slices.items()}
            shapes = {
                name: (tuple(part.get_shape()), kinds[name] in _FLOATS)
                for name, part in slices.items()
            }
            chosen = choose_matrix(path, shapes)
            arrays = {
                name: np.asarray(tensors.get_tensor(name))
                for name in ("words", "offsets")
                if kinds.get(name) in _INTEGERS
            }
            whole = {
                name: _mapped(file, name, kinds[name])
                for name in _beside(path, chosen, shapes, kinds)
            }
    except safetensors.SafetensorError as error:
        raise FormatError(
            f"expected a safetensors file, got: {error}",
            path=path,
            hint="the file may be cut off; fetch or save it again",
        ) from error
    matrix = whole.pop(chosen)
    if "counts" in whole:
        whole["counts"] = _checked_counts(path, whole["counts"])
    if "contexts" in whole:
        with np.errstate(over="ignore"):
            whole["contexts"] = whole["contexts"].astype(np.float32, copy=False)
    return matrix_chunks(matrix, find_words(path, arrays, vocabulary), reading, whole)


def read_provenance(path: Path) -> PlainMapping | None:
    """Return what a space was made from, if its file says so.

    The file may be of any format and compressed; only safetensors written by Lydite say it.
    """
    try:
        with open_decompressed(path) as stream:
            size = int.from_bytes(stream.read(8), "little")
            header = parse_json(stream.read(size)) if size <= _LONGEST_HEADER else {}
        provenance = parse_json(header["__metadata__"]["provenance"])
    except (*DECOMPRESSION_ERRORS, OSError, ValueError, KeyError, TypeError):
        return None
    return provenance if isinstance(provenance, dict) else None


def _beside(
    path: Path,
    chosen: str,
    shapes: Mapping[str, tuple[tuple[int, ...], bool]],
    kinds: Mapping[str, str],
) -> list[str]:
    """Return the tensors to read: the matrix, and what belongs to its words."""
    shape = shapes[chosen][0]
    names = [chosen]
    for name, expected, allowed in (
        ("counts", shape[:1], _COUNTS),
        ("contexts", shape, _FLOATS),
    ):
        if name not in shapes or name == chosen:
            continue
        got = shapes[name][0]
        if got != expected or kinds[name] not in allowed:
            raise FormatError(
                f"expected numbers of the shape {expected} in {name!r}, beside {chosen!r} of the "
                f"shape {shape}, got {kinds[name]} {got}",
                path=path,
                hint=f"give the tensor another name than {name!r} if it is something else",
            )
        names.append(name)
    return names


def _checked_counts(path: Path, counts: NDArray[np.generic]) -> Floats:
    numbers = counts.astype(np.float64)
    if (numbers < 0).any():
        raise FormatError(
            f"expected counts from 0, got {numbers.min():g}",
            path=path,
            hint="'counts' says how often each word occurs",
        )
    return numbers


def _mapped(file: Path, name: str, kind: str) -> NDArray[Any]:
    """Map a tensor, which may be larger than memory; the library would load it."""
    with file.open("rb") as stream:
        size = int.from_bytes(stream.read(8), "little")
        entry = parse_json(stream.read(size))[name]
    shape = tuple(entry["shape"])
    if 0 in shape:
        # Nothing cannot be mapped.
        return np.empty(shape, dtype=np.float32)
    start = 8 + size + entry["data_offsets"][0]
    tensor = np.memmap(file, dtype=_KINDS[kind], mode="r", offset=start, shape=shape)
    if kind == "BF16":
        return (tensor.astype(np.uint32) << 16).view(np.float32)
    return tensor.view(np.ndarray)


def _write(
    space: Space, stream: IO[bytes], progress: Progress, provenance: PlainMapping | None
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
        for start in range(0, len(array), BLOCK_ROWS):
            stream.write(np.ascontiguousarray(array[start : start + BLOCK_ROWS]).data)
            if name == "vectors":
                progress("writing", min(start + BLOCK_ROWS, len(array)), len(array))


SAFETENSORS = Format(
    name="safetensors",
    title="safetensors",
    suffixes=(".safetensors",),
    recognizes=lambda head: head[8:9] == b"{" and int.from_bytes(head[:8], "little") < 100_000_000,
    read=_read,
    write=_write,
    takes_word_list=True,
    keeps_all=True,
)
