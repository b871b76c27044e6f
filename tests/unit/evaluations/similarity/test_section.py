from __future__ import annotations

from collections.abc import Callable

import numpy as np
import polars
import pytest

from lydite.evaluations.similarity.section import (
    Judged,
    binned_medians,
    judged,
    misjudged,
    scatter,
    section,
)
from lydite.results.record import Result
from lydite.results.trials import trials


def _pairs(gold: list[float], predicted: list[float]) -> Judged:
    n = len(gold)
    return Judged(
        left=[f"l{i}" for i in range(n)],
        right=[f"r{i}" for i in range(n)],
        gold=np.array(gold),
        predicted=np.array(predicted),
    )


def test_each_resource_gets_scores_scatter_and_what_is_misjudged(
    make_result: Callable[..., Result], make_items: Callable[..., polars.DataFrame]
) -> None:
    made = section(
        [make_result("a"), make_result("b", score=0.7), make_result("a", resource="men")],
        lambda _: make_items(),
    )
    assert len(made.figures) == 4
    assert [table.caption for table in made.tables] == [
        "Lydite starter similarity: what b misjudges most",
        "MEN: what a misjudges most",
    ]


def test_without_items_the_scores_remain(make_result: Callable[..., Result]) -> None:
    made = section([make_result("a")], lambda _: None)
    assert len(made.figures) == 1
    assert made.tables == []


def test_only_pairs_with_a_prediction_count(make_items: Callable[..., polars.DataFrame]) -> None:
    pairs = judged(make_items())
    assert pairs is not None
    # One of the 60 has none.
    assert len(pairs.gold) == len(pairs.left) == 59
    assert judged(make_items().head(0)) is None
    assert judged(polars.DataFrame({"value": [1.0]})) is None


def test_misjudged_pairs_are_told_in_words(make_result: Callable[..., Result]) -> None:
    # Ratings 1 to 4. By the model, pair 3 (rated 4) comes last and pair 0 (rated 1) first, so both
    # are three ranks off; pairs 1 and 2 are in their places.
    result = make_result("m", resource="mine.tsv")
    (trial,) = trials([result])
    (table,) = misjudged(trial, result, _pairs([1, 2, 3, 4], [0.9, 0.3, 0.5, 0.1]))
    assert [list(row[:3]) for row in table.rows] == [
        ["l0 / r0", "1", "0.900"],
        ["l3 / r3", "4", "0.100"],
    ]
    first, last = (str(row[3]) for row in table.rows)
    for fact in ("rated 1 of at most 4", "place 1 of 4", "above l3 / r3 (rated 4)"):
        assert fact in first
    for fact in ("rated 4 of at most 4", "place 4 of 4", "below l0 / r0 (rated 1)"):
        assert fact in last


def test_a_perfect_order_misjudges_nothing(make_result: Callable[..., Result]) -> None:
    result = make_result()
    assert misjudged(trials([result])[0], result, _pairs([1, 2, 3], [0.1, 0.2, 0.3])) == []


def test_equal_similarities_are_told_without_a_rival(make_result: Callable[..., Result]) -> None:
    result = make_result()
    (table,) = misjudged(trials([result])[0], result, _pairs([1, 2, 3], [0.5, 0.5, 0.5]))
    said = str(table.rows[0][3])
    assert "place 1 of 3" in said
    assert "above" not in said


def test_large_sets_are_sampled_and_it_is_said(make_result: Callable[..., Result]) -> None:
    results = [make_result(f"m{i}") for i in range(14)]
    (trial,) = trials(results)
    generator = np.random.default_rng(1)
    pairs = _pairs(generator.random(3000).tolist(), generator.random(3000).tolist())
    figure = scatter(trial, [(result, pairs) for result in results[:12]])
    assert "250 of 3,000 pairs" in figure.caption
    assert "12 of 14 models" in figure.caption
    small = scatter(trial, [(results[0], _pairs([1, 2, 3], [1, 2, 3]))])
    assert "chosen at random" not in small.caption


def test_medians_keep_equal_ratings_together() -> None:
    gold = np.repeat([0.0, 1.0], 50)
    x, y = binned_medians(gold, np.arange(100.0))
    assert x.tolist() == [0.0, 1.0]
    assert y.tolist() == pytest.approx([24.5, 74.5])
