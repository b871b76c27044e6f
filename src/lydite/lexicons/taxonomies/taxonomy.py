"""Taxonomies: concepts, their labels, and which is more general; one interface for every source.

A taxonomy is held in flat arrays, so that WordNet can be mapped from disk and asked for thousands
of concepts at once. Concepts and words are numbered from 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from lydite.errors import InputError
from lydite.lexicons.taxonomies.lists import Lists
from lydite.registry import nearest
from lydite.spaces.vocabulary import Vocabulary

#: What a source calls its relations, gathered under the two that are asked for. The parent is the
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
    name
        Where it came from.
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
        What was left out or mended while reading: kind and count.
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
