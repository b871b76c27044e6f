from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from lydite.corpora.annotated import Sense, Token, read_tagged
from lydite.lexicons.oracle_sources import (
    Multiwords,
    build_oracle,
    published_annotations,
    supersense_annotations,
    wordnet_annotations,
)
from lydite.lexicons.oracles import agreement, read_oracle
from lydite.lexicons.wordnet.database import SenseWeights, WordNet, open_wordnet
from lydite.resources.catalogue import locate


@pytest.fixture
def wordnet(shared_data: Path) -> WordNet:
    assert shared_data.is_dir()
    found = locate("wordnet-3.0")
    return open_wordnet(found.paths, sha256=found.sha256, name=found.name)


def test_the_published_oracle_comes_out_again(shared_data: Path, wordnet: WordNet) -> None:
    published = read_oracle(shared_data / "qvec-oracles" / "semcor_noun_verb.supersenses.en")
    sentences = list(read_tagged([shared_data / "treebanks" / "semcor3.0.tar.gz"]))
    built = build_oracle(published_annotations(sentences, wordnet), prefix="semcor")
    found = agreement(built.oracle, published)
    assert (len(found.words), found.only_first, found.only_second) == (4199, (), ())
    assert found.largest.max() < 1e-12
    # With the senses that were tagged: what the alphabetical order of synsets costs.
    tagged = agreement(
        build_oracle(supersense_annotations(sentences), prefix="semcor").oracle, published
    )
    counts = (len(tagged.words), len(tagged.only_first), len(tagged.only_second))
    assert counts == (4195, 170, 4)
    assert tagged.equal == pytest.approx(0.5642, abs=5e-5)
    assert tagged.mean_cosine == pytest.approx(0.8988, abs=5e-5)


@pytest.mark.parametrize(
    ("lemma", "number", "expected"),
    [
        # fish.n.01 (animal), fish.n.02 (food): pisces.n.02, the third sense, has another name.
        ("fish", 1, {("fish", "noun.animal"): 1}),
        ("fish", 2, {("fish", "noun.food"): 1}),
        ("fish", 3, {}),
        # A sense that WordNet has no longer is number 0, which takes the last.
        ("fish", 0, {("fish", "noun.food"): 1}),
        ("new_york", 1, {("york", "noun.location"): 1}),
    ],
)
def test_a_sense_is_taken_at_its_place_in_the_alphabet(
    wordnet: WordNet, lemma: str, number: int, expected: dict[tuple[str, str], int]
) -> None:
    token = Token(lemma, "NN", lemma, (Sense(number, "1:00:00::"),))
    found = published_annotations([[token]], wordnet)
    assert {(word, feature): count for word, feature, count in found} == expected


def test_two_senses_and_other_words_are_left_out(wordnet: WordNet) -> None:
    sense = Sense(1, "1:05:00::")
    tokens = [Token("x", "JJ", "fish", (sense,)), Token("x", "NN", "fish", (sense, sense))]
    assert list(published_annotations([tokens], wordnet)) == []


def features_of(wordnet: WordNet, word: str, weights: SenseWeights) -> Counter[str]:
    found: Counter[str] = Counter()
    for other, feature, weight in wordnet_annotations(wordnet, weights=weights):
        if other == word:
            found[feature] += int(weight)
    return found


def test_wordnet_alone(wordnet: WordNet) -> None:
    # index.sense lists fish as animal (12 times tagged), food (3), angling (2) and seeking (1);
    # Fish as a sign of the zodiac is another word.
    counts = {"noun.animal": 12, "noun.food": 3, "verb.contact": 2, "verb.competition": 1}
    assert features_of(wordnet, "fish", "counts") == counts
    assert features_of(wordnet, "fish", "uniform") == dict.fromkeys(counts, 1)


def test_expressions_of_wordnet(wordnet: WordNet) -> None:
    hows: tuple[Multiwords, ...] = ("skip", "join", "split")
    skip, join, split = (
        {each.word for each in wordnet_annotations(wordnet, multiwords=how)} for how in hows
    )
    assert not any(" " in word for word in skip | join | split)
    assert "hot_dog" in join - skip - split
    assert "Francisco" in split - skip - join
