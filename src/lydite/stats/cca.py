"""Canonical correlation analysis: fitted, and with shuffled rows.

Chance is estimated by shuffling. Most words have one to three of an oracle's properties, so that
adding up the rows that have a property takes far fewer operations than a product with columns that
centering has made dense.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lydite.errors import InputError, UndefinedScoreError
from lydite.threads import thread_count
from lydite.types import Floats, Indices

# A matrix whose smallest direction has a larger share of its squares is taken apart by them, in a
# small part of the time of a singular value decomposition, and to at least nine digits.
_CLEAR = 1e-6


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
        Orthonormal bases of the centered columns, (n, rank).
    right_weights
        Shape (p, rank): the right matrix, each column divided by its range, times these is its
        basis but for a constant in each column.
    """

    correlations: Floats
    left: Floats
    right: Floats
    left_basis: Floats
    right_basis: Floats
    right_weights: Floats


def canonical_correlations(X: ArrayLike, S: ArrayLike) -> CanonicalCorrelations:
    """Find the canonical correlations of two sets of variables, (n, d) and (n, p).

    With orthonormal bases of the centered columns of X and S, they are the singular values of
    the product of the bases. Constant and collinear columns are dropped with the rank, which does
    not depend on the units of the columns.

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
    left_basis, _ = _basis(left, "left")
    right_basis, right_weights = _basis(right, "right")
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
        right_weights=right_weights,
    )


def _matrix(values: ArrayLike, side: str) -> Floats:
    matrix = np.asarray(values, dtype=np.float64)
    if matrix.ndim != 2 or not matrix.size:
        raise InputError(f"expected the {side} matrix to be (n, columns), got shape {matrix.shape}")
    bad = int(np.count_nonzero(~np.isfinite(matrix)))
    if bad:
        raise InputError(f"expected finite numbers, got {bad} others in the {side} matrix")
    return matrix


def _basis(matrix: Floats, side: str) -> tuple[Floats, Floats]:
    """Return a basis (n, rank), and the weights (d, rank) of columns in units of their range."""
    # In units of its range, shifted to its minimum, a column that is constant is exactly zero and
    # no column counts for less because its numbers are small.
    low = matrix.min(axis=0)
    spread = matrix.max(axis=0) - low
    varying = spread > 0
    if not varying.any():
        raise UndefinedScoreError(f"the columns of the {side} matrix do not vary at all")
    scaled = matrix - low
    scaled /= np.where(varying, spread, 1.0)
    if not varying.all():
        scaled = scaled[:, varying]
    scaled -= scaled.mean(axis=0)
    basis, turned = _orthonormal(scaled)
    weights = np.zeros((matrix.shape[1], basis.shape[1]))
    weights[varying] = turned
    return basis, weights


def _orthonormal(matrix: Floats) -> tuple[Floats, Floats]:
    """Return a basis (n, rank) of the columns, and the weights (d, rank) that make it of them."""
    products = matrix.T @ matrix
    weights = _whitening(products, _CLEAR * float(np.trace(products)))
    if weights is not None:
        return matrix @ weights, weights
    basis, sizes, turned = np.linalg.svd(matrix, full_matrices=False)
    rank = int((sizes > sizes[0] * max(matrix.shape) * np.finfo(np.float64).eps).sum())
    return np.ascontiguousarray(basis[:, :rank]), turned[:rank].T / sizes[:rank]


def _whitening(products: Floats, least: float) -> Floats | None:
    """Return W with ``W.T @ products @ W = I``, or None if some eigenvalue is not above `least`."""
    try:
        np.linalg.cholesky(products - least * np.eye(len(products)))
        return np.asarray(np.linalg.inv(np.linalg.cholesky(products)).T)
    except np.linalg.LinAlgError:
        return None


def canonical_influence(analysis: CanonicalCorrelations) -> Floats:
    """Return the influence of each item on each canonical correlation, (n, k).

    ``u v - ρ (u² + v²) / 2`` with u and v the canonical variates; each column has mean zero.

    References
    ----------
    Romanazzi (1992), Influence in canonical correlation analysis, Psychometrika 57.
    """
    u, v, rho = analysis.left, analysis.right, analysis.correlations
    return u * v - 0.5 * rho * (u * u + v * v)


# Denser than this, adding up rows takes longer than a product of dense matrices.
_DENSE = 0.1
# So many multiplications of dense matrices are done before SciPy is imported.
_SMALL = 2_000_000_000
# The share of one column of a product that rounding may change at worst, and in fact does not by a
# tenth of it: far less than what differs between draws.
_ROUNDING = 1e-3
# So many draws are made in one pass over the matrix that is not shuffled; more products than these
# do not stay in a core's cache.
_TOGETHER = 4


def shuffled_products(
    x: Floats, s: Floats, S: Floats, weights: Floats, *, draws: int, shuffles: np.random.Generator
) -> Iterator[Floats]:
    """Yield ``s[order].T @ x`` for one random order of the rows after the other.

    Parameters
    ----------
    x
        Shape (n, d), each column of mean zero.
    s
        Shape (n, k), what is shuffled.
    S, weights
        Shapes (n, p) and (p, k): ``s`` is ``S @ weights`` but for a constant in each column, which
        counts for nothing because the columns of ``x`` are of mean zero. If ``S`` is mostly zeros,
        its rows are shuffled instead, on all cores.
    shuffles
        Gives the orders, ``shuffles.permutation(n)`` one by one.

    Yields
    ------
    Shape (k, d), to about six digits: more than enough for what chance would give.

    Examples
    --------
    >>> import numpy as np
    >>> x, S = np.array([[-1.0], [0.0], [1.0]]), np.array([[3.0], [0.0], [0.0]])
    >>> shuffles = np.random.default_rng(0)
    >>> list(shuffled_products(x, S - 1, S, np.eye(1), draws=2, shuffles=shuffles))
    [array([[0.]]), array([[3.]])]
    """
    large = draws * S.size * x.shape[1] > _SMALL
    precision = _precision(s, S, weights) if large else None
    if precision is None:
        left, right = np.ascontiguousarray(x.T, dtype=np.float32), s.astype(np.float32)
        for _ in range(draws):
            shuffled = right.take(shuffles.permutation(len(right)), axis=0)
            yield (left @ shuffled).T.astype(np.float64)
        return
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    products = _sparse_products(x.astype(precision), S.astype(precision))
    batches = (
        np.array([shuffles.permutation(len(s)) for _ in range(min(_TOGETHER, draws - first))])
        for first in range(0, draws, _TOGETHER)
    )
    threads = thread_count()
    pending: deque[Future[Floats]] = deque()
    # The threads of BLAS would get in the way of these, and each of its products is small.
    with threadpool_limits(1, user_api="blas"), ThreadPoolExecutor(threads) as pool:
        for batch in batches:
            pending.append(pool.submit(lambda orders: weights.T @ products(orders), batch))
            # A few ahead, so that no thread waits for what is done with the tables.
            if len(pending) > threads:
                yield from pending.popleft().result()
        while pending:
            yield from pending.popleft().result()


def _precision(s: Floats, S: Floats, weights: Floats) -> type[np.floating[Any]] | None:
    """Return the type of numbers that products with ``S`` need, or None if they do not pay."""
    if np.count_nonzero(S) > _DENSE * S.size:
        return None
    # Large columns that almost cancel out leave little but what was lost in rounding them.
    cancelling = (np.linalg.norm(S, axis=0) @ np.abs(weights) / np.linalg.norm(s, axis=0)).max()
    for precision in (np.float32, np.float64):
        if cancelling * np.finfo(precision).eps < _ROUNDING:
            return precision
    return None


def _sparse_products(
    x: NDArray[np.floating[Any]], S: NDArray[np.floating[Any]]
) -> Callable[[Indices], NDArray[np.floating[Any]]]:
    """Return what maps b orders of the rows of ``S``, (b, n), to the products (b, p, d)."""
    # Importing it takes long.
    from scipy.sparse import block_diag, csr_array

    n, p = S.shape
    # Side by side, and each copy has columns of its own.
    copies = block_diag([csr_array(S)] * _TOGETHER, format="csr")

    def products(orders: Indices) -> NDArray[np.floating[Any]]:
        b = len(orders)
        picked = copies[(orders + n * np.arange(b)[:, None]).T.ravel()]
        rows = csr_array((picked.data, picked.indices, picked.indptr[::b]), (n, copies.shape[1]))
        sums = np.asarray(rows.T @ x)
        return sums.reshape(_TOGETHER, p, x.shape[1])[:b]

    return products
