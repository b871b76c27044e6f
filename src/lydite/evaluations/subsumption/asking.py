"""Put the triples of an inventory to a model: of words, of senses, or of pairs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from typing import Literal, TypeVar

import numpy as np

from lydite.errors import InputError
from lydite.evaluations.subsumption.measures import MEASURES, Measure
from lydite.evaluations.subsumption.scoring import (
    Similarities,
    TriplePairs,
    centroids,
    random_shares,
    shuffled_shares,
    triple_similarities,
)
from lydite.lexicons.inventories.inventory import Inventory
from lydite.lexicons.taxonomies.lists import Lists
from lydite.models.catalogue import model_spec
from lydite.models.protocols import PairModel
from lydite.models.words import Spellings, find_words
from lydite.types import Floats, Indices, Mask

Case = Literal["exact", "fold"]
_Name = TypeVar("_Name", str, tuple[str, str])

#: The draws of the baseline of each condition, from the approach and a seed.
Null = Callable[[str, int], Mapping[str, Floats]]


@dataclass(frozen=True, kw_only=True, eq=False)
class Answers:
    """What a model says to the triples of an inventory.

    Attributes
    ----------
    inventory
        n triples.
    simple, aggregate
        The similarities by the two approaches; no aggregate for senses and pairs.
    null
        Draws the baseline.
    null_kind
        What is random in it.
    level
        ``word``, ``sense`` or ``pair``.
    names
        What the model was asked for, each once; ``found`` says which it has.
    """

    inventory: Inventory
    simple: Similarities
    aggregate: Similarities | None
    null: Null
    null_kind: str
    level: str
    names: Sequence[str]
    found: Mask

    @cached_property
    def covered(self) -> Mask:
        """Which triples the model could answer."""
        return self.simple.covered

    @property
    def count_words(self) -> int:
        """How many words or senses the triples hold."""
        return len(self.names)

    @property
    def words_found(self) -> float:
        """The share of the words or senses that the model has."""
        return float(self.found.mean())

    @property
    def missing_words(self) -> list[str]:
        """Name a few of the words that the model does not have."""
        return [self.names[i] for i in np.flatnonzero(~self.found)[:10].tolist()]

    def first_missing(self) -> str:
        """Write the first triple that is not covered."""
        i = int(np.flatnonzero(~self.covered)[0])
        return f"<{self.inventory.a[i]}, {self.inventory.b[i]}, {self.inventory.c[i]}>"


@dataclass(frozen=True, kw_only=True, eq=False)
class _Asked:
    """What has to be asked of any model: the words of an inventory and their sisters."""

    words: list[str]
    triples: Indices
    pairs: TriplePairs
    spellings: Spellings
    sisters: Lists


@lru_cache(maxsize=8)
def _asked(inventory: Inventory, case: Case) -> _Asked:
    """Prepare what any model is asked, once for several models."""
    words, triples = _numbered(inventory.a, inventory.b, inventory.c)
    sisters = [inventory.sisters.get(word) or (word,) for word in words]
    asked = list(dict.fromkeys(chain(words, chain.from_iterable(sisters))))
    place = dict(zip(asked, range(len(asked)), strict=True))
    return _Asked(
        words=words,
        triples=triples,
        pairs=TriplePairs.of(triples),
        spellings=Spellings.of(asked, case=case, multiword=True),
        sisters=Lists.of([list(map(place.__getitem__, group)) for group in sisters]),
    )


def ask_words(model: object, inventory: Inventory, similarity: str, case: Case) -> Answers:
    """Ask a model that gives vectors, simple and aggregate."""
    measure = MEASURES[similarity]
    asked = _asked(inventory, case)
    count = len(asked.words)
    lookup = find_words(model, asked.spellings)
    vectors = lookup.vectors.astype(np.float64)
    means, filled = centroids(vectors, lookup.found, asked.sisters)
    # Both approaches are asked the same triples: those whose own words are found.
    both = filled & lookup.found[:count]
    parts = {"simple": (vectors[:count], both), "aggregate": (means, both)}
    return Answers(
        inventory=inventory,
        simple=asked.pairs.similarities(vectors[:count], both, measure),
        aggregate=asked.pairs.similarities(means, both, measure),
        null=_shuffling(parts, asked.triples, measure),
        null_kind="shuffled vectors",
        level="word",
        names=asked.words,
        found=lookup.found[:count],
    )


def ask_senses(model: object, inventory: Inventory, similarity: str, case: Case) -> Answers:
    """Ask a space of senses; each sense is looked for under all its names."""
    measure = MEASURES[similarity]
    senses = [
        list(zip(words, (concept[i] for concept in inventory.concepts), strict=True))
        for i, words in enumerate((inventory.a, inventory.b, inventory.c))
    ]
    names, triples = _numbered(*senses)
    vectors, found = _first_found(model, [inventory.keys[name] for name in names], case)
    return Answers(
        inventory=inventory,
        simple=triple_similarities(vectors, found, triples, measure),
        aggregate=None,
        null=_shuffling({"simple": (vectors, found)}, triples, measure),
        null_kind="shuffled vectors",
        level="sense",
        names=[concept for _, concept in names],
        found=found,
    )


def ask_pairs(model: PairModel, inventory: Inventory) -> Answers:
    """Ask a model that scores pairs: of words, or of concepts in an inventory of senses."""
    if inventory.level == "sense":
        a, b, c = zip(*inventory.concepts, strict=True)
        names, triples = _numbered(a, b, c)
    else:
        names, triples = _numbered(inventory.a, inventory.b, inventory.c)
    pairs = triples[:, [[0, 1], [1, 2], [0, 2]]]
    each, back = np.unique(pairs.reshape(-1, 2), axis=0, return_inverse=True)
    left, right = ([names[i] for i in column.tolist()] for column in each.T)
    scores = np.asarray(model.score(left, right), dtype=np.float64)
    if scores.shape != (len(each),):
        raise InputError(
            f"expected {len(each)} scores from {model_spec(model)}, one a pair, got an array of "
            f"shape {scores.shape}"
        )
    scores = np.where(np.isfinite(scores), scores, np.nan)
    ab, bc, ac = scores[back.reshape(-1)].reshape(-1, 3).T
    simple = Similarities(ab=ab, bc=bc, ac=ac)
    found = np.zeros(len(names), dtype=np.bool_)
    found[np.unique(each[np.isfinite(scores)])] = True
    return Answers(
        inventory=inventory,
        simple=simple,
        aggregate=None,
        null=lambda _, seed: random_shares(triples[simple.covered], seed),
        null_kind="random scores",
        level="pair",
        names=names,
        found=found,
    )


def _numbered(*columns: Sequence[_Name]) -> tuple[list[_Name], Indices]:
    """Return what stands in three columns, each once, and the columns as numbers (n, 3)."""
    names = list(dict.fromkeys(chain(*columns)))
    place = dict(zip(names, range(len(names)), strict=True))
    numbers = np.fromiter(map(place.__getitem__, chain(*columns)), np.int64)
    return names, numbers.reshape(len(columns), -1).T


def _first_found(
    model: object, candidates: Sequence[Sequence[str]], case: Case
) -> tuple[Floats, Mask]:
    """Return the vector of the first name of each sense that the model has."""
    asked = list(dict.fromkeys(name for names in candidates for name in names))
    place = {name: i for i, name in enumerate(asked)}
    lookup = find_words(model, asked, case=case)
    chosen = [
        next((place[name] for name in names if lookup.found[place[name]]), -1)
        for names in candidates
    ]
    rows = np.array(chosen, dtype=np.int64)
    return lookup.vectors[rows].astype(np.float64), rows >= 0


def _shuffling(
    parts: Mapping[str, tuple[Floats, Mask]], triples: Indices, measure: Measure
) -> Null:
    known: dict[tuple[str, int], Mapping[str, Floats]] = {}

    def draw(approach: str, seed: int) -> Mapping[str, Floats]:
        if (approach, seed) not in known:
            vectors, found = parts[approach]
            known[approach, seed] = shuffled_shares(vectors, found, triples, measure, seed)
        return known[approach, seed]

    return draw
