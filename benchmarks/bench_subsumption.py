"""An inventory from BLESS and WordNet, and the scores of its triples, beside gensim one by one.

Both score sim(A, B), sim(B, C) and sim(A, C) of each triple, of the words and of the centroids of
their synonyms, and decide which triples keep subsumption and its reverse. Both start from words as
strings: gensim gets them as the vocabulary spells them, Lydite looks for the spellings itself. What
an inventory is asked for, whatever the model, is prepared once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from benchmarks.inputs import glove
from benchmarks.measure import Job, Peer
from lydite.evaluations.subsumption.inventory import (
    Choices,
    Inventory,
    build_inventory,
    read_word_pairs,
)
from lydite.evaluations.subsumption.scoring import Similarities, ask_words
from lydite.lexicons.taxonomy_files import open_taxonomy
from lydite.resources.catalogue import locate
from lydite.spaces.space import Space
from lydite.types import Mask

CAVEATS = [
    "WordNet is open, and the vectors are in gensim's dictionary, before",
    "ours finds the words and their synonyms among 400,000, in any case; gensim is given the "
    "spellings",
]

#: Shape (n, 4): simple, reverse, aggregate, aggregate reverse.
Decisions: TypeAlias = NDArray[np.bool_]

#: gensim's similarities are float32, so that equal ones may differ by this much.
_ROUNDING = 1e-6


@dataclass(frozen=True, kw_only=True)
class Size:
    """Words of the space, triples drawn, and the data that they come from."""

    words: int = 400_000
    triples: int = 2000
    taxonomy: str = "wordnet-3.0"
    pairs: str | None = "bless"
    seconds: float = 2.0


FULL = Size()
SMALL = Size(words=20_000, triples=20, taxonomy="starter-taxonomy", pairs=None)


def jobs(size: Size, _folder: Path) -> Iterator[Job]:
    files = locate(size.taxonomy)
    taxonomy = open_taxonomy(files.paths, name=files.name, sha256=files.sha256)
    pairs = read_word_pairs(locate(size.pairs).single(), "hypernymy") if size.pairs else None
    space = glove(size.words)

    def build() -> Inventory:
        return build_inventory(taxonomy, pairs, Choices())

    yield Job(
        name="inventory",
        amount=f"of {len(pairs) if pairs else 0:,} pairs of {size.pairs}",
        ours=build,
        peers=[Peer(name=f"{size.seconds:g} s allowed", run=size.seconds, target=1, at_most=True)],
        agree=lambda inventory, _: f"{len(inventory):,} triples",
    )
    whole = build()
    inventory = _drawn(whole, ask_words(space, whole, "cosine", "fold").covered, size.triples)

    def ours() -> Decisions:
        answers = ask_words(space, inventory, "cosine", "fold")
        assert answers.aggregate is not None
        return _decisions(answers.simple, answers.aggregate)

    gensim = _Gensim(space, inventory)
    yield Job(
        name="triples",
        amount=f"{len(inventory):,}, simple and aggregate",
        ours=ours,
        peers=[
            Peer(name="gensim similarity, n_similarity per triple", run=gensim.decide, target=100)
        ],
        agree=_same,
    )


def _same(ours: Decisions, peers: Sequence[Decisions | None]) -> str:
    (theirs,) = peers
    if theirs is None:
        return ""
    assert np.array_equal(ours, theirs), f"{int(np.sum(ours != theirs))} decisions"
    return f"all {ours.size:,} decisions are equal"


class _Gensim:
    """Triples as gensim is asked for them, with its vectors opened at the first."""

    def __init__(self, space: Space, inventory: Inventory) -> None:
        self.space, self.spelt = space, _spelt(space, inventory)
        self.triples = list(zip(inventory.a, inventory.b, inventory.c, strict=True))
        self._keyed: Any = None

    def decide(self) -> Decisions:
        from gensim.models import KeyedVectors  # type: ignore[import-untyped]

        if self._keyed is None:
            self._keyed = KeyedVectors(self.space.dim)
            self._keyed.add_vectors(list(self.space.vocabulary), np.array(self.space.vectors))
        spelt = self.spelt
        return np.array(
            [_decided(self._keyed, *(spelt[word] for word in each)) for each in self.triples]
        )


def _decisions(simple: Similarities, aggregate: Similarities) -> Decisions:
    kept = simple.kept(), aggregate.kept()
    return np.array([mask for each in kept for mask in (each.subsumption, each.reverse)]).T


def _drawn(inventory: Inventory, covered: Mask, count: int) -> Inventory:
    """Return some of the triples that the model has."""
    generator = np.random.default_rng(0)
    known = np.flatnonzero(covered)
    drawn = np.sort(generator.choice(known, min(count, len(known)), replace=False))
    places = drawn.tolist()
    return replace(
        inventory,
        a=[inventory.a[i] for i in places],
        b=[inventory.b[i] for i in places],
        c=[inventory.c[i] for i in places],
        concepts=[inventory.concepts[i] for i in places],
        classes=[inventory.classes[i] for i in places],
        depth=inventory.depth[drawn],
        below=inventory.below[drawn],
        steps=inventory.steps[drawn],
    )


def _spelt(space: Space, inventory: Inventory) -> dict[str, tuple[str, list[str]]]:
    """Return for each word how the space spells it, and those synonyms that the space has."""

    def known(word: str) -> str | None:
        forms = (word, word.lower(), word.replace(" ", "_"), word.lower().replace(" ", "_"))
        return next((form for form in forms if form in space.vocabulary), None)

    spelt = {}
    for word in {*inventory.a, *inventory.b, *inventory.c}:
        own = known(word)
        assert own is not None
        spelt[word] = own, [form for each in inventory.sisters[word] if (form := known(each))]
    return spelt


def _decided(
    keyed: Any,  # noqa: ANN401
    a: tuple[str, list[str]],
    b: tuple[str, list[str]],
    c: tuple[str, list[str]],
) -> list[bool]:
    ab, bc, ac = (keyed.similarity(x[0], y[0]) for x, y in ((a, b), (b, c), (a, c)))
    means = [keyed.n_similarity(x[1], y[1]) for x, y in ((a, b), (b, c), (a, c))]
    far = (ac - _ROUNDING, means[2] - _ROUNDING)
    return [ab >= far[0], bc >= far[0], means[0] >= far[1], means[1] >= far[1]]
