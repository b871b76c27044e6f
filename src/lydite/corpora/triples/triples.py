"""Counted triples of head, relation and dependent."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lydite.spaces.vocabulary import Vocabulary
from lydite.types import Indices


@dataclass(frozen=True, kw_only=True, eq=False)
class Triples:
    """The triples of a corpus, each once, sorted by head, relation and dependent.

    Attributes
    ----------
    lemmas
        n lemmas, the most frequent first, of equally frequent ones in the order of the alphabet.
    lemma_counts
        Shape (n,): how often each stands in the corpus.
    relations
        r names, those with the most triples first.
    heads, kinds, dependents
        Shape (m,): numbers of lemma, relation and lemma.
    counts
        Shape (m,): how often each triple stands in the corpus.
    tokens
        How many tokens the corpus has.
    fingerprint
        Of the corpus.
    """

    lemmas: Vocabulary
    lemma_counts: Indices
    relations: tuple[str, ...]
    heads: NDArray[np.int32]
    kinds: NDArray[np.int32]
    dependents: NDArray[np.int32]
    counts: Indices
    tokens: int
    fingerprint: str

    def __len__(self) -> int:
        return len(self.counts)
