"""Bootstrap intervals: of items, or of whole clusters of items."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike

from lydite.engine import in_order
from lydite.errors import InputError, UndefinedScoreError
from lydite.types import Floats, Indices

logger = logging.getLogger(__name__)

#: The most numbers that one array of a block holds, unless a single row is longer.
BLOCK_ELEMENTS = 1 << 18

#: The largest share of replicates that may be undefined.
UNDEFINED_LIMIT = 0.05


def block_heights(rows: int, width: int) -> Iterator[int]:
    """Yield the heights of the blocks into which ``rows`` rows of ``width`` numbers are cut.

    Examples
    --------
    >>> list(block_heights(5, BLOCK_ELEMENTS // 2))
    [2, 2, 1]
    """
    height = max(1, BLOCK_ELEMENTS // max(1, width))
    for start in range(0, rows, height):
        yield min(height, rows - start)


def check_replicates(values: Floats, rows: int) -> Floats:
    """Return what a batched statistic gave, shape (rows,), or say that the shape is wrong."""
    replicates = np.asarray(values, dtype=np.float64)
    if replicates.shape != (rows,):
        raise InputError(
            f"expected one number for each of {rows} rows from the statistic, "
            f"got shape {replicates.shape}",
            hint="the statistic takes an array (b, n) and returns an array (b,)",
        )
    return replicates


def keep_defined(replicates: Floats, what: str) -> Floats:
    """Return the finite replicates; refuse if more than 5 % are not.

    Parameters
    ----------
    replicates
        Shape (b,), NaN or infinite where the statistic is undefined.
    what
        What was drawn, in the plural, for messages.

    Examples
    --------
    >>> import numpy as np
    >>> keep_defined(np.array([0.5, np.nan]), "resamples")
    Traceback (most recent call last):
        ...
    lydite.errors.UndefinedScoreError: the statistic is undefined in 1 of 2 resamples, ...
    hint: ...
    """
    defined = np.isfinite(replicates)
    lost = replicates.size - int(np.count_nonzero(defined))
    if lost > UNDEFINED_LIMIT * replicates.size:
        raise UndefinedScoreError(
            f"the statistic is undefined in {lost} of {replicates.size} {what}, "
            f"more than {UNDEFINED_LIMIT:.0%}",
            hint="use more items, or items that differ more",
        )
    if lost:
        logger.warning("%d of %d %s are undefined and left out", lost, replicates.size, what)
    return replicates[defined]


#: Items of b resamples, shape (b, m), to their b statistics, each row for itself; NaN if undefined.
Statistic: TypeAlias = Callable[[Indices], Floats]

Method: TypeAlias = Literal["percentile", "bca", "normal"]


@dataclass(frozen=True, kw_only=True)
class Interval:
    """A confidence interval.

    Attributes
    ----------
    level
        The share of such intervals that should hold the true value.
    """

    low: float
    high: float
    level: float
    method: str


def bootstrap_interval(
    statistic: Statistic,
    n: int,
    *,
    method: Method = "percentile",
    clusters: ArrayLike | None = None,
    resamples: int = 2000,
    level: float = 0.95,
    seed: int,
) -> Interval:
    """Return a bootstrap confidence interval of a statistic of n items.

    Parameters
    ----------
    statistic
        Maps the items of resamples, an integer array (b, m), to an array (b,), each row for
        itself and NaN where undefined. Without clusters m is n; with clusters of unequal size it
        differs from call to call.
    method
        ``percentile``; ``bca``, corrected for bias and skewness by a jackknife over the units that
        are resampled; ``normal``, the estimate plus and minus normal quantiles of the standard
        error.
    clusters
        Shape (n,). One integer label per item: whole clusters are drawn, as many as there are,
        so that items of one cluster never count as independent.

    Raises
    ------
    UndefinedScoreError
        If the statistic is undefined for all items or for more than 5 % of the resamples, if
        there are fewer than two units to draw, or if the method has no interval here.

    References
    ----------
    Efron (1987), Better bootstrap confidence intervals, JASA 82. Davison & Hinkley (1997),
    Bootstrap methods and their application, sections 3.8 and 5.3.

    Examples
    --------
    >>> import numpy as np
    >>> scores = np.array([0.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0])
    >>> interval = bootstrap_interval(lambda items: scores[items].mean(axis=1), 10, seed=1)
    >>> round(interval.low, 2), round(interval.high, 2)
    (0.4, 1.0)
    """
    _check_arguments(method, level)
    units = _Units.of(n, clusters)
    estimate = _estimate(statistic, n)
    replicates = keep_defined(_replicates(statistic, units, resamples, seed), "resamples")
    if method == "normal":
        reach = _normal_quantile((1 + level) / 2) * float(replicates.std(ddof=1))
        low, high = estimate - reach, estimate + reach
    else:
        ends = ((1 - level) / 2, (1 + level) / 2)
        if method == "bca":
            ends = bca_ends(replicates, estimate, _jackknife(statistic, units), ends)
        low, high = np.quantile(replicates, ends)
    return Interval(low=float(low), high=float(high), level=level, method=method)


def bootstrap_replicates(
    statistic: Statistic,
    n: int,
    *,
    clusters: ArrayLike | None = None,
    resamples: int = 2000,
    seed: int,
) -> Floats:
    """Return the statistic of each resample, (resamples,), NaN where it is undefined.

    The parameters are those of :func:`bootstrap_interval`.

    Examples
    --------
    >>> import numpy as np
    >>> scores = np.arange(5.0)
    >>> bootstrap_replicates(lambda items: scores[items].mean(axis=1), 5, resamples=3, seed=1)
    array([2.2, 2. , 2.4])
    """
    return _replicates(statistic, _Units.of(n, clusters), resamples, seed)


@dataclass(frozen=True, kw_only=True)
class _Units:
    """The units that are drawn: clusters, or single items.

    ``items`` (n,) holds the items cluster by cluster, ``starts`` (k,) and ``sizes`` (k,) say where.
    """

    items: Indices
    starts: Indices
    sizes: Indices

    @classmethod
    def of(cls, n: int, clusters: ArrayLike | None) -> _Units:
        labels = np.arange(n) if clusters is None else np.asarray(clusters)
        if labels.shape != (n,):
            raise InputError(f"expected {n} cluster labels, got shape {labels.shape}")
        _, codes, sizes = np.unique(labels, return_inverse=True, return_counts=True)
        if sizes.size < 2:
            raise UndefinedScoreError(
                f"resampling needs at least 2 {'items' if clusters is None else 'clusters'}, "
                f"got {sizes.size}",
                hint="use more items, or report the score without an interval",
            )
        items = np.argsort(codes, kind="stable")
        return cls(items=items, starts=np.cumsum(sizes) - sizes, sizes=sizes)

    def apply(self, statistic: Statistic, draws: Indices) -> Floats:
        """Return the statistic (b,) of the items of the drawn units (b, k)."""
        if self.items.size == self.sizes.size:
            return check_replicates(statistic(self.items[draws]), len(draws))
        values = np.empty(len(draws))
        for rows, indices in self._equal_lengths(draws):
            values[rows] = check_replicates(statistic(indices), len(rows))
        return values

    def _equal_lengths(self, draws: Indices) -> Iterator[tuple[Indices, Indices]]:
        """Yield rows of the draws with their items, those of equal length together."""
        sizes = self.sizes[draws]
        lengths = sizes.sum(axis=1)
        flat_sizes = sizes.ravel()
        ends = flat_sizes.cumsum()
        # Consecutive numbers, restarted at the place of each drawn unit among the items.
        places = np.repeat(self.starts[draws].ravel() - ends + flat_sizes, flat_sizes)
        items = self.items[places + np.arange(places.size)]
        offsets = lengths.cumsum() - lengths
        for length in np.unique(lengths):
            rows = np.flatnonzero(lengths == length)
            yield rows, items[offsets[rows, np.newaxis] + np.arange(length)]


def _replicates(statistic: Statistic, units: _Units, resamples: int, seed: int) -> Floats:
    if resamples < 2:
        raise InputError(f"expected at least 2 resamples, got {resamples}", hint="use 2000")
    generator = np.random.default_rng(seed)
    count = units.sizes.size
    # Drawn here, one after the other: the numbers are the same wherever the statistic is computed.
    draws = (
        generator.integers(0, count, size=(height, count))
        for height in block_heights(resamples, units.items.size)
    )
    return np.concatenate(list(in_order(_block, draws, data=(units, statistic), light=True)))


def _block(draws: Indices, units: _Units, statistic: Statistic) -> Floats:
    return units.apply(statistic, draws)


def _jackknife(statistic: Statistic, units: _Units) -> Floats:
    """Return the statistic without each unit in turn, (k,)."""
    count = units.sizes.size
    kept = np.arange(count - 1)
    start, blocks = 0, []
    for height in block_heights(count, units.items.size):
        left_out = np.arange(start, start + height)[:, np.newaxis]
        blocks.append(units.apply(statistic, kept + (kept >= left_out)))
        start += height
    return keep_defined(np.concatenate(blocks), "jackknife samples")


def bca_ends(
    replicates: Floats, estimate: float, jackknife: Floats, ends: tuple[float, float]
) -> tuple[float, float]:
    """Return the probabilities at which replicates are cut for BCa (Efron 1987, equation 2.3).

    ``ends`` are those without correction; the jackknife is the statistic without each item in turn.

    Raises
    ------
    UndefinedScoreError
        If all replicates lie on one side of the estimate, or the jackknife is too skewed.
    """
    from statistics import NormalDist

    normal = NormalDist()
    below = float(np.mean(replicates < estimate) + np.mean(replicates <= estimate)) / 2
    if not 0 < below < 1:
        raise _no_bca("every resample lies on one side of the estimate")
    bias = normal.inv_cdf(below)
    skew = _acceleration(jackknife)
    corrected = []
    for end in ends:
        shifted = bias + normal.inv_cdf(end)
        if skew * shifted >= 1:
            raise _no_bca("the jackknife is too skewed")
        corrected.append(normal.cdf(bias + shifted / (1 - skew * shifted)))
    return corrected[0], corrected[1]


def _acceleration(jackknife: Floats) -> float:
    deviations: Floats = jackknife.mean() - jackknife
    largest = np.abs(deviations).max()
    if largest == 0:
        return 0.0
    # The ratio has no unit; taken in units of the largest deviation it cannot underflow.
    deviations = deviations / largest
    return float((deviations**3).sum() / (6 * (deviations**2).sum() ** 1.5))


def _no_bca(reason: str) -> UndefinedScoreError:
    return UndefinedScoreError(
        f"the BCa interval is undefined: {reason}", hint="use method='percentile'"
    )


def _normal_quantile(probability: float) -> float:
    from statistics import NormalDist

    return NormalDist().inv_cdf(probability)


def _estimate(statistic: Statistic, n: int) -> float:
    value = float(check_replicates(statistic(np.arange(n)[np.newaxis]), 1)[0])
    if not np.isfinite(value):
        raise UndefinedScoreError(
            f"the statistic of all {n} items is {value}",
            hint="an interval needs a score: look at the items first",
        )
    return value


def _check_arguments(method: str, level: float) -> None:
    if method not in get_args(Method):
        raise InputError(
            f"there is no bootstrap method called {method!r}",
            hint=f"use {', '.join(get_args(Method))}",
        )
    if not 0 < level < 1:
        raise InputError(f"expected a level between 0 and 1, got {level}", hint="use 0.95")
