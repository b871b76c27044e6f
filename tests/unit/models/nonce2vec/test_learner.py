from __future__ import annotations

import importlib.util
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lydite.errors import InputError, UnsuitableModelError
from lydite.models.contexts import encode_contexts
from lydite.models.nonce2vec import PRESETS, Nonce2Vec
from lydite.models.protocols import TermLearner
from lydite.spaces.space import Space
from lydite.spaces.vocabulary import Vocabulary
from lydite.types import Context

LOOP = Path(__file__).parents[4] / "benchmarks" / "nonce2vec_loop.py"


def background(words: int = 200, dim: int = 10) -> Space:
    generator = np.random.default_rng(0)
    return Space(
        vocabulary=Vocabulary.of(f"w{i}" for i in range(words)),
        vectors=generator.normal(size=(words, dim)).astype(np.float32) * np.float32(0.3),
        contexts=generator.normal(size=(words, dim)).astype(np.float32) * np.float32(0.3),
        counts=1e6 / np.arange(1.0, words + 1),
    )


def samples(count: int = 80) -> list[list[Context]]:
    generator = np.random.default_rng(1)
    drawn = generator.integers(0, 220, (count, 6, 30))
    return [
        [
            Context(
                tokens=(*(f"w{i}" for i in line[:12]), "x", *(f"w{i}" for i in line[12:]), "___"),
                start=12,
                stop=13,
            )
            for line in sample
        ]
        for sample in drawn
    ]


def two_words() -> Space:
    return Space(
        vocabulary=Vocabulary.of(["a", "b"]),
        vectors=np.array([[1, 0], [0, 1]], dtype=np.float32),
        contexts=np.array([[0.5, 1], [2, -1]], dtype=np.float32),
        counts=np.array([1.0, 1.0]),
    )


def test_one_pair_by_hand() -> None:
    # The term starts at the vector of "a", (1, 0). The only other word, "b", is the one negative.
    # Gains: alpha (1 - s(0.5)) and alpha (0 - s(2)); step: 0.5 [g1 (0.5, 1) + g2 (2, -1)].
    learner = Nonce2Vec.open(two_words(), alpha=0.5, negatives=1, sample=0)
    learnt = learner.learn([Context(tokens=("a", "x"), start=1, stop=2)])
    towards = 0.5 * (1 - 1 / (1 + math.exp(-0.5)))
    away = -0.5 / (1 + math.exp(-2.0))
    expected = [1 + 0.5 * towards + 2 * away, towards - away]
    np.testing.assert_allclose(learnt, expected, rtol=1e-6)


def test_context_input_takes_the_word_vectors() -> None:
    # Outputs are (1, 0) and (0, 1): the gains are alpha (1 - s(1)) and -alpha s(0).
    learner = Nonce2Vec.open(two_words(), alpha=0.5, negatives=1, sample=0, context="input")
    learnt = learner.learn([Context(tokens=("a", "x"), start=1, stop=2)])
    np.testing.assert_allclose(learnt, [1 + 0.5 * (1 - 1 / (1 + math.exp(-1))), -0.25], rtol=1e-6)


def loop() -> Any:  # noqa: ANN401 - a module
    spec = importlib.util.spec_from_file_location("nonce2vec_loop", LOOP)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"preset": "small-data"},
        {"freeze": "input"},
        {"narrowing": "released", "restart": "term", "sample_decay": 1.0},
        {"epochs": 3, "preset": "small-data", "freeze": "input"},
        {"size": None, "sample": 1.0},
    ],
)
def test_it_learns_what_a_plain_loop_learns(options: dict[str, Any]) -> None:
    learner = Nonce2Vec.open(background(), **options)
    encoded = encode_contexts(learner.background, samples(12)).seeded(3)
    expected = loop().learn_loop(learner, encoded)
    np.testing.assert_allclose(learner.learn_encoded(encoded).vectors, expected, rtol=1e-5)


def test_threads_and_company_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    learner = Nonce2Vec.open(background(), freeze="input")
    monkeypatch.setenv("LYDITE_THREADS", "1")
    one = learner.learn_all(samples()).vectors
    monkeypatch.setenv("LYDITE_THREADS", "2")
    np.testing.assert_array_equal(learner.learn_all(samples()).vectors, one)
    np.testing.assert_array_equal(learner.learn(samples()[70]), one[70])
    assert not np.array_equal(learner.learn_all(samples(), seed=1).vectors, one)


def test_the_background_stays_as_it_is() -> None:
    space = background()
    assert space.contexts is not None
    before, outputs = space.vectors.copy(), space.contexts.copy()
    Nonce2Vec.open(space, freeze="input").learn_all(samples(3))
    np.testing.assert_array_equal(space.vectors, before)
    np.testing.assert_array_equal(space.contexts, outputs)


def test_the_released_window_learns_nothing_after_three_sentences() -> None:
    space, sample = background(), samples(1)[0]
    options: dict[str, Any] = {"sample": 0, "sample_decay": 1.0, "restart": "term"}
    released = Nonce2Vec.open(space, narrowing="released", **options)
    floor = Nonce2Vec.open(space, **options)
    encoded = encode_contexts(space, [sample])
    pairs = [learner._train(encoded)[1][0, 1] for learner in (released, floor)]
    few = encode_contexts(space, [sample[:3]])
    assert pairs[0] == released._train(few)[1][0, 1] < pairs[1]


def test_presets_are_the_published_settings() -> None:
    published, small = PRESETS["published"], PRESETS["small-data"]
    assert (published.alpha, published.negatives, published.decay) == (1.0, 3, 70.0)
    assert (published.sample, published.sample_decay, published.window_decay) == (10_000, 1.9, 5)
    assert (published.window, published.epochs, published.restart) == (15, 1, "sentence")
    assert (small.alpha, small.negatives, small.decay, small.sample_decay) == (0.1, 5, 30.0, 2.5)


def test_the_spec_names_the_preset_and_what_differs_from_it() -> None:
    learner = Nonce2Vec.open(background(), preset="small-data", alpha=0.5, size=None)
    assert learner.spec == "nonce2vec(space, preset=small-data, alpha=0.5, size=none)"
    assert isinstance(learner, TermLearner)


def plain(**options: Any) -> Nonce2Vec:  # noqa: ANN401
    return Nonce2Vec.open(Space.of({"a": [1.0], "b": [2.0]}), **options)


def test_a_plain_vector_file_is_refused_with_the_reason() -> None:
    with pytest.raises(UnsuitableModelError, match="needs the output vectors") as caught:
        plain()
    assert "context=input" in str(caught.value)


def test_a_background_without_counts_is_refused() -> None:
    with pytest.raises(InputError, match="does not know how often"):
        plain(context="input", frequencies="space")


@pytest.mark.parametrize(
    "options",
    [{"alpha": 0}, {"negatives": -1}, {"decay": 0}, {"sample_decay": 0.5}, {"epochs": 0}],
)
def test_settings_out_of_range_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=next(iter(options))):
        plain(context="input", **options)
