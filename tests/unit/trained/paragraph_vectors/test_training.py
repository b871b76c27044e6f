from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from lydite.corpora.preparation import Preparation
from lydite.errors import InputError, MissingExtraError
from lydite.progress import watched_by
from lydite.trained.paragraph_vectors import Architecture, ParagraphRecipe, train_paragraphs

KEEP_ALL = Preparation(drop_single=False, punctuation=True)


def test_what_is_kept(text: list[tuple[str, ...]], recipe: ParagraphRecipe) -> None:
    trained = train_paragraphs(text, recipe)
    network = trained.network
    # Words of one frequency stand in the order of the alphabet; "once" is too rare.
    words = [".", "drinks", "in", "a", "bird", "cat", "dog", "house", "milk", "sings"]
    assert network.words.to_list() == ["the", *words, "water", "yard"]
    assert network.counts.tolist() == [60, 45, 30, 30] + [15] * 9
    assert (trained.sentences, trained.tokens, trained.words) == (46, 301, 14)
    assert network.paragraphs is None
    if recipe.architecture == "pv-dm":
        # 13 words and padding; the paragraph and twice two words of 6 numbers.
        assert network.outputs.shape == (14, 30)
        assert network.vectors is not None
        assert network.vectors.shape == (14, 6)
    else:
        assert network.outputs.shape == (13, 6)
        assert network.vectors is None
    assert network.outputs.any(axis=1).sum() >= 13


def test_the_same_seed_gives_the_same_bits(
    text: list[tuple[str, ...]], recipe: ParagraphRecipe
) -> None:
    one, again = (train_paragraphs(iter(text), recipe).network for _ in range(2))
    other = train_paragraphs(text, replace(recipe, seed=1)).network
    assert np.array_equal(one.outputs, again.outputs)
    assert not np.array_equal(one.outputs, other.outputs)


CHILD = """
import hashlib
from lydite.trained.paragraph_vectors import ParagraphRecipe
from lydite.trained.paragraph_vectors import train_paragraphs
text = [("a", "b", "c"), ("c", "d")] * 5
network = train_paragraphs(text, ParagraphRecipe(dim=3, window=2, epochs=1)).network
print(hashlib.sha256(network.outputs.tobytes()).hexdigest())
"""


@pytest.mark.usefixtures("text")
def test_the_hash_of_texts_changes_nothing(elsewhere: Callable[[str], str]) -> None:
    text = [("a", "b", "c"), ("c", "d")] * 5
    network = train_paragraphs(text, ParagraphRecipe(dim=3, window=2, epochs=1)).network
    assert elsewhere(CHILD) == hashlib.sha256(network.outputs.tobytes()).hexdigest()


def test_each_sentence_has_a_vector_of_its_own_with_two_threads(
    text: list[tuple[str, ...]],
) -> None:
    # gensim's compiled reader leaves the second half as it was under PV-DM.
    recipe = ParagraphRecipe(dim=6, window=2, epochs=1, sample=0, alpha=0.2, workers=2)
    many = text * 4
    learnt = train_paragraphs(many, recipe, keep=True).network.paragraphs
    never = train_paragraphs(many, replace(recipe, alpha=1e-9), keep=True).network.paragraphs
    assert learnt is not None
    assert never is not None
    assert learnt.shape == (4 * 46, 6)
    known = [len(sentence) > 1 for sentence in many]
    assert (np.abs(learnt - never).max(axis=1) > 1e-4).tolist() == known


def test_sentences_to_leave_out(text: list[tuple[str, ...]], recipe: ParagraphRecipe) -> None:
    trained = train_paragraphs(
        text, recipe, preparation=KEEP_ALL, exclude=["A bird sings.", "A cat sings."]
    )
    assert (trained.sentences, trained.left_out) == (31, 15)
    assert "bird" not in trained.network.words.to_list()


def test_gensims_word_for_padding_is_no_word(
    text: list[tuple[str, ...]], recipe: ParagraphRecipe
) -> None:
    padded = [(*sentence[:1], "\0", *sentence[1:]) for sentence in text] + [("\0",)]
    trained, plain = train_paragraphs(padded, recipe), train_paragraphs(text, recipe)
    assert np.array_equal(trained.network.outputs, plain.network.outputs)


def test_progress(
    text: list[tuple[str, ...]], recipe: ParagraphRecipe, architecture: Architecture
) -> None:
    told: list[tuple[str, int, int | None]] = []
    with watched_by(lambda what, done, total: told.append((what, done, total))):
        train_paragraphs(text, recipe)
    if architecture == "pv-dm":
        what = "paragraphs of pv-dm, 3 times"
        assert told == [(what, done, 3 * 46) for done in (0, 46, 92, 138)]
    else:
        assert told == [("epochs of pv-dbow", done, 3) for done in range(4)]


def test_no_text(recipe: ParagraphRecipe) -> None:
    with pytest.raises(InputError, match="expected sentences to train on, got none"):
        train_paragraphs([], recipe)


def test_no_word_is_frequent_enough(text: list[tuple[str, ...]], recipe: ParagraphRecipe) -> None:
    with pytest.raises(InputError, match="2 words that occur 100 times or more, got 0: of 301"):
        train_paragraphs(text, replace(recipe, min_count=100))


def test_without_gensim(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gensim.models.doc2vec", None)
    sentences: Any = [("a", "b")] * 9
    with pytest.raises(MissingExtraError) as caught:
        train_paragraphs(sentences, ParagraphRecipe(dim=2))
    assert str(caught.value) == (
        "paragraph vectors (pv-dm) needs packages that are not installed\n"
        "hint: pip install 'lydite[train]'"
    )
