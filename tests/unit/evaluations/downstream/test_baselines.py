from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lydite.evaluations.classification.data import LabelledTexts
from lydite.evaluations.downstream.baselines import RandomWords
from lydite.evaluations.downstream.parts import Part
from lydite.evaluations.downstream.words import Features, encode_part
from lydite.models.baselines import RandomModel

PART = Part(
    name="",
    classes=("a", "b"),
    train=LabelledTexts(texts=("the cat", "a dog"), labels=np.array([0, 1])),
    development=LabelledTexts(texts=("the dog",), labels=np.array([1])),
    test=LabelledTexts(texts=("cat cat", "bird song"), labels=np.array([0, 1])),
)


@pytest.mark.parametrize("features", ["mean", "concatenated"])
def test_vectors_are_those_of_the_random_model(features: Features) -> None:
    found = RandomWords(PART, features=features, tokenizer="words").encoded(4, seed=7)
    expected = encode_part(RandomModel(4, seed=7), PART, features=features, tokenizer="words")
    for split in ("train", "development", "test"):
        np.testing.assert_allclose(getattr(found, split), getattr(expected, split), rtol=1e-6)
    assert found.covered.tolist() == expected.covered.tolist()


def test_case_is_folded() -> None:
    shouted = replace(PART, train=replace(PART.train, texts=("THE Cat", "A dog")))
    plain, loud = [
        RandomWords(each, features="mean", tokenizer="words").encoded(3, seed=1).train
        for each in (PART, shouted)
    ]
    np.testing.assert_array_equal(plain, loud)


def test_a_text_without_words_is_zero_and_not_covered() -> None:
    empty = replace(PART, test=replace(PART.test, texts=("", "bird")))
    found = RandomWords(empty, features="mean", tokenizer="words").encoded(3, seed=1)
    assert not found.test[0].any()
    assert found.covered.tolist() == [False, True]
