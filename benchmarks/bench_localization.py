"""Three-fold classification of MSRP's groups by sentence vectors, beside scikit-learn's LinearSVC.

Both start from the vectors of 859 sentences (512 numbers each) and the same folds, train one linear
machine a group (274), and give the accuracy on each fold. LinearSVC has its usual tolerance; ours
must have converged by LIBLINEAR's criterion at a hundredth of it, and say the same of nearly all
sentences.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.measure import Job, Peer
from lydite.corpora.paraphrases.load import open_groups
from lydite.evaluations.localization.classifiers import stratified_folds
from lydite.models.universal_sentence_encoder import UniversalSentenceEncoder
from lydite.resources.catalogue import locate
from lydite.stats.linear_svm import LIBLINEAR_TOLERANCE, one_vs_rest
from lydite.types import Indices, Vectors

CAVEATS = ["both start from the vectors of sentences and from the same folds"]

_FOLDS = 3
_LEAST_SAME = 0.995


@dataclass(frozen=True, kw_only=True)
class Size:
    """The groups of paraphrases."""

    groups: str = "msrp-grouped"


FULL = Size()
SMALL = Size(groups="starter-groups")


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


def jobs(size: Size, _folder: Path) -> Iterator[Job]:
    groups = open_groups(locate(size.groups).paths)
    vectors, labels = UniversalSentenceEncoder.open().encode(groups.texts), groups.labels
    folds = stratified_folds(labels, _FOLDS, seed=1)

    def svc() -> Indices:
        from sklearn.model_selection import (  # type: ignore[import-untyped]
            PredefinedSplit,
            cross_val_predict,
        )
        from sklearn.svm import LinearSVC  # type: ignore[import-untyped]

        machine, split = LinearSVC(class_weight="balanced"), PredefinedSplit(folds)
        said: Indices = cross_val_predict(machine, vectors, labels, cv=split)
        return said

    yield Job(
        name="classification of groups",
        amount=f"{len(labels)} sentences, {labels.max() + 1} groups, {_FOLDS} folds",
        ours=lambda: predicted(vectors, labels, folds),
        peers=[
            Peer(name='cross_val_predict(LinearSVC(class_weight="balanced"))', run=svc, target=4)
        ],
        agree=lambda ours, peers: _same(labels, ours, peers),
    )


def _same(labels: Indices, ours: tuple[Indices, bool], peers: Sequence[Indices]) -> str:
    said, converged = ours
    same = float(np.mean(said == peers[0]))
    assert converged, "not all machines have converged"
    assert same >= _LEAST_SAME, f"the same group for {same:.2%} of sentences"
    return f"the same group for {same:.2%} of sentences; accuracy {np.mean(said == labels):.4f}"
