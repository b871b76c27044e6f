from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from scipy import stats

from lydite.metaevaluation.correlation import Association, Method, associate
from lydite.metaevaluation.scores import Measure, Scores, family_of
from lydite.types import Floats

MEN = Measure(
    evaluation="similarity", name="similarity", resource="men", data="", metric="spearman"
)
POS = Measure(
    evaluation="tagging",
    name="tagging",
    resource="ud-ewt",
    data="",
    metric="accuracy",
    downstream=True,
)


def association(
    x: list[float] | Floats,
    y: list[float] | Floats,
    method: Method = "pearson",
    seed: int = 0,
    names: Sequence[str] = (),
) -> Association:
    values = np.stack([np.asarray(x, float), np.asarray(y, float)], axis=1)
    models = tuple(names) or tuple(f"m{i}" for i in range(len(values)))
    families = tuple(map(family_of, models))
    scores = Scores(models=models, measures=(MEN, POS), values=values, families=families)
    return associate(scores, MEN, POS, method=method, resamples=2000, seed=seed)


def test_by_hand() -> None:
    # Deviations -1.5 -0.5 0.5 1.5 and -1.5 0.5 -0.5 1.5: r = (2.25 - 0.25 - 0.25 + 2.25) / 5 = 0.8.
    # Without the first or the last model: ranks 1 2 3 and 2 1 3, r = 0.5; without the second or
    # the third: deviations (-5 1 4) / 3 and (-4 -1 5) / 3, r = 39 / 42.
    found = association([1, 2, 3, 4], [1, 3, 2, 4])
    assert found.r == pytest.approx(0.8)
    assert found.n == 4
    assert found.p_value == pytest.approx(8 / 24)
    assert found.exact
    assert found.without_low == pytest.approx(0.5)
    assert found.without_low_model in {"m0", "m3"}
    assert found.without_high == pytest.approx(39 / 42)
    assert found.without_high_model in {"m1", "m2"}


@pytest.mark.parametrize("method", ["pearson", "spearman"])
def test_against_scipy(method: Method) -> None:
    generator = np.random.default_rng(2)
    x = generator.normal(size=21)
    y = x + generator.normal(size=21)
    found = association(x, y, method)
    of: Any = stats.pearsonr if method == "pearson" else stats.spearmanr
    theirs = of(x, y)
    assert found.r == pytest.approx(theirs.statistic)
    assert found.p_value == pytest.approx(theirs.pvalue, abs=0.01)
    without = [of(np.delete(x, i), np.delete(y, i)).statistic for i in range(21)]
    assert found.without_low == pytest.approx(min(without))
    assert found.without_high == pytest.approx(max(without))
    assert found.without_low_model == f"m{np.argmin(without)}"
    assert found.without_high_model == f"m{np.argmax(without)}"


def test_the_interval_is_a_jackknife_of_fishers_z_by_hand() -> None:
    generator = np.random.default_rng(4)
    x = generator.normal(size=12)
    y = x + generator.normal(size=12)
    found = association(x, y)
    r = stats.pearsonr(x, y).statistic
    without = np.array([stats.pearsonr(np.delete(x, i), np.delete(y, i))[0] for i in range(12)])
    error = np.sqrt(11 / 12 * ((without - without.mean()) ** 2).sum()) / (1 - r**2)
    reach = stats.t.ppf(0.975, 11) * error
    assert found.low == pytest.approx(np.tanh(np.arctanh(r) - reach))
    assert found.high == pytest.approx(np.tanh(np.arctanh(r) + reach))


def test_models_of_one_family_move_together() -> None:
    # Two sizes in each of eight families: of all 8! orders of families those count in which
    # sums over families of the products of their models are as strong.
    generator = np.random.default_rng(5)
    x, y = generator.normal(size=(2, 8, 2))
    names = [f"kind{chr(97 + i)}-{size}00d" for i in range(8) for size in (1, 2)]
    found = association(x.ravel(), y.ravel(), names=names)
    assert (found.n, found.families, found.exact, found.resamples) == (16, 8, True, 40_320)
    left, right = (each - each.mean() for each in (x, y))
    observed = abs((left * right).sum())
    orders = [np.abs((left[list(order)] * right).sum()) for order in permutations(range(8))]
    assert found.p_value == pytest.approx(np.mean(np.array(orders) >= observed - 1e-12))


def test_families_of_unequal_size_are_tested_by_their_means() -> None:
    generator = np.random.default_rng(6)
    sizes = [1, 2, 3, 1, 2, 3, 1, 2]
    names = [f"kind{chr(97 + i)}-{k + 1}00d" for i, size in enumerate(sizes) for k in range(size)]
    x, y = generator.normal(size=(2, 15))
    found = association(x, y, names=names)
    parts = np.repeat(np.arange(8), sizes)
    first, second = (np.array([each[parts == i].mean() for i in range(8)]) for each in (x, y))
    plain = association(first, second)
    assert found.families == plain.families == 8
    assert found.p_value == pytest.approx(plain.p_value)


def test_models_without_one_of_the_scores_are_left_out() -> None:
    nan = float("nan")
    found = association([1, 2, nan, 3, 4], [1, 3, 9, nan, 2])
    assert found.models == ("m0", "m1", "m4")


def test_a_score_that_is_the_same_for_all_is_refused_with_the_reason() -> None:
    found = association([1, 2, 3, 4], [0.5, 0.5, 0.5, 0.5])
    assert found.r is None
    assert found.p_value is None
    assert found.reason == "the downstream score of all 4 models is 0.5"
    assert association([1, 1, 1], [1, 2, 3]).reason == "the intrinsic score of all 3 models is 1"


def test_two_models_have_no_correlation() -> None:
    found = association([1, 2], [1, 2])
    assert found.reason == "2 models have both scores, and a correlation needs at least 3"
    nan = float("nan")
    assert str(association([1, nan], [nan, 2]).reason).startswith("no model has both scores")


def test_few_families_have_no_interval() -> None:
    x, y = np.random.default_rng(7).normal(size=(2, 8))
    assert association(x[:7], y[:7]).low is None
    assert association(x, y).low is not None


def test_three_models_have_no_interval_and_none_can_be_left_out() -> None:
    found = association([1, 2, 3], [1, 3, 4])
    assert found.r == pytest.approx(stats.pearsonr([1, 2, 3], [1, 3, 4]).statistic)
    assert (found.low, found.without_low) == (None, None)


def test_without_the_one_model_that_differs_there_is_nothing_left() -> None:
    found = association([1, 2, 3, 4, 5], [0, 0, 0, 0, 1])
    assert found.without_low is not None
    assert found.without_low_model != "m4"


def test_the_seed_decides_only_which_orders_of_many_families_are_tried() -> None:
    x, y = np.random.default_rng(3).normal(size=(2, 12))
    assert association(x, y, seed=1) == association(x, y, seed=1)
    assert association(x, y, seed=1).p_value != association(x, y, seed=2).p_value
    assert association(x, y, seed=1).low == association(x, y, seed=2).low
    few = [association(x[:9], y[:9], seed=seed) for seed in range(10)]
    assert all(each == few[0] for each in few)
