from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from sklearn.decomposition import PCA  # type: ignore[import-untyped]
from sklearn.feature_extraction.text import CountVectorizer  # type: ignore[import-untyped]
from sklearn.model_selection import (  # type: ignore[import-untyped]
    PredefinedSplit,
    cross_val_predict,
)
from sklearn.pipeline import make_pipeline  # type: ignore[import-untyped]
from sklearn.svm import LinearSVC  # type: ignore[import-untyped]

from lydite.corpora.paraphrases.groups import ParaphraseGroups
from lydite.evaluations.localization.classifiers import (
    PRICES,
    Classifiers,
    Features,
    Leading,
    Predictions,
    Setting,
    Solver,
    Validation,
    learning_curve,
    predict,
    stratified_folds,
)
from lydite.models.baselines import BagOfWords
from lydite.models.combination import Ensemble, Joining
from lydite.models.principal_components import PrincipalComponents
from lydite.progress import watched_by
from lydite.stats.seeds import child_seed
from lydite.types import Floats, Indices, Vectors

#: Twelve groups of three to five sentences.
LABELS = np.repeat(np.arange(12), [3, 4, 5] * 4)
TEXTS = tuple(str(i) for i in range(len(LABELS)))
SOLVERS: list[Solver] = ["newton", "liblinear"]


class Fixed:
    def __init__(self, vectors: Floats) -> None:
        self.vectors = vectors.astype(np.float32)

    def encode(self, texts: Sequence[str], /) -> Vectors:
        return self.vectors[[int(text) for text in texts]]


def drawn(dim: int = 8, noise: float = 1.0, seed: int = 0) -> Floats:
    generator = np.random.default_rng(seed)
    centres = generator.normal(size=(12, dim))
    return np.asarray(centres[LABELS] + noise * generator.normal(size=(len(LABELS), dim)))


def groups_of(texts: Sequence[str] = TEXTS, labels: Indices = LABELS) -> ParaphraseGroups:
    names = tuple(f"group {i}" for i in range(labels.max() + 1))
    return ParaphraseGroups(texts=tuple(texts), labels=labels, names=names, changes={})


def plan(
    solver: Solver = "newton", *, folds: int = 3, repeats: int = 1, C: float | None = 1.0
) -> Validation:
    setting = Setting(C=C, weights="balanced", solver=solver, scale="rms" if C is None else "none")
    return Validation(folds=folds, repeats=repeats, setting=setting)


def predicted(
    model: object, how: Validation, groups: ParaphraseGroups | None = None
) -> Predictions:
    groups = groups or groups_of()
    classifiers = Classifiers(model, Features(model, groups.texts), groups.labels)
    return predict(classifiers, how)


def dealt(labels: Indices, repeat: int = 0, folds: int = 3) -> Indices:
    return stratified_folds(labels, folds, child_seed(0, "folds", str(repeat)))


def their_machine() -> LinearSVC:
    return LinearSVC(class_weight="balanced", tol=1e-8, max_iter=100_000, dual=False)


@pytest.mark.parametrize("solver", SOLVERS)
def test_it_is_scikit_learns_cross_validation(solver: Solver) -> None:
    vectors = drawn()
    found = predicted(Fixed(vectors), plan(solver, repeats=2))
    for repeat, ours in enumerate(found.by_classifier["svm"]):
        split = PredefinedSplit(dealt(LABELS, repeat))
        rows = vectors.astype(np.float32).astype(np.float64)
        theirs = cross_val_predict(their_machine(), rows, LABELS, cv=split)
        assert ours.tolist() == theirs.tolist()
    assert found.trained == 2 * 3 * 12
    assert found.notes == []


@pytest.mark.parametrize("solver", SOLVERS)
def test_principal_components_are_those_of_the_training_sentences(solver: Solver) -> None:
    # Some sentences are long and turn the axes towards themselves, but not those of the fold in
    # which they are tested.
    vectors = drawn(dim=20)
    vectors[::7] *= 8
    rows = vectors.astype(np.float32).astype(np.float64)
    split = PredefinedSplit(dealt(LABELS))
    clean = make_pipeline(PCA(3, svd_solver="full"), their_machine())
    theirs = cross_val_predict(clean, rows, LABELS, cv=split)
    leaking = PCA(3, svd_solver="full").fit_transform(rows)
    leaked = cross_val_predict(their_machine(), leaking, LABELS, cv=split)
    ours = predicted(PrincipalComponents.open(Fixed(vectors), dim=3), plan(solver)).by_classifier[
        "svm"
    ][0]
    assert ours.tolist() == theirs.tolist()
    assert ours.tolist() != leaked.tolist()


def test_a_bag_of_words_is_that_of_the_training_sentences() -> None:
    generator = np.random.default_rng(1)
    words = [f"w{i}" for i in range(40)]
    own = [generator.choice(words, 5, replace=False) for _ in range(12)]
    texts = [
        " ".join([*generator.permutation(own[label])[:3], *generator.choice(words, 3), f"only{i}"])
        for i, label in enumerate(LABELS)
    ]
    count = CountVectorizer(tokenizer=str.split, token_pattern=None)
    theirs = cross_val_predict(
        make_pipeline(count, their_machine()), texts, LABELS, cv=PredefinedSplit(dealt(LABELS))
    )
    ours = predicted(BagOfWords(), plan(), groups_of(texts)).by_classifier["svm"][0]
    assert ours.tolist() == theirs.tolist()
    assert 0.2 < (ours == LABELS).mean() < 0.95


def test_a_spy_is_fitted_to_training_sentences_alone() -> None:
    fitted: list[set[str]] = []

    class Spy(Fixed):
        def fitted_to(self, texts: Sequence[str], /) -> Spy:
            fitted.append(set(texts))
            return self

    model = Spy(drawn())
    how = plan(repeats=2)
    predicted(model, how)
    trained = [{TEXTS[i] for i in split.train} for split in how.splits(LABELS)]
    assert fitted == trained
    # Every sentence is left out once a repeat.
    assert [sum(text not in texts for texts in fitted) for text in TEXTS] == [2] * len(TEXTS)


def test_neighbours_and_centroids_by_hand() -> None:
    # Three sentences a group, one a fold. Group 0 along x; group 1 along y, but its last sentence
    # lies along x, where the two others of its group are not: it is taken for 0 by all. For group
    # 0 the odd one is then a neighbour at the same angle, which loses to the lower number.
    vectors = np.array([[1, 0], [2, 0], [3, 0], [0, 1], [0, 2], [1, 0]], dtype=np.float64)
    labels = np.array([0, 0, 0, 1, 1, 1])
    found = predicted(Fixed(vectors), plan(), groups_of(TEXTS[:6], labels))
    for name in ("centroid", "neighbour"):
        assert found.by_classifier[name].tolist() == [[0, 0, 0, 1, 1, 0]]


def test_zero_vectors_are_unanswered_without_a_classifier() -> None:
    vectors = drawn()
    vectors[[0, 9]] = 0
    found = predicted(Fixed(vectors), plan(repeats=2)).by_classifier
    for name in ("centroid", "neighbour"):
        assert np.flatnonzero((found[name] < 0).all(axis=0)).tolist() == [0, 9]
        assert (found[name] < 0).sum() == 4
    # A machine has an intercept for them.
    assert (found["svm"] >= 0).all()


def test_every_fold_tests_what_it_does_not_train_on() -> None:
    how = plan(folds=2, repeats=3)
    splits = list(how.splits(LABELS))
    assert [split.repeat for split in splits] == [0, 0, 1, 1, 2, 2]
    assert len({split.seed for split in splits}) == 6
    for split in splits:
        assert sorted([*split.train, *split.test]) == list(range(len(LABELS)))
        assert set(LABELS[split.train]) == set(range(12))
    for repeat in range(3):
        tested = [i for split in splits if split.repeat == repeat for i in split.test]
        assert sorted(tested) == list(range(len(LABELS)))
    assert splits[0].test.tolist() != splits[2].test.tolist()


def test_all_models_have_the_same_folds_and_repeats_do_not_depend_on_their_number() -> None:
    few, many = plan(repeats=1), plan(repeats=3)
    one = [split.test.tolist() for split in few.splits(LABELS)]
    assert one == [split.test.tolist() for split in many.splits(LABELS)][:3]
    vectors = drawn(noise=1.5)
    a = predicted(Fixed(vectors), few).by_classifier["svm"]
    b = predicted(Fixed(vectors), many).by_classifier["svm"]
    assert a.tolist() == b[:1].tolist()


def test_the_same_call_gives_the_same_predictions() -> None:
    model = Fixed(drawn(noise=1.5))
    one, again = (predicted(model, plan(C=None)).by_classifier for _ in range(2))
    assert all(one[name].tolist() == again[name].tolist() for name in one)


@pytest.mark.parametrize("by", ["vote", "scores", "stacked"])
def test_an_ensemble_asks_a_machine_of_each_member(by: Joining) -> None:
    members = [Fixed(drawn(noise=0.7, seed=0)), Fixed(drawn(noise=0.7, seed=1))]
    alone = [predicted(each, plan()).by_classifier["svm"][0] for each in members]
    found = predicted(Ensemble.open(*members, by=by), plan())
    assert found.trained == 2 * 3 * 12
    svm = found.by_classifier["svm"][0]
    agreed = alone[0] == alone[1]
    assert 0.3 < agreed.mean() < 1
    if by == "vote":
        assert svm[agreed].tolist() == alone[0][agreed].tolist()
        assert all(said in pair for said, *pair in zip(svm, *alone, strict=True))
    assert (svm == LABELS).mean() >= max((each == LABELS).mean() for each in alone)


def test_a_concatenation_is_one_machine_of_the_joined_vectors() -> None:
    members = [Fixed(drawn(seed=0)), Fixed(drawn(seed=1))]
    joined = Ensemble.open(*members, by="concatenation")
    found = predicted(joined, plan())
    assert found.trained == 3 * 12
    same = predicted(Fixed(joined.encode(TEXTS).astype(np.float64)), plan())
    for name, said in found.by_classifier.items():
        assert said.tolist() == same.by_classifier[name].tolist()


def test_machines_that_are_not_solved_are_told_of() -> None:
    # Long rows, each in four groups.
    labels = np.tile(np.arange(4), 6)
    rows = np.random.default_rng(0).normal(size=(6, 40)).repeat(4, axis=0) * 100
    groups = groups_of(TEXTS[:24], labels)
    found = predicted(Fixed(rows), plan("liblinear"), groups)
    assert (found.trained, found.unconverged) == (12, 12)
    both = predicted(Ensemble.open(Fixed(rows), Fixed(rows / 100)), plan("liblinear"), groups)
    assert both.trained == 24
    assert both.unconverged >= 12
    assert "12 of 12 classifiers did not converge" in found.notes[0]


def test_progress_is_told() -> None:
    told: list[tuple[int, int | None]] = []

    def watch(what: str, done: int, total: int | None) -> None:
        if what == "folds":
            told.append((done, total))

    with watched_by(watch):
        predicted(Fixed(drawn()), plan(repeats=2))
    assert told == [(done, 6) for done in range(7)]


def classifiers(vectors: Floats, labels: Indices = LABELS) -> Classifiers:
    model = Fixed(vectors)
    return Classifiers(model, Features(model, TEXTS[: len(labels)]), labels)


def test_the_price_of_every_fold_is_told() -> None:
    found = predict(classifiers(drawn()), plan(repeats=2, C=None))
    assert len(found.C) == 6
    assert {C for each in found.C for C in each} <= set(PRICES)
    assert predict(classifiers(drawn()), plan()).C == ((1.0,),) * 3
    # Each member of an ensemble chooses for itself, and is no other for its company.
    members = [Fixed(drawn(seed=0)), Fixed(drawn(seed=1))]
    both = predicted(Ensemble.open(*members), plan(C=None))
    alone = [predicted(each, plan(C=None)).C for each in members]
    for pair, one, other in zip(both.C, *alone, strict=True):
        assert pair == (*one, *other)


def test_fewer_examples_are_nested_and_leave_no_group_out() -> None:
    split = next(plan().splits(LABELS))
    one, two, four = (split.of_at_most(most, LABELS) for most in (1, 2, 4))
    assert LABELS[one.train].tolist() == list(range(12))
    assert np.bincount(LABELS[two.train]).tolist() == [2] * 12
    assert set(one.train) < set(two.train) < set(four.train)
    # Five sentences leave three or four to learn from, three leave two.
    assert four.train.tolist() == split.train.tolist()
    assert two.test.tolist() == split.test.tolist()


@pytest.mark.parametrize("by", ["svm", "centroid", "neighbour"])
def test_a_learning_curve_by_other_means(by: Leading) -> None:
    how = plan(repeats=2)
    found = learning_curve(classifiers(drawn()), how, by=by)
    # Groups of five leave four sentences at most: one and two are fewer.
    assert list(found) == [1, 2]
    for most, said in found.items():
        for split in how.splits(LABELS):
            fewer = split.of_at_most(most, LABELS)
            answers = classifiers(drawn()).answer(fewer, how.setting, [by]).predicted
            assert list(answers) == [by]
            assert said[split.repeat, split.test].tolist() == answers[by].tolist()


def test_one_example_per_group_is_the_nearest_neighbour_of_all() -> None:
    # With one training sentence per group, the centroid of a group is that sentence.
    vectors = drawn()
    one, other = (
        learning_curve(classifiers(vectors), plan(), by=by)[1] for by in ("centroid", "neighbour")
    )
    assert one.tolist() == other.tolist()


def test_more_examples_help() -> None:
    labels = np.repeat(np.arange(10), 30)
    generator = np.random.default_rng(0)
    vectors = generator.normal(size=(10, 12))[labels] + 1.5 * generator.normal(size=(300, 12))
    model = Fixed(vectors)
    features = Features(model, tuple(map(str, range(300))))
    curve = learning_curve(Classifiers(model, features, labels), plan(C=None), by="svm")
    right = [(said == labels).mean() for said in curve.values()]
    assert list(curve) == [1, 2, 4, 8, 16]
    assert right[0] + 0.1 < right[2] < right[4]
