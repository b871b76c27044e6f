"""The families of a zoo, by name, and what those that are factorized have in common."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from lydite.registry import unknown_name
from lydite.spaces.space import Space, content_digest
from lydite.spaces.vocabulary import Vocabulary
from lydite.trained.family import SpaceFamily, at_length_one
from lydite.trained.glove import GloveFamily
from lydite.trained.lsa import LsaFamily
from lydite.trained.ppmi_svd import PpmiSvdFamily
from lydite.trained.skipgram import SKIPGRAM_FAMILIES
from lydite.types import Vectors

FAMILIES: Final[Mapping[str, SpaceFamily]] = {
    each.name: each for each in (*SKIPGRAM_FAMILIES, GloveFamily(), LsaFamily(), PpmiSvdFamily())
}


def family(name: str) -> SpaceFamily:
    """Return a family, with its usual values, by its name; an unknown one is told the nearest.

    >>> family("glove")["window"]
    10
    """
    if name not in FAMILIES:
        listed = ", ".join(FAMILIES)
        raise unknown_name("family of models", name, FAMILIES, hint=f"there are {listed}")
    return FAMILIES[name]


def first_dimensions(space: Space, dim: int, *, normalise: bool) -> Space:
    """Return the space that a factorization to fewer dimensions gives.

    Singular vectors stand in the order of their values, and each is what it is however many
    others are asked for, up to the rounding of the solver: 1e-6 of the largest number in a column,
    where no two values are equal.

    - ``space``: of singular vectors, scaled each by itself.
    - ``normalise``: whether the vectors of the space have the length 1, which is then restored.
    """
    if dim == space.dim:
        return space
    vectors = _first(space.vectors, dim, normalise=normalise)
    # A word of which the first dimensions say nothing has no vector.
    kept = np.flatnonzero(vectors.any(axis=1))
    words, vectors = space.vocabulary.words.take(kept), vectors[kept]
    counts = None if space.counts is None else space.counts[kept]
    contexts = None
    if space.contexts is not None:
        contexts = _first(space.contexts, dim, normalise=normalise)[kept]
    return replace(
        space,
        vocabulary=Vocabulary.build(words),
        vectors=vectors,
        counts=counts,
        contexts=contexts,
        fingerprint=content_digest(words, vectors, counts=counts, contexts=contexts),
    )


def _first(vectors: Vectors, dim: int, *, normalise: bool) -> Vectors:
    cut = np.ascontiguousarray(vectors[:, :dim])
    return at_length_one(cut.astype(np.float64)).astype(np.float32) if normalise else cut
