"""Spaces on disk in the form in which they are used: mapped, not parsed.

The first read of a vector file writes a folder of plain arrays; later opens map it. The folder is
named by the sha256 of the file's content, so that a file which changes is read anew and copies
share one cache. A small note remembers the content of a path by its size and time of change, and
spares hashing it again.

Two processes may build the same folder at once: each builds its own under a temporary name, and
the first rename wins. Each array's size, time of change and CRC are kept; if size or time differ
from what was written, the CRCs decide, and a damaged folder is thrown away and built again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import shutil
import tempfile
import time
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np

from lydite.errors import FormatError
from lydite.spaces.formats.detect import read_chunks
from lydite.spaces.formats.reading import Chunk, Reading
from lydite.spaces.space import Space
from lydite.spaces.vocabulary import PackedWords, Vocabulary, bounds
from lydite.storage import atomic_write_text, cache_dir, sha256_file, sha256_text

logger = logging.getLogger(__name__)

_LAYOUT = 1
_META = "meta.json"
_BLOCK = 1 << 22
#: A file changed this shortly before it was noted may change again within the clock's grain.
_RACY_NS = 2_000_000_000

_ARRAYS: dict[str, Any] = {
    "vectors": np.float32,
    "letters": np.uint8,
    "offsets": np.int64,
    "hashes": np.uint64,
    "order": np.int32,
}


def open_space(reading: Reading, vocabulary: Path | None = None) -> Space:
    """Open a vector file through the cache.

    Parameters
    ----------
    reading
        The file and how to read it. With a limit nothing is cached unless the whole file is
        already, because reading stops early.
    vocabulary
        The word list, for matrices that have none inside.

    Returns
    -------
    The space; its ``problems`` count what was left out, also on later opens.
    """
    limit, reading.limit = reading.limit, None
    key = _known_key(reading, vocabulary)
    space = _open_folder(_folder(key)) if key else None
    if space is None and limit is not None:
        reading.limit = limit
        return _read_head(reading, vocabulary)
    if space is None:
        key = _key(reading, vocabulary)
        space = _open_folder(_folder(key)) or _build(reading, vocabulary, key)
        _note(reading.path, vocabulary, key)
    return space if limit is None else space.head(limit)


def _key(reading: Reading, vocabulary: Path | None) -> str:
    content = sha256_file(reading.path)
    if vocabulary is not None:
        content = sha256_text(content + sha256_file(vocabulary))
    return content + ("-lenient" if reading.lenient else "")


def _folder(key: str) -> Path:
    return cache_dir("spaces", f"v{_LAYOUT}") / key


def _note_path(path: Path, vocabulary: Path | None) -> Path:
    return cache_dir("spaces", "notes") / f"{sha256_text(f'{path.resolve()}|{vocabulary}')}.json"


def _stamp(path: Path) -> list[int]:
    stat = path.stat()
    return [stat.st_size, stat.st_mtime_ns, stat.st_ino]


def _note(path: Path, vocabulary: Path | None, key: str) -> None:
    """Remember the content key of a path, unless it changed too lately to be told by its stamp."""
    stamps = [_stamp(file) for file in (path, vocabulary) if file is not None]
    if any(time.time_ns() - mtime < _RACY_NS for _, mtime, _ in stamps):
        return
    content = key.removesuffix("-lenient")
    atomic_write_text(
        _note_path(path, vocabulary), json.dumps({"stamps": stamps, "content": content})
    )


def _known_key(reading: Reading, vocabulary: Path | None) -> str | None:
    try:
        note = json.loads(_note_path(reading.path, vocabulary).read_text())
        stamps = [_stamp(file) for file in (reading.path, vocabulary) if file is not None]
        if note["stamps"] == stamps:
            return str(note["content"]) + ("-lenient" if reading.lenient else "")
    except (OSError, ValueError, KeyError, TypeError):
        pass
    return None


def _read_head(reading: Reading, vocabulary: Path | None) -> Space:
    """Read the first words into memory."""
    chunks = list(read_chunks(reading, vocabulary))
    if not chunks:
        raise FormatError("expected word vectors, got none", path=reading.path)
    lengths = np.concatenate([np.diff(chunk.words.offsets) for chunk in chunks])
    letters = np.concatenate([chunk.words.letters for chunk in chunks])
    vectors = np.concatenate([chunk.vectors for chunk in chunks])
    words = Vocabulary.build(PackedWords(letters=letters, offsets=bounds(lengths)))
    repeats = words.repeats()
    if len(repeats):
        reading.problems["repeated word"] += len(repeats)
        kept = np.setdiff1d(np.arange(len(words)), repeats)
        words, vectors = Vocabulary.build(words.words.take(kept)), vectors[kept]
    warn_problems(reading)
    digest = hashlib.sha256(vectors.tobytes() + words.words.letters.tobytes()).hexdigest()
    return Space(
        vocabulary=words,
        vectors=vectors,
        spec=str(reading.path),
        fingerprint=digest,
        problems=dict(reading.problems),
    )


def _build(reading: Reading, vocabulary: Path | None, key: str) -> Space:
    """Read the whole file into a new folder of the cache."""
    target = _folder(key)
    work = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{key[:16]}."))
    try:
        _write_arrays(work, reading, vocabulary)
        _write_meta(work, reading)
        with contextlib.suppress(OSError):
            # Fails when another process was first; its folder is as good as this one.
            work.rename(target)
        space = _open_folder(target)
        if space is None:
            raise FormatError("the cache could not be read back", path=target)
        warn_problems(reading)
        return space
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _write_arrays(work: Path, reading: Reading, vocabulary: Path | None) -> None:
    letters: list[bytes] = []
    lengths: list[np.ndarray[tuple[int], np.dtype[np.int64]]] = []
    dim: int | None = None
    with (work / "vectors").open("wb") as vectors:
        for chunk in read_chunks(reading, vocabulary):
            dim = chunk.vectors.shape[1]
            _append(vectors, chunk)
            letters.append(chunk.words.letters.tobytes())
            lengths.append(np.diff(chunk.words.offsets))
    if dim is None or not sum(map(len, lengths)):
        raise FormatError("expected word vectors, got none", path=reading.path)
    words = PackedWords(
        letters=np.frombuffer(b"".join(letters), dtype=np.uint8),
        offsets=bounds(np.concatenate(lengths)),
    )
    index = Vocabulary.build(words)
    repeats = index.repeats()
    if len(repeats):
        reading.problems["repeated word"] += len(repeats)
        kept = np.setdiff1d(np.arange(len(words)), repeats)
        _drop_rows(work / "vectors", kept, dim)
        index = Vocabulary.build(words.take(kept))
    index.words.letters.tofile(work / "letters")
    index.words.offsets.tofile(work / "offsets")
    index.hashes.tofile(work / "hashes")
    index.order.tofile(work / "order")


def _append(file: IO[bytes], chunk: Chunk) -> None:
    file.write(np.ascontiguousarray(chunk.vectors, dtype="<f4").data)


def _drop_rows(path: Path, kept: np.ndarray[Any, np.dtype[np.int64]], dim: int) -> None:
    """Rewrite the matrix with only the rows kept, in blocks."""
    whole = np.memmap(path, dtype="<f4", mode="r").reshape(-1, dim)
    rows = max(1, _BLOCK // (4 * dim))
    shorter = path.with_suffix(".kept")
    with shorter.open("wb") as file:
        for start in range(0, len(kept), rows):
            file.write(whole[kept[start : start + rows]].data)
    shorter.replace(path)


def _write_meta(work: Path, reading: Reading) -> None:
    meta = {
        "layout": _LAYOUT,
        "source": reading.path.name,
        "problems": dict(reading.problems),
        "arrays": {name: _describe(work / name) for name in _ARRAYS},
    }
    atomic_write_text(work / _META, json.dumps(meta))


def _describe(path: Path) -> dict[str, int]:
    stat = path.stat()
    return {"bytes": stat.st_size, "mtime_ns": stat.st_mtime_ns, "crc32": _crc32(path)}


def _crc32(path: Path) -> int:
    crc = 0
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            crc = zlib.crc32(block, crc)
    return crc


@dataclass(frozen=True)
class _Damage(Exception):  # noqa: N818 - never leaves this module
    """The folder is not what was written."""

    what: str


def _open_folder(folder: Path) -> Space | None:
    """Map a folder of the cache; None if it is not there or was damaged and is now gone."""
    try:
        meta = json.loads((folder / _META).read_bytes())
        _check(folder, meta)
        return _map(folder, meta)
    except FileNotFoundError:
        if not folder.exists():
            return None
        damage = "a file is missing"
    except _Damage as error:
        damage = error.what
    except (OSError, ValueError, KeyError, TypeError) as error:
        damage = str(error)
    logger.warning("a cached space is damaged (%s) and will be built again", damage)
    shutil.rmtree(folder, ignore_errors=True)
    return None


def _check(folder: Path, meta: dict[str, Any]) -> None:
    for name in _ARRAYS:
        expected = meta["arrays"][name]
        stat = (folder / name).stat()
        if stat.st_size != expected["bytes"]:
            raise _Damage(f"{name} has {stat.st_size} bytes, not {expected['bytes']}")
        if stat.st_mtime_ns != expected["mtime_ns"]:
            if _crc32(folder / name) != expected["crc32"]:
                raise _Damage(f"{name} has another checksum")
            # Only touched or copied: put the time back, so that the next open is quick again.
            os.utime(folder / name, ns=(stat.st_atime_ns, expected["mtime_ns"]))


def _map(folder: Path, meta: dict[str, Any]) -> Space:
    arrays = {
        name: np.memmap(folder / name, dtype=kind, mode="r").view(np.ndarray)
        for name, kind in _ARRAYS.items()
    }
    words = PackedWords(letters=arrays["letters"], offsets=arrays["offsets"])
    return Space(
        vocabulary=Vocabulary(words=words, hashes=arrays["hashes"], order=arrays["order"]),
        vectors=arrays["vectors"].reshape(len(words), -1),
        spec=meta["source"],
        fingerprint=folder.name,
        problems=meta["problems"],
    )


def warn_problems(reading: Reading) -> None:
    """Say once what was left out of a file."""
    if reading.problems:
        counts = ", ".join(f"{count} {kind}" for kind, count in sorted(reading.problems.items()))
        logger.warning("%s: rows left out while reading: %s", reading.path, counts)
