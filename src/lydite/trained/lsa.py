"""Latent semantic analysis: weighted counts of words in documents, or beside words, factorized."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Literal, TypeAlias

import numpy as np

from lydite.declare import Inline, Param
from lydite.errors import InputError
from lydite.models.contexts import check_number
from lydite.spaces.factorization import SparseMatrix, truncated_svd
from lydite.spaces.space import Space
from lydite.spaces.vocabulary import PackedWords, bounds
from lydite.trained.cooccurrence import CountedCorpus, Windows
from lydite.trained.encoded_corpus import EncodedCorpus, WordRows
from lydite.trained.family import (
    FrequentWords,
    SpaceFamily,
    SpaceRecipe,
    at_length_one,
    space_examples,
    trained_space,
)
from lydite.trained.parameters import Dim, Exponent, Unit, check_declared
from lydite.trained.zoo.corpus import SharedCorpus
from lydite.types import Floats, Indices

#: What a word is counted in: documents, or the windows of other words.
Columns: TypeAlias = Literal["documents", "words"]
Weighting: TypeAlias = Literal["log-entropy", "tf-idf", "none"]


@dataclass(frozen=True, kw_only=True)
class LsaRecipe:
    """How counts become vectors (Deerwester et al. 1990; Landauer & Dumais 1997).

    Counted in ``documents`` is the usual analysis, in ``words`` that of the words around a word;
    weighted by pointwise mutual information (Church & Hanks 1990), the latter is
    :func:`lydite.trained.ppmi_svd.ppmi_svd_space`. A document is so many lines, or sentences of
    prepared text, in a row. `weigh` tells the weightings.
    """

    dim: Dim = 100
    columns: Annotated[
        Columns, Param("What words are counted in: documents, or windows of words.")
    ] = "documents"
    weighting: Annotated[Weighting, Param("Weighting of the counts.")] = "log-entropy"
    span: Annotated[int, Param("Consecutive sentences per document.", least=1)] = 1
    eig: Exponent = 1.0
    normalise: Unit = False

    def __post_init__(self) -> None:
        check_declared(self)
        check_number("eig", self.eig, least=0)


def count_in_documents(corpus: EncodedCorpus, kept: WordRows, *, span: int = 1) -> SparseMatrix:
    """Count the words of each document, of ``span`` sentences; the last may have fewer.

    The matrix has the shape (n, documents), for the n words that are kept.
    """
    from scipy.sparse import coo_array

    ends = corpus.ids < 0
    documents = (np.cumsum(ends, dtype=np.int32) // np.int32(span))[~ends]
    rows = kept.rows[corpus.ids[~ends]]
    known = rows >= 0
    width = -(-int(np.count_nonzero(ends)) // span)
    ones = np.ones(int(known.sum()), dtype=np.float32)
    table = coo_array((ones, (rows[known], documents[known])), shape=(len(kept.words), width))
    found = table.tocsr()
    found.sort_indices()
    return SparseMatrix(
        starts=found.indptr.astype(np.int64),
        columns=found.indices.astype(np.int32, copy=False),
        values=found.data,
        width=width,
    )


def weigh(counts: SparseMatrix, weighting: Weighting) -> SparseMatrix:
    """Weigh counts x_ij of n words in N columns; what becomes 0 is left out.

    - ``log-entropy``: ``log(1 + x_ij) (1 + Σ_j p_ij log p_ij / log N)``, ``p_ij = x_ij / Σ_j x_ij``
    - ``tf-idf``: ``x_ij log(N / n_i)``, with n_i the number of columns that word i stands in
    - ``none``: the counts

    References
    ----------
    Dumais (1991), Improving the retrieval of information from external sources, Behavior Research
    Methods 23.

    Examples
    --------
    >>> counts = SparseMatrix(
    ...     starts=np.array([0, 2, 3]),
    ...     columns=np.array([0, 1, 1], dtype=np.int32),
    ...     values=np.array([2, 2, 1], dtype=np.float32),
    ...     width=2,
    ... )
    >>> weigh(counts, "log-entropy").columns.tolist()
    [1]
    >>> np.exp(weigh(counts, "tf-idf").values).round(6).tolist()
    [2.0]
    """
    if weighting == "none":
        return counts
    if counts.width < 2:
        raise InputError(
            f"expected several documents to weigh words by, got {counts.width}",
            hint="put a document on each line and read it so (--sentences lines), or use a smaller "
            "span",
        )
    owners = np.repeat(np.arange(counts.shape[0]), np.diff(counts.starts))
    values = counts.values.astype(np.float64)
    if weighting == "log-entropy":
        local, overall = np.log1p(values), _certainty(owners, values, counts)
    else:
        seen = np.maximum(np.diff(counts.starts), 1)
        local, overall = values, np.log(counts.width / seen)
    # Rounding leaves words that stand everywhere alike with next to nothing.
    overall[np.abs(overall) < 1e-12] = 0
    weighed = local * overall[owners]
    kept = weighed != 0
    return SparseMatrix(
        starts=bounds(np.bincount(owners[kept], minlength=counts.shape[0])),
        columns=counts.columns[kept],
        values=weighed[kept].astype(np.float32),
        width=counts.width,
    )


def _certainty(owners: Indices, values: Floats, counts: SparseMatrix) -> Floats:
    """Return one less the entropy of each word, as a share of the largest there can be."""
    height = counts.shape[0]
    sums = np.bincount(owners, weights=values, minlength=height)
    shares = values / sums[owners]
    entropy = np.bincount(owners, weights=shares * np.log(shares), minlength=height)
    return np.asarray(1.0 + entropy / math.log(counts.width), dtype=np.float64)


def count_in_windows(corpus: CountedCorpus, windows: Windows) -> SparseMatrix:
    """Return the counts of words beside words, (n, n), in units of whole contexts."""
    contexts = corpus.contexts
    return SparseMatrix(
        starts=np.array(contexts.starts),
        columns=np.array(contexts.columns),
        values=contexts.values.astype(np.float32) / np.float32(windows.scale),
        width=len(corpus.words),
    )


def lsa_space(counts: SparseMatrix, words: PackedWords, often: Indices, recipe: LsaRecipe) -> Space:
    """Make a space of counts.

    It has ``contexts`` where columns are words. Words that say nothing about any column are left
    out.
    """
    weighed = weigh(counts, recipe.weighting)
    found = truncated_svd(weighed, recipe.dim)
    scale = found.sizes**recipe.eig
    finish = at_length_one if recipe.normalise else np.asarray
    vectors = finish(found.left * scale)
    # Neither the rounding of the decomposition nor its arbitrary null vectors are of a word.
    kept = np.flatnonzero(np.diff(weighed.starts))
    contexts = None
    if recipe.columns == "words":
        contexts = finish(found.right * scale)[kept].astype(np.float32)
    singles = vectors[kept].astype(np.float32)
    return trained_space(words.take(kept), singles, often[kept], contexts, spec="lsa")


@dataclass(frozen=True, kw_only=True)
class LsaFamily(SpaceFamily):
    """Spaces by latent semantic analysis of documents, or of windows."""

    factorized: ClassVar[bool] = True

    analysis: Annotated[LsaRecipe, Inline()] = LsaRecipe()
    windows: Annotated[Windows, Inline()] = field(default_factory=Windows)
    words: Annotated[FrequentWords, Inline()] = field(default_factory=FrequentWords)

    @property
    def name(self) -> str:
        """What the family is called."""
        return "lsa"

    def make(self, corpus: SharedCorpus) -> Space:
        """Count, weigh and factorize."""
        min_count, limit = self.words.min_count, self.words.limit
        if self.analysis.columns == "documents":
            kept = corpus.vocabulary(min_count, limit)
            counts = count_in_documents(corpus.encoded, kept, span=self.analysis.span)
            return lsa_space(counts, kept.words, kept.counts, self.analysis)
        counted = corpus.counted(self.windows, min_count, limit)
        counts = count_in_windows(counted, self.windows)
        return lsa_space(counts, counted.words, counted.counts, self.analysis)


@dataclass(frozen=True, kw_only=True)
class LsaTraining(SpaceRecipe):
    """Count words in documents, weigh the counts, keep the largest singular values.

    Windows, subsampling and seed matter only with --columns words. Weighted by pointwise mutual
    information, that is lydite train ppmi-svd.
    """

    name: ClassVar[str] = "lsa"
    examples: ClassVar[tuple[str, ...]] = space_examples("lsa", "--dim 300")

    family: Annotated[LsaFamily, Inline()] = LsaFamily()
