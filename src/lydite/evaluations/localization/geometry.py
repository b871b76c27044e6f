"""Whether groups lie apart, without a trained classifier: distances, centroids, neighbours.

Everything is about directions: vectors are brought to length 1 first. A zero vector has no
direction; it is left out of means, and nothing is nearest to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from lydite.errors import InputError, UndefinedScoreError
from lydite.spaces.blocks import over_blocks
from lydite.spaces.neighbours import nearest_words
from lydite.types import Floats, Indices, Vectors

#: What a classifier says of a sentence without a direction, or if there is nothing to compare.
UNANSWERED: Final = -1

#: Rows whose products with others are held at a time.
_ROWS = 1024
#: Cosines to centroids that differ by less are equal, and a shorter mean is zero: rounding is
#: some 1e-15.
_TIE = 1e-12


def alignment(vectors: Vectors, labels: Indices) -> float:
    """Return how far apart sentences of one group lie: 0 if they are all in one place.

    The mean of ||x - y||² over all pairs of sentences of one group, with x and y of length 1
    (Wang & Isola 2020, with their exponent 2). They draw pairs of views of one thing; here all
    pairs of all groups count, so a group of m sentences weighs m (m - 1) / 2. It is summed from
    the distances to the groups' means, and no pair is looked at.

    Parameters
    ----------
    vectors, labels
        Shapes (n, d) and (n,): the sentences, and their groups.

    Raises
    ------
    UndefinedScoreError
        If no group has two sentences with a direction.

    References
    ----------
    Wang & Isola (2020), Understanding contrastive representation learning through alignment and
    uniformity on the hypersphere.

    Examples
    --------
    >>> vectors = np.array([[1, 0], [0, 2], [3, 0]], dtype=np.float32)
    >>> alignment(vectors, np.array([0, 0, 1]))
    2.0
    """
    groups = _Groups.of(vectors, labels)
    pairs = groups.sizes @ (groups.sizes - 1) / 2
    if not pairs:
        raise UndefinedScoreError(
            "alignment is about sentences of one group, but no two of one have a direction"
        )
    means = groups.sums / groups.sizes[:, None]
    spread = np.zeros(len(groups.sizes))
    for rows, units in groups.blocks():
        number = groups.number[rows]
        squares = ((units - means[number]) ** 2).sum(axis=1)
        spread += np.bincount(number, weights=squares, minlength=len(spread))
    # The squared distances of all pairs of m points sum to m times those to their mean.
    return float(groups.sizes @ spread / pairs)


def uniformity(vectors: Vectors, *, t: float = 2.0) -> float:
    """Return how evenly sentences spread over the sphere: the lower, the more evenly.

    log of the mean of exp(-t ||x - y||²) over all pairs of different sentences, of one group or
    not, with x and y of length 1 (Wang & Isola 2020): 0 if all are in one place, at least -4t.

    Parameters
    ----------
    vectors
        Shape (n, d).
    t
        How fast the potential falls with distance.

    Raises
    ------
    UndefinedScoreError
        If there are not two sentences with a direction.

    Examples
    --------
    >>> vectors = np.array([[1, 0], [0, 2], [3, 0]], dtype=np.float32)
    >>> round(uniformity(vectors), 4)  # log((1 + 2 exp(-4)) / 3)
    -1.0626
    """
    if not 0 < t < np.inf:
        raise InputError(f"expected t to be a number above 0, got {t!r}")
    units = _units(_checked(vectors))
    units = units[units.any(axis=1)]
    n = len(units)
    if n < 2:
        raise UndefinedScoreError(
            f"uniformity is about pairs of sentences, but {n} have a direction"
        )

    def potentials(start: int) -> float:
        """Sum over the pairs of some sentences with each other and with all after them."""
        block, total = units[start : start + _ROWS], 0.0
        for other in range(start, n, _ROWS):
            values = block @ units[other : other + _ROWS].T
            np.minimum(values, 1, out=values)
            values -= 1
            values *= 2 * t
            np.exp(values, out=values)
            total += float((np.triu(values, k=1) if other == start else values).sum())
        return total

    total = sum(over_blocks(potentials, range(0, n, _ROWS)))
    return float(np.log(total / (n * (n - 1) / 2)))


def nearest_centroid(train: Vectors, labels: Indices, test: Vectors) -> Indices:
    """Classify by the group whose mean direction is nearest.

    Parameters
    ----------
    train, labels
        Shapes (n, d) and (n,): known sentences, and their groups.
    test
        Shape (m, d).

    Returns
    -------
    The group of each test sentence, (m,): that with the highest cosine between the sentence and
    the mean of the group's vectors of length 1; of equal ones the lowest. -1 for a sentence
    without a direction. A group whose mean is zero is near to nothing.

    Examples
    --------
    >>> train = np.array([[1, 0], [1, 1], [0, 1]], dtype=np.float32)
    >>> test = np.array([[3, 1], [0, 1], [0, 0]], dtype=np.float32)
    >>> nearest_centroid(train, np.array([4, 4, 7]), test)
    array([ 4,  7, -1])
    """
    groups = _Groups.of(train, labels)
    _check_width(train, test)
    centroids = _means_directed(groups.sums, groups.sizes)
    predicted = np.full(len(test), UNANSWERED, dtype=np.int64)
    asked = np.flatnonzero(test.any(axis=1))
    for start in range(0, len(asked), _ROWS):
        rows = asked[start : start + _ROWS]
        predicted[rows] = groups.best(_cosines(_units(test[rows]), centroids))
    return predicted


def _cosines(units: Floats, centroids: Floats) -> Floats:
    """Return the cosines of sentences with centroids, (b, k); minus infinity with a zero one."""
    cosines = units @ centroids.T
    cosines[:, ~centroids.any(axis=1)] = -np.inf
    return np.asarray(cosines)


def _means_directed(sums: Floats, sizes: Indices) -> Floats:
    """Return the directions (k, d) of sums of so many vectors of length 1, zero if they cancel."""
    cancelled = np.linalg.norm(sums, axis=1) <= _TIE * sizes
    return _units(np.where(cancelled[:, None], 0, sums))


def nearest_neighbour(train: Vectors, labels: Indices, test: Vectors) -> Indices:
    """Classify by the group of the one nearest sentence.

    The parameters are those of :func:`nearest_centroid`.

    Returns
    -------
    The group of each test sentence, (m,): that of the known sentence with the highest cosine; of
    equal ones the lowest group. -1 for a sentence without a direction.

    Examples
    --------
    >>> train = np.array([[1, 0], [1, 1], [0, 1]], dtype=np.float32)
    >>> test = np.array([[3, 1], [1, 9], [0, 0]], dtype=np.float32)
    >>> nearest_neighbour(train, np.array([4, 4, 7]), test)
    array([ 4,  7, -1])
    """
    train, labels = _checked(train), _checked_labels(train, labels)
    _check_width(train, test)
    asked = np.flatnonzero(_checked(test).any(axis=1))
    predicted = np.full(len(test), UNANSWERED, dtype=np.int64)
    # Of equally near ones the first is taken: in this order, that of the lowest group.
    known = np.flatnonzero(train.any(axis=1))
    known = known[np.argsort(labels[known], kind="stable")]
    if len(known) and len(asked):
        found = nearest_words(train[known], test[asked], 1)
        predicted[asked] = labels[known[found.indices[:, 0]]]
    return predicted


@dataclass(frozen=True, kw_only=True, eq=False)
class _Groups:
    """Sentences that have a direction, by group.

    ``rows`` are their places among ``vectors``; ``number`` (n,) is the place of each sentence's
    group among ``names``, ascending; ``sums`` (k, d) are the groups' sums of vectors of length 1.
    """

    vectors: Vectors
    rows: Indices
    number: Indices
    names: Indices
    sizes: Indices
    sums: Floats

    @classmethod
    def of(cls, vectors: Vectors, labels: Indices) -> _Groups:
        vectors = _checked(vectors)
        labels = _checked_labels(vectors, labels)
        rows = np.flatnonzero(vectors.any(axis=1))
        names = np.unique(labels[rows])
        number = np.searchsorted(names, labels)
        sums = np.zeros((len(names), vectors.shape[1]))
        for start in range(0, len(rows), _ROWS):
            block = rows[start : start + _ROWS]
            np.add.at(sums, number[block], _units(vectors[block]))
        sizes = np.bincount(number[rows], minlength=len(names))
        return cls(vectors=vectors, rows=rows, number=number, names=names, sizes=sizes, sums=sums)

    def blocks(self) -> Iterator[tuple[Indices, Floats]]:
        """Yield places of sentences, and their vectors of length 1, some at a time."""
        for start in range(0, len(self.rows), _ROWS):
            block = self.rows[start : start + _ROWS]
            yield block, _units(self.vectors[block])

    def best(self, cosines: Floats) -> Indices:
        """Return the group of the highest of each row (b, k), of equal ones the lowest, or -1."""
        if not len(self.names):
            return np.full(len(cosines), UNANSWERED, dtype=np.int64)
        highest = cosines.max(axis=1)
        first = (cosines >= highest[:, None] - _TIE).argmax(axis=1)
        return np.where(np.isfinite(highest), self.names[first], UNANSWERED)


def _units(vectors: Vectors | Floats) -> Floats:
    """Return vectors of length 1 in float64; a zero vector stays zero."""
    wide: Floats = vectors.astype(np.float64)
    # By its largest entry first: the square of a tiny one would vanish.
    largest = np.abs(wide).max(axis=1, initial=0, keepdims=True)
    np.divide(wide, largest, out=wide, where=largest > 0)
    lengths = np.sqrt(np.einsum("ij,ij->i", wide, wide))[:, None]
    np.divide(wide, lengths, out=wide, where=lengths > 0)
    return wide


def _checked(vectors: Vectors) -> Vectors:
    vectors = np.asarray(vectors)
    if vectors.ndim != 2:
        raise InputError(f"expected vectors of shape (n, d), got {vectors.shape}")
    wrong = np.flatnonzero(~np.isfinite(vectors).all(axis=1))
    if len(wrong):
        raise InputError(
            f"expected vectors of finite numbers, got NaN or infinity at row {wrong[0]}"
        )
    return vectors


def _checked_labels(vectors: Vectors, labels: Indices) -> Indices:
    labels = np.asarray(labels)
    if labels.shape != (len(vectors),):
        raise InputError(
            f"expected one group for each of {len(vectors)} vectors, got shape {labels.shape}"
        )
    if len(labels) and labels.min() < 0:
        raise InputError(f"expected groups numbered from 0, got {labels.min()}")
    return labels


def _check_width(train: Vectors, test: Vectors) -> None:
    if _checked(test).shape[1] != train.shape[1]:
        raise InputError(
            f"expected test vectors of {train.shape[1]} dimensions, got shape {test.shape}"
        )
