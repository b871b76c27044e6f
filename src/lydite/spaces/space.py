"""A space: a vocabulary and a matrix of vectors, usually mapped from disk."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from lydite.errors import InputError, MissingWordError
from lydite.registry import nearest
from lydite.spaces.vocabulary import PackedWords, Vocabulary
from lydite.types import Floats, Indices, Lookup, OovPolicy, Vectors

_ROWS = 1 << 14

CaseRule: TypeAlias = Literal["exact", "fold"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Space:
    """Words and their vectors; a word model.

    Attributes
    ----------
    vectors
        Shape (n, d), float32, usually a read-only memory map.
    fingerprint
        The sha256 of the content it was read from.
    problems
        What was left out while reading: kind and count.
    case
        ``fold`` finds a word in another case when it is absent as written; the first such word of
        the vocabulary wins.
    multiword
        Find ``new york`` as ``new_york`` and the other way round when it is absent as written.
    counts
        Shape (n,): how often each word stands in the corpus of the space, where that is known.
    contexts
        Shape (n, d), float32: the vectors that words have as contexts of others, where they are
        kept: the output vectors of word2vec, the right side of a factorized matrix.

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
    counts: Floats | None = None
    contexts: Vectors | None = None

    @classmethod
    def of(cls, vectors: Mapping[str, Sequence[float]], **options: Any) -> Space:  # noqa: ANN401
        """Make a space from a mapping."""
        widths = {len(vector) for vector in vectors.values()}
        if len(widths) != 1:
            raise InputError(f"expected vectors of one length, got lengths {sorted(widths)}")
        return cls._in_memory(list(vectors), list(vectors.values()), **options)

    @classmethod
    def of_keyed_vectors(cls, model: Any) -> Space:  # noqa: ANN401
        """Make a space from gensim's KeyedVectors, or from a model that has them as ``wv``.

        Counts are kept where they are there. Of a whole model trained with negative samples, its
        output vectors (``syn1neg``) become ``contexts``.
        """
        keyed = getattr(model, "wv", model)
        if not hasattr(keyed, "index_to_key") or not hasattr(keyed, "vectors"):
            raise InputError(
                "expected an object with index_to_key and vectors, as gensim's KeyedVectors, "
                f"got {type(keyed).__name__}",
                hint="give a gensim model, or its wv",
            )
        contexts = getattr(model, "syn1neg", None)
        if contexts is not None and contexts.shape != keyed.vectors.shape:
            # Of paragraph vectors that are concatenated with words: not in the space of the words.
            contexts = None
        return cls._in_memory(
            list(keyed.index_to_key),
            keyed.vectors,
            spec=type(keyed).__name__,
            counts=getattr(keyed, "expandos", {}).get("count"),
            contexts=contexts,
        )

    @classmethod
    def _in_memory(
        cls,
        words: list[str],
        vectors: Any,  # noqa: ANN401
        *,
        counts: Any = None,  # noqa: ANN401
        contexts: Any = None,  # noqa: ANN401
        **options: Any,  # noqa: ANN401
    ) -> Space:
        matrix = np.asarray(vectors, dtype=np.float32)
        if matrix.ndim != 2 or not matrix.size or len(words) != len(matrix):
            raise InputError(
                f"expected a vector per word, got {len(words)} words and vectors of shape "
                f"{matrix.shape}"
            )
        odd = [word for word in words if not isinstance(word, str)]
        if odd:
            raise InputError(f"expected words, got {odd[0]!r}, which is not text")
        _check_finite(matrix, words)
        vocabulary = Vocabulary.of(words)
        if len(repeats := vocabulary.repeats()):
            raise InputError(f"expected each word once, got {words[repeats[0]]!r} twice")
        beside = _beside(matrix, words, counts, contexts)
        return cls(
            vocabulary=vocabulary,
            vectors=matrix,
            fingerprint=content_digest(vocabulary.words, matrix, **beside),
            **beside,
            **options,
        )

    @property
    def dim(self) -> int:
        """The number of dimensions."""
        return int(self.vectors.shape[1])

    def __len__(self) -> int:
        return len(self.vocabulary)

    def head(self, limit: int) -> Space:
        """Return the space of the first words only."""
        words = self.vocabulary.words.take(np.arange(min(limit, len(self))))
        vectors = self.vectors[: len(words)]
        counts = None if self.counts is None else self.counts[: len(words)]
        contexts = None if self.contexts is None else self.contexts[: len(words)]
        return replace(
            self,
            vocabulary=Vocabulary.build(words),
            vectors=vectors,
            fingerprint=content_digest(words, vectors, counts=counts, contexts=contexts),
            counts=counts,
            contexts=contexts,
        )

    def find(self, words: Sequence[str]) -> Indices:
        """Return the row of each word, -1 where it is absent, under the rules of this space."""
        if isinstance(words, str):
            raise InputError(f"expected a list of words, got the text {words!r}")
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
        oov
            What stands in the row of an absent word: zeros (``skip`` and ``zero``), the mean of
            all vectors (``mean``), or nothing, since ``error`` raises.
        """
        if oov not in get_args(OovPolicy):
            raise InputError(
                f"expected a policy among {', '.join(get_args(OovPolicy))}, got {oov!r}"
            )
        places = self.find(words)
        found = places >= 0
        if oov == "error" and not found.all():
            raise self._missing([word for word, ok in zip(words, found, strict=True) if not ok])
        vectors = self.vectors[np.where(found, places, 0)]
        if not found.all():
            vectors[~found] = self.mean_vector() if oov == "mean" else 0
        return Lookup(vectors=vectors, found=found)

    def count(self, words: Sequence[str]) -> Floats:
        """Return how often words stand in the corpus of the space, 0 where they are absent."""
        if self.counts is None:
            raise InputError(
                f"{self.spec} does not know how often its words occur",
                hint="name a list of counts: vectors(FILE, counts=LIST)",
            )
        places = self.find(words)
        return np.where(places >= 0, self.counts[places], 0.0)

    def mean_vector(self) -> Vectors:
        """Return the mean of all vectors, summed in float64."""
        return self._mean

    @cached_property
    def _mean(self) -> Vectors:
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
        tries = [
            (i, other) for i in np.flatnonzero(places < 0).tolist() for other in variants(words[i])
        ]
        if not tries:
            return places
        places = places.copy()
        for (i, _), place in zip(tries, find([other for _, other in tries]), strict=True):
            if places[i] < 0:
                places[i] = place
        return places

    def _missing(self, words: list[str]) -> MissingWordError:
        known = nearest(words[0], self.vocabulary[:50_000])
        return MissingWordError(
            f"{len(words)} of the given words are not in {self.spec}, first {words[0]!r}",
            hint=(f"did you mean {' or '.join(known)}? " if known else "")
            + "the policies skip, zero and mean go on without them",
        )


def content_digest(
    words: PackedWords,
    vectors: Vectors,
    *,
    counts: Floats | None = None,
    contexts: Vectors | None = None,
) -> str:
    """Return the sha256 of words, vectors and what is beside, whatever file they came from."""
    digest = hashlib.sha256(f"{len(vectors)} {vectors.shape[1]}\n".encode())
    digest.update(np.ascontiguousarray(words.offsets).data)
    digest.update(np.ascontiguousarray(words.letters).data)
    for name, rows in (("", vectors), ("counts\n", counts), ("contexts\n", contexts)):
        if rows is not None:
            digest.update(name.encode())
            for start in range(0, len(rows), _ROWS):
                digest.update(np.ascontiguousarray(rows[start : start + _ROWS]).data)
    return digest.hexdigest()


def _beside(
    vectors: Vectors,
    words: list[str],
    counts: Any,  # noqa: ANN401 - whatever the caller has
    contexts: Any,  # noqa: ANN401
) -> dict[str, Any]:
    """Check what is to stand beside vectors."""
    beside: dict[str, Any] = {}
    for name, given, kind, shape in (
        ("counts", counts, np.float64, vectors.shape[:1]),
        ("contexts", contexts, np.float32, vectors.shape),
    ):
        if given is not None:
            beside[name] = np.asarray(given, dtype=kind)
            if beside[name].shape != shape:
                raise InputError(
                    f"expected {name} of shape {shape}, as there are vectors, "
                    f"got {beside[name].shape}"
                )
            _check_finite(beside[name], words)
    return beside


def _check_finite(rows: NDArray[np.floating[Any]], words: list[str]) -> None:
    bad = np.flatnonzero(~np.isfinite(rows).all(axis=tuple(range(1, rows.ndim))))
    if len(bad):
        raise InputError(f"expected finite numbers for {words[bad[0]]!r}, got NaN or infinity")


def _other_joints(word: str) -> list[str]:
    """Return a multiword term with its words joined in the other way."""
    return [other for other in (word.replace(" ", "_"), word.replace("_", " ")) if other != word]
