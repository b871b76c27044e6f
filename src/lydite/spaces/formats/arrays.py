"""NumPy's matrices, .npy and .npz, and the word lists that go with them.

Neither has a fixed place for the words. They are looked for in the file that the user names, in
the file itself (``words``, with ``offsets`` if it holds bytes), and in a neighbour of the same name
(``vectors.vocab`` or the like beside ``vectors.npy``), in this order. A word list is one word per
line, word2vec's ``word count`` lines, JSON (a list, a mapping to rows, a tokenizer.json) or
Parquet.
"""

from __future__ import annotations

import contextlib
import math
import re
import shutil
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from lydite.errors import FormatError, LyditeError, is_panic
from lydite.files.bounds import check_ratio, check_size, read_whole, require_file
from lydite.files.compression import (
    COMPRESSIONS,
    DECOMPRESSION_ERRORS,
    damaged,
    decompressed_file,
    open_decompressed,
)
from lydite.files.plain import parse_json
from lydite.progress import Progress
from lydite.spaces.formats.format import Format
from lydite.spaces.formats.rows import Chunk, Reading, numbered_chunk
from lydite.spaces.formats.text import sniff_shape
from lydite.spaces.space import Space
from lydite.spaces.vocabulary import PackedWords, pack, pack_bytes
from lydite.types import PlainMapping

_NEIGHBOURS = (".vocab", ".vocab.txt", ".words", ".words.txt", ".txt", ".parquet")
_SHARED_NEIGHBOURS = ("vocab.txt", "words.txt", "vocabulary.txt", "tokenizer.json", "vocab.json")
_BOM = b"\xef\xbb\xbf"
_WORD_AND_COUNT = re.compile(rb"(\S+) \d+")


def vocabulary_beside(path: Path) -> Path | None:
    """Return the word list that lies beside a matrix: ``vectors.vocab`` for ``vectors.npy``."""
    plain = path.with_suffix("") if path.suffix in COMPRESSIONS else path
    places = [plain.with_suffix(suffix) for suffix in _NEIGHBOURS]
    places += [path.with_name(name) for name in _SHARED_NEIGHBOURS]
    return next((place for place in places if place != path and place.is_file()), None)


def words_beside(path: Path) -> PackedWords:
    """Read the word list that lies beside a matrix."""
    beside = vocabulary_beside(path)
    if beside is not None:
        return read_words(beside)
    raise FormatError(
        "expected a word list inside the file or beside it, got none",
        path=path,
        hint=f"put one word per line into {path.with_suffix('.vocab').name} beside it, "
        f"or name the list: vectors({path.name}, vocabulary=words.txt)",
    )


def read_words(path: Path) -> PackedWords:
    """Read a word list of any kind; words that are not UTF-8 are left to the caller."""
    require_file(path)
    if path.suffix == ".parquet":
        return _words_of_parquet(path)
    try:
        with open_decompressed(path) as stream:
            content = read_whole(stream, path).removeprefix(_BOM)
    except DECOMPRESSION_ERRORS as error:
        raise damaged(path, error) from error
    if ".json" in path.suffixes:
        return pack(_words_of_json(path, content))
    return _words_of_lines(path, content)


def _words_of_lines(path: Path, content: bytes) -> PackedWords:
    """Read one word per line; what follows a tab, or a count after a blank, is passed over."""
    lines = content.split(b"\n")
    if not lines[-1]:
        lines.pop()
    words = [line.rstrip(b"\r").split(b"\t", 1)[0] for line in lines]
    counted = [_WORD_AND_COUNT.fullmatch(word) for word in words]
    if all(counted):
        return pack_bytes([match[1] for match in counted if match])
    shape = sniff_shape(b"\n".join(words[:100]))
    if shape is not None and shape.dim > 1:
        raise FormatError(
            f"expected a word list, one word per line, got vectors of {shape.dim} numbers",
            path=path,
            hint="name the word list with vocabulary=, or read this file itself",
        )
    return pack_bytes(words)


def _words_of_json(path: Path, content: bytes) -> list[str]:
    """Read a list, a mapping of words to rows, or a tokenizer.json with one of them inside."""
    try:
        data = parse_json(content)
    except ValueError as error:
        raise FormatError(f"expected JSON, got: {error}", path=path) from error
    if isinstance(data, dict) and isinstance(data.get("model"), dict):
        data = data["model"].get("vocab")
    if isinstance(data, list):
        # Unigram tokenizers list pairs of a piece and its score.
        words = [entry[0] if isinstance(entry, list) and entry else entry for entry in data]
    else:
        words = _in_order_of_rows(data)
    if words and all(isinstance(word, str) for word in words):
        return words
    raise FormatError(
        "expected a JSON list of words, or a mapping of words to the rows 0, 1, 2 …, "
        "got something else",
        path=path,
        hint="write one word per line instead",
    )


def _in_order_of_rows(data: Any) -> list[Any]:  # noqa: ANN401 - whatever JSON holds
    if not isinstance(data, dict):
        return []
    words = {row: word for word, row in data.items() if isinstance(row, int)}
    rows = range(len(data))
    return [words[row] for row in rows] if words.keys() == set(rows) else []


def _words_of_parquet(path: Path) -> PackedWords:
    """Read the first column that holds text."""
    import polars

    try:
        table = polars.scan_parquet(path, glob=False)
        schema = table.collect_schema()
        first = next((name for name, kind in schema.items() if kind == polars.String), None)
        if first is not None:
            # One page can stand for any number of rows.
            check_ratio(table.select(polars.len()).collect().item() * 8, path.stat().st_size, path)
            column = table.select(first).collect().to_series(0)
            check_size(int(column.str.len_bytes().sum()), path)
            if not column.null_count():
                return pack(column.to_list())
    except LyditeError:
        raise
    except BaseException as error:
        # The library panics at some damaged files, with an exception that is none.
        if not isinstance(error, Exception) and not is_panic(error):
            raise
        raise FormatError(f"expected a Parquet file, got: {error}", path=path) from error
    shown = ", ".join(f"{name} ({kind})" for name, kind in schema.items()) or "none"
    raise FormatError(f"expected a column of words without gaps, got columns {shown}", path=path)


_ROWS = 1 << 14
_VECTOR_NAMES = ("vectors", "embeddings")


def _read_npy(reading: Reading, _head: bytes, vocabulary: Path | None) -> Iterator[Chunk]:
    """Read a matrix (n, d) whose words stand in another file."""
    with decompressed_file(reading.path) as file:
        try:
            matrix = np.load(file, mmap_mode="r", allow_pickle=False)
            if matrix.size > file.stat().st_size:
                raise ValueError(f"the shape {matrix.shape} in {file.stat().st_size} bytes")
        except Exception as error:  # whatever Python's tokenizer thinks of a damaged header
            raise FormatError(
                f"expected a matrix of numbers, got: {error}",
                path=reading.path,
                hint="Lydite never loads pickled arrays; save it again as float32",
            ) from error
        words = words_beside(reading.path) if vocabulary is None else read_words(vocabulary)
        yield from matrix_chunks(matrix, words, reading)


def _read_npz(reading: Reading, _head: bytes, vocabulary: Path | None) -> Iterator[Chunk]:
    """Read an archive of arrays: one matrix of numbers and, if it is there, one list of words."""
    path = reading.path
    with decompressed_file(path) as file:
        _refuse_other_archives(path, file)
        try:
            _check_sizes(path, file)
            with file.open("rb") as stream, np.load(stream, allow_pickle=False) as archive:
                arrays = {name: archive[name] for name in archive.files}
        except LyditeError:
            raise
        except Exception as error:  # of zip, of deflate, and of the headers of all members
            raise FormatError(
                f"expected arrays of numbers and of plain strings, got: {error}",
                path=path,
                hint="Lydite never loads pickled arrays; "
                "save the words as np.array(words, dtype=str)",
            ) from error
    shapes = {
        name: (array.shape, np.issubdtype(array.dtype, np.floating))
        for name, array in arrays.items()
    }
    matrix = arrays[choose_matrix(path, shapes)]
    yield from matrix_chunks(matrix, find_words(path, arrays, vocabulary), reading)


def _check_sizes(path: Path, file: Path) -> None:
    """Refuse an archive whose members are far larger than it is, or that hold more than they say.

    An array of nothing, such as texts of no letters, can have any number of elements.
    """
    with zipfile.ZipFile(file) as archive:
        sizes = {info.filename: info.file_size for info in archive.infolist()}
        check_ratio(sum(sizes.values()), file.stat().st_size, path)
        check_size(sum(sizes.values()), path)
        for name, size in sizes.items():
            with archive.open(name) as stream:
                if stream.read(6) != b"\x93NUMPY":
                    continue
            with archive.open(name) as stream:
                version = np.lib.format.read_magic(stream)
                read_header = (
                    np.lib.format.read_array_header_1_0
                    if version == (1, 0)
                    else np.lib.format.read_array_header_2_0
                )
                shape, _, _ = read_header(stream)
                if math.prod(shape) > size:
                    raise ValueError(f"{name} of the shape {shape} in {size} bytes")


def _refuse_other_archives(path: Path, file: Path) -> None:
    """Say what a zip archive without arrays holds; ``file`` is it without further compression."""
    names: list[str] = []
    with contextlib.suppress(zipfile.BadZipFile), zipfile.ZipFile(file) as archive:
        names = archive.namelist()
    if any(name.endswith("data.pkl") for name in names):
        raise FormatError(
            "expected word vectors, got a PyTorch file, which contains a pickle",
            path=path,
            hint="save the matrix with safetensors.torch.save_file instead",
        )
    if names and not any(name.endswith(".npy") for name in names):
        raise FormatError(
            f"expected word vectors, got a zip archive of {names[0]!r} and others",
            path=path,
            hint="unpack it and name the vector file inside",
        )


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
            f"expected a matrix of numbers, one row per word, got shape {matrix.shape} "
            f"of {matrix.dtype}",
            path=reading.path,
            hint="save it as float32 with the shape (words, dimensions)",
        )
    if len(matrix) != len(words):
        raise FormatError(
            f"expected a word per row, got {len(words)} words for {len(matrix)} rows",
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


def _write_npz(
    space: Space, stream: IO[bytes], progress: Progress, _provenance: PlainMapping | None
) -> None:
    words = space.vocabulary.words
    # A zip archive is written with steps back, which compressed streams do not allow.
    with tempfile.TemporaryFile() as file:
        np.savez(file, vectors=space.vectors, words=words.letters, offsets=words.offsets)
        file.seek(0)
        shutil.copyfileobj(file, stream)
    progress("writing", len(space), len(space))


NPY = Format(
    name="npy",
    title=".npy",
    suffixes=(".npy",),
    recognizes=lambda head: head.startswith(b"\x93NUMPY"),
    read=_read_npy,
    takes_word_list=True,
)
NPZ = Format(
    name="npz",
    title=".npz",
    suffixes=(".npz",),
    recognizes=lambda head: head.startswith((b"PK\x03\x04", b"PK\x05\x06")),
    read=_read_npz,
    write=_write_npz,
    takes_word_list=True,
)
