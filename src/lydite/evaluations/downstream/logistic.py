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
#: What may be left of the slope for vectors of length 1: next to nothing after Newton's last step.
_TOLERANCE: Final = 1e-12
_FLAT: Final = 1e-6
_LEAST_C: Final = 1e-290


class LogisticRegression:
    """The minimum of ½ |w|² + C Σᵢ log loss for one C after the other, the intercept being free.

    With more than two classes there is one softmax over all.

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
        exact = len(self._classes) == 2 and known.shape[1] <= _WIDEST
        self._machine = _newton() if exact else _quasi_newton()
        # Rows that are all the same have one minimum for every C: there is no step from it.
        self._machine.set_params(warm_start=not exact or bool(np.ptp(known, axis=0).any()))

    def predict(self, asked: Floats, *, C: float) -> tuple[Indices, bool]:
        """Return what rows are taken for, (m,), and whether the minimum was reached."""
        from scipy.linalg import LinAlgWarning
        from sklearn.exceptions import ConvergenceWarning  # type: ignore[import-untyped]

        self._machine.set_params(C=min(max(C * self._length**2, _LEAST_C), 1 / _LEAST_C))
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always", ConvergenceWarning)
            # Where rows depend on each other quasi-Newton steps lead to the end.
            warnings.simplefilter("ignore", LinAlgWarning)
            self._machine.fit(self._known, self._places)
        reached = not any(issubclass(each.category, ConvergenceWarning) for each in said)
        predicted = self._classes[self._machine.predict(asked / self._length)]
        return np.asarray(predicted, dtype=np.int64), reached


def _newton() -> Any:  # noqa: ANN401 - scikit-learn has no types
    from sklearn.linear_model import LogisticRegression as Machine  # type: ignore[import-untyped]

    return Machine(solver="newton-cholesky", tol=_TOLERANCE, max_iter=MOST_STEPS, warm_start=True)


def _quasi_newton() -> Any:  # noqa: ANN401 - scikit-learn has no types
    from sklearn.linear_model import LogisticRegression as Machine

    return Machine(solver="lbfgs", tol=_FLAT, max_iter=_MOST_CHEAP_STEPS, warm_start=True)
