"""Whether two variables are correlated at all: a permutation test of Pearson's r or Spearman's rho.

Many pairs of variables of the same items are tested with the same orders, which are made once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, permutations

import numpy as np
from numpy.typing import ArrayLike

from lydite.errors import InputError
from lydite.stats.correlation import pearson
from lydite.stats.ranks import midranks
from lydite.types import Floats, Indices

#: Up to so many items all orders are tried, whatever number was asked for.
ALWAYS_EXACT = 7

# Correlations this close are ties that rounding has parted.
_TOLERANCE = 1e-12


@dataclass(frozen=True, kw_only=True)
class CorrelationTest:
    """The outcome of a permutation test of a correlation.

    Attributes
    ----------
    r
        The correlation.
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
    x: ArrayLike, y: ArrayLike, *, ranked: bool = False, resamples: int = 10_000, seed: int
) -> CorrelationTest:
    """Test whether two variables are correlated, two-sided.

    If the variables had nothing to do with each other, any order of the one would go as well with
    the other. The observed correlation is set against those of all n! orders, if n is at most 7
    or they are no more than ``resamples``, and p is the share of orders whose correlation is at
    least as strong; else against those of random orders, and p is ``(1 + strong) / (1 +
    resamples)``, which keeps the level for any number of them.

    Parameters
    ----------
    x, y
        Shape (n,), n at least 3, finite, neither constant.
    ranked
        Spearman's rho in place of Pearson's r; ties share the mean of their ranks.
    resamples
        The number of random orders.
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
    tried, exact = _orders(left.size, resamples, seed)
    strengths = np.abs(unit_length(left)[tried] @ unit_length(right))
    strong = int(np.count_nonzero(strengths >= abs(r) - _TOLERANCE))
    return CorrelationTest(
        r=r,
        p_value=strong / len(tried) if exact else (1 + strong) / (1 + len(tried)),
        resamples=len(tried),
        exact=exact,
    )


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
    """Centre and scale to length 1.

    >>> unit_length(np.array([1.0, 1.0, 4.0, 4.0]))
    array([-0.5, -0.5,  0.5,  0.5])
    """
    # In units of the range, so that nothing over- or underflows.
    shifted = (values - values.min()) / (values.max() - values.min())
    shifted -= shifted.mean()
    return np.asarray(shifted / np.sqrt(shifted @ shifted))
