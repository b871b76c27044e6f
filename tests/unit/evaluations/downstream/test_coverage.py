from __future__ import annotations

import logging
from collections.abc import Sequence

import numpy as np
import pytest

from lydite.evaluations.downstream.words import coverage_notes, coverage_of, word_coverage
from lydite.models.composition import SumOfWords
from lydite.spaces.space import Space
from lydite.types import Vectors

SPACE = Space.of({"cat": [2, 0], "the": [1, 1]})
TEXTS = ["The cat sat, 3 times.", "the mat , sat"]


def test_words_are_counted_by_hand() -> None:
    # Words with a letter: The cat sat times the mat sat; found are The, cat, the.
    found = word_coverage(SPACE, TEXTS, tokenizer="words")
    assert found is not None
    assert found.plain == {
        "running": 7, "running_found": 3, "distinct": 6, "distinct_found": 3,
    }  # fmt: skip
    assert found.missing == ("sat", "times", "mat")
    assert found.share == pytest.approx(3 / 7)


def test_a_composition_cuts_texts_in_its_own_way() -> None:
    model = SumOfWords.open(SPACE, tokenizer="whitespace", case="exact")
    found = word_coverage(model, TEXTS, tokenizer="words")
    assert found is not None
    assert found.plain["running_found"] == 2
    assert "sat," in found.missing


def test_a_model_of_texts_has_no_words_to_count() -> None:
    class Texts:
        def encode(self, texts: Sequence[str], /) -> Vectors:
            return np.ones((len(texts), 2), dtype=np.float32)

    assert word_coverage(Texts(), TEXTS, tokenizer="words") is None
    assert coverage_notes(Texts(), None, "x") == []


def test_texts_without_words_are_not_covered() -> None:
    found = word_coverage(SPACE, ["...", ""], tokenizer="words")
    assert found is not None
    assert found.share == 0
    (note,) = coverage_notes(SPACE, found, "marks.csv")
    assert note.startswith("no text of marks.csv has a word with a letter")


@pytest.mark.parametrize(("absent", "warned"), [(8, False), (9, True)])
def test_a_warning_below_a_fifth(
    caplog: pytest.LogCaptureFixture, absent: int, warned: bool
) -> None:
    found = word_coverage(SPACE, ["the cat " + "x " * absent], tokenizer="words")
    with caplog.at_level(logging.WARNING):
        notes = coverage_notes(SPACE, found, "tasks.csv")
    assert bool(notes) is warned
    assert [record.getMessage() for record in caplog.records] == notes
    if warned:
        assert (
            "18.2% of the 11 words of tasks.csv (2 of 3 different ones; missing are x)" in notes[0]
        )


def test_words_that_were_looked_up_are_counted_alike() -> None:
    words = ["a", "b", "c", ".", "d", "gone"]
    found = np.array([True, False, True, False, False, False])
    coverage = coverage_of(words, np.array([2, 2, 1, 9, 1, 0]), found)
    # a and c have a vector; the stop is no word, and what never occurs is not missing.
    assert coverage.plain == {
        "running": 6, "running_found": 3, "distinct": 4, "distinct_found": 2,
    }  # fmt: skip
    assert coverage.missing == ("b", "d")
