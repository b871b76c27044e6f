from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lydite.corpora.documents import open_corpus
from lydite.errors import InputError
from lydite.trained.cheung_penn.contexts import PREPARATION, LemmaContexts, counted_lemmas
from lydite.trained.parsed.load import open_parsed

TEXT = "The cat saw a dog. The dog saw the cat, and the cat ran.\nEmus ran."


def pairs(counted: LemmaContexts) -> dict[tuple[str, str], int]:
    lemmas, contexts, matrix = list(counted.lemmas), list(counted.contexts), counted.matrix
    rows = np.repeat(np.arange(len(matrix)), np.diff(matrix.starts))
    return {
        (lemmas[row], contexts[column]): int(value)
        for row, column, value in zip(rows, matrix.columns, matrix.values, strict=True)
    }


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text.txt"
    path.write_text(TEXT)
    return path


def test_contexts_first_then_the_others(text: Path) -> None:
    with counted_lemmas(open_corpus([text], PREPARATION), contexts=3, lemmas="none") as counted:
        # the 4, cat 3, saw, dog and ran 2, a, and, emus 1.
        assert list(counted.contexts) == ["cat", "saw", "dog"]
        assert list(counted.lemmas) == ["cat", "saw", "dog", "the", "ran", "a", "and", "emus"]
        assert (counted.tokens, counted.words) == (16, 8)
        assert counted.lemmatizer == "none"
        assert counted.preparation == replace(PREPARATION, language="en")


def test_as_a_loop(text: Path) -> None:
    opened = open_corpus([text], PREPARATION)
    expected: Counter[tuple[str, str]] = Counter()
    for sentence in opened.sentences():
        for i, word in enumerate(sentence):
            for j, other in enumerate(sentence):
                if 0 < abs(i - j) <= 2 and other in {"cat", "saw", "dog", "ran"}:
                    expected[word, other] += 1
    with counted_lemmas(opened, contexts=4, window=2, lemmas="none") as counted:
        assert pairs(counted) == expected


def test_rare_lemmas_and_too_many(text: Path) -> None:
    opened = open_corpus([text], PREPARATION)
    with counted_lemmas(opened, min_count=2, lemmas="none") as counted:
        assert list(counted.lemmas) == ["cat", "saw", "dog", "ran", "the"]
    with counted_lemmas(opened, lemmata=2, lemmas="none") as counted:
        assert list(counted.lemmas) == ["cat", "the"]
    with (
        pytest.raises(InputError, match="occur 9 times or more and are not function words"),
        counted_lemmas(opened, min_count=9, lemmas="none"),
    ):
        pass


def test_lemmas_of_parsed_text(tmp_path: Path) -> None:
    path = tmp_path / "two.conllu"
    lines = ["1 Dogs dog NOUN _ _ 2 nsubj _ _", "2 barked bark VERB _ _ 0 root _ _"]
    lines += ["3 -LRB- -lrb- PUNCT _ _ 2 punct _ _", "4 cats cat NOUN _ _ 2 obj _ _"]
    lines += ["5 , , PUNCT _ _ 2 punct _ _"]
    path.write_text("\n".join(line.replace(" ", "\t") for line in lines) + "\n\n")
    with counted_lemmas(open_parsed([path]), window=1, lemmas="none") as counted:
        assert counted.lemmatizer == "none"
        # The bracket takes up no place.
        assert pairs(counted) == {
            ("dog", "bark"): 1,
            ("bark", "dog"): 1,
            ("bark", "cat"): 1,
            ("cat", "bark"): 1,
        }
    with counted_lemmas(open_parsed([path], lemmas="none")) as counted:
        assert list(counted.lemmas) == ["dogs", "barked", "cats"]
        assert counted.lemmatizer == "none"
