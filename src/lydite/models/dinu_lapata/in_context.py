"""The senses of words in their contexts, and of sentences."""

from __future__ import annotations

import numpy as np

from lydite.models.composing import Compose
from lydite.types import Floats, Indices, Mask


def senses_in_context(words: Floats, contexts: Floats, near: Mask) -> Floats:
    r"""Shift the senses of words by the context words that stand near them.

    .. math:: v(t, c)_k = P(z_k | t, c) = \frac{P(z_k | t) P(c | z_k)}{\sum_l P(z_l | t) P(c | z_l)}

    (Dinu & Lapata 2010; equation 19 of Cheung & Penn 2012). A word with several context words gets
    the mean of these; a word without any keeps P(z | t).

    Parameters
    ----------
    words
        Shape (m, K): P(z | t) of each word.
    contexts
        Shape (n, K): P(c | z) of each context word. No number of either is 0.
    near
        Shape (m, n): which context words stand in the window of which word.

    Returns
    -------
    Shape (m, K), each row a distribution.

    Examples
    --------
    >>> words = np.array([[0.5, 0.5]])
    >>> contexts = np.array([[0.3, 0.1], [0.1, 0.3]])
    >>> senses_in_context(words, contexts, np.array([[True, False]])).tolist()
    [[0.75, 0.25]]
    """
    if not near.any():
        return words
    weights = near / (words @ contexts.T)
    several = near.sum(axis=1, keepdims=True)
    shifted = words * (weights @ contexts) / np.maximum(several, 1)
    return np.where(several > 0, shifted, words)


def windowed(words: Indices, contexts: Indices, window: int) -> Mask:
    """Return which context words stand at most so far from which word, (m, n).

    A word is not its own context.

    >>> windowed(np.array([0, 3]), np.array([0, 1]), 2).tolist()
    [[False, True], [False, True]]
    """
    distances = np.abs(words[:, None] - contexts[None, :])
    near: Mask = (distances > 0) & (distances <= window)
    return near


def composed(words: Floats, compose: Compose) -> Floats:
    """Return the vector of a sentence from the distributions of its words, (K,).

    ``add`` is their sum. ``multiply`` is their product, by component, made to add up to 1: the
    product itself is too small for a floating-point number. Components that were never sampled are
    not 0 but what the priors give them, so nothing else is needed to smooth them.

    >>> composed(np.array([[0.75, 0.25], [0.5, 0.5]]), "add").tolist()
    [1.25, 0.75]
    >>> composed(np.array([[0.75, 0.25], [0.5, 0.5]]), "multiply").round(6).tolist()
    [0.75, 0.25]
    """
    if compose == "add":
        total: Floats = words.sum(axis=0)
        return total
    logarithms = np.log(words).sum(axis=0)
    product = np.exp(logarithms - logarithms.max())
    normalised: Floats = product / product.sum()
    return normalised
