"""How much a number of items can say about a correlation: critical values and power.

All assume independent items and, but for chance, two normal variables; Spearman's rho needs a
little more of everything.
"""

from __future__ import annotations

import math
from statistics import NormalDist

from lydite.errors import InputError

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
