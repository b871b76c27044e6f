"""An inventory from BLESS and WordNet, and the scores of its triples, beside gensim one by one.

Both score sim(A, B), sim(B, C) and sim(A, C) of each triple, of the words and of the centroids of
their synonyms, and decide which triples keep subsumption and its reverse. Both start from words as
strings: gensim gets them as the vocabulary spells them, Lydite looks for the spellings itself. What
an inventory is asked for, whatever the model, is prepared once.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

import numpy as np
from gensim.models import KeyedVectors  # type: ignore[import-untyped]
from numpy.typing import NDArray

from benchmarks.measure import Row, peak_of_both, publish, side_by_side
from lydite.evaluations.subsumption.inventory import (
    Choices,
    Inventory,
    build_inventory,
    read_word_pairs,
)
from lydite.evaluations.subsumption.scoring import Similarities, ask_words
from lydite.lexicons.taxonomy_files import open_taxonomy
from lydite.models.catalogue import load
from lydite.resources.catalogue import locate
from lydite.spaces.space import Space
from lydite.types import Mask

#: Shape (n, 4): simple, reverse, aggregate, aggregate reverse.
Decisions: TypeAlias = NDArray[np.bool_]

_TRIPLES = 2000
_LIMIT_SECONDS = 2.0
#: gensim's similarities are float32, so that equal ones may differ by this much.
_ROUNDING = 1e-6


def main() -> bool:
    files = locate("wordnet-3.0")
    wordnet = open_taxonomy(files.paths, name=files.name, sha256=files.sha256)
    pairs = read_word_pairs(locate("bless").single(), "hypernymy")
    space = load("glove-6b-50d")
    assert isinstance(space, Space)

    def build() -> Inventory:
        return build_inventory(wordnet, pairs, Choices())

    built_seconds, _ = side_by_side(build, lambda: None, repeats=5)
    whole = build()
    inventory = _drawn(whole, ask_words(space, whole, "cosine", "fold").covered)
    keyed = KeyedVectors(space.dim)
    keyed.add_vectors(list(space.vocabulary), np.array(space.vectors))
    spelt = _spelt(space, inventory)
    triples = list(zip(inventory.a, inventory.b, inventory.c, strict=True))
    synonyms = {sister for word in spelt for sister in inventory.sisters[word]}

    def ours() -> Decisions:
        answers = ask_words(space, inventory, "cosine", "fold")
        assert answers.aggregate is not None
        return _decisions(answers.simple, answers.aggregate)

    def gensim() -> Decisions:
        return np.array([_decided(keyed, *(spelt[word] for word in each)) for each in triples])

    assert np.array_equal(ours(), gensim())
    ours_seconds, gensim_seconds = side_by_side(ours, gensim, repeats=9)
    return publish(
        "subsumption",
        [
            Row(
                job=f"inventory of {len(pairs):,} BLESS pairs",
                peer=f"{_LIMIT_SECONDS:g} s",
                ours_seconds=built_seconds,
                peer_seconds=_LIMIT_SECONDS,
                target=1,
                at_most=True,
                note=f"{len(whole):,} triples, with WordNet open",
            ),
            Row(
                job=f"{len(inventory):,} triples, simple and aggregate",
                peer="gensim similarity and n_similarity per triple",
                ours_seconds=ours_seconds,
                peer_seconds=gensim_seconds,
                target=100,
                memory=peak_of_both(),
                note=f"all {4 * len(inventory):,} decisions are equal; the words and "
                f"{len(synonyms):,} synonyms are found among 400,000, in any case",
            ),
        ],
        [],
    )


def _decisions(simple: Similarities, aggregate: Similarities) -> Decisions:
    kept = simple.kept(), aggregate.kept()
    return np.array([mask for each in kept for mask in (each.subsumption, each.reverse)]).T


def _drawn(inventory: Inventory, covered: Mask) -> Inventory:
    """Return some of the triples that the model has."""
    generator = np.random.default_rng(0)
    drawn = np.sort(generator.choice(np.flatnonzero(covered), _TRIPLES, replace=False))
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
    keyed: KeyedVectors,
    a: tuple[str, list[str]],
    b: tuple[str, list[str]],
    c: tuple[str, list[str]],
) -> list[bool]:
    ab, bc, ac = (keyed.similarity(x[0], y[0]) for x, y in ((a, b), (b, c), (a, c)))
    means = [keyed.n_similarity(x[1], y[1]) for x, y in ((a, b), (b, c), (a, c))]
    far = (ac - _ROUNDING, means[2] - _ROUNDING)
    return [ab >= far[0], bc >= far[0], means[0] >= far[1], means[1] >= far[1]]


if __name__ == "__main__":
    main()
