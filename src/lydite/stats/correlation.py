"""Pearson and Spearman correlations: one pair, many resamples, all pairs of columns."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from lydite.errors import InputError, UndefinedScoreError
from lydite.stats.ranks import midranks, resampled_midranks
from lydite.types import Floats, Indices, Mask

MIN_ITEMS = 3


@dataclass(frozen=True, kw_only=True)
class ColumnCorrelations:
    """Correlations of the columns of two matrices.

    Attributes
    ----------
    values
        Shape (d, p). NaN in the rows and columns of constant columns.
    left_constant, right_constant
        Shapes (d,) and (p,). True where a column has no variance.
    """

    values: Floats
    left_constant: Mask
    right_constant: Mask


def pearson(x: ArrayLike, y: ArrayLike) -> float:
    """Return Pearson's r of two variables.

    Parameters
    ----------
    x, y
        Shape (n,), n at least 3, finite, neither constant; else an `UndefinedScoreError`.

    Examples
    --------
    >>> round(pearson([1.0, 2.0, 3.0], [1.0, 2.0, 4.0]), 4)
    0.982
    """
    left, right = _pair(x, y)
    return float(pearson_rows(left[np.newaxis], right)[0])


def spearman(x: ArrayLike, y: ArrayLike) -> float:
    """Return Spearman's rho of two variables: Pearson's r of their midranks.

    Parameters
    ----------
    x, y
        Shape (n,), n at least 3, without NaN, neither constant; else an `UndefinedScoreError`.

    Examples
    --------
    >>> round(spearman([1.0, 2.0, 3.0, 4.0], [10.0, 100.0, 100.0, 1000.0]), 4)
    0.9487
    """
    return pearson(midranks(x), midranks(y))


def pearson_rows(X: ArrayLike, Y: ArrayLike) -> Floats:
    """Return Pearson's r of each row, (b,), for resampling.

    ``X`` is (b, n); ``Y`` is (b, n), or (n,) to set every row of ``X`` against the same values. NaN
    where r is undefined: fewer than 3 items, no variance, NaN.

    Examples
    --------
    >>> pearson_rows([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0], [1.0, 1.0, 1.0]], [0.0, 1.0, 2.0])
    array([ 1., -1., nan])
    """
    left = np.asarray(X, dtype=np.float64)
    right = np.asarray(Y, dtype=np.float64)
    if left.ndim != 2 or right.shape not in {left.shape, left.shape[1:]}:
        raise InputError(
            f"expected arrays (b, n) and (b, n) or (n,), got shapes {left.shape} and {right.shape}"
        )
    if left.shape[1] < MIN_ITEMS:
        return np.full(left.shape[0], np.nan)
    r: Floats = (_unit(left) * _unit(right)).sum(axis=-1)
    return r.clip(-1.0, 1.0)


def spearman_rows(X: ArrayLike, Y: ArrayLike) -> Floats:
    """Return Spearman's rho of each row; shapes as in :func:`pearson_rows`.

    Examples
    --------
    >>> spearman_rows([[1.0, 2.0, 9.0], [9.0, 2.0, 1.0]], [0.0, 1.0, 2.0])
    array([ 1., -1.])
    """
    return pearson_rows(midranks(X), midranks(Y))


def resampled_spearman(x: ArrayLike, y: ArrayLike) -> Callable[[Indices], Floats]:
    """Return a statistic for the bootstrap: Spearman's rho of resampled items.

    It gives what ``spearman_rows(x[indices], y[indices])`` gives, but sorts the items once and not
    every resample. Both variables are (n,), without NaN.

    Examples
    --------
    >>> import numpy as np
    >>> rho = resampled_spearman([1.0, 2.0, 3.0, 4.0], [1.0, 3.0, 2.0, 4.0])
    >>> rho(np.array([[0, 1, 2, 3], [0, 1, 3, 3]]))
    array([0.8, 1. ])
    """
    left = np.unique(midranks(x), return_inverse=True)[1]
    right = np.unique(midranks(y), return_inverse=True)[1]
    if left.ndim != 1 or left.shape != right.shape:
        raise _shape_error(left.shape, right.shape)

    def statistic(indices: Indices) -> Floats:
        return pearson_rows(resampled_midranks(left, indices), resampled_midranks(right, indices))

    return statistic


def correlation_matrix(X: ArrayLike, S: ArrayLike) -> ColumnCorrelations:
    """Correlate every column of one matrix with every column of another, in one product.

    The matrices are (n, d) and (n, p), finite; the correlations are Pearson's, in double precision.

    Examples
    --------
    >>> X = [[1.0, 5.0], [2.0, 5.0], [3.0, 5.0]]
    >>> result = correlation_matrix(X, [[2.0], [1.0], [0.0]])
    >>> result.values.round(6).tolist()
    [[-1.0], [nan]]
    >>> result.left_constant.tolist()
    [False, True]
    """
    left = np.asarray(X, dtype=np.float64)
    right = np.asarray(S, dtype=np.float64)
    if left.ndim != 2 or right.ndim != 2 or len(left) != len(right):
        raise InputError(
            f"expected matrices (n, d) and (n, p), got shapes {left.shape} and {right.shape}"
        )
    _require_items(len(left))
    for name, matrix in (("left", left), ("right", right)):
        if not np.isfinite(matrix).all():
            raise UndefinedScoreError(
                f"the {name} matrix holds values that are not finite",
                hint="leave items without a value out, and report the coverage",
            )
    left, left_lengths = _centered(left)
    right, right_lengths = _centered(right)
    with np.errstate(invalid="ignore", divide="ignore"):
        values = left.T @ right / np.outer(left_lengths, right_lengths)
    return ColumnCorrelations(
        values=values.clip(-1.0, 1.0),
        left_constant=left_lengths == 0,
        right_constant=right_lengths == 0,
    )


def _centered(columns: Floats) -> tuple[Floats, Floats]:
    """Center each column; returns the columns and their lengths, 0 where all values are equal."""
    # Shifting by the first value is exact where it matters, so that a large common offset costs
    # no digits and equal values are exactly equal; scaling by the largest avoids overflow.
    shifted = columns - columns[0]
    sizes = np.maximum(shifted.max(axis=0), -shifted.min(axis=0))
    if sizes.max() > 1e100 or (sizes[sizes > 0] < 1e-100).any():
        shifted /= np.where(sizes > 0, sizes, 1.0)
    shifted -= shifted.mean(axis=0)
    shifted[:, sizes == 0] = 0.0
    return shifted, np.sqrt(np.einsum("ij,ij->j", shifted, shifted))


def pearson_influence(x: ArrayLike, y: ArrayLike) -> Floats:
    """Return what each item adds to Pearson's r, to first order.

    ``IF_i = z_x z_y - r / 2 (z_x² + z_y²)`` with z the values in population standard deviations
    from their mean. The values have mean zero; their mean square over n estimates the variance
    of r for independent items.

    References
    ----------
    Devlin, Gnanadesikan & Kettenring (1975), Robust estimation and outlier detection with
    correlation coefficients, Biometrika 62.

    Examples
    --------
    >>> pearson_influence([0.0, 0.0, 1.0, 1.0], [0.0, 1.0, 0.0, 1.0])
    array([ 1., -1., -1.,  1.])
    """
    left, right = _pair(x, y)
    u, v = _unit(left), _unit(right)
    r = float((u * v).sum())
    return left.size * (u * v - r / 2 * (u * u + v * v))


def excess_kurtosis(values: ArrayLike) -> float:
    """Return how heavy the tails are: the mean fourth power of z less 3, 0 for normal values.

    >>> excess_kurtosis([-1.0, 1.0, -1.0, 1.0])
    -2.0
    """
    unit = _unit(np.asarray(values, dtype=np.float64))
    return float(unit.size * (unit**4).sum()) - 3.0


def spearman_influence(x: ArrayLike, y: ArrayLike) -> Floats:
    """Return what each item adds to Spearman's rho, to first order, ranks' own motion included.

    Rho is the functional ``(∫ F G dH - 1/4) / sqrt(V_F V_G)``, F and G the mid-distribution
    functions and ``V_F = ∫ F² dH - 1/4``. An item at (x0, y0) enters through H and also shifts
    F and G; with ``K(s, t) = 1(s < t) + 1(s = t) / 2`` the derivatives are::

        dC   = F(x0) G(y0) + E[K(x0, x) G(y)] + E[F(x) K(y0, y)] - 3 E[F G]
        dV_F = F(x0)² + 2 E[K(x0, x) F(x)] - 3 E[F²]        (and dV_G likewise)
        IF   = dC / sqrt(V_F V_G) - rho / 2 (dV_F / V_F + dV_G / V_G)

    Ties are exact: the denominators are those of the tied data. Time O(n log n).

    References
    ----------
    Croux & Dehon (2010), Influence functions of the Spearman and Kendall correlation measures,
    Statistical Methods & Applications 19 (for continuous data; the terms for ties follow from
    the mid-distribution functions).

    Examples
    --------
    >>> influence = spearman_influence([1.0, 2.0, 3.0, 4.0], [1.0, 3.0, 2.0, 4.0])
    >>> influence.round(2)
    array([ 0.6, -0.6, -0.6,  0.6])
    """
    left, right = _pair(midranks(x), midranks(y))
    F, G = (left - 0.5) / left.size, (right - 0.5) / left.size
    x_tail, y_tail = _tail_means(left), _tail_means(right)
    d_cross = _third_degree(F * G, x_tail(G) + y_tail(F))
    d_left = _third_degree(F * F, 2 * x_tail(F))
    d_right = _third_degree(G * G, 2 * y_tail(G))
    v_left, v_right = float(F.var()), float(G.var())
    scale = math.sqrt(v_left * v_right)
    rho = float(((F - 0.5) * (G - 0.5)).mean()) / scale
    return d_cross / scale - rho / 2 * (d_left / v_left + d_right / v_right)


def _third_degree(own: Floats, through_ranks: Floats) -> Floats:
    # Each moment is of third degree in the items' weights, hence the factor of its mean.
    return own + through_ranks - 3 * float(own.mean())


def _tail_means(ranks: Floats) -> Callable[[Floats], Floats]:
    """Return the operator that maps values to ``E_j[K(x0, x_j) values_j]`` at every item x0."""
    groups = np.unique(ranks, return_inverse=True)[1]

    def operator(values: Floats) -> Floats:
        sums = np.bincount(groups, weights=values)
        from_here = sums[::-1].cumsum()[::-1]
        return (from_here - sums / 2)[groups] / values.size

    return operator


def _unit(values: Floats) -> Floats:
    """Center along the last axis and scale to length 1; NaN where all values are equal."""
    # Shifting to the minimum first is exact where it matters, so a large common offset or scale
    # costs no digits and equal values are exactly equal.
    low = values.min(axis=-1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        shifted: Floats = (values - low) / (values.max(axis=-1, keepdims=True) - low)
        shifted -= shifted.mean(axis=-1, keepdims=True)
        shifted /= np.sqrt((shifted * shifted).sum(axis=-1, keepdims=True))
    return shifted


def _pair(x: ArrayLike, y: ArrayLike) -> tuple[Floats, Floats]:
    left = np.asarray(x, dtype=np.float64)
    right = np.asarray(y, dtype=np.float64)
    if left.ndim != 1 or left.shape != right.shape:
        raise _shape_error(left.shape, right.shape)
    _require_items(left.size)
    for name, values in (("first", left), ("second", right)):
        reason = _undefined_reason(values)
        if reason is not None:
            raise UndefinedScoreError(
                f"the correlation is undefined: the {name} variable {reason}",
                hint="leave items without a value out, and check that the values differ",
            )
    return left, right


def _shape_error(left: tuple[int, ...], right: tuple[int, ...]) -> InputError:
    return InputError(
        f"expected two 1-d arrays of one length, got shapes {left} and {right}",
        hint="both variables must hold one value per item, in the same order",
    )


def _require_items(n: int) -> None:
    if n < MIN_ITEMS:
        raise UndefinedScoreError(
            f"a correlation needs at least {MIN_ITEMS} items, got {n}",
            hint="use more items, or a model that covers more of them",
        )


def _undefined_reason(values: Floats) -> str | None:
    bad = int(np.count_nonzero(~np.isfinite(values)))
    if bad:
        return f"holds {bad} values that are not finite among {values.size}"
    if values.min() == values.max():
        return f"has no variance, all {values.size} values are equal"
    if values.max() / 2 - values.min() / 2 > np.finfo(np.float64).max / 2:
        return "spans more than a double can hold"
    return None
