from __future__ import annotations

import numpy as np
import pytest

from lydite.spaces.vocabulary import Vocabulary
from lydite.trained.cheung_penn.related_words import (
    RelatedWords,
    inverted,
    neighbours,
    related_words,
)
from lydite.trained.parsed.blocks import ParsedBlock
from lydite.trained.parsed.triples import Triples


def triples(counted: dict[tuple[str, str, str], float]) -> tuple[Triples, np.ndarray]:
    """Return triples of head, relation and dependent, and their weights."""
    lemmas = sorted({word for head, _, dependent in counted for word in (head, dependent)})
    names = sorted({relation for _, relation, _ in counted})
    keys = sorted((lemmas.index(h), names.index(r), lemmas.index(d)) for h, r, d in counted)
    heads, kinds, dependents = np.array(keys, dtype=np.int32).reshape(-1, 3).T
    values = np.array([counted[lemmas[h], names[r], lemmas[d]] for h, r, d in keys])
    made = Triples(
        lemmas=Vocabulary.of(lemmas),
        lemma_counts=np.ones(len(lemmas), dtype=np.int64),
        relations=tuple(names),
        heads=heads,
        kinds=kinds,
        dependents=dependents,
        counts=values.astype(np.int64),
        tokens=0,
        fingerprint="",
    )
    return made, values


def entries(related: RelatedWords) -> dict[tuple[str, str, str], float]:
    """Return word, relation and other word with their weight."""
    count = len(related.lemmas)
    rows = np.repeat(np.arange(count), np.diff(related.starts))
    kinds, others = np.divmod(related.columns, count)
    return {
        (related.lemmas[w], related.relations[r], related.lemmas[o]): float(value)
        for w, r, o, value in zip(
            rows.tolist(), kinds.tolist(), others.tolist(), related.values, strict=True
        )
    }


GENERAL = {("catch", "dobj", "ball"): 3.0, ("throw", "dobj", "ball"): 2.0}
DOMAIN = {
    ("catch", "dobj", "virus"): 9.0,
    ("inhibit", "nsubj", "virus"): 5.0,
    ("inhibit", "dobj", "ball"): 7.0,
}


def test_each_triple_stands_with_both_its_words() -> None:
    related = related_words(*triples(GENERAL))
    assert related.relations == ("dobj", "dobj^-1")
    assert entries(related) == {
        ("catch", "dobj", "ball"): 3,
        ("throw", "dobj", "ball"): 2,
        ("ball", "dobj^-1", "catch"): 3,
        ("ball", "dobj^-1", "throw"): 2,
    }


def test_triples_without_weight_are_left_out() -> None:
    related = related_words(*triples({**GENERAL, ("see", "dobj", "ball"): 0.0}))
    assert len(related.values) == 4
    assert related.has(related.lemmas.find(["catch", "see", "emu"])).tolist() == [
        True,
        False,
        False,
    ]


def test_words_by_one_relation() -> None:
    related = related_words(*triples(GENERAL | DOMAIN))
    ball, catch = related.lemmas.find(["ball", "catch"])
    kinds = [related.relations.index("dobj^-1"), related.relations.index("nsubj")]
    found = related.by(np.array([ball, catch]), np.array(kinds)).toarray()
    expected = dict.fromkeys(related.lemmas, 0.0) | {"catch": 3, "throw": 2, "inhibit": 7}
    assert dict(zip(related.lemmas, found[0].tolist(), strict=True)) == expected
    assert not found[1].any()


def test_relations_of_words() -> None:
    related = related_words(*triples(GENERAL | DOMAIN))
    places, kinds = related.relations_of(related.lemmas.find(["throw", "virus"]))
    found = [(place, related.relations[kind]) for place, kind in zip(places, kinds, strict=True)]
    assert found == [(0, "dobj"), (1, "dobj^-1"), (1, "nsubj^-1")]


def test_words_that_only_the_domain_has() -> None:
    general, domain = related_words(*triples(GENERAL)), related_words(*triples(DOMAIN))
    joined = general.joined(domain)
    # catch and ball are known and stay as they are; virus and inhibit come with all they have.
    assert entries(joined) == entries(general) | {
        ("inhibit", "nsubj", "virus"): 5,
        ("inhibit", "dobj", "ball"): 7,
        ("virus", "dobj^-1", "catch"): 9,
        ("virus", "nsubj^-1", "inhibit"): 5,
    }
    assert joined.relations == ("dobj", "nsubj", "dobj^-1", "nsubj^-1")


def test_joining_with_itself_changes_nothing() -> None:
    related = related_words(*triples(DOMAIN))
    assert entries(related.joined(related)) == entries(related)


def test_dependencies_from_both_ends() -> None:
    block = ParsedBlock(
        lemmas=("dog", "bite", "man"),
        relations=("dobj", "unheard-of", "nsubj"),
        tokens=np.array([0, 1, 2]),
        starts=np.array([0, 3]),
        edges=np.array([[1, 2, 0], [1, 0, 2], [2, 1, 0]]),
    )
    relations = ("nsubj", "dobj", "nsubj^-1", "dobj^-1")
    near = neighbours(block, relations)
    found = zip(near.tokens.tolist(), near.kinds.tolist(), near.others.tolist(), strict=True)
    assert list(found) == [(1, 0, 0), (1, 1, 2), (0, 2, 1), (2, 3, 1)]
    assert inverted(near.kinds, relations).tolist() == [2, 3, 0, 1]


@pytest.mark.parametrize("relations", [(), ("a", "a^-1")])
def test_texts_without_dependencies(relations: tuple[str, ...]) -> None:
    block = ParsedBlock(
        lemmas=("dog",),
        relations=(),
        tokens=np.array([0]),
        starts=np.array([0, 1]),
        edges=np.zeros((0, 3), dtype=np.int64),
    )
    assert not len(neighbours(block, relations).tokens)
