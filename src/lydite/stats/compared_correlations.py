"""Whether one variable goes better with a third than another does.

Two correlations that share a variable and rest on the same items are themselves correlated, so
their intervals may overlap widely where the difference is certain, and the other way round.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from lydite.errors import InputError, UndefinedScoreError
from lydite.stats.bootstrap import Interval
from lydite.stats.correlation import pearson, pearson_rows, spearman_rows
from lydite.stats.permuted_correlation import unit_length
from lydite.stats.ranks import midranks
from lydite.types import Floats

_MIN_ITEMS = 4

# What is nearer to nought than this is nought that rounding has moved.
_TOLERANCE = 1e-12


@dataclass(frozen=True, kw_only=True)
class ComparedCorrelations:
    """Two correlations with one variable, and the test of their difference.

    Attributes
    ----------
    first, second
        The two correlations.
    p_value
        The chance of a difference as clear, of either sign, if the two variables were alike.
    resamples
        The number of exchanges that were tried.
    exact
        Whether these were all there are.
    """

    first: float
    second: float
    p_value: float
    resamples: int
    exact: bool

    @property
    def difference(self) -> float:
        """The first correlation less the second."""
        return self.first - self.second


def compare_correlations(
    x: ArrayLike,
    y: ArrayLike,
    z: ArrayLike,
    *,
    ranked: bool = False,
    resamples: int = 10_000,
    seed: int,
) -> ComparedCorrelations:
    """Test whether x goes better with z than y does, two-sided.

    If x and y, each in standard deviations from its mean, were alike in what they say of z, the
    two values of any item could be exchanged. The observed difference is set against those after
    all 2^n exchanges, if these are no more than ``resamples``, and p is the share that are at
    least as clear; else against those after random exchanges, and p is ``(1 + clear) / (1 +
    resamples)``. How clear a difference is says :func:`squared_williams_t`, which takes into
    account how alike x and y are; the plain difference would reject too often where they are much
    alike.

    Parameters
    ----------
    x, y, z
        Shape (n,), n at least 4, finite, none constant.
    ranked
        Spearman's rho in place of Pearson's r; ties share the mean of their ranks.
    resamples
        The number of random exchanges.
    seed
        The seed of the exchanges. Tests of as many items with one seed try the same exchanges.

    References
    ----------
    Williams (1959), The comparison of regression variables, JRSS B 21. Phipson & Smyth (2010),
    Permutation P-values should never be zero, Statistical Applications in Genetics and Molecular
    Biology 9.

    Examples
    --------
    >>> x, y = [1.0, 2.0, 3.0, 5.0, 4.0], [2.0, 1.0, 5.0, 4.0, 3.0]
    >>> found = compare_correlations(x, y, [1.0, 2.0, 3.0, 4.0, 5.0], seed=1)
    >>> round(found.difference, 3), found.p_value
    (0.4, 0.3125)
    """
    if resamples < 1:
        raise InputError(f"expected at least 1 resample, got {resamples}", hint="use 10000")
    r_xz, r_yz, r_xy = _three(x, y, z, ranked=ranked)
    first, second, third = (
        unit_length(midranks(each) if ranked else np.asarray(each, float)) for each in (x, y, z)
    )
    n = first.size
    exchanged, exact = _exchanges(n, resamples, seed)
    # The sum, the sum of squares and the product with z after exchanges: since x and y have sum 0
    # and length 1, what one of them gains the other loses.
    steps = np.stack([second - first, second**2 - first**2, (second - first) * third])
    total, squares, product = steps @ exchanged
    with np.errstate(invalid="ignore", divide="ignore"):
        left = np.sqrt(_positive(1 + squares - total**2 / n))
        right = np.sqrt(_positive(1 - squares - total**2 / n))
        drawn = squared_williams_t(
            (r_xz + product) / left,
            (r_yz - product) / right,
            (r_xy + total**2 / n) / (left * right),
            n,
        )
    observed = squared_williams_t(np.array(r_xz), np.array(r_yz), np.array(r_xy), n)
    # An exchange that leaves no correlation counts as clear: p may only err upwards.
    clear = drawn.size - int(np.count_nonzero(drawn < observed * (1 - 1e-9) - _TOLERANCE))
    return ComparedCorrelations(
        first=r_xz,
        second=r_yz,
        p_value=clear / drawn.size if exact else (1 + clear) / (1 + drawn.size),
        resamples=drawn.size,
        exact=exact,
    )


def difference_interval(
    x: ArrayLike, y: ArrayLike, z: ArrayLike, *, ranked: bool = False, level: float = 0.95
) -> Interval:
    """Return a confidence interval of the correlation of x and z less that of y and z.

    Zou's construction: each correlation gets limits of its own, ``tanh(atanh r ± t s / (1 -
    r²))``, and with those, l and u, and c the correlation of the two estimates the lower end is
    ``d - sqrt((r1 - l1)² + (u2 - r2)² - 2 c (r1 - l1)(u2 - r2))``, and the upper end likewise.
    Where Zou takes s and c from normal theory they are those of a jackknife over items here, and t
    is a quantile with n - 1 degrees of freedom: normal theory is far too sure where there are
    outliers.

    Parameters
    ----------
    x, y, z, ranked
        As in :func:`compare_correlations`.
    level
        The confidence level.

    Raises
    ------
    UndefinedScoreError
        If a correlation is 1 or -1, or does not exist without one of the items.

    References
    ----------
    Zou (2007), Toward using confidence intervals to compare correlations, Psychological
    Methods 12.

    Examples
    --------
    >>> z = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    >>> x, y = [1.0, 3.0, 2.0, 4.0, 6.0, 5.0], [2.0, 1.0, 5.0, 3.0, 6.0, 4.0]
    >>> interval = difference_interval(x, y, z)
    >>> round(interval.low, 2), round(interval.high, 2)
    (-0.3, 0.95)
    """
    from scipy.special import stdtrit

    r_xz, r_yz, _ = _three(x, y, z, ranked=ranked)
    first, second, third = (np.asarray(each, dtype=np.float64) for each in (x, y, z))
    n = first.size
    kept = np.arange(n - 1)
    rows = kept + (kept >= np.arange(n)[:, np.newaxis])
    correlate = spearman_rows if ranked else pearson_rows
    moved = np.stack([correlate(each[rows], third[rows]) for each in (first, second)])
    if 1 - max(abs(r_xz), abs(r_yz)) < _TOLERANCE or not np.isfinite(moved).all():
        raise UndefinedScoreError(
            f"the interval of the difference of {r_xz:.4g} and {r_yz:.4g} is undefined: the "
            "jackknife cannot tell how sure they are",
            hint="use more items, or report the difference alone",
        )
    moved -= moved.mean(axis=1, keepdims=True)
    if not np.ptp(moved[0] - moved[1]) > _TOLERANCE:
        return Interval(low=r_xz - r_yz, high=r_xz - r_yz, level=level, method="zou-jackknife")
    spread = np.sqrt((n - 1) / n * (moved**2).sum(axis=1))
    reach = float(stdtrit(n - 1, (1 + level) / 2)) * spread
    scale = float(spread[0] * spread[1])
    together = (n - 1) / n * float(moved[0] @ moved[1]) / scale if scale > 0 else 0.0
    first_down, first_up = _limits(r_xz, float(reach[0]))
    second_down, second_up = _limits(r_yz, float(reach[1]))
    return Interval(
        low=r_xz - r_yz - _combined(first_down, second_up, together),
        high=r_xz - r_yz + _combined(first_up, second_down, together),
        level=level,
        method="zou-jackknife",
    )


def _limits(r: float, reach: float) -> tuple[float, float]:
    """Return how far the limits of a correlation are below and above it."""
    step = reach / (1 - r * r)
    return r - math.tanh(math.atanh(r) - step), math.tanh(math.atanh(r) + step) - r


def _combined(one: float, other: float, together: float) -> float:
    return math.sqrt(max(0.0, one * one + other * other - 2 * together * one * other))


def squared_williams_t(r_xz: Floats, r_yz: Floats, r_xy: Floats, n: int) -> Floats:
    """Return the square of Williams' t of the difference of two correlations that share a variable.

    ``t = (r_xz - r_yz) sqrt((n - 1)(1 + r_xy) / (2 |R| (n - 1) / (n - 3) + m² (1 - r_xy)³))`` with
    |R| the determinant of the three correlations and m the mean of the two; n - 3 degrees of
    freedom if the variables are normal. It is 0 if x and y are the same, infinite if z is nothing
    but the difference of x and y, and NaN where a correlation is.

    With the correlations a and b of z with the sum and the difference of x and y its square reads
    ``b² / ((1 - a² - b²) / (n - 3) + a² (1 - r_xy)² / (4 (n - 1)))``, which exists where x is -y
    too.

    References
    ----------
    Steiger (1980), Tests for comparing elements of a correlation matrix, Psychological Bulletin 87.
    """
    alike, unlike = 1 + r_xy, 1 - r_xy
    with np.errstate(invalid="ignore", divide="ignore"):
        a = np.where(alike > _TOLERANCE, (r_xz + r_yz) ** 2 / (2 * alike), 0 * alike)
        b = np.where(unlike > _TOLERANCE, (r_xz - r_yz) ** 2 / (2 * unlike), 0 * unlike)
        rest = np.maximum(1 - a - b, 0) / (n - 3) + a * unlike**2 / (4 * (n - 1))
        squared = np.where((b > 0) | np.isnan(b), b / rest, 0.0)
    return np.asarray(squared)


@lru_cache(maxsize=16)
def _exchanges(n: int, resamples: int, seed: int) -> tuple[Floats, bool]:
    """Return which of n items are exchanged, 1 or 0, (n, b), and whether these are all."""
    if 2**n <= resamples:
        return (np.arange(2**n) >> np.arange(n)[:, np.newaxis] & 1).astype(np.float64), True
    drawn = np.random.default_rng(seed).integers(0, 2, size=(n, resamples), dtype=np.int8)
    return drawn.astype(np.float64), False


def _three(x: ArrayLike, y: ArrayLike, z: ArrayLike, *, ranked: bool) -> tuple[float, float, float]:
    first, second, third = (midranks(each) if ranked else each for each in (x, y, z))
    correlations = pearson(first, third), pearson(second, third), pearson(first, second)
    n = np.asarray(third).size
    if n < _MIN_ITEMS:
        raise UndefinedScoreError(
            f"two correlations are compared over at least {_MIN_ITEMS} items, got {n}",
            hint="use more items",
        )
    return correlations


def _positive(values: Floats) -> Floats:
    """Return the values, NaN where there is nothing left."""
    return np.where(values > _TOLERANCE, values, np.nan)
