"""Matrices with a vocabulary: .npy beside a word list, .npz, safetensors.

None of these has a fixed place for the words. They are looked for, in this order, in the file
itself (``words``), in the file that the user names, and in a neighbour that carries the same name
(``vectors.vocab`` or the like beside ``vectors.npy``).
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lydite.errors import FormatError
from lydite.spaces.formats.compression import open_decompressed
from lydite.spaces.formats.reading import Chunk, Reading
from lydite.spaces.vocabulary import PackedWords, pack

_ROWS = 1 << 14
_NEIGHBOURS = (".vocab", ".vocab.txt", ".words", ".words.txt", ".words.vocab", ".txt", ".parquet")
_COMPRESSED = {".gz", ".xz", ".zst"}
_SHARED_NEIGHBOURS = ("vocab.txt", "words.txt", "vocabulary.txt", "tokenizer.json", "vocab.json")


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
    path = reading.path
    try:
        matrix = np.load(file, mmap_mode="r", allow_pickle=False)
    except ValueError as error:
        raise FormatError(
            f"expected a matrix of numbers, got: {error}",
            path=path,
            hint="Lydite never loads pickled arrays; save it again as float32",
        ) from error
    return _chunks(matrix, _words_beside(path, vocabulary), reading)


def read_npz(file: Path, reading: Reading, vocabulary: Path | None) -> Iterator[Chunk]:
    """Read an archive of arrays: one matrix of numbers and, if it is there, one list of words."""
    path = reading.path
    try:
        with np.load(file, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
    except (ValueError, zipfile.BadZipFile) as error:
        raise FormatError(
            f"expected arrays of numbers and of plain strings, got: {error}",
            path=path,
            hint="Lydite never loads pickled arrays; save the words as np.array(words, dtype=str)",
        ) from error
    matrix = _only_matrix(path, arrays)
    words = _words_inside(path, arrays)
    return _chunks(matrix, words or _words_beside(path, vocabulary), reading)


def read_safetensors(file: Path, reading: Reading, vocabulary: Path | None) -> Iterator[Chunk]:
    """Read a safetensors file: its matrix, and its words from the tensors ``words``/``offsets``."""
    import safetensors

    path = reading.path
    try:
        with safetensors.safe_open(file, framework="np") as tensors:
            arrays = {name: np.asarray(tensors.get_tensor(name)) for name in tensors.keys()}  # noqa: SIM118
    except safetensors.SafetensorError as error:
        raise FormatError(
            f"expected a safetensors file, got: {error}",
            path=path,
            hint="the file may be cut off; fetch or save it again",
        ) from error
    matrix = _only_matrix(path, arrays)
    words = _words_inside(path, arrays)
    return _chunks(matrix, words or _words_beside(path, vocabulary), reading)


def _only_matrix(path: Path, arrays: dict[str, NDArray[np.generic]]) -> NDArray[np.generic]:
    matrices = {
        name: array
        for name, array in arrays.items()
        if array.ndim == 2 and np.issubdtype(array.dtype, np.floating)
    }
    preferred = [name for name in ("vectors", "embeddings") if name in matrices]
    if preferred or len(matrices) == 1:
        return matrices[preferred[0] if preferred else next(iter(matrices))]
    shown = ", ".join(f"{name} {array.shape}" for name, array in arrays.items()) or "nothing"
    raise FormatError(
        f"expected one matrix of numbers, or one called 'vectors' or 'embeddings', got {shown}",
        path=path,
        hint="save the matrix under the name 'vectors'",
    )


def _words_inside(path: Path, arrays: dict[str, NDArray[np.generic]]) -> PackedWords | None:
    if "words" in arrays and "offsets" in arrays:
        words = PackedWords(
            letters=arrays["words"].astype(np.uint8, copy=False),
            offsets=arrays["offsets"].astype(np.int64, copy=False),
        )
        ends = words.offsets
        if (
            len(ends)
            and ends[0] == 0
            and ends[-1] == len(words.letters)
            and (np.diff(ends) >= 0).all()
        ):
            return words
        raise FormatError(
            "expected 'offsets' to rise from 0 to the number of bytes in 'words'", path=path
        )
    lists = [a for a in arrays.values() if a.ndim == 1 and a.dtype.kind == "U"]
    return pack(lists[0].tolist()) if len(lists) == 1 else None


def _words_beside(path: Path, vocabulary: Path | None) -> PackedWords:
    if vocabulary is not None:
        return read_words(vocabulary)
    for neighbour in vocabulary_candidates(path):
        if neighbour.is_file() and neighbour != path:
            return read_words(neighbour)
    raise FormatError(
        "expected a word list inside the file or beside it, got none",
        path=path,
        hint=f"put one word a line into {path.with_suffix('.vocab').name} beside it, "
        f"or name the list: vectors({path.name}, vocabulary=words.txt)",
    )


def vocabulary_candidates(path: Path) -> list[Path]:
    """Return the places where the words of a matrix without words are looked for."""
    plain = path.with_suffix("") if path.suffix in _COMPRESSED else path
    return [plain.with_suffix(suffix) for suffix in _NEIGHBOURS] + [
        path.with_name(name) for name in _SHARED_NEIGHBOURS
    ]


def read_words(path: Path) -> PackedWords:
    """Read a word list: one a line (what follows a tab is passed over), JSON, or Parquet."""
    if path.suffix == ".parquet":
        import polars

        return pack(polars.read_parquet(path).to_series(0).to_list())
    with open_decompressed(path) as stream:
        content = stream.read()
    if path.suffix == ".json":
        return pack(_words_of_json(path, content))
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise FormatError(
            "expected words in UTF-8, got other bytes", path=path, line=line
        ) from error
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    return pack(line.rstrip("\r").split("\t", 1)[0] for line in lines)


def _words_of_json(path: Path, content: bytes) -> list[str]:
    """Read a JSON list, a mapping word to row, or a tokenizer.json with its vocabulary."""
    data = json.loads(content)
    if isinstance(data, dict) and isinstance(data.get("model"), dict):
        data = data["model"].get("vocab", {})
    if isinstance(data, dict):
        data = sorted(data, key=data.__getitem__)
    if isinstance(data, list) and all(isinstance(word, str) for word in data):
        return data
    raise FormatError(
        "expected a JSON list of words or a mapping of words to rows, got something else", path=path
    )


def _chunks(matrix: NDArray[np.generic], words: PackedWords, reading: Reading) -> Iterator[Chunk]:
    if matrix.ndim != 2 or not np.issubdtype(matrix.dtype, np.number):
        raise FormatError(
            f"expected a matrix of numbers, got shape {matrix.shape} of {matrix.dtype}",
            path=reading.path,
        )
    if len(matrix) != len(words):
        raise FormatError(
            f"expected a word a row, got {len(words)} words for {len(matrix)} rows",
            path=reading.path,
            hint="the word list belongs to another matrix, or has a header line",
        )
    total = len(matrix) if reading.limit is None else min(len(matrix), reading.limit)
    for start in range(0, total, _ROWS):
        stop = min(start + _ROWS, total)
        vectors = np.ascontiguousarray(matrix[start:stop], dtype=np.float32)
        chunk = Chunk(words=words.take(np.arange(start, stop)), vectors=vectors)
        reading.progress(f"reading {reading.path.name}", stop, total)
        yield reading.keep_finite(chunk, first_row=start)
