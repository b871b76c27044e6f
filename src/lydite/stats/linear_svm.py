"""Linear support vector machines, one class against the rest, for all classes at once.

For class c, with y = 1 for its own rows and -1 for all others, a machine is the minimum of::

    ½ |w|² + Σᵢ Cᵢ max(0, 1 - yᵢ w·zᵢ)²,    zᵢ = (xᵢ, 1)

which is the problem of ``LinearSVC(loss="squared_hinge")``: the intercept is the weight of a
constant feature and is regularised with the others. Balanced weights follow LIBLINEAR, which
weighs only a machine's own class: Cᵢ = C n / (k n_c) for the rows of c, and C for the rest, however
large their classes are. With two classes there is one machine, and both classes are weighed.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from lydite.errors import InputError
from lydite.stats.linear_svm_rows import Features
from lydite.types import Floats, Indices, Mask

if TYPE_CHECKING:
    from scipy import sparse

#: Rows of numbers: dense, or sparse by rows.
Rows: TypeAlias = "NDArray[np.floating] | sparse.csr_array | sparse.csr_matrix"
ClassWeights = Literal["balanced", "none"]

#: What LIBLINEAR stops at (``tol`` of LinearSVC).
LIBLINEAR_TOLERANCE = 1e-4
_TOLERANCE = 1e-6
_MOST = 200
_FEWEST_CLASSES = 2


@dataclass(frozen=True, kw_only=True, eq=False)
class LinearSvms:
    """One linear machine a class; a text belongs to the class whose score is largest.

    Attributes
    ----------
    coefficients
        Shape (k, d), float64. Of two classes, the first row is the second with its sign turned.
    intercepts
        Shape (k,).
    converged
        Shape (k,). Whether the gradient came down to what was asked for.
    steps
        Shape (k,). How many steps the solver took.
    """

    coefficients: Floats
    intercepts: Floats
    converged: Mask
    steps: Indices

    def scores(self, test: Rows) -> Floats:
        """Return the decision values (m, k) of m rows; the largest of a row is its class."""
        rows = _finite_rows(test, "test")
        wanted = self.coefficients.shape[1]
        if rows.shape[1] != wanted:
            raise InputError(
                f"expected rows of {wanted} numbers as in training, got {rows.shape[1]}",
                hint="encode the training and the test texts with the same model",
            )
        return np.asarray(rows @ self.coefficients.T) + self.intercepts


def one_vs_rest(
    train: Rows,
    labels: Indices,
    *,
    C: float = 1.0,
    weights: ClassWeights = "balanced",
    tolerance: float = _TOLERANCE,
    most: int = _MOST,
) -> LinearSvms:
    """Fit one machine a class by Newton's method on sets of active rows.

    See :mod:`lydite.stats.linear_svm_newton` for the method. Nothing in it is random. Memory beyond
    the rows is n² numbers up to 4,096 rows, and blocks of machines of some 32 MB a matrix.

    Parameters
    ----------
    train
        Shape (n, d), dense or CSR.
    labels
        Shape (n,): the class of each row, 0 to k - 1, each class with at least one row.
    C
        The weight of the losses.
    weights
        ``balanced`` as in the module's text, or ``none``: C for every row.
    tolerance
        A machine has converged if the norm of its gradient, measured at the coefficients handed
        out, is at most ``tolerance * min(p, n - p) / n`` of the norm at zero, with p the rows of
        its class. It is LIBLINEAR's criterion for the primal, where LinearSVC asks for 1e-4.
        (Its dual has another criterion, and by this one ends at some 1e-3.) Machines that end
        because their set of active rows is settled have a gradient of rounding errors.
    most
        Steps after which a machine is given up as not converged.

    References
    ----------
    Keerthi & DeCoste (2005), A modified finite Newton method for fast solution of large scale
    linear SVMs, JMLR 6. Fan et al. (2008), LIBLINEAR, JMLR 9.

    Examples
    --------
    >>> import numpy as np
    >>> rows = np.array([[0.0, 1.0], [0.1, 0.9], [1.0, 0.0], [0.9, 0.1], [-1.0, -1.0]])
    >>> machines = one_vs_rest(rows, np.array([0, 0, 1, 1, 2]))
    >>> machines.scores(np.array([[0.2, 0.8], [-0.5, -0.9]])).argmax(axis=1).tolist()
    [0, 2]
    >>> machines.converged.all().item()
    True
    """
    from lydite.stats.linear_svm_newton import Problem, solve

    rows = _finite_rows(train, "training")
    labels = _checked_labels(labels, rows.shape[0])
    _check_settings(C, weights, tolerance, most)
    costs = _own_costs(labels, C, weights)
    two = len(costs) == _FEWEST_CLASSES
    problem = Problem(
        features=rows,
        labels=labels,
        own=costs[1:] if two else costs,
        rest=costs[0].item() if two else C,
        first=1 if two else 0,
    )
    found, converged, steps = solve(problem, tolerance=tolerance, most=most)
    return _machines(np.ascontiguousarray(found[:, :-1]), found[:, -1].copy(), converged, steps)


def liblinear(
    train: Rows,
    labels: Indices,
    *,
    C: float = 1.0,
    weights: ClassWeights = "balanced",
    tolerance: float = LIBLINEAR_TOLERANCE,
    most: int = 1000,
    dual: bool | Literal["auto"] = "auto",
) -> LinearSvms:
    """Fit the same machines through scikit-learn's LinearSVC: the reference, and slower.

    Parameters
    ----------
    train, labels, C, weights
        As of :func:`one_vs_rest`.
    tolerance
        ``tol`` of LinearSVC.
    most
        ``max_iter`` of LinearSVC.
    dual
        ``auto`` is scikit-learn's own choice: coordinate descent on the dual where rows are fewer
        than dimensions, otherwise a trust-region Newton method on the primal. The dual takes a
        step a row and may not come to an end for rows of large norm, such as raw sums of word
        vectors; the primal may take minutes where features are many and scaled to variance 1. The
        seed of the dual's shuffling is fixed.

    Returns
    -------
    LinearSvms
        LIBLINEAR says only whether all machines came to an end before ``most`` and how many steps
        the slowest took: ``converged`` and ``steps`` are the same for all classes.
    """
    from sklearn.exceptions import ConvergenceWarning  # type: ignore[import-untyped]
    from sklearn.svm import LinearSVC  # type: ignore[import-untyped]

    rows = _finite_rows(train, "training")
    labels = _checked_labels(labels, rows.shape[0])
    _check_settings(C, weights, tolerance, most)
    machine = LinearSVC(
        C=C,
        class_weight="balanced" if weights == "balanced" else None,
        tol=tolerance,
        max_iter=most,
        dual=dual,
        random_state=0,
    )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        machine.fit(rows, labels)
    failed = [entry for entry in caught if issubclass(entry.category, ConvergenceWarning)]
    for entry in caught:
        if entry not in failed:
            warnings.warn_explicit(entry.message, entry.category, entry.filename, entry.lineno)
    machines = len(machine.coef_)
    return _machines(
        np.asarray(machine.coef_, dtype=np.float64),
        np.asarray(machine.intercept_, dtype=np.float64),
        np.full(machines, not failed),
        np.full(machines, machine.n_iter_, dtype=np.int64),
    )


def _machines(
    coefficients: Floats, intercepts: Floats, converged: Mask, steps: Indices
) -> LinearSvms:
    """Hand out the machines, that of two classes once for each of them."""
    if len(coefficients) == 1:
        coefficients = np.concatenate([-coefficients, coefficients])
        intercepts = np.concatenate([-intercepts, intercepts])
        converged, steps = np.repeat(converged, 2), np.repeat(steps, 2)
    return LinearSvms(
        coefficients=coefficients, intercepts=intercepts, converged=converged, steps=steps
    )


def _own_costs(labels: Indices, C: float, weights: ClassWeights) -> Floats:
    sizes = np.bincount(labels).astype(np.float64)
    if weights == "none":
        return np.full(len(sizes), C)
    return C * len(labels) / (len(sizes) * sizes)


def _finite_rows(rows: Rows, which: str) -> Features:
    from scipy import sparse

    made: Features
    if sparse.issparse(rows):
        made = sparse.csr_array(rows).astype(np.float64)
        numbers = np.asarray(made.data)
    else:
        made = numbers = np.asarray(rows, dtype=np.float64)
    if made.ndim != 2 or not made.shape[0] or not made.shape[1]:
        raise InputError(f"expected {which} rows of shape (n, d), got shape {made.shape}")
    bad = int(np.count_nonzero(~np.isfinite(numbers)))
    if bad:
        raise InputError(
            f"expected finite numbers in the {which} rows, got {bad} others",
            hint="look at the texts that the model gave no finite vector for",
        )
    return made


def _checked_labels(labels: Indices, rows: int) -> Indices:
    found = np.asarray(labels)
    if found.shape != (rows,) or found.dtype.kind not in "iu":
        raise InputError(
            f"expected a whole number for each of {rows} training rows as its class, "
            f"got {found.dtype} of shape {found.shape}"
        )
    if found.min() < 0:
        raise InputError(f"expected classes numbered from 0, got {found.min()}")
    sizes = np.bincount(found)
    if not sizes.all():
        absent = np.flatnonzero(sizes == 0)
        raise InputError(
            f"expected every class of 0 to {len(sizes) - 1} among the training rows, got none of "
            f"class {absent[0]}" + (f" and {len(absent) - 1} others" if len(absent) > 1 else ""),
            hint="number the classes that are in the training rows, and no others",
        )
    if len(sizes) < _FEWEST_CLASSES:
        raise InputError(
            "expected two classes or more to tell apart, got one",
            hint="add sentences of another meaning",
        )
    return found.astype(np.int64)


def _check_settings(C: float, weights: str, tolerance: float, most: int) -> None:
    if not (np.isfinite(C) and C > 0):
        raise InputError(f"expected C above 0, got {C!r}", hint="use C=1")
    if weights not in get_args(ClassWeights):
        raise InputError(f"expected weights= balanced or none, got {weights!r}")
    if not tolerance > 0 or most < 1:
        raise InputError(
            f"expected tolerance above 0 and most of at least 1, got {tolerance!r} and {most!r}"
        )
