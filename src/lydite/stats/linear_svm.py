"""Linear support vector machines, one class against the rest, for all classes at once.

At a minimum, w = Σ βᵢ zᵢ with βᵢ = 2 Cᵢ max(0, 1 - yᵢ fᵢ) yᵢ, where fᵢ = w·zᵢ. The objective is
quadratic as long as the set A of rows with a loss, the active rows, stays the same; one Newton step
leads to its minimum for that set, which is the solution of a small linear system::

    (K_AA + diag(1 / 2 C_A)) β_A = y_A,    K = Z Zᵀ

or, where A is larger than the number of dimensions, of the system of the same solution in w. Where
the set does not change any more, the minimum has been found exactly. All machines take their steps
together, so that scores of all rows are one matrix product; each has its own set, and an exact
search along its step where the whole step leads too far. Far from the minimum almost all rows are
active: the first sets are cut to the rows of the largest loss, and may grow from step to step.

For class c, with y = 1 for its own rows and -1 for all others, a machine is the minimum of::

    ½ |w|² + Σᵢ Cᵢ max(0, 1 - yᵢ w·zᵢ)²,    zᵢ = (xᵢ, 1)

which is the problem of ``LinearSVC(loss="squared_hinge")``: the intercept is the weight of a
constant feature and is regularized with the others. Balanced weights follow LIBLINEAR, which
weighs only a machine's own class: Cᵢ = C n / (k n_c) for the rows of c, and C for the rest, however
large their classes are. With two classes there is one machine, and both classes are weighed.

The solver is the project's own because LIBLINEAR may stop far from the minimum, so that a score
would tell of the solver too; docs/decisions/008-the-solver.md has the figures.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from lydite.errors import InputError
from lydite.types import Floats, Indices, Mask

if TYPE_CHECKING:
    from scipy import sparse
    from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]


#: Dense, or sparse by rows, (n, d).
Features: TypeAlias = "Floats | sparse.csr_array[np.float64, tuple[int, int]]"

#: Rows up to which all their products are kept: 134 MB.
_MOST_KEPT = 4096
#: The share of rows with a dual other than 0 below which the others are passed over.
_FEW = 0.1


class SvmRows:
    """Rows z = (x, 1), and machines as points: their weights, or their duals.

    Where rows are many beside the dimensions, a machine is its D weights w, the constant's last.
    Otherwise it is its n duals β, with w = Σ βᵢ zᵢ: fewer numbers, and scores are products with
    numbers that are kept. Where classes overlap, duals of long rows cancel each other and w would
    lose digits; but they hardly can overlap if rows are fewer than twice the dimensions.

    Attributes
    ----------
    count, dimension
        How many rows there are, and how many numbers in each with the constant.
    lengths
        The norms of the rows, (n,).
    """

    def __init__(self, features: Features) -> None:
        self._features = features
        self.count, self.dimension = features.shape[0], features.shape[1] + 1
        self.by_weights = self.count >= 2 * self.dimension
        self._kept = _products(features) if self.count <= _MOST_KEPT else None
        squares = _squares(features)
        self.lengths = np.sqrt(squares)
        # Both the trace and the largest sum of sizes are at least the largest eigenvalue.
        bound = float(squares.sum())
        if self._kept is not None:
            bound = min(bound, float(np.abs(self._kept).sum(axis=1).max()))
        self._stretch = float(np.sqrt(bound))

    def origin(self, machines: int) -> Floats:
        """Return the points (m, D or n) of machines whose weights are all zero."""
        return np.zeros((machines, self.dimension if self.by_weights else self.count))

    def point(self, chosen: Indices, duals: Floats) -> Floats:
        """Return the point of a machine that has duals for some rows only."""
        if self.by_weights:
            return np.append(np.asarray(duals @ self._features[chosen]), duals.sum())
        point = np.zeros(self.count)
        point[chosen] = duals
        return point

    def products(self, chosen: Indices) -> Floats:
        """Return the products (a, a) of some rows with each other, as a new array."""
        if self._kept is None:
            return _products(self._features[chosen])
        return self._kept.take(chosen, axis=0).take(chosen, axis=1)

    def some(self, chosen: Indices) -> Floats:
        """Return some rows, dense."""
        rows = self._features[chosen]
        dense = rows if isinstance(rows, np.ndarray) else rows.toarray()
        return np.column_stack([dense, np.ones(len(chosen))])

    def combined(self, duals: Floats) -> Floats:
        """Return the weights (m, D) of machines that have these duals (m, n)."""
        if not isinstance(self._features, np.ndarray):
            sums = np.asarray(self._features.T @ duals.T).T
        elif np.count_nonzero(duals) < _FEW * duals.size:
            from scipy.sparse import csr_array

            sums = np.asarray(csr_array(duals) @ self._features)
        else:
            sums = duals @ self._features
        return np.column_stack([sums, duals.sum(axis=1)])

    def weights(self, points: Floats) -> Floats:
        """Return the weights (m, D) of points."""
        return points if self.by_weights else self.combined(points)

    def scored(self, weights: Floats) -> Floats:
        """Return the scores (m, n) of all rows for each of m weights (m, D)."""
        return np.asarray((self._features @ weights[:, :-1].T).T) + weights[:, -1:]

    def scores(self, points: Floats) -> Floats:
        """Return the scores (m, n) of all rows for each of m points."""
        if self._kept is not None and not self.by_weights:
            return points @ self._kept
        return self.scored(self.weights(points))

    def far(self, points: Floats, duals: Floats) -> Floats:
        """Return at least the distance of weights from those that have these duals (m, n)."""
        if self.by_weights:
            return norms(points - self.combined(duals))
        return self._stretch * norms(points - duals)


def norms(vectors: Floats) -> Floats:
    """Return the norm of each row."""
    return np.asarray(np.sqrt(np.einsum("ij,ij->i", vectors, vectors)))


def _squares(features: Features) -> Floats:
    if isinstance(features, np.ndarray):
        return np.asarray(np.einsum("ij,ij->i", features, features) + 1.0)
    return np.asarray(features.multiply(features) @ np.ones(features.shape[1])) + 1.0


def _products(features: Features) -> Floats:
    if isinstance(features, np.ndarray):
        return np.asarray(features @ features.T + 1.0)
    return (features @ features.T).toarray() + 1.0


#: Numbers in one matrix of machines by rows: 32 MB.
_BLOCK = 1 << 22
_FIRST_SET = 64
_GROWTH = 2.0
_SUFFICIENT = 1e-4
_SEARCH_STEPS = 60
_FLAT = 1e-3


@dataclass(frozen=True, kw_only=True)
class Problem:
    """One machine for each class from ``first`` on.

    Attributes
    ----------
    own
        The cost of a loss of a row of the class itself, for each machine, where C is 1.
    rest
        The cost of a loss of any other row, where C is 1.
    first
        The class that the first machine is for.
    """

    features: Features
    labels: Indices
    own: Floats
    rest: float
    first: int


@dataclass(frozen=True, kw_only=True)
class _Machines:
    """Some of the machines: signs y, costs C and scores f of the rows, (m, n), and points."""

    signs: Floats
    costs: Floats
    scores: Floats
    points: Floats

    def take(self, which: Indices) -> _Machines:
        return _Machines(
            signs=self.signs[which],
            costs=self.costs[which],
            scores=self.scores[which],
            points=self.points[which],
        )

    def losses(self) -> Floats:
        """Return 1 - y f; a row is active where this is above 0."""
        return 1.0 - self.signs * self.scores

    def duals(self, losses: Floats) -> Floats:
        """Return the duals that losses call for; at the minimum, the weights have these."""
        return 2.0 * self.costs * np.maximum(losses, 0.0) * self.signs


def solve(
    problem: Problem, prices: Sequence[float], *, tolerance: float, most: int
) -> Iterator[tuple[Floats, Mask, Indices]]:
    """Yield weights (m, d + 1), the intercept last, whether each has converged, and steps.

    Once for each price C; from the second on the steps go on from the minimum before.
    """
    # Thousands of small systems: threads inside them would only wait for each other, and for very
    # long where other processes want the cores.
    with _libraries().limit(limits=1, user_api="blas"):
        rows = SvmRows(problem.features)
    width = max(1, _BLOCK // rows.count)
    every = np.arange(len(problem.own))
    blocks = [every[start : start + width] for start in range(0, len(every), width)]
    points: list[Floats | None] = [None] * len(blocks)
    for C in prices:
        found = []
        with _libraries().limit(limits=1, user_api="blas"):
            for place, which in enumerate(blocks):
                machines = _start(rows, problem, which, C, points[place])
                cold = points[place] is None
                found.append(_solve_some(rows, machines, cold, tolerance, most))
                points[place] = machines.points
        weights, converged, steps = zip(*found, strict=True)
        yield np.concatenate(weights), np.concatenate(converged), np.concatenate(steps)


@functools.cache
def _libraries() -> ThreadpoolController:
    # Only libraries that are loaded can be found: those of NumPy and of SciPy.
    import scipy.linalg.lapack  # noqa: F401
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def _solve_some(
    rows: SvmRows, machines: _Machines, cold: bool, tolerance: float, most: int
) -> tuple[Floats, Mask, Indices]:
    limits = _limits(rows, machines, tolerance)
    steps = _descend(rows, machines, limits, most, cold=cold)
    weights = rows.weights(machines.points)
    # The gradient is measured afresh, at the weights that are handed out.
    machines.scores[:] = rows.scored(weights)
    gradient = norms(weights - rows.combined(machines.duals(machines.losses())))
    return weights, gradient <= limits, steps


def _start(
    rows: SvmRows, problem: Problem, which: Indices, C: float, points: Floats | None
) -> _Machines:
    """Start from some points, or, where there are none yet, from zero.

    From zero, rows are scored by their nearness to the mean of the class, for the choice of the
    first sets.
    """
    own = problem.labels == (which + problem.first)[:, None]
    if points is None:
        means = own / own.sum(axis=1, keepdims=True) - 1.0 / rows.count
        points, scores = rows.origin(len(which)), rows.scored(rows.combined(means))
    else:
        scores = rows.scores(points)
    return _Machines(
        signs=np.where(own, 1.0, -1.0),
        costs=C * np.where(own, problem.own[which, None], problem.rest),
        scores=scores,
        points=points,
    )


def _limits(rows: SvmRows, machines: _Machines, tolerance: float) -> Floats:
    """Return the largest gradient of each machine that counts as converged."""
    at_zero = norms(rows.combined(2.0 * machines.costs * machines.signs))
    own = (machines.signs > 0).sum(axis=1)
    minority = np.minimum(own, rows.count - own) / rows.count
    # Where zero is the minimum there is nothing to compare with but the rounding of the sums.
    rounding = 2.0 * np.finfo(np.float64).eps * (machines.costs @ rows.lengths)
    return np.asarray(np.maximum(tolerance * minority * at_zero, rounding))


def _descend(
    rows: SvmRows, machines: _Machines, limits: Floats, most: int, *, cold: bool
) -> Indices:
    """Take steps until each machine's weights are those that its losses call for."""
    steps = np.zeros(len(limits), dtype=np.int64)
    live = np.arange(len(limits))
    starting = np.full(len(limits), cold)
    solved = np.zeros(machines.signs.shape, dtype=np.bool_)
    for step in range(most):
        part = machines.take(live)
        losses = part.losses()
        active = losses > 0
        largest = int(_FIRST_SET * _GROWTH**step)
        if step:
            starting &= active.sum(axis=1) > largest
            near = rows.far(part.points, part.duals(losses)) <= limits[live]
            done = near | (active == solved).all(axis=1)
            going = np.flatnonzero(starting | ~done)
            if not len(going):
                break
            live, starting = live[going], starting[going]
            part, losses, active = part.take(going), losses[going], active[going]
        _cut(active, losses, part.signs, np.flatnonzero(starting), largest)
        points = _minima(rows, part, active)
        scores = rows.scores(points)
        lengths = np.where(starting, 1.0, _lengths(rows, part, points, scores))
        # Of a step that stops before its end the set has not been solved.
        solved = active & (lengths == 1.0)[:, None]
        machines.points[live] = _part_way(part.points, points, lengths)
        machines.scores[live] = _part_way(part.scores, scores, lengths)
        steps[live] += 1
    return steps


def _cut(active: Mask, losses: Floats, signs: Floats, which: Indices, most: int) -> None:
    """Keep the rows of the largest loss, and all of the class itself if they are not too many."""
    if most >= active.shape[1]:
        active[which] = True
        return
    ranked = losses[which]
    own = signs[which] > 0
    ranked[own & (own.sum(axis=1, keepdims=True) <= most // 2)] = np.inf
    kept = np.argpartition(-ranked, most, axis=1)[:, :most]
    active[which] = False
    active[which[:, None], kept] = True


def _minima(rows: SvmRows, part: _Machines, active: Mask) -> Floats:
    """Return the point of the minimum of each machine's quadratic for its active rows."""
    points = np.empty_like(part.points)
    for place, (among, signs, costs) in enumerate(zip(active, part.signs, part.costs, strict=True)):
        chosen = among.nonzero()[0]
        points[place] = _minimum(rows, chosen, signs[chosen], 2.0 * costs[chosen])
    return points


def _minimum(rows: SvmRows, chosen: Indices, signs: Floats, doubled: Floats) -> Floats:
    if len(chosen) <= rows.dimension:
        return rows.point(chosen, _solution(rows.products(chosen), 1.0 / doubled, signs))
    features = rows.some(chosen)
    scaled = features * doubled[:, None]
    weights = _solution(features.T @ scaled, np.ones(rows.dimension), scaled.T @ signs)
    if rows.by_weights:
        return weights
    return rows.point(chosen, doubled * (signs - features @ weights))


def _solution(matrix: Floats, diagonal: Floats, right: Floats) -> Floats:
    """Solve a symmetric system with the diagonal added to a positive semidefinite matrix."""
    from scipy.linalg.lapack import dposv

    size = len(right)
    matrix.ravel()[:: size + 1] += diagonal
    # The matrix is its own transpose, which is in the order that LAPACK wants without a copy.
    _, found, failed = dposv(matrix.T, right, lower=1)
    if failed:
        # The diagonal is lost in rounding beside such large numbers. Any positive definite matrix
        # gives a direction to search along; whether that has converged is measured in the end.
        matrix.ravel()[:: size + 1] += size * np.finfo(np.float64).eps * np.trace(matrix)
        found = dposv(matrix.T, right, lower=1)[1]
    return np.asarray(found)


def _lengths(rows: SvmRows, part: _Machines, points: Floats, scores: Floats) -> Floats:
    """Return how far to go to each target: 1, or less if that is past the minimum on the way."""
    change = scores - part.scores
    move = points - part.points
    # Products of weights: of duals, one side's are multiplied by the other side's scores.
    paired = move if rows.by_weights else change
    pull, curve = _dots(part.points, paired), _dots(move, paired)
    losses, drops = part.losses(), part.signs * change
    before, after = np.maximum(losses, 0.0), np.maximum(losses - drops, 0.0)
    slope = pull - 2.0 * _dots(part.costs * before, drops)
    gain = pull + curve / 2.0 + _dots(part.costs * (after - before), after + before)
    lengths = np.ones(len(pull))
    far = np.flatnonzero(gain > _SUFFICIENT * slope)
    if len(far):
        line = _Line(
            losses=losses[far],
            drops=drops[far],
            costs=part.costs[far],
            pull=pull[far],
            curve=curve[far],
        )
        lengths[far] = line.lowest(_FLAT * np.abs(slope[far]))
    return lengths


def _dots(left: Floats, right: Floats) -> Floats:
    return np.asarray(np.einsum("ij,ij->i", left, right))


@dataclass(frozen=True, kw_only=True)
class _Line:
    """Objectives along steps: their slopes are ``pull + t curve - 2 Σ costs max(0, l - t d) d``."""

    losses: Floats
    drops: Floats
    costs: Floats
    pull: Floats
    curve: Floats

    def lowest(self, flat: Floats) -> Floats:
        """Find where each slope is zero, but for so much, between 0 and 1.

        A slope grows with t and is made of straight pieces: Newton's method inside a bracket comes
        to the very zero.
        """
        low, high = np.zeros(len(flat)), np.ones(len(flat))
        at = high
        for _ in range(_SEARCH_STEPS):
            left = self.losses - at[:, None] * self.drops
            weighed = 2.0 * self.costs * self.drops * (left > 0)
            slope = self.pull + at * self.curve - _dots(weighed, left)
            if (np.abs(slope) <= flat).all():
                break
            low, high = np.where(slope < 0, at, low), np.where(slope < 0, high, at)
            newton = at - slope / (self.curve + _dots(weighed, self.drops))
            inside = (newton >= low) & (newton <= high)
            at = np.where(inside, newton, (low + high) / 2.0)
        return at


def _part_way(origin: Floats, target: Floats, lengths: Floats) -> Floats:
    """Pull the targets of steps that are too long back to where the steps end."""
    short = np.flatnonzero(lengths != 1.0)
    target[short] = origin[short] + lengths[short, None] * (target[short] - origin[short])
    return target


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
    """One linear machine per class; a text belongs to the class whose score is largest.

    Attributes
    ----------
    coefficients
        Shape (k, d), float64. Of two classes, the first row is the second with its sign turned.
    intercepts
        Shape (k,).
    converged
        Shape (k,). Whether the gradient came down to the tolerance.
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
    """Fit one machine per class by Newton's method on sets of active rows, for one C.

    See :func:`svm_path`, which says more.

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
    return next(svm_path(train, labels, [C], weights=weights, tolerance=tolerance, most=most))


def svm_path(
    train: Rows,
    labels: Indices,
    prices: Sequence[float],
    *,
    weights: ClassWeights = "balanced",
    tolerance: float = _TOLERANCE,
    most: int = _MOST,
) -> Iterator[LinearSvms]:
    """Fit one machine per class by Newton's method on sets of active rows, for each C.

    The machines of a C start from those of the C before, and what is common to all is computed
    once: a grid of six from small to large costs about twice what one C does.

    See :mod:`lydite.stats.linear_svm` for the method. Nothing in it is random. Memory beyond
    the rows is n² numbers up to 4,096 rows, and blocks of machines of some 32 MB a matrix.

    Parameters
    ----------
    train
        Shape (n, d), dense or CSR.
    labels
        Shape (n,): the class of each row, 0 to k - 1, each class with at least one row.
    prices
        C, in the order in which machines come; ascending is fastest.
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
    """
    rows = _finite_rows(train, "training")
    labels = _checked_labels(labels, rows.shape[0])
    for C in prices:
        _check_settings(C, weights, tolerance, most)
    costs = _own_costs(labels, weights)
    two = len(costs) == _FEWEST_CLASSES
    problem = Problem(
        features=rows,
        labels=labels,
        own=costs[1:] if two else costs,
        rest=costs[0].item() if two else 1.0,
        first=1 if two else 0,
    )
    for found, converged, steps in solve(problem, prices, tolerance=tolerance, most=most):
        yield _machines(np.ascontiguousarray(found[:, :-1]), found[:, -1].copy(), converged, steps)


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
    tolerance
        ``tol`` of LinearSVC.
    most
        ``max_iter`` of LinearSVC.
    dual
        ``auto`` is scikit-learn's own choice: coordinate descent on the dual where rows are fewer
        than dimensions, otherwise a trust-region Newton method on the primal. The dual takes a
        step per row and may not come to an end for rows of large norm, such as raw sums of word
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


def _own_costs(labels: Indices, weights: ClassWeights) -> Floats:
    sizes = np.bincount(labels).astype(np.float64)
    if weights == "none":
        return np.ones(len(sizes))
    return len(labels) / (len(sizes) * sizes)


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
