from __future__ import annotations

import numpy as np
import pytest

from lydite.errors import InputError
from lydite.stats.bootstrap import crossed_intervals
from lydite.types import Indices


def grid(rows: int, columns: int) -> tuple[Indices, Indices]:
    return np.repeat(np.arange(rows), columns), np.tile(np.arange(columns), rows)


def test_a_statistic_that_follows_columns_is_as_uncertain_as_the_columns_are_few() -> None:
    rows, columns = grid(200, 8)
    kept = (columns % 2 == 0)[:, None]
    (crossed,) = crossed_intervals(kept, rows, columns, seed=1)
    (by_rows,) = crossed_intervals(kept, rows, np.zeros(1600), seed=1)
    # Every row has the same share, so drawing rows alone sees no uncertainty; eight columns have a
    # standard error of sqrt(0.25 / 8) = 0.18.
    assert by_rows.low == by_rows.high == 0.5
    assert crossed.high - crossed.low == pytest.approx(2 * 1.96 * 0.177, abs=0.12)


def test_one_column_is_the_bootstrap_over_rows() -> None:
    kept = (np.arange(400) % 4 == 0)[:, None]
    (interval,) = crossed_intervals(kept, np.arange(400), np.zeros(400), seed=2)
    # The standard error of 400 independent trials at 1/4 is sqrt(3/16 / 400) = 0.0217.
    assert interval.low == pytest.approx(0.25 - 1.96 * 0.0217, abs=0.01)
    assert interval.high == pytest.approx(0.25 + 1.96 * 0.0217, abs=0.01)


def test_it_covers_the_truth_when_rows_and_columns_both_have_luck() -> None:
    rows, columns = grid(30, 30)
    held = 0
    for seed in range(60):
        generator = np.random.default_rng(seed)
        lean = generator.normal(size=30)[rows] + generator.normal(size=30)[columns]
        kept = (lean + generator.normal(size=900) > 0)[:, None]
        (interval,) = crossed_intervals(kept, rows, columns, resamples=300, seed=seed)
        held += interval.low <= 0.5 <= interval.high
    assert held >= 54


def test_conditions_are_drawn_together_and_the_seed_decides() -> None:
    rows, columns = grid(10, 5)
    one = np.random.default_rng(0).random((50, 1)) < 0.6
    twice = crossed_intervals(np.hstack([one, one]), rows, columns, seed=3)
    assert twice[0] == twice[1] == crossed_intervals(one, rows, columns, seed=3)[0]
    assert twice[0] != crossed_intervals(one, rows, columns, seed=4)[0]


def test_labels_may_be_any_numbers() -> None:
    rows, columns = grid(10, 5)
    kept = np.random.default_rng(0).random((50, 1)) < 0.6
    again = crossed_intervals(kept, rows * 7 + 3, columns - 9, seed=3)
    assert again == crossed_intervals(kept, rows, columns, seed=3)


def test_a_cluster_a_triple_is_needed() -> None:
    with pytest.raises(InputError, match="3 items"):
        crossed_intervals(np.ones((3, 1), dtype=np.bool_), [0, 1], [0, 1, 2], seed=0)
