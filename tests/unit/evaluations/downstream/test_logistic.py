from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq
from sklearn.linear_model import LogisticRegression as Theirs  # type: ignore[import-untyped]

from lydite.evaluations.downstream.logistic import LogisticRegression
from lydite.types import Floats, Indices


def drawn(n: int, classes: int = 2, width: int = 6, seed: int = 1) -> tuple[Floats, Indices]:
    generator = np.random.default_rng(seed)
    rows = generator.standard_normal((n, width))
    noise = generator.standard_normal((n, classes))
    return rows, (rows[:, :classes] + noise).argmax(axis=1)


def decided(rows: Floats, labels: Indices, C: float, before: tuple[float, ...] = ()) -> Floats:
    """Return what of the first axis, the others at 0, is taken for class 1."""
    fits = LogisticRegression(rows, labels)
    for other in before:
        fits.predict(rows, C=other)
    asked = np.zeros((4001, rows.shape[1]))
    asked[:, 0] = np.linspace(-2, 2, 4001)
    found, reached = fits.predict(asked, C=C)
    assert reached
    return np.asarray(asked[:, 0][found == 1])


def weights(rows: Floats, labels: Indices, C: float, before: tuple[float, ...] = ()) -> Floats:
    """Return the weights of two classes and their intercept, for rows as they were given."""
    fits = LogisticRegression(rows, labels)
    for other in before:
        fits.predict(rows, C=other)
    assert fits.predict(rows, C=C)[1]
    return np.append(fits._machine.coef_[0] / fits._length, fits._machine.intercept_)


def test_two_points_by_hand() -> None:
    # Of -1 and 1 the intercept is 0, and w solves w = 2 C / (1 + exp(w)).
    found = weights(np.array([[-1.0], [1.0]]), np.array([0, 1]), C=3.0)
    expected = brentq(lambda w: w - 6 / (1 + np.exp(w)), 0, 6, xtol=1e-14)
    assert found == pytest.approx([expected, 0], abs=1e-6)
    # The middle of two points divides, however strong the regularization is.
    for C in (0.01, 3.0, 1000.0):
        assert decided(np.array([[0.0], [1.0]]), np.array([0, 1]), C).min() == pytest.approx(
            0.5, abs=1e-3
        )


@pytest.mark.parametrize("C", [0.01, 1.0, 1000.0])
def test_weights_and_classes_are_those_of_another_solver(C: float) -> None:
    rows, labels = drawn(80)
    asked, _ = drawn(2000, seed=2)
    machine = Theirs(C=C, tol=1e-10, max_iter=10_000).fit(rows, labels)
    ours = weights(rows, labels, C)
    np.testing.assert_allclose(ours[:-1], machine.coef_[0], rtol=1e-4, atol=1e-6)
    assert ours[-1] == pytest.approx(machine.intercept_[0], abs=1e-4)
    found, _ = LogisticRegression(rows, labels).predict(asked, C=C)
    assert found.tolist() == machine.predict(asked).tolist()


def test_where_it_starts_does_not_matter() -> None:
    rows, labels = drawn(80)
    alone = weights(rows, labels, 10.0)
    after_others = weights(rows, labels, 10.0, before=(0.01, 1.0, 100.0))
    np.testing.assert_allclose(after_others, alone, atol=1e-5)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("length", [1e-30, 1e-4, 1e30])
def test_the_length_of_vectors_is_undone_by_the_strength(classes: int, length: float) -> None:
    # A solver that stops at a given slope would leave short vectors at w = 0.
    rows, labels = drawn(60, classes)
    asked, _ = drawn(200, classes, seed=2)
    plain, _ = LogisticRegression(rows, labels).predict(asked, C=2.0)
    other, reached = LogisticRegression(length * rows, labels).predict(
        length * asked, C=2.0 / length**2
    )
    assert reached
    assert other.tolist() == plain.tolist()


@pytest.mark.parametrize("C", [1.0, 1e6, 1e60])
def test_classes_that_a_plane_divides(C: float) -> None:
    rows, _ = drawn(100)
    labels = (rows[:, 0] > 0).astype(np.int64)
    found, _ = LogisticRegression(rows, labels).predict(rows, C=C)
    assert (found == labels).mean() > 0.95


@pytest.mark.parametrize("rows", [np.zeros((10, 3)), np.ones((10, 3))])
def test_rows_that_are_all_the_same_are_of_the_larger_class(rows: Floats) -> None:
    labels = np.array([0] * 4 + [1] * 6)
    fits = LogisticRegression(rows, labels)
    for C in (0.01, 1.0, 10.0, 1000.0):
        found, reached = fits.predict(rows[:2], C=C)
        assert (found.tolist(), reached) == ([1, 1], True)


def test_fewer_texts_than_dimensions_of_low_rank() -> None:
    rows, labels = drawn(12, width=40)
    twice = np.concatenate([rows, rows, rows])
    found, reached = LogisticRegression(twice, np.tile(labels, 3)).predict(rows, C=1.0)
    assert reached
    assert found.tolist() == labels.tolist()


def test_wide_vectors_are_classified_alike(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows, labels = drawn(60)
    asked, _ = drawn(100, seed=2)
    plain, _ = LogisticRegression(rows, labels).predict(asked, C=1.0)
    monkeypatch.setattr("lydite.evaluations.downstream.logistic._WIDEST", 5)
    wide, reached = LogisticRegression(rows, labels).predict(asked, C=1.0)
    assert reached
    assert wide.tolist() == plain.tolist()


def test_a_fit_that_is_cut_short_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lydite.evaluations.downstream.logistic.MOST_STEPS", 1)
    monkeypatch.setattr("lydite.evaluations.downstream.logistic._MOST_CHEAP_STEPS", 1)
    for classes in (2, 3):
        rows, labels = drawn(60, classes)
        _, reached = LogisticRegression(rows, labels).predict(rows, C=100.0)
        assert not reached
