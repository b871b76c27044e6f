from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from lydite.errors import InputError, UndefinedScoreError
from lydite.stats.auc import ScoreLevels, auc, roc_curve

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
