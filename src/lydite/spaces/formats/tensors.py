"""Matrices in safetensors, with their words in the tensors ``words`` and ``offsets`` or beside."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lydite.errors import FormatError
from lydite.spaces.formats.arrays import choose_matrix, find_words, matrix_chunks
from lydite.spaces.formats.reading import Chunk, Reading

_INTEGERS = {"U8", "I32", "I64"}
_FLOATS = {"F16", "BF16", "F32", "F64"}


def read_safetensors(file: Path, reading: Reading, vocabulary: Path | None) -> Iterator[Chunk]:
    """Read a safetensors file.

    Parameters
    ----------
    file
        The plain file; another than ``reading.path`` if that one is compressed.
    reading
        Options and counts.
    vocabulary
        The word list, if the user names it.
    """
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
            if kinds[chosen] == "BF16":
                matrix = _bfloat16_matrix(file, chosen)
            else:
                matrix = np.asarray(tensors.get_tensor(chosen))
    except safetensors.SafetensorError as error:
        raise FormatError(
            f"expected a safetensors file, got: {error}",
            path=path,
            hint="the file may be cut off; fetch or save it again",
        ) from error
    return matrix_chunks(matrix, find_words(path, arrays, vocabulary), reading)


def _bfloat16_matrix(file: Path, name: str) -> NDArray[np.float32]:
    """Read a tensor of a type that NumPy lacks: bfloat16 is the upper half of a float32."""
    with file.open("rb") as stream:
        size = int.from_bytes(stream.read(8), "little")
        entry = json.loads(stream.read(size))[name]
    upper = np.memmap(
        file,
        dtype="<u2",
        mode="r",
        offset=8 + size + entry["data_offsets"][0],
        shape=tuple(entry["shape"]),
    )
    return (upper.astype(np.uint32) << 16).view(np.float32)
