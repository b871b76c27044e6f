"""Taxonomies: concepts, their labels, and which is more general; one interface for every source.

A taxonomy is held in flat arrays, so that WordNet can be mapped from disk and thousands of concepts
looked up at once. Concepts and words are numbered from 0; the parents of each concept are `Lists`.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lydite.errors import InputError
from lydite.registry import nearest
from lydite.spaces.vocabulary import Vocabulary, bounds, spans
from lydite.types import Indices, Mask

#: Left out while reading.
DUPLICATE_EDGE: Final = "duplicate edge"
SELF_LOOP: Final = "edge from a concept to itself"
DANGLING_EDGE: Final = "edge to a concept that is not described"
OBSOLETE: Final = "obsolete concept"
OBSOLETE_EDGE: Final = "edge to an obsolete concept"

#: Kept as they are, and worth knowing.
ON_CYCLE: Final = "concept on a cycle"
SEVERAL_PARENTS: Final = "concept with several parents"
ROOT: Final = "root"
SHARED_LABEL: Final = "label of several concepts"
NO_LABEL: Final = "concept without a label"
OTHER_LANGUAGE: Final = "concept without a label in the language asked for"


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


@dataclass(frozen=True, kw_only=True, eq=False)
class Closure:
    """Who is above whom, and how far: one row an ancestor of a concept.

    Attributes
    ----------
    concept, ancestor, distance
        Shape (k,). The ancestor stands ``distance`` edges above the concept by the shortest way;
        every concept stands 0 above itself. Rows are sorted by concept, then ancestor.
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


#: What a source calls its relations, gathered under the two that users name. The parent is the
#: more general concept, or the whole.
RELATIONS: Mapping[str, tuple[str, ...]] = {
    "hypernymy": ("is-a", "instance"),
    "meronymy": ("part", "member", "substance"),
}


@dataclass(frozen=True, kw_only=True, eq=False)
class Taxonomy:
    """Concepts with labels and parents.

    Attributes
    ----------
    fingerprint
        The sha256 of the content it was read from.
    concepts
        n identifiers, each once: ``dog.n.01`` for WordNet, ``GO:0008150``, a label for an edge
        list.
    words
        m labels, each once, as people write them, with blanks between words.
    senses
        For each word, the concepts it is a label of, most usual first.
    labels
        For each concept, its words, the preferred one first (WordNet's lemmas of a synset).
    parents
        For each kind of edge (``is-a``, ``instance``, ``part``, ``member``, ``substance``, or what
        the source calls it) the parents of each concept.
    parts_of_speech
        For each concept a letter (``n``, ``v``, ``a``, ``r``), or empty where the source has none.
    problems
        What was left out or corrected while reading: kind and count.
    examples
        The first few that were left out, by the same kinds; `problem_examples` names the rest.
    sense_keys
        For each of ``senses.items`` the key of that sense (``dog%1:05:00::``), where there are.
    """

    name: str
    fingerprint: str
    concepts: Vocabulary
    words: Vocabulary
    senses: Lists
    labels: Lists
    parents: Mapping[str, Lists]
    parts_of_speech: NDArray[np.str_] | None = None
    problems: Mapping[str, int] = field(default_factory=dict)
    examples: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    sense_keys: Vocabulary | None = None

    def __len__(self) -> int:
        return len(self.concepts)

    def upward(self, relation: str) -> Lists:
        """Return the parents of each concept under a relation.

        Parameters
        ----------
        relation
            ``hypernymy`` or ``meronymy``, which put all their kinds of edge together, or one kind.

        Raises
        ------
        InputError
            If the taxonomy has no edge of that relation; the hint names those it has.
        """
        kinds = [kind for kind in RELATIONS.get(relation, (relation,)) if kind in self.parents]
        lists = [self.parents[kind] for kind in kinds if len(self.parents[kind].items)]
        if not lists:
            raise self._no_relation(relation)
        if len(lists) == 1:
            return lists[0]
        return Lists.grouped(
            np.concatenate([each.owners() for each in lists]),
            np.concatenate([each.items for each in lists]),
            len(self),
        )

    def _no_relation(self, relation: str) -> InputError:
        kinds = [kind for kind, lists in self.parents.items() if len(lists.items)]
        groups = [name for name, parts in RELATIONS.items() if set(parts) & set(kinds)]
        known = [*groups, *kinds]
        close = nearest(relation, known, most=1)
        return InputError(
            f"{self.name} has no edge of the relation {relation!r}",
            hint=(f"did you mean {close[0]}? " if close else "") + f"there are {', '.join(known)}",
        )


logger = logging.getLogger(__name__)

_NAMED = 5  # examples in a message


class Problems:
    """What is odd about a source: kinds, how often, and the names of the first few."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.examples: dict[str, tuple[str, ...]] = {}

    def note(self, kind: str, example: str) -> None:
        """Count a problem, and keep its name if it is one of the first."""
        self.counts[kind] += 1
        named = self.examples.get(kind, ())
        if len(named) < _NAMED:
            self.examples[kind] = (*named, example)

    def copy(self) -> Problems:
        """Return a copy, to which more can be added."""
        other = Problems()
        other.counts, other.examples = Counter(self.counts), dict(self.examples)
        return other


class TaxonomyBuilder:
    """Gather concepts and edges, in any order, then build the taxonomy.

    ``problems`` has what a reader left out or corrected.

    Examples
    --------
    >>> builder = TaxonomyBuilder(name="pets", sha256="")
    >>> builder.add_edge("is-a", "dog.1", "animal.1")
    >>> builder.add_concept("animal.1", ["animal"])
    >>> builder.add_concept("dog.1", ["dog", "domestic dog"])
    >>> taxonomy = builder.build()
    >>> taxonomy.concepts[:], taxonomy.parents["is-a"][1].tolist()
    (['animal.1', 'dog.1'], [0])
    """

    def __init__(self, *, name: str, sha256: str) -> None:
        self.name = name
        self.sha256 = sha256
        self.problems = Problems()
        self._concepts: dict[str, int] = {}
        self._words: dict[str, int] = {}
        self._labels: list[tuple[int, int, int]] = []  # concept, word, rank
        self._letters: dict[int, str] = {}
        self._obsolete: set[str] = set()
        self._edges: dict[str, list[tuple[str, str]]] = {}

    def __len__(self) -> int:
        return len(self._concepts)

    def __contains__(self, identifier: object) -> bool:
        return identifier in self._concepts

    def add_concept(
        self,
        identifier: str,
        labels: Iterable[str] = (),
        *,
        ranks: Sequence[int] | None = None,
        part_of_speech: str = "",
    ) -> None:
        """Add a concept, or labels to one that is there.

        Parameters
        ----------
        labels
            Its words, the preferred one first. White space within is made one blank; a label
            that is blank, or there already, is passed over.
        ranks
            For each label, how usual this concept is among the word's senses: the lowest comes
            first, and equal ones keep the order of adding. Without it the concept's first label
            has rank 0, the others 1.
        """
        is_new = identifier not in self._concepts
        concept = self._concepts.setdefault(identifier, len(self._concepts))
        if part_of_speech:
            self._letters[concept] = part_of_speech
        for place, label in enumerate(labels):
            if word := " ".join(label.split()):
                rank = ranks[place] if ranks is not None else int(place > 0 or not is_new)
                number = self._words.setdefault(word, len(self._words))
                self._labels.append((concept, number, rank))

    def add_edge(self, kind: str, child: str, parent: str) -> None:
        """Add an edge between concepts that are, or will be, added."""
        self._edges.setdefault(kind, []).append((child, parent))

    def leave_out(self, identifier: str) -> None:
        """Note an obsolete concept, so that it and edges to it are counted as such."""
        if identifier not in self._obsolete:
            self.problems.note(OBSOLETE, identifier)
        self._obsolete.add(identifier)

    def build(self) -> Taxonomy:
        """Lay everything out in arrays, and count what is odd."""
        found = self.problems.copy()
        parents = {kind: self._laid_out(kind, edges, found) for kind, edges in self._edges.items()}
        parents = {kind: lists for kind, lists in parents.items() if len(lists.items)}
        concept, word, rank = np.array(self._labels, dtype=np.int64).reshape(-1, 3).T
        usual = np.argsort(rank, kind="stable")
        senses = Lists.grouped(word[usual], concept[usual], len(self._words))
        labels = Lists.grouped(concept, word, len(self))
        identifiers = list(self._concepts)
        for bare in np.flatnonzero(labels.lengths == 0).tolist():
            found.note(NO_LABEL, identifiers[bare])
        found.counts[SHARED_LABEL] += int(np.sum(senses.lengths > 1))
        found.counts.update(_shape(parents, len(self)))
        letters = [self._letters.get(number, "") for number in range(len(self))]
        return Taxonomy(
            name=self.name,
            fingerprint=self.sha256,
            concepts=Vocabulary.of(self._concepts),
            words=Vocabulary.of(self._words),
            senses=senses,
            labels=labels,
            parents=parents,
            parts_of_speech=np.array(letters, dtype="U1") if self._letters else None,
            problems={kind: count for kind, count in found.counts.items() if count},
            examples=found.examples,
        )

    def _laid_out(self, kind: str, edges: list[tuple[str, str]], found: Problems) -> Lists:
        # An edge that is there already keeps its place.
        pairs: dict[tuple[int, int], None] = {}
        dangling: dict[str, None] = {}
        for child, parent in edges:
            ends = self._concepts.get(child, -1), self._concepts.get(parent, -1)
            if child in self._obsolete:
                continue
            if child == parent:
                found.note(SELF_LOOP, child)
            elif ends in pairs:
                found.note(DUPLICATE_EDGE, f"{child} > {parent}")
            elif min(ends) >= 0:
                pairs[ends] = None
            elif parent in self._obsolete:
                found.note(OBSOLETE_EDGE, f"{child} > {parent}")
            else:
                found.note(DANGLING_EDGE, f"{child} > {parent}")
                dangling[parent if ends[1] < 0 else child] = None
        if dangling:
            self._warn(kind, list(dangling))
        owners, items = np.array(list(pairs), dtype=np.int64).reshape(-1, 2).T
        return Lists.grouped(owners, items, len(self))

    def _warn(self, kind: str, dangling: list[str]) -> None:
        logger.warning(
            "%s: %d concepts that %s edges name are not described, and the edges left out: %s",
            self.name,
            len(dangling),
            kind,
            ", ".join(dangling[:_NAMED]) + (", …" if len(dangling) > _NAMED else ""),
        )


def problem_examples(taxonomy: Taxonomy) -> dict[str, tuple[str, ...]]:
    """Name the first few of each kind of problem, in the order in which they are counted.

    Edges are written from child to parent, cycles as the way from a concept back to itself.

    >>> builder = TaxonomyBuilder(name="pets", sha256="")
    >>> for child, parent in [("dog", "pet"), ("pet", "friend"), ("friend", "dog"), ("dog", "pet")]:
    ...     builder.add_concept(child, [child])
    ...     builder.add_edge("is-a", child, parent)
    >>> problem_examples(builder.build())
    {'duplicate edge': ('dog > pet',), 'concept on a cycle': ('dog > pet > friend > dog',)}
    """
    names = {**_shape_examples(taxonomy), **taxonomy.examples}
    return {kind: names[kind] for kind in taxonomy.problems if names.get(kind)}


def _shape_examples(taxonomy: Taxonomy) -> dict[str, tuple[str, ...]]:
    groups = [_together(taxonomy.parents, kinds, len(taxonomy)) for kinds in RELATIONS.values()]
    named = taxonomy.concepts
    several = np.flatnonzero(groups[0].lengths > 1)[:_NAMED].tolist()
    tops = np.unique(groups[0].items[groups[0].lengths[groups[0].items] == 0])[:_NAMED].tolist()
    shared = np.flatnonzero(taxonomy.senses.lengths > 1)[:_NAMED].tolist()
    cycles = [way for group in groups for way in _cycles(group)][:_NAMED]
    return {
        SEVERAL_PARENTS: tuple(
            f"{named[i]} > {', '.join(named[int(parent)] for parent in groups[0][i])}"
            for i in several
        ),
        ROOT: tuple(named[i] for i in tops),
        SHARED_LABEL: tuple(
            f"{taxonomy.words[i]}: {', '.join(named[int(each)] for each in taxonomy.senses[i])}"
            for i in shared
        ),
        ON_CYCLE: tuple(" > ".join(named[i] for i in way) for way in cycles),
    }


def _cycles(parents: Lists) -> Iterator[list[int]]:
    """Yield a shortest way back to itself for the first concept of each set that has cycles."""
    above = _without_ends(parents)
    for part in _components(above):
        start = min(part)
        ways, known = [[start]], {start}
        while len(part) > 1 and ways:
            way = ways.pop(0)
            if start in above.get(way[-1], ()):
                yield [*way, start]
                break
            further = [each for each in above.get(way[-1], ()) if each not in known]
            known.update(further)
            ways += [[*way, each] for each in further]


def _shape(parents: Mapping[str, Lists], count: int) -> Counter[str]:
    """Count cycles of both relations; roots and several parents of hypernymy, if there is any."""
    found: Counter[str] = Counter()
    groups = [_together(parents, kinds, count) for kinds in RELATIONS.values()]
    groups = [group for group in groups if len(group.items)]
    if groups:
        tops = groups[0].items[groups[0].lengths[groups[0].items] == 0]
        found[ROOT] = len(np.unique(tops))
        found[SEVERAL_PARENTS] = int(np.sum(groups[0].lengths > 1))
        cycles = np.concatenate([on_cycles(group) for group in groups])
        found[ON_CYCLE] = len(np.unique(cycles))
    return found


def _together(parents: Mapping[str, Lists], kinds: Sequence[str], count: int) -> Lists:
    lists = [parents[kind] for kind in kinds if kind in parents]
    if not lists:
        return Lists.of([[]] * count)
    return Lists.grouped(
        np.concatenate([each.owners() for each in lists]),
        np.concatenate([each.items for each in lists]),
        count,
    )
