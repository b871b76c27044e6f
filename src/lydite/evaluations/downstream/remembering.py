"""Baselines that are asked for again: they depend on the data and the width, not on the model.

A suite asks many models of equal width the same task, and random vectors take longer than they.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from lydite.stats.null import Baseline

#: How many are kept; each is a few numbers.
MOST: Final = 256

_KNOWN: OrderedDict[tuple[str, str, int, int], Baseline] = OrderedDict()


def remembered(
    sha256: str, spec: str, width: int, seed: int, make: Callable[[], Baseline]
) -> Baseline:
    """Return what `make` gave for these data, parameters, width and seed, in this process.

    >>> from lydite.stats.null import summarise_null
    >>> def once() -> Baseline:
    ...     return summarise_null([0.5, 0.7], kind="random vectors")
    >>> first = remembered("0" * 64, "tagging", 50, 0, once)
    >>> remembered("0" * 64, "tagging", 50, 0, once) is first
    True
    """
    key = (sha256, spec, width, seed)
    if key not in _KNOWN:
        _KNOWN[key] = make()
        if len(_KNOWN) > MOST:
            _KNOWN.popitem(last=False)
    _KNOWN.move_to_end(key)
    return _KNOWN[key]
