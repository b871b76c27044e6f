"""Trained models in one safetensors file, without pickle: tensors, and ``provenance`` as JSON."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydite.errors import FormatError
from lydite.files.plain import parse_json
from lydite.storage import output_writer
from lydite.types import PlainMapping


def write_tensors(
    tensors: Mapping[str, NDArray[Any]], path: Path, *, provenance: PlainMapping
) -> None:
    """Write tensors and what they were made from, atomically."""
    from safetensors.numpy import save

    whole = {name: np.ascontiguousarray(tensor) for name, tensor in tensors.items()}
    # One entry alone: the library writes several in an order that changes from run to run.
    metadata = {"provenance": json.dumps(provenance, ensure_ascii=False, sort_keys=True)}
    with output_writer(path) as stream:
        stream.write(save(whole, metadata))


def read_provenance(path: Path, *, hint: str) -> Any:  # noqa: ANN401 - plain data
    """Return what a file was made from."""
    with _opened(path, hint) as file:
        return parse_json((file.metadata() or {}).get("provenance", "{}"))


def read_tensors(path: Path, *, hint: str) -> dict[str, NDArray[Any]]:
    """Read all tensors into memory."""
    with _opened(path, hint) as file:
        return {name: np.asarray(file.get_tensor(name)) for name in file.keys()}  # noqa: SIM118


@contextlib.contextmanager
def _opened(path: Path, hint: str) -> Iterator[Any]:
    """Open a file; the library checks the header and the length of the file."""
    import safetensors

    try:
        with safetensors.safe_open(path, framework="np") as file:
            yield file
    except (safetensors.SafetensorError, ValueError, TypeError) as error:
        raise FormatError(
            f"expected a safetensors file, got: {error}",
            path=path,
            hint=f"the file may be cut off, or of another kind; {hint}",
        ) from error
