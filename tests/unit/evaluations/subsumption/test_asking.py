from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from lydite.errors import InputError
from lydite.evaluations.subsumption.inventory import Choices, Inventory, build_inventory
from lydite.evaluations.subsumption.scoring import ask_pairs, ask_senses, ask_words
from lydite.lexicons.taxonomy import TaxonomyBuilder
from lydite.spaces.space import Space
from lydite.types import Floats


def inventory(level: str = "word") -> Inventory:
    builder = TaxonomyBuilder(name="toy", sha256="")
    builder.add_concept("dog.n.01", ["dog", "hound"], part_of_speech="n")
    builder.add_concept("pet.n.01", ["pet"], part_of_speech="n")
    builder.add_concept("animal.n.01", ["animal", "living thing"], part_of_speech="n")
    # A second sense, and a second sister of pet.
    builder.add_concept("favourite.n.01", ["darling", "pet"], part_of_speech="n")
    builder.add_edge("is-a", "dog.n.01", "pet.n.01")
    builder.add_edge("is-a", "pet.n.01", "animal.n.01")
    return build_inventory(builder.build(), None, Choices(level=level))  # type: ignore[arg-type]


WORDS = {
    "dog": [1.0, 0.0],
    "hound": [0.0, 1.0],
    "pet": [1.0, 1.0],
    "darling": [3.0, -1.0],
    "animal": [0.0, 2.0],
    "living_thing": [4.0, 2.0],
}


@dataclass(frozen=True)
class Table:
    """A pair model with a table of scores, NaN for what is not there; keeps what it was asked."""

    scores: dict[tuple[str, str], float]
    asked: list[tuple[str, str]] = field(default_factory=list)

    def score(self, left: Sequence[str], right: Sequence[str]) -> Floats:
        self.asked.extend(zip(left, right, strict=True))
        return np.array([self.scores.get(pair, np.nan) for pair in zip(left, right, strict=True)])


def place(of: Inventory, *triple: str) -> int:
    return list(zip(of.a, of.b, of.c, strict=True)).index((triple[0], triple[1], triple[2]))


def test_words_simple_and_aggregate_by_hand() -> None:
    triples = inventory()
    answers = ask_words(Space.of(WORDS), triples, "cosine", "fold")
    # dog, hound with pet with animal, living thing.
    assert len(triples) == 4
    assert answers.covered.all()
    i = place(triples, "dog", "pet", "animal")
    assert answers.simple.ab[i] == pytest.approx(np.sqrt(0.5))
    assert answers.simple.ac[i] == 0
    # Centroids: dog (1/2, 1/2); pet with darling (2, 0); animal with living thing (2, 2).
    assert answers.aggregate is not None
    for j in range(4):
        assert answers.aggregate.ab[j] == pytest.approx(np.sqrt(0.5))
        assert answers.aggregate.bc[j] == pytest.approx(np.sqrt(0.5))
        assert answers.aggregate.ac[j] == pytest.approx(1)
    assert (answers.level, answers.null_kind) == ("word", "shuffled vectors")


def test_unknown_sisters_are_left_out_of_the_centroid() -> None:
    some = {word: vector for word, vector in WORDS.items() if word != "darling"}
    answers = ask_words(Space.of(some), inventory(), "cosine", "fold")
    assert answers.aggregate is not None
    assert answers.aggregate.ab == pytest.approx(1)  # pet alone is (1, 1), as is dog's centroid


def test_both_approaches_are_asked_the_same_triples() -> None:
    # Without dog, the sister hound could stand for it in the centroid; it must not.
    some = {word: vector for word, vector in WORDS.items() if word != "dog"}
    triples = inventory()
    answers = ask_words(Space.of(some), triples, "cosine", "fold")
    assert answers.aggregate is not None
    assert np.array_equal(answers.covered, answers.aggregate.covered)
    assert answers.covered.tolist() == [a == "hound" for a in triples.a]
    assert answers.words_found == pytest.approx(4 / 5)
    assert answers.missing_words == ["dog"]
    assert answers.first_missing().startswith("<dog, pet, ")


def test_a_word_whose_sisters_cancel_out_is_covered_by_neither() -> None:
    opposite = WORDS | {"hound": [-1.0, 0.0]}
    answers = ask_words(Space.of(opposite), inventory(), "cosine", "fold")
    assert answers.aggregate is not None
    assert not answers.covered.any()
    assert np.array_equal(answers.covered, answers.aggregate.covered)


def test_case_is_folded_only_if_wished() -> None:
    triples = replace(inventory(), a=["Dog"] * 4)
    for case, found in (("fold", True), ("exact", False)):
        answers = ask_words(Space.of(WORDS), triples, "cosine", case)  # type: ignore[arg-type]
        assert answers.covered.all() == found


@pytest.mark.parametrize(
    "names",
    [
        ("dog.n.01", "pet.n.01", "animal.n.01"),
        ("dog|NOUN", "pet|NOUN", "animal|NOUN"),
        ("dog|NOUN", "pet.n.01", "animal.n.01"),
    ],
)
def test_senses_are_found_under_any_of_their_names(names: tuple[str, str, str]) -> None:
    vectors = dict(zip(names, ([1.0, 0.0], [1.0, 1.0], [0.0, 1.0]), strict=True))
    answers = ask_senses(Space.of(vectors), inventory("sense"), "cosine", "fold")
    assert answers.covered.tolist() == [True]
    assert answers.simple.ab == pytest.approx([np.sqrt(0.5)])
    assert answers.simple.ac.tolist() == [0]
    assert answers.aggregate is None
    assert answers.words_found == 1
    assert answers.names == ["dog.n.01", "pet.n.01", "animal.n.01"]


def test_the_best_name_of_a_sense_is_taken() -> None:
    vectors = {"dog.n.01": [1.0, 0.0], "dog|NOUN": [0.0, 1.0], "pet.n.01": [1.0, 0.0]}
    answers = ask_senses(
        Space.of(vectors | {"animal.n.01": [1.0, 1.0]}), inventory("sense"), "cosine", "fold"
    )
    assert answers.simple.ab.tolist() == [1]
    partly = ask_senses(Space.of(vectors), inventory("sense"), "cosine", "fold")
    assert partly.covered.tolist() == [False]
    assert partly.missing_words == ["animal.n.01"]


def test_pairs_of_words_are_scored_each_once_and_specific_first() -> None:
    triples = inventory()
    model = Table({("dog", "pet"): 0.5, ("pet", "animal"): 0.25, ("dog", "animal"): 0.5})
    answers = ask_pairs(model, triples)
    assert len(model.asked) == len(set(model.asked)) == 2 + 2 + 4
    i = place(triples, "dog", "pet", "animal")
    assert (answers.simple.ab[i], answers.simple.bc[i], answers.simple.ac[i]) == (0.5, 0.25, 0.5)
    assert answers.covered.tolist() == [j == i for j in range(4)]
    kept = answers.simple.kept()
    assert (kept.subsumption[i], kept.reverse[i]) == (True, False)
    assert (answers.level, answers.null_kind) == ("pair", "random scores")
    assert sorted(answers.missing_words) == ["hound", "living thing"]
    draws = answers.null("simple", 1)["both"]
    assert set(draws.tolist()) == {0.0, 1.0}


def test_pairs_of_concepts_are_scored_in_an_inventory_of_senses() -> None:
    scores = {
        ("dog.n.01", "pet.n.01"): 1.0,
        ("pet.n.01", "animal.n.01"): 1.0,
        ("dog.n.01", "animal.n.01"): np.inf,
    }
    answers = ask_pairs(Table(scores), inventory("sense"))
    # Infinity is no score.
    assert answers.covered.tolist() == [False]
    scores["dog.n.01", "animal.n.01"] = 0.5
    assert ask_pairs(Table(scores), inventory("sense")).covered.tolist() == [True]


def test_a_model_with_too_few_scores_is_refused() -> None:
    class Short:
        spec = "short"

        def score(self, left: Sequence[str], right: Sequence[str]) -> Floats:
            return np.zeros(3)

    with pytest.raises(InputError, match=r"expected 8 scores from short.*shape \(3,\)"):
        ask_pairs(Short(), inventory())
