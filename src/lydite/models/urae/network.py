"""The network's passes, up and down the trees and back.

Up: ``p = tanh(We [c1; c2] + be)`` at every inner node, all nodes of one height at once. Down: from
every inner node, ``[c1'; c2'] = tanh(Wd p' + bd)`` to the leaves below it, all copies at one depth
at once. The cost is the squared distance between the words and what was made of them, summed over
the leaves below a node, averaged over nodes, and the squares of the matrices:

``J = 1/|T| sum_n sum_l |x_l - x'_l|^2 + decay/2 sum |W|^2``

Between words and leaves stands a layer where their dimensions differ: ``c = tanh(Wl x + bl)`` and
``x' = Wb c' + bb``; where they are equal, words are leaves.

Reference: Socher, Huang, Pennington, Ng & Manning (2011), Dynamic pooling and unfolding recursive
autoencoders for paraphrase detection, equations 3 to 5.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from lydite.corpora.trees.forest import Forest
from lydite.models.urae.weights import Reals, Weights
from lydite.types import Indices

#: Nodes that are unfolded at the same time: about 60 MB with 200 dimensions. The tree of a long
#: sentence that branches to one side has as many below its nodes as the square of its length.
_UNFOLDED = 1 << 14


def encode_nodes(weights: Weights, forest: Forest, words: Reals) -> Reals:
    """Return the vector of every node, (n, d).

    Parameters
    ----------
    weights
        The network.
    forest
        n nodes over v words.
    words
        Shape (v, w): the vectors of the words.
    """
    leaves = np.flatnonzero(forest.leaves)
    vectors = np.empty((len(forest.tokens), len(weights.encoder)), dtype=words.dtype)
    vectors[leaves] = _leaves(weights, words[forest.tokens[leaves]])
    for nodes in _by_height(forest):
        vectors[nodes] = np.tanh(
            _children(vectors, forest, nodes) @ weights.encoder.T + weights.encoder_bias
        )
    return vectors


def reconstruction_error(weights: Weights, forest: Forest, words: Reals) -> float:
    """Return the squared distances of all reconstructed leaves, summed over all inner nodes."""
    vectors = encode_nodes(weights, forest, words)
    return sum(
        sum(level.error for level in _unfold(weights, forest, words, vectors, nodes))
        for nodes in _chunks(forest)
    )


def add_gradient(weights: Weights, forest: Forest, words: Reals, gradient: Weights) -> float:
    """Add the gradient of :func:`reconstruction_error` to ``gradient``; return the error."""
    vectors = encode_nodes(weights, forest, words)
    wanted = np.zeros_like(vectors)
    error = 0.0
    for nodes in _chunks(forest):
        levels = list(_unfold(weights, forest, words, vectors, nodes))
        error += sum(level.error for level in levels)
        wanted[nodes] = _fold_back(weights, levels, gradient)
    _back_down(weights, forest, words, vectors, wanted, gradient)
    return error


def _leaves(weights: Weights, words: Reals) -> Reals:
    return np.tanh(words @ weights.leaf.T + weights.leaf_bias) if weights.leaf.size else words


def _by_height(forest: Forest) -> list[Indices]:
    """Return the inner nodes, those of one height together, from the lowest up."""
    order = np.argsort(forest.heights, kind="stable")
    highest = int(forest.heights.max(initial=0))
    ends = np.searchsorted(forest.heights[order], np.arange(1, highest + 1))
    return np.split(order, ends)[1:]


def _children(vectors: Reals, forest: Forest, nodes: Indices) -> Reals:
    """Return both children side by side, (p, 2d)."""
    pairs = np.stack([forest.left[nodes], forest.right[nodes]], axis=1)
    return vectors[pairs].reshape(len(nodes), -1)


def _chunks(forest: Forest) -> Iterator[Indices]:
    """Yield inner nodes, as many at a time as there is memory to unfold."""
    inner = np.flatnonzero(~forest.leaves)
    until = np.cumsum(forest.widths[inner] - 1)
    for part in np.split(inner, np.flatnonzero(np.diff(until // _UNFOLDED)) + 1):
        if len(part):
            yield part


class _Level(NamedTuple):
    """What is unfolded at one depth: p copies of inner nodes to 2p of their children.

    Attributes
    ----------
    parents
        Shape (p, d).
    children
        Shape (2p, d), left and right in turn.
    leaves, inner
        Which of the children are which.
    difference
        Shape (leaves, w): what was made of words, less the words.
    error
        The squares of the differences, summed.
    """

    parents: Reals
    children: Reals
    leaves: Indices
    inner: Indices
    difference: Reals
    error: float


def _unfold(
    weights: Weights, forest: Forest, words: Reals, vectors: Reals, nodes: Indices
) -> Iterator[_Level]:
    """Yield one depth below the nodes after the other."""
    parents = vectors[nodes]
    while len(nodes):
        children = np.tanh(parents @ weights.decoder.T + weights.decoder_bias)
        children = children.reshape(2 * len(nodes), -1)
        below = np.stack([forest.left[nodes], forest.right[nodes]], axis=1).ravel()
        tokens = forest.tokens[below]
        leaves, inner = np.flatnonzero(tokens >= 0), np.flatnonzero(tokens < 0)
        made = children[leaves]
        if weights.back.size:
            made = made @ weights.back.T + weights.back_bias
        made -= words[tokens[leaves]]
        error = float(np.vdot(made, made))
        yield _Level(parents, children, leaves, inner, made, error)
        nodes, parents = below[inner], children[inner]


def _fold_back(weights: Weights, levels: list[_Level], gradient: Weights) -> Reals:
    """Add the decoder's gradient; return that of the vectors that were unfolded."""
    above = levels[-1].parents[:0]
    for level in reversed(levels):
        slope = np.empty_like(level.children)
        at_leaves = 2 * level.difference
        if weights.back.size:
            gradient.back[:] += at_leaves.T @ level.children[level.leaves]
            gradient.back_bias[:] += at_leaves.sum(axis=0)
            at_leaves = at_leaves @ weights.back
        slope[level.leaves] = at_leaves
        slope[level.inner] = above
        slope *= 1 - level.children**2
        slope = slope.reshape(len(level.parents), -1)
        gradient.decoder[:] += slope.T @ level.parents
        gradient.decoder_bias[:] += slope.sum(axis=0)
        above = slope @ weights.decoder
    return above


def _back_down(
    weights: Weights,
    forest: Forest,
    words: Reals,
    vectors: Reals,
    wanted: Reals,
    gradient: Weights,
) -> None:
    """Add the encoder's gradient, from the roots down; ``wanted`` is that of each node's vector."""
    for nodes in reversed(_by_height(forest)):
        slope = wanted[nodes] * (1 - vectors[nodes] ** 2)
        gradient.encoder[:] += slope.T @ _children(vectors, forest, nodes)
        gradient.encoder_bias[:] += slope.sum(axis=0)
        below = slope @ weights.encoder
        # A node has one parent, so that nothing is added to the same row twice.
        left, right = np.split(below, 2, axis=1)
        wanted[forest.left[nodes]] += left
        wanted[forest.right[nodes]] += right
    if weights.leaf.size:
        leaves = np.flatnonzero(forest.leaves)
        slope = wanted[leaves] * (1 - vectors[leaves] ** 2)
        gradient.leaf[:] += slope.T @ words[forest.tokens[leaves]]
        gradient.leaf_bias[:] += slope.sum(axis=0)
