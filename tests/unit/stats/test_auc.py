from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from lydite.errors import InputError, UndefinedScoreError
from lydite.stats.auc import (
    Jackknifed,
    ScoreLevels,
    auc,
    auc_interval,
    components,
    jackknife_interval,
    roc_curve,
)

SCORES = st.lists(st.integers(-5, 5).map(float), min_size=1, max_size=20)


@given(SCORES, SCORES)
def test_auc_is_the_share_of_comparisons_won(high: list[float], low: list[float]) -> None:
    won = sum((h > x) + (h == x) / 2 for h in high for x in low)
    assert auc(high, low) == pytest.approx(won / (len(high) * len(low)), abs=1e-12)


@given(SCORES, SCORES)
def test_auc_of_the_sides_exchanged_is_the_rest(high: list[float], low: list[float]) -> None:
    assert auc(high, low) + auc(low, high) == pytest.approx(1)


@given(SCORES, SCORES)
def test_the_area_below_the_curve_is_the_auc(high: list[float], low: list[float]) -> None:
    curve = roc_curve(high, low)
    area = np.trapezoid(curve.true, curve.false)
    assert float(area) == pytest.approx(auc(high, low), abs=1e-12)
    assert (curve.false[0], curve.true[0], curve.false[-1], curve.true[-1]) == (0, 0, 1, 1)


def test_auc_by_hand() -> None:
    # Of the six comparisons 5>1, 5>3, 5>5 (tie), 3>1, 3>3 (tie), 3>5 three are won and two tied.
    assert auc([5.0, 3.0], [1.0, 3.0, 5.0]) == 4 / 6


def test_auc_equals_mann_whitney() -> None:
    generator = np.random.default_rng(3)
    high = generator.integers(0, 20, size=70)
    low = generator.integers(0, 15, size=90)
    expected = stats.mannwhitneyu(high, low).statistic / (70 * 90)
    assert auc(high, low) == expected


def test_auc_and_curve_are_those_of_scikit_learn() -> None:
    from sklearn.metrics import roc_auc_score  # type: ignore[import-untyped]

    generator = np.random.default_rng(1)
    scores = generator.normal(size=500).round(1)
    labels = generator.random(500) < 0.3
    expected = roc_auc_score(labels, scores)
    assert auc(scores[labels], scores[~labels]) == pytest.approx(expected, abs=1e-14)


def test_an_order_that_keeps_scores_keeps_the_auc() -> None:
    generator = np.random.default_rng(2)
    high, low = generator.normal(0.3, size=50), generator.normal(size=80)
    assert auc(np.exp(high), np.exp(low)) == auc(high, low)


def test_pairs_of_sentences_by_hand() -> None:
    # E = {0, 1}, NE = {2}. H has s01 and s10, both 0.5; L has s02 = 0.5 and s12 = 0.1.
    # Each score of H ties with s02 and beats s12: (2 * 0.5 + 2 * 1) / 4 = 0.75.
    scores = np.array([[1.0, 0.5, 0.5], [0.5, 1.0, 0.1], [0.5, 0.1, 1.0]])
    levels = ScoreLevels.of(scores)
    assert levels.auc(np.array([1, 1, 0]), np.array([0, 0, 1])) == 0.75
    # Sentence 1 three times: its copies are no pairs; s01 and s10 count three times each, s12 too.
    # L: s02 (weight 1), s12 (weight 3). AUC = (0.5 * 1 + 1 * 3) / 4.
    assert levels.auc(np.array([1, 3, 0]), np.array([0, 0, 1])) == 0.875


def test_pairs_of_sentences_are_as_when_written_out() -> None:
    generator = np.random.default_rng(3)
    vectors = generator.normal(size=(30, 4))
    scores = (vectors @ vectors.T).round(1)
    positive = np.arange(30) < 11
    high = scores[np.ix_(positive, positive)][~np.eye(11, dtype=bool)]
    low = scores[np.ix_(positive, ~positive)].ravel()
    found = ScoreLevels.of(scores).auc(positive.astype(int), (~positive).astype(int))
    assert found == pytest.approx(auc(high, low), abs=1e-14)


def test_leaving_each_sentence_out_is_as_without_it() -> None:
    generator = np.random.default_rng(4)
    vectors = generator.normal(size=(14, 3))
    levels = ScoreLevels.of((vectors @ vectors.T).round(1))
    positive = np.arange(14) < 6
    for i, area in enumerate(levels.left_out(positive)):
        kept = np.arange(14) != i
        expected = levels.auc(positive & kept, ~positive & kept)
        assert area == pytest.approx(expected, abs=1e-14)


def test_too_few_sentences_have_no_auc() -> None:
    levels = ScoreLevels.of(np.eye(3))
    assert np.isnan(levels.auc(np.array([2, 0, 0]), np.array([0, 1, 1])))
    assert np.isnan(levels.auc(np.array([1, 1, 0]), np.array([0, 0, 0])))


def test_scores_that_are_none_are_refused() -> None:
    with pytest.raises(UndefinedScoreError, match="low has 0"):
        auc([1.0], [])
    with pytest.raises(InputError, match="NaN"):
        auc([1.0, float("nan")], [1.0])


def test_many_samples_at_once_are_what_each_is_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lydite.stats.auc._CELLS", 3 * 81)
    generator = np.random.default_rng(3)
    levels = ScoreLevels.of(generator.integers(5, size=(9, 9)).astype(np.float64))
    positive = generator.integers(3, size=(10, 9))
    negative = np.where(positive == 0, generator.integers(3, size=(10, 9)), 0)
    # Nobody in E, and one sentence alone: there is no AUC.
    positive[4], positive[5] = 0, np.eye(9, dtype=np.int64)[2] * 2
    together = levels.aucs(positive, negative)
    alone = [levels.auc(c, d) for c, d in zip(positive, negative, strict=True)]
    np.testing.assert_allclose(together, alone, rtol=1e-13, equal_nan=True)
    assert np.isnan(together[4:6]).all()


def test_components_are_the_shares_of_comparisons_won() -> None:
    generator = np.random.default_rng(11)
    scores = generator.integers(0, 6, 30).astype(float)
    similar = generator.random(30) < 0.4
    found = components(scores, similar)
    for i, score in enumerate(scores):
        others = scores[~similar] if similar[i] else scores[similar]
        sign = 1 if similar[i] else -1
        won = [(sign * (score - other) > 0) + (score == other) / 2 for other in others]
        assert found[i] == pytest.approx(np.mean(won))
    for side in (similar, ~similar):
        assert found[side].mean() == pytest.approx(auc(scores[similar], scores[~similar]))


def newcombe(area: float, m: float, n: float, t: float) -> tuple[float, float]:
    """The areas that are not ruled out, by looking at all of them."""
    grid = np.linspace(0, 1, 200_001)
    more = (m + n) / 2 - 1
    variance = grid * (1 - grid) / (m * n)
    variance *= 1 + more * (1 - grid) / (2 - grid) + more * grid / (1 + grid)
    kept = grid[(grid - area) ** 2 <= t**2 * variance]
    return float(kept.min()), float(kept.max())


def test_independent_pairs_have_newcombes_interval() -> None:
    # 12 and 9 pairs, each its own cluster, in perfect order but for one: DeLong's variance is below
    # Hanley and McNeil's, so the design effect is 1. Student's t with 2 (12 + 9 - 2) = 38 degrees.
    scores = np.array([*range(20, 8, -1), *range(8, -1, -1)], dtype=float)
    scores[[11, 12]] = scores[[12, 11]]
    similar = np.arange(21) < 12
    ends = auc_interval(scores, similar, np.arange(21))
    assert ends is not None
    expected = newcombe(107 / 108, 12, 9, float(stats.t(38).ppf(0.975)))
    assert (ends.low, ends.high) == pytest.approx(expected, abs=1e-4)


def test_pairs_of_one_cluster_that_agree_count_once() -> None:
    generator = np.random.default_rng(12)
    luck = generator.normal(size=40)
    similar = np.arange(40) < 20
    once = auc_interval(luck + similar, similar, np.arange(40))
    five = auc_interval(np.repeat(luck + similar, 5), similar.repeat(5), np.arange(40).repeat(5))
    apart = auc_interval(np.repeat(luck + similar, 5), similar.repeat(5), np.arange(200))
    assert once is not None
    assert five is not None
    assert apart is not None
    assert five.high - five.low == pytest.approx(once.high - once.low, rel=0.1)
    assert apart.high - apart.low < 0.6 * (five.high - five.low)


@pytest.mark.parametrize("count", [1, 2])
def test_fewer_than_three_clusters_on_a_side_have_no_interval(count: int) -> None:
    similar = np.arange(20) < 10
    clusters = np.where(similar, np.arange(20), 10 + np.arange(20) % count)
    assert auc_interval(np.arange(20.0), similar, clusters) is None
    assert auc_interval(np.arange(20.0), ~similar, clusters) is None


def test_a_perfect_area_is_not_certain() -> None:
    for clusters in (np.arange(12), np.arange(12) // 2):
        ends = auc_interval(-np.arange(12.0), np.arange(12) < 6, clusters)
        assert ends is not None
        assert ends.low < 0.7
        assert ends.high == 1
    part = Jackknifed(area=1.0, counts=(6, 6), variances=(0.0, 0.0))
    ends = jackknife_interval([part])
    assert ends is not None
    # Wilson's of 12 trials with t(5): 1 / (1 + t^2 / 12).
    assert ends.low == pytest.approx(1 / (1 + float(stats.t(5).ppf(0.975)) ** 2 / 12), abs=1e-6)


def test_the_jackknife_by_loops() -> None:
    generator = np.random.default_rng(13)
    scores = generator.random((9, 9)).round(1)
    positive = np.arange(9) < 5

    def area(kept: list[int]) -> float:
        inside = [i for i in kept if positive[i]]
        high = [scores[i, j] for i in inside for j in inside if i != j]
        return auc(high, [scores[i, j] for i in inside for j in kept if not positive[j]])

    found = ScoreLevels.of(scores).jackknifed(positive)
    assert found.area == pytest.approx(area(list(range(9))))
    for side, variance in zip((range(5), range(5, 9)), found.variances, strict=True):
        without = np.array([area([k for k in range(9) if k != i]) for i in side])
        expected = (len(side) - 1) / len(side) * ((without - without.mean()) ** 2).sum()
        assert variance == pytest.approx(expected)


def test_the_mean_of_entity_pairs_by_hand() -> None:
    parts = [
        Jackknifed(area=0.6, counts=(10, 8), variances=(0.004, 0.002)),
        Jackknifed(area=0.8, counts=(6, 5), variances=(0.003, 0.001)),
    ]
    ends = jackknife_interval(parts)
    assert ends is not None
    # The variance is .01 / 4; Satterthwaite: .01^2 / (.004^2/9 + .002^2/7 + .003^2/5 + .001^2/4).
    df = 0.01**2 / (0.004**2 / 9 + 0.002**2 / 7 + 0.003**2 / 5 + 0.001**2 / 4)
    t, trials = float(stats.t(df).ppf(0.975)), 0.7 * 0.3 / 0.0025
    middle = (0.7 + t**2 / (2 * trials)) / (1 + t**2 / trials)
    half = t / (1 + t**2 / trials) * np.sqrt(0.21 / trials + t**2 / (4 * trials**2))
    assert (ends.low, ends.high) == pytest.approx((middle - half, middle + half), abs=1e-6)
    few = Jackknifed(area=0.6, counts=(10, 2), variances=(0.004, 0.002))
    assert jackknife_interval([*parts, few]) is None
