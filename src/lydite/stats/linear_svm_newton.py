"""Newton's method on sets of active rows, for linear machines with squared hinge loss.

At a minimum, w = Σ βᵢ zᵢ with βᵢ = 2 Cᵢ max(0, 1 - yᵢ fᵢ) yᵢ, where fᵢ = w·zᵢ. The objective is
quadratic as long as the set A of rows with a loss, the active rows, stays the same; one Newton step
leads to its minimum for that set, which is the solution of a small linear system::

    (K_AA + diag(1 / 2 C_A)) β_A = y_A,    K = Z Zᵀ

or, where A is larger than the number of dimensions, of the system of the same solution in w. Where
the set does not change any more, the minimum has been found exactly. All machines take their steps
together, so that scores of all rows are one matrix product; each has its own set, and an exact
search along its step where the whole step leads too far. Far from the minimum almost all rows are
active: the first sets are cut to the rows of the largest loss, and may grow from step to step.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from lydite.stats.linear_svm_rows import Features, SvmRows, norms
from lydite.types import Floats, Indices, Mask

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

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
    features
        Shape (n, d).
    labels
        Shape (n,).
    own
        The cost of a loss of a row of the class itself, for each machine.
    rest
        The cost of a loss of any other row.
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


def solve(problem: Problem, *, tolerance: float, most: int) -> tuple[Floats, Mask, Indices]:
    """Return weights (m, d + 1), the intercept last, whether each has converged, and steps."""
    # Thousands of small systems: threads inside them would only wait for each other, and for very
    # long where other processes want the cores.
    with _libraries().limit(limits=1, user_api="blas"):
        rows = SvmRows(problem.features)
        width = max(1, _BLOCK // rows.count)
        every = np.arange(len(problem.own))
        found = [
            _solve_some(rows, problem, every[start : start + width], tolerance, most)
            for start in range(0, len(every), width)
        ]
    weights, converged, steps = zip(*found, strict=True)
    return np.concatenate(weights), np.concatenate(converged), np.concatenate(steps)


@functools.cache
def _libraries() -> ThreadpoolController:
    # Only libraries that are loaded can be found: those of NumPy and of SciPy.
    import scipy.linalg.lapack  # noqa: F401
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def _solve_some(
    rows: SvmRows, problem: Problem, which: Indices, tolerance: float, most: int
) -> tuple[Floats, Mask, Indices]:
    machines = _start(rows, problem, which)
    limits = _limits(rows, machines, tolerance)
    steps = _descend(rows, machines, limits, most)
    weights = rows.weights(machines.points)
    # The gradient is measured afresh, at the weights that are handed out.
    machines.scores[:] = rows.scored(weights)
    gradient = norms(weights - rows.combined(machines.duals(machines.losses())))
    return weights, gradient <= limits, steps


def _start(rows: SvmRows, problem: Problem, which: Indices) -> _Machines:
    """Score rows by their nearness to the mean of the class, for the choice of the first sets."""
    own = problem.labels == (which + problem.first)[:, None]
    means = own / own.sum(axis=1, keepdims=True) - 1.0 / rows.count
    return _Machines(
        signs=np.where(own, 1.0, -1.0),
        costs=np.where(own, problem.own[which, None], problem.rest),
        scores=rows.scored(rows.combined(means)),
        points=rows.origin(len(which)),
    )


def _limits(rows: SvmRows, machines: _Machines, tolerance: float) -> Floats:
    """Return the largest gradient of each machine that counts as converged."""
    at_zero = norms(rows.combined(2.0 * machines.costs * machines.signs))
    own = (machines.signs > 0).sum(axis=1)
    minority = np.minimum(own, rows.count - own) / rows.count
    # Where zero is the minimum there is nothing to compare with but the rounding of the sums.
    rounding = 2.0 * np.finfo(np.float64).eps * (machines.costs @ rows.lengths)
    return np.asarray(np.maximum(tolerance * minority * at_zero, rounding))


def _descend(rows: SvmRows, machines: _Machines, limits: Floats, most: int) -> Indices:
    """Take steps until each machine's weights are those that its losses call for."""
    steps = np.zeros(len(limits), dtype=np.int64)
    live = np.arange(len(limits))
    starting = np.ones(len(limits), dtype=np.bool_)
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
