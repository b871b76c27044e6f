"""A space: a vocabulary and a matrix of vectors, usually mapped from disk."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

import numpy as np

from lydite.errors import InputError, MissingWordError
from lydite.registry import nearest
from lydite.spaces.vocabulary import Vocabulary
from lydite.types import Indices, Lookup, OovPolicy, Vectors

CaseRule: TypeAlias = Literal["exact", "fold"]


@dataclass(frozen=True, kw_only=True)
class Space:
    """Words and their vectors; a word model.

    Attributes
    ----------
    vocabulary
        n words.
    vectors
        Shape (n, d), float32, usually a read-only memory map.
    spec
        The text that names this space.
    fingerprint
        The sha256 of the content it was read from.
    problems
        What was left out while reading: kind and count.
    case
        ``fold`` finds a word in another case when it is absent as written; the first such word of
        the vocabulary wins.
    multiword
        Find ``new york`` as ``new_york`` and the other way round when it is absent as written.

    Examples
    --------
    >>> space = Space.of({"cat": [1, 0], "New_York": [0, 1]}, case="fold", multiword=True)
    >>> space.lookup(["cat", "new york", "emu"]).found.tolist()
    [True, True, False]
    """

    vocabulary: Vocabulary
    vectors: Vectors
    spec: str = "space"
    fingerprint: str = ""
    problems: Mapping[str, int] = field(default_factory=dict)
    case: CaseRule = "exact"
    multiword: bool = False

    @classmethod
    def of(cls, vectors: Mapping[str, Sequence[float]], **options: Any) -> Space:  # noqa: ANN401
        """Make a space from a mapping."""
        matrix = np.array(list(vectors.values()), dtype=np.float32)
        return cls(vocabulary=Vocabulary.of(vectors), vectors=matrix, **options)

    @classmethod
    def of_keyed_vectors(cls, keyed: Any) -> Space:  # noqa: ANN401
        """Make a space from gensim's KeyedVectors, or anything with the same two attributes."""
        words, vectors = list(keyed.index_to_key), np.asarray(keyed.vectors, dtype=np.float32)
        if vectors.ndim != 2 or len(words) != len(vectors):
            raise InputError(
                f"expected a vector a word, got {len(words)} words and vectors of shape "
                f"{vectors.shape}"
            )
        return cls(vocabulary=Vocabulary.of(words), vectors=vectors, spec=type(keyed).__name__)

    @property
    def dim(self) -> int:
        """The number of dimensions."""
        return int(self.vectors.shape[1])

    def __len__(self) -> int:
        return len(self.vocabulary)

    def head(self, limit: int) -> Space:
        """Return the space of the first words only."""
        words = self.vocabulary.words.take(np.arange(min(limit, len(self))))
        return replace(self, vocabulary=Vocabulary.build(words), vectors=self.vectors[:limit])

    def find(self, words: Sequence[str]) -> Indices:
        """Return the row of each word, -1 where it is absent, under the rules of this space."""
        places = self.vocabulary.find(words)
        if self.multiword:
            places = self._find_missing(words, places, _other_joints)
        if self.case == "fold":
            places = self._find_missing(words, places, lambda word: [word], fold=True)
            if self.multiword:
                places = self._find_missing(words, places, _other_joints, fold=True)
        return places

    def lookup(self, words: Sequence[str], *, oov: OovPolicy = "skip") -> Lookup:
        """Return the vectors of words.

        Parameters
        ----------
        words
            n words.
        oov
            What stands in the row of an absent word: zeros (``skip`` and ``zero``), the mean of
            all vectors (``mean``), or nothing, since ``error`` raises.
        """
        places = self.find(words)
        found = places >= 0
        if oov == "error" and not found.all():
            raise self._missing([word for word, ok in zip(words, found, strict=True) if not ok])
        vectors = self.vectors[np.where(found, places, 0)]
        if not found.all():
            vectors[~found] = self.mean_vector() if oov == "mean" else 0
        return Lookup(vectors=vectors, found=found)

    def mean_vector(self) -> Vectors:
        """Return the mean of all vectors, summed in float64."""
        return np.asarray(self.vectors.mean(axis=0, dtype=np.float64), dtype=np.float32)

    def _find_missing(
        self,
        words: Sequence[str],
        places: Indices,
        variants: Callable[[str], list[str]],
        *,
        fold: bool = False,
    ) -> Indices:
        """Look for the words not found yet under other spellings."""
        find = self.vocabulary.find_folded if fold else self.vocabulary.find
        places = places.copy()
        tries = [
            (i, other) for i in np.flatnonzero(places < 0).tolist() for other in variants(words[i])
        ]
        for (i, _), place in zip(tries, find([other for _, other in tries]), strict=True):
            if places[i] < 0:
                places[i] = place
        return places

    def _missing(self, words: list[str]) -> MissingWordError:
        known = nearest(words[0], self.vocabulary[:50_000])
        return MissingWordError(
            f"{len(words)} of the words asked for are not in {self.spec}, first {words[0]!r}",
            hint=(f"did you mean {' or '.join(known)}? " if known else "")
            + "the policies skip, zero and mean go on without them",
        )


def _other_joints(word: str) -> list[str]:
    """Return a multiword term with its words joined in the other way."""
    return [other for other in (word.replace(" ", "_"), word.replace("_", " ")) if other != word]
