from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lydite.errors import InputError
from lydite.progress import watched_by
from lydite.spaces.space import Space
from lydite.trained import skipgram as training
from lydite.trained.encoded_corpus import EncodedCorpus, encode_sentences
from lydite.trained.skipgram import (
    ARCHITECTURES,
    Architecture,
    SkipgramRecipe,
    train_skipgram_family,
)

SMALL = SkipgramRecipe(dim=16, window=2, min_count=1, epochs=5, sample=0, alpha=0.1)


def planted(folder: Path) -> EncodedCorpus:
    """Make sentences of two topics that share no word."""
    rng = np.random.default_rng(3)
    topics = rng.integers(2, size=1500)
    return encode_sentences(
        [[f"{'ab'[topic]}{word}" for word in rng.integers(12, size=8)] for topic in topics], folder
    )


def cosines(space: Space) -> np.ndarray:
    unit = space.vectors / np.linalg.norm(space.vectors, axis=1, keepdims=True)
    return np.asarray(unit @ unit.T)


def gap(space: Space, groups: list[str]) -> float:
    """Return how much more alike words of one group are than words of two."""
    same = np.equal.outer(groups, groups)
    similar = cosines(space)
    off = ~np.eye(len(groups), dtype=bool)
    return float(similar[same & off].mean() - similar[~same].mean())


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_words_of_one_topic_are_alike(
    architecture: Architecture, workers: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "BLOCK", 2000)
    recipe = replace(SMALL, architecture=architecture, workers=workers)
    space = train_skipgram_family(planted(tmp_path), recipe)
    assert gap(space, [word[0] for word in space.vocabulary]) > 0.5


@pytest.mark.parametrize(
    ("architecture", "told_apart"),
    [("skipgram", False), ("cbow", False), ("structured-skipgram", True), ("cwindow", True)],
)
def test_order_matters_to_the_structured_alone(
    architecture: Architecture, told_apart: bool, tmp_path: Path
) -> None:
    # Words a stand between l and r, words b between r and l.
    rng = np.random.default_rng(4)
    text = [
        ["l", f"a{n}", "r"] if side else ["r", f"b{n}", "l"]
        for side, n in zip(rng.integers(2, size=4000), rng.integers(6, size=4000), strict=True)
    ]
    corpus = encode_sentences(text, tmp_path)
    space = train_skipgram_family(corpus, replace(SMALL, architecture=architecture, window=1))
    words = [word for word in space.vocabulary if len(word) == 2]
    inner = Space.of(dict(zip(words, space.lookup(words).vectors.tolist(), strict=True)))
    found = gap(inner, [word[0] for word in words])
    assert found > 0.5 if told_apart else found < 0.2


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_one_thread_gives_the_same_bits(architecture: Architecture, tmp_path: Path) -> None:
    corpus = planted(tmp_path)
    recipe = replace(SMALL, architecture=architecture, sample=1e-2, epochs=2)
    one, again = (train_skipgram_family(corpus, recipe) for _ in range(2))
    other = train_skipgram_family(corpus, replace(recipe, seed=1))
    assert one.fingerprint == again.fingerprint
    assert one.fingerprint != other.fingerprint
    assert np.array_equal(one.vectors, again.vectors)


def test_the_space_keeps_counts_and_contexts(tmp_path: Path) -> None:
    text = [["the", "cat", "sat"], ["the", "dog", "sat"]] * 5 + [["once"]]
    corpus = encode_sentences(text, tmp_path)
    for architecture in ARCHITECTURES:
        recipe = replace(SMALL, architecture=architecture, min_count=2)
        space = train_skipgram_family(corpus, recipe)
        assert list(space.vocabulary) == ["the", "sat", "cat", "dog"]
        assert space.counts is not None
        assert space.counts.tolist() == [10.0, 10.0, 5.0, 5.0]
        assert space.spec == architecture
        if recipe.matrices == 1:
            assert space.contexts is not None
            assert space.contexts.shape == space.vectors.shape == (4, 16)
            assert space.contexts.any(axis=1).all()
        else:
            assert space.contexts is None


def test_limit_keeps_the_most_frequent(tmp_path: Path) -> None:
    corpus = encode_sentences([["a", "b", "a", "c", "a", "b"]] * 3, tmp_path)
    space = train_skipgram_family(corpus, replace(SMALL, limit=2))
    assert list(space.vocabulary) == ["a", "b"]


def test_progress_counts_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = encode_sentences([["a", "b", "c"]] * 25, tmp_path)
    monkeypatch.setattr(training, "BLOCK", 60)
    told: list[tuple[str, int, int | None]] = []
    with watched_by(lambda what, done, total: told.append((what, done, total))):
        train_skipgram_family(corpus, replace(SMALL, epochs=2))
    # 100 places are two blocks.
    assert told == [("training skipgram", done, 4) for done in (1, 2, 3, 4)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ([["a"] * 20], "expected at least 2 words that occur 1 times or more, got 1"),
        ([["a", "b"]], "expected a corpus of at least one window, 5 words, got 2"),
        ([["a"], ["b"]] * 9, "expected sentences with at least 2 words of the vocabulary"),
        ([], "expected words that occur 1 times or more in the corpus, got none"),
    ],
)
def test_too_little_text(text: list[list[str]], message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        train_skipgram_family(encode_sentences(text, tmp_path), SMALL)


def test_a_learning_rate_that_is_too_large(tmp_path: Path) -> None:
    corpus = encode_sentences([["a", "b", "c"]] * 50, tmp_path)
    with pytest.raises(InputError, match="grew beyond all numbers with a learning rate of 1e\\+30"):
        train_skipgram_family(corpus, replace(SMALL, alpha=1e30))
