from __future__ import annotations

import logging

import numpy as np
import pytest

from lydite.models.additive import Additive
from lydite.models.catalogue import load
from lydite.models.combination import Ensemble
from lydite.models.composition import MeanOfWords
from lydite.models.word_coverage import counting_words
from lydite.runner import evaluate
from lydite.spaces.space import Space
from lydite.types import Context

SPACE = Space.of({"a": [1.0, 0.0], "cat": [0.0, 1.0], "n't": [1.0, 1.0], ".": [0.5, 0.5]})


def test_words_are_counted_as_often_as_they_occur_and_texts_once() -> None:
    with counting_words() as tally:
        MeanOfWords(SPACE).encode(["A cat is a cat.", "A cat is a cat.", "Dogs!"])
        MeanOfWords(SPACE).encode(["Dogs!"])
    # "is" and "dogs" are unknown; marks are no words.
    assert (tally.known, tally.total) == (4, 6)


def test_pieces_of_contractions_are_words() -> None:
    with counting_words() as tally:
        MeanOfWords(SPACE).encode(["A cat can't."])
    assert (tally.known, tally.total) == (3, 4)  # "ca" is unknown, "n't" is not


def test_each_member_of_an_ensemble_counts() -> None:
    other = Space.of({"cat": [1.0]})
    with counting_words() as tally:
        Ensemble((MeanOfWords(SPACE), MeanOfWords(other))).encode(["A cat."])
    assert (tally.known, tally.total) == (3, 4)


def test_contexts_of_terms_count_without_the_term() -> None:
    context = Context(tokens=("a", "dog", "is", "a", "cat", "___"), start=1, stop=2)
    learner = Additive.open(SPACE, sample=0)
    with counting_words() as tally:
        learner.learn([context])
    assert (tally.known, tally.total) == (3, 4)


def test_nothing_is_counted_where_no_text_is_composed() -> None:
    with counting_words() as tally:
        load("random(3)").encode(["A cat."])
    assert tally.share is None


def test_nobody_listens_outside() -> None:
    assert np.isfinite(MeanOfWords(SPACE).encode(["A cat."])).all()


def test_a_result_tells_the_share_of_words() -> None:
    result = evaluate("mean(glove-6b-50d)", "localization", "starter-groups")
    assert result.n_covered == result.n_items
    assert result.word_coverage is not None
    assert 0.95 < result.word_coverage <= 1
    assert evaluate("bow", "localization", "starter-groups").word_coverage is None


def test_few_known_words_are_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    space = Space.of({"the": [1.0, 0.0], "a": [0.0, 1.0], "is": [1.0, 1.0], "to": [0.3, 0.1]})
    with caplog.at_level(logging.WARNING):
        result = evaluate(MeanOfWords(space), "localization", "starter-groups")
    assert result.word_coverage is not None
    assert result.word_coverage < 0.5
    assert "of the words of starter-groups" in caplog.text
