"""Sparse vectors of words in dimensions that have names, so that those of two corpora fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from lydite.spaces.factorization import SparseMatrix
from lydite.spaces.vocabulary import Vocabulary, bounds, spans
from lydite.types import Indices, Vectors


class Rows(Protocol):
    """Words to sparse vectors."""

    @property
    def dimensions(self) -> Vocabulary:
        """The names of the d dimensions."""

    def take(self, words: Sequence[str]) -> SparseMatrix:
        """Return one row per word, (n, d); empty where the word is absent."""


@dataclass(frozen=True, kw_only=True, eq=False)
class NamedRows:
    """A matrix whose rows and columns have names; its arrays may be mapped.

    >>> matrix = SparseMatrix(
    ...     starts=np.array([0, 1, 3]),
    ...     columns=np.array([1, 0, 1], dtype=np.int32),
    ...     values=np.array([2, 3, 4], dtype=np.float32),
    ...     width=2,
    ... )
    >>> rows = NamedRows(
    ...     words=Vocabulary.of(["cat", "dog"]),
    ...     dimensions=Vocabulary.of(["purr", "bark"]),
    ...     matrix=matrix,
    ... )
    >>> found = rows.take(["dog", "emu"])
    >>> found.starts.tolist(), found.values.tolist()
    ([0, 2, 2], [3.0, 4.0])
    """

    words: Vocabulary
    dimensions: Vocabulary
    matrix: SparseMatrix

    def take(self, words: Sequence[str]) -> SparseMatrix:
        """Return one row per word, (n, d); empty where the word is absent."""
        places = self.words.find(words)
        here = places >= 0
        starts, matrix = self.matrix.starts, self.matrix
        lengths = np.where(here, starts[places + 1] - starts[places], 0)
        entries = spans(starts[places], lengths)
        return SparseMatrix(
            starts=bounds(lengths),
            columns=matrix.columns[entries],
            values=matrix.values[entries],
            width=matrix.width,
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class BackedOffRows:
    """Rows of a general corpus and, for words that it lacks, of another, in its dimensions.

    Dimensions that the general rows do not have are left out, and so is a word of the other corpus
    that has no others. A word whose row is empty is lacking.
    """

    general: Rows
    domain: Rows

    @property
    def dimensions(self) -> Vocabulary:
        """Those of the general rows."""
        return self.general.dimensions

    def take(self, words: Sequence[str]) -> SparseMatrix:
        """Return one row per word, (n, d); empty where both lack it."""
        own = self.general.take(words)
        absent = np.flatnonzero(np.diff(own.starts) == 0)
        other = self.domain.take([words[i] for i in absent.tolist()])
        columns = self._columns[other.columns]
        kept = columns >= 0
        rows = np.concatenate([_row_numbers(own), absent[_row_numbers(other)][kept]])
        columns = np.concatenate([own.columns, columns[kept]])
        order = np.lexsort((columns, rows))
        return SparseMatrix(
            starts=bounds(np.bincount(rows, minlength=len(words))),
            columns=columns[order].astype(np.int32),
            values=np.concatenate([own.values, other.values[kept]])[order],
            width=own.width,
        )

    @cached_property
    def _columns(self) -> Indices:
        """The place of each dimension of the other corpus, -1 if there is none."""
        return self.general.dimensions.find(self.domain.dimensions)


def dense(rows: SparseMatrix) -> Vectors:
    """Return sparse rows with their zeros."""
    vectors = np.zeros(rows.shape, dtype=np.float32)
    vectors[_row_numbers(rows), rows.columns] = rows.values
    return vectors


def _row_numbers(matrix: SparseMatrix) -> Indices:
    return np.repeat(np.arange(len(matrix.starts) - 1), np.diff(matrix.starts))
