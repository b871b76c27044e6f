"""Folds that are in proportion to the groups, and the same for every model."""

from __future__ import annotations

import numpy as np

from lydite.types import Indices


def stratified_folds(labels: Indices, folds: int, seed: int) -> Indices:
    """Deal the sentences of each group out to folds, at random, as evenly as they go.

    Parameters
    ----------
    labels
        Shape (n,): the group of each sentence, 0 to k - 1.
    folds
        How many folds; a group of as many sentences has one in each.
    seed
        Of the deal. Folds depend on it and on the labels alone, so that models are compared on
        the same ones.

    Returns
    -------
    The fold of each sentence, (n,).

    Examples
    --------
    >>> stratified_folds(np.array([0, 0, 0, 1, 1, 1]), 3, seed=1)
    array([0, 2, 1, 2, 0, 1])
    """
    generator = np.random.default_rng(seed)
    shuffled = generator.permutation(len(labels))
    by_group = shuffled[np.argsort(labels[shuffled], kind="stable")]
    sizes = np.bincount(labels)
    starts = np.repeat(np.cumsum(sizes) - sizes, sizes)
    offsets = np.repeat(_offsets(sizes, folds, generator), sizes)
    dealt = np.empty(len(labels), dtype=np.int64)
    dealt[by_group] = (np.arange(len(labels)) - starts + offsets) % folds
    return dealt


def _offsets(sizes: Indices, folds: int, generator: np.random.Generator) -> Indices:
    """Return the fold that each group's first sentence goes to.

    Dealing goes on where the group before left off, the groups in an order of their own: so folds
    are of one size, whatever is left over of the groups.
    """
    order = generator.permutation(len(sizes))
    offsets = np.empty(len(sizes), dtype=np.int64)
    offsets[order] = np.cumsum(sizes[order]) - sizes[order]
    return offsets % folds
