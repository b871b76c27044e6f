"""Senses of words that only another corpus has, from the known words that they resemble there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from lydite.models.background import check_count
from lydite.models.dinu_lapata.senses import Distributions
from lydite.models.named_rows import NamedRows
from lydite.spaces.ppmi import SparseMatrix
from lydite.types import Floats, Indices, Mask

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_WORDS = 512


@dataclass(frozen=True, kw_only=True, eq=False)
class AdaptedSenses:
    """The senses of a general corpus, and those of a domain's own words by way of them.

    Latent senses of two corpora cannot be compared. Cheung & Penn (2012, section 4.4) therefore
    look, for a word that only the domain has, for the known words that are closest to it by cosine
    over the co-occurrence vectors of the domain, and take the mean of their distributions.

    Attributes
    ----------
    general
        Where words are looked for first.
    domain
        Co-occurrence vectors of the domain.
    nearest
        How many known words are taken. Of equally close ones the first of the domain lead; a word
        with a cosine of 0 or less is not taken, and where all are such the word stays unknown.
    """

    general: Distributions
    domain: NamedRows
    nearest: int = 5

    def __post_init__(self) -> None:
        check_count("nearest", self.nearest, least=1)

    def distributions(self, words: Sequence[str]) -> tuple[Floats, Mask]:
        """Return P(z | t) of each word, (n, K), and which words are known, (n,)."""
        rows, known = self.general.distributions(words)
        for start in range(0, len(words), _WORDS):
            absent = start + np.flatnonzero(~known[start : start + _WORDS])
            if not len(absent):
                continue
            neighbours, taken = self._neighbours([words[i] for i in absent.tolist()])
            found = taken.any(axis=1)
            distinct, places = np.unique(neighbours[taken], return_inverse=True)
            theirs, _ = self.general.distributions([self._known[i] for i in distinct.tolist()])
            sums = np.zeros((len(absent), rows.shape[1]))
            np.add.at(sums, np.nonzero(taken)[0], theirs[places])
            rows[absent[found]] = (sums / np.maximum(taken.sum(axis=1, keepdims=True), 1))[found]
            known[absent[found]] = True
        return rows, known

    def _neighbours(self, words: list[str]) -> tuple[Indices, Mask]:
        """Return the places of the closest known words, (n, nearest), and which of them count."""
        similar = (_unit(self.domain.take(words)) @ self._vectors.T).toarray()
        order = np.argsort(-similar, axis=1, kind="stable")[:, : self.nearest]
        return order, np.take_along_axis(similar, order, axis=1) > 0

    @cached_property
    def _known(self) -> list[str]:
        """The words of the domain that the general corpus has too."""
        words = list(self.domain.words)
        known = [
            self.general.distributions(words[start : start + _WORDS])[1]
            for start in range(0, len(words), _WORDS)
        ]
        return [words[i] for i in np.flatnonzero(np.concatenate([*known, np.zeros(0, bool)]))]

    @cached_property
    def _vectors(self) -> csr_array[np.float64]:
        return _unit(self.domain.take(self._known))


def _unit(matrix: SparseMatrix) -> csr_array[np.float64]:
    """Return the rows at length 1; empty ones stay so."""
    from scipy.sparse import csr_array, diags_array

    height = len(matrix.starts) - 1
    rows = csr_array(
        (matrix.values.astype(np.float64), matrix.columns, matrix.starts),
        shape=(height, matrix.width),
    )
    lengths = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1)).ravel())
    inverse = np.divide(1.0, lengths, out=np.zeros(height), where=lengths > 0)
    return csr_array(diags_array(inverse) @ rows)
