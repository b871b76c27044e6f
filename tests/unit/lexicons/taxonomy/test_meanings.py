from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lydite.errors import InputError
from lydite.lexicons.meanings import find_words, meanings
from lydite.lexicons.taxonomy import Taxonomy, TaxonomyBuilder
from lydite.lexicons.taxonomy_files import open_taxonomy
from lydite.resources.catalogue import locate
from lydite.spaces.vocabulary import Vocabulary


@pytest.fixture
def places() -> Taxonomy:
    builder = TaxonomyBuilder(name="places", sha256="0")
    for concept, labels in {
        "bank.n.01": ["bank"],
        "bank.n.02": ["bank", "riverside"],
        "bank.v.01": ["bank", "bank on"],
        "New_York.n.01": ["New York"],
        "near.s.01": ["near"],
    }.items():
        builder.add_concept(concept, labels, part_of_speech=concept.split(".")[1])
    taxonomy = builder.build()
    keys = [f"key{i}" for i in range(len(taxonomy.senses.items))]
    return replace(taxonomy, sense_keys=Vocabulary.of(keys))


def found(taxonomy: Taxonomy, term: str, part_of_speech: str | None = None) -> list[str]:
    (concepts,) = [meanings(taxonomy, [term], part_of_speech)[0].tolist()]
    return [taxonomy.concepts[concept] for concept in concepts]


def test_a_word_stands_for_all_its_senses(places: Taxonomy) -> None:
    assert found(places, "bank") == ["bank.n.01", "bank.n.02", "bank.v.01"]
    assert found(places, "bank", "n") == ["bank.n.01", "bank.n.02"]
    assert found(places, "bank", "v") == ["bank.v.01"]
    assert found(places, "emu") == []


def test_satellites_are_adjectives(places: Taxonomy) -> None:
    assert found(places, "near", "a") == ["near.s.01"]


def test_a_name_stands_for_its_concept_whatever_its_part_of_speech(places: Taxonomy) -> None:
    assert found(places, "bank.v.01", "n") == ["bank.v.01"]
    # The senses of "bank" come first, then that of "riverside".
    assert found(places, "key3", "n") == ["bank.n.02"]


@pytest.mark.parametrize("spelling", ["New York", "New_York", "new york", "NEW_YORK", " new  york"])
def test_words_are_found_however_they_are_written(places: Taxonomy, spelling: str) -> None:
    assert find_words(places, [spelling]).tolist() == [places.words.find(["New York"])[0]]


def test_terms_keep_their_places(places: Taxonomy) -> None:
    lists = meanings(places, ["emu", "riverside", "bank.n.01", "near"])
    assert [each.tolist() for each in (lists[0], lists[1], lists[2], lists[3])] == [
        *([], [1], [0], [4])
    ]
    assert len(meanings(places, [])) == 0


def test_a_part_of_speech_that_is_not_there_is_refused(places: Taxonomy) -> None:
    with pytest.raises(InputError, match="'r'\nhint: there are a, n, v"):
        meanings(places, ["bank"], "r")


def test_wordnet_reduces_inflected_words(shared_data: Path) -> None:
    located = locate("wordnet-3.0")
    wordnet = open_taxonomy(located.paths, name=located.name, sha256=located.sha256)
    assert found(wordnet, "mice", "n") == found(wordnet, "mouse", "n")
    glasses = found(wordnet, "glasses", "n")
    assert glasses == ["spectacles.n.01", *found(wordnet, "glass", "n")]
    # Spelt with a capital it is the country, not the bird.
    assert found(wordnet, "Turkey", "n")[0] == "turkey.n.02"
    assert not set(found(wordnet, "Turkey", "n")) & set(found(wordnet, "turkey", "n"))
