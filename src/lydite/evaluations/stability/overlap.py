"""How many of the nearest words of a word several spaces agree on, at every number of neighbors.

``lists`` are the nearest words of w words in m spaces, (m, w, n), nearest first, as the same
numbers in all spaces. All measures come for 1 to n neighbors at once, (w, n).
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from lydite.types import Floats, Indices


def shared_by_all(lists: Indices) -> Floats:
    """Return the share of the j nearest words that all spaces have among theirs.

    This is r@j of Hellrich & Hahn (2016) for a word: the size of the intersection over j.

    >>> shared_by_all(np.array([[[1, 2, 3]], [[2, 1, 4]], [[1, 2, 5]]])).round(3).tolist()
    [[0.0, 1.0, 0.667]]
    """
    return _share(_depth(lists))


def shared_by_pairs(lists: Indices) -> Floats:
    """Return the share of the j nearest words that two spaces share, a mean over pairs of spaces.

    >>> shared_by_pairs(np.array([[[1, 2]], [[2, 1]], [[1, 3]]])).round(3).tolist()
    [[0.333, 0.667]]
    """
    pairs = [_share(_depth(lists[list(pair)])) for pair in combinations(range(len(lists)), 2)]
    return np.asarray(np.mean(pairs, axis=0))


def jaccard(lists: Indices) -> Floats:
    """Return the intersection of the j nearest words in all spaces over their union.

    >>> jaccard(np.array([[[1, 2, 3]], [[2, 1, 4]]])).tolist()
    [[0.0, 1.0, 0.5]]
    """
    spaces, words, n = lists.shape
    both = shared_by_all(lists) * np.arange(1, n + 1)
    together = np.empty((words, n))
    for j in range(1, n + 1):
        found = np.sort(lists[:, :, :j].transpose(1, 0, 2).reshape(words, spaces * j), axis=1)
        together[:, j - 1] = 1 + (np.diff(found, axis=1) != 0).sum(axis=1)
    return np.asarray(both / together)


MEASURES = {"all": shared_by_all, "pairs": shared_by_pairs, "jaccard": jaccard}


def _depth(lists: Indices) -> Indices:
    """Return how far down all lists one has to go to meet each word of the first, (w, n).

    It is n for a word that is not in all of them.
    """
    _, words, n = lists.shape
    depth = np.tile(np.arange(n), (words, 1))
    for other in lists[1:]:
        same = lists[0][:, :, None] == other[:, None, :]
        depth = np.maximum(depth, np.where(same.any(axis=2), same.argmax(axis=2), n))
    return depth


def _share(depth: Indices) -> Floats:
    n = depth.shape[1]
    reached = (depth[:, :, None] <= np.arange(n)).sum(axis=1)
    return np.asarray(reached / np.arange(1, n + 1))


def different_words(lists: Indices) -> Floats:
    """Return what pairs of spaces share on average of the j nearest words of *different* words.

    Words that are near to everything make lists alike, whatever the word: shape (n,).

    >>> different_words(np.array([[[2], [2]], [[2], [3]]])).tolist()
    [0.5]
    """
    spaces, words, n = lists.shape
    if words < 2:
        return np.zeros(n)
    found = np.zeros(n)
    pairs = list(combinations(range(spaces), 2))
    own = shared_by_pairs(lists).sum(axis=0)
    size = int(lists.max()) + 1
    for j in range(1, n + 1):
        counts = [np.bincount(each[:, :j].ravel(), minlength=size).astype(float) for each in lists]
        found[j - 1] = np.mean([counts[a] @ counts[b] for a, b in pairs]) / j
    return np.asarray((found - own) / (words * (words - 1)))


def random_lists(
    measure: str, *, spaces: int, words: int, candidates: int, n: int, draws: int, seed: int
) -> Floats:
    """Return the mean of a measure over words where each list is drawn at random, (draws,).

    The expected share is n / candidates for a pair, and (n / candidates)^(m - 1) for m spaces.
    """
    generator = np.random.default_rng(seed)
    size = (draws, words)
    if measure == "pairs":
        # The sizes of the intersections of three random sets are independent of each other by twos.
        count = spaces * (spaces - 1) // 2
        means = [generator.hypergeometric(n, candidates - n, n, size).mean(1) for _ in range(count)]
        return np.asarray(np.mean(means, axis=0) / n)
    both, together = np.full(size, n), np.full(size, n)
    for _ in range(spaces - 1):
        inside = generator.hypergeometric(both, candidates - both, n)
        beside = generator.hypergeometric(together - both, candidates - together, n - inside)
        both, together = inside, together + n - inside - beside
    return np.asarray((both / (n if measure == "all" else together)).mean(axis=1))
