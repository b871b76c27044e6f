"""Folders of arrays that users name: written as a whole, opened by mapping.

What makes one whole, and how damage is found, is told in :mod:`lydite.spaces.arrays`.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from lydite.errors import FormatError, InputError, ResourceError
from lydite.spaces.arrays import DamagedFolderError, map_arrays, working_folder


def check_new(folder: Path) -> None:
    """Refuse a folder that is there, best before anything is counted."""
    if folder.exists():
        raise InputError(f"{folder}: expected a new folder", hint="take another name, or remove it")


@contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """Give a folder to build in, which gets its name when it is whole.

    Raises
    ------
    InputError
        If there is something of that name.
    """
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


@contextmanager
def opened_arrays(
    folder: Path, kinds: Mapping[str, DTypeLike], *, what: str, hint: str, kind: str | None = None
) -> Iterator[tuple[dict[str, NDArray[Any]], dict[str, Any]]]:
    """Map the arrays of a folder; what goes wrong with them inside the ``with`` is told of it.

    Parameters
    ----------
    folder
        One that was sealed.
    kinds
        The arrays that are expected, and their types.
    what
        What the folder holds, for errors.
    hint
        Where such folders come from.
    kind
        The fact of this name that the folder must have, if any.

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
