from __future__ import annotations

import numpy as np
import pytest

from lydite.corpora.annotated import Token
from lydite.evaluations.downstream.words import coverage_of
from lydite.evaluations.tagging.data import tagging_task
from lydite.evaluations.tagging.evaluation import Tagged, outcome
from lydite.evaluations.tagging.tagger import Tagger
from lydite.results.record import Outcome
from lydite.stats.null import summarize_null


def sentence(text: str) -> list[Token]:
    pairs = [word.split("/") for word in text.split()]
    return [Token(form, tag) for form, tag in pairs]


#: Words are numbered a cat sat emu ran, and tags D N V; emu and ran are not in training.
TASK = tagging_task(
    {
        "train": [sentence("a/D cat/N sat/V"), sentence("cat/N")],
        "test": [sentence("a/D emu/N ran/V"), sentence("cat/N")],
    }
)
TAGGER = Tagger(weights=np.zeros((1, 3)), transitions=np.zeros((5, 3)), epochs=7, development=0.5)


def told() -> Outcome:
    """Two repeats; the first takes emu for a verb, the second ran for a noun and cat for a D."""
    tagged = Tagged(
        task=TASK,
        found=np.array([True, True, True, False, True]),
        predicted=np.array([[0, 2, 2, 1], [0, 1, 1, 0]]),
        taggers=(TAGGER, TAGGER),
    )
    coverage = coverage_of(TASK.words, TASK.times, tagged.found)
    baseline = summarize_null([0.25, 0.5], kind="random vectors")
    return outcome(tagged, coverage, baseline, notes=["said"])


def test_shares_of_words_by_hand() -> None:
    found = told()
    # Right in a share of the repeats: a 1, emu 1/2, ran 1/2, cat 1/2.
    assert found.score == pytest.approx(2.5 / 4)
    assert found.details["repeats"] == pytest.approx([3 / 4, 2 / 4])
    # a and cat stand in training; emu has no vector. Only cat is right as a sentence, and once.
    assert found.others["known"] == pytest.approx(3 / 4)
    assert found.others["unknown"] == pytest.approx(1 / 2)
    assert found.others["no_vector"] == pytest.approx(1 / 2)
    assert found.others["sentences_right"] == pytest.approx(1 / 4)
    # a and cat have their tags, and the most frequent tag, N, is that of emu.
    assert found.others["majority"] == pytest.approx(3 / 4)
    assert found.others["random_vectors"] == pytest.approx(0.375)
    # Eight running words, of which emu is missing.
    assert found.others["word_coverage"] == pytest.approx(7 / 8)


def test_items_are_sentences_whose_mean_is_the_score() -> None:
    found = told()
    assert found.items["item"] == ["a emu ran", "cat"]
    assert found.items["right"] == pytest.approx([2, 0.5])
    assert np.mean(found.items["value"]) == pytest.approx(found.score)
    assert found.items["covered"] == [True, True]
    # Two sentences tell little of others.
    assert min(found.ends) < 1 / 2 < found.score < 2 / 3 < max(found.ends)


def test_details_are_of_the_first_repeat() -> None:
    details = told().details
    assert details["notes"] == ["said"]
    assert details["missing"] == ["emu"]
    assert details["tags"][1] == {"tag": "N", "test": 2, "taken_for": 1, "right": 1}
    assert details["confusions"] == [{"tag": "N", "taken_for": "V", "times": 1}]
    # The sentence cat is one of training.
    assert details["test_sentences_in_training"] == 1
    assert (details["epochs"], details["development"]) == ([7, 7], [0.5, 0.5])
    assert details["sentences"] == {"train": 2, "development": 0, "test": 2}
