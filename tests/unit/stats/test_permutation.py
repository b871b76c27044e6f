from __future__ import annotations

import dataclasses
import json
from typing import get_args

import numpy as np
import pytest
from scipy import stats

from lydite.errors import InputError, UndefinedScoreError
from lydite.stats import bootstrap as resampling
from lydite.stats.correlation import spearman_rows
from lydite.stats.permutation import Alternative, paired_permutation_test, row_means
from lydite.types import Floats

ALTERNATIVES: tuple[Alternative, ...] = get_args(Alternative)
GENERATOR = np.random.default_rng(1)
A = GENERATOR.normal(size=30) + 0.4
B = GENERATOR.normal(size=30)
GOLD = np.arange(8.0)


def mean_difference(a: Floats, b: Floats, axis: int = -1) -> Floats:
    return np.asarray(a.mean(axis=axis) - b.mean(axis=axis))


def rho_with_gold(scores: Floats) -> Floats:
    return spearman_rows(scores, GOLD)


def rho_difference(a: Floats, b: Floats, axis: int = -1) -> Floats:
    first, second = np.moveaxis(a, axis, -1), np.moveaxis(b, axis, -1)
    shape = first.shape[:-1]
    rows = rho_with_gold(first.reshape(-1, 8)) - rho_with_gold(second.reshape(-1, 8))
    return rows.reshape(shape)


def test_exact_test_by_hand() -> None:
    # Differences 1, 2, -1, sum 2. The 8 sums of +-1 +-2 +-1 are 4, 2, 2, 0, 0, -2, -2, -4: six are
    # at least 2 in size, three are at least 2, seven are at most 2.
    a, b = [2.0, 4.0, 1.0], [1.0, 2.0, 2.0]
    test = paired_permutation_test(row_means, a, b, seed=1)
    assert test.difference == pytest.approx(2 / 3)
    assert (test.p_value, test.exact, test.resamples) == (6 / 8, True, 8)
    greater = paired_permutation_test(row_means, a, b, seed=1, alternative="greater")
    assert greater.p_value == 3 / 8
    less = paired_permutation_test(row_means, a, b, seed=1, alternative="less")
    assert less.p_value == 7 / 8


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_exact_test_equals_scipy(alternative: Alternative) -> None:
    expected = stats.permutation_test(
        (A[:9], B[:9]),
        mean_difference,
        permutation_type="samples",
        alternative=alternative,
        vectorized=True,
        n_resamples=1000,
    )
    test = paired_permutation_test(
        row_means, A[:9], B[:9], seed=1, alternative=alternative, resamples=512
    )
    assert test.exact
    assert test.difference == pytest.approx(expected.statistic)
    assert test.p_value == pytest.approx(expected.pvalue)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_a_statistic_that_is_no_mean_equals_scipy(alternative: Alternative) -> None:
    a, b = stats.rankdata(A[:8]), stats.rankdata(B[:8])
    expected = stats.permutation_test(
        (a, b),
        rho_difference,
        permutation_type="samples",
        alternative=alternative,
        vectorized=True,
        n_resamples=1000,
    )
    test = paired_permutation_test(rho_with_gold, a, b, seed=1, alternative=alternative)
    assert test.p_value == pytest.approx(expected.pvalue)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_random_test_agrees_with_scipys(alternative: Alternative) -> None:
    expected = stats.permutation_test(
        (A, B),
        mean_difference,
        permutation_type="samples",
        alternative=alternative,
        vectorized=True,
        n_resamples=10_000,
        batch=1000,
        rng=2,
    )
    test = paired_permutation_test(row_means, A, B, seed=3, alternative=alternative)
    assert not test.exact
    # Each p has a standard error of at most 0.005, SciPy's doubled one of 0.01: four of both.
    assert test.p_value == pytest.approx(float(expected.pvalue), abs=0.045)


def test_random_swaps_agree_with_all_swaps() -> None:
    every = paired_permutation_test(row_means, A[:12], B[:12], seed=1, resamples=4096)
    some = paired_permutation_test(row_means, A[:12], B[:12], seed=1, resamples=4095)
    assert (every.exact, some.exact) == (True, False)
    assert some.p_value == pytest.approx(every.p_value, abs=4 * 0.5 / np.sqrt(4095))


def test_p_is_never_zero() -> None:
    # Exchanges of any statistic but a mean are drawn; those of means are counted.
    drawn = paired_permutation_test(
        lambda scores: scores.sum(axis=-1), np.ones(200), np.zeros(200), resamples=999, seed=1
    )
    assert (drawn.difference, drawn.p_value) == (200.0, 1 / 1000)
    assert drawn.p_low == 0 < drawn.p_value < drawn.p_high
    counted = paired_permutation_test(row_means, np.ones(200), np.zeros(200), resamples=999, seed=1)
    assert (counted.difference, counted.p_value) == (1.0, 2 / 2**200)
    many = paired_permutation_test(row_means, np.ones(3000), np.zeros(3000), seed=1)
    assert 0 < many.p_value < 1e-300


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("parts", [1, 5, 12])
def test_counted_exchanges_are_those_enumerated(alternative: Alternative, parts: int) -> None:
    # Sixteen groups of 48 items, with scores in ones, fifths or twelfths: 2^16 exchanges are
    # tried one by one, or counted where fewer are allowed.
    generator = np.random.default_rng(parts)
    a, b = generator.integers(0, parts + 1, (2, 48)) / parts
    groups = np.repeat(np.arange(16), 3)
    tried, counted = (
        paired_permutation_test(
            row_means, a, b, seed=1, clusters=groups, alternative=alternative, resamples=most
        )
        for most in (2**16, 100)
    )
    assert tried.exact
    assert counted.exact
    assert (counted.p_low, counted.p_high) == (counted.p_value, counted.p_value)
    assert counted.p_value == pytest.approx(tried.p_value, rel=1e-12)
    assert counted.difference == pytest.approx(tried.difference)


def test_the_ends_of_a_drawn_p_hold_the_exact_one() -> None:
    exact = paired_permutation_test(row_means, A[:16], B[:16], seed=1, resamples=2**16)
    drawn = [
        paired_permutation_test(row_means, A[:16], B[:16], seed=seed, resamples=2000)
        for seed in range(200)
    ]
    # 99.9 % certain: of 200, two outside would happen once in sixty times.
    assert sum(not each.p_low <= exact.p_value <= each.p_high for each in drawn) <= 1
    width = np.mean([each.p_high - each.p_low for each in drawn])
    assert width < 7 * np.sqrt(0.25 / 2000)


def test_equal_scores_have_p_one() -> None:
    test = paired_permutation_test(row_means, A, A, seed=1)
    assert (test.difference, test.p_value) == (0.0, 1.0)


def test_rounding_parts_no_ties() -> None:
    # All differences are 0.1 in size, though not to the last bit, and sum to 0.1: every sum of
    # three is as large in size, and those four with at least two plus signs are as large.
    test = paired_permutation_test(row_means, [0.1, 0.3, 0.7], [0.0, 0.2, 0.8], seed=1)
    assert test.p_value == 1.0
    one_sided = paired_permutation_test(
        row_means, [0.1, 0.3, 0.7], [0.0, 0.2, 0.8], seed=1, alternative="greater"
    )
    assert one_sided.p_value == 4 / 8


@pytest.mark.parametrize("n", [10, 30])
def test_same_seed_same_bits_whatever_the_blocks(monkeypatch: pytest.MonkeyPatch, n: int) -> None:
    def test(seed: int) -> object:
        return paired_permutation_test(row_means, A[:n], B[:n], resamples=1500, seed=seed)

    whole = test(4)
    for elements in (1, 70, 1000):
        monkeypatch.setattr(resampling, "BLOCK_ELEMENTS", elements)
        assert test(4) == whole
    assert (test(5) == whole) == (n == 10)


def test_each_item_is_swapped_half_the_time_and_alone() -> None:
    swaps: list[Floats] = []

    def statistic(scores: Floats) -> Floats:
        swaps.append(scores)
        return row_means(scores)

    paired_permutation_test(statistic, np.zeros(70), np.ones(70), resamples=4000, seed=6)
    # The first two calls see the scores as they are; then come the two sides of each block.
    drawn = np.vstack(swaps[2::2])
    assert drawn.shape == (4000, 70)
    assert np.abs(drawn.mean(axis=0) - 0.5).max() < 4.5 * 0.5 / np.sqrt(4000)
    correlations = np.corrcoef(drawn, rowvar=False) - np.eye(70)
    assert np.abs(correlations).max() < 5 / np.sqrt(4000)
    np.testing.assert_array_equal(drawn + np.vstack(swaps[3::2]), 1.0)


def test_a_cluster_is_exchanged_as_a_whole() -> None:
    single = paired_permutation_test(row_means, A[:9], B[:9], seed=1)
    copies = paired_permutation_test(
        row_means,
        np.repeat(A[:9], 3),
        np.repeat(B[:9], 3),
        clusters=np.repeat(np.arange(9) - 4, 3),
        seed=1,
    )
    assert copies.exact
    assert copies.p_value == single.p_value


def test_undefined_exchanges_count_as_extreme_or_are_refused() -> None:
    a, b = np.arange(1.0, 9.0), np.zeros(8)

    def undefined_if_sum_is(total: float) -> float:
        def statistic(scores: Floats) -> Floats:
            return np.where(scores.sum(axis=1) == total, np.nan, row_means(scores))

        return paired_permutation_test(statistic, a, b, seed=1).p_value

    # One side sums to 36 and the other to 0, both ways: 2 of 256. A sum of 2 on one side or the
    # other is found in 2 of the exchanges more, 18 on both sides at once in 14.
    assert undefined_if_sum_is(-1.0) == 2 / 256
    assert undefined_if_sum_is(2.0) == 4 / 256
    with pytest.raises(UndefinedScoreError, match="undefined in 14 of 256 exchanges"):
        undefined_if_sum_is(18.0)
    with pytest.raises(UndefinedScoreError, match=r"two sides are nan and 0\.0"):
        undefined_if_sum_is(36.0)


def test_wrong_input_is_refused() -> None:
    with pytest.raises(InputError, match=r"\(3,\) and \(2,\)"):
        paired_permutation_test(row_means, [1.0, 2.0, 3.0], [1.0, 2.0], seed=1)
    with pytest.raises(UndefinedScoreError, match="got 2 items, 1 of them with NaN"):
        paired_permutation_test(row_means, [1.0, 2.0], [np.nan, 2.0], seed=1)
    with pytest.raises(UndefinedScoreError, match="got 0 items"):
        paired_permutation_test(row_means, [], [], seed=1)
    with pytest.raises(InputError, match="at least 1 resample, got 0"):
        paired_permutation_test(row_means, A, B, resamples=0, seed=1)
    with pytest.raises(InputError, match="'both'"):
        paired_permutation_test(row_means, A, B, alternative="both", seed=1)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="expected 30 cluster labels"):
        paired_permutation_test(row_means, A, B, clusters=[1], seed=1)
    with pytest.raises(InputError, match="one number for each of 1 rows"):
        paired_permutation_test(lambda scores: scores, A, B, seed=1)


def test_an_outcome_is_plain_data() -> None:
    record = dataclasses.asdict(paired_permutation_test(row_means, A, B, resamples=50, seed=1))
    assert json.loads(json.dumps(record)) == record
