from __future__ import annotations

from dataclasses import replace

import numpy as np

from lydite.evaluations.subsumption.inventory import sense_names
from lydite.lexicons.taxonomy import Taxonomy, TaxonomyBuilder
from lydite.spaces.vocabulary import Vocabulary


def taxonomy() -> Taxonomy:
    builder = TaxonomyBuilder(name="banks", sha256="")
    builder.add_concept("bank.n.01", ["bank"], part_of_speech="n")
    builder.add_concept("depository.n.01", ["savings bank", "bank"], part_of_speech="n")
    builder.add_concept("bank.v.01", ["bank"], part_of_speech="v", ranks=[9])
    builder.add_concept("odd.x.01", ["odd"], part_of_speech="x")
    # Senses word by word: bank (three), savings bank, odd; the synonym comes after the two concepts
    # that are called bank in the first place, but for the verb's rank.
    return builder.build()


def with_keys(plain: Taxonomy) -> Taxonomy:
    named = [
        f"{word.replace(' ', '_')}%{plain.concepts[concept]}"
        for word, place in zip(plain.words, range(len(plain.words)), strict=True)
        for concept in plain.senses[place].tolist()
    ]
    return replace(plain, sense_keys=Vocabulary.of(named))


def names(of: Taxonomy, *pairs: tuple[str, str]) -> dict[tuple[str, str], tuple[str, ...]]:
    words = of.words.find([word for word, _ in pairs])
    concepts = of.concepts.find([concept for _, concept in pairs])
    return sense_names(of, words, concepts)


def test_a_sense_is_known_by_its_concept_and_its_part_of_speech() -> None:
    assert names(taxonomy(), ("bank", "bank.n.01"), ("savings bank", "depository.n.01")) == {
        ("bank", "bank.n.01"): ("bank.n.01", "bank|NOUN"),
        ("savings bank", "depository.n.01"): ("depository.n.01", "savings_bank|NOUN"),
    }
    assert names(taxonomy(), ("bank", "bank.v.01"))["bank", "bank.v.01"][-1] == "bank|VERB"


def test_the_key_is_that_of_the_word_in_this_sense() -> None:
    pairs = [
        ("bank", "depository.n.01"),
        ("bank", "bank.v.01"),
        ("savings bank", "depository.n.01"),
    ]
    found = names(with_keys(taxonomy()), *pairs)
    assert [found[pair][1] for pair in pairs] == [
        "bank%depository.n.01",
        "bank%bank.v.01",
        "savings_bank%depository.n.01",
    ]


def test_the_best_name_comes_first() -> None:
    found = names(with_keys(taxonomy()), ("bank", "bank.n.01"))
    assert found["bank", "bank.n.01"] == ("bank.n.01", "bank%bank.n.01", "bank|NOUN")


def test_a_word_that_is_no_label_of_the_concept_has_no_key() -> None:
    found = names(with_keys(taxonomy()), ("savings bank", "bank.n.01"))
    assert found["savings bank", "bank.n.01"] == ("bank.n.01", "savings_bank|NOUN")


def test_no_part_of_speech_and_an_unknown_one_give_no_tag() -> None:
    assert names(taxonomy(), ("odd", "odd.x.01")) == {("odd", "odd.x.01"): ("odd.x.01",)}
    plain = replace(taxonomy(), parts_of_speech=None)
    assert names(plain, ("bank", "bank.n.01")) == {("bank", "bank.n.01"): ("bank.n.01",)}


def test_no_senses_no_names() -> None:
    empty = np.empty(0, dtype=np.int64)
    assert sense_names(with_keys(taxonomy()), empty, empty) == {}
