"""Three-fold classification of MSRP's groups by sentence vectors, beside scikit-learn's LinearSVC.

Both start from the vectors of 859 sentences (512 numbers each) and the same folds, train one linear
machine a group (274), and give the accuracy on each fold. LinearSVC has its usual tolerance; ours
must have converged by LIBLINEAR's criterion at a hundredth of it, and say the same of nearly all
sentences.
"""

from __future__ import annotations

import numpy as np
from sklearn.model_selection import (  # type: ignore[import-untyped]
    PredefinedSplit,
    cross_val_predict,
    cross_val_score,
)
from sklearn.svm import LinearSVC  # type: ignore[import-untyped]

from benchmarks.measure import Row, peak_of_both, publish, side_by_side
from lydite.corpora.paraphrases.load import open_groups
from lydite.evaluations.localization.classifiers import stratified_folds
from lydite.models.universal_sentence_encoder import UniversalSentenceEncoder
from lydite.resources.catalogue import locate
from lydite.stats.linear_svm import LIBLINEAR_TOLERANCE, one_vs_rest
from lydite.types import Indices, Vectors

_FOLDS = 3
_LEAST_SAME = 0.995


def predicted(vectors: Vectors, labels: Indices, folds: Indices) -> tuple[Indices, bool]:
    """Return the group that each sentence is given, and whether all machines have converged."""
    said = np.empty(len(labels), dtype=np.int64)
    converged = True
    for fold in range(_FOLDS):
        test = folds == fold
        machines = one_vs_rest(vectors[~test], labels[~test], tolerance=LIBLINEAR_TOLERANCE / 100)
        converged &= bool(machines.converged.all())
        said[test] = machines.scores(vectors[test]).argmax(axis=1)
    return said, converged


def main() -> bool:
    groups = open_groups(locate("msrp-grouped").paths)
    vectors, labels = UniversalSentenceEncoder.open().encode(groups.texts), groups.labels
    folds = stratified_folds(labels, _FOLDS, seed=1)

    def ours() -> list[float]:
        right = predicted(vectors, labels, folds)[0] == labels
        return [float(right[folds == fold].mean()) for fold in range(_FOLDS)]

    svc, split = LinearSVC(class_weight="balanced"), PredefinedSplit(folds)
    seconds, svc_seconds = side_by_side(
        ours, lambda: cross_val_score(svc, vectors, labels, cv=split), repeats=3
    )
    said, converged = predicted(vectors, labels, folds)
    same = float(np.mean(said == cross_val_predict(svc, vectors, labels, cv=split)))
    return publish(
        "localization",
        [
            Row(
                job=f"{len(labels)} sentences, {labels.max() + 1} groups, {_FOLDS} folds",
                peer='cross_val_score(LinearSVC(class_weight="balanced"))',
                ours_seconds=seconds,
                peer_seconds=svc_seconds,
                target=4,
                memory=peak_of_both(),
                memory_met=converged and same >= _LEAST_SAME,
                note=f"the same group for {same:.2%} of sentences (at least {_LEAST_SAME:.1%}); "
                + ("all machines have converged" if converged else "NOT all have converged")
                + f"; accuracy {np.mean(ours()):.4f}",
            )
        ],
        [],
    )


if __name__ == "__main__":
    main()
