"""A run on disk: ``results.jsonl``, one item table a result, ``failures.jsonl``.

Every finished result is written at once: first its item table, then its line. A line that a kill
cut short is dropped when the run is opened again, so that nothing is lost and nothing is half.
"""

from __future__ import annotations

import dataclasses
import io
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from lydite.errors import FormatError, InputError
from lydite.results.record import Failure, Items, Result, to_line
from lydite.storage import atomic_write_text, atomic_writer
from lydite.types import PlainMapping

_RESULTS = "results.jsonl"
_FAILURES = "failures.jsonl"
_ITEMS = "items"
#: The columns of an item table that hold numbers; all others but ``covered`` are text.
_NUMBERS = {"gold", "predicted", "value"}
_DELETE = "delete that line; the run will make the result again"

T = TypeVar("T")


class RunStore:
    """The folder of one run.

    Parameters
    ----------
    folder
        Made when the first result is written.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @classmethod
    def existing(cls, folder: Path) -> RunStore:
        """Open a run that must be there, if only with failures."""
        if not any((folder / name).is_file() for name in (_RESULTS, _FAILURES)):
            raise InputError(
                f"{folder}: expected the folder of a run (with {_RESULTS}), got none",
                hint="'lydite run SUITE.toml --out DIR' and every evaluation with --out make one",
            )
        return cls(folder)

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
        result = dataclasses.replace(result, items=name)
        line, table = result.to_json(), _csv(items)
        with atomic_writer(self.folder / name) as stream:
            stream.write(table)
        self._append(line)
        return result

    def write_failures(self, failures: list[Failure]) -> None:
        """Replace the list of failures."""
        if failures or (self.folder / _FAILURES).exists():
            lines = [to_line(failure) + "\n" for failure in failures]
            atomic_write_text(self.folder / _FAILURES, "".join(lines))

    def items(self, result: Result) -> Any:  # noqa: ANN401 - a polars.DataFrame
        """Read the item table of a result as a Polars data frame."""
        import polars

        if result.items is None:
            raise InputError(f"the result of {result.model} was written without its items")
        path = self.folder / result.items
        if not path.resolve().is_relative_to(self.folder.resolve()):
            raise InputError(f"{path}: expected an item table inside the run, got one outside")
        try:
            table = polars.read_csv(path, infer_schema=False)
            numbers = [polars.col(name) for name in table.columns if name in _NUMBERS]
            return table.with_columns(
                *(column.cast(polars.Float64) for column in numbers),
                covered=polars.col("covered") == "true",
            )
        except (OSError, polars.exceptions.PolarsError) as error:
            raise FormatError(f"expected an item table, got: {error}", path=path) from error

    def _append(self, line: str) -> None:
        with (self.folder / _RESULTS).open("ab+") as stream:
            _drop_partial_line(stream)
            stream.write(line.encode() + b"\n")
            stream.flush()
            os.fsync(stream.fileno())

    def _read(self, name: str, make: Callable[[PlainMapping], T]) -> Iterator[T]:
        path = self.folder / name
        if not path.exists():
            return
        # What follows the last newline was cut short by a kill.
        for number, line in enumerate(path.read_bytes().split(b"\n")[:-1], 1):
            if not line.strip():
                continue
            try:
                yield make(json.loads(line))
            except InputError as error:
                raise FormatError(
                    error.message, path=path, line=number, hint=error.hint or _DELETE
                ) from error
            except ValueError as error:
                raise FormatError(
                    f"expected a record as JSON, got: {error}",
                    path=path,
                    line=number,
                    hint=_DELETE,
                ) from error


def _drop_partial_line(stream: Any) -> None:  # noqa: ANN401 - a binary file opened for appending
    size = stream.seek(0, os.SEEK_END)
    while size:
        start = max(0, size - 4096)
        stream.seek(start)
        newline = stream.read(size - start).rfind(b"\n")
        if newline >= 0:
            size = start + newline + 1
            break
        size = start
    stream.truncate(size)


def _csv(items: Items) -> bytes:
    import polars

    # Without this a column that starts with a whole number could hold no others.
    numbers = dict.fromkeys(_NUMBERS, polars.Float64)
    columns = {name: list(column) for name, column in items.items()}
    buffer = io.BytesIO()
    polars.DataFrame(columns, schema_overrides=numbers).write_csv(buffer)
    return buffer.getvalue()
