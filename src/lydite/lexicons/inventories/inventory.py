"""Query inventories: triples <A, B, C> where B lies between A and C in a taxonomy (Seyed 2016)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from lydite.lexicons.inventories.candidates import Level
from lydite.types import Floats, Indices, PlainMapping


@dataclass(frozen=True, kw_only=True)
class Step:
    """How many are left after one step of the funnel, and of what."""

    name: str
    count: int
    unit: str


@dataclass(frozen=True, kw_only=True, eq=False)
class Inventory:
    """Triples, with what is known of them.

    Attributes
    ----------
    a, b, c
        n words each, from specific to general.
    concepts
        n triples of concept identifiers: the senses on whose path the triple was found first.
    keys
        For each word and concept of the triples, the names that a sense-level space may have for
        it, best first.
    classes
        For each triple the class of its pair; empty where there is none.
    depth
        Shape (n,): edges from the nearest root down to A, -1 where there is no root.
    below
        Shape (n,): how many concepts lie below C, its generality.
    steps
        Shape (n, 2): edges from A up to B and from B up to C.
    information_content, counts
        Shape (n, 3), of A, B and C, where they were asked for.
    sisters
        For each word of the triples all lemmas of all its senses, itself included.
    funnel
        How many were left after each step.
    provenance
        What the inventory was made from, and how.
    level
        ``word``: a triple of words stands once; ``sense``: a triple of concepts stands once.
    """

    a: Sequence[str]
    b: Sequence[str]
    c: Sequence[str]
    concepts: Sequence[tuple[str, str, str]]
    keys: Mapping[tuple[str, str], tuple[str, ...]]
    classes: Sequence[str]
    depth: Indices
    below: Indices
    steps: Indices
    information_content: Floats | None
    counts: Floats | None
    sisters: Mapping[str, tuple[str, ...]]
    funnel: tuple[Step, ...]
    provenance: PlainMapping = field(default_factory=dict)
    level: Level = "word"

    def __len__(self) -> int:
        return len(self.a)
