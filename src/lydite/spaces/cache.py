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
from dataclasses import dataclass, replace
from pathlib import Path

from lydite.errors import InputError, LyditeError, ResourceError
from lydite.spaces.arrays import DamagedFolderError, discard, working_folder
from lydite.spaces.beginning import read_beginning
from lydite.spaces.compiled import compile_ahead
from lydite.spaces.folder import describe_problems, map_folder, write_folder
from lydite.spaces.formats.detect import read_chunks, takes_word_list
from lydite.spaces.formats.reading import Reading, require_file
from lydite.spaces.formats.text_kernel import parse_lines
from lydite.spaces.formats.word_lists import vocabulary_beside
from lydite.spaces.space import Space, content_digest
from lydite.storage import atomic_write_text, cache_dir, sha256_file, sha256_text

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
        """Remember the key, unless a file changed too lately to be told by its looks."""
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
        try:
            space = _build(reading, vocabulary, source, key)
        except LyditeError:
            raise
        except OSError as error:
            raise ResourceError(
                f"{reading.path}: reading it into the cache failed: {error}",
                hint="free some space, or name another folder for the cache with LYDITE_CACHE",
            ) from error
    source.note(key)
    return space


def _load_kernel_ahead(path: Path) -> None:
    """Load the compiled reader of text in the background, while a large file is hashed."""
    if path.stat().st_size > _LARGE and not takes_word_list(path):
        threading.Thread(target=compile_ahead, args=(parse_lines,), daemon=True).start()


def _build(reading: Reading, vocabulary: Path | None, source: _Source, key: str) -> Space:
    """Read the whole file into a new folder of the cache."""
    work = _work_folder(reading.path)
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


def _work_folder(path: Path) -> Path:
    """Make a folder to build in, elsewhere if the cache cannot be written."""
    try:
        return working_folder(cache_dir("spaces", f"v{_LAYOUT}"))
    except OSError as error:
        logger.warning("the cache cannot be written (%s): %s is read without it", error, path)
        return working_folder(None)
