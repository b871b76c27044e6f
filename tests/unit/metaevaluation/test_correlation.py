from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from lydite.metaevaluation.correlation import Association, Method, associate
from lydite.metaevaluation.scores import Measure, Scores
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
    x: list[float] | Floats, y: list[float] | Floats, method: Method = "pearson", seed: int = 0
) -> Association:
    values = np.stack([np.asarray(x, float), np.asarray(y, float)], axis=1)
    models = tuple(f"m{i}" for i in range(len(values)))
    scores = Scores(models=models, measures=(MEN, POS), values=values)
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


def test_the_interval_is_close_to_scipys_bca() -> None:
    generator = np.random.default_rng(4)
    x = generator.normal(size=30)
    y = x + generator.normal(size=30)
    found = association(x, y)
    theirs = stats.bootstrap(
        (x, y),
        lambda a, b: stats.pearsonr(a, b).statistic,
        paired=True,
        vectorized=False,
        n_resamples=2000,
        method="BCa",
        rng=np.random.default_rng(1),
    ).confidence_interval
    assert found.interval_method == "bca"
    assert found.degenerate == 0
    assert found.low == pytest.approx(theirs.low, abs=0.04)
    assert found.high == pytest.approx(theirs.high, abs=0.04)


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


def test_degenerate_resamples_are_counted() -> None:
    # One resample in 64 of four models holds one model alone: 312 of 20,000.
    found = association([1, 2, 3, 5], [1, 3, 2, 4])
    assert 200 < found.degenerate < 430
    assert found.interval_method == "percentile"
    assert found.low is not None


def test_three_models_have_no_interval_and_none_can_be_left_out() -> None:
    found = association([1, 2, 3], [1, 3, 4])
    assert found.r == pytest.approx(stats.pearsonr([1, 2, 3], [1, 3, 4]).statistic)
    assert (found.low, found.without_low) == (None, None)
    assert found.degenerate > 100


def test_without_the_one_model_that_differs_there_is_nothing_left() -> None:
    found = association([1, 2, 3, 4, 5], [0, 0, 0, 0, 1])
    assert found.without_low is not None
    assert found.without_low_model != "m4"


def test_the_seed_decides() -> None:
    x, y = np.random.default_rng(3).normal(size=(2, 12))
    assert association(x, y, seed=1) == association(x, y, seed=1)
    assert association(x, y, seed=1).low != association(x, y, seed=2).low
