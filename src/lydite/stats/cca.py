"""Canonical correlation analysis."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from lydite.errors import InputError, UndefinedScoreError
from lydite.types import Floats


@dataclass(frozen=True, kw_only=True)
class CanonicalCorrelations:
    """Canonical correlations of two matrices, largest first.

    Attributes
    ----------
    correlations
        Shape (k,), k the smaller of the two ranks.
    left, right
        Shape (n, k): the canonical variates, each of mean 0 and variance 1; column j of ``left``
        and of ``right`` correlate by ``correlations[j]`` and with no other column.
    left_basis, right_basis
        Orthonormal bases of the centred columns, (n, rank).
    """

    correlations: Floats
    left: Floats
    right: Floats
    left_basis: Floats
    right_basis: Floats


def canonical_correlations(X: ArrayLike, S: ArrayLike) -> CanonicalCorrelations:
    """Find the canonical correlations of two sets of variables.

    With orthonormal bases of the centred columns of X and S, they are the singular values of
    the product of the bases. Collinear columns are dropped with the rank.

    Parameters
    ----------
    X
        Shape (n, d).
    S
        Shape (n, p).

    Raises
    ------
    UndefinedScoreError
        If n does not exceed the sum of the ranks: then some correlations are 1 whatever the data.

    References
    ----------
    Björck & Golub (1973), Numerical methods for computing angles between linear subspaces,
    Mathematics of Computation 27.

    Examples
    --------
    >>> X = [[1.0, 0.0], [2.0, 1.0], [3.0, 0.0], [4.0, 2.0], [5.0, 0.0], [6.0, 3.0]]
    >>> S = [[2.0], [4.0], [6.0], [8.0], [10.0], [12.0]]
    >>> canonical_correlations(X, S).correlations.round(6).tolist()
    [1.0]
    """
    left_basis, right_basis = _basis(X, "left"), _basis(S, "right")
    n, ranks = len(left_basis), left_basis.shape[1] + right_basis.shape[1]
    if n != len(right_basis):
        raise InputError(f"expected two matrices with a row an item, got {n}, {len(right_basis)}")
    if n <= ranks + 1:
        raise UndefinedScoreError(
            f"canonical correlations of {n} items with {ranks} variables in all are 1 "
            f"whatever the values",
            hint=f"more than {ranks + 1} items are needed: more words, or fewer dimensions",
        )
    rotation, correlations, other = np.linalg.svd(left_basis.T @ right_basis, full_matrices=False)
    scale = np.sqrt(n)
    return CanonicalCorrelations(
        correlations=np.clip(correlations, 0.0, 1.0),
        left=left_basis @ rotation * scale,
        right=right_basis @ other.T * scale,
        left_basis=left_basis,
        right_basis=right_basis,
    )


def _basis(matrix: ArrayLike, side: str) -> Floats:
    values = np.asarray(matrix, dtype=np.float64)
    if values.ndim != 2 or not values.size or not np.isfinite(values).all():
        raise InputError(f"expected a matrix of finite numbers, got shape {values.shape}")
    centred = values - values.mean(axis=0)
    basis, sizes, _ = np.linalg.svd(centred, full_matrices=False)
    rank = int((sizes > sizes[0] * max(values.shape) * np.finfo(np.float64).eps).sum())
    if rank == 0 or sizes[0] == 0:
        raise UndefinedScoreError(f"the columns of the {side} matrix do not vary at all")
    return np.ascontiguousarray(basis[:, :rank])


def canonical_influence(analysis: CanonicalCorrelations) -> Floats:
    """Return the influence of each item on each canonical correlation, (n, k).

    ``u v - ρ (u² + v²) / 2`` with u and v the canonical variates; each column has mean zero.

    References
    ----------
    Romanazzi (1992), Influence in canonical correlation analysis, Psychometrika 57.
    """
    u, v, rho = analysis.left, analysis.right, analysis.correlations
    return u * v - 0.5 * rho * (u * u + v * v)
