from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lydite.errors import InputError, UnsuitableModelError
from lydite.lexicons.frequencies import ListedFrequencies
from lydite.models.additive import Additive
from lydite.models.contexts import learn_all
from lydite.models.protocols import TermLearner
from lydite.spaces.space import Space
from lydite.types import Context

SPACE = Space.of({"a": [1.0, 0.0], "b": [0.0, 1.0], "c": [4.0, 4.0]})
COUNTED = replace(SPACE, counts=np.array([1.0, 99.0, 0.0]))


def context(text: str, term: str = "x") -> Context:
    tokens = tuple(text.split())
    at = tokens.index(term)
    return Context(tokens=tokens, start=at, stop=at + 1)


def test_the_sum_by_hand() -> None:
    # a + b from the first sentence, c + a from the second.
    learner = Additive.open(SPACE, sample=0)
    assert learner.learn([context("a x b"), context("c x a")]).tolist() == [6.0, 5.0]


def test_the_window_is_within_the_sentence_and_skips_unknown_words() -> None:
    # Window 1: "a" and "b" stand next to the term once "emu" is left out, "c" does not.
    learner = Additive.open(SPACE, sample=0, window=1)
    assert learner.learn([context("c a emu x b c"), context("x")]).tolist() == [1.0, 1.0]


def test_further_uses_of_the_term_are_not_context_but_have_windows() -> None:
    learner = Additive.open(SPACE, sample=0, window=1)
    assert learner.learn([context("x emu a b b ___ c")]).tolist() == [5.0, 5.0]


def test_a_frequent_word_is_kept_as_often_as_word2vec_keeps_it() -> None:
    # f(b) = 0.99, t = 0.01: keep sqrt(t / f) + t / f = 0.1106.
    sentence = context("x " + "b " * 10_000)
    learner = Additive.open(COUNTED, sample=0.01, window=20_000)
    kept = learner.learn([sentence])[1] / 10_000
    assert abs(kept - 0.1106) < 0.01


def test_what_is_dropped_depends_on_seed_and_sentence_alone() -> None:
    sentences = [context(f"x a{i} " + "b " * 40) for i in range(3)]
    learner = Additive.open(COUNTED, sample=0.1, window=50)
    alone = [learner.learn([sentence]) for sentence in sentences]
    together = learner.learn_all([sentences[::-1], [sentences[1]]]).vectors
    np.testing.assert_array_equal(together, [sum(alone), alone[1]])
    other = Additive.open(COUNTED, sample=0.1, window=50, seed=1).learn(sentences)
    assert not np.array_equal(other, together[0])
    assert not np.array_equal(learner.learn_all([sentences], seed=1).vectors[0], together[0])


def test_without_a_known_word_nothing_is_learnt() -> None:
    learnt = learn_all(Additive.open(SPACE, sample=0), [[context("x emu")], [context("x a")], []])
    assert learnt.learned.tolist() == [False, True, False]
    assert learnt.used.tolist() == [0, 1, 0]
    assert learnt.background is SPACE


def test_a_list_may_give_the_counts() -> None:
    counts = ListedFrequencies.of({"b": 99, "a": 1})
    sentence = context("x " + "b " * 50)
    listed = Additive.open(SPACE, sample=0.01, window=50, frequencies=counts).learn([sentence])
    own = Additive.open(COUNTED, sample=0.01, window=50).learn([sentence])
    np.testing.assert_array_equal(listed, own)


def test_the_spec_names_what_differs() -> None:
    learner = Additive.open(SPACE, sample=0, window=5)
    assert learner.spec == "additive(space, window=5, sample=0)"
    assert isinstance(learner, TermLearner)


def test_counts_that_are_not_there_are_refused() -> None:
    with pytest.raises(InputError, match="does not know how often"):
        Additive.open(SPACE, frequencies="space")


def test_a_background_without_a_space_is_refused() -> None:
    with pytest.raises(UnsuitableModelError, match="space of word vectors"):
        Additive.open("random(3)")


@pytest.mark.parametrize("options", [{"window": 0}, {"sample": -1.0}, {"seed": -1}])
def test_parameters_out_of_range_are_refused(options: dict[str, int]) -> None:
    with pytest.raises(InputError, match=next(iter(options))):
        Additive.open(COUNTED, **options)
