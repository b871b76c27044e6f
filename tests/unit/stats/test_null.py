from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest

from lydite.errors import InputError, UndefinedScoreError
from lydite.stats.correlation import pearson
from lydite.stats.null import null_baseline, summarize_null


def test_summary_by_hand() -> None:
    # Of 0, 1, ..., 40 the 2.5 % and 97.5 % quantiles are the values at places 1 and 39.
    baseline = summarize_null(np.arange(41.0), kind="random vectors")
    assert dataclasses.astuple(baseline) == ("random vectors", 20.0, 1.0, 39.0, 41)


def test_shuffled_labels_have_the_spread_of_a_null_correlation() -> None:
    gold = np.arange(50.0)
    baseline = null_baseline(
        lambda generator: pearson(generator.permutation(gold), gold),
        draws=2000,
        seed=1,
        kind="shuffled labels",
    )
    # Under random permutation r has mean 0 and standard deviation 1 / sqrt(n - 1) = 1 / 7.
    assert baseline.mean == pytest.approx(0.0, abs=4 / 7 / np.sqrt(2000))
    assert baseline.low == pytest.approx(-1.96 / 7, abs=0.03)
    assert baseline.high == pytest.approx(1.96 / 7, abs=0.03)
    assert baseline.draws == 2000


def test_a_draw_depends_on_its_number_alone() -> None:
    def draws(values: int) -> list[float]:
        drawn: list[float] = []

        def draw(generator: np.random.Generator) -> float:
            drawn.append(float(generator.random(values)[0]))
            return drawn[-1]

        null_baseline(draw, draws=20, seed=2, kind="random vectors")
        return drawn

    assert draws(1) == draws(17)
    assert len(set(draws(1))) == 20


def test_same_seed_same_bits() -> None:
    def baseline(seed: int) -> object:
        return null_baseline(lambda g: g.normal(), draws=50, seed=seed, kind="random vectors")

    assert baseline(3) == baseline(3)
    assert baseline(3) != baseline(4)


def test_undefined_draws_are_left_out_or_refused() -> None:
    calls = iter(range(1000))

    def draw_undefined_every(period: int) -> float:
        if next(calls) % period == 0:
            return pearson([1.0, 1.0, 1.0], [1.0, 2.0, 3.0])
        return 0.5

    baseline = null_baseline(lambda _: draw_undefined_every(25), draws=100, seed=1, kind="x")
    assert (baseline.mean, baseline.draws) == (0.5, 96)
    with pytest.raises(UndefinedScoreError, match="undefined in 10 of 100 draws"):
        null_baseline(lambda _: draw_undefined_every(10), draws=100, seed=1, kind="x")


def test_no_draws_are_refused() -> None:
    with pytest.raises(InputError, match="at least 1 draw, got 0"):
        null_baseline(lambda generator: generator.random(), draws=0, seed=1, kind="x")
    with pytest.raises(InputError, match="1-d array of draws"):
        summarize_null([], kind="x")


def test_a_baseline_is_plain_data() -> None:
    record = dataclasses.asdict(summarize_null(np.arange(5), kind="shuffled labels"))
    assert json.loads(json.dumps(record)) == record
