"""The AUC of one pair of entities from the vectors of its sentences, beside scikit-learn.

115 sentences express the relation and 433 do not, more than of the paper's largest pair (Yahoo and
Inktomi, 115 of 433), with 512 numbers each: 13,110 pairs in H and 49,795 in L. The peer takes the
matrix of cosines (``cosine_similarity``), picks the pairs of H and L from it with masks and asks
``roc_auc_score``; both must find the same AUC.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.measure import Job, Peer
from lydite.models.pairwise import cross_scores
from lydite.stats.auc import ScoreLevels
from lydite.types import Mask, Vectors

CAVEATS = ["both start from vectors"]


@dataclass(frozen=True, kw_only=True)
class Size:
    """Sentences that express a relation, others, and the numbers of each."""

    expressing: int = 115
    others: int = 433
    dim: int = 512


FULL = Size()
SMALL = Size(expressing=5, others=7)


class _Vectors:
    """An encoder that has encoded already."""

    def __init__(self, vectors: Vectors) -> None:
        self.vectors = vectors

    def encode(self, texts: Sequence[str], /) -> Vectors:
        return self.vectors[[int(text) for text in texts]]


def jobs(size: Size, _folder: Path) -> Iterator[Job]:
    generator = np.random.default_rng(1)
    expresses = np.arange(size.expressing + size.others) < size.expressing
    vectors = generator.normal(size=(len(expresses), size.dim)).astype(np.float32)
    vectors[expresses, 0] += 2
    yield Job(
        name="AUC",
        amount=f"of {size.expressing} x {size.others} sentences",
        ours=lambda: ours(vectors, expresses),
        peers=[
            Peer(
                name="cosine_similarity, roc_auc_score",
                run=lambda: of_matrix(vectors, expresses),
                target=2,
            )
        ],
        agree=_same,
    )


def _same(found: float, peers: Sequence[float]) -> str:
    # Ours takes cosines that differ by less than float32 can tell for ties.
    assert abs(found - peers[0]) < 1e-6, f"{found} and {peers[0]}"
    return f"AUC {found:.6f}, the peer's {peers[0]:.6f}"


def ours(vectors: Vectors, expresses: Mask) -> float:
    texts = [str(i) for i in range(len(vectors))]
    scores = cross_scores(_Vectors(vectors), texts, texts).scores
    return ScoreLevels.of(scores).auc(expresses, ~expresses)


def of_matrix(vectors: Vectors, expresses: Mask) -> float:
    from sklearn.metrics import roc_auc_score  # type: ignore[import-untyped]
    from sklearn.metrics.pairwise import cosine_similarity  # type: ignore[import-untyped]

    cosines = cosine_similarity(vectors.astype(np.float64))
    inside = np.outer(expresses, expresses) & ~np.eye(len(expresses), dtype=np.bool_)
    either = inside | np.outer(expresses, ~expresses)
    return float(roc_auc_score(inside[either], cosines[either]))
