"""Products of one matrix with another whose rows are shuffled: what would be found by chance.

Most words have one to three of an oracle's properties, so that adding up the rows that have a
property takes far fewer operations than a product with columns that centring has made dense.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydite.threads import thread_count
from lydite.types import Floats, Indices

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
    draws
        How many orders.
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
