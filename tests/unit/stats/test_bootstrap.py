from __future__ import annotations

import dataclasses
import json
import logging
from itertools import product
from typing import Literal, get_args

import numpy as np
import pytest
from scipy import stats

from lydite.errors import InputError, UndefinedScoreError
from lydite.stats import bootstrap as resampling
from lydite.stats.bootstrap import Method, Statistic, bootstrap_interval, bootstrap_replicates
from lydite.stats.correlation import pearson_rows, resampled_spearman
from lydite.types import Floats, Indices

SCORES = np.random.default_rng(1).gamma(2.0, size=40)
X = np.random.default_rng(2).normal(size=60)
Y = X + np.random.default_rng(3).normal(size=60)
UNEVEN = np.array([7, 7, 7, 7, -2, 5, 5, 9, 9, 9])
METHODS: tuple[Method, ...] = get_args(Method)


def mean_of(values: Floats) -> Statistic:
    def statistic(indices: Indices) -> Floats:
        return np.asarray(values[indices].mean(axis=1))

    return statistic


def pearson_of_items(indices: Indices) -> Floats:
    return pearson_rows(X[indices], Y[indices])


def scipy_pearson(a: Floats, b: Floats, axis: int = -1) -> Floats:
    return np.asarray(stats.pearsonr(a, b, axis=axis).statistic)


@pytest.mark.parametrize("method", ["percentile", "bca"])
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_interval_equals_scipys_on_the_same_replicates(
    method: Literal["percentile", "bca"], level: float
) -> None:
    replicates = bootstrap_replicates(pearson_of_items, 60, resamples=500, seed=4)
    some = stats.bootstrap((X, Y), scipy_pearson, paired=True, n_resamples=9, rng=1)
    given = dataclasses.replace(some, bootstrap_distribution=replicates)
    expected = stats.bootstrap(
        (X, Y),
        scipy_pearson,
        paired=True,
        method=method,
        confidence_level=level,
        n_resamples=0,
        bootstrap_result=given,
    ).confidence_interval
    interval = bootstrap_interval(
        pearson_of_items, 60, method=method, resamples=500, level=level, seed=4
    )
    assert interval.low == pytest.approx(float(expected.low), abs=1e-12)
    assert interval.high == pytest.approx(float(expected.high), abs=1e-12)


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_interval_agrees_with_scipys_own_draws(method: Literal["percentile", "bca"]) -> None:
    expected = stats.bootstrap(
        (SCORES,), np.mean, method=method, n_resamples=20_000, batch=2000, rng=5
    ).confidence_interval
    interval = bootstrap_interval(mean_of(SCORES), 40, method=method, resamples=20_000, seed=6)
    # Over 40 seeds the upper ends of BCa differed by a standard deviation of 0.05 standard errors,
    # the others by less, and none on average; this allows four.
    tolerance = 0.2 * SCORES.std() / np.sqrt(40)
    assert interval.low == pytest.approx(float(expected.low), abs=tolerance)
    assert interval.high == pytest.approx(float(expected.high), abs=tolerance)


def test_normal_interval_by_its_formula() -> None:
    replicates = bootstrap_replicates(mean_of(SCORES), 40, resamples=300, seed=7)
    reach = stats.norm.ppf(0.95) * replicates.std(ddof=1)
    interval = bootstrap_interval(
        mean_of(SCORES), 40, method="normal", resamples=300, level=0.9, seed=7
    )
    assert interval.low == pytest.approx(SCORES.mean() - reach)
    assert interval.high == pytest.approx(SCORES.mean() + reach)


def test_bca_shifts_towards_the_long_tail() -> None:
    plain = bootstrap_interval(mean_of(SCORES), 40, seed=8)
    corrected = bootstrap_interval(mean_of(SCORES), 40, method="bca", seed=8)
    assert corrected.low > plain.low
    assert corrected.high > plain.high


@pytest.mark.parametrize("clusters", [None, np.arange(60) // 7])
@pytest.mark.parametrize("method", METHODS)
def test_same_seed_same_bits_whatever_the_blocks(
    monkeypatch: pytest.MonkeyPatch, method: Method, clusters: Indices | None
) -> None:
    statistic = resampled_spearman(X, Y)

    def interval(seed: int) -> object:
        return bootstrap_interval(
            statistic, 60, method=method, clusters=clusters, resamples=101, seed=seed
        )

    whole = interval(9)
    assert interval(9) == whole
    assert interval(10) != whole
    for elements in (1, 130, 1000):
        monkeypatch.setattr(resampling, "BLOCK_ELEMENTS", elements)
        assert interval(9) == whole


def test_whole_clusters_are_drawn() -> None:
    seen: list[list[int]] = []

    def statistic(indices: Indices) -> Floats:
        seen.extend(sorted(row) for row in indices.tolist())
        return np.asarray(indices.mean(axis=1))

    replicates = bootstrap_replicates(statistic, 10, clusters=UNEVEN, resamples=200, seed=11)
    for row in seen:
        counts = np.bincount(row, minlength=10)
        for label in np.unique(UNEVEN):
            assert len(set(counts[label == UNEVEN])) == 1
        assert sum(counts[np.unique(UNEVEN, return_index=True)[1]]) == 4
    assert replicates.shape == (200,)


def test_cluster_replicates_equal_joining_the_drawn_clusters() -> None:
    values = np.random.default_rng(12).normal(size=10)
    members = [np.flatnonzero(label == UNEVEN) for label in np.unique(UNEVEN)]
    draws = np.random.default_rng(13).integers(0, 4, size=(300, 4))
    expected = [values[np.concatenate([members[unit] for unit in row])].mean() for row in draws]
    replicates = bootstrap_replicates(mean_of(values), 10, clusters=UNEVEN, resamples=300, seed=13)
    np.testing.assert_allclose(replicates, expected, rtol=1e-13)


def test_cluster_draws_are_uniform_over_all_draws() -> None:
    values = np.array([1.0, 10.0, 10.0, 100.0, 100.0, 100.0])
    labels = np.array([0, 1, 1, 2, 2, 2])
    members = [values[labels == label] for label in range(3)]
    every = [
        np.concatenate([members[i] for i in draw]).mean() for draw in product(range(3), repeat=3)
    ]
    kinds, expected = np.unique(np.round(every, 9), return_counts=True)
    replicates = bootstrap_replicates(mean_of(values), 6, clusters=labels, resamples=5400, seed=14)
    found, counts = np.unique(np.round(replicates, 9), return_counts=True)
    np.testing.assert_array_equal(found, kinds)
    assert stats.chisquare(counts, expected * 200).pvalue > 0.001


@pytest.mark.parametrize("method", METHODS)
def test_copies_of_an_item_in_one_cluster_add_no_certainty(method: Method) -> None:
    single = bootstrap_interval(mean_of(SCORES), 40, method=method, resamples=200, seed=15)
    copies = bootstrap_interval(
        mean_of(np.repeat(SCORES, 3)),
        120,
        method=method,
        clusters=np.repeat(np.arange(40), 3),
        resamples=200,
        seed=15,
    )
    assert copies.low == pytest.approx(single.low)
    assert copies.high == pytest.approx(single.high)


def test_jackknife_of_bca_leaves_out_whole_clusters() -> None:
    rows: list[tuple[int, ...]] = []

    def statistic(indices: Indices) -> Floats:
        rows.extend(tuple(sorted(row)) for row in indices.tolist())
        return np.asarray(indices.mean(axis=1))

    bootstrap_interval(statistic, 10, method="bca", clusters=UNEVEN, resamples=50, seed=16)
    # The last calls are the jackknife's: one row a cluster.
    left_out = {tuple(sorted(set(range(10)) - set(row))) for row in rows[-4:]}
    assert left_out == {(0, 1, 2, 3), (4,), (5, 6), (7, 8, 9)}


def undefined_above(limit: float) -> Statistic:
    def statistic(indices: Indices) -> Floats:
        means = SCORES[indices].mean(axis=1)
        return np.where(means > limit, np.nan, means)

    return statistic


def test_many_undefined_resamples_are_refused_with_their_number() -> None:
    limit = float(np.quantile(bootstrap_replicates(mean_of(SCORES), 40, seed=17), 0.9))
    with pytest.raises(UndefinedScoreError, match="undefined in 200 of 2000 resamples"):
        bootstrap_interval(undefined_above(limit), 40, seed=17)


def test_few_undefined_resamples_are_left_out_and_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    replicates = bootstrap_replicates(mean_of(SCORES), 40, seed=17)
    limit = float(np.quantile(replicates, 0.97))
    with caplog.at_level(logging.WARNING):
        interval = bootstrap_interval(undefined_above(limit), 40, seed=17)
    assert interval.high == np.quantile(replicates[replicates <= limit], 0.975)
    assert "60 of 2000 resamples are undefined" in caplog.text


def test_an_undefined_estimate_is_refused() -> None:
    with pytest.raises(UndefinedScoreError, match="the statistic of all 40 items is nan"):
        bootstrap_interval(lambda indices: np.full(len(indices), np.nan), 40, seed=1)


@pytest.mark.parametrize("method", METHODS)
def test_a_statistic_without_variance_has_a_point_as_interval(method: Method) -> None:
    interval = bootstrap_interval(mean_of(np.ones(12)), 12, method=method, seed=1)
    assert (interval.low, interval.high) == (1.0, 1.0)


def test_bca_of_a_maximum_is_refused() -> None:
    # The maximum of distinct values is in 1 - 1/e of the resamples and never exceeded; as an
    # estimate a little above it every resample lies below.
    def statistic(indices: Indices) -> Floats:
        complete = np.sort(indices, axis=1) == np.arange(indices.shape[1])
        return np.where(complete.all(axis=1), 2.0, SCORES[indices].max(axis=1) / SCORES.max())

    with pytest.raises(UndefinedScoreError, match="one side of the estimate"):
        bootstrap_interval(statistic, 40, method="bca", seed=1)


@pytest.mark.parametrize(
    ("n", "clusters", "reason"),
    [(1, None, "at least 2 items, got 1"), (5, np.zeros(5), "at least 2 clusters, got 1")],
)
def test_a_single_unit_is_refused(n: int, clusters: Floats | None, reason: str) -> None:
    with pytest.raises(UndefinedScoreError, match=reason):
        bootstrap_interval(mean_of(SCORES), n, clusters=clusters, seed=1)


def test_wrong_arguments_are_refused() -> None:
    statistic = mean_of(SCORES)
    with pytest.raises(InputError, match="'basic'"):
        bootstrap_interval(statistic, 40, method="basic", seed=1)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="level between 0 and 1, got 95"):
        bootstrap_interval(statistic, 40, level=95, seed=1)
    with pytest.raises(InputError, match="at least 2 resamples, got 0"):
        bootstrap_interval(statistic, 40, resamples=0, seed=1)
    with pytest.raises(InputError, match="expected 40 cluster labels"):
        bootstrap_interval(statistic, 40, clusters=[1, 2], seed=1)
    with pytest.raises(InputError, match=r"got shape \(1, 40\)"):
        bootstrap_interval(lambda indices: SCORES[indices], 40, seed=1)


def test_an_interval_is_plain_data() -> None:
    interval = bootstrap_interval(mean_of(SCORES), 40, method="bca", resamples=50, seed=1)
    record = dataclasses.asdict(interval)
    assert json.loads(json.dumps(record)) == record
    assert (record["level"], record["method"]) == (0.95, "bca")
    assert type(interval.low) is float
