"""What was learnt of latent senses, in a folder of arrays that opens by mapping.

For n lemmas, m context words and K senses:

=============== =============== ==========================================================
letters         uint8           the lemmas in UTF-8, end to end
offsets         int64 (n + 1)   where each begins in ``letters``
context_letters uint8           the context words, likewise
context_offsets int64 (m + 1)
starts          int64 (n + 1)   where the row of each lemma begins in the next two
columns         int32           senses, ascending in each row
values          uint32          how many context words of the lemma have the sense
contexts        uint32 (m, K)   how often each context word has each sense
=============== =============== ==========================================================

Distributions follow from counts and priors: exact, and less than a tenth of the size that P(z | t)
has by itself. ``meta.json`` has the priors, and says how senses were learnt, and from what.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from lydite.corpora.cooccurrence.counts import CountMatrix
from lydite.corpora.preparation import Preparation
from lydite.spaces.array_folder import new_folder, opened_arrays, write_arrays
from lydite.spaces.arrays import seal
from lydite.spaces.vocabulary import PackedWords, Vocabulary, spans
from lydite.storage import sha256_file, sha256_text
from lydite.types import Floats, Mask, PlainMapping

_KIND: Final = "dinu-lapata"

_ARRAYS: Final[dict[str, Any]] = {
    "letters": np.uint8,
    "offsets": np.int64,
    "context_letters": np.uint8,
    "context_offsets": np.int64,
    "starts": np.int64,
    "columns": np.int32,
    "values": np.uint32,
    "contexts": np.uint32,
}
_HINT = f"lydite train {_KIND} writes such folders"


class Distributions(Protocol):
    """Words to their senses."""

    def distributions(self, words: Sequence[str]) -> tuple[Floats, Mask]:
        """Return P(z | t) of each word, (n, K), and which words are known, (n,)."""
        ...


@dataclass(frozen=True, kw_only=True, eq=False)
class Senses:
    """P(z | t) and P(c | z), kept as the counts that they come from.

    Attributes
    ----------
    lemmas
        The n lemmas t.
    contexts
        The m context words c.
    lemma_counts
        Shape (n, K): how many context words of a lemma have which sense.
    context_counts
        Shape (m, K): how often a context word has which sense.
    alpha, eta
        The priors.
    lemmatizer, preparation
        What gives texts lemmas that fit these.
    provenance
        How they were learnt, and from what, as JSON knows it.
    fingerprint
        The sha256 of the arrays; empty where they are not in a folder.
    """

    lemmas: Vocabulary
    contexts: Vocabulary
    lemma_counts: CountMatrix
    context_counts: NDArray[np.integer[Any]]
    alpha: float
    eta: float
    lemmatizer: str
    preparation: Preparation
    provenance: PlainMapping
    fingerprint: str = ""

    @property
    def senses(self) -> int:
        """K."""
        return int(self.context_counts.shape[1])

    def distributions(self, words: Sequence[str]) -> tuple[Floats, Mask]:
        """Return P(z | t) of each lemma, (n, K), and which are known, (n,).

        ``(n_tz + alpha) / (n_t + K alpha)``; the row of an unknown lemma is 0, and a lemma that had
        no context word at all is unknown.
        """
        places = self.lemmas.find(words)
        counts = self.lemma_counts
        lengths = np.where(places >= 0, counts.starts[places + 1] - counts.starts[places], 0)
        entries = spans(counts.starts[places], lengths)
        rows = np.zeros((len(words), self.senses))
        owners = np.repeat(np.arange(len(words)), lengths)
        rows[owners, counts.columns[entries]] = counts.values[entries]
        known = lengths > 0
        rows[known] += self.alpha
        rows[known] /= rows[known].sum(axis=1, keepdims=True)
        return rows, known

    def likelihoods(self, places: NDArray[np.int64]) -> Floats:
        """Return P(c | z) of the context words at these places, (n, K).

        ``(n_cz + eta) / (n_z + m eta)``.
        """
        likelihoods: Floats = (self.context_counts[places] + self.eta) / self._totals
        return likelihoods

    @cached_property
    def _totals(self) -> Floats:
        sizes: Floats = self.context_counts.sum(axis=0, dtype=np.float64)
        return sizes + len(self.contexts) * self.eta

    def save(self, folder: Path) -> None:
        """Write a folder, which must not be there yet, as a whole.

        Raises
        ------
        InputError
            If there is something of that name.
        """
        with new_folder(folder) as work:
            write_arrays(work, self._arrays(), _ARRAYS)
            seal(
                work,
                _ARRAYS,
                **self.provenance,
                kind=_KIND,
                senses=self.senses,
                alpha=self.alpha,
                eta=self.eta,
                lemmas=self.lemmatizer,
                preparation=dataclasses.asdict(self.preparation),
                sha256=sha256_text("\n".join(sha256_file(work / name) for name in _ARRAYS)),
            )

    def _arrays(self) -> dict[str, NDArray[Any]]:
        return {
            "letters": self.lemmas.words.letters,
            "offsets": self.lemmas.words.offsets,
            "context_letters": self.contexts.words.letters,
            "context_offsets": self.contexts.words.offsets,
            "starts": self.lemma_counts.starts,
            "columns": self.lemma_counts.columns,
            "values": self.lemma_counts.values,
            "contexts": self.context_counts,
        }


def open_senses(folder: Path) -> Senses:
    """Map what was learnt.

    Raises
    ------
    ResourceError
        If there is no such folder.
    FormatError
        If it is not what was written.
    """
    with opened_arrays(folder, _ARRAYS, what="latent senses", hint=_HINT, kind=_KIND) as (
        arrays,
        facts,
    ):
        return _checked(
            Senses(
                lemmas=_vocabulary(arrays["letters"], arrays["offsets"]),
                contexts=_vocabulary(arrays["context_letters"], arrays["context_offsets"]),
                lemma_counts=CountMatrix(
                    starts=arrays["starts"], columns=arrays["columns"], values=arrays["values"]
                ),
                context_counts=arrays["contexts"].reshape(-1, int(facts["senses"])),
                alpha=float(facts["alpha"]),
                eta=float(facts["eta"]),
                lemmatizer=str(facts["lemmas"]),
                preparation=Preparation(**facts["preparation"]),
                provenance=facts,
                fingerprint=str(facts["sha256"]),
            )
        )


def _checked(senses: Senses) -> Senses:
    counts = senses.lemma_counts
    fits = (
        len(counts) == len(senses.lemmas)
        and len(counts.columns) == len(counts.values) == counts.starts[-1]
        and len(senses.context_counts) == len(senses.contexts)
    )
    if not fits:
        raise ValueError("arrays do not fit each other")
    return senses


def _vocabulary(letters: NDArray[np.uint8], offsets: NDArray[np.int64]) -> Vocabulary:
    return Vocabulary.build(PackedWords(letters=letters, offsets=offsets))
