"""Cosines, quick in float32 and exact in float64, and how far the two can lie apart."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

import numpy as np

from lydite.errors import InputError
from lydite.types import Floats, Vectors

T = TypeVar("T")


def rounding_margin(dim: int) -> float:
    """Bound the error of a float32 cosine of d dimensions against the float64 one.

    The worst case of a dot product of unit vectors is d units of rounding (Higham, "Accuracy and
    Stability of Numerical Algorithms", section 3.1), and normalising adds a few.
    """
    return float((dim + 8) * np.finfo(np.float32).eps)


def unit_rows(vectors: Vectors) -> Vectors:
    """Scale rows to length one; a zero row stays zero.

    >>> unit_rows(np.array([[3, 4], [0, 0]], dtype=np.float32)).round(3).tolist()
    [[0.6000000238418579, 0.800000011920929], [0.0, 0.0]]
    """
    norms = np.sqrt(np.einsum("ij,ij->i", vectors, vectors, dtype=np.float64))
    scale = np.divide(1.0, norms, out=np.zeros_like(norms), where=norms > 0)
    return np.asarray(vectors * scale[:, None].astype(np.float32))


def exact_cosine(left: Vectors, right: Vectors) -> Floats:
    """Return the float64 cosine of each row of ``left`` with the same row of ``right``.

    Equal vectors give equal bits, whatever stands around them; a zero vector gives 0.

    >>> exact_cosine(np.array([[1, 0]], dtype=np.float32), np.array([[2, 0]], dtype=np.float32))
    array([1.])
    """
    a, b = left.astype(np.float64), right.astype(np.float64)
    dots = (a * b).sum(axis=1)
    norms = np.sqrt((a * a).sum(axis=1) * (b * b).sum(axis=1))
    return np.asarray(np.divide(dots, norms, out=np.zeros_like(dots), where=norms > 0))


def check_queries(vectors: Vectors, queries: Vectors) -> None:
    """Refuse queries of another dimension, or without a direction."""
    if queries.ndim != 2 or queries.shape[1] != vectors.shape[1]:
        raise InputError(
            f"expected queries of {vectors.shape[1]} dimensions, got shape {queries.shape}"
        )
    if not len(vectors):
        raise InputError("expected a space with words, got an empty one")
    flat = np.flatnonzero(~queries.any(axis=1))
    if len(flat):
        raise InputError(
            f"expected queries with a direction, got a zero vector at row {flat[0]}",
            hint="leave words without a vector out before asking for neighbours or ranks",
        )


def over_blocks(work: Callable[[int], T], starts: Sequence[int]) -> Iterator[T]:
    """Run blocks of a matrix product in threads, a few at a time, and yield them in order.

    Each thread gets one core of BLAS, so that what is done with a product runs in parallel too.
    """
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    workers = min(os.cpu_count() or 1, len(starts))
    pending: deque[Future[T]] = deque()
    with threadpool_limits(1, user_api="blas"), ThreadPoolExecutor(workers) as pool:
        for start in starts:
            pending.append(pool.submit(work, start))
            if len(pending) > 2 * workers:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
