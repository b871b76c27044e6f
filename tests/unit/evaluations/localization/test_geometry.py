from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from sklearn.metrics.pairwise import cosine_similarity  # type: ignore[import-untyped]
from sklearn.neighbors import (  # type: ignore[import-untyped]
    KNeighborsClassifier,
    NearestCentroid,
)

from lydite.errors import InputError, UndefinedScoreError
from lydite.evaluations.localization import classifiers as geometry
from lydite.evaluations.localization.classifiers import (
    UNANSWERED,
    alignment,
    nearest_centroid,
    nearest_neighbour,
    uniformity,
)
from lydite.types import Floats, Indices, Vectors

Classifier = Callable[[Vectors, Indices, Vectors], Indices]


@pytest.fixture(params=[1024, 7], ids=["one block", "many blocks"], autouse=True)
def blocks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(geometry, "_ROWS", request.param)


def drawn(n: int = 60, dim: int = 5, groups: int = 9, seed: int = 0) -> tuple[Vectors, Indices]:
    generator = np.random.default_rng(seed)
    labels = generator.integers(groups, size=n)
    centres = generator.normal(size=(groups, dim))
    vectors = centres[labels] + 0.7 * generator.normal(size=(n, dim))
    return vectors.astype(np.float32), labels


def units(vectors: Vectors) -> Floats:
    wide = vectors.astype(np.float64)
    return np.asarray(wide / np.linalg.norm(wide, axis=1, keepdims=True))


def test_alignment_by_hand() -> None:
    # Group 0: (1, 0), (0, 1), (-1, 0) with squared distances 2, 2, 4; group 1: one pair at 0.
    vectors = np.array([[1, 0], [0, 5], [-2, 0], [1, 1], [3, 3]], dtype=np.float32)
    assert alignment(vectors, np.array([0, 0, 0, 1, 1])) == pytest.approx(8 / 4)


def test_uniformity_by_hand() -> None:
    # Squared distances 2, 2 and 4.
    vectors = np.array([[1, 0], [0, 5], [-2, 0]], dtype=np.float32)
    expected = np.log((2 * np.exp(-2) + np.exp(-4)) / 3)
    assert uniformity(vectors, t=1.0) == pytest.approx(expected, rel=1e-12)


def test_distances_are_those_of_all_pairs() -> None:
    vectors, labels = drawn()
    rows = units(vectors)
    squares = {(i, j): ((rows[i] - rows[j]) ** 2).sum() for i, j in combinations(range(60), 2)}
    same = [square for (i, j), square in squares.items() if labels[i] == labels[j]]
    assert alignment(vectors, labels) == pytest.approx(np.mean(same), rel=1e-10)
    every = np.exp(-2 * np.array(list(squares.values())))
    assert uniformity(vectors) == pytest.approx(np.log(every.mean()), rel=1e-10)


def test_tight_groups_are_told_from_points() -> None:
    turned = np.array([[1, 0], [1, 1e-6]], dtype=np.float32)
    assert alignment(turned, np.array([0, 0])) == pytest.approx(1e-12, rel=1e-6)
    assert alignment(turned[[0, 0]], np.array([0, 0])) == 0


def test_copies_in_one_place_have_the_uniformity_0() -> None:
    vectors = np.repeat(np.array([[0.1, 0.2, 0.7]], dtype=np.float32), 20, axis=0)
    assert uniformity(vectors * np.arange(1, 21, dtype=np.float32)[:, None]) == pytest.approx(0)


def test_distances_leave_zero_vectors_out() -> None:
    vectors, labels = drawn()
    padded, marked = (
        np.concatenate([vectors, np.zeros((3, 5), np.float32)]),
        np.append(labels, [0, 1, 99]),
    )
    assert alignment(padded, marked) == alignment(vectors, labels)
    assert uniformity(padded) == uniformity(vectors)


@pytest.mark.parametrize("rows", [[], [[1, 0]], [[1, 0], [0, 0]]])
def test_distances_need_two_vectors(rows: list[list[float]]) -> None:
    vectors = np.array(rows, dtype=np.float32).reshape(-1, 2)
    with pytest.raises(UndefinedScoreError, match="pairs of sentences"):
        uniformity(vectors)
    with pytest.raises(UndefinedScoreError, match="no two of one"):
        alignment(vectors, np.zeros(len(rows), dtype=np.int64))


def test_centroids_by_hand() -> None:
    # Group 3 is the mean of (1, 0) and (0, 1), however long: the diagonal. Group 8 is (0, 1).
    train = np.array([[100, 0], [0, 1], [0, 2]], dtype=np.float32)
    test = np.array([[2, 1], [1, 9], [-1, 9], [0, 0]], dtype=np.float32)
    assert nearest_centroid(train, np.array([3, 3, 8]), test).tolist() == [3, 8, 8, UNANSWERED]


def test_centroids_are_those_of_scikit_learn() -> None:
    (train, labels), (test, _) = drawn(), drawn(seed=1)
    theirs = NearestCentroid().fit(units(train), labels)
    best = cosine_similarity(units(test), theirs.centroids_).argmax(axis=1)
    expected = theirs.classes_[best]
    assert nearest_centroid(train, labels, test).tolist() == expected.tolist()
    # By the distance to the means, which is scikit-learn's own rule, short means are penalised.
    assert (theirs.predict(units(test)) == expected).mean() > 0.7


def test_neighbours_are_those_of_scikit_learn() -> None:
    (train, labels), (test, _) = drawn(), drawn(seed=1)
    theirs = KNeighborsClassifier(1, metric="cosine", algorithm="brute").fit(train, labels)
    assert nearest_neighbour(train, labels, test).tolist() == theirs.predict(test).tolist()


@pytest.mark.parametrize("classify", [nearest_centroid, nearest_neighbour])
def test_of_equally_near_groups_the_lowest_is_taken(classify: Classifier) -> None:
    # Copies and multiples of one vector, which rounding would tell apart.
    one = np.array([0.1, 0.7, 0.3], dtype=np.float32)
    train = np.stack([one * 8, one, one * 0.25, -one, one * 2])
    for labels in ([5, 2, 9, 0, 7], [9, 7, 5, 0, 2], [2, 5, 7, 1, 9]):
        assert classify(train, np.array(labels), np.stack([one * 4, one])).tolist() == [2, 2]


def test_centroids_of_the_same_vectors_tie_whatever_the_order_of_summation() -> None:
    generator = np.random.default_rng(11)
    one = generator.normal(size=(40, 7)).astype(np.float32)
    train = np.concatenate([one, one[generator.permutation(40)]])
    test = generator.normal(size=(30, 7)).astype(np.float32)
    for labels in ([4, 6], [6, 4]):
        assert nearest_centroid(train, np.repeat(labels, 40), test).tolist() == [4] * 30


@pytest.mark.parametrize("classify", [nearest_centroid, nearest_neighbour])
def test_neither_turning_nor_scaling_nor_order_changes_a_prediction(classify: Classifier) -> None:
    generator = np.random.default_rng(7)
    (train, labels), (test, _) = drawn(), drawn(seed=1)
    expected = classify(train, labels, test).tolist()
    turn, _ = np.linalg.qr(generator.normal(size=(5, 5)))
    rotation = turn.astype(np.float32)
    assert classify(train @ rotation, labels, test @ rotation).tolist() == expected
    sizes = 2.0 ** generator.integers(-60, 60, size=(60, 1)).astype(np.float32)
    assert classify(train * sizes, labels, test * sizes[::-1]).tolist() == expected
    order = generator.permutation(60)
    assert classify(train[order], labels[order], test).tolist() == expected
    assert classify(train, labels, test[order]).tolist() == [expected[i] for i in order]
    assert classify(train, labels * 3 + 1, test).tolist() == [3 * e + 1 for e in expected]


def test_distances_do_not_change_with_turning_scaling_and_order() -> None:
    vectors, labels = drawn()
    order = np.random.default_rng(1).permutation(60)
    turn, _ = np.linalg.qr(np.random.default_rng(2).normal(size=(5, 5)))
    changed = (vectors @ turn)[order].astype(np.float32) * np.float32(64)
    assert alignment(changed, labels[order]) == pytest.approx(alignment(vectors, labels), rel=1e-5)
    assert uniformity(changed) == pytest.approx(uniformity(vectors), rel=1e-5)


def test_nothing_is_nearest_to_a_zero_vector_nor_near_it() -> None:
    vectors = np.array([[0, 0], [1, 0], [0, 1], [1, 0.1]], dtype=np.float32)
    labels = np.array([0, 1, 2, 1])
    for classify in (nearest_centroid, nearest_neighbour):
        # Group 0 has no direction at all; (-1, -1) is at right angles or beyond to the rest.
        test = np.array([[0, 0], [-1, -2]], dtype=np.float32)
        assert classify(vectors, labels, test).tolist() == [UNANSWERED, 1]


def test_a_group_whose_directions_cancel_is_near_to_nothing() -> None:
    angles = np.arange(3) * 2 * np.pi / 3
    triangle = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    train = np.concatenate([triangle, [[-1, 0]]]).astype(np.float64)
    labels = np.array([0, 0, 0, 1])
    assert nearest_centroid(train, labels, np.array([[1.0, 0.0]])).tolist() == [1]  # type: ignore[arg-type]
    assert nearest_centroid(train[:3], labels[:3], train[:2]).tolist() == [UNANSWERED] * 2  # type: ignore[arg-type]


def test_without_others_there_is_no_answer() -> None:
    one, label = np.array([[1, 2]], dtype=np.float32), np.array([0])
    for classify in (nearest_centroid, nearest_neighbour):
        assert classify(np.zeros_like(one), label, one).tolist() == [UNANSWERED]
        assert classify(one, label, one[:0]).tolist() == []


def test_tiny_and_huge_vectors_have_directions() -> None:
    train = np.array([[1e-37, 0], [0, 3e38]], dtype=np.float32)
    test = np.array([[3e38, 1e38], [0, 1e-37]], dtype=np.float32)
    for classify in (nearest_centroid, nearest_neighbour):
        assert classify(train, np.array([0, 1]), test).tolist() == [0, 1]


@pytest.mark.parametrize("classify", [nearest_centroid, nearest_neighbour])
def test_wrong_input_is_refused(classify: Classifier) -> None:
    vectors, labels = drawn(n=4)
    with pytest.raises(InputError, match="5 dimensions"):
        classify(vectors, labels, vectors[:, :3])
    with pytest.raises(InputError, match="one group for each of 4"):
        classify(vectors, labels[:3], vectors)
    with pytest.raises(InputError, match="numbered from 0, got -1"):
        classify(vectors, labels * 0 - 1, vectors)
    for broken in (np.nan, np.inf):
        wrong = vectors.copy()
        wrong[2, 1] = broken
        with pytest.raises(InputError, match="row 2"):
            classify(wrong, labels, vectors)
        with pytest.raises(InputError, match="row 2"):
            classify(vectors, labels, wrong)
    with pytest.raises(InputError, match=r"\(n, d\)"):
        classify(vectors[0], labels[:1], vectors)


@pytest.mark.parametrize("t", [0, -1, np.nan, np.inf])
def test_uniformity_needs_a_positive_scale(t: float) -> None:
    with pytest.raises(InputError, match="above 0"):
        uniformity(drawn()[0], t=t)
