"""A model's vectors of training and test sentences, fitted to the training ones alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

import numpy as np

from lydite.models.protocols import FittedToTexts
from lydite.models.texts import encode_texts
from lydite.types import Floats, Indices, Vectors

Scale: TypeAlias = Literal["none", "unit", "standard"]


class Features:
    """What a model says of a list of sentences, in any split.

    A model that is fitted to texts, such as a bag of words or its principal components, is fitted
    anew to the training sentences of every split; any other is asked once.
    """

    def __init__(self, model: object, texts: Sequence[str]) -> None:
        self._model = model
        self._texts = texts
        self.vectors: Vectors = encode_texts(model, texts)

    def split(self, train: Indices, test: Indices) -> tuple[Vectors, Vectors]:
        """Return the vectors of training sentences (m, d) and of test sentences (n - m, d)."""
        if not isinstance(self._model, FittedToTexts):
            return self.vectors[train], self.vectors[test]
        known = [self._texts[i] for i in train]
        fitted = self._model.fitted_to(known)
        return encode_texts(fitted, known), encode_texts(fitted, [self._texts[i] for i in test])


def scaled(train: Vectors, test: Vectors, scale: Scale) -> tuple[Floats, Floats]:
    """Scale vectors for a classifier, by what the training ones say.

    Parameters
    ----------
    scale
        ``none``: as the model gives them, which is what the paper does. ``unit``: to length 1.
        ``standard``: each component to mean 0 and deviation 1 over the training vectors; one that
        does not vary there becomes 0.

    Examples
    --------
    >>> vectors = np.array([[3.0, 4.0], [0.0, 0.0]], dtype=np.float32)
    >>> scaled(vectors, vectors[:1], "unit")[0].tolist()
    [[0.6, 0.8], [0.0, 0.0]]
    """
    left, right = train.astype(np.float64), test.astype(np.float64)
    if scale == "unit":
        return _unit(left), _unit(right)
    if scale == "standard":
        mean, deviation = left.mean(axis=0), left.std(axis=0)
        deviation[deviation == 0] = np.inf
        return (left - mean) / deviation, (right - mean) / deviation
    return left, right


def _unit(vectors: Floats) -> Floats:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Floats = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return unit
