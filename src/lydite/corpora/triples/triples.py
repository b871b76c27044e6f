"""Counted triples of head, relation and dependent."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from lydite.spaces.array_folder import new_folder, opened_arrays, write_arrays
from lydite.spaces.arrays import seal
from lydite.spaces.vocabulary import VOCABULARY_ARRAYS, Vocabulary
from lydite.types import Indices

#: What a folder of triples holds; names of relations are among the facts beside them.
ARRAYS: Final[dict[str, Any]] = {
    **VOCABULARY_ARRAYS,
    "lemma_counts": np.int64,
    "heads": np.int32,
    "kinds": np.int32,
    "dependents": np.int32,
    "counts": np.int64,
}
_HINT = "write triples with count_triples and Triples.save"


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

    def save(self, folder: Path) -> None:
        """Write a folder, which must not be there yet, as a whole.

        Raises
        ------
        InputError
            If there is something of that name.
        """
        beside = {name: getattr(self, name) for name in ARRAYS if name not in VOCABULARY_ARRAYS}
        with new_folder(folder) as work:
            write_arrays(work, {**self.lemmas.arrays(), **beside}, ARRAYS)
            seal(
                work,
                ARRAYS,
                relations=list(self.relations),
                tokens=self.tokens,
                fingerprint=self.fingerprint,
            )


def open_triples(folder: Path) -> Triples:
    """Map the triples of a folder.

    Raises
    ------
    ResourceError
        If there is no such folder.
    FormatError
        If it is not what was written.
    """
    with opened_arrays(folder, ARRAYS, what="triples", hint=_HINT) as (arrays, facts):
        return Triples(
            lemmas=Vocabulary.of_arrays(arrays),
            lemma_counts=arrays["lemma_counts"],
            relations=tuple(facts["relations"]),
            heads=arrays["heads"],
            kinds=arrays["kinds"],
            dependents=arrays["dependents"],
            counts=arrays["counts"],
            tokens=int(facts["tokens"]),
            fingerprint=str(facts["fingerprint"]),
        )
