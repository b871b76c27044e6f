"""The classifier of transitions: one hidden layer over frozen vectors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np

from lydite.corpora.flat import places_of, starts_of
from lydite.corpora.treebank.trees import Int32s
from lydite.evaluations.downstream.parsing.arrays import Batch, Layer, Rules, new_room
from lydite.evaluations.downstream.parsing.kernel import learn, parse
from lydite.evaluations.downstream.parsing.transitions import ACTIONS, POSITIONS, new_state
from lydite.types import Indices, Vectors

System: TypeAlias = Literal["arc-hybrid", "arc-standard"]
Oracle: TypeAlias = Literal["dynamic", "static"]

#: In the order of the numbers that compiled code has for them.
SYSTEMS: Final[tuple[System, ...]] = ("arc-hybrid", "arc-standard")

#: Sentences that are parsed with one product of vectors and weights.
_AT_ONCE = 256


@dataclass(frozen=True, kw_only=True, eq=False)
class Sentences:
    """Trees as a classifier sees them.

    Attributes
    ----------
    starts
        Shape (m + 1,): the first word of each sentence.
    rows
        Shape (n,): the row of each word among the vectors, after those that are reserved.
    heads, labels
        Shape (n,): gold; -1 for a label that training does not have.
    """

    starts: Indices
    rows: Int32s
    heads: Int32s
    labels: Int32s

    def __len__(self) -> int:
        """Return how many sentences there are."""
        return len(self.starts) - 1

    def chosen(self, sentences: Indices) -> Sentences:
        """Return some sentences, in the order given."""
        places = places_of(self.starts, sentences)
        return Sentences(
            starts=starts_of(np.diff(self.starts)[sentences]),
            rows=self.rows[places],
            heads=self.heads[places],
            labels=self.labels[places],
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Weights:
    """Of one classifier; arrays of float32.

    Attributes
    ----------
    inputs
        Shape (d, POSITIONS * h).
    bias
        Shape (h,).
    actions
        Shape (h, 3): shift, left, right.
    labels
        Shape (2, h, l).
    """

    inputs: Vectors
    bias: Vectors
    actions: Vectors
    labels: Vectors

    @property
    def arrays(self) -> tuple[Vectors, Vectors, Vectors, Vectors]:
        """All of them."""
        return self.inputs, self.bias, self.actions, self.labels

    def like(self) -> Weights:
        """Return zeros of the same shapes."""
        inputs, bias, actions, labels = (np.zeros_like(array) for array in self.arrays)
        return Weights(inputs=inputs, bias=bias, actions=actions, labels=labels)

    def copy(self) -> Weights:
        """Return the same weights in other arrays."""
        inputs, bias, actions, labels = (array.copy() for array in self.arrays)
        return Weights(inputs=inputs, bias=bias, actions=actions, labels=labels)


def new_weights(dim: int, hidden: int, labels: int, generator: np.random.Generator) -> Weights:
    """Draw weights: uniform, of the variance that He et al. (2015) give for rectified units.

    Parameters
    ----------
    dim
        Of the vectors, indicators included.
    hidden
        Units.
    labels
        How many relations there are.
    """

    def drawn(fan: int, *shape: int) -> Vectors:
        reach = np.float32(np.sqrt(6 / fan))
        return np.asarray((2 * generator.random(shape, dtype=np.float32) - 1) * reach)

    return Weights(
        inputs=drawn(dim * POSITIONS, dim, POSITIONS * hidden),
        bias=np.zeros(hidden, dtype=np.float32),
        actions=drawn(hidden, hidden, ACTIONS) / np.float32(2),
        labels=drawn(hidden, 2, hidden, labels) / np.float32(2),
    )


@dataclass(frozen=True, kw_only=True)
class Course:
    """How sentences are learnt from.

    Attributes
    ----------
    explored
        How often a costly transition is followed, with the dynamic oracle.
    dropout
        The share of hidden units that are dropped.
    """

    system: System
    oracle: Oracle
    explored: float
    dropout: float


def gradient_of(
    weights: Weights, vectors: Vectors, batch: Sentences, course: Course, *, seed: int
) -> tuple[float, Weights]:
    """Return the loss of some sentences, summed over transitions, and its gradient.

    Parameters
    ----------
    vectors
        Shape (rows, d): of nothing, the root, and words.
    seed
        Of dropout and exploration.
    """
    longest = int(np.diff(batch.starts).max())
    known, rows = local_rows(batch.rows)
    inputs = vectors[known]
    table = _table(inputs, weights)
    sums = np.zeros_like(table)
    found = weights.like()
    loss = learn(
        Rules(
            SYSTEMS.index(course.system),
            int(course.oracle == "dynamic"),
            course.explored,
            round(256 * course.dropout),
        ),
        Batch(batch.starts, rows, batch.heads, batch.labels),
        Layer(table, weights.bias, weights.actions, weights.labels),
        np.ascontiguousarray(weights.labels.transpose(0, 2, 1)),
        Layer(sums, found.bias, found.actions, found.labels),
        new_state(longest),
        new_room(longest, len(weights.bias), weights.labels.shape[2], seed),
    )
    np.matmul(inputs.T, sums.reshape(len(sums), -1), out=found.inputs)
    return loss, found


def parsed(
    weights: Weights, vectors: Vectors, data: Sentences, *, system: System, root_label: int
) -> tuple[Int32s, Int32s]:
    """Return heads and labels, (n,), by the likeliest transition at each step."""
    longest = int(np.diff(data.starts).max())
    state = new_state(longest)
    room = new_room(longest, len(weights.bias), weights.labels.shape[2])
    heads, labels = np.empty_like(data.heads), np.empty_like(data.labels)
    for begin in range(0, len(data), _AT_ONCE):
        starts = data.starts[begin : begin + _AT_ONCE + 1]
        words = slice(int(starts[0]), int(starts[-1]))
        known, rows = local_rows(data.rows[words])
        parse(
            SYSTEMS.index(system),
            root_label,
            Batch(starts - starts[0], rows, heads[words], labels[words]),
            Layer(_table(vectors[known], weights), weights.bias, weights.actions, weights.labels),
            state,
            room,
        )
    return heads, labels


def _table(vectors: Vectors, weights: Weights) -> Vectors:
    """Return what words add to the hidden layer at each position, (rows, POSITIONS, h)."""
    return (vectors @ weights.inputs).reshape(len(vectors), -1, len(weights.bias))


def local_rows(rows: Int32s) -> tuple[Indices, Int32s]:
    """Return the vectors that words need, the reserved ones first, and which is whose, (n,).

    >>> known, rows = local_rows(np.array([9, 4, 9], dtype=np.int32))
    >>> known.tolist(), rows.tolist()
    ([0, 1, 4, 9], [3, 2, 3])
    """
    known, places = np.unique(rows, return_inverse=True)
    return np.concatenate([[0, 1], known]), (places + 2).astype(np.int32)
