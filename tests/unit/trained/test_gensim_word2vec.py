from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from lydite.errors import InputError, MissingExtraError
from lydite.progress import watched_by
from lydite.trained import gensim_engine as word2vec
from lydite.trained.gensim_engine import Trained, Word2VecRecipe, train_word2vec

SMALL = Word2VecRecipe(dim=8, min_count=2, epochs=2, sample=0)
TEXT = [
    ["the", "cat", "drinks", "milk", "in", "the", "house"],
    ["the", "dog", "drinks", "water", "in", "the", "yard"],
    ["a", "bird", "sings"],
] * 10 + [["once"]]


@pytest.fixture
def gensim() -> None:
    pytest.importorskip("gensim", reason="gensim is absent")


def train(recipe: Word2VecRecipe = SMALL, text: list[list[str]] = TEXT) -> Trained:
    return train_word2vec(text, recipe)


@pytest.mark.usefixtures("gensim")
def test_counts_and_both_matrices_are_kept() -> None:
    trained = train()
    space = trained.space
    # Words of one frequency stand in the order of the alphabet; "once" is too rare.
    assert list(space.vocabulary) == ["the", "drinks", "in", *sorted(ONCE_A_SENTENCE)]
    assert space.counts is not None
    assert space.counts.tolist() == [40.0, 20.0, 20.0] + [10.0] * len(ONCE_A_SENTENCE)
    assert space.contexts is not None
    assert space.contexts.shape == space.vectors.shape == (12, 8)
    assert space.contexts.any(axis=1).all()
    assert not np.array_equal(space.contexts, space.vectors)
    assert (trained.sentences, trained.tokens, trained.words) == (31, 171, 13)


ONCE_A_SENTENCE = ["cat", "milk", "house", "dog", "water", "yard", "a", "bird", "sings"]


@pytest.mark.usefixtures("gensim")
@pytest.mark.parametrize("architecture", ["skipgram", "cbow"])
def test_the_same_seed_gives_the_same_bits(architecture: word2vec.Architecture) -> None:
    recipe = replace(SMALL, architecture=architecture)
    one, again, other = train(recipe), train(recipe), train(replace(recipe, seed=1))
    assert one.space.fingerprint == again.space.fingerprint
    assert one.space.fingerprint != other.space.fingerprint


@pytest.mark.usefixtures("gensim")
def test_architectures_differ() -> None:
    assert train().space.fingerprint != train(replace(SMALL, architecture="cbow")).space.fingerprint


CHILD = """
from lydite.trained.gensim_engine import Word2VecRecipe, train_word2vec
text = [["a", "b", "c"], ["c", "d"]] * 5
print(train_word2vec(text, Word2VecRecipe(dim=3, epochs=1)).space.fingerprint)
"""


@pytest.mark.usefixtures("gensim")
def test_the_hash_of_texts_changes_nothing(elsewhere: Callable[[str], str]) -> None:
    text = [["a", "b", "c"], ["c", "d"]] * 5
    here = train_word2vec(text, Word2VecRecipe(dim=3, epochs=1)).space.fingerprint
    assert elsewhere(CHILD) == here


@pytest.mark.usefixtures("gensim")
def test_a_very_long_sentence_is_read_to_its_end() -> None:
    # gensim alone would pass over what follows the first 10,000 words.
    text = [["x", "y"] * 5000 + ["far", "away"] * 50]
    space = train(replace(SMALL, epochs=1), text).space
    assert space.contexts is not None
    assert space.contexts[space.find(["far", "away"])].any(axis=1).all()


@pytest.mark.usefixtures("gensim")
def test_progress_counts_epochs() -> None:
    told: list[tuple[str, int, int | None]] = []
    with watched_by(lambda what, done, total: told.append((what, done, total))):
        train()
    assert told == [("epochs of skipgram", done, 2) for done in (0, 1, 2)]


@pytest.mark.usefixtures("gensim")
def test_no_text() -> None:
    with pytest.raises(InputError, match="expected sentences to train on, got none"):
        train(text=[])


@pytest.mark.usefixtures("gensim")
def test_no_word_is_frequent_enough() -> None:
    with pytest.raises(InputError) as caught:
        train(replace(SMALL, min_count=50))
    assert str(caught.value) == (
        "expected at least 2 words that occur 50 times or more, got 0: of 171 tokens and 13 words, "
        "the most frequent, 'the', occurs 40 times\n"
        "hint: lower --min-count (min_count), or train on more text"
    )


def test_without_gensim(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gensim.models", None)
    with pytest.raises(MissingExtraError) as caught:
        train()
    assert str(caught.value) == (
        "training word2vec needs packages that are not installed\nhint: pip install 'lydite[train]'"
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"dim": 0}, "expected dim to be a whole number from 1, got 0"),
        ({"negative": 0}, "expected negative to be a whole number from 1, got 0"),
        ({"alpha": 0.0}, "expected alpha to be a number above 0, got 0.0"),
        ({"sample": -1.0}, "expected sample to be a number from 0, got -1.0"),
        ({"seed": 2**32}, "expected a seed from 0 to 2^32 - 1, got 4294967296"),
        ({"architecture": "glove"}, "expected architecture among skipgram, cbow, got 'glove'"),
    ],
)
def test_recipes_that_are_none(change: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as caught:
        Word2VecRecipe(**change)  # type: ignore[arg-type]
    assert str(caught.value) == message


def test_a_corpus_smaller_than_one_window_is_refused() -> None:
    with pytest.raises(InputError, match="at least one window, 11 words, got 10"):
        train_word2vec([["a", "b"] * 5], Word2VecRecipe(window=5))
