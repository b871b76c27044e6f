"""Matrices of NumPy with a vocabulary: .npy beside a word list, .npz.

Neither has a fixed place for the words. They are looked for in the file that the user names, in
the file itself (``words``, with ``offsets`` if it holds bytes), and in a neighbour that carries
the same name (``vectors.vocab`` or the like beside ``vectors.npy``), in this order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lydite.errors import FormatError
from lydite.spaces.formats.reading import Chunk, Reading, numbered_chunk
from lydite.spaces.formats.word_lists import read_words, words_beside
from lydite.spaces.vocabulary import PackedWords, pack, pack_bytes

_ROWS = 1 << 14
_VECTOR_NAMES = ("vectors", "embeddings")


def read_npy(file: Path, reading: Reading, vocabulary: Path | None) -> Iterator[Chunk]:
    """Read a matrix (n, d) whose words stand in another file.

    Parameters
    ----------
    file
        The plain file; another than ``reading.path`` if that one is compressed.
    reading
        Options and counts.
    vocabulary
        The word list, if the user names it.
    """
    try:
        matrix = np.load(file, mmap_mode="r", allow_pickle=False)
    except Exception as error:  # whatever Python's tokenizer thinks of a damaged header
        raise FormatError(
            f"expected a matrix of numbers, got: {error}",
            path=reading.path,
            hint="Lydite never loads pickled arrays; save it again as float32",
        ) from error
    words = words_beside(reading.path) if vocabulary is None else read_words(vocabulary)
    return matrix_chunks(matrix, words, reading)


def read_npz(file: Path, reading: Reading, vocabulary: Path | None) -> Iterator[Chunk]:
    """Read an archive of arrays: one matrix of numbers and, if it is there, one list of words."""
    path = reading.path
    try:
        with file.open("rb") as stream, np.load(stream, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
    except Exception as error:  # of zip, of deflate, and of the headers of all members
        raise FormatError(
            f"expected arrays of numbers and of plain strings, got: {error}",
            path=path,
            hint="Lydite never loads pickled arrays; save the words as np.array(words, dtype=str)",
        ) from error
    shapes = {
        name: (array.shape, np.issubdtype(array.dtype, np.floating))
        for name, array in arrays.items()
    }
    matrix = arrays[choose_matrix(path, shapes)]
    return matrix_chunks(matrix, find_words(path, arrays, vocabulary), reading)


def choose_matrix(path: Path, shapes: Mapping[str, tuple[tuple[int, ...], bool]]) -> str:
    """Return the name of the matrix of vectors among arrays with shapes, floating or not."""
    matrices = [name for name, (shape, floating) in shapes.items() if len(shape) == 2 and floating]
    named = [name for name in _VECTOR_NAMES if name in matrices]
    if named or len(matrices) == 1:
        return (named or matrices)[0]
    shown = ", ".join(f"{name} {tuple(shape)}" for name, (shape, _) in shapes.items()) or "nothing"
    raise FormatError(
        f"expected one matrix of numbers, or one called 'vectors' or 'embeddings', got {shown}",
        path=path,
        hint="save the matrix under the name 'vectors'",
    )


def find_words(
    path: Path, arrays: Mapping[str, NDArray[np.generic]], vocabulary: Path | None
) -> PackedWords:
    """Return the words that belong to a matrix, from the list named, the arrays or a neighbour."""
    if vocabulary is not None:
        return read_words(vocabulary)
    if "words" in arrays and "offsets" in arrays:
        return _packed_words(path, arrays["words"], arrays["offsets"])
    lists = [array for array in arrays.values() if array.ndim == 1 and array.dtype.kind in "US"]
    if len(lists) != 1:
        return words_beside(path)
    return (pack if lists[0].dtype.kind == "U" else pack_bytes)(lists[0].tolist())


def _packed_words(
    path: Path, letters: NDArray[np.generic], offsets: NDArray[np.generic]
) -> PackedWords:
    whole = letters.dtype == np.uint8 and np.issubdtype(offsets.dtype, np.integer)
    if whole and letters.ndim == offsets.ndim == 1 and len(offsets):
        words = PackedWords(letters=letters.astype(np.uint8), offsets=offsets.astype(np.int64))
        ends = words.offsets
        if ends[0] == 0 and ends[-1] == len(letters) and (np.diff(ends) >= 0).all():
            return words
    raise FormatError(
        "expected bytes in 'words' and 'offsets' that rise from 0 to their number, "
        f"got {letters.dtype} {letters.shape} and {offsets.dtype} {offsets.shape}",
        path=path,
        hint="the words of row i are the bytes offsets[i] to offsets[i + 1], in UTF-8",
    )


def matrix_chunks(
    matrix: NDArray[np.generic],
    words: PackedWords,
    reading: Reading,
    beside: Mapping[str, NDArray[np.generic]] | None = None,
) -> Iterator[Chunk]:
    """Cut a matrix, its words and other arrays of as many rows into chunks."""
    number = np.issubdtype(matrix.dtype, np.floating) or np.issubdtype(matrix.dtype, np.integer)
    if matrix.ndim != 2 or not matrix.shape[1] or not number:
        raise FormatError(
            f"expected a matrix of numbers, a row a word, got shape {matrix.shape} "
            f"of {matrix.dtype}",
            path=reading.path,
            hint="save it as float32 with the shape (words, dimensions)",
        )
    if len(matrix) != len(words):
        raise FormatError(
            f"expected a word a row, got {len(words)} words for {len(matrix)} rows",
            path=reading.path,
            hint="the word list belongs to another matrix, or has a header line",
        )
    for start in range(0, len(matrix), _ROWS):
        stop = min(start + _ROWS, len(matrix))
        with np.errstate(over="ignore"):
            vectors = np.ascontiguousarray(matrix[start:stop], dtype=np.float32)
        reading.progress(f"reading {reading.path.name}", stop, len(matrix))
        yield numbered_chunk(
            words.take(np.arange(start, stop)),
            vectors,
            first_row=start,
            beside={name: rows[start:stop] for name, rows in (beside or {}).items()},
        )
