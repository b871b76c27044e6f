"""Lists of lists of numbers, in two flat arrays that can be mapped from disk."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lydite.spaces.vocabulary import bounds, spans
from lydite.types import Indices

_Number = TypeVar("_Number", np.int64, np.uint64)


@dataclass(frozen=True, kw_only=True, eq=False)
class Lists:
    """Lists of numbers laid end to end; list i is ``items[offsets[i]:offsets[i + 1]]``."""

    offsets: Indices
    items: NDArray[np.int32]

    @classmethod
    def of(cls, lists: Iterable[Sequence[int]]) -> Lists:
        """Lay lists end to end.

        >>> Lists.of([[1, 2], [], [3]])[0].tolist()
        [1, 2]
        """
        kept = [np.asarray(each, dtype=np.int32) for each in lists]
        lengths = np.fromiter(map(len, kept), np.int64, len(kept))
        items = np.concatenate(kept) if kept else np.empty(0, dtype=np.int32)
        return cls(offsets=bounds(lengths), items=items)

    @classmethod
    def grouped(cls, owners: ArrayLike, items: ArrayLike, count: int) -> Lists:
        """Gather items by owner, in the order given; an item stands once in a list.

        Parameters
        ----------
        owners, items
            Shape (k,): list ``owners[i]`` holds ``items[i]``.
        count
            How many lists there are.

        Examples
        --------
        >>> Lists.grouped([1, 0, 1, 1], [5, 6, 5, 2], 2)[1].tolist()
        [5, 2]
        """
        who = np.asarray(owners, dtype=np.int64)
        what = np.asarray(items, dtype=np.int64)
        span = int(what.max(initial=0)) + 1
        _, first = np.unique(who * span + what, return_index=True)
        first.sort()
        order = first[np.argsort(who[first], kind="stable")]
        lengths = np.bincount(who[first], minlength=count).astype(np.int64)
        return cls(offsets=bounds(lengths), items=what[order].astype(np.int32))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, index: int) -> NDArray[np.int32]:
        if not 0 <= index < len(self):
            raise IndexError(f"there are {len(self)} lists, got index {index}")
        return self.items[self.offsets[index] : self.offsets[index + 1]]

    @property
    def lengths(self) -> Indices:
        """How long each list is."""
        return np.diff(self.offsets)

    def of_all(self, indices: ArrayLike) -> tuple[Indices, Indices]:
        """Return the items of many lists at once.

        Returns
        -------
        Two arrays of one length: whose an item is, as a place in ``indices``, and the item.

        Examples
        --------
        >>> Lists.of([[1, 2], [], [3]]).of_all([2, 0])
        (array([0, 1, 1]), array([3, 1, 2]))
        """
        wanted = np.asarray(indices, dtype=np.int64)
        lengths = self.offsets[wanted + 1] - self.offsets[wanted]
        owner = np.repeat(np.arange(len(wanted)), lengths)
        return owner, self.items[spans(self.offsets[wanted], lengths)].astype(np.int64)

    def owners(self) -> Indices:
        """Return for each of ``items`` the list that it stands in."""
        return np.repeat(np.arange(len(self)), self.lengths)

    def turned(self, count: int) -> Lists:
        """Return the lists the other way round: for each item, who has it.

        >>> Lists.of([[1, 2], [], [2]]).turned(3)[2].tolist()
        [0, 2]
        """
        return Lists.grouped(self.items, self.owners(), count)


def distinct(values: NDArray[_Number]) -> NDArray[_Number]:
    """Return numbers sorted, each once: as `numpy.unique`, whose hashing is far slower here.

    >>> distinct(np.array([3, 1, 3])).tolist()
    [1, 3]
    """
    ordered = np.sort(values)
    fresh = np.ones(len(ordered), dtype=np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=fresh[1:])
    return ordered[fresh]
