"""Sentences in groups of one meaning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from lydite.types import Indices


@dataclass(frozen=True, kw_only=True, eq=False)
class ParaphraseGroups:
    """Sentences, each in the one group of those that mean the same.

    Attributes
    ----------
    texts
        n sentences, each once.
    labels
        Shape (n,): the group of each sentence, 0 to k - 1, numbered by first appearance.
    names
        k, what each group is called where it comes from.
    changes
        What was done to the groups as they were found, for people: ``{"duplicates dropped": 9}``.
        What did not happen is left out.

    Examples
    --------
    >>> groups = ParaphraseGroups(
    ...     texts=("Hello.", "Good day.", "Bye."),
    ...     labels=np.array([0, 0, 1]),
    ...     names=("greeting", "parting"),
    ...     changes={},
    ... )
    >>> groups.histogram()
    {1: 1, 2: 1}
    """

    texts: tuple[str, ...]
    labels: Indices
    names: tuple[str, ...]
    changes: Mapping[str, int]

    def __len__(self) -> int:
        """Return the number of sentences."""
        return len(self.texts)

    def sizes(self) -> Indices:
        """Return the number of sentences of each group, shape (k,)."""
        return np.bincount(self.labels, minlength=len(self.names)).astype(np.int64)

    def histogram(self) -> dict[int, int]:
        """Return how many groups there are of each size, the smallest size first."""
        sizes, groups = np.unique(self.sizes(), return_counts=True)
        return dict(zip(sizes.tolist(), groups.tolist(), strict=True))
