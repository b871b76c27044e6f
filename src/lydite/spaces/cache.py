"""Spaces on disk in the form in which they are used: mapped, not parsed.

The first read of a vector file writes a folder of plain arrays; later opens map it. The folder is
named by the sha256 of the file's content, so that a file which changes is read anew and copies
share one cache. A small note remembers the content of a path by its size and times of change, and
spares hashing it again.

Two processes may build the same folder at once: each builds its own under a temporary name, and
the first rename wins. A damaged folder is thrown away and built again. Where the cache cannot be
written, the folder is built in the system's temporary folder and goes with the process.
"""

from __future__ import annotations

import contextlib
import json
import logging
import shutil
import threading
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

import numpy as np

from lydite.compiled import compile_ahead
from lydite.errors import FormatError, InputError, LyditeError, ResourceError
from lydite.files.arrays import DamagedFolderError, discard, map_arrays, seal, working_folder
from lydite.files.bounds import require_file
from lydite.spaces.formats.arrays import vocabulary_beside
from lydite.spaces.formats.catalogue import read_chunks, takes_word_list
from lydite.spaces.formats.rows import Chunk, Fault, Reading
from lydite.spaces.formats.text import parse_lines
from lydite.spaces.space import Space, content_digest
from lydite.spaces.vocabulary import PackedWords, Vocabulary
from lydite.storage import atomic_write_text, cache_dir, sha256_file, sha256_text
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
    """Write the chunks of one file into an empty folder; of repeated words the first stays."""
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
    """Map the arrays of a folder; the errors are those of `map_arrays`."""
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


def read_beginning(reading: Reading, limit: int, vocabulary: Path | None) -> Space:
    """Read the first ``limit`` different words; what is wrong after them is never seen."""
    chunks: list[Chunk] = []
    late: list[tuple[int, Fault]] = []
    rows, enough = 0, limit
    kept = np.empty(0, dtype=np.int64)
    with contextlib.closing(read_chunks(reading, vocabulary)) as reader:
        for chunk in reader:
            for fault in chunk.faults:
                # Repeated words may put the end of the beginning further off than this.
                if rows + fault.row < limit:
                    reading.report(fault)
                else:
                    late.append((rows + fault.row, fault))
            chunks.append(chunk)
            rows += len(chunk.words)
            if rows >= enough:
                kept = _distinct(chunks)[:limit]
                enough = rows + limit - len(kept)
                if enough == rows:
                    break
        else:
            kept = _distinct(chunks)
    if not len(kept):
        raise no_words(reading)
    end = int(kept[-1]) + 1 if len(kept) == limit else rows
    for place, fault in late:
        if place < end:
            reading.report(fault)
    if end > len(kept):
        reading.problems["repeated word"] += end - len(kept)
    return _space(chunks, kept, dict(reading.problems))


def _distinct(chunks: list[Chunk]) -> Indices:
    if not chunks:
        return np.empty(0, dtype=np.int64)
    return Vocabulary.build(PackedWords.join([chunk.words for chunk in chunks])).distinct()[1]


def _space(chunks: list[Chunk], kept: Indices, problems: dict[str, int]) -> Space:
    words = PackedWords.join([chunk.words for chunk in chunks]).take(kept)
    columns = [chunk.columns() for chunk in chunks]
    joined = {name: np.concatenate([rows[name] for rows in columns])[kept] for name in columns[0]}
    vectors, counts, contexts = joined["vectors"], joined.get("counts"), joined.get("contexts")
    return Space(
        vocabulary=Vocabulary.build(words),
        vectors=vectors,
        fingerprint=content_digest(words, vectors, counts=counts, contexts=contexts),
        problems=problems,
        counts=counts,
        contexts=contexts,
    )


logger = logging.getLogger(__name__)

_LAYOUT = 3
#: A file changed this shortly before it was looked at may change again within the clock's grain.
_RACY_NS = 2_000_000_000
#: Hashing a file of this size takes about as long as loading a compiled kernel.
_LARGE = 1 << 25


def open_space(reading: Reading, vocabulary: Path | None = None) -> Space:
    """Open a vector file through the cache.

    Parameters
    ----------
    reading
        The file and how to read it. With a limit nothing is cached, because reading stops early;
        if the whole file is cached already, its beginning is taken from there.
    vocabulary
        The word list, for matrices that have none inside.

    Returns
    -------
    The space; its ``problems`` count what was left out, also on later opens.

    Raises
    ------
    ResourceError
        If the file is not there or cannot be read.
    FormatError
        If it does not hold word vectors, or holds a faulty row and the reading is not lenient.
    """
    if reading.limit is not None and reading.limit < 1:
        raise InputError(f"expected a limit of at least 1, got {reading.limit}")
    source = _Source.of(reading.path, vocabulary)
    key = source.noted_key(lenient=reading.lenient)
    space = _open_cached(key) if key else None
    if reading.limit is None:
        space = space or _read_whole(source, reading, vocabulary)
    elif space is None or space.problems:
        # What was left out of a whole file says nothing of its beginning.
        space = read_beginning(reading, reading.limit, vocabulary)
    else:
        space = space.head(reading.limit)
    if space.problems:
        logger.warning("%s: left out: %s", reading.path, describe_problems(space.problems))
    return replace(space, spec=str(reading.path))


@dataclass(frozen=True, kw_only=True)
class _Source:
    """The files that a space comes from, and how they looked at a moment."""

    files: tuple[Path, ...]
    stamps: tuple[tuple[int, ...], ...]
    moment: int

    @classmethod
    def of(cls, path: Path, vocabulary: Path | None) -> _Source:
        require_file(path)
        if vocabulary is not None:
            require_file(vocabulary)
        elif takes_word_list(path):
            vocabulary = vocabulary_beside(path)
        files = (path,) if vocabulary is None else (path, vocabulary)
        return cls(files=files, stamps=_stamps(files), moment=time.time_ns())

    def unchanged(self) -> bool:
        """Tell whether the files still look the same."""
        try:
            return _stamps(self.files) == self.stamps
        except OSError:
            return False

    def key(self, *, lenient: bool) -> str:
        """Hash the content."""
        content = sha256_file(self.files[0])
        if len(self.files) > 1:
            content = sha256_text(content + sha256_file(self.files[1]))
        return _named(content, lenient=lenient)

    def noted_key(self, *, lenient: bool) -> str | None:
        """Return the key that was noted for files that looked like these."""
        try:
            note = json.loads(self._note_path().read_bytes())
            if note["stamps"] == [list(stamp) for stamp in self.stamps]:
                return _named(note["content"], lenient=lenient)
        except (OSError, ValueError, KeyError, TypeError):
            pass
        return None

    def note(self, key: str) -> None:
        """Remember the key, unless a file changed too lately for its looks to show it."""
        racy = any(self.moment - max(stamp[1:3]) < _RACY_NS for stamp in self.stamps)
        if racy or not self.unchanged():
            return
        note = {"stamps": self.stamps, "content": key.removesuffix("-lenient")}
        with contextlib.suppress(OSError):
            atomic_write_text(self._note_path(), json.dumps(note))

    def _note_path(self) -> Path:
        names = json.dumps([str(file.resolve()) for file in self.files])
        return cache_dir("spaces", "notes") / f"{sha256_text(names)}.json"


def _named(content: str, *, lenient: bool) -> str:
    return f"{content}-lenient" if lenient else content


def _stamps(files: tuple[Path, ...]) -> tuple[tuple[int, ...], ...]:
    stats = [file.stat() for file in files]
    return tuple((s.st_size, s.st_mtime_ns, s.st_ctime_ns, s.st_ino, s.st_dev) for s in stats)


def _open_cached(key: str) -> Space | None:
    """Map a folder of the cache; None if it is not there, or was damaged and is now gone."""
    try:
        folder = _folder(key)
        return replace(map_folder(folder), fingerprint=key)
    except OSError:
        return None
    except DamagedFolderError as error:
        logger.warning("a cached space is damaged (%s) and will be built again", error)
        discard(folder)
        return None


def _folder(key: str) -> Path:
    return cache_dir("spaces", f"v{_LAYOUT}") / key


def _read_whole(source: _Source, reading: Reading, vocabulary: Path | None) -> Space:
    """Open by content, or read the whole file if that is not cached."""
    _load_kernel_ahead(reading.path)
    key = source.key(lenient=reading.lenient)
    space = _open_cached(key)
    if space is None:
        space = _read_anew(source, reading, vocabulary, key)
    source.note(key)
    return space


def _load_kernel_ahead(path: Path) -> None:
    """Load the compiled reader of text in the background, while a large file is hashed."""
    if path.stat().st_size > _LARGE and not takes_word_list(path):
        threading.Thread(target=compile_ahead, args=(parse_lines,), daemon=True).start()


def _read_anew(source: _Source, reading: Reading, vocabulary: Path | None, key: str) -> Space:
    """Read the whole file into the cache; elsewhere if that is full, read-only or deleted."""
    try:
        try:
            work = working_folder(cache_dir("spaces", f"v{_LAYOUT}"))
        except ResourceError as error:
            raise OSError(str(error)) from error
        return _build(work, reading, vocabulary, source, key)
    except LyditeError:
        raise
    except (OSError, DamagedFolderError) as error:
        logger.warning(
            "the cache cannot be written (%s): %s is read without it", error, reading.path
        )
    try:
        return _build(working_folder(None), reading, vocabulary, source, key)
    except LyditeError:
        raise
    except (OSError, DamagedFolderError) as error:
        raise ResourceError(
            f"{reading.path}: reading it into the cache failed: {error}",
            hint="free some space, or name another folder for the cache with LYDITE_CACHE",
        ) from error


def _build(
    work: Path, reading: Reading, vocabulary: Path | None, source: _Source, key: str
) -> Space:
    """Read the whole file into a working folder, which becomes one of the cache."""
    # What an attempt that failed has left out is counted anew.
    reading = replace(reading, problems=Counter())
    try:
        write_folder(work, reading.settle(read_chunks(reading, vocabulary)), reading)
        # Mapped before it moves: what other processes do with the folder cannot matter.
        space = map_folder(work)
        if not source.unchanged():
            logger.warning("%s changed while it was read; it is not cached", reading.path)
            return replace(space, fingerprint=_content(space))
        with contextlib.suppress(OSError):
            # Fails when another process was first; its folder is as good as this one.
            work.rename(_folder(key))
        return replace(space, fingerprint=key)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _content(space: Space) -> str:
    words, vectors = space.vocabulary.words, space.vectors
    return content_digest(words, vectors, counts=space.counts, contexts=space.contexts)
