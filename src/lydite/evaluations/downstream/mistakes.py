"""What a classifier or tagger takes for what: how often each class is there, said and right."""

from __future__ import annotations

from collections.abc import Sequence

from lydite.types import Indices, Plain


def class_counts(
    predicted: Indices, gold: Indices, names: Sequence[str], *, called: str
) -> list[dict[str, Plain]]:
    """Return a row a class, for a result.

    Parameters
    ----------
    predicted, gold
        Shape (n,): places among ``names``.
    called
        What the name of a class is called in a row.

    Examples
    --------
    >>> import numpy as np
    >>> class_counts(np.array([0, 1, 1]), np.array([0, 0, 1]), ["N", "V"], called="tag")[1]
    {'tag': 'V', 'test': 1, 'taken_for': 2, 'right': 1}
    """
    return [
        {
            called: name,
            "test": int((gold == place).sum()),
            "taken_for": int((predicted == place).sum()),
            "right": int(((gold == place) & (predicted == place)).sum()),
        }
        for place, name in enumerate(names)
    ]
