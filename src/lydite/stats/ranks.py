"""Ranks with ties."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from lydite.errors import InputError, UndefinedScoreError
from lydite.types import Floats, Indices


def midranks(x: ArrayLike) -> Floats:
    """Rank values from 1 upwards along the last axis; ties share the mean of their ranks.

    Infinite values are ranked, NaN is refused.

    Examples
    --------
    >>> midranks([10.0, 30.0, 20.0, 20.0])
    array([1. , 4. , 2.5, 2.5])
    """
    values = np.asarray(x, dtype=np.float64)
    if values.ndim not in {1, 2}:
        raise InputError(f"expected an array (n,) or (b, n) to rank, got shape {values.shape}")
    missing = int(np.count_nonzero(np.isnan(values)))
    if missing:
        raise UndefinedScoreError(
            f"{missing} of {values.size} values to rank are NaN",
            hint="leave items without a value out, and report the coverage",
        )
    order = np.argsort(values, axis=-1)
    ranks = np.empty(values.shape)
    np.put_along_axis(ranks, order, _sorted_midranks(values, order), axis=-1)
    return ranks


def _sorted_midranks(values: Floats, order: Indices) -> Floats:
    ordered = np.take_along_axis(values, order, axis=-1)
    places = np.arange(values.shape[-1])
    opens = np.ones(values.shape, dtype=np.bool_)
    opens[..., 1:] = ordered[..., 1:] != ordered[..., :-1]
    closes = np.ones(values.shape, dtype=np.bool_)
    closes[..., :-1] = opens[..., 1:]
    first = np.maximum.accumulate(np.where(opens, places, 0), axis=-1)
    backwards = np.where(closes, places, places.size)[..., ::-1]
    last = np.minimum.accumulate(backwards, axis=-1)[..., ::-1]
    return (first + last) / 2 + 1


def resampled_midranks(codes: Indices, indices: Indices) -> Floats:
    """Rank resamples of one array without sorting them, by counting.

    Parameters
    ----------
    codes
        Shape (n,). The dense ranks of the array, from 0: ``np.unique(x, return_inverse=True)[1]``.
    indices
        Shape (b, m). The items of each resample; the result equals ``midranks(x[indices])``.

    Examples
    --------
    >>> import numpy as np
    >>> resampled_midranks(np.array([1, 0, 2]), np.array([[0, 0, 1]]))
    array([[2.5, 2.5, 1. ]])
    """
    drawn = codes[indices]
    kinds = int(codes.max()) + 1
    rows = np.arange(drawn.shape[0])[:, np.newaxis]
    counts = np.bincount((drawn + rows * kinds).ravel(), minlength=rows.size * kinds)
    counts = counts.reshape(rows.size, kinds)
    ranks = counts.cumsum(axis=1) - (counts - 1) / 2
    return np.take_along_axis(ranks, drawn, axis=1)
