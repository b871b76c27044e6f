"""QVEC on vectors already opened, beside its definition as a double loop over pearsonr.

Both start from aligned matrices and give the score alone.
"""

from __future__ import annotations

import numpy as np
from scipy.stats import pearsonr

from benchmarks.measure import Row, peak_of_both, publish, side_by_side
from lydite.evaluations.qvec.evaluation import Qvec, best_features, shared_matrices
from lydite.lexicons.oracles import read_oracle
from lydite.models.catalogue import load
from lydite.resources.catalogue import locate
from lydite.stats.correlation import correlation_matrix


def main() -> bool:
    space = load("glove-6b-50d")
    located = locate("starter-supersenses")
    oracle = read_oracle(located.paths[0])
    X, S, *_ = shared_matrices(space, oracle)

    def ours() -> float:
        return float(best_features(correlation_matrix(X, S))[1].sum())

    def whole() -> float:
        vectors, features, *_ = shared_matrices(space, oracle)
        return Qvec(method="qvec").answer(vectors, features)[0].score

    def loop() -> float:
        return float(sum(max(pearsonr(x, s).statistic for s in S.T) for x in X.T))

    assert np.isclose(ours(), loop(), atol=1e-9)
    ours_seconds, loop_seconds = side_by_side(ours, loop, repeats=5)
    whole_seconds, _ = side_by_side(whole, ours, repeats=20)
    return publish(
        "qvec",
        [
            Row(
                job=f"QVEC of {X.shape[0]} x {X.shape[1]} with {S.shape[1]} features",
                peer="double loop over scipy.stats.pearsonr",
                ours_seconds=ours_seconds,
                peer_seconds=loop_seconds,
                target=200,
                memory=peak_of_both(),
                note="with finding the words in 400,000, the variance explained for held-out words "
                f"and the influence of every word: {1000 * whole_seconds:.1f} ms",
            )
        ],
        [],
    )


if __name__ == "__main__":
    main()
