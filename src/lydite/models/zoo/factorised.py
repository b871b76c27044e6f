"""LSA and PPMI-SVD on a shared corpus; one factorisation serves all smaller dimensions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lydite.corpora.cooccurrence.windows import Windows
from lydite.models.lsa import LsaRecipe, count_in_documents, count_in_windows, lsa_space
from lydite.models.ppmi_svd import Factors, ppmi_svd_space
from lydite.models.zoo.corpus import SharedCorpus
from lydite.spaces.space import Space, content_digest
from lydite.spaces.vocabulary import Vocabulary
from lydite.types import Vectors


def lsa(
    corpus: SharedCorpus,
    recipe: LsaRecipe,
    windows: Windows,
    *,
    min_count: int,
    limit: int | None,
) -> Space:
    """Make a space by latent semantic analysis of documents, or of windows."""
    if recipe.columns == "documents":
        kept = corpus.vocabulary(min_count, limit)
        counts = count_in_documents(corpus.encoded, kept, span=recipe.span)
        return lsa_space(counts, kept.words, kept.counts, recipe)
    counted = corpus.counted(windows, min_count, limit)
    return lsa_space(count_in_windows(counted, windows), counted.words, counted.counts, recipe)


def ppmi_svd(
    corpus: SharedCorpus,
    factors: Factors,
    windows: Windows,
    *,
    min_count: int,
    limit: int | None,
) -> Space:
    """Make a space by counting, PPMI and singular values."""
    return ppmi_svd_space(corpus.counted(windows, min_count, limit), factors)


def first_dimensions(space: Space, dim: int, *, normalise: bool) -> Space:
    """Return the space that a factorisation to fewer dimensions gives.

    Singular vectors stand in the order of their values, and each is what it is however many
    others are asked for, up to the rounding of the solver: 1e-6 of the largest number in a column,
    where no two values are equal.

    Parameters
    ----------
    space
        Of singular vectors, scaled each by itself.
    dim
        How many to keep.
    normalise
        Whether the vectors of the space have the length 1, which is then restored.
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
    if not normalise:
        return cut
    lengths = np.linalg.norm(cut.astype(np.float64), axis=1, keepdims=True)
    scaled = np.divide(cut, lengths, out=np.zeros(cut.shape), where=lengths > 0)
    return np.asarray(scaled, dtype=np.float32)
