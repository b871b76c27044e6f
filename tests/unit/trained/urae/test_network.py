from __future__ import annotations

import numpy as np
import pytest

from lydite.trained import urae as network
from lydite.trained.trees import JOIN, Forest, branched
from lydite.trained.urae import (
    Weights,
    add_gradient,
    cost_of,
    count_weights,
    encode_nodes,
    first_weights,
    reconstruction_error,
    weights_over,
)
from lydite.types import Floats


def two_leaves() -> Forest:
    return Forest.of(["a", "b"], [0, 1, JOIN], roots=[2])


def by_hand() -> Weights:
    weights = weights_over(np.zeros(count_weights(1, 1)), 1, 1)
    weights.encoder[:] = [[0.5, 1.0]]
    weights.encoder_bias[:] = [0.1]
    weights.decoder[:] = [[1.0], [2.0]]
    weights.decoder_bias[:] = [0.0, 0.1]
    return weights


def test_two_leaves_by_hand() -> None:
    # With tanh x = x - x^3/3 + 2x^5/15 - 17x^7/315 + 62x^9/2835:
    # p = tanh(0.5 * 0.2 + 1 * -0.4 + 0.1) = tanh(-0.2) = -0.1973753
    # a' = tanh(-0.1973753) = -0.1948515, b' = tanh(-0.3947506 + 0.1) = -0.2865014
    # (a' - 0.2)^2 + (b' + 0.4)^2 = 0.3948515^2 + 0.1134986^2 = 0.1559077 + 0.0128819
    words = np.array([[0.2], [-0.4]])
    vectors = encode_nodes(by_hand(), two_leaves(), words)
    np.testing.assert_allclose(vectors[:, 0], [0.2, -0.4, -0.1973753], atol=5e-7)
    error = reconstruction_error(by_hand(), two_leaves(), words)
    assert error == pytest.approx(0.1687896, abs=5e-7)


def test_words_of_other_dimensions_pass_through_a_layer_by_hand() -> None:
    weights = weights_over(np.zeros(count_weights(1, 2)), 1, 2)
    for name, part in by_hand()._asdict().items():
        if part.size:
            getattr(weights, name)[:] = part
    weights.leaf[:] = [[1.0, 1.0]]
    weights.leaf_bias[:] = [0.1]
    weights.back[:] = [[1.0], [-1.0]]
    weights.back_bias[:] = [0.0, 0.5]
    # Leaves: tanh(0.05 + 0.05 + 0.1) = 0.1973753 and tanh(-0.2 - 0.1 + 0.1) = -0.1973753;
    # p = tanh(0.0986877 - 0.1973753 + 0.1) = tanh(0.0013124) = 0.0013124;
    # a' = 0.0013124, b' = tanh(0.1026248) = 0.1022660 (x - x^3/3 + 2x^5/15);
    # back: (0.0013124, 0.4986876) for (0.05, 0.05), (0.1022660, 0.3977340) for (-0.2, -0.1);
    # squares: 0.0023705 + 0.2013206 + 0.0913647 + 0.2477391 = 0.5427949
    words = np.array([[0.05, 0.05], [-0.2, -0.1]])
    vectors = encode_nodes(weights, two_leaves(), words)
    np.testing.assert_allclose(vectors[:, 0], [0.1973753, -0.1973753, 0.0013124], atol=5e-7)
    error = reconstruction_error(weights, two_leaves(), words)
    assert error == pytest.approx(0.5427949, abs=1e-6)


def test_every_inner_node_is_unfolded_to_its_leaves() -> None:
    # ((a b) a): what the node below makes of a and b, and the root of a, b and a.
    forest = Forest.of(["a", "b"], [0, 1, JOIN, 0, JOIN], roots=[4])
    words = np.array([[0.2], [-0.4]])
    below, root = encode_nodes(by_hand(), forest, words)[[2, 4], 0]
    made = np.tanh([below, 2 * below + 0.1])
    left, last = np.tanh([root, 2 * root + 0.1])
    unfolded = np.array([*np.tanh([left, 2 * left + 0.1]), last])
    expected = ((made - [0.2, -0.4]) ** 2).sum() + ((unfolded - [0.2, -0.4, 0.2]) ** 2).sum()
    assert reconstruction_error(by_hand(), forest, words) == pytest.approx(expected, rel=1e-12)


def numerical(weights: Floats, size: tuple[int, int], forest: Forest, words: Floats) -> Floats:
    """Return the gradient of the cost by central differences."""
    step = 1e-5
    gradient = np.empty_like(weights)
    for place in range(len(weights)):
        costs = []
        for sign in (1, -1):
            moved = weights.copy()
            moved[place] += sign * step
            costs.append(cost_of(moved, size, forest, words, decay=0.3).cost)
        gradient[place] = (costs[0] - costs[1]) / (2 * step)
    return gradient


def mixed() -> Forest:
    """Trees of several shapes and sizes: right, left, balanced, uneven, and a single word."""
    parts = [
        branched([list("abcde"), list("fa"), ["c"]], "right"),
        branched([list("bcdfa")], "left"),
        branched([list("fedcbab")], "balanced"),
    ]
    words = list("abcdef")
    postfix: list[int] = []
    roots: list[int] = []
    for part in parts:
        numbers = [words.index(word) for word in part.words]
        roots += [len(postfix) + int(root) for root in part.roots]
        postfix += [numbers[token] if token >= 0 else JOIN for token in part.tokens.tolist()]
    # (((a b) (c (d e))) f)
    postfix += [0, 1, JOIN, 2, 3, 4, JOIN, JOIN, JOIN, 5, JOIN]
    return Forest.of(words, postfix, roots=[*roots, len(postfix) - 1])


@pytest.mark.parametrize("size", [(4, 4), (5, 3), (3, 5)])
def test_the_gradient_is_that_of_the_cost(size: tuple[int, int]) -> None:
    random = np.random.default_rng(1)
    forest = mixed()
    words = random.normal(scale=0.5, size=(len(forest.words), size[1]))
    weights = first_weights(*size, seed=2) + random.normal(scale=0.1, size=count_weights(*size))
    found = cost_of(weights, size, forest, words, decay=0.3).gradient
    expected = numerical(weights, size, forest, words)
    for name, mine, theirs in zip(
        Weights._fields, weights_over(found, *size), weights_over(expected, *size), strict=True
    ):
        if mine.size:
            error = np.linalg.norm(mine - theirs) / np.linalg.norm(mine + theirs)
            assert error < 1e-6, name


def test_how_much_is_unfolded_at_a_time_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    size = (4, 3)
    words = np.random.default_rng(0).normal(size=(6, 3))
    weights = weights_over(first_weights(*size, seed=0), *size)
    gradients = []
    for most in (1 << 14, 3, 1):
        monkeypatch.setattr(network, "_UNFOLDED", most)
        gradient = np.zeros(count_weights(*size))
        error = add_gradient(weights, mixed(), words, weights_over(gradient, *size))
        assert error == pytest.approx(reconstruction_error(weights, mixed(), words), rel=1e-12)
        gradients.append(gradient)
    np.testing.assert_allclose(gradients[1], gradients[0], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(gradients[2], gradients[0], rtol=1e-9, atol=1e-12)


def test_a_long_sentence_that_branches_to_one_side_is_unfolded_in_pieces() -> None:
    forest = branched([["w"] * 600], "right")
    sizes = [int((forest.widths[nodes] - 1).sum()) for nodes in network._chunks(forest)]
    assert sum(sizes) == 599 * 600 // 2
    # A piece may be larger by the last node that went into it.
    assert max(sizes) < network._UNFOLDED + 600


def test_trees_do_not_depend_on_their_company() -> None:
    size = (4, 3)
    words = np.random.default_rng(0).normal(size=(6, 3))
    weights = weights_over(first_weights(*size, seed=0), *size)
    forest = mixed()
    together = encode_nodes(weights, forest, words)[forest.roots]
    for tree in range(len(forest)):
        alone = forest.take(np.array([tree]))
        np.testing.assert_allclose(
            encode_nodes(weights, alone, words)[alone.roots[0]], together[tree], atol=1e-12
        )
