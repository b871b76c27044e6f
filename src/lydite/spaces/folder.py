"""A space as a folder of plain arrays, which open by mapping."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from lydite.errors import FormatError
from lydite.spaces.arrays import DamagedFolderError, map_arrays, seal
from lydite.spaces.formats.reading import Chunk, Reading
from lydite.spaces.space import Space
from lydite.spaces.vocabulary import PackedWords, Vocabulary
from lydite.types import Indices

_BLOCK = 1 << 22

_ARRAYS: dict[str, Any] = {
    "vectors": np.float32,
    "letters": np.uint8,
    "offsets": np.int64,
    "hashes": np.uint64,
    "order": np.int32,
}


def write_folder(folder: Path, chunks: Iterable[Chunk], reading: Reading) -> None:
    """Write the chunks of one file into an empty folder; of repeated words the first stays.

    Parameters
    ----------
    folder
        Where the arrays go.
    chunks
        The file's rows, in order.
    reading
        The file, and what was left out of it.
    """
    words: list[PackedWords] = []
    dim = 0
    with (folder / "vectors").open("wb") as file:
        for chunk in chunks:
            file.write(np.ascontiguousarray(chunk.vectors, dtype=np.float32).data)
            words.append(chunk.words)
            dim = chunk.vectors.shape[1]
    if not sum(map(len, words)):
        raise no_words(reading)
    every = Vocabulary.build(PackedWords.join(words))
    vocabulary, kept = every.distinct()
    if len(kept) < len(every):
        reading.problems["repeated word"] += len(every) - len(kept)
        _keep_rows(folder / "vectors", kept, dim)
    vocabulary.words.letters.tofile(folder / "letters")
    vocabulary.words.offsets.tofile(folder / "offsets")
    vocabulary.hashes.tofile(folder / "hashes")
    vocabulary.order.tofile(folder / "order")
    seal(folder, _ARRAYS, problems=reading.problems)


def no_words(reading: Reading) -> FormatError:
    """Build the error for a file without a usable row."""
    left_out = describe_problems(reading.problems)
    return FormatError(
        "expected word vectors, got none" + (f" (left out: {left_out})" if left_out else ""),
        path=reading.path,
        hint="check that this is the file you mean",
    )


def describe_problems(problems: Mapping[str, int]) -> str:
    """List what was left out.

    >>> describe_problems({"repeated word": 2, "ragged": 1})
    '1 ragged, 2 repeated word'
    """
    return ", ".join(f"{count} {kind}" for kind, count in sorted(problems.items()))


def _keep_rows(path: Path, kept: Indices, dim: int) -> None:
    """Rewrite the matrix with only the rows kept, in blocks."""
    whole = np.memmap(path, dtype=np.float32, mode="r").reshape(-1, dim)
    rows = max(1, _BLOCK // (4 * dim))
    shorter = path.with_suffix(".kept")
    with shorter.open("wb") as file:
        for start in range(0, len(kept), rows):
            file.write(whole[kept[start : start + rows]].data)
    shorter.replace(path)


def map_folder(folder: Path) -> Space:
    """Map the arrays of a folder.

    Raises
    ------
    FileNotFoundError
        If there is no such folder.
    DamagedFolderError
        If it is not what was written.
    """
    arrays, facts = map_arrays(folder, _ARRAYS)
    words = PackedWords(letters=arrays["letters"], offsets=arrays["offsets"])
    try:
        return Space(
            vocabulary=Vocabulary(words=words, hashes=arrays["hashes"], order=arrays["order"]),
            vectors=arrays["vectors"].reshape(len(words), -1),
            problems=dict(facts["problems"]),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise DamagedFolderError(f"{type(error).__name__}: {error}") from error
