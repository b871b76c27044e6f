"""Baselines that are asked for again: they depend on the data and the width, not on the model.

A suite asks many models of equal width the same task, and random vectors take longer than they.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from lydite.stats.null import Baseline

#: How many are kept; each is a few numbers.
MOST: Final = 256

_KNOWN: OrderedDict[tuple[str, str, int, int], Baseline] = OrderedDict()


def data_key(*pieces: Sequence[str] | NDArray[Any] | None) -> str:
    """Return what tells data apart: what is learnt from, tuned on and tested on, in this order.

    The bytes of files would not do: their names say which of them is tested.

    Parameters
    ----------
    pieces
        Words or texts, arrays, and None for what is not there.

    Examples
    --------
    >>> data_key(["a", "b"]) == data_key(["a"], ["b"])
    False
    """
    digest = sha256()
    for piece in pieces:
        if piece is None:
            digest.update(b"none;")
            continue
        content = (
            piece.tobytes()
            if isinstance(piece, np.ndarray)
            else "\0".join(piece).encode(errors="surrogatepass")
        )
        digest.update(b"%d %d:" % (len(piece), len(content)))
        digest.update(content)
    return digest.hexdigest()


def remembered(
    data: str, spec: str, width: int, seed: int, make: Callable[[], Baseline]
) -> Baseline:
    """Return what `make` gave for these data, parameters, width and seed, in this process.

    Parameters
    ----------
    data
        A :func:`data_key`.

    >>> from lydite.stats.null import summarise_null
    >>> def once() -> Baseline:
    ...     return summarise_null([0.5, 0.7], kind="random vectors")
    >>> first = remembered("0" * 64, "tagging", 50, 0, once)
    >>> remembered("0" * 64, "tagging", 50, 0, once) is first
    True
    """
    key = (data, spec, width, seed)
    if key not in _KNOWN:
        _KNOWN[key] = make()
        if len(_KNOWN) > MOST:
            _KNOWN.popitem(last=False)
    _KNOWN.move_to_end(key)
    return _KNOWN[key]
