from __future__ import annotations

import numpy as np

from lydite.evaluations.nonces.data import Trial
from lydite.evaluations.nonces.evaluation import (
    Chimera,
    Definition,
    chimera_examples,
    definition_examples,
)
from lydite.models.contexts import Learned
from lydite.spaces.space import Space
from lydite.types import Context

CONTEXT = Context(tokens=("n",), start=0, stop=1)


def trials(count: int) -> list[Trial]:
    return [
        Trial(name=f"w{i}", contexts=(CONTEXT,), probes=("a", "b", "c"), ratings=(1.0, 3.0, 2.0))
        for i in range(count)
    ]


def test_definitions_come_best_first_with_their_neighbours() -> None:
    space = Space.of({"up": [0.0, 1.0], "right": [1.0, 0.0], "left": [-1.0, 0.1]})
    vectors = np.array([[1.0, 0.1], [0.1, 1.0], [1.0, 1.0]], dtype=np.float32)
    learnt = Learned(
        vectors=vectors,
        learned=np.ones(3, dtype=bool),
        background=space,
        used=np.ones(3, dtype=int),
    )
    told = definition_examples(trials(3), learnt, space, np.array([3.0, 1.0, np.nan]))
    assert told == (
        Definition(word="w1", rank=1.0, nearest=("up", "right", "left")),
        Definition(word="w0", rank=3.0, nearest=("right", "up", "left")),
    )


def test_chimeras_tell_both_orders_of_the_probes_that_are_known() -> None:
    (told,) = chimera_examples(trials(1), {0: ["a", "b"]}, np.array([-1.0]))
    assert told == Chimera(chimera="w0", spearman=-1.0, people=("b", "a"), learner=("a", "b"))


def test_of_many_the_eight_from_either_end_are_told() -> None:
    values = np.linspace(0, 1, 40)
    told = chimera_examples(trials(40), {i: ["a"] for i in range(40)}, values)
    assert [each.chimera for each in told] == [
        f"w{i}" for i in [*range(39, 31, -1), *range(7, -1, -1)]
    ]
