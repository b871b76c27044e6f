from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from lydite.corpora.annotated import Sense, Token
from lydite.lexicons.oracle_sources import published_annotations, wordnet_annotations
from lydite.lexicons.wordnet.database import WordNet, open_wordnet

#: The lexicographer files of the small WordNet that are supersenses; the others are not.
FILES = {5: "noun.animal", 8: "noun.body", 14: "noun.group", 18: "noun.person", 38: "verb.motion"}


@pytest.fixture
def wordnet(
    write: Callable[..., list[Path]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> WordNet:
    monkeypatch.setenv("LYDITE_CACHE", str(tmp_path / "cache"))
    names = "".join(f"{n:02d}\t{FILES.get(n, f'adj.{n}')}\t1\n" for n in range(45)).encode()
    return open_wordnet(write(edit={"lexnames": lambda _: names}), sha256="small", name="small")


def counted(wordnet: WordNet, **choices: str) -> Counter[tuple[str, str]]:
    found: Counter[tuple[str, str]] = Counter()
    for word, feature, weight in wordnet_annotations(wordnet, **choices):  # type: ignore[arg-type]
        found[word, feature] += int(weight)
    return found


def test_each_sense_counts_one(wordnet: WordNet) -> None:
    found = counted(wordnet)
    dogs = {feature: times for (word, feature), times in found.items() if word == "dog"}
    assert dogs == {"noun.animal": 1, "noun.person": 1, "verb.motion": 1}
    assert found["beast", "noun.animal"] == 1
    # Entity, good and well are in files that are no supersenses.
    assert {word for word, _ in found} & {"entity", "good", "well"} == set()
    assert not any("_" in word for word, _ in found)


def test_senses_count_as_often_as_they_were_tagged(wordnet: WordNet) -> None:
    found = counted(wordnet, weights="counts")
    # As index.sense of the small WordNet has it, which lists no other senses.
    assert found["dog", "noun.animal"] == 42
    assert found["Rex", "noun.person"] == 7
    assert {word.lower() for word, _ in found} == {"dog", "rex"}


@pytest.mark.parametrize(
    ("multiwords", "extra"),
    [
        ("join", {("domestic_dog", "noun.animal"): 1, ("king_of_dogs", "noun.person"): 1}),
        (
            "split",
            {
                **{("domestic", "noun.animal"): 1, ("dog", "noun.animal"): 1},
                **{(part, "noun.person"): 1 for part in ("king", "of", "dogs")},
            },
        ),
    ],
)
def test_expressions_are_joined_or_split(
    wordnet: WordNet, multiwords: str, extra: dict[tuple[str, str], int]
) -> None:
    assert counted(wordnet, multiwords=multiwords) - counted(wordnet) == Counter(extra)


def test_the_published_oracle_takes_senses_by_the_alphabet(wordnet: WordNet) -> None:
    """Synsets of *dog* are named after their first words: chap and dog."""

    def published(lemma: str, tag: str, number: int) -> dict[tuple[str, str], int]:
        sentence = [Token(lemma, tag, lemma, (Sense(number, ""),))] * 2
        found = published_annotations([sentence], wordnet)
        return {(word, feature): int(weight) for word, feature, weight in found}

    noun = published("dog", "NN", 1)
    assert list(noun.values()) == [2]
    assert {feature for _, feature in noun} <= {"noun.animal", "noun.person"}
    assert published("chase", "VB", 1) == {("chase", "verb.motion"): 2}
    # There are not so many senses.
    assert published("chase", "VB", 9) == {}
    # Only nouns and verbs are counted, and of an expression only parts that are words themselves.
    assert published("good", "JJ", 1) == {}
    assert published("domestic_dog", "NN", 1) == {("dog", "noun.animal"): 2}
