from __future__ import annotations

from collections.abc import Callable

from lydite.drawing.section import baseline_note, plain_section
from lydite.evaluations import EVALUATIONS
from lydite.reports.page import stands_out, verdict_table
from lydite.results.metrics import metric_named, metric_of, say_direction
from lydite.results.record import Result
from lydite.results.trials import trials


def test_digits_follow_the_metric_and_no_zero_is_negative() -> None:
    assert metric_named("spearman", "similarity").write(0.26457) == "0.265"
    assert metric_named("qvec", "qvec").write(8.086396) == "8.0864"
    assert metric_named("spearman", "similarity").write(-0.0004) == "0.000"


def test_each_evaluation_titles_its_own_scores(make_result: Callable[..., Result]) -> None:
    result = make_result(evaluation="qvec(method=cca-first)", metric="cca-first")
    assert metric_of(result).title == "first canonical correlation"
    assert metric_of(result, "explained").title == "variance explained"
    for name in EVALUATIONS:
        for metric in EVALUATIONS.get(name).metrics:
            assert metric_named(metric.name, name) is metric


def test_what_nobody_declares_keeps_its_name() -> None:
    assert metric_named("points", "of-a-plugin").title == "points"
    assert metric_named("points").write(1) == "1.000"


def test_a_metric_that_is_better_if_lower_ranks_the_lowest_first(
    make_result: Callable[..., Result],
) -> None:
    ranks = {"bow": 3.0, "far": 9.0, "near": 1.0}
    results = [
        make_result(model, evaluation="consistency", metric="rank_mean", score=score)
        for model, score in ranks.items()
    ]
    (trial,) = trials(results)
    assert [each.model for each in trial.ranked()] == ["near", "bow", "far"]
    assert plain_section(results, lambda _: None).how_to_read.startswith("Lower is better.")
    assert stands_out(results[2], results)
    assert not stands_out(results[1], results)
    # The null baseline reaches down to -0.095.
    assert all(row[0].chance for _, row in verdict_table(results).rows if row[0] is not None)
    assert baseline_note(trial, "bow", "the bag").endswith("shared words: far (9.00).")


def test_the_direction_of_scores_is_said(make_result: Callable[..., Result]) -> None:
    higher = make_result("a")
    lower = make_result("a", evaluation="consistency", metric="rank_mean")
    assert say_direction([higher]) == "Higher is better."
    assert say_direction([lower]) == "Lower is better."
    assert say_direction([higher, lower]) == "Higher is better, but lower for mean rank."
