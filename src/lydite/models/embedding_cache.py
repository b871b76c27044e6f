"""Vectors that were paid for once: an encoder with a cache on disk behind it.

There is one SQLite file per model below ``LYDITE_CACHE``; its name is the sha256 of the model's
identity and fingerprint. A row is the sha256 of a text and its vector; the texts themselves are not
kept. How texts were cut into batches is no part of the key: it moves the last bits of a vector at
most.
"""

from __future__ import annotations

import contextlib
import functools
import logging
import os
import sqlite3
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Protocol, TypeAlias, TypeVar, runtime_checkable

import numpy as np

from lydite.declare import Param
from lydite.errors import InputError
from lydite.storage import cache_dir, sha256_text
from lydite.types import Mask, Vectors

#: The parameter of encoders that have one around them.
CACHE = Param("Keep vectors on disk. It changes no vector, and is no part of the spec.", spec=False)

T = TypeVar("T")
#: Positions in the list of texts, and their vectors.
Batch: TypeAlias = "tuple[Sequence[int], Vectors]"

logger = logging.getLogger(__name__)

_SLICE = 256
_KEYS_A_QUERY = 500  # older builds of SQLite take 999 variables
_PATIENCE = 60.0
_NOT_OURS = {sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS about (identity TEXT NOT NULL, dimension INTEGER NOT NULL)",
    "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL)",
)


class Encoder(Protocol):
    """A text model that says which spec makes it and which bytes it is."""

    @property
    def spec(self) -> str:
        """The spec that makes this model."""

    @property
    def fingerprint(self) -> str:
        """What the model's bytes are known by."""

    def encode(self, texts: Sequence[str], /) -> Vectors:
        """Return one vector per text, (n, d)."""


@runtime_checkable
class Batched(Protocol):
    """An encoder that hands over each batch as soon as it is done."""

    def batches(self, texts: Sequence[str]) -> Iterator[Batch]:
        """Yield positions in ``texts`` and their vectors, in any order."""


def as_texts(texts: Sequence[str]) -> list[str]:
    r"""Return the texts as a list of well-formed strings.

    Half of a surrogate pair, which no encoder can read, becomes U+FFFD.

    >>> as_texts(["a", "b\ud800"])
    ['a', 'b�']
    """
    if isinstance(texts, str):
        raise InputError(
            "expected a list of texts, got one text", hint="put it in a list: encode([text])"
        )
    listed = list(texts)
    for at, text in enumerate(listed):
        if not isinstance(text, str):
            raise InputError(f"expected texts, got {type(text).__name__} at position {at}")
        try:
            text.encode()
        except UnicodeEncodeError:
            units = text.encode("utf-16-le", "surrogatepass")
            listed[at] = units.decode("utf-16-le", "replace")
    return listed


def assemble(batches: Iterable[Batch], *, count: int, spec: str) -> Vectors:
    """Put batches together in the order of the texts, float32 (count, d).

    >>> left, right = np.float32([[1, 2]]), np.float32([[3, 4]])
    >>> assemble([([1], left), ([0], right)], count=2, spec="toy")
    array([[3., 4.], [1., 2.]], dtype=float32)
    """
    rows = _Rows(count, spec=spec)
    for positions, vectors in batches:
        rows.put(positions, vectors)
    return rows.whole()


class CachedEncoder:
    """An encoder that asks its model only for texts it has not seen.

    Equal texts in one call are encoded once. Each batch is committed as it comes, so a killed run
    keeps its work, and several processes may share the cache. A damaged file is set aside and
    rebuilt; a cache that cannot be written is left unused. Both are logged as warnings.

    - ``model``: what encodes. If it has ``batches``, work is kept batch by batch, otherwise in
      slices of 256 texts.
    - ``identity``: the name and those parameters that change vectors. The model's fingerprint is
      added to it when the first text is encoded.
    """

    def __init__(self, model: Encoder, identity: str) -> None:
        self._model = model
        self._identity = identity

    @property
    def spec(self) -> str:
        """The model's spec: a cache does not make another model."""
        return self._model.spec

    @property
    def fingerprint(self) -> str:
        """The model's fingerprint."""
        return self._model.fingerprint

    def __repr__(self) -> str:
        return f"CachedEncoder({self.spec})"

    def encode(self, texts: Sequence[str], /) -> Vectors:
        """Return one vector per text, float32 (n, d).

        Without texts, d is that of the cached vectors; while there are none, the model's answer
        for no texts is returned.
        """
        texts = as_texts(texts)
        unique = {text: row for row, text in enumerate(dict.fromkeys(texts))}
        with _Store(f"{self._identity}\n{self.fingerprint}") as store:
            dimension = store.dimension()
            if not texts and dimension is None:
                return self._model.encode([])
            rows = _Rows(len(unique), spec=self.spec, dimension=dimension, cache=store.path)
            self._fill(rows, list(unique), store)
        vectors = rows.whole()
        if len(unique) == len(texts):
            return vectors
        return vectors[[unique[text] for text in texts]]

    def _fill(self, rows: _Rows, texts: list[str], store: _Store) -> None:
        keys = [bytes.fromhex(sha256_text(text)) for text in texts]
        for positions, vectors in store.read(keys):
            rows.put(positions, vectors)
        missing = np.flatnonzero(~rows.filled)
        if not len(missing):
            return
        with contextlib.closing(_batches(self._model, [texts[at] for at in missing])) as batches:
            for positions, vectors in batches:
                where = missing[list(positions)].tolist()
                store.write([keys[at] for at in where], rows.put(where, vectors))


def _batches(model: Encoder, texts: list[str]) -> Generator[Batch, None, None]:
    if isinstance(model, Batched):
        yield from model.batches(texts)
        return
    for start in range(0, len(texts), _SLICE):
        part = texts[start : start + _SLICE]
        yield range(start, start + len(part)), model.encode(part)


class _Rows:
    """The vectors of one call while they come in, each checked."""

    def __init__(
        self, count: int, *, spec: str, dimension: int | None = None, cache: Path | None = None
    ) -> None:
        self._spec = spec
        self._cache = cache
        self._vectors: Vectors | None = None
        self._dimension = dimension
        self.filled: Mask = np.zeros(count, dtype=np.bool_)

    def put(self, positions: Sequence[int], vectors: Vectors) -> Vectors:
        """Check vectors, put them in their rows and return them as float32."""
        with np.errstate(over="ignore"):
            block = np.ascontiguousarray(vectors, dtype=np.float32)
        if block.ndim != 2 or len(block) != len(positions) or block.shape[1] == 0:
            raise InputError(
                f"{self._spec}: expected {len(positions)} vectors for as many texts, "
                f"got an array of shape {block.shape}"
            )
        if self._dimension not in {None, block.shape[1]}:
            raise self._changed(block.shape[1])
        self._dimension = block.shape[1]
        bad = np.flatnonzero(~np.isfinite(block).all(axis=1))
        if len(bad):
            raise InputError(
                f"{self._spec}: expected finite numbers, got NaN or infinity "
                f"for text {positions[bad[0]]} of the {len(self.filled)} to encode",
                hint="this batch was not kept; see what the model makes of that text alone",
            )
        if self._vectors is None:
            self._vectors = np.empty((len(self.filled), self._dimension), dtype=np.float32)
        self._vectors[list(positions)] = block
        self.filled[list(positions)] = True
        return block

    def whole(self) -> Vectors:
        """Return all vectors, (n, d)."""
        if not self.filled.all():
            raise InputError(
                f"{self._spec}: expected vectors for {len(self.filled)} texts, "
                f"got {int(self.filled.sum())}"
            )
        if self._vectors is None:
            return np.empty((0, self._dimension or 0), dtype=np.float32)
        return self._vectors

    def _changed(self, got: int) -> InputError:
        place = f", or delete {self._cache}" if self._cache else ""
        return InputError(
            f"{self._spec}: expected vectors of {self._dimension} numbers as before, got {got}",
            hint=f"another model answers to the same name; tell them apart by revision={place}",
        )


class _DamagedError(Exception):
    """The database can be read and does not hold what was written."""


class _Store:
    """One model's vectors on disk; its failures cost time, never a result."""

    def __init__(self, identity: str) -> None:
        self._identity = identity
        self._database: sqlite3.Connection | None = None
        self._inode: int | None = None
        self._unusable = False
        self.path: Path | None = None

    def __enter__(self) -> _Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._close()

    def dimension(self) -> int | None:
        """Return the length of the vectors, or None while there are none."""
        return self._run(_dimension, otherwise=None)

    def read(self, keys: list[bytes]) -> Iterator[Batch]:
        """Yield the vectors of those keys that are known, with the keys' positions."""
        dimension = self.dimension()
        for start in range(0, len(keys) if dimension else 0, _KEYS_A_QUERY):
            places = {key: start + at for at, key in enumerate(keys[start : start + _KEYS_A_QUERY])}
            select = functools.partial(_select, list(places))
            found: list[tuple[bytes, bytes]] = self._run(select, otherwise=[])
            if not found:
                continue
            vectors = np.frombuffer(b"".join(blob for _, blob in found), dtype="<f4")
            vectors = vectors.reshape(len(found), -1)
            sound = np.isfinite(vectors).all(axis=1)
            positions = [places[key] for key, _ in found]
            yield [positions[at] for at in np.flatnonzero(sound)], vectors[sound]

    def write(self, keys: list[bytes], vectors: Vectors) -> None:
        """Commit vectors; those that another process has written first are left as they are."""
        rows = [(key, row.tobytes()) for key, row in zip(keys, vectors.astype("<f4"), strict=True)]

        def insert(database: sqlite3.Connection) -> None:
            with database:
                database.execute("BEGIN IMMEDIATE")
                database.execute(
                    "INSERT INTO about SELECT ?, ? WHERE NOT EXISTS (SELECT 1 FROM about)",
                    (self._identity, vectors.shape[1]),
                )
                database.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?)", rows)

        self._run(insert, otherwise=None)

    def _run(self, work: Callable[[sqlite3.Connection], T], *, otherwise: T) -> T:
        for attempt in range(2):
            if self._unusable:
                break
            try:
                return work(self._open())
            except (sqlite3.Error, OSError, _DamagedError) as error:
                self._close()
                if attempt or not _is_damage(error) or not self._set_aside(error):
                    self._unusable = True
                    logger.warning("the embedding cache %s is left unused: %s", self.path, error)
        return otherwise

    def _open(self) -> sqlite3.Connection:
        if self._database is None:
            self.path = cache_dir("embeddings") / f"{sha256_text(self._identity)}.sqlite"
            self._database = sqlite3.connect(self.path, timeout=_PATIENCE, isolation_level=None)
            self._inode = self.path.stat().st_ino
            # Heeded by a new file only; the usual 4096 would hold one vector of 512 and no second.
            self._database.execute("PRAGMA page_size = 16384")
            (mode,) = self._database.execute("PRAGMA journal_mode").fetchone()
            if mode != "wal":
                # Refused while another process is at the same; any journal is safe, this one fast.
                with contextlib.suppress(sqlite3.OperationalError):
                    self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute("PRAGMA synchronous = NORMAL")
            for statement in _SCHEMA:
                self._database.execute(statement)
        return self._database

    def _close(self) -> None:
        if self._database is not None:
            self._database.close()
            self._database = None

    def _set_aside(self, error: Exception) -> bool:
        """Rename a damaged database, unless another process has done so; False when it stays."""
        if self.path is None:
            return False
        aside = self.path.with_suffix(f".damaged-{self._inode}-{os.getpid()}")
        try:
            if self.path.stat().st_ino == self._inode:
                for ending in ("-wal", "-shm", ""):
                    with contextlib.suppress(FileNotFoundError):
                        Path(f"{self.path}{ending}").rename(f"{aside}{ending}")
                logger.warning(
                    "the embedding cache %s is damaged (%s); it is set aside as %s and rebuilt",
                    self.path,
                    error,
                    aside.name,
                )
        except FileNotFoundError:
            return True
        except OSError:
            return False
        return True


def _select(keys: list[bytes], database: sqlite3.Connection) -> list[tuple[bytes, bytes]]:
    marks = ",".join("?" * len(keys))
    question = f"SELECT key, vector FROM vectors WHERE key IN ({marks})"
    found = database.execute(question, keys).fetchall()
    length = _dimension(database) or 0
    if any(not isinstance(blob, bytes) or len(blob) != 4 * length for _, blob in found):
        raise _DamagedError(f"a vector has not {length} numbers")
    return found


def _dimension(database: sqlite3.Connection) -> int | None:
    found = database.execute("SELECT dimension FROM about").fetchone()
    return None if found is None else int(found[0])


def _is_damage(error: Exception) -> bool:
    if isinstance(error, sqlite3.Error):
        return getattr(error, "sqlite_errorcode", 0) & 0xFF in _NOT_OURS
    return isinstance(error, _DamagedError)
