"""Adjusted p-values for many tests at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from lydite.errors import InputError
from lydite.types import Floats


def holm(p: ArrayLike) -> Floats:
    """Adjust p-values so that the chance of any false rejection stays below the level.

    ``p~_(i) = max_{j ≤ i} min(1, (m - j + 1) p_(j))`` over the sorted p-values, under any
    dependence between the tests.

    References
    ----------
    Holm (1979), A simple sequentially rejective multiple test procedure, Scandinavian Journal of
    Statistics 6.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    """
    values = _p_values(p)
    order = np.argsort(values, kind="stable")
    factors = np.arange(values.size, 0, -1)
    adjusted = np.empty(values.size)
    adjusted[order] = np.maximum.accumulate(values[order] * factors)
    return np.minimum(adjusted, 1.0)


def benjamini_hochberg(p: ArrayLike) -> Floats:
    """Adjust p-values so that the expected share of false rejections stays below the level.

    ``p~_(i) = min_{j ≥ i} min(1, m p_(j) / j)`` over the sorted p-values, for tests that are
    independent or positively dependent.

    References
    ----------
    Benjamini & Hochberg (1995), Controlling the false discovery rate, JRSS B 57.

    Examples
    --------
    >>> benjamini_hochberg([0.01, 0.04, 0.03])
    array([0.03, 0.04, 0.04])
    """
    values = _p_values(p)
    order = np.argsort(values, kind="stable")[::-1]
    factors = values.size / np.arange(values.size, 0, -1)
    adjusted = np.empty(values.size)
    adjusted[order] = np.minimum.accumulate(values[order] * factors)
    return np.minimum(adjusted, 1.0)


def _p_values(p: ArrayLike) -> Floats:
    values = np.asarray(p, dtype=np.float64)
    if values.ndim != 1:
        raise InputError(f"expected a 1-d array of p-values, got shape {values.shape}")
    wrong = values[~((values >= 0) & (values <= 1))]
    if wrong.size:
        raise InputError(
            f"expected p-values between 0 and 1, got {wrong[0]}",
            hint="leave tests without a p-value out before adjusting the others",
        )
    return values
