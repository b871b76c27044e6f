"""A run on disk: ``results.jsonl``, one item table a result, ``failures.jsonl``.

Every finished result is written at once: first its item table, then its line. A line that a kill
cut short is dropped when the run is opened again, so that nothing is lost and nothing is half.
"""

from __future__ import annotations

import dataclasses
import io
import json
import os
from pathlib import Path
from typing import Any

from lydite.errors import FormatError, InputError
from lydite.results.record import Failure, Items, Result
from lydite.storage import atomic_write_text, atomic_writer

_RESULTS = "results.jsonl"
_FAILURES = "failures.jsonl"
_ITEMS = "items"
#: The columns of an item table that hold numbers; all others but ``covered`` are text.
_NUMBERS = {"gold", "predicted", "value"}


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
        """Open a run that must be there."""
        if not (folder / _RESULTS).is_file():
            raise InputError(
                f"{folder}: expected the folder of a run (with {_RESULTS}), got none",
                hint="'lydite run SUITE.toml --out DIR' and every evaluation with --out make one",
            )
        return cls(folder)

    def results(self) -> list[Result]:
        """Read all finished results; of two with one key the later counts."""
        found = [Result.from_plain(data) for data in self._lines(_RESULTS)]
        return list({result.key: result for result in found}.values())

    def failures(self) -> list[Failure]:
        """Read what failed in the last run."""
        return [Failure(**data) for data in self._lines(_FAILURES)]

    def add(self, result: Result, items: Items) -> Result:
        """Write a result and its items; they are on disk when this returns."""
        name = f"{_ITEMS}/{result.key}.csv"
        with atomic_writer(self.folder / name) as stream:
            stream.write(_csv(items))
        result = dataclasses.replace(result, items=name)
        self._append(result.to_json())
        return result

    def write_failures(self, failures: list[Failure]) -> None:
        """Replace the list of failures."""
        lines = [json.dumps(dataclasses.asdict(f), ensure_ascii=False) + "\n" for f in failures]
        if lines or (self.folder / _FAILURES).exists():
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
        path = self.folder / _RESULTS
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab+") as stream:
            _drop_partial_line(stream)
            stream.write(line.encode() + b"\n")
            stream.flush()
            os.fsync(stream.fileno())

    def _lines(self, name: str) -> list[dict[str, Any]]:
        path = self.folder / name
        if not path.exists():
            return []
        lines = path.read_bytes().split(b"\n")
        # What follows the last newline was cut short by a kill.
        found = []
        for number, line in enumerate(lines[:-1], 1):
            try:
                found.append(json.loads(line))
            except ValueError as error:
                raise FormatError(
                    f"expected a result as JSON, got: {error}",
                    path=path,
                    line=number,
                    hint="delete that line; the run will make the result again",
                ) from error
        return found


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

    buffer = io.BytesIO()
    polars.DataFrame({name: list(column) for name, column in items.items()}).write_csv(buffer)
    return buffer.getvalue()
