"""Rows of features with a constant 1 at the end, dense or sparse, and products among them."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from lydite.types import Floats, Indices

if TYPE_CHECKING:
    from scipy import sparse

#: Dense, or sparse by rows, (n, d).
Features: TypeAlias = "Floats | sparse.csr_array[np.float64, tuple[int, int]]"

#: Rows up to which all their products are kept: 134 MB.
_MOST_KEPT = 4096
#: The share of rows with a dual other than 0 below which the others are passed over.
_FEW = 0.1


class SvmRows:
    """Rows z = (x, 1), and machines as points: their weights, or their duals.

    Where rows are many beside the dimensions, a machine is its D weights w, the constant's last.
    Otherwise it is its n duals β, with w = Σ βᵢ zᵢ: fewer numbers, and scores are products with
    numbers that are kept. Where classes overlap, duals of long rows cancel each other and w would
    lose digits; but they hardly can overlap if rows are fewer than twice the dimensions.

    Attributes
    ----------
    count, dimension
        How many rows there are, and how many numbers in each with the constant.
    lengths
        The norms of the rows, (n,).
    by_weights
        Whether points are weights.
    """

    def __init__(self, features: Features) -> None:
        self._features = features
        self.count, self.dimension = features.shape[0], features.shape[1] + 1
        self.by_weights = self.count >= 2 * self.dimension
        self._kept = _products(features) if self.count <= _MOST_KEPT else None
        squares = _squares(features)
        self.lengths = np.sqrt(squares)
        # Both the trace and the largest sum of sizes are at least the largest eigenvalue.
        bound = float(squares.sum())
        if self._kept is not None:
            bound = min(bound, float(np.abs(self._kept).sum(axis=1).max()))
        self._stretch = float(np.sqrt(bound))

    def origin(self, machines: int) -> Floats:
        """Return the points (m, D or n) of machines whose weights are all zero."""
        return np.zeros((machines, self.dimension if self.by_weights else self.count))

    def point(self, chosen: Indices, duals: Floats) -> Floats:
        """Return the point of a machine that has duals for some rows only."""
        if self.by_weights:
            return np.append(np.asarray(duals @ self._features[chosen]), duals.sum())
        point = np.zeros(self.count)
        point[chosen] = duals
        return point

    def products(self, chosen: Indices) -> Floats:
        """Return the products (a, a) of some rows with each other, as a new array."""
        if self._kept is None:
            return _products(self._features[chosen])
        return self._kept.take(chosen, axis=0).take(chosen, axis=1)

    def some(self, chosen: Indices) -> Floats:
        """Return some rows, dense."""
        rows = self._features[chosen]
        dense = rows if isinstance(rows, np.ndarray) else rows.toarray()
        return np.column_stack([dense, np.ones(len(chosen))])

    def combined(self, duals: Floats) -> Floats:
        """Return the weights (m, D) of machines that have these duals (m, n)."""
        if not isinstance(self._features, np.ndarray):
            sums = np.asarray(self._features.T @ duals.T).T
        elif np.count_nonzero(duals) < _FEW * duals.size:
            from scipy.sparse import csr_array

            sums = np.asarray(csr_array(duals) @ self._features)
        else:
            sums = duals @ self._features
        return np.column_stack([sums, duals.sum(axis=1)])

    def weights(self, points: Floats) -> Floats:
        """Return the weights (m, D) of points."""
        return points if self.by_weights else self.combined(points)

    def scored(self, weights: Floats) -> Floats:
        """Return the scores (m, n) of all rows for each of m weights (m, D)."""
        return np.asarray((self._features @ weights[:, :-1].T).T) + weights[:, -1:]

    def scores(self, points: Floats) -> Floats:
        """Return the scores (m, n) of all rows for each of m points."""
        if self._kept is not None and not self.by_weights:
            return points @ self._kept
        return self.scored(self.weights(points))

    def far(self, points: Floats, duals: Floats) -> Floats:
        """Return at least the distance of weights from those that have these duals (m, n)."""
        if self.by_weights:
            return norms(points - self.combined(duals))
        return self._stretch * norms(points - duals)


def norms(vectors: Floats) -> Floats:
    """Return the norm of each row."""
    return np.asarray(np.sqrt(np.einsum("ij,ij->i", vectors, vectors)))


def _squares(features: Features) -> Floats:
    if isinstance(features, np.ndarray):
        return np.asarray(np.einsum("ij,ij->i", features, features) + 1.0)
    return np.asarray(features.multiply(features) @ np.ones(features.shape[1])) + 1.0


def _products(features: Features) -> Floats:
    if isinstance(features, np.ndarray):
        return np.asarray(features @ features.T + 1.0)
    return (features @ features.T).toarray() + 1.0
