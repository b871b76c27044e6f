"""Compiled prediction from a mean of the words around: even (CBOW), or weighed by attention."""

from __future__ import annotations

import math

import numpy as np

from lydite.models.skipgram_family.layout import Float32s, Int64s
from lydite.models.skipgram_family.step import add, product, step
from lydite.spaces.compiled import part


@part
def _share(first: int, last: int, places: Int64s, worth: Float32s, shares: Float32s) -> None:
    """Fill in what part of a mean each position has: even, or the softmax of its worth.

    The last row of ``worth`` is what a position is worth by itself.
    """
    if worth.shape[0] == 0:
        for p in range(first, last):
            shares[p] = np.float32(1.0) / np.float32(last - first)
        return
    bias = worth.shape[0] - 1
    largest = np.float32(-np.inf)
    for p in range(first, last):
        shares[p] = worth[places[p], p] + worth[bias, p]
        largest = max(largest, shares[p])
    total = np.float32(0.0)
    for p in range(first, last):
        shares[p] = math.exp(shares[p] - largest)
        total += shares[p]
    for p in range(first, last):
        shares[p] /= total


@part
def _attend(  # noqa: PLR0913, PLR0917 - compiled code takes arrays one by one
    first: int,
    last: int,
    row: int,
    places: Int64s,
    errors: Float32s,
    inputs: Float32s,
    shares: Float32s,
    worth: Float32s,
    slopes: Float32s,
) -> None:
    """Move what words are worth at their positions, by the gradient of a softmax."""
    mean = np.float32(0.0)
    for p in range(first, last):
        slopes[p] = product(errors, row, inputs, places[p])
        mean += shares[p] * slopes[p]
    for p in range(first, last):
        move = shares[p] * (slopes[p] - mean)
        worth[places[p], p] += move
        worth[worth.shape[0] - 1, p] += move


@part
def predict_from_mean(  # noqa: PLR0913, PLR0917 - compiled code takes arrays one by one
    first: int,
    last: int,
    count: int,
    rate: np.float32,
    inputs: Float32s,
    outputs: Float32s,
    worth: Float32s,
    places: Int64s,
    words: Int64s,
    gains: Float32s,
    errors: Float32s,
    hidden: Float32s,
    shares: Float32s,
    slopes: Float32s,
) -> None:
    """Let the mean of the words at ``places`` predict ``words``.

    As in the code of word2vec and of gensim, the words of an even mean are moved by its whole
    error, as if they had been summed: by their share of it, CBOW would need a rate so many times as
    large as there are words in a window.
    """
    _share(first, last, places, worth, shares)
    for i in range(hidden.shape[1]):
        hidden[0, i] = np.float32(0.0)
    for p in range(first, last):
        add(shares[p], inputs, places[p], hidden, 0)
    row = places.shape[0] - 1
    places[row] = 0
    step(hidden, outputs, row, row + 1, count, rate, places, words, gains, errors)
    if worth.shape[0] > 0:
        _attend(first, last, row, places, errors, inputs, shares, worth, slopes)
    for p in range(first, last):
        add(shares[p] * np.float32(last - first), errors, row, inputs, places[p])
