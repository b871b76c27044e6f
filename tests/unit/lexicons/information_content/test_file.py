from __future__ import annotations

import math
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from lydite.errors import FormatError, InputError
from lydite.lexicons.information_content import read_information_content
from lydite.lexicons.taxonomy import Lists, Taxonomy, TaxonomyBuilder
from lydite.lexicons.wordnet.database import WordNet
from lydite.lexicons.wordnet.morphology import Exceptions
from lydite.spaces.vocabulary import Vocabulary
from lydite.storage import sha256_file


@pytest.fixture
def pets() -> Taxonomy:
    builder = TaxonomyBuilder(name="pets", sha256="0")
    for concept in ("animal", "dog", "cat"):
        builder.add_concept(concept, [concept])
    builder.add_edge("is-a", "dog", "animal")
    builder.add_edge("is-a", "cat", "animal")
    return builder.build()


def test_values_are_taken_as_they_are(pets: Taxonomy, tmp_path: Path) -> None:
    file = tmp_path / "ic.tsv"
    file.write_text("animal\t0\ndog\t2.5\n")
    found = read_information_content(file, pets)
    np.testing.assert_array_equal(found.values, [0, 2.5, math.nan])
    assert np.isnan(found.counts).all()
    assert found.fingerprint == sha256_file(file)


def test_counts_are_collected(pets: Taxonomy, tmp_path: Path) -> None:
    file = tmp_path / "ic.tsv"
    file.write_text("Concept\tCount\ndog\t1\ndog\t2\nanimal\t1\n")
    found = read_information_content(file, pets, name="mine", sha256="12")
    assert found.counts.tolist() == [4, 3, 0]
    np.testing.assert_allclose(found.values, [0, math.log(4 / 3), math.inf])
    assert (found.name, found.fingerprint) == ("mine", "12")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "got nothing"),
        ("concept\tvalue\n", "got none"),
        ("dog\t1\nemu\t1\n", "ic.tsv:2: pets has no concept 'emu'"),
        ("dog\t1\ncat\n", "ic.tsv:2: expected a concept and a number"),
        ("dog\t1\t2\n", "ic.tsv:1: expected a concept and a number"),
        ("dog\t1\ncat\t3\ndog\t2\n", "ic.tsv:3: expected each concept once"),
        ("dog\t-1\n", "of 0 or more"),
        ("dog\tnan\n", "of 0 or more"),
        ("concept\tcount\ndog\tinf\n", "ic.tsv:2: expected a finite count"),
        ("concept\tcount\ndog\t0\n", "every count is 0"),
    ],
)
def test_faults_are_named(pets: Taxonomy, tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "ic.tsv"
    file.write_text(text)
    with pytest.raises(FormatError, match=message):
        read_information_content(file, pets)


def wordnet(synsets: dict[str, int]) -> WordNet:
    """Build WordNet from synsets and their offsets alone."""
    builder = TaxonomyBuilder(name="wordnet", sha256="0")
    for synset in synsets:
        builder.add_concept(synset, [synset.split(".")[0]], part_of_speech=synset.split(".")[1])
    plain = builder.build()
    return WordNet(
        **{field.name: getattr(plain, field.name) for field in fields(plain)},
        offsets=np.array(list(synsets.values())),
        lexicographer_files=np.zeros(len(plain), dtype=np.uint8),
        lexicographer_names=(),
        sense_counts=np.zeros(len(plain), dtype=np.int32),
        lemmas=plain.words,
        lemma_words=Lists.of([[i] for i in range(len(plain.words))]),
        lemma_parts=np.full(len(plain.words), 15, dtype=np.uint8),
        exceptions=Exceptions(inflected=Vocabulary.of([]), bases=Lists.of([])),
    )


def test_the_roots_of_a_part_of_speech_together_are_its_total(tmp_path: Path) -> None:
    synsets = {"entity.n.01": 1740, "dog.n.01": 1930, "go.v.01": 1740, "eat.v.01": 5, "sit.v.01": 6}
    file = tmp_path / "ic.dat"
    file.write_text("wnver::x\n1740n 8 ROOT\n1930n 0\n1740v 3 ROOT\n5v 1 ROOT\n")
    found = read_information_content(file, wordnet({**synsets, "red.a.01": 1740}))
    # The same offset is another synset for each part of speech. Verbs: 3 of 4 and 1 of 4.
    expected = [0, math.inf, math.log(4 / 3), math.log(4), math.nan, math.nan]
    np.testing.assert_allclose(found.values, expected)
    np.testing.assert_array_equal(found.counts, [8, 0, 3, 1, math.nan, math.nan])


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1740n", "ic.dat:2: expected offset"),
        ("n 5", "ic.dat:2: expected offset"),
        ("1740n -5", "ic.dat:2: expected offset"),
        ("1740n inf", "ic.dat:2: expected offset"),
        ("1741n 5", "expected synsets of wordnet, got 1 others"),
    ],
)
def test_faults_of_files_about_wordnet_are_named(tmp_path: Path, line: str, message: str) -> None:
    file = tmp_path / "ic.dat"
    file.write_text(f"wnver::x\n{line}\n")
    with pytest.raises(FormatError, match=message):
        read_information_content(file, wordnet({"entity.n.01": 1740}))


def test_files_about_wordnet_need_wordnet(pets: Taxonomy, tmp_path: Path) -> None:
    file = tmp_path / "ic.dat"
    file.write_text("wnver::x\n1740n 10 ROOT\n")
    with pytest.raises(InputError, match="synsets of WordNet, but pets"):
        read_information_content(file, pets)
