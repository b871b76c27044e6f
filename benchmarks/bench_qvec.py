"""QVEC on vectors already opened, beside its definition as a double loop over pearsonr.

Ours includes finding the words of the oracle in the vocabulary and the influence of every word,
but no null baseline; the loop starts from aligned matrices.
"""

from __future__ import annotations

import numpy as np
from scipy.stats import pearsonr

from benchmarks.measure import Row, publish, side_by_side
from lydite import load
from lydite.evaluations.qvec import Qvec, shared_matrices
from lydite.lexicons.oracle import read_oracle
from lydite.resources.catalogue import locate


def main() -> None:
    space = load("glove-6b-50d")
    located = locate("starter-supersenses")
    oracle = read_oracle(located.paths[0])
    X, S, *_ = shared_matrices(space, oracle)
    question = Qvec(method="qvec")

    def ours() -> float:
        vectors, features, *_ = shared_matrices(space, oracle)
        return question.answer(vectors, features).score

    def loop() -> float:
        return float(sum(max(pearsonr(x, s).statistic for s in S.T) for x in X.T))

    assert np.isclose(ours(), loop(), atol=1e-9)
    ours_seconds, loop_seconds = side_by_side(ours, loop, repeats=5)
    publish(
        "qvec",
        [
            Row(
                job=f"QVEC of {X.shape[0]} x {X.shape[1]} with {S.shape[1]} features",
                peer="double loop over scipy.stats.pearsonr",
                ours_seconds=ours_seconds,
                peer_seconds=loop_seconds,
                target=200,
            )
        ],
        [],
    )


if __name__ == "__main__":
    main()
