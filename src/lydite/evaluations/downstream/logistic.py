"""L2 logistic regression, to its minimum whatever the length of the vectors."""

from __future__ import annotations

import warnings
from typing import Any, Final

import numpy as np

from lydite.types import Floats, Indices

#: Newton's steps of two classes; quasi-Newton's, which are far cheaper, of more.
MOST_STEPS: Final = 200
_MOST_CHEAP_STEPS: Final = 5000
#: Dimensions up to which a step of Newton's method, of d² numbers, costs less than it saves.
_WIDEST: Final = 1024
#: What the last step may gain, as a share of the objective; it leaves about the square of that.
_TOLERANCE: Final = 1e-8
#: What is left of the slope with more than two classes, for vectors of length 1.
_FLAT: Final = 1e-6
_HALVINGS: Final = 40
_SUFFICIENT: Final = 1e-4
_JITTER: Final = 1e-11
_TINY: Final = 1e-300
_LEAST_C: Final = 1e-290


class LogisticRegression:
    """The minimum of ½ |w|² + C Σᵢ log loss for one C after the other, the intercept being free.

    Parameters
    ----------
    known
        Shape (n, d).
    labels
        Shape (n,), of at least two classes; with more than two, one softmax over all.

    Notes
    -----
    A fit starts where the one before it ended, so that a grid is best gone through from small C to
    large. Vectors are divided by their typical length s and C multiplied by s²: the minimum is the
    same, but when it counts as reached does not depend on how long a model's vectors are.

    Examples
    --------
    >>> known, labels = np.array([[0.0], [1.0], [3.0], [4.0]]), np.array([0, 0, 1, 1])
    >>> LogisticRegression(known, labels).predict(np.array([[0.5], [3.5]]), C=1.0)
    (array([0, 1]), True)
    """

    def __init__(self, known: Floats, labels: Indices) -> None:
        self._classes, self._places = np.unique(labels, return_inverse=True)
        self._length = float(np.sqrt((known**2).sum(axis=1).mean())) or 1.0
        self._known = known / self._length
        self._signs: Floats = np.where(self._places == 1, 1.0, -1.0)
        self._weights: Floats = np.zeros(known.shape[1] + 1)
        self._machine: Any = None
        if len(self._classes) > 2 or known.shape[1] > _WIDEST:
            self._machine = _machine()
        else:
            self._known = np.column_stack([self._known, np.ones(len(known))])

    def predict(self, asked: Floats, *, C: float) -> tuple[Indices, bool]:
        """Return what rows are taken for, (m,), and whether the minimum was reached."""
        asked = asked / self._length
        C = min(max(C * self._length**2, _LEAST_C), 1 / _LEAST_C)
        if self._machine is not None:
            return self._by_machine(asked, C)
        self._weights, reached = newton(self._known, self._signs, C=C, start=self._weights)
        above = asked @ self._weights[:-1] + self._weights[-1] > 0
        return np.asarray(self._classes[above.astype(np.int64)], dtype=np.int64), reached

    def _by_machine(self, asked: Floats, C: float) -> tuple[Indices, bool]:
        from sklearn.exceptions import ConvergenceWarning  # type: ignore[import-untyped]

        self._machine.set_params(C=C)
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always", ConvergenceWarning)
            self._machine.fit(self._known, self._places)
        reached = not any(issubclass(each.category, ConvergenceWarning) for each in said)
        predicted = self._classes[self._machine.predict(asked)]
        return np.asarray(predicted, dtype=np.int64), reached


def _machine() -> Any:  # noqa: ANN401 - scikit-learn has no types
    from sklearn.linear_model import LogisticRegression as Machine  # type: ignore[import-untyped]

    return Machine(solver="lbfgs", tol=_FLAT, max_iter=_MOST_CHEAP_STEPS, warm_start=True)


def newton(rows: Floats, signs: Floats, *, C: float, start: Floats) -> tuple[Floats, bool]:
    """Return the weights of two classes, (d,), and whether they are at the minimum.

    Parameters
    ----------
    rows
        Shape (n, d); the last column, of ones, is that of the intercept.
    signs
        Shape (n,): 1 or -1.
    C
        Inverse strength of regularisation.
    start
        Shape (d,): weights to begin with.

    Notes
    -----
    Newton's method with steps that are halved until the objective, here divided by C, falls enough.
    It ends with a step whose gain, half the squared Newton decrement, is a share of 10⁻⁸ of the
    objective, whatever the length of the rows.
    """
    from scipy.linalg import LinAlgError, cho_factor, cho_solve
    from scipy.special import expit

    strength = np.full(rows.shape[1], 1 / C)
    strength[-1] = 0.0
    weights, scores = start, rows @ start
    value = _objective(weights, signs * scores, strength)
    for _ in range(MOST_STEPS):
        wrong, right = expit(-signs * scores), expit(signs * scores)
        slope = strength * weights - rows.T @ (signs * wrong)
        spread = rows * np.sqrt(wrong * right)[:, None]
        bend = spread.T @ spread
        # A little more than it is, so that rows that depend on each other leave it invertible.
        np.fill_diagonal(bend, (bend.diagonal() + strength) * (1 + _JITTER) + _TINY)
        try:
            factor = cho_factor(bend, lower=True, check_finite=False)
        except LinAlgError:
            return weights, False
        step: Floats = np.asarray(cho_solve(factor, -slope), dtype=np.float64)
        gain = -float(slope @ step)
        if gain / 2 <= _TOLERANCE * value:
            return weights + step, True
        moved = rows @ step
        for halving in range(_HALVINGS):
            size = 0.5**halving
            new = _objective(weights + size * step, signs * (scores + size * moved), strength)
            if new <= value - _SUFFICIENT * size * gain:
                break
        else:
            return weights, False
        weights, scores, value = weights + size * step, scores + size * moved, new
    return weights, False


def _objective(weights: Floats, margins: Floats, strength: Floats) -> float:
    return float(strength @ weights**2) / 2 + float(np.logaddexp(0, -margins).sum())
