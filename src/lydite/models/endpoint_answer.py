"""The answers of embeddings servers, read without trust."""

from __future__ import annotations

import base64
import binascii

import numpy as np

from lydite.types import Plain, Vectors


class UnexpectedAnswerError(Exception):
    """What an answer lacks."""


def read_vectors(answer: Plain, count: int) -> Vectors:
    """Read an answer: ``{"data": [{"index": 0, "embedding": [...] or base64}, ...]}``."""
    data = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(data, list) or not all(isinstance(item, dict) for item in data):
        raise UnexpectedAnswerError('expected a list of objects under "data"')
    if len(data) != count:
        raise UnexpectedAnswerError(f"expected {count} vectors for as many texts, got {len(data)}")
    order = [item.get("index") for item in data]
    if all(index is None for index in order):
        order = list(range(count))
    if sorted(map(repr, order)) != sorted(map(repr, range(count))):
        raise UnexpectedAnswerError(
            f'expected each "index" from 0 to {count - 1} once, got {order}'
        )
    rows = [_vector(item.get("embedding"), item.get("index")) for item in data]
    lengths = sorted({len(row) for row in rows})
    if len(lengths) > 1 or lengths[0] == 0:
        raise UnexpectedAnswerError(f"expected vectors of one length, got {lengths}")
    vectors = np.empty((count, lengths[0]), dtype=np.float32)
    vectors[order] = rows
    if not np.isfinite(vectors).all():
        raise UnexpectedAnswerError("expected finite numbers, got NaN or infinity")
    return vectors


def _vector(embedding: Plain, index: Plain) -> Vectors:
    if isinstance(embedding, str):
        try:
            return np.frombuffer(base64.b64decode(embedding, validate=True), dtype="<f4")
        except (binascii.Error, ValueError):
            raise UnexpectedAnswerError(
                f'expected float32 numbers in base64 as "embedding" of index {index}'
            ) from None
    if not isinstance(embedding, list) or not set(map(type, embedding)) <= {int, float}:
        raise UnexpectedAnswerError(f'expected a list of numbers as "embedding" of index {index}')
    try:
        with np.errstate(over="ignore"):
            return np.array(embedding, dtype=np.float32)
    except OverflowError:
        raise UnexpectedAnswerError("expected finite numbers, got one beyond every float") from None
