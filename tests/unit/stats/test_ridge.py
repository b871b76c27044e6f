from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from lydite.errors import InputError, UndefinedScoreError
from lydite.stats.correlation import pearson
from lydite.stats.ridge import ENOUGH_ITEMS, PENALTIES, explain
from lydite.types import Floats, Indices, Mask


def related(n: int, d: int, p: int, seed: int, noise: float = 1.0) -> tuple[Floats, Floats]:
    """Draw X with directions of falling variance, and S that is linear in it but for noise."""
    fixed = np.random.default_rng(0)
    weights = fixed.normal(size=(d, p))
    generator = np.random.default_rng(seed)
    X = generator.normal(size=(n, d)) / np.sqrt(1 + np.arange(d))
    return X, X @ weights + noise * generator.normal(size=(n, p))


def dealt(n: int) -> Indices:
    return np.arange(n) % 10


def ridge(X: Floats, S: Floats, penalty: float, x: Floats) -> Floats:
    """Predict from x by the normal equations."""
    A, B = X - X.mean(axis=0), S - S.mean(axis=0)
    weights = np.linalg.solve(A.T @ A + penalty * np.eye(A.shape[1]), A.T @ B)
    return np.asarray((x - X.mean(axis=0)) @ weights + S.mean(axis=0))


def test_a_line_by_hand() -> None:
    # Folds {0, 3}, {1, 4} and {2, 5} of a perfect line: with hardly any penalty left the error is
    # nought, and so all variance is explained.
    x = np.arange(6.0)[:, None]
    found = explain(x, 2 * x + 1, np.arange(6) % 3)
    assert found.score == pytest.approx(1, abs=1e-9)
    # The means of the others are 7, 6 and 5, and the values 1 and 7, 3 and 9, 5 and 11.
    assert found.spread[:, 0] == pytest.approx([36, 9, 0, 0, 9, 36])


def test_the_penalty_is_the_one_that_leaving_items_out_one_by_one_finds() -> None:
    X, S = related(40, 6, 3, seed=1, noise=2.0)
    folds = np.random.default_rng(3).permutation(40) % 4
    errors = np.zeros_like(S)
    chosen = []
    for fold in range(4):
        kept = folds != fold
        A, B = X[kept], S[kept]
        scale = ((A - A.mean(axis=0)) ** 2).sum() / 6
        tried = [*PENALTIES * scale, np.inf]
        rows = np.arange(len(A))
        missed = [
            sum(((B[i] - _without(A, B, rows != i, penalty, A[i])) ** 2).sum() for i in rows)
            for penalty in tried
        ]
        best = tried[int(np.argmin(missed))]
        chosen.append(best)
        predicted = B.mean(axis=0) if best == np.inf else ridge(A, B, best, X[~kept])
        errors[~kept] = (S[~kept] - predicted) ** 2
    assert np.isfinite(chosen).all()
    assert explain(X, S, folds).errors == pytest.approx(errors, abs=1e-9)


def _without(A: Floats, B: Floats, kept: Mask, penalty: float, x: Floats) -> Floats:
    if penalty == np.inf:
        return np.asarray(B[kept].mean(axis=0))
    return ridge(A[kept], B[kept], penalty, x)


def test_each_column_has_a_share_of_its_own_and_a_constant_one_has_none() -> None:
    X, S = related(200, 4, 2, seed=2, noise=0.5)
    unrelated = np.random.default_rng(9).normal(size=200)
    found = explain(X, np.column_stack([S, unrelated, np.ones(200)]), dealt(200))
    assert found.columns[:2].min() > 0.5
    assert found.columns[2] == pytest.approx(0, abs=0.05)
    assert np.isnan(found.columns[3])
    whole = explain(X, np.column_stack([S, unrelated]), dealt(200))
    assert found.score == pytest.approx(whole.score)


def test_rotation_shift_and_factors_change_nothing() -> None:
    X, S = related(150, 8, 3, seed=3)
    expected = explain(X, S, dealt(150))
    turn = np.linalg.qr(np.random.default_rng(1).normal(size=(8, 8)))[0]
    for changed in (X @ turn, X + 7, 1e-6 * X, 1e6 * X, np.hstack([X, np.zeros((150, 3))])):
        found = explain(changed, S, dealt(150))
        # Zeros beside X lower the mean eigenvalue, by which penalties are measured.
        assert found.score == pytest.approx(expected.score, abs=2e-3)
    for changed in (X @ turn, X + 7, 1e-6 * X, 1e6 * X):
        assert explain(changed, S, dealt(150)).errors == pytest.approx(expected.errors)
    assert explain(X, 100 * S + 3, dealt(150)).score == pytest.approx(expected.score)


@pytest.mark.parametrize("seed", range(5))
def test_dropping_components_never_wins(seed: int) -> None:
    X, S = related(400, 20, 6, seed=seed)
    turned = (X - X.mean(axis=0)) @ np.linalg.svd(X - X.mean(axis=0), full_matrices=False)[2].T
    scores = [explain(turned[:, :k], S, dealt(400)).score for k in (1, 2, 5, 10, 15, 20)]
    # Each step keeps more; beyond the noise of a few hundredths of what is left none is lost.
    assert all(more > less - 0.005 for less, more in pairwise(scores))
    assert scores[-1] > scores[2] + 0.01


@pytest.mark.parametrize("d", [1, 10, 50, 300])
def test_vectors_that_know_nothing_explain_nothing_at_any_dimension(d: int) -> None:
    generator = np.random.default_rng(d)
    S = np.eye(10)[generator.integers(10, size=400)]
    scores = [explain(generator.normal(size=(400, d)), S, dealt(400)).score for _ in range(3)]
    assert np.abs(scores).max() < 0.01


def test_noise_dimensions_cost_something_but_do_not_pay() -> None:
    X, S = related(400, 10, 5, seed=4)
    noise = np.random.default_rng(5).normal(size=(400, 100)) * X.std()
    plain, noisy = explain(X, S, dealt(400)).score, explain(np.hstack([X, noise]), S, dealt(400))
    assert 0.5 * plain < noisy.score < plain


def test_influence_is_what_leaving_an_item_out_shows() -> None:
    X, S = related(120, 4, 3, seed=6)
    folds = dealt(120)
    found = explain(X, S, folds)
    rows = np.arange(120)
    left_out = [explain(X[rows != i], S[rows != i], folds[rows != i]).score for i in rows]
    jackknife = 119 * (found.score - np.array(left_out))
    assert found.influence.mean() == pytest.approx(0, abs=1e-12)
    assert pearson(found.influence, jackknife) > 0.97
    assert found.influence.std() == pytest.approx(jackknife.std(), rel=0.1)


def test_the_interval_covers_the_expected_score() -> None:
    # A slow study has more settings: studies/coverage_qvec.py.
    found = [
        explain(*related(ENOUGH_ITEMS, 10, 4, seed), dealt(ENOUGH_ITEMS)) for seed in range(80)
    ]
    truth = np.mean([each.score for each in found])
    held = 0
    for each in found:
        interval = each.interval()
        assert interval is not None
        held += bool(interval.low <= truth <= interval.high)
    # 76 expected, with a standard deviation of 2.
    assert held >= 70


def test_few_items_have_no_interval() -> None:
    X, S = related(ENOUGH_ITEMS - 1, 3, 2, seed=1)
    assert explain(X, S, dealt(len(X))).interval() is None


def test_the_control_explains_nothing_and_widens_the_interval_where_nothing_is_found() -> None:
    generator = np.random.default_rng(1)
    X, S = generator.normal(size=(200, 10)), np.eye(4)[generator.integers(4, size=200)]
    orders = [generator.permutation(200) for _ in range(20)]
    found = explain(X, S, dealt(200), orders=orders)
    assert found.control.shape == (20,)
    assert np.abs(found.control).max() < 0.05
    assert found.control[3] == pytest.approx(explain(X, S[orders[3]], dealt(200)).score)
    interval = found.interval()
    assert interval is not None
    assert interval.low < 0 < interval.high


def test_what_cannot_be_explained_is_refused() -> None:
    x, s = np.arange(10.0)[:, None], np.arange(10.0)[:, None]
    with pytest.raises(UndefinedScoreError, match="no column of the left matrix varies"):
        explain(np.ones((10, 2)), s, dealt(10))
    with pytest.raises(UndefinedScoreError, match="no column of the right matrix varies"):
        explain(x, np.ones((10, 2)), dealt(10))
    with pytest.raises(InputError, match="10 and 9 rows and 10 folds"):
        explain(x, s[:9], dealt(10))
    with pytest.raises(InputError, match="at least 2 folds"):
        explain(x, s, np.zeros(10, dtype=np.int64))
    with pytest.raises(InputError, match="1 others in the left matrix"):
        explain(np.where(x == 3, np.nan, x), s, dealt(10))
    with pytest.raises(InputError, match=r"\(n, columns\), got shape \(10,\)"):
        explain(x[:, 0], s, dealt(10))
