"""Tests of correlations: against none, against each other, and how much a sample can show.

All assume independent items, or independent blocks of them where blocks are given; how much a
sample can show also assumes two normal variables, and Spearman's rho needs a little more of
everything. Two correlations that share a variable and rest on the same items are themselves
correlated, so their intervals may overlap widely where the difference is certain, and the other way
round. Many pairs of variables of the same items are tested with the same orders, which are made
once.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, permutations
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from lydite.errors import InputError, UndefinedScoreError
from lydite.stats.bootstrap import Interval
from lydite.stats.correlation import pearson, pearson_rows, spearman_rows
from lydite.stats.ranks import midranks
from lydite.types import Floats, Indices

#: Up to so many items, or blocks of them, all orders are tried, whatever number is wanted.
ALWAYS_EXACT = 9

# Correlations this close are ties that rounding has parted.
_TOLERANCE = 1e-12


@dataclass(frozen=True, kw_only=True)
class CorrelationTest:
    """The outcome of a permutation test of a correlation.

    Attributes
    ----------
    p_value
        The chance of one as strong, of either sign, if the values were put together at random.
    resamples
        The number of orders that were tried.
    exact
        Whether these were all there are.
    """

    r: float
    p_value: float
    resamples: int
    exact: bool


def correlation_test(
    x: ArrayLike,
    y: ArrayLike,
    *,
    ranked: bool = False,
    blocks: ArrayLike | None = None,
    resamples: int = 10_000,
    seed: int,
) -> CorrelationTest:
    """Test whether two variables are correlated, two-sided.

    If the variables had nothing to do with each other, any order of the one would go as well with
    the other. The observed correlation is set against those of all n! orders, if n is at most 9
    or they are no more than ``resamples``, and p is the share of orders whose correlation is at
    least as strong; else against those of random orders, and p is ``(1 + strong) / (1 +
    resamples)``, which keeps the level for any number of them.

    Parameters
    ----------
    x, y
        Shape (n,), n at least 3, finite, neither constant.
    ranked
        Spearman's rho in place of Pearson's r; ties share the mean of their ranks.
    blocks
        Shape (n,): which items belong together. Whole blocks are put in another order, and the
        items within keep theirs: what goes with an item's place in its block, such as the size of
        a model in its family, is then the same in all orders and no evidence. If blocks are of
        unequal size, their means are put in another order instead.
    seed
        The seed of the orders. Tests of as many items with one seed try the same orders.

    References
    ----------
    Phipson & Smyth (2010), Permutation P-values should never be zero, Statistical Applications
    in Genetics and Molecular Biology 9.

    Examples
    --------
    >>> correlation_test([1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 5.0], seed=1).p_value
    0.08333333333333333
    """
    if resamples < 1:
        raise InputError(f"expected at least 1 resample, got {resamples}", hint="use 10000")
    left, right = (midranks(each) if ranked else np.asarray(each, float) for each in (x, y))
    r = pearson(left, right)
    products = _block_products(left, right, blocks)
    tried, exact = _orders(len(products), resamples, seed)
    strengths = np.abs(products[tried, np.arange(len(products))].sum(axis=1))
    observed = abs(float(np.trace(products)))
    strong = int(np.count_nonzero(strengths >= observed - _TOLERANCE))
    return CorrelationTest(
        r=r,
        p_value=strong / len(tried) if exact else (1 + strong) / (1 + len(tried)),
        resamples=len(tried),
        exact=exact,
    )


def _block_products(left: Floats, right: Floats, blocks: ArrayLike | None) -> Floats:
    """Return the product of every block of the one with every block of the other, (g, g).

    Their sum along an order is the correlation when blocks are in that order.
    """
    if blocks is None:
        return np.outer(unit_length(left), unit_length(right))
    members = block_members(blocks)
    if len({len(each) for each in members}) == 1:
        rows = np.stack(members)
        return np.asarray(unit_length(left)[rows] @ unit_length(right)[rows].T)
    means = [np.array([values[each].mean() for each in members]) for values in (left, right)]
    if any(np.ptp(each) <= _TOLERANCE * np.abs(each).max() for each in means):
        return np.zeros((len(members), len(members)))
    return np.outer(*map(unit_length, means))


def block_members(blocks: ArrayLike) -> list[Indices]:
    """Return the items of each block, in their order.

    >>> [each.tolist() for each in block_members(["b", "a", "b"])]
    [[0, 2], [1]]
    """
    members: dict[object, list[int]] = {}
    for item, block in enumerate(np.asarray(blocks).tolist()):
        members.setdefault(block, []).append(item)
    return [np.array(each, dtype=np.int64) for each in members.values()]


def blocked_interval(
    x: ArrayLike, y: ArrayLike, blocks: ArrayLike, *, ranked: bool = False, level: float = 0.95
) -> Interval | None:
    """Return an interval of a correlation whose items come in blocks, by a jackknife over these.

    ``tanh(atanh r ± t s / (1 - r²))`` with s the standard error when each block in turn is left
    out and t of one less degrees of freedom than there are blocks. None if r is 1 or -1, if it does
    not exist without one of the blocks, or if there are fewer than 3.
    """
    from scipy.special import stdtrit

    left, right = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    correlate = spearman_rows if ranked else pearson_rows
    members = block_members(blocks)
    r = float(correlate(left[None], right[None])[0])
    moved = _without_blocks(correlate, left, right, members)
    if len(members) < _MIN_ITEMS or 1 - abs(r) < _TOLERANCE or not np.isfinite(moved).all():
        return None
    g = len(members)
    spread = math.sqrt((g - 1) / g * float(((moved - moved.mean()) ** 2).sum()))
    below, above = _limits(r, float(stdtrit(g - 1, (1 + level) / 2)) * spread)
    return Interval(low=r - below, high=r + above, level=level, method="jackknife")


def _without_blocks(
    correlate: Callable[[Floats, Floats], Floats], x: Floats, y: Floats, members: list[Indices]
) -> Floats:
    kept = [np.delete(np.arange(x.size), each) for each in members]
    few = any(each.size < _MIN_ITEMS for each in kept)
    if few:
        return np.full(len(members), np.nan)
    return np.array([float(correlate(x[None, each], y[None, each])[0]) for each in kept])


def smallest_p_value(n: int, resamples: int) -> float:
    """Return the smallest p that :func:`correlation_test` can give for n items without ties.

    >>> smallest_p_value(4, 10_000), smallest_p_value(21, 9_999)
    (0.041666666666666664, 0.0001)
    """
    return 1 / math.factorial(n) if _is_exact(n, resamples) else 1 / (1 + resamples)


def _is_exact(n: int, resamples: int) -> bool:
    return n <= ALWAYS_EXACT or math.factorial(n) <= resamples


@lru_cache(maxsize=16)
def _orders(n: int, resamples: int, seed: int) -> tuple[Indices, bool]:
    """Return orders of n items, (b, n), and whether they are all there are."""
    if not _is_exact(n, resamples):
        generator = np.random.default_rng(seed)
        rows = np.broadcast_to(np.arange(n), (resamples, n))
        return generator.permuted(rows, axis=1), False
    every = np.fromiter(
        chain.from_iterable(permutations(range(n))), np.int64, n * math.factorial(n)
    )
    return every.reshape(-1, n), True


def unit_length(values: Floats) -> Floats:
    """Center and scale to length 1.

    >>> unit_length(np.array([1.0, 1.0, 4.0, 4.0]))
    array([-0.5, -0.5,  0.5,  0.5])
    """
    # In units of the range, so that nothing over- or underflows.
    shifted = (values - values.min()) / (values.max() - values.min())
    shifted -= shifted.mean()
    return np.asarray(shifted / np.sqrt(shifted @ shifted))


_MIN_ITEMS = 3


def critical_correlation(n: int, level: float = 0.05) -> float:
    """Return how strong Pearson's r of n items must be to have a two-sided p under ``level``.

    Where there is nothing to find, ``r²`` has the distribution ``Beta(1/2, (n - 2) / 2)``, which
    is the usual t-test written otherwise.

    Examples
    --------
    >>> round(critical_correlation(21), 3), round(critical_correlation(3), 3)
    (0.433, 0.997)
    """
    from scipy.special import betainccinv

    _check(n, level)
    return math.sqrt(float(betainccinv(0.5, (n - 2) / 2, level)))


def detectable_correlation(n: int, level: float = 0.05, power: float = 0.8) -> float:
    """Return the weakest true correlation that a test of n items finds with this power.

    By Fisher's z: ``tanh((z_{1 - level/2} + z_power) / sqrt(n - 3))``; 1 for 3 items.

    Examples
    --------
    >>> round(detectable_correlation(21), 2)
    0.58
    """
    _check(n, level)
    return math.tanh(_distance(level, power) / math.sqrt(n - 3)) if n > _MIN_ITEMS else 1.0


def items_needed(r: float, level: float = 0.05, power: float = 0.8) -> int:
    """Return how many items a test needs to find a true correlation with this power.

    By Fisher's z: ``n = 3 + ((z_{1 - level/2} + z_power) / atanh |r|)²``, rounded up.

    References
    ----------
    Cohen (1988), Statistical power analysis for the behavioral sciences, section 3.4.

    Examples
    --------
    >>> items_needed(0.5), items_needed(0.9)
    (30, 7)
    """
    if not 0 < abs(r) < 1:
        raise InputError(f"expected a correlation between 0 and 1, got {r}", hint="use 0.5")
    _check(_MIN_ITEMS, level)
    return math.ceil(3 + (_distance(level, power) / math.atanh(abs(r))) ** 2)


def _distance(level: float, power: float) -> float:
    if not 0 < power < 1:
        raise InputError(f"expected a power between 0 and 1, got {power}", hint="use 0.8")
    normal = NormalDist()
    return normal.inv_cdf(1 - level / 2) + normal.inv_cdf(power)


def _check(n: int, level: float) -> None:
    if n < _MIN_ITEMS:
        raise InputError(f"a correlation needs at least {_MIN_ITEMS} items, got {n}")
    if not 0 < level < 1:
        raise InputError(f"expected a level between 0 and 1, got {level}", hint="use 0.05")


_MIN_COMPARED = 4

# What is nearer to nought than this is nought that rounding has moved.


@dataclass(frozen=True, kw_only=True)
class ComparedCorrelations:
    """Two correlations with one variable, and the test of their difference.

    Attributes
    ----------
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
    blocks: ArrayLike | None = None,
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
    blocks
        Shape (n,): which items belong together; all items of a block are exchanged, or none.
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
    members = block_members(np.arange(n) if blocks is None else blocks)
    exchanged, exact = _exchanges(len(members), resamples, seed)
    # The sum, the sum of squares and the product with z after exchanges: since x and y have sum 0
    # and length 1, what one of them gains the other loses.
    steps = np.stack([second - first, second**2 - first**2, (second - first) * third])
    summed = np.stack([steps[:, each].sum(axis=1) for each in members], axis=1)
    total, squares, product = summed @ exchanged
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
    x: ArrayLike,
    y: ArrayLike,
    z: ArrayLike,
    *,
    ranked: bool = False,
    blocks: ArrayLike | None = None,
    level: float = 0.95,
) -> Interval:
    """Return a confidence interval of the correlation of x and z less that of y and z.

    Zou's construction: each correlation gets limits of its own, ``tanh(atanh r ± t s / (1 -
    r²))``, and with those, l and u, and c the correlation of the two estimates the lower end is
    ``d - sqrt((r1 - l1)² + (u2 - r2)² - 2 c (r1 - l1)(u2 - r2))``, and the upper end likewise.
    Where Zou takes s and c from normal theory they are those of a jackknife over items here, and t
    is a quantile with n - 1 degrees of freedom: normal theory is far too sure where there are
    outliers. Where items come in blocks, the jackknife leaves out one block after the other.

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
    members = block_members(np.arange(first.size) if blocks is None else blocks)
    n = len(members)
    correlate = spearman_rows if ranked else pearson_rows
    moved = np.stack([_without_blocks(correlate, each, third, members) for each in (first, second)])
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
    if n < _MIN_COMPARED:
        raise UndefinedScoreError(
            f"two correlations are compared over at least {_MIN_COMPARED} items, got {n}",
            hint="use more items",
        )
    return correlations


def _positive(values: Floats) -> Floats:
    """Return the values, NaN where there is nothing left."""
    return np.where(values > _TOLERANCE, values, np.nan)
