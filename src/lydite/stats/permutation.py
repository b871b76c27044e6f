"""A paired permutation test for any statistic of item scores."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike

from lydite.engine import in_order
from lydite.errors import InputError, UndefinedScoreError
from lydite.stats.bootstrap import block_heights, check_replicates, keep_defined
from lydite.stats.means import wilson_interval
from lydite.types import Floats, Indices, Mask

#: Item scores (b, n) to b statistics, each row for itself; NaN if undefined.
RowStatistic: TypeAlias = Callable[[Floats], Floats]

Alternative: TypeAlias = Literal["two-sided", "greater", "less"]

# Differences this close, relative to the statistics, are ties that rounding has parted.
_TOLERANCE = 1e-12
#: How sure the ends of a drawn p are.
_CERTAINTY = 0.999
#: Sums are counted up to so many additions, of differences in parts of at most a thousandth.
_MOST_STEPS = 100_000_000
_MOST_PARTS = 1000
#: What makes a difference extreme.
_FOLDS = {"two-sided": np.abs, "greater": np.positive, "less": np.negative}


@dataclass(frozen=True, kw_only=True)
class PermutationTest:
    """The outcome of a permutation test.

    Attributes
    ----------
    difference
        The observed statistic of the first scores less that of the second.
    p_value
        The chance of a difference as extreme if the two were exchangeable in every item.
    p_low, p_high
        Where p lies if all exchanges were tried, with 99.9 % certainty; p itself where they were.
    resamples
        The number of exchanges that p is made of.
    exact
        Whether these are all there are.
    """

    difference: float
    p_value: float
    p_low: float
    p_high: float
    alternative: str
    resamples: int
    exact: bool


def row_means(scores: Floats) -> Floats:
    """Return the mean of each row: the usual statistic of item scores."""
    means: Floats = scores.mean(axis=-1)
    return means


def paired_permutation_test(
    statistic: RowStatistic,
    a: ArrayLike,
    b: ArrayLike,
    *,
    resamples: int = 10_000,
    seed: int,
    alternative: Alternative = "two-sided",
    clusters: ArrayLike | None = None,
) -> PermutationTest:
    """Test whether two sets of scores of the same items differ in a statistic.

    If it made no difference which score came from which side, exchanging the two scores of any
    item would not matter. The observed difference is set against those after exchanges: after all
    2^n of them if that is no more than ``resamples``, or if they can be counted, which means of
    hits, ranks and other multiples of one step can. Otherwise they are drawn, and p is ``(1 +
    extreme) / (1 + resamples)``, which keeps the level for any number of resamples.

    Parameters
    ----------
    statistic
        Maps scores (b, n) to statistics (b,): :func:`row_means`, or any other, for example
        ``lambda scores: spearman_rows(scores, gold)``. Scores are exchanged between the sides,
        so they must be on one scale; ranks are.
    a, b
        Shape (n,). The two scores of each item.
    alternative
        ``greater``: the first side's statistic is the greater.
    clusters
        Shape (n,). One integer label per item: the items of a cluster are exchanged together.

    References
    ----------
    Phipson & Smyth (2010), Permutation P-values should never be zero, Statistical Applications
    in Genetics and Molecular Biology 9. Pagano & Tritchler (1983), On obtaining permutation
    distributions in polynomial time, Journal of the American Statistical Association 78.

    Examples
    --------
    >>> test = paired_permutation_test(row_means, [3.0, 4.0, 5.0], [1.0, 2.0, 2.0], seed=1)
    >>> test.p_value, test.exact
    (0.25, True)
    >>> test = paired_permutation_test(row_means, [1.0] * 200, [0.0] * 90 + [1.0] * 110, seed=1)
    >>> test.p_value == 2 / 2**90, test.exact
    (True, True)
    """
    first, second = _scores(a, b)
    _check_arguments(resamples, alternative)
    groups, units = _exchanged_together(first.size, clusters)
    if statistic is row_means and 2**units > resamples:
        counted = _count_means(first - second, groups, alternative)
        if counted is not None:
            return _outcome(float((first - second).mean()), counted, 2**units, alternative)
    exact = 2**units <= resamples
    count = 2**units if exact else resamples
    heights = block_heights(count, first.size)
    swaps = _every_swap(units, heights) if exact else _random_swaps(units, heights, seed)
    unswapped = np.zeros((1, units), dtype=np.bool_)
    sides = _mean_sides if statistic is row_means else _both_sides
    observed = sides(statistic, first, second, groups, unswapped)
    data = (sides, statistic, first, second, groups)
    drawn = np.hstack(list(in_order(_block, swaps, data=data, light=True)))
    extreme = _count_extreme(observed, drawn, alternative)
    difference = float(observed[0, 0] - observed[1, 0])
    if exact:
        return _outcome(difference, extreme / count, count, alternative)
    low, high = wilson_interval(extreme, count, level=_CERTAINTY)
    return PermutationTest(
        difference=difference,
        p_value=(1 + extreme) / (1 + count),
        p_low=float(low),
        p_high=float(high),
        alternative=alternative,
        resamples=count,
        exact=False,
    )


def _block(
    swap: Mask,
    sides: Callable[..., Floats],
    statistic: RowStatistic,
    first: Floats,
    second: Floats,
    groups: Indices,
) -> Floats:
    return sides(statistic, first, second, groups, swap)


def _outcome(difference: float, p: float, count: int, alternative: str) -> PermutationTest:
    """Return the outcome of all exchanges."""
    return PermutationTest(
        difference=difference,
        p_value=p,
        p_low=p,
        p_high=p,
        alternative=alternative,
        resamples=count,
        exact=True,
    )


def _count_means(differences: Floats, groups: Indices, alternative: str) -> float | None:
    """Return p of all exchanges, if the groups' differences are multiples of one step."""
    steps = _steps(np.bincount(groups, weights=differences).astype(np.float64))
    if steps is None:
        return None
    # An exchange of a group with no difference changes nothing, and doubles all counts.
    steps = steps[steps != 0]
    reach, observed = int(np.abs(steps).sum()), int(steps.sum())
    if steps.size * reach > _MOST_STEPS:
        return None
    # How likely each sum is: every group adds its difference or takes it away.
    chance = np.zeros(2 * reach + 1)
    chance[reach] = 1.0
    for step in np.abs(steps):
        chance = (np.roll(chance, step) + np.roll(chance, -step)) / 2
    sums = np.arange(-reach, reach + 1)
    fold = _FOLDS[alternative]
    p = float(chance[fold(sums) >= fold(observed)].sum())
    # The observed exchange is one of them, so that p is never 0 but by underflow.
    return min(1.0, max(p, sys.float_info.min))


def _steps(differences: Floats) -> Indices | None:
    """Return the differences as multiples of 1, 1/2, ... or 1/1000, if they are."""
    for parts in range(1, _MOST_PARTS + 1):
        multiples = differences * parts
        whole = np.rint(multiples)
        if (np.abs(multiples - whole) <= _TOLERANCE * parts * differences.size).all():
            return whole.astype(np.int64)
    return None


def _both_sides(
    statistic: RowStatistic, a: Floats, b: Floats, groups: Indices, swap: Mask
) -> Floats:
    """Return the statistics of the two sides after exchanges of groups (b, k), shape (2, b)."""
    rows, items = len(swap), swap[:, groups]
    left = check_replicates(statistic(np.where(items, b, a)), rows)
    right = check_replicates(statistic(np.where(items, a, b)), rows)
    return np.stack([left, right])


def _mean_sides(
    statistic: RowStatistic,
    a: Floats,
    b: Floats,
    groups: Indices,
    swap: Mask,
) -> Floats:
    """Return what `_both_sides` does of means: a group that is exchanged moves its difference."""
    moved = swap.astype(np.float64) @ np.bincount(groups, weights=a - b) / a.size
    return np.stack([a.mean() - moved, b.mean() + moved])


def _count_extreme(observed: Floats, drawn: Floats, alternative: str) -> int:
    if not np.isfinite(observed).all():
        raise UndefinedScoreError(
            f"the statistics of the two sides are {observed[0, 0]} and {observed[1, 0]}",
            hint="a test needs two scores: look at the items first",
        )
    differences: Floats = drawn[0] - drawn[1]
    defined = keep_defined(differences, "exchanges")
    scale = max(np.abs(observed).max(), np.abs(drawn[:, np.isfinite(differences)]).max())
    fold = _FOLDS[alternative]
    threshold = fold(observed[0, 0] - observed[1, 0]) - _TOLERANCE * scale
    # An undefined exchange counts as extreme: p may only err upwards.
    undefined = differences.size - defined.size
    return int(np.count_nonzero(fold(defined) >= threshold)) + undefined


def _every_swap(units: int, heights: Iterator[int]) -> Iterator[Mask]:
    start = 0
    for height in heights:
        numbers = np.arange(start, start + height)[:, np.newaxis]
        yield (numbers >> np.arange(units) & 1).astype(np.bool_)
        start += height


def _random_swaps(units: int, heights: Iterator[int], seed: int) -> Iterator[Mask]:
    generator = np.random.default_rng(seed)
    # Whole 64-bit words per row: the stream, and so the bits, do not depend on the blocks.
    words = -(-units // 64)
    for height in heights:
        drawn = generator.integers(0, 2**64 - 1, (height, words), np.uint64, endpoint=True)
        octets = drawn.astype("<u8").view(np.uint8)
        yield np.unpackbits(octets, axis=1, count=units, bitorder="little").astype(np.bool_)


def _scores(a: ArrayLike, b: ArrayLike) -> tuple[Floats, Floats]:
    first, second = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if first.ndim != 1 or first.shape != second.shape:
        raise InputError(
            f"expected two 1-d arrays of one length, got shapes {first.shape} and {second.shape}",
            hint="both sides must have scored the same items, in the same order",
        )
    missing = int(np.count_nonzero(np.isnan(first) | np.isnan(second)))
    if missing or not first.size:
        raise UndefinedScoreError(
            f"a paired test needs two scores per item, got {first.size} items, "
            f"{missing} of them with NaN",
            hint="compare on the items that both sides cover",
        )
    return first, second


def _exchanged_together(n: int, clusters: ArrayLike | None) -> tuple[Indices, int]:
    labels = np.arange(n) if clusters is None else np.asarray(clusters)
    if labels.shape != (n,):
        raise InputError(f"expected {n} cluster labels, got shape {labels.shape}")
    kinds, groups = np.unique(labels, return_inverse=True)
    return groups, kinds.size


def _check_arguments(resamples: int, alternative: str) -> None:
    if alternative not in get_args(Alternative):
        raise InputError(
            f"there is no alternative called {alternative!r}",
            hint=f"use {', '.join(get_args(Alternative))}",
        )
    if resamples < 1:
        raise InputError(f"expected at least 1 resample, got {resamples}", hint="use 10000")
