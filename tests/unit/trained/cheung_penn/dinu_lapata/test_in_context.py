from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydite.trained.cheung_penn.dinu_lapata import composed, senses_in_context, windowed
from lydite.types import Floats, Mask


def loop(words: Floats, contexts: Floats, near: Mask) -> Floats:
    """The formula, word by word, context by context and sense by sense."""
    shifted = []
    for t, word in enumerate(words):
        each = []
        for c, likelihood in enumerate(contexts):
            if near[t, c]:
                joint = [word[z] * likelihood[z] for z in range(len(word))]
                each.append([value / sum(joint) for value in joint])
        shifted.append(np.mean(each, axis=0) if each else word)
    return np.array(shifted)


def test_one_word_and_two_contexts() -> None:
    # P(z|t) = (2/3, 1/3). With P(c|z) = (2/3, 1/4): 4/9 to 1/12, that is 16/19 and 3/19.
    # With P(c|z) = (1/3, 3/4): 2/9 to 1/4, that is 8/17 and 9/17.
    words = np.array([[2 / 3, 1 / 3]])
    contexts = np.array([[2 / 3, 1 / 4], [1 / 3, 3 / 4]])
    both = senses_in_context(words, contexts, np.array([[True, True]]))
    first = senses_in_context(words, contexts, np.array([[True, False]]))
    np.testing.assert_allclose(first, [[16 / 19, 3 / 19]])
    np.testing.assert_allclose(both, [[(16 / 19 + 8 / 17) / 2, (3 / 19 + 9 / 17) / 2]])


def test_a_word_without_context_words_keeps_its_senses() -> None:
    words = np.array([[0.9, 0.1], [0.5, 0.5]])
    contexts = np.array([[0.2, 0.8]])
    np.testing.assert_array_equal(
        senses_in_context(words, contexts[:0], np.empty((2, 0), bool)), words
    )
    shifted = senses_in_context(words, contexts, np.array([[False], [True]]))
    np.testing.assert_allclose(shifted, [[0.9, 0.1], [0.2, 0.8]])


@given(st.integers(1, 6), st.integers(0, 6), st.integers(1, 9), st.integers(0, 2**32 - 1))
def test_as_the_loop_and_distributions(m: int, n: int, senses: int, seed: int) -> None:
    generator = np.random.default_rng(seed)
    words = generator.dirichlet(np.full(senses, 0.3), m) + 1e-9
    words /= words.sum(axis=1, keepdims=True)
    contexts = generator.uniform(1e-6, 1, (n, senses))
    near = generator.random((m, n)) < 0.5
    shifted = senses_in_context(words, contexts, near)
    np.testing.assert_allclose(shifted, loop(words, contexts, near), rtol=1e-9)
    np.testing.assert_allclose(shifted.sum(axis=1), 1)


def test_windows() -> None:
    near = windowed(np.array([0, 2, 9]), np.array([0, 1, 2, 5]), 3)
    assert near.tolist() == [
        [False, True, True, False],
        [True, True, False, True],
        [False, False, False, False],
    ]


def test_sum_and_product() -> None:
    words = np.array([[0.5, 0.5], [0.2, 0.8], [0.5, 0.5]])
    np.testing.assert_allclose(composed(words, "add"), [1.2, 1.8])
    np.testing.assert_allclose(composed(words, "multiply"), [0.2, 0.8])


def test_a_product_of_many_words_is_no_zero() -> None:
    words = np.tile([[1e-6, 2e-6, 1 - 3e-6]], (500, 1))
    words[::2] = words[::2, [2, 1, 0]]
    # The product of two different ones is (1e-6, 4e-12, 1e-6), nearly, to the power of 250.
    np.testing.assert_allclose(composed(words, "multiply"), [0.5, 0, 0.5], atol=1e-12)


@pytest.mark.parametrize("compose", ["add", "multiply"])
def test_order_does_not_matter(compose: str) -> None:
    words = np.random.default_rng(0).dirichlet(np.ones(5), 7)
    np.testing.assert_allclose(
        composed(words, compose),  # type: ignore[arg-type]
        composed(words[::-1], compose),  # type: ignore[arg-type]
    )
