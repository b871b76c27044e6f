"""How far the axes of scores run, and how shares are written."""

from __future__ import annotations

import math
from collections.abc import Iterable

from lydite.results.record import Result

#: Coverage below this is marked wherever a score is shown.
ENOUGH_COVERAGE = 0.95

#: What stands in the place of an interval that there is none of.
NO_INTERVAL = "none"

_LADDER = (1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)


def axis(results: Iterable[Result]) -> tuple[float, float]:
    """Return the ends of an axis that holds all scores, intervals and null baselines.

    It starts at 0 unless something is negative, and ends at 1 unless something is larger, so that
    correlations and shares always stand on the same axis.
    """
    least, most = extent(results)
    high = 1.0 if most <= 1.0 else _round_up(most)
    low = 0.0 if least >= 0.0 else -max(_round_up(-least), high / 10)
    return low, high


def extent(results: Iterable[Result]) -> tuple[float, float]:
    """Return the least and the largest of all scores, interval ends and null baselines."""
    values = [
        value
        for result in results
        for value in (result.score, *result.ends, result.baseline.low, result.baseline.high)
    ]
    return min(values), max(values)


def _round_up(value: float) -> float:
    power = 10.0 ** math.floor(math.log10(value))
    # A power of ten that was rounded down would leave the last step just short of the value.
    return next((step * power for step in _LADDER if step * power >= value), 10.0 * power)


def write_percent(share: float) -> str:
    r"""Write a share in per cent, rounded down so that 100 % means all.

    >>> write_percent(0.9996), write_percent(1.0), write_percent(0.29)
    ('99.9\xa0%', '100\xa0%', '29.0\xa0%')
    """
    return "100\u00a0%" if share == 1 else f"{math.floor(round(1000 * share, 6)) / 10:.1f}\u00a0%"


def write_share(part: int, whole: int) -> str:
    r"""Write a share in per cent, rounded down so that 100 % means all.

    >>> write_share(999, 1000), write_share(3, 3), write_share(1999, 2000)
    ('99.9\xa0%', '100\xa0%', '99.9\xa0%')
    """
    if part == whole:
        return "100\u00a0%"
    # In whole numbers, so that 29 of 100 does not become 28.9.
    return f"{1000 * part // whole / 10:.1f}\u00a0%"
