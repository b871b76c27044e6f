"""From concepts and edges, as a reader meets them, to the arrays of a taxonomy."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from lydite.lexicons.taxonomies.graph import on_cycles
from lydite.lexicons.taxonomies.lists import Lists
from lydite.lexicons.taxonomies.problems import (
    DANGLING_EDGE,
    DUPLICATE_EDGE,
    NO_LABEL,
    OBSOLETE,
    OBSOLETE_EDGE,
    ON_CYCLE,
    ROOT,
    SELF_LOOP,
    SEVERAL_PARENTS,
    SHARED_LABEL,
)
from lydite.lexicons.taxonomies.taxonomy import RELATIONS, Taxonomy
from lydite.spaces.vocabulary import Vocabulary

logger = logging.getLogger(__name__)

_NAMED = 5  # examples in a message


class TaxonomyBuilder:
    """Gather concepts and edges, in any order, then build the taxonomy.

    Parameters
    ----------
    name
        Where the taxonomy comes from.
    sha256
        The sha256 of the content it is read from.

    Attributes
    ----------
    problems
        What a reader left out or mended: kind, of :mod:`lydite.lexicons.taxonomies.problems`, and
        count.

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
        self.problems: Counter[str] = Counter()
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
        identifier
            Names the concept, and no other.
        labels
            Its words, the preferred one first. White space within is made one blank; a label
            that is blank, or there already, is passed over.
        ranks
            For each label, how usual this concept is among the word's senses: the lowest comes
            first, and equal ones keep the order of adding. Without it the concept's first label
            has rank 0, the others 1.
        part_of_speech
            A letter, or empty.
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
        self._obsolete.add(identifier)

    def build(self) -> Taxonomy:
        """Lay everything out in arrays, and count what is odd."""
        found = Counter(self.problems)
        found[OBSOLETE] += len(self._obsolete)
        parents = {kind: self._laid_out(kind, edges, found) for kind, edges in self._edges.items()}
        parents = {kind: lists for kind, lists in parents.items() if len(lists.items)}
        concept, word, rank = np.array(self._labels, dtype=np.int64).reshape(-1, 3).T
        usual = np.argsort(rank, kind="stable")
        senses = Lists.grouped(word[usual], concept[usual], len(self._words))
        labels = Lists.grouped(concept, word, len(self))
        found[NO_LABEL] += int(np.sum(labels.lengths == 0))
        found[SHARED_LABEL] += int(np.sum(senses.lengths > 1))
        found.update(_shape(parents, len(self)))
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
            problems={kind: count for kind, count in found.items() if count},
        )

    def _laid_out(self, kind: str, edges: list[tuple[str, str]], found: Counter[str]) -> Lists:
        pairs: list[tuple[int, int]] = []
        dangling: dict[str, None] = {}
        for child, parent in edges:
            ends = self._concepts.get(child, -1), self._concepts.get(parent, -1)
            if child in self._obsolete:
                continue
            if child == parent:
                found[SELF_LOOP] += 1
            elif min(ends) >= 0:
                pairs.append(ends)
            elif parent in self._obsolete:
                found[OBSOLETE_EDGE] += 1
            else:
                found[DANGLING_EDGE] += 1
                dangling[parent if ends[1] < 0 else child] = None
        if dangling:
            self._warn(kind, list(dangling))
        owners, items = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
        lists = Lists.grouped(owners, items, len(self))
        found[DUPLICATE_EDGE] += len(pairs) - len(lists.items)
        return lists

    def _warn(self, kind: str, dangling: list[str]) -> None:
        logger.warning(
            "%s: %d concepts that %s edges name are not described, and the edges left out: %s",
            self.name,
            len(dangling),
            kind,
            ", ".join(dangling[:_NAMED]) + (", …" if len(dangling) > _NAMED else ""),
        )


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
