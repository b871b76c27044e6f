"""From vectors to scores: triples put to a model, and which conditions their similarities keep."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from typing import Literal, TypeAlias, TypeVar

import numpy as np

from lydite.errors import InputError
from lydite.evaluations.subsumption.inventory import Inventory
from lydite.lexicons.taxonomy import Lists
from lydite.models.catalogue import model_spec
from lydite.models.protocols import PairModel
from lydite.models.words import Spellings, find_words
from lydite.spaces.vocabulary import bounds
from lydite.types import Floats, Indices, Mask

MeasureName: TypeAlias = Literal["cosine", "dot", "euclidean", "inclusion"]

#: Cells of a block of differences, so that no block outgrows the processor's cache by much.
_BLOCK_CELLS = 1 << 21


@dataclass(frozen=True, kw_only=True)
class Measure:
    """A similarity of vectors."""

    # Vectors (m, d) and two arrays (n,) of rows to the n similarities of these.
    of_pairs: Callable[[Floats, Indices, Indices], Floats]
    # One array (m, d) to the similarities of all its rows, (m, m), specific word first.
    of_all: Callable[[Floats], Floats]
    # What rounding errors are a share of, beside the similarities: the size of its largest value,
    # where there is one. A cosine of 0 is off by as much as one of 1.
    unit: float = 0.0


def _units(vectors: Floats) -> Floats:
    norms = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))[:, None]
    return np.asarray(np.divide(vectors, norms, out=np.zeros_like(vectors), where=norms > 0))


def _cosine(vectors: Floats, left: Indices, right: Indices) -> Floats:
    return _dot(_units(vectors), left, right)


def _cosine_of_all(vectors: Floats) -> Floats:
    units = _units(vectors)
    return np.asarray(units @ units.T)


def _euclidean_of_all(vectors: Floats) -> Floats:
    squares = (vectors * vectors).sum(axis=1)
    distances = squares[:, None] + squares[None, :] - 2 * (vectors @ vectors.T)
    return np.asarray(-np.sqrt(np.maximum(distances, 0)))


def _dot(vectors: Floats, left: Indices, right: Indices) -> Floats:
    return np.asarray(np.einsum("ij,ij->i", vectors[left], vectors[right]))


def _euclidean(vectors: Floats, left: Indices, right: Indices) -> Floats:
    difference = vectors[left] - vectors[right]
    return np.asarray(-np.sqrt(np.einsum("ij,ij->i", difference, difference)))


def _inclusion(vectors: Floats, left: Indices, right: Indices) -> Floats:
    return inclusion(vectors[left], vectors[right])


def inclusion(left: Floats, right: Floats) -> Floats:
    """Return how much of the specific vector is in the general one, from 0 to 1.

    Clarke's degree of entailment: sum_i min(x_i, y_i) / sum_i x_i over non-negative features.
    Dense vectors have negative values, so every dimension counts as two features, one for each
    sign: only what has the same sign in both is shared. It depends on the axes: a rotation of the
    space changes it. A zero vector is in nothing.

    Reference: Clarke (2009), Context-theoretic semantics for natural language, GEMS.

    Examples
    --------
    Of x = (2, -1, 1), y = (1, -3, -1) holds 1 + 1 + 0 of 4.

    >>> inclusion(np.array([[2.0, -1, 1]]), np.array([[1.0, -3, -1]]))
    array([0.5])
    """
    shared = np.where(left * right > 0, np.minimum(np.abs(left), np.abs(right)), 0).sum(axis=1)
    whole = np.abs(left).sum(axis=1)
    return np.asarray(np.divide(shared, whole, out=np.zeros_like(whole), where=whole > 0))


def _inclusion_of_all(vectors: Floats) -> Floats:
    count, dim = vectors.shape
    result = np.empty((count, count))
    for row in range(count):
        step = max(1, _BLOCK_CELLS // dim)
        for start in range(0, count, step):
            block = vectors[start : start + step]
            one = np.broadcast_to(vectors[row], block.shape)
            result[row, start : start + step] = inclusion(one, block)
    return result


MEASURES: Mapping[str, Measure] = {
    "cosine": Measure(of_pairs=_cosine, of_all=_cosine_of_all, unit=1.0),
    "dot": Measure(of_pairs=_dot, of_all=lambda vectors: vectors @ vectors.T),
    "euclidean": Measure(of_pairs=_euclidean, of_all=_euclidean_of_all),
    "inclusion": Measure(of_pairs=_inclusion, of_all=_inclusion_of_all, unit=1.0),
}


#: Differences below this share of the similarities and their unit are rounding: they are equal.
_ROUNDING = 1e-12

#: Draws of the baseline, and up to how many words all similarities are computed once for all draws.
_DRAWS = 200
_ALL_AT_ONCE = 4000
_DRAWS_OF_MANY = 40


@dataclass(frozen=True, kw_only=True, eq=False)
class Similarities:
    """The three similarities of n triples, NaN where a triple is not covered; see `Measure`."""

    ab: Floats
    bc: Floats
    ac: Floats
    unit: float = 0.0

    @property
    def covered(self) -> Mask:
        """Which triples have all three."""
        return np.isfinite(self.ab) & np.isfinite(self.bc) & np.isfinite(self.ac)

    @property
    def all_equal(self) -> bool:
        """Whether no triple that is covered has a larger and a smaller similarity."""
        one, other = (self._at_least(*pair) for pair in ((self.ab, self.ac), (self.ac, self.ab)))
        third, last = (self._at_least(*pair) for pair in ((self.bc, self.ac), (self.ac, self.bc)))
        return bool((one & other & third & last)[self.covered].all())

    def kept(self) -> Kept:
        """Tell which triples keep which condition: sim(A, B) or sim(B, C) >= sim(A, C)."""
        simple = self._at_least(self.ab, self.ac)
        reverse = self._at_least(self.bc, self.ac)
        return Kept(subsumption=simple, reverse=reverse)

    def _at_least(self, near: Floats, far: Floats) -> Mask:
        rounding = _ROUNDING * (np.abs(near) + np.abs(far) + self.unit)
        return np.asarray(near - far >= -rounding)


@dataclass(frozen=True, kw_only=True, eq=False)
class Kept:
    """Which of n triples keep subsumption, and reverse subsumption."""

    subsumption: Mask
    reverse: Mask

    @property
    def both(self) -> Mask:
        """Which keep both."""
        return self.subsumption & self.reverse


@dataclass(frozen=True, kw_only=True, eq=False)
class TriplePairs:
    """The pairs of words that triples are made of; most stand in several triples."""

    # The pairs, each once, as rows of vectors.
    left: Indices
    right: Indices
    places: Indices  # (3, n): which pairs are A-B, B-C and A-C of the triples

    @classmethod
    def of(cls, triples: Indices) -> TriplePairs:
        """Take triples (n, 3) apart."""
        a, b, c = triples.T
        span = int(triples.max(initial=0)) + 1
        numbers = np.stack([a, b, a]) * span + np.stack([b, c, c])
        pairs, places = np.unique(numbers, return_inverse=True)
        left, right = np.divmod(pairs, span)
        return cls(left=left, right=right, places=places.reshape(numbers.shape))

    def similarities(self, vectors: Floats, found: Mask, measure: Measure) -> Similarities:
        """Compute the similarities of the triples."""
        each = measure.of_pairs(vectors, self.left, self.right)
        each[~(found[self.left] & found[self.right])] = np.nan
        ab, bc, ac = each[self.places]
        return Similarities(ab=ab, bc=bc, ac=ac, unit=measure.unit)


def triple_similarities(
    vectors: Floats, found: Mask, triples: Indices, measure: Measure
) -> Similarities:
    """Compute the similarities of triples (n, 3), whose words are rows of ``vectors``."""
    return TriplePairs.of(triples).similarities(vectors, found, measure)


def centroids(vectors: Floats, found: Mask, members: Lists) -> tuple[Floats, Mask]:
    """Return the mean of the vectors found of each group of words, and which groups have one.

    >>> found = np.array([True, True, False])
    >>> centroids(np.array([[2.0], [4.0], [9.0]]), found, Lists.of([[0, 1], [2]]))
    (array([[3.], [0.]]), array([ True, False]))
    """
    from scipy.sparse import csr_array

    kept = found[members.items]
    counts = np.bincount(members.owners()[kept], minlength=len(members))
    # The same sums as by group, in the same order, in a quarter of the time of np.add.reduceat.
    ones = np.ones(int(counts.sum()))
    shape = (len(members), len(vectors))
    which = csr_array((ones, members.items[kept], bounds(counts.astype(np.int64))), shape=shape)
    sums = np.asarray(which @ vectors, dtype=np.float64)
    means = np.divide(sums, counts[:, None], out=sums, where=counts[:, None] > 0)
    return means, (counts > 0) & means.any(axis=1)


def shuffled_shares(
    vectors: Floats, found: Mask, triples: Indices, measure: Measure, seed: int
) -> Mapping[str, Floats]:
    """Return the shares of triples that keep each condition when words swap their vectors.

    The vectors stay what they are, so that a space whose vectors all point one way is compared
    with a shuffled space of the same shape.
    """
    generator = np.random.default_rng(seed)
    triples = triples[found[triples].all(axis=1)]
    used, places = np.unique(triples, return_inverse=True)
    places = places.reshape(triples.shape)
    few = len(used) <= _ALL_AT_ONCE
    table = measure.of_all(vectors[used]) if few else None
    drawn = []
    for _ in range(_DRAWS if few else _DRAWS_OF_MANY):
        a, b, c = generator.permutation(len(used))[places].T
        if table is not None:
            similarities = Similarities(
                ab=table[a, b], bc=table[b, c], ac=table[a, c], unit=measure.unit
            )
        else:
            similarities = triple_similarities(
                vectors[used], np.ones(len(used), np.bool_), np.stack([a, b, c], axis=1), measure
            )
        drawn.append(_shares(similarities))
    return _gathered(drawn)


def random_shares(triples: Indices, seed: int) -> Mapping[str, Floats]:
    """Return the shares when every pair of words has a random similarity."""
    generator = np.random.default_rng(seed)
    pairs = triples[:, [[0, 1], [1, 2], [0, 2]]] @ [int(triples.max(initial=0)) + 1, 1]
    each, places = np.unique(pairs, return_inverse=True)
    places = places.reshape(pairs.shape)
    drawn = []
    for _ in range(_DRAWS):
        ab, bc, ac = generator.random(len(each))[places].T
        drawn.append(_shares(Similarities(ab=ab, bc=bc, ac=ac)))
    return _gathered(drawn)


def _shares(similarities: Similarities) -> dict[str, float]:
    kept = similarities.kept()
    return {
        "subsumption": float(kept.subsumption.mean()),
        "reverse": float(kept.reverse.mean()),
        "both": float(kept.both.mean()),
    }


def _gathered(drawn: Sequence[Mapping[str, float]]) -> Mapping[str, Floats]:
    return {name: np.array([each[name] for each in drawn]) for name in drawn[0]}


Case = Literal["exact", "fold"]
_Name = TypeVar("_Name", str, tuple[str, str])

#: The draws of the baseline of each condition, from the approach and a seed.
Null = Callable[[str, int], Mapping[str, Floats]]


@dataclass(frozen=True, kw_only=True, eq=False)
class Answers:
    """What a model says to the triples of an inventory."""

    inventory: Inventory  # n triples
    # The similarities by the two approaches; no aggregate for senses and pairs.
    simple: Similarities
    aggregate: Similarities | None
    null: Null  # draws the baseline
    null_kind: str  # what is random in it
    level: str  # ``word``, ``sense`` or ``pair``
    names: Sequence[str]  # what the model was asked for, each once; ``found`` says which it has
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
            f"expected {len(each)} scores from {model_spec(model)}, one per pair, got an array of "
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
