"""QVEC on vectors already opened, beside NumPy's and SciPy's correlations of all columns.

Both start from aligned matrices and give the score alone. ``numpy.corrcoef`` correlates all columns
of both matrices with each other, of which a quarter is wanted; ``scipy.stats.pearsonr`` takes both
along an axis, dimension by dimension, so that the products of one fit in memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.inputs import glove
from benchmarks.measure import Job, Peer
from lydite.evaluations.qvec.evaluation import Qvec, best_features, shared_matrices
from lydite.lexicons.oracles import read_oracle
from lydite.resources.catalogue import locate
from lydite.stats.correlation import correlation_matrix
from lydite.types import Floats

CAVEATS: list[str] = []


@dataclass(frozen=True, kw_only=True)
class Size:
    """Words of the space, of which the oracle's are taken."""

    words: int = 400_000


FULL = Size()
SMALL = Size(words=5_000)


def jobs(size: Size, _folder: Path) -> Iterator[Job]:
    space = glove(size.words)
    oracle = read_oracle(locate("starter-supersenses").paths[0])
    X, S, *_ = shared_matrices(space, oracle)
    amount = f"of {X.shape[0]:,} x {X.shape[1]} with {S.shape[1]} features"
    yield Job(
        name="QVEC",
        amount=amount,
        ours=lambda: float(best_features(correlation_matrix(X, S))[1].sum()),
        peers=[
            Peer(name="numpy.corrcoef", run=lambda: of_corrcoef(X, S), target=1),
            Peer(
                name="scipy.stats.pearsonr along an axis", run=lambda: of_pearsonr(X, S), target=1
            ),
        ],
        agree=_same,
    )

    def whole() -> float:
        vectors, features, *_ = shared_matrices(space, oracle)
        return Qvec(method="qvec").answer(vectors, features)[0].score

    yield Job(
        name="QVEC, all of its answer",
        amount=f"{amount}: finding the words, variance explained, influence of every word",
        ours=whole,
        peers=[Peer(name="0.1 s allowed", run=0.1, target=1, at_most=True)],
    )


def _same(score: float, peers: Sequence[float]) -> str:
    assert np.allclose(score, peers, atol=1e-9), (score, *peers)
    return f"QVEC {score:.6f} by all"


def of_corrcoef(X: Floats, S: Floats) -> float:
    return float(np.corrcoef(X.T, S.T)[: X.shape[1], X.shape[1] :].max(axis=1).sum())


def of_pearsonr(X: Floats, S: Floats) -> float:
    from scipy.stats import pearsonr

    best = (pearsonr(x[:, None], S, axis=0).statistic.max() for x in X.T)
    return float(sum(best))
