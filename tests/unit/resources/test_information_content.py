from __future__ import annotations

import math
from pathlib import Path

import pytest

from lydite.errors import InputError, UnknownNameError
from lydite.lexicons.taxonomy import Taxonomy, TaxonomyBuilder
from lydite.lexicons.taxonomy_files import open_taxonomy
from lydite.resources.catalogue import find, locate
from lydite.resources.lexicons import CORPORA, locate_information_content, open_information_content
from lydite.storage import sha256_file


@pytest.fixture
def pets() -> Taxonomy:
    builder = TaxonomyBuilder(name="pets", sha256="0")
    builder.add_concept("animal", ["animal"])
    builder.add_concept("dog", ["dog"])
    builder.add_edge("is-a", "dog", "animal")
    return builder.build()


def test_the_names_are_those_of_the_resource() -> None:
    files = {Path(file.path).name for file in find("wordnet-ic").data_files}
    assert files == set(CORPORA.values())


def test_a_file_of_the_users_is_given_by_its_path(pets: Taxonomy, tmp_path: Path) -> None:
    file = tmp_path / "mine.tsv"
    file.write_text("dog\t2\n")
    content = open_information_content(str(file), pets)
    assert content.values[1] == 2
    assert content.fingerprint == sha256_file(file)
    assert content.name == str(file)


def test_the_taxonomy_alone_will_do(pets: Taxonomy) -> None:
    assert open_information_content("intrinsic", pets).values.tolist() == [0, 1]


def test_a_misspelt_name_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="did you mean brown"):
        locate_information_content("brwn")


def test_a_folder_of_several_files_is_refused(tmp_path: Path) -> None:
    for name in ("a.tsv", "b.tsv"):
        (tmp_path / name).write_text("dog\t2\n")
    with pytest.raises(InputError, match="expected one file"):
        locate_information_content(tmp_path)


# Values of NLTK 3.10.4, information_content(synset, wordnet_ic.ic(file)).
NLTK = {
    "brown": {"dog.n.01": 9.006014398918229, "run.v.01": 7.742470743928131},
    "brown-resnik": {"dog.n.01": 8.787897347172922, "run.v.01": 8.29259243736696},
    "bnc": {"dog.n.01": 8.956167143794275, "run.v.01": 7.764999076236563},
    "semcor": {"dog.n.01": 7.7404081579094255, "run.v.01": 6.596228834591048},
}


@pytest.mark.parametrize("name", sorted(CORPORA))
def test_it_agrees_with_nltk(shared_data: Path, name: str) -> None:
    located = locate("wordnet-3.0")
    wordnet = open_taxonomy(located.paths, name=located.name, sha256=located.sha256)
    content = open_information_content(name, wordnet)

    def value(concept: str) -> float:
        return float(content.values[wordnet.concepts.find([concept])[0]])

    for concept, expected in NLTK[name].items():
        assert value(concept) == pytest.approx(expected, abs=1e-12)
    assert value("entity.n.01") == 0
    assert value("abecedarian.n.01") == math.inf
    assert math.isnan(value("red.s.01"))
    pinned = {Path(file.path).name: file.sha256 for file in find("wordnet-ic").data_files}
    assert content.fingerprint == pinned[CORPORA[name]]
