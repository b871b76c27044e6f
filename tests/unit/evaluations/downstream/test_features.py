from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from lydite.errors import InputError, UndefinedScoreError
from lydite.evaluations.classification.data import LabelledTexts
from lydite.evaluations.downstream.parts import Part
from lydite.evaluations.downstream.words import check_known, concatenated, encode_part
from lydite.models.baselines import BagOfWords
from lydite.spaces.space import Space
from lydite.types import Vectors

SPACE = Space.of({"cat": [2, 0], "dog": [0, 4], "the": [1, 1]})


def part(train: Sequence[str], test: Sequence[str], tuning: Sequence[str] = ()) -> Part:
    def some(texts: Sequence[str]) -> LabelledTexts:
        return LabelledTexts(texts=tuple(texts), labels=np.arange(len(texts)) % 2)

    return Part(
        name="",
        classes=("a", "b"),
        train=some(train),
        development=some(tuning) if tuning else None,
        test=some(test),
    )


def test_the_mean_of_known_words_by_hand() -> None:
    data = part(["The cat, unknown", "dog"], ["nothing known", "cat dog"], ["the"])
    found = encode_part(SPACE, data, features="mean", tokenizer="words")
    # the is looked for in lower case: (1, 1) and (2, 0), over two words.
    assert found.train.tolist() == [[1.5, 0.5], [0, 4]]
    assert found.development.tolist() == [[1, 1]]
    assert found.test.tolist() == [[0, 0], [1, 2]]
    assert found.covered.tolist() == [False, True]


def test_words_side_by_side_by_hand() -> None:
    found = encode_part(
        SPACE, part(["cat dog", "Dog cat"], ["cat x"]), features="concatenated", tokenizer="words"
    )
    assert found.train.tolist() == [[2, 0, 0, 4], [0, 4, 2, 0]]
    assert found.test.tolist() == [[2, 0, 0, 0]]
    assert found.covered.tolist() == [False]
    assert found.development.shape == (0, 4)


def test_texts_of_other_lengths_cannot_stand_side_by_side() -> None:
    with pytest.raises(InputError, match="'cat dog' has 2, 'cat' has 1"):
        concatenated(SPACE, ["cat dog", "cat"])


def test_a_model_of_texts_is_taken_as_it_is() -> None:
    class Lengths:
        spec = "lengths"

        def encode(self, texts: Sequence[str], /) -> Vectors:
            return np.array([[len(text), 1] for text in texts], dtype=np.float32)

    found = encode_part(Lengths(), part(["abc", "d"], ["ef"]), features="mean", tokenizer="words")
    assert found.train.tolist() == [[3, 1], [1, 1]]
    assert found.test.tolist() == [[2, 1]]


def test_a_model_that_is_fitted_sees_training_texts_alone() -> None:
    data = part(["cat dog", "cat"], ["cat bird"])
    found = encode_part(BagOfWords(), data, features="mean", tokenizer="words")
    assert found.train.shape[1] == 2


def test_a_model_that_is_fitted_sees_training_phrases_alone() -> None:
    data = part(["warm soup", "warm heart"], ["warm reception"])
    found = encode_part(BagOfWords(), data, features="concatenated", tokenizer="words")
    # Of three training words, heart, soup and warm, each phrase has two places.
    assert found.test.tolist() == [[0, 0, 1, 0, 0, 0]]
    assert found.covered.tolist() == [False]


def test_training_without_any_known_word_is_refused_and_one_fold_of_it_is_not() -> None:
    def check(*parts: Part) -> None:
        encoded = [encode_part(SPACE, each, features="mean", tokenizer="words") for each in parts]
        check_known(SPACE, parts, encoded)

    with pytest.raises(UndefinedScoreError, match="the 2 training texts, first 'x'"):
        check(part(["x"], ["cat"]), part(["y"], ["cat"]))
    check(part(["x"], ["cat"]), part(["cat"], ["x"]))
