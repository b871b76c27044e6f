"""What every resampling method shares: blocks of bounded memory, and undefined replicates."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import numpy as np

from lydite.errors import InputError, UndefinedScoreError
from lydite.types import Floats

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
