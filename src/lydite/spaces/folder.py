"""A space as a folder of plain arrays, which open by mapping."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import IO, Any

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
#: What a file may hold beside words and vectors.
_BESIDE: dict[str, Any] = {"counts": np.float64, "contexts": np.float32}


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
    shapes: dict[str, tuple[int, ...]] = {}
    with contextlib.ExitStack() as stack:
        files: dict[str, IO[bytes]] = {}
        for chunk in chunks:
            words.append(chunk.words)
            for name, rows in chunk.columns().items():
                if name not in files:
                    files[name] = stack.enter_context((folder / name).open("wb"))
                files[name].write(np.ascontiguousarray(rows, dtype=_kind(name)).data)
                shapes[name] = rows.shape[1:]
    if not sum(map(len, words)):
        raise no_words(reading)
    every = Vocabulary.build(PackedWords.join(words))
    vocabulary, kept = every.distinct()
    if len(kept) < len(every):
        reading.problems["repeated word"] += len(every) - len(kept)
        for name, shape in shapes.items():
            _keep_rows(folder / name, kept, shape)
    vocabulary.words.letters.tofile(folder / "letters")
    vocabulary.words.offsets.tofile(folder / "offsets")
    vocabulary.hashes.tofile(folder / "hashes")
    vocabulary.order.tofile(folder / "order")
    seal(folder, {**_ARRAYS, **shapes}, problems=reading.problems)


def _kind(name: str) -> Any:  # noqa: ANN401 - a type of NumPy
    return _BESIDE[name] if name in _BESIDE else _ARRAYS[name]


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


def _keep_rows(path: Path, kept: Indices, shape: tuple[int, ...]) -> None:
    """Rewrite an array with only the rows kept, in blocks; each row has the given shape."""
    whole = np.memmap(path, dtype=_kind(path.name), mode="r").reshape(-1, *shape)
    rows = max(1, _BLOCK // whole[0].nbytes)
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
    arrays, facts = map_arrays(folder, _ARRAYS, _BESIDE)
    words = PackedWords(letters=arrays["letters"], offsets=arrays["offsets"])
    try:
        vectors = arrays["vectors"].reshape(len(words), -1)
        counts, contexts = arrays.get("counts"), arrays.get("contexts")
        return Space(
            vocabulary=Vocabulary(words=words, hashes=arrays["hashes"], order=arrays["order"]),
            vectors=vectors,
            problems=dict(facts["problems"]),
            counts=None if counts is None else counts.reshape(len(words)),
            contexts=None if contexts is None else contexts.reshape(vectors.shape),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise DamagedFolderError(f"{type(error).__name__}: {error}") from error
