"""Going up a taxonomy, for many concepts at once; cycles are met and passed, never followed twice.

All functions take the parents of each concept as :class:`~lydite.lexicons.taxonomies.lists.Lists`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from lydite.lexicons.taxonomies.lists import Lists, distinct
from lydite.spaces.vocabulary import spans
from lydite.types import Indices, Mask


@dataclass(frozen=True, kw_only=True, eq=False)
class Closure:
    """Who is above whom, and how far: one row an ancestor of a concept.

    Attributes
    ----------
    concept, ancestor, distance
        Shape (k,). The ancestor stands ``distance`` edges above the concept by the shortest way;
        every concept stands 0 above itself. Rows are sorted by concept, then ancestor.
    count
        How many concepts the taxonomy has.
    """

    concept: Indices
    ancestor: Indices
    distance: Indices
    count: int

    def holds(self, concept: Indices, ancestor: Indices) -> Mask:
        """Tell which pairs are rows."""
        return self._places(concept, ancestor) >= 0

    def distances(self, concept: Indices, ancestor: Indices) -> Indices:
        """Return the distance of each pair, -1 where the second is not above the first."""
        places = self._places(concept, ancestor)
        return np.where(places >= 0, self.distance[places], -1)

    def rows_of(self, concepts: Indices) -> tuple[Indices, Indices]:
        """Return whose each row is, as a place in ``concepts``, and the rows."""
        starts = np.searchsorted(self.concept, concepts, side="left")
        lengths = np.searchsorted(self.concept, concepts, side="right") - starts
        return np.repeat(np.arange(len(concepts)), lengths), spans(starts, lengths)

    def _places(self, concept: Indices, ancestor: Indices) -> Indices:
        keys = self.concept * self.count + self.ancestor
        if not len(keys):
            return np.full(len(concept), -1, dtype=np.int64)
        # -1 stands for a concept that was not found, and would pass for another pair.
        wanted = np.where((concept >= 0) & (ancestor >= 0), concept * self.count + ancestor, -1)
        at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        return np.where(keys[at] == wanted, at, -1)


def closure(parents: Lists, concepts: ArrayLike) -> Closure:
    """Find all ancestors of some concepts, breadth first.

    Examples
    --------
    Concept 0 lies under 1 and 2, both lie under 3, and 3 lies under 0: a cycle.

    >>> table = closure(Lists.of([[1, 2], [3], [3], [0]]), [0])
    >>> table.ancestor.tolist(), table.distance.tolist()
    ([0, 1, 2, 3], [0, 1, 1, 2])
    """
    count = max(len(parents), 1)
    start = distinct(np.asarray(concepts, dtype=np.int64))
    # A pair of a concept and an ancestor is one number, so that a set of pairs is a sorted array.
    frontier = start * count + start
    known, distances = [frontier], [np.zeros(len(frontier), dtype=np.int64)]
    seen = frontier
    while len(frontier):
        whose, above = parents.of_all(frontier % count)
        reached = distinct((frontier // count)[whose] * count + above)
        frontier = reached[~_within(reached, seen)]
        known.append(frontier)
        distances.append(np.full(len(frontier), len(distances)))
        seen = np.sort(np.concatenate([seen, frontier]), kind="stable")
    pairs = np.concatenate(known)
    order = np.argsort(pairs, kind="stable")
    pairs = pairs[order]
    return Closure(
        concept=pairs // count,
        ancestor=pairs % count,
        distance=np.concatenate(distances)[order],
        count=count,
    )


def _within(values: Indices, ordered: Indices) -> Mask:
    if not len(ordered):
        return np.zeros(len(values), dtype=np.bool_)
    at = np.minimum(np.searchsorted(ordered, values), len(ordered) - 1)
    within: Mask = ordered[at] == values
    return within


def depths(parents: Lists) -> Indices:
    """Return how many edges the nearest root is above each concept; -1 where a cycle has none.

    >>> depths(Lists.of([[], [0], [1, 0], [4], [3]])).tolist()
    [0, 1, 1, -1, -1]
    """
    children = parents.turned(len(parents))
    depth = np.full(len(parents), -1, dtype=np.int64)
    frontier = np.flatnonzero(parents.lengths == 0)
    level = 0
    while len(frontier):
        depth[frontier] = level
        _, below = children.of_all(frontier)
        frontier = distinct(below[depth[below] < 0])
        level += 1
    return depth


def numbers_below(parents: Lists, concepts: ArrayLike) -> Indices:
    """Return how many concepts lie below each of some concepts, themselves not counted.

    >>> numbers_below(Lists.of([[], [0], [1, 0]]), [0, 1, 2]).tolist()
    [2, 1, 0]
    """
    wanted = np.asarray(concepts, dtype=np.int64)
    each, back = np.unique(wanted, return_inverse=True)
    below = closure(parents.turned(len(parents)), each)
    return (np.bincount(below.concept, minlength=len(parents))[each] - 1)[back]


def on_cycles(parents: Lists) -> Indices:
    """Return the concepts that are their own ancestors, ascending.

    Those are the members of strongly connected components of more than one concept, and the
    concepts with an edge to themselves.

    Reference: Tarjan, "Depth-first search and linear graph algorithms", 1972.

    >>> on_cycles(Lists.of([[1], [0], [0]])).tolist()
    [0, 1]
    """
    loops = parents.owners()[parents.owners() == parents.items]
    above = _without_ends(parents)
    found = [each for part in _components(above) if len(part) > 1 for each in part]
    return np.union1d(loops, np.array(found, dtype=np.int64))


def _without_ends(parents: Lists) -> dict[int, list[int]]:
    """Peel off concepts without parents or without children until none is left to peel."""
    count = len(parents)
    child, parent = parents.owners(), parents.items.astype(np.int64)
    while len(child):
        inner = np.bincount(child, minlength=count) > 0
        inner &= np.bincount(parent, minlength=count) > 0
        good = inner[child] & inner[parent]
        if good.all():
            break
        child, parent = child[good], parent[good]
    above: dict[int, list[int]] = {}
    for low, high in zip(child.tolist(), parent.tolist(), strict=True):
        above.setdefault(low, []).append(high)
    return above


def _components(above: dict[int, list[int]]) -> Iterator[list[int]]:
    """Yield the sets of concepts that can be reached from each other."""
    met: dict[int, int] = {}  # in which order
    lowest: dict[int, int] = {}  # the earliest that can be reached and is still open
    still_open: dict[int, None] = {}
    for start, first in above.items():
        path = [] if start in met else [(start, iter(first))]
        while path:
            here, waiting = path[-1]
            if here not in met:
                met[here] = lowest[here] = len(met)
                still_open[here] = None
            step = next(waiting, None)
            if step is None:
                path.pop()
                if path:
                    below = path[-1][0]
                    lowest[below] = min(lowest[below], lowest[here])
                if lowest[here] == met[here]:
                    part: list[int] = []
                    while not part or part[-1] != here:
                        part.append(still_open.popitem()[0])
                    yield part
            elif step not in met:
                path.append((step, iter(above.get(step, ()))))
            elif step in still_open:
                lowest[here] = min(lowest[here], met[step])
