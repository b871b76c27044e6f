from __future__ import annotations

import numpy as np
import pytest
from sklearn.svm import LinearSVC  # type: ignore[import-untyped]

from lydite.evaluations.localization.classifiers import (
    PRICES,
    Decisions,
    Setting,
    Solver,
    Weights,
    _compact,
    chosen_price,
    classify,
    scaled,
    stratified_folds,
)
from lydite.types import Floats, Indices, Vectors

SOLVERS: list[Solver] = ["newton", "liblinear"]


def setting(solver: Solver = "newton", weights: Weights = "balanced", C: float = 1.0) -> Setting:
    return Setting(C=C, weights=weights, solver=solver, scale="none")


def rows(*given: tuple[float, ...]) -> Vectors:
    return np.array(given, dtype=np.float32)


def drawn(n: int = 60, dim: int = 6, seed: int = 0) -> tuple[Vectors, Indices]:
    generator = np.random.default_rng(seed)
    labels = np.concatenate([np.arange(5), generator.choice(5, n - 5, p=[0.5, 0.2, 0.1, 0.1, 0.1])])
    vectors = generator.normal(size=(5, dim))[labels] + generator.normal(size=(n, dim))
    return vectors.astype(np.float32), labels


@pytest.mark.parametrize("solver", SOLVERS)
def test_three_groups_in_three_directions(solver: Solver) -> None:
    # Each group by itself is on one side of a line through the middle; the last lies nearest to 1.
    known = rows((2, 0), (3, 0), (-1, 2), (-1.5, 3), (-1, -2), (-1.5, -3))
    asked = rows((4, 0.1), (-2, 5), (-2, -5), (0.1, 1))
    decided = classify(known, np.array([0, 0, 1, 1, 2, 2]), asked, setting(solver), seed=0)
    assert decided.predicted.tolist() == [0, 1, 2, 1]
    assert decided.scores.shape == (4, 3)
    assert (decided.trained, decided.unconverged) == (3, 0)


@pytest.mark.parametrize("solver", SOLVERS)
def test_one_line_by_hand(solver: Solver) -> None:
    # Rows x = -1 and 1, C = 1: the machine of the second group has no intercept by symmetry, and
    # w²/2 + 2 (1 - w)² is least at w - 4 (1 - w) = 0, w = 0.8. So 2 has the score 1.6.
    decided = classify(
        rows((-1,), (1,)), np.array([0, 1]), rows((2,), (-0.5,)), setting(solver), seed=0
    )
    np.testing.assert_allclose(decided.scores, [[-1.6, 1.6], [0.4, -0.4]], atol=1e-3)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("weights", ["balanced", "none"])
@pytest.mark.parametrize("C", [0.1, 1.0, 10.0])
def test_it_is_scikit_learns(solver: Solver, weights: Weights, C: float) -> None:
    vectors, labels = drawn()
    theirs = LinearSVC(
        C=C,
        class_weight="balanced" if weights == "balanced" else None,
        tol=1e-9,
        max_iter=100_000,
        dual=False,
    ).fit(vectors[:45], labels[:45])
    decided = classify(vectors[:45], labels[:45], vectors[45:], setting(solver, weights, C), seed=0)
    np.testing.assert_allclose(
        decided.scores,
        theirs.decision_function(vectors[45:]),
        atol=1e-4 if solver == "newton" else 0.02,
    )
    assert decided.predicted.tolist() == theirs.predict(vectors[45:]).tolist()


def test_weights_and_scales_make_a_difference() -> None:
    vectors, labels = drawn()
    split = vectors[:45], labels[:45], vectors[45:]
    usual = classify(*split, setting(), seed=0).scores
    assert not np.allclose(
        usual, classify(*split, setting(weights="none"), seed=0).scores, atol=1e-3
    )
    for scale in ("unit", "standard"):
        other = Setting(C=1.0, weights="balanced", solver="newton", scale=scale)
        assert not np.allclose(usual, classify(*split, other, seed=0).scores, atol=1e-3)


@pytest.mark.parametrize("solver", SOLVERS)
def test_sparse_rows_give_the_same_as_dense_ones(solver: Solver) -> None:
    from scipy.sparse import issparse

    generator = np.random.default_rng(2)
    counts = (generator.random((30, 80)) < 0.05).astype(np.float32)
    labels = np.arange(30) % 4
    assert issparse(_compact(counts.astype(np.float64)))
    sparse = classify(counts[:20], labels[:20], counts[20:], setting(solver), seed=0).scores
    theirs = LinearSVC(class_weight="balanced", tol=1e-9, max_iter=100_000, dual=False)
    theirs.fit(counts[:20], labels[:20])
    np.testing.assert_allclose(sparse, theirs.decision_function(counts[20:]), atol=0.01)


def test_rows_are_sparse_where_under_a_tenth_is_filled() -> None:
    from scipy.sparse import issparse

    vectors: Floats = np.zeros((10, 10))
    vectors[:9, 0] = 1
    assert issparse(_compact(vectors))
    vectors[9, 0] = 1
    assert _compact(vectors) is vectors


def test_a_zero_vector_is_scored_by_the_intercepts_alone() -> None:
    vectors, labels = drawn()
    theirs = LinearSVC(class_weight="balanced", tol=1e-9, max_iter=100_000, dual=False)
    theirs.fit(vectors, labels)
    decided = classify(vectors, labels, np.zeros((1, 6), dtype=np.float32), setting(), seed=0)
    np.testing.assert_allclose(decided.scores[0], theirs.intercept_, atol=1e-4)


@pytest.mark.parametrize("solver", SOLVERS)
def test_zero_vectors_alone_tell_nothing_apart(solver: Solver) -> None:
    zeros = np.zeros((6, 3), dtype=np.float32)
    decided = classify(zeros, np.array([0, 0, 1, 1, 2, 2]), zeros[:2], setting(solver), seed=0)
    assert np.isfinite(decided.scores).all()
    np.testing.assert_allclose(
        decided.scores, decided.scores[:1, :1].repeat(3, 1).repeat(2, 0), atol=1e-9
    )


def test_copies_in_two_groups_are_a_tie_that_the_first_wins() -> None:
    known = rows((1, 0), (1, 0), (0, 1))
    decided = classify(known, np.array([0, 1, 2]), rows((1, 0)), setting(), seed=0)
    assert decided.scores[0, 0] == pytest.approx(decided.scores[0, 1], abs=1e-9)
    tied = Decisions(
        scores=np.array([[1.0, 3.0, 3.0], [2.0, 2.0 + 1e-14, 0.0]]),
        trained=3,
        unconverged=0,
        C=(1.0,),
    )
    assert tied.predicted.tolist() == [1, 0]


def test_what_does_not_converge_is_counted() -> None:
    # Long rows, each in all four groups: the dual takes a step a row and does not come to an end.
    vectors = np.random.default_rng(0).normal(size=(6, 40)).astype(np.float32).repeat(4, axis=0)
    split = vectors * 100, np.arange(24) % 4, vectors
    decided = classify(*split, setting("liblinear"), seed=0)
    assert (decided.trained, decided.unconverged) == (4, 4)
    assert classify(*split, setting("newton"), seed=0).unconverged == 0


def chosen(solver: Solver = "newton") -> Setting:
    return Setting(C=None, weights="balanced", solver=solver, scale="rms")


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("seed", range(5))
def test_the_price_is_that_of_a_search_by_scikit_learn(solver: Solver, seed: int) -> None:
    vectors, labels = drawn(n=90, seed=seed)
    train, _ = scaled(vectors, vectors, "rms")
    folds = stratified_folds(labels, 2, 7)
    rights = []
    for C in PRICES:
        machine = LinearSVC(C=C, class_weight="balanced", tol=1e-8, max_iter=100_000, dual=False)
        right = [
            machine.fit(train[folds != fold], labels[folds != fold]).predict(train[folds == fold])
            == labels[folds == fold]
            for fold in (0, 1)
        ]
        rights.append(np.concatenate(right).sum())
    expected = PRICES[int(np.argmax(rights))]
    assert chosen_price(train, labels, chosen(solver), seed=7) == expected
    decided = classify(vectors, labels, vectors[:5], chosen(solver), seed=7)
    assert decided.C[0] == expected
    fixed = Setting(C=expected, weights="balanced", solver=solver, scale="rms")
    given = classify(vectors, labels, vectors[:5], fixed, seed=0).scores
    np.testing.assert_allclose(decided.scores, given)


def test_the_only_sentence_of_a_group_is_never_held_out() -> None:
    # Group 2 has one sentence, which lies where group 0 does. Asked about, it would count against
    # every price; it is not, and both others are always right.
    known = np.array([[1, 0], [1, 0.1], [0, 1], [0.1, 1], [1, 0.05]])
    assert chosen_price(known, np.array([0, 0, 1, 1, 2]), chosen(), seed=0) in PRICES
    # With one sentence in every group there is nothing to choose by.
    assert chosen_price(known[[0, 2]], np.array([0, 1]), chosen(), seed=0) == 1


def test_typical_lengths_by_hand() -> None:
    known = rows((3, 4), (0, 0), (0, 1), (2, 2))
    # (25 + 1 + 8) / 3, the zero vector left out.
    length = np.sqrt(34 / 3)
    train, test = scaled(known, rows((5, 0)), "rms")
    np.testing.assert_allclose(train, known / length)
    np.testing.assert_allclose(test, [[5 / length, 0]])
    assert not scaled(rows((0, 0)), rows((0, 0)), "rms")[0].any()
    # Neither squares that vanish nor such that overflow.
    for factor in (1e-200, 1e200):
        again, _ = scaled(known.astype(np.float64) * factor, known, "rms")  # type: ignore[arg-type]
        np.testing.assert_allclose(again, train)
