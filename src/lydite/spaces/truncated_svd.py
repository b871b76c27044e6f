"""The largest singular values of a sparse matrix, and their vectors."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from lydite.errors import InputError
from lydite.spaces.ppmi import SparseMatrix
from lydite.spaces.sparse_kernel import multiply_rows
from lydite.threads import thread_count
from lydite.types import Floats, current_progress

#: Up to so many rows or columns the whole decomposition is as quick, and surely right.
_SMALL = 500


@dataclass(frozen=True, kw_only=True, eq=False)
class TruncatedSvd:
    """The first k terms of a singular value decomposition.

    Attributes
    ----------
    left
        Shape (n, k), orthonormal columns; the largest entry of each, by size, is positive.
    sizes
        Shape (k,), the singular values, descending.
    right
        Shape (m, k), orthonormal columns.
    """

    left: Floats
    sizes: Floats
    right: Floats


def truncated_svd(matrix: SparseMatrix, dim: int, *, seed: int = 0) -> TruncatedSvd:
    """Decompose a sparse matrix.

    PROPACK's Lanczos bidiagonalisation in scipy, in float64, with products on all cores; the
    result does not depend on their number. ARPACK takes its place where the rank is less than
    ``dim``. The seed is that of the vector they start with, and moves nothing but the last digits.

    Parameters
    ----------
    matrix
        Shape (n, m).
    dim
        How many terms: at most the smaller of n and m.

    References
    ----------
    Larsen (1998), Lanczos bidiagonalization with partial reorthogonalization.

    Examples
    --------
    >>> values = np.array([3, -2], dtype=np.float32)
    >>> columns = np.array([1, 0], dtype=np.int32)
    >>> matrix = SparseMatrix(starts=np.arange(3), columns=columns, values=values, width=2)
    >>> found = truncated_svd(matrix, 1)
    >>> found.left[:, 0].tolist(), found.sizes.tolist(), found.right[:, 0].tolist()
    ([1.0, 0.0], [3.0], [0.0, 1.0])
    """
    smaller = min(matrix.shape)
    if not 1 <= dim <= smaller:
        raise InputError(
            f"expected from 1 to {smaller} dimensions for a matrix of {matrix.shape[0]} words and "
            f"{matrix.shape[1]} contexts, got {dim}",
            hint="ask for fewer dimensions, use a larger corpus, or a smaller min_count",
        )
    if not matrix.values.any():
        raise InputError(
            "expected words that stand together more often than by chance, got none",
            hint="use a larger corpus, or a smaller shift",
        )
    few = smaller <= max(_SMALL, 2 * dim)
    left, sizes, right = _dense(matrix) if few else _sparse(matrix, dim, seed)
    order = np.argsort(-sizes, kind="stable")[:dim]
    left, right = left[:, order], right[:, order]
    largest = np.abs(left).argmax(axis=0)
    signs = np.where(left[largest, np.arange(dim)] < 0, -1.0, 1.0)
    return TruncatedSvd(left=left * signs, sizes=sizes[order], right=right * signs)


def _dense(matrix: SparseMatrix) -> tuple[Floats, Floats, Floats]:
    whole = np.zeros(matrix.shape)
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.starts))
    whole[rows, matrix.columns] = matrix.values
    left, sizes, right = np.linalg.svd(whole, full_matrices=False)
    return left, sizes, right.T


def _sparse(matrix: SparseMatrix, dim: int, seed: int) -> tuple[Floats, Floats, Floats]:
    from scipy.sparse.linalg import LinearOperator, svds
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    generator = np.random.default_rng(seed)
    progress, done = current_progress(), 0

    def told(product: Callable[[ArrayLike], Floats], vector: ArrayLike) -> Floats:
        nonlocal done
        done += 1
        progress("factorising", done, None)
        return product(vector)

    with ThreadPoolExecutor(thread_count()) as pool:
        operator = LinearOperator(
            shape=matrix.shape,
            dtype=np.float64,
            matvec=partial(told, _product(matrix, pool)),
            rmatvec=partial(told, _product(_transposed(matrix), pool)),
        )
        start = generator.normal(size=matrix.shape[0]), generator.normal(size=min(matrix.shape))
        # Their vectors are too short for several threads, which would only wait for each other.
        with threadpool_limits(1):
            try:
                left, sizes, right = svds(
                    operator, dim, v0=start[0], solver="propack", rng=generator
                )
            except np.linalg.LinAlgError:
                left, sizes, right = svds(
                    operator, dim, v0=start[1], solver="arpack", rng=generator
                )
    return left, sizes.astype(np.float64), right.T


def _transposed(matrix: SparseMatrix) -> SparseMatrix:
    from scipy.sparse import csr_array

    whole = csr_array((matrix.values, matrix.columns, matrix.starts), shape=matrix.shape)
    turned = whole.tocsc()
    return SparseMatrix(
        starts=turned.indptr.astype(np.int64),
        columns=turned.indices.astype(np.int32, copy=False),
        values=turned.data,
        width=matrix.shape[0],
    )


def _product(matrix: SparseMatrix, pool: ThreadPoolExecutor) -> Callable[[ArrayLike], Floats]:
    """Return what multiplies the matrix with a vector, its rows shared out among threads."""
    threads = thread_count()
    shares = np.linspace(0, matrix.starts[-1], threads + 1)[1:-1]
    edges = [0, *np.searchsorted(matrix.starts, shares).tolist(), matrix.shape[0]]

    def multiply(vector: ArrayLike) -> Floats:
        flat = np.array(vector, dtype=np.float64).ravel()
        out = np.empty(matrix.shape[0])
        jobs = [
            pool.submit(
                multiply_rows, matrix.starts, matrix.columns, matrix.values, flat, out, first, last
            )
            for first, last in itertools.pairwise(edges)
        ]
        for job in jobs:
            job.result()
        return out

    return multiply
