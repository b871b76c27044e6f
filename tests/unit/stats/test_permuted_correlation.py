from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from lydite.errors import InputError, UndefinedScoreError
from lydite.stats.correlation_tests import correlation_test, smallest_p_value
from lydite.stats.multiple import holm


def test_by_hand() -> None:
    # r = 1 - 6 * 2 / (4 * 15) = 0.8. Of the 24 orders one has a sum of squared rank differences of
    # 0 and three have 2, so four are as strong; as many are as strong the other way round.
    test = correlation_test([1.0, 2.0, 3.0, 4.0], [1.0, 3.0, 2.0, 4.0], seed=1)
    assert test.r == pytest.approx(0.8)
    assert test.p_value == pytest.approx(8 / 24)
    assert test.exact
    assert test.resamples == 24


@pytest.mark.parametrize("ranked", [False, True])
def test_exact_p_is_that_of_scipy(ranked: bool) -> None:
    generator = np.random.default_rng(3)
    x, y = generator.normal(size=(2, 6))
    of: Any = stats.spearmanr if ranked else stats.pearsonr
    theirs = stats.permutation_test(
        [x],
        lambda each: float(abs(of(each, y).statistic)),
        permutation_type="pairings",
        alternative="greater",
        n_resamples=1000,
    )
    ours = correlation_test(x, y, ranked=ranked, seed=0)
    assert ours.p_value == pytest.approx(theirs.pvalue)
    assert ours.r == pytest.approx(of(x, y).statistic)


def test_sampled_p_is_close_to_the_t_test_of_normal_data() -> None:
    generator = np.random.default_rng(5)
    x = generator.normal(size=21)
    y = 0.4 * x + generator.normal(size=21)
    ours = correlation_test(x, y, resamples=20_000, seed=0)
    assert not ours.exact
    assert ours.p_value == pytest.approx(stats.pearsonr(x, y).pvalue, abs=0.01)


def test_a_perfect_correlation_never_has_p_zero() -> None:
    x = np.arange(20.0)
    assert correlation_test(x, x, resamples=999, seed=0).p_value == pytest.approx(1 / 1000)
    assert smallest_p_value(20, 999) == pytest.approx(1 / 1000)


def test_all_orders_are_tried_where_they_are_few() -> None:
    x = [0.1, 0.5, 0.2, 0.9, 0.7, 0.3, 0.4]
    test = correlation_test(x, x[::-1], resamples=100, seed=0)
    assert test.exact
    assert test.resamples == math.factorial(7)


def test_the_seed_decides() -> None:
    x, y = np.random.default_rng(1).normal(size=(2, 15))
    first = correlation_test(x, y, resamples=500, seed=1)
    assert first == correlation_test(x, y, resamples=500, seed=1)
    assert first != correlation_test(x, y, resamples=500, seed=2)


def test_what_has_no_correlation_is_refused() -> None:
    with pytest.raises(UndefinedScoreError, match="no variance"):
        correlation_test([1.0, 1.0, 1.0], [1.0, 2.0, 3.0], seed=0)
    with pytest.raises(UndefinedScoreError, match="at least 3"):
        correlation_test([1.0, 2.0], [1.0, 2.0], seed=0)
    with pytest.raises(InputError, match="at least 1 resample"):
        correlation_test([1.0, 2.0, 3.0], [1.0, 2.0, 3.0], resamples=0, seed=0)


def test_p_is_uniform_where_there_is_nothing_to_find() -> None:
    generator = np.random.default_rng(7)
    data = generator.standard_exponential(size=(400, 2, 12))
    p = [correlation_test(x, y, resamples=499, seed=1).p_value for x, y in data]
    assert stats.kstest(p, "uniform").pvalue > 0.01
    assert np.mean(np.array(p) < 0.05) == pytest.approx(0.05, abs=0.033)


def test_holm_keeps_the_chance_of_any_false_finding() -> None:
    generator = np.random.default_rng(11)
    # One score set against ten that know nothing, as in a row of a table: the tests are dependent.
    found = 0
    for _ in range(150):
        x, *others = generator.normal(size=(11, 10))
        p = [correlation_test(x, y, resamples=499, seed=1).p_value for y in others]
        found += bool((holm(p) < 0.05).any())
    # 0.05 and three standard errors of 150 draws.
    assert found / 150 < 0.105
