from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lydite.metaevaluation.comparison import Comparison, compare_scores
from lydite.metaevaluation.correlation import Association, Method, associate
from lydite.metaevaluation.scores import Measure, Scores
from lydite.stats.correlation_tests import compare_correlations, difference_interval
from lydite.stats.seeds import child_seed
from lydite.types import Floats

MEN = Measure(
    evaluation="similarity", name="similarity", resource="men", data="", metric="spearman"
)
WS = replace(MEN, resource="ws-353")
SIMLEX = replace(MEN, resource="simlex-999")
POS = Measure(
    evaluation="tagging",
    name="tagging",
    resource="ud-ewt",
    data="",
    metric="accuracy",
    downstream=True,
)
PARSE = replace(POS, evaluation="parsing", name="parsing")
MEASURES = (MEN, WS, SIMLEX, POS, PARSE)


def scores_of(values: Floats) -> Scores:
    models = tuple(f"m{i}" for i in range(len(values)))
    return Scores(models=models, measures=MEASURES, values=values)


def associations(scores: Scores, *methods: Method) -> list[Association]:
    return [
        associate(scores, left, right, method=method, resamples=100, seed=0)
        for method in methods or ("pearson",)
        for left in scores.intrinsic
        for right in scores.downstream
    ]


@pytest.fixture
def values() -> Floats:
    """Twelve models: WS-353 is nearest to tagging, SimLex to parsing."""
    generator = np.random.default_rng(5)
    pos, parse = generator.normal(size=(2, 12))
    noise = generator.normal(size=(3, 12))
    return np.stack(
        [
            pos + parse + noise[0],
            pos + 0.5 * noise[1],
            parse + 0.5 * noise[2],
            pos,
            parse,
        ],
        axis=1,
    )


def pairs(found: tuple[Comparison, ...]) -> list[tuple[str, str, str]]:
    return [(each.first.resource, each.second.resource, each.downstream.name) for each in found]


def test_the_best_of_each_task_is_compared_with_the_others(values: Floats) -> None:
    scores = scores_of(values)
    compared = compare_scores(scores, associations(scores), resamples=100, seed=0)
    assert pairs(compared.comparisons) == [
        ("ws-353", "men", "tagging"),
        ("ws-353", "simlex-999", "tagging"),
        ("simlex-999", "men", "parsing"),
        ("simlex-999", "ws-353", "parsing"),
    ]
    # Three pairs of three scores for each of two tasks.
    assert compared.choices == 6
    assert all(each.difference > 0 for each in compared.comparisons)


def test_all_are_compared_with_the_one_that_is_named(values: Floats) -> None:
    scores = scores_of(values)
    found = associations(scores, "pearson", "spearman")
    compared = compare_scores(scores, found, against=MEN, resamples=100, seed=0)
    assert pairs(compared.comparisons) == 2 * [
        ("ws-353", "men", "tagging"),
        ("simlex-999", "men", "tagging"),
        ("ws-353", "men", "parsing"),
        ("simlex-999", "men", "parsing"),
    ]
    assert [each.method for each in compared.comparisons] == 4 * ["pearson"] + 4 * ["spearman"]
    assert compared.choices == 8


@pytest.mark.parametrize("method", ["pearson", "spearman"])
def test_the_figures_are_those_of_the_models_that_have_all_three(
    values: Floats, method: Method
) -> None:
    values[0, 0] = values[11, 1] = np.nan
    scores = scores_of(values)
    compared = compare_scores(scores, associations(scores, method), resamples=20, seed=4)
    first = compared.comparisons[0]
    assert first.models == tuple(f"m{i}" for i in range(1, 11))
    x, y, z = values[1:11, 1], values[1:11, 0], values[1:11, 3]
    ranked = method == "spearman"
    expected = compare_correlations(
        x, y, z, ranked=ranked, resamples=100, seed=child_seed(4, "exchanges")
    )
    assert (first.r_first, first.r_second) == (expected.first, expected.second)
    assert (first.p_value, first.resamples) == (expected.p_value, 100)
    interval = difference_interval(x, y, z, ranked=ranked)
    assert (first.low, first.high) == (interval.low, interval.high)


def test_under_eight_models_nothing_is_compared(values: Floats) -> None:
    scores = scores_of(values[:7])
    compared = compare_scores(scores, associations(scores), resamples=100, seed=0)
    assert (compared.comparisons, compared.choices) == ((), 0)


def test_two_scores_that_share_too_few_models_are_not_compared(values: Floats) -> None:
    values[:3, 0] = values[-3:, 1] = np.nan
    scores = scores_of(values)
    compared = compare_scores(scores, associations(scores), resamples=100, seed=0)
    assert ("ws-353", "men", "tagging") not in pairs(compared.comparisons)
    # They were there to choose from all the same.
    assert compared.choices == 6


def test_a_perfect_correlation_has_no_interval(values: Floats) -> None:
    values[:, 1] = values[:, 3]
    scores = scores_of(values)
    first = compare_scores(scores, associations(scores), resamples=100, seed=0).comparisons[0]
    assert first.r_first == pytest.approx(1)
    assert (first.low, first.high) == (None, None)


def test_a_named_score_without_a_correlation_is_compared_with_none(values: Floats) -> None:
    values[:, 0] = 0.5
    scores = scores_of(values)
    compared = compare_scores(scores, associations(scores), against=MEN, resamples=100, seed=0)
    assert (compared.comparisons, compared.choices) == ((), 0)
