"""A run on disk: ``results.jsonl``, one item table a result, ``failures.jsonl``.

Every finished result is written at once: first its item table, then its line. A line that a kill
cut short is dropped when the run is opened again, so that nothing is lost and nothing is half.
Writers keep each other out with ``.lock``.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import io
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, TypeVar

from lydite.errors import FormatError, InputError, LyditeError, ResourceError
from lydite.files.bounds import read_small
from lydite.files.plain import parse_json
from lydite.results.record import Failure, Items, Result, to_line
from lydite.storage import (
    atomic_write_text,
    atomic_writer,
    check_output,
    locked,
    sha256_file,
)
from lydite.types import PlainMapping

_RESULTS = "results.jsonl"
_FAILURES = "failures.jsonl"
_ITEMS = "items"
_SUITE = "suite.toml"
_LOCK = ".lock"
#: The columns of an item table that hold numbers; all others but ``covered`` are text.
_NUMBERS = {"gold", "predicted", "value"}
_DELETE = "delete that line; the run will make the result again"
#: How `Suite.to_toml` begins.
_WRITTEN = re.compile(r'name = "[^\n]*"\nseeds = \[[\d, ]*\]\n')

T = TypeVar("T")


class RunStore:
    """The folder of one run.

    The folder is made when the first result is written.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._alone = False

    @classmethod
    def existing(cls, folder: Path) -> RunStore:
        """Open a run that must be there, if only with failures."""
        with _trouble_named(folder):
            found = any((folder / name).is_file() for name in (_RESULTS, _FAILURES))
        if not found:
            raise InputError(
                f"{folder}: expected the folder of a run (with {_RESULTS}), got none",
                hint="'lydite run SUITE.toml --out DIR' and every evaluation with --out make one",
            )
        return cls(folder)

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Be the only one that writes to the folder, or refuse."""
        with contextlib.ExitStack() as held:
            try:
                with _trouble_named(self.folder):
                    held.enter_context(locked(self.folder / _LOCK, wait=False))
            except BlockingIOError:
                raise InputError(
                    f"another run is writing to {self.folder}",
                    hint="wait until it has ended, or name another folder with --out",
                ) from None
            self._alone = True
            held.callback(setattr, self, "_alone", False)
            yield

    def results(self) -> list[Result]:
        """Read all finished results; of two with one key the later counts."""
        found = self._read(_RESULTS, Result.from_plain)
        return list({result.key: result for result in found}.values())

    def failures(self) -> list[Failure]:
        """Read what failed in the last run."""
        return list(self._read(_FAILURES, Failure.from_plain))

    def add(self, result: Result, items: Items) -> Result:
        """Write a result and its items; they are on disk when this returns."""
        name = f"{_ITEMS}/{result.key}.csv"
        table = _csv(items)
        digest = hashlib.sha256(table).hexdigest()
        result = dataclasses.replace(result, items=name, items_sha256=digest)
        line = result.to_json()
        with self._writing():
            with atomic_writer(self.folder / name) as stream:
                stream.write(table)
            self._append(line)
        return result

    def holds(self, result: Result) -> bool:
        """Tell whether the item table of a result is there as it was written."""
        if result.items is None:
            return False
        path = self._inside(result.items)
        with _trouble_named(path):
            if not path.is_file():
                return False
            return result.items_sha256 in (None, sha256_file(path))

    def write_failures(self, failures: list[Failure]) -> None:
        """Replace the list of failures."""
        if not failures and not (self.folder / _FAILURES).exists():
            return
        lines = [to_line(failure) + "\n" for failure in failures]
        self.failures()  # raises if what is there is not a list of failures
        with self._writing():
            atomic_write_text(self.folder / _FAILURES, "".join(lines))

    def write_suite(self, text: str) -> None:
        """Keep the suite beside its results."""
        try:
            text.encode()
        except UnicodeEncodeError as error:
            line = next(line for line in text.splitlines() if not _is_utf8(line))
            raise InputError(
                f"expected names in UTF-8, got {line.strip()!a}: the name is not UTF-8",
                hint="rename the file",
            ) from error
        with self._writing():
            self._check_suite(text)
            atomic_write_text(self.folder / _SUITE, text)

    def _check_suite(self, text: str) -> None:
        """Refuse to put a suite in the place of one that somebody wrote by hand."""
        path = self.folder / _SUITE
        old = path.read_text("utf-8", "replace") if path.is_file() else ""
        # What a run wrote has no comment and this beginning, here or on another machine.
        comments = any(line.lstrip().startswith("#") for line in old.splitlines())
        if old != text and (comments or not _WRITTEN.match(old)):
            check_output(path)

    def items(self, result: Result) -> Any:  # noqa: ANN401 - a polars.DataFrame
        """Read the item table of a result as a Polars data frame."""
        import polars

        if result.items is None:
            raise InputError(f"the result of {result.model} was written without its items")
        path = self._inside(result.items)
        try:
            if result.items_sha256 not in (None, sha256_file(path)):
                raise FormatError(
                    "expected an item table, got: other bytes than were written",
                    path=path,
                    hint="run the suite again; it will make the result again",
                )
            table = polars.read_csv(path, infer_schema=False)
            numbers = [polars.col(name) for name in table.columns if name in _NUMBERS]
            return table.with_columns(
                *(column.cast(polars.Float64) for column in numbers),
                covered=polars.col("covered") == "true",
            )
        except (OSError, polars.exceptions.PolarsError) as error:
            raise FormatError(f"expected an item table, got: {error}", path=path) from error

    def _inside(self, name: str) -> Path:
        path = self.folder / name
        if not path.resolve().is_relative_to(self.folder.resolve()):
            raise InputError(f"{path}: expected an item table inside the run, got one outside")
        return path

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        with _trouble_named(self.folder):
            if self._alone:
                yield
                return
            with locked(self.folder / _LOCK):
                yield

    def _append(self, line: str) -> None:
        with (self.folder / _RESULTS).open("ab+") as stream:
            _drop_partial_line(stream)
            stream.write(line.encode() + b"\n")
            stream.flush()
            os.fsync(stream.fileno())

    def _read(self, name: str, make: Callable[[PlainMapping], T]) -> Iterator[T]:
        path = self.folder / name
        with _trouble_named(path):
            content = read_small(path) if path.exists() else b""
        # What follows the last newline was cut short by a kill.
        for number, line in enumerate(content.split(b"\n")[:-1], 1):
            if not line.strip():
                continue
            try:
                yield make(parse_json(line))
            except InputError as error:
                raise FormatError(
                    error.message, path=path, line=number, hint=error.hint or _DELETE
                ) from error
            except ValueError as error:
                raise FormatError(
                    f"expected a record as JSON, got: {error}", path=path, line=number, hint=_DELETE
                ) from error


@contextlib.contextmanager
def _trouble_named(path: Path) -> Iterator[None]:
    """Say which path the file system had trouble with, and what may help."""
    try:
        yield
    except (LyditeError, BlockingIOError):
        raise
    except (FileExistsError, NotADirectoryError) as error:
        raise InputError(
            f"{path}: expected a folder for the run, got a file or a path below one",
            hint="name another folder with --out",
        ) from error
    except OSError as error:
        raise ResourceError(
            f"{path}: the run cannot be read or written: {error.strerror}",
            hint="look at rights and free space, or name another folder with --out",
        ) from error


def _is_utf8(text: str) -> bool:
    return text == text.encode("utf-8", "ignore").decode()


def _drop_partial_line(stream: IO[bytes]) -> None:
    end = size = stream.seek(0, os.SEEK_END)
    while size:
        start = max(0, size - 4096)
        stream.seek(start)
        newline = stream.read(size - start).rfind(b"\n")
        if newline >= 0:
            size = start + newline + 1
            break
        size = start
    if size < end:
        stream.truncate(size)


def _csv(items: Items) -> bytes:
    import polars

    # Without this a column that starts with a whole number could hold no others.
    numbers = dict.fromkeys(_NUMBERS, polars.Float64)
    columns = {name: list(column) for name, column in items.items()}
    buffer = io.BytesIO()
    polars.DataFrame(columns, schema_overrides=numbers).write_csv(buffer)
    return buffer.getvalue()
