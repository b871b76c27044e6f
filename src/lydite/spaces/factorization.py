"""Sparse counts weighed by information (PPMI), and truncated singular value decomposition."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lydite.compiled import compiled
from lydite.errors import InputError
from lydite.progress import current_progress
from lydite.spaces.vocabulary import bounds
from lydite.threads import thread_count
from lydite.types import Floats, Indices, Vectors

Columns: TypeAlias = NDArray[np.int32]
Int64s: TypeAlias = NDArray[np.int64]
Tallies: TypeAlias = NDArray[np.uint32]
Singles: TypeAlias = NDArray[np.float32]


@compiled(lambda t: t.void(t.i4[::1], t.u4[::1], t.f8[::1]))
def add_columns(columns: Columns, values: Tallies, sums: Floats) -> None:
    """Add entries up by column."""
    for at in range(columns.shape[0]):
        sums[columns[at]] += values[at]


@compiled(
    lambda t: t.i8(
        t.i8[::1],
        t.i4[::1],
        t.u4[::1],
        t.f8[::1],
        t.f8[::1],
        t.f8,
        t.f8,
        t.i4[::1],
        t.f4[::1],
        t.i8[::1],
    ),
    error_model="numpy",
)
def positive_information(  # noqa: PLR0913, PLR0917 - compiled code takes arrays one by one
    starts: Int64s,
    columns: Columns,
    values: Tallies,
    row_sums: Floats,
    column_sums: Floats,
    total: float,
    shift: float,
    kept: Columns,
    information: Singles,
    lengths: Int64s,
) -> int:
    """Keep the entries whose pointwise mutual information exceeds the shift.

    Parameters
    ----------
    starts, columns, values
        Counts of r rows; ``starts`` begins with 0.
    row_sums, column_sums, total
        Shapes (r,), (n,): what an entry is divided by, and multiplied with.
    kept, information
        Filled with the columns that stay, and what stands there.
    lengths
        Shape (r,): filled with how many stay in each row.
    """
    filled = 0
    for row in range(row_sums.shape[0]):
        before = filled
        for at in range(starts[row], starts[row + 1]):
            product = row_sums[row] * column_sums[columns[at]]
            value = np.float32(np.log(values[at] * total / product) - shift)
            if value > 0:
                kept[filled] = columns[at]
                information[filled] = value
                filled += 1
        lengths[row] = filled - before
    return filled


@compiled(
    lambda t: t.void(t.i8[::1], t.i4[::1], t.f4[::1], t.f8[::1], t.f8[::1], t.i8, t.i8),
    fastmath=True,
)
def multiply_rows(
    starts: Int64s,
    columns: Columns,
    values: Singles,
    vector: Floats,
    out: Floats,
    first: int,
    last: int,
) -> None:
    """Multiply the rows from ``first`` to before ``last`` with a vector."""
    for row in range(first, last):
        total = 0.0
        for at in range(starts[row], starts[row + 1]):
            total += values[at] * vector[columns[at]]
        out[row] = total


#: Entries that are weighted at a time, by each thread.
_BLOCK = 1 << 20


@dataclass(frozen=True, kw_only=True, eq=False)
class SparseMatrix:
    """A matrix in compressed rows.

    Attributes
    ----------
    starts
        Shape (n + 1,): row i is ``starts[i]`` to ``starts[i + 1]`` of the other two.
    columns
        Ascending in each row.
    values
        None of them 0.
    """

    starts: Indices
    columns: NDArray[np.int32]
    values: Vectors
    width: int

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and columns."""
        return len(self.starts) - 1, self.width


def ppmi(
    starts: Indices,
    columns: NDArray[np.int32],
    values: NDArray[np.uint32],
    *,
    width: int | None = None,
    cds: float = 1.0,
    shift: float = 1.0,
) -> SparseMatrix:
    """Weigh counts by their positive pointwise mutual information, as Hyperwords does.

    ``max(log(#(w,c) · Σ #(c)^cds / (#(w) · #(c)^cds)) - log(shift), 0)``

    Parameters
    ----------
    starts, columns, values
        Counts of n words, in compressed rows.
    width
        The number of contexts; n by default.
    cds
        Context distribution smoothing: the exponent of the counts of contexts. 0.75 makes rare
        contexts count less.
    shift
        How many negative samples; its logarithm is subtracted (``neg``).

    References
    ----------
    Levy, Goldberg & Dagan (2015), Improving distributional similarity with lessons learned from
    word embeddings, TACL 3, sections 2 and 3.

    Examples
    --------
    >>> counts = np.array([3, 1, 1, 3], dtype=np.uint32)
    >>> weighed = ppmi(np.array([0, 2, 4]), np.array([0, 1, 0, 1], dtype=np.int32), counts)
    >>> weighed.columns.tolist(), np.exp(weighed.values).round(6).tolist()
    ([0, 1], [1.5, 1.5])
    """
    if not 0 <= cds <= 1:
        raise InputError(f"expected cds from 0 to 1, got {cds}", hint="0.75 is usual, 1 is none")
    if not (math.isfinite(shift) and shift > 0):
        raise InputError(f"expected a shift above 0, got {shift}", hint="1 shifts nothing")
    width = len(starts) - 1 if width is None else width
    row_sums, column_sums = _margins(starts, columns, values, width)
    contexts = np.power(column_sums, cds, where=column_sums > 0, out=np.zeros(width))
    return _weighed(starts, columns, values, row_sums, contexts, math.log(shift))


def _margins(
    starts: Indices, columns: NDArray[np.int32], values: NDArray[np.uint32], width: int
) -> tuple[Floats, Floats]:
    row_sums, column_sums = np.zeros(len(starts) - 1), np.zeros(width)
    for first, last in _row_blocks(starts):
        begin, end = int(starts[first]), int(starts[last])
        counted = np.ascontiguousarray(values[begin:end])
        running = bounds(counted.astype(np.int64))
        row_sums[first:last] = np.diff(running[starts[first : last + 1] - begin])
        add_columns(np.array(columns[begin:end]), counted.copy(), column_sums)
    return row_sums, column_sums


def _weighed(
    starts: Indices,
    columns: NDArray[np.int32],
    values: NDArray[np.uint32],
    row_sums: Floats,
    contexts: Floats,
    shift: float,
) -> SparseMatrix:
    total = float(contexts.sum())

    def weigh(block: tuple[int, int]) -> tuple[NDArray[np.int32], Vectors, Indices]:
        first, last = block
        begin, end = int(starts[first]), int(starts[last])
        kept = np.empty(end - begin, dtype=np.int32)
        information = np.empty(end - begin, dtype=np.float32)
        lengths = np.empty(last - first, dtype=np.int64)
        filled = positive_information(
            starts[first : last + 1] - begin,
            # Mapped arrays may be read-only, which compiled code does not take.
            np.array(columns[begin:end]),
            np.array(values[begin:end]),
            row_sums[first:last],
            contexts,
            total,
            shift,
            kept,
            information,
            lengths,
        )
        return kept[:filled].copy(), information[:filled].copy(), lengths

    with ThreadPoolExecutor(thread_count()) as pool:
        parts = list(pool.map(weigh, _row_blocks(starts)))
    return SparseMatrix(
        starts=bounds(np.concatenate([part[2] for part in parts])),
        columns=np.concatenate([part[0] for part in parts]),
        values=np.concatenate([part[1] for part in parts]),
        width=len(contexts),
    )


def _row_blocks(starts: Indices) -> list[tuple[int, int]]:
    """Divide rows into blocks of about so many entries."""
    rows = len(starts) - 1
    marks = np.arange(starts[0], starts[-1], _BLOCK)
    edges = np.unique(np.append(np.searchsorted(starts[:-1], marks), [0, rows])).tolist()
    return list(itertools.pairwise(edges))


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
    """Decompose a sparse matrix (n, m) into at most min(n, m) terms.

    PROPACK's Lanczos bidiagonalization in scipy, in float64, with products on all cores; the
    result does not depend on their number. ARPACK takes its place where the rank is less than
    ``dim``. The seed is that of the vector they start with, and moves nothing but the last digits.

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
            "expected words that occur together more often than by chance, got none",
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

    def counted(product: Callable[[ArrayLike], Floats], vector: ArrayLike) -> Floats:
        nonlocal done
        done += 1
        progress("factorizing", done, None)
        return product(vector)

    with ThreadPoolExecutor(thread_count()) as pool:
        operator = LinearOperator(
            shape=matrix.shape,
            dtype=np.float64,
            matvec=partial(counted, _product(matrix, pool)),
            rmatvec=partial(counted, _product(_transposed(matrix), pool)),
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
