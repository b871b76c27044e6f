from __future__ import annotations

import numpy as np

from lydite.evaluations.downstream.baselines import MOST, data_key, remembered
from lydite.stats.null import Baseline, summarize_null


def test_a_baseline_is_made_once_for_a_question_and_the_oldest_are_forgotten() -> None:
    made: list[float] = []

    def make() -> Baseline:
        made.append(0.5)
        return summarize_null(made, kind="random vectors")

    def ask(sha256: str, width: int = 50, seed: int = 0) -> Baseline:
        return remembered(sha256, "asked in this test", width, seed, make)

    first = ask("a")
    assert ask("a") is first
    assert len(made) == 1
    # Other data, another width and another seed are other questions.
    ask("b")
    ask("a", width=100)
    ask("a", seed=1)
    assert len(made) == 4
    for other in range(MOST):
        ask(str(other))
    ask("a")
    assert len(made) == 5 + MOST


def test_data_are_told_apart_by_what_is_in_which_part() -> None:
    a, b = np.array([1, 2]), np.array([3])
    keys = [
        data_key(["x", "y"], a, b),
        data_key(["x", "y"], b, a),
        data_key(["x", "y"], a, None, b),
        data_key(["x"], a, b),
        data_key(["x y"], a, b),
        data_key(["x", "y"], np.concatenate([a, b])),
    ]
    assert len(set(keys)) == len(keys)
    assert data_key(["x", "y"], a, b) == keys[0]
