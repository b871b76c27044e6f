"""Similarities of two vectors; the first is that of the more specific word."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from lydite.types import Floats, Indices

MeasureName: TypeAlias = Literal["cosine", "dot", "euclidean", "inclusion"]

#: Cells of a block of differences, so that no block outgrows the processor's cache by much.
_BLOCK_CELLS = 1 << 21


@dataclass(frozen=True, kw_only=True)
class Measure:
    """A similarity of vectors.

    Attributes
    ----------
    of_pairs
        Vectors (m, d) and two arrays (n,) of rows to the n similarities of these.
    of_all
        One array (m, d) to the similarities of all its rows, (m, m), specific word first.
    unit
        What rounding errors are a share of, beside the similarities: the size of its largest value,
        where there is one. A cosine of 0 is off by as much as one of 1.
    """

    of_pairs: Callable[[Floats, Indices, Indices], Floats]
    of_all: Callable[[Floats], Floats]
    unit: float = 0.0


def _units(vectors: Floats) -> Floats:
    norms = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))[:, None]
    return np.asarray(np.divide(vectors, norms, out=np.zeros_like(vectors), where=norms > 0))


def _cosine(vectors: Floats, left: Indices, right: Indices) -> Floats:
    return _dot(_units(vectors), left, right)


def _cosine_of_all(vectors: Floats) -> Floats:
    units = _units(vectors)
    return np.asarray(units @ units.T)


def _euclidean_of_all(vectors: Floats) -> Floats:
    squares = (vectors * vectors).sum(axis=1)
    distances = squares[:, None] + squares[None, :] - 2 * (vectors @ vectors.T)
    return np.asarray(-np.sqrt(np.maximum(distances, 0)))


def _dot(vectors: Floats, left: Indices, right: Indices) -> Floats:
    return np.asarray(np.einsum("ij,ij->i", vectors[left], vectors[right]))


def _euclidean(vectors: Floats, left: Indices, right: Indices) -> Floats:
    difference = vectors[left] - vectors[right]
    return np.asarray(-np.sqrt(np.einsum("ij,ij->i", difference, difference)))


def _inclusion(vectors: Floats, left: Indices, right: Indices) -> Floats:
    return inclusion(vectors[left], vectors[right])


def inclusion(left: Floats, right: Floats) -> Floats:
    """Return how much of the specific vector is in the general one, from 0 to 1.

    Clarke's degree of entailment: sum_i min(x_i, y_i) / sum_i x_i over non-negative features.
    Dense vectors have negative values, so every dimension counts as two features, one for each
    sign: only what has the same sign in both is shared. It depends on the axes: a rotation of the
    space changes it. A zero vector is in nothing.

    Reference: Clarke (2009), Context-theoretic semantics for natural language, GEMS.

    Examples
    --------
    Of x = (2, -1, 1), y = (1, -3, -1) holds 1 + 1 + 0 of 4.

    >>> inclusion(np.array([[2.0, -1, 1]]), np.array([[1.0, -3, -1]]))
    array([0.5])
    """
    shared = np.where(left * right > 0, np.minimum(np.abs(left), np.abs(right)), 0).sum(axis=1)
    whole = np.abs(left).sum(axis=1)
    return np.asarray(np.divide(shared, whole, out=np.zeros_like(whole), where=whole > 0))


def _inclusion_of_all(vectors: Floats) -> Floats:
    count, dim = vectors.shape
    result = np.empty((count, count))
    for row in range(count):
        step = max(1, _BLOCK_CELLS // dim)
        for start in range(0, count, step):
            block = vectors[start : start + step]
            one = np.broadcast_to(vectors[row], block.shape)
            result[row, start : start + step] = inclusion(one, block)
    return result


MEASURES: Mapping[str, Measure] = {
    "cosine": Measure(of_pairs=_cosine, of_all=_cosine_of_all, unit=1.0),
    "dot": Measure(of_pairs=_dot, of_all=lambda vectors: vectors @ vectors.T),
    "euclidean": Measure(of_pairs=_euclidean, of_all=_euclidean_of_all),
    "inclusion": Measure(of_pairs=_inclusion, of_all=_inclusion_of_all, unit=1.0),
}
