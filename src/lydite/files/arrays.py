"""Folders of plain arrays, which are written as a whole and open by mapping.

Each array's size, time of change and CRC are kept in ``meta.json``. If the size differs from what
was written the folder is damaged; if only the time does, the CRC decides. A folder is built under a
temporary name and renamed when it is whole, so that no process ever sees a part of one.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import tempfile
import time
import uuid
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from lydite.errors import FormatError, InputError, ResourceError
from lydite.files.bounds import read_small
from lydite.files.plain import parse_json
from lydite.storage import atomic_write_text
from lydite.types import Plain

_META = "meta.json"
_BLOCK = 1 << 22
#: A working folder that is older was left behind by a process that was killed.
_ABANDONED_S = 24 * 3600


class DamagedFolderError(Exception):
    """The folder is not what was written; never leaves the cache."""


def seal(folder: Path, names: Iterable[str], **facts: Plain) -> None:
    """Describe the arrays in a folder, one file each, beside further facts; this makes it whole."""
    meta = {**facts, "arrays": {name: _describe(folder / name) for name in names}}
    atomic_write_text(folder / _META, json.dumps(meta))


def map_arrays(
    folder: Path, kinds: Mapping[str, DTypeLike], optional: Mapping[str, DTypeLike] | None = None
) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """Map the arrays of a sealed folder.

    Parameters
    ----------
    kinds
        The arrays that are expected, and their types.
    optional
        The arrays that are mapped if they were written.

    Returns
    -------
    The arrays, flat and read-only, and the facts that were kept with them.

    Raises
    ------
    FileNotFoundError
        If there is no such folder.
    DamagedFolderError
        If it is not what was written.
    """
    folder.stat()
    try:
        meta = parse_json(read_small(folder / _META))
        written = {name: kind for name, kind in (optional or {}).items() if name in meta["arrays"]}
        kinds = {**kinds, **written}
        for name in kinds:
            _check(folder / name, meta["arrays"][name])
        return {name: _map(folder / name, kind) for name, kind in kinds.items()}, meta
    except FileNotFoundError as error:
        raise DamagedFolderError(f"{Path(error.filename).name} is missing") from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DamagedFolderError(f"{type(error).__name__}: {error}") from error


def _map(path: Path, kind: DTypeLike) -> NDArray[Any]:
    if not path.stat().st_size:
        # An empty file cannot be mapped.
        return np.empty(0, dtype=kind)
    return np.memmap(path, dtype=kind, mode="r").view(np.ndarray)


def _describe(path: Path) -> dict[str, int]:
    stat = path.stat()
    return {"bytes": stat.st_size, "mtime_ns": stat.st_mtime_ns, "crc32": _crc32(path)}


def _crc32(path: Path) -> int:
    crc = 0
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            crc = zlib.crc32(block, crc)
    return crc


def _check(path: Path, expected: dict[str, int]) -> None:
    stat = path.stat()
    if stat.st_size != expected["bytes"]:
        raise DamagedFolderError(f"{path.name} has {stat.st_size} bytes, not {expected['bytes']}")
    if stat.st_mtime_ns == expected["mtime_ns"]:
        return
    if _crc32(path) != expected["crc32"]:
        raise DamagedFolderError(f"{path.name} has another checksum")
    # Only touched or copied: put the time back, so that the next open is quick again.
    with contextlib.suppress(OSError):
        os.utime(path, ns=(stat.st_atime_ns, expected["mtime_ns"]))


def working_folder(parent: Path | None) -> Path:
    """Make a folder to build in, in a folder of the cache or, for None, the system's temporary one.

    Those that killed processes left in the parent are removed.
    """
    if parent is not None:
        _remove_abandoned(parent)
    work = Path(tempfile.mkdtemp(dir=parent, prefix="lydite-" if parent is None else "."))
    # Made for its owner alone, but a cache may be shared.
    work.chmod(0o755)
    return work


def discard(folder: Path) -> None:
    """Take a folder away at once, so that no other process sees it half gone."""
    aside = folder.with_name(f".{uuid.uuid4().hex}")
    with contextlib.suppress(OSError):
        folder.rename(aside)
    shutil.rmtree(aside, ignore_errors=True)


def _remove_abandoned(parent: Path) -> None:
    for left in parent.glob(".*"):
        with contextlib.suppress(OSError):
            if time.time() - left.stat().st_mtime > _ABANDONED_S:
                shutil.rmtree(left, ignore_errors=True)


def check_new(folder: Path) -> None:
    """Refuse a folder that is there, best before anything is counted."""
    if folder.exists():
        raise InputError(f"{folder}: expected a new folder", hint="take another name, or remove it")


@contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """Give a folder to build in, which gets its name when it is whole; a name must be free."""
    check_new(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    work = working_folder(folder.parent)
    try:
        yield work
        os.rename(work, folder)  # noqa: PTH104 - Path.rename says nothing of the target
    finally:
        shutil.rmtree(work, ignore_errors=True)


def write_arrays(
    folder: Path, arrays: Mapping[str, NDArray[Any]], kinds: Mapping[str, DTypeLike]
) -> None:
    """Write those arrays that have a kind, a file each, as it; `seal` comes after."""
    for name, kind in kinds.items():
        np.ascontiguousarray(arrays[name], dtype=kind).tofile(folder / name)


@dataclass(frozen=True, kw_only=True)
class Fit:
    """What an array has to be before compiled code reads it without looking.

    Numbers are always finite; ``low`` and ``below`` bound them. ``ends`` makes it offsets: from 0,
    never falling, up to that.
    """

    shape: tuple[int, ...]
    kind: DTypeLike | None = None
    low: float | None = None
    below: float | None = None
    ends: int | None = None


def check_fit(arrays: Mapping[str, NDArray[Any]], fits: Mapping[str, Fit]) -> None:
    """Raise a ValueError that names the first array that is not what it has to be.

    >>> check_fit({"starts": np.array([0, 3, 2])}, {"starts": Fit(shape=(3,), ends=2)})
    Traceback (most recent call last):
    ...
    ValueError: expected offsets that rise from 0 to 2 in 'starts', got others
    """
    for name, fit in fits.items():
        array = arrays.get(name)
        kind = None if fit.kind is None else np.dtype(fit.kind)
        if array is None or array.shape != fit.shape or (kind is not None and array.dtype != kind):
            wanted = f"{'numbers' if kind is None else kind} {fit.shape}"
            got = "nothing" if array is None else f"{array.dtype} {array.shape}"
            raise ValueError(f"expected {wanted} in {name!r}, got {got}")
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise ValueError(f"expected finite numbers in {name!r}, got NaN or infinity")
        if not array.size:
            continue
        if fit.ends is not None and (
            array[0] != 0 or array[-1] != fit.ends or (array[1:] < array[:-1]).any()
        ):
            raise ValueError(
                f"expected offsets that rise from 0 to {fit.ends} in {name!r}, got others"
            )
        if fit.low is not None and array.min() < fit.low:
            raise ValueError(f"expected numbers from {fit.low} in {name!r}, got {array.min()}")
        if fit.below is not None and array.max() >= fit.below:
            raise ValueError(f"expected numbers below {fit.below} in {name!r}, got {array.max()}")


def rows_fit(arrays: Mapping[str, NDArray[Any]], *, rows: int, width: int) -> dict[str, Fit]:
    """Return what the arrays of a matrix in compressed rows, (rows, width), have to be."""
    count = len(arrays["columns"])
    return {
        "starts": Fit(shape=(rows + 1,), ends=count),
        "columns": Fit(shape=(count,), low=0, below=width),
        "values": Fit(shape=(count,)),
    }


def words_fit(arrays: Mapping[str, NDArray[Any]], before: str = "") -> dict[str, Fit]:
    """Return what the arrays of a vocabulary have to be."""
    count = len(arrays[f"{before}offsets"]) - 1
    letters = len(arrays[f"{before}letters"])
    fits = {f"{before}offsets": Fit(shape=(max(count, 0) + 1,), ends=letters)}
    if "order" in arrays:
        fits["order"] = Fit(shape=(count,), low=0, below=count)
        fits["hashes"] = Fit(shape=(count,))
    return fits


@contextmanager
def opened_arrays(
    folder: Path, kinds: Mapping[str, DTypeLike], *, what: str, hint: str, kind: str | None = None
) -> Iterator[tuple[dict[str, NDArray[Any]], dict[str, Any]]]:
    """Map the arrays of a sealed folder; errors inside the ``with`` are reported as damage to it.

    Parameters
    ----------
    kinds
        The arrays that are expected, and their types.
    what, hint
        What the folder holds and where such folders come from, for messages.
    kind
        The fact ``kind`` that the folder must have, if any.

    Yields
    ------
    The arrays, flat and read-only, and the facts that were kept with them, without the kind.

    Raises
    ------
    ResourceError
        If there is no such folder.
    FormatError
        If it is not what was written; also for a KeyError, TypeError or ValueError inside.
    """
    try:
        arrays, facts = map_arrays(folder, kinds)
        if kind is not None and facts.pop("kind") != kind:
            raise ValueError("of another kind")
        yield arrays, facts
    except OSError as error:
        raise ResourceError(
            f"{folder}: expected a folder of {what}, found none", hint=hint
        ) from error
    except (DamagedFolderError, KeyError, TypeError, ValueError) as error:
        raise FormatError(f"expected {what}, but: {error}", path=folder, hint=hint) from error
