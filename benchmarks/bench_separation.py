"""The AUC of one pair of entities from the vectors of its sentences, beside a loop over pairs.

115 sentences express the relation and 433 do not, more than of the paper's largest pair (Yahoo and
Inktomi, 115 of 433), with 512 numbers each: 13,110 pairs in H and 49,795 in L. The peer asks
scikit-learn for the cosine of every pair by itself and then for the AUC of all; both must find the
same AUC.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import permutations, product

import numpy as np
from sklearn.metrics import roc_auc_score  # type: ignore[import-untyped]
from sklearn.metrics.pairwise import cosine_similarity  # type: ignore[import-untyped]

from benchmarks.measure import Row, peak_of_both, publish
from lydite.models.pairwise import cross_scores
from lydite.stats.auc import ScoreLevels
from lydite.types import Mask, Vectors

_EXPRESSING, _OTHERS, _DIM = 115, 433, 512
_REPEATS = 5


class _Vectors:
    """An encoder that has encoded already."""

    def __init__(self, vectors: Vectors) -> None:
        self.vectors = vectors

    def encode(self, texts: Sequence[str], /) -> Vectors:
        return self.vectors[[int(text) for text in texts]]


def ours(vectors: Vectors, expresses: Mask) -> float:
    texts = [str(i) for i in range(len(vectors))]
    scores = cross_scores(_Vectors(vectors), texts, texts).scores
    return ScoreLevels.of(scores).auc(expresses, ~expresses)


def pair_by_pair(vectors: Vectors, expresses: Mask) -> float:
    rows = vectors.astype(np.float64)[:, np.newaxis]
    inside, outside = np.flatnonzero(expresses), np.flatnonzero(~expresses)
    high = [cosine_similarity(rows[i], rows[j])[0, 0] for i, j in permutations(inside, 2)]
    low = [cosine_similarity(rows[i], rows[j])[0, 0] for i, j in product(inside, outside)]
    return float(roc_auc_score([1] * len(high) + [0] * len(low), high + low))


def main() -> bool:
    generator = np.random.default_rng(1)
    expresses = np.arange(_EXPRESSING + _OTHERS) < _EXPRESSING
    vectors = generator.normal(size=(len(expresses), _DIM)).astype(np.float32)
    vectors[expresses, 0] += 2

    found = ours(vectors, expresses)
    times = []
    for _ in range(_REPEATS):
        start = time.perf_counter()
        ours(vectors, expresses)
        times.append(time.perf_counter() - start)
    # Once: tens of thousands of calls are their own average.
    start = time.perf_counter()
    expected = pair_by_pair(vectors, expresses)
    seconds = time.perf_counter() - start
    # Ours takes cosines that differ by less than float32 can tell for ties.
    same = abs(found - expected) < 1e-6
    return publish(
        "separation",
        [
            Row(
                job=f"AUC, {_EXPRESSING} x {_OTHERS} sentences",
                peer="cosine_similarity pair by pair, roc_auc_score",
                ours_seconds=float(np.median(times)),
                peer_seconds=seconds,
                target=50,
                memory=peak_of_both(),
                memory_met=same,
                note=f"AUC {found:.6f}, the peer's {expected:.6f}: "
                + ("the same" if same else "NOT the same"),
            )
        ],
        ["both start from vectors; the peer takes the cosines one pair at a time"],
    )


if __name__ == "__main__":
    main()
