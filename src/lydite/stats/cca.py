"""Canonical correlation analysis, and how much of it holds for items that it was not fitted to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from lydite.errors import InputError, UndefinedScoreError
from lydite.types import Floats, Mask

# A direction that lies so little in the items kept in, of what they would have by chance, cannot be
# fitted to them: a property that only one word has would otherwise outweigh all held-out words.
_LEAST_SHARE = 0.5


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
    the product of the bases. Constant and collinear columns are dropped with the rank, which does
    not depend on the units of the columns.

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
    left, right = _matrix(X, "left"), _matrix(S, "right")
    n = len(left)
    if n != len(right):
        raise InputError(f"expected two matrices with a row an item, got {n} and {len(right)} rows")
    left_basis, right_basis = _basis(left, "left"), _basis(right, "right")
    ranks = left_basis.shape[1] + right_basis.shape[1]
    if n <= ranks:
        raise UndefinedScoreError(
            f"of {n} items with {ranks} independent variables in all, at least one canonical "
            f"correlation is 1 whatever the values",
            hint=f"more than {ranks} items are needed: more words, or fewer dimensions",
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


def _matrix(values: ArrayLike, side: str) -> Floats:
    matrix = np.asarray(values, dtype=np.float64)
    if matrix.ndim != 2 or not matrix.size:
        raise InputError(f"expected the {side} matrix to be (n, columns), got shape {matrix.shape}")
    bad = int(np.count_nonzero(~np.isfinite(matrix)))
    if bad:
        raise InputError(f"expected finite numbers, got {bad} others in the {side} matrix")
    return matrix


def _basis(matrix: Floats, side: str) -> Floats:
    # In units of its range, shifted to its minimum, a column that is constant is exactly zero and
    # no column counts for less because its numbers are small.
    low = matrix.min(axis=0)
    spread = matrix.max(axis=0) - low
    if not spread.any():
        raise UndefinedScoreError(f"the columns of the {side} matrix do not vary at all")
    scaled = (matrix - low)[:, spread > 0] / spread[spread > 0]
    scaled -= scaled.mean(axis=0)
    basis, sizes, _ = np.linalg.svd(scaled, full_matrices=False)
    rank = int((sizes > sizes[0] * max(matrix.shape) * np.finfo(np.float64).eps).sum())
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


def held_out_correlations(analysis: CanonicalCorrelations, *, folds: int = 10, seed: int) -> Floats:
    """Correlate canonical variates over items that they were not fitted to.

    The items are dealt into folds; the variates of each fold are those fitted to all other folds,
    and ``Σ u v / sqrt(Σ u² Σ v²)`` is taken over all items. In expectation this lies below the
    correlations of the population, as those of the sample lie above: a fit picks up what is by
    chance, and what is by chance does not recur.

    Parameters
    ----------
    analysis
        Of all items.
    folds
        How many; at most one an item.
    seed
        The seed of the dealing.

    Returns
    -------
    Floats
        Shape (k,), k as in the analysis. It may be negative, and need not be in order.

    Examples
    --------
    >>> import numpy as np
    >>> X, S = np.random.default_rng(1).normal(size=(2, 40, 6))
    >>> analysis = canonical_correlations(X, S)
    >>> round(float(analysis.correlations.mean()), 2)
    0.34
    >>> round(float(held_out_correlations(analysis, seed=1).mean()), 2)
    0.01
    """
    n, k = len(analysis.left), len(analysis.correlations)
    if folds < 2:
        raise InputError(f"expected at least 2 folds, got {folds}", hint="use 10")
    dealt = np.random.default_rng(seed).permutation(n) % min(folds, n)
    left, right = _Side.of(analysis.left_basis), _Side.of(analysis.right_basis)
    products = left.basis.T @ right.basis
    sums = np.zeros((3, k))
    for fold in range(min(folds, n)):
        u, v = _unseen_variates(left, right, products, dealt == fold)
        fitted = u.shape[1]
        sums[:, :fitted] += (u * v).sum(axis=0), (u * u).sum(axis=0), (v * v).sum(axis=0)
    scale = np.sqrt(sums[1] * sums[2])
    return np.asarray(np.divide(sums[0], scale, out=np.zeros(k), where=scale > 0))


class _Side(NamedTuple):
    """One basis (n, d) with what is summed over all its items.

    Items that are left out are then subtracted, instead of all others added up for each fold.
    """

    basis: Floats
    total: Floats
    products: Floats

    @classmethod
    def of(cls, basis: Floats) -> _Side:
        return cls(basis, basis.sum(axis=0), basis.T @ basis)

    def without(self, out: Mask) -> _Kept:
        left_out = self.basis[out]
        kept = len(self.basis) - len(left_out)
        mean = (self.total - left_out.sum(axis=0)) / kept
        products = self.products - left_out.T @ left_out - kept * np.outer(mean, mean)
        shares, directions = np.linalg.eigh(products)
        enough = shares > _LEAST_SHARE * kept / len(self.basis)
        return _Kept(left_out, mean, directions[:, enough] / np.sqrt(shares[enough]))


class _Kept(NamedTuple):
    """The items left out, the mean of those kept, and the weights that whiten these."""

    left_out: Floats
    mean: Floats
    weights: Floats


def _unseen_variates(
    left: _Side, right: _Side, products: Floats, out: Mask
) -> tuple[Floats, Floats]:
    """Return the variates (m, k) of the m items left out, fitted to the others."""
    one, other = left.without(out), right.without(out)
    kept = len(left.basis) - len(one.left_out)
    shared = products - one.left_out.T @ other.left_out - kept * np.outer(one.mean, other.mean)
    rotation, _, turned = np.linalg.svd(one.weights.T @ shared @ other.weights, full_matrices=False)
    return (
        (one.left_out - one.mean) @ one.weights @ rotation,
        (other.left_out - other.mean) @ other.weights @ turned.T,
    )
