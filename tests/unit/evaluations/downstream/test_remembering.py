from __future__ import annotations

from lydite.evaluations.downstream.remembering import MOST, remembered
from lydite.stats.null import Baseline, summarise_null


def test_a_baseline_is_made_once_for_a_question_and_the_oldest_are_forgotten() -> None:
    made: list[float] = []

    def make() -> Baseline:
        made.append(0.5)
        return summarise_null(made, kind="random vectors")

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
