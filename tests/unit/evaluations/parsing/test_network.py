from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lydite.evaluations.parsing.parser import (
    Course,
    Oracle,
    Sentences,
    System,
    Weights,
    gradient_of,
    new_weights,
    parsed,
)
from lydite.types import Vectors

DATA = Sentences(
    starts=np.array([0, 4, 7]),
    rows=np.array([2, 3, 4, 5, 6, 7, 3], dtype=np.int32),
    heads=np.array([2, 0, 2, 3, 3, 1, 0], dtype=np.int32),
    labels=np.array([0, 1, 2, 0, 2, 0, 1], dtype=np.int32),
)
VARIANTS: list[tuple[System, Oracle]] = [
    ("arc-hybrid", "dynamic"),
    ("arc-hybrid", "static"),
    ("arc-standard", "static"),
]


def drawn(seed: int = 0) -> tuple[Weights, Vectors]:
    generator = np.random.default_rng(seed)
    vectors = generator.normal(size=(8, 5)).astype(np.float32)
    weights = new_weights(5, 6, 3, generator)
    weights.bias[:] = 0.3
    return weights, vectors


@pytest.mark.parametrize(("system", "oracle"), VARIANTS)
def test_the_gradient_is_that_of_finite_differences(system: System, oracle: Oracle) -> None:
    weights, vectors = drawn()
    course = Course(system=system, oracle=oracle, explored=0.0, dropout=0.0)
    _, gradient = gradient_of(weights, vectors, DATA, course, seed=1)
    generator, reach = np.random.default_rng(1), np.float32(2e-3)
    for array, slopes in zip(weights.arrays, gradient.arrays, strict=True):
        flat = array.reshape(-1)
        for i in generator.choice(flat.size, 6, replace=False):
            before, losses = flat[i], []
            for moved in (before + reach, before - reach):
                flat[i] = moved
                losses.append(gradient_of(weights, vectors, DATA, course, seed=1)[0])
            flat[i] = before
            measured = (losses[0] - losses[1]) / (2 * reach)
            assert slopes.reshape(-1)[i] == pytest.approx(measured, abs=3e-3)


def test_the_loss_of_one_word_by_hand() -> None:
    # A sentence of one word: shift and then left (to the root) are the only legal transitions, so
    # both are sure, and the relation of a root is not asked of the classifier.
    one = Sentences(
        starts=np.array([0, 1]),
        rows=np.array([2], dtype=np.int32),
        heads=np.array([0], dtype=np.int32),
        labels=np.array([1], dtype=np.int32),
    )
    weights, vectors = drawn()
    course = Course(system="arc-hybrid", oracle="dynamic", explored=0.0, dropout=0.0)
    loss, gradient = gradient_of(weights, vectors, one, course, seed=0)
    assert loss == pytest.approx(0, abs=1e-12)
    assert not any(array.any() for array in gradient.arrays)
    heads, labels = parsed(weights, vectors, one, system="arc-hybrid", root_label=1)
    assert (heads.tolist(), labels.tolist()) == ([0], [1])


@pytest.mark.parametrize("system", ["arc-hybrid", "arc-standard"])
def test_every_parse_is_a_tree_with_one_root(system: System) -> None:
    for seed in range(20):
        weights, vectors = drawn(seed)
        heads, labels = parsed(weights, vectors, DATA, system=system, root_label=1)
        for start, stop in ((0, 4), (4, 7)):
            own = heads[start:stop].tolist()
            assert own.count(0) == 1
            for word in range(1, len(own) + 1):
                above = word
                for _ in own:
                    above = own[above - 1] if above else 0
                assert above == 0
        assert (labels[heads == 0] == 1).all()
        assert set(labels.tolist()) <= {0, 1, 2}


def test_dropout_and_exploration_follow_the_seed() -> None:
    weights, vectors = drawn()
    course = Course(system="arc-hybrid", oracle="dynamic", explored=1.0, dropout=0.5)
    losses = [gradient_of(weights, vectors, DATA, course, seed=seed)[0] for seed in (1, 1, 2)]
    assert losses[0] == losses[1] != losses[2]


def test_words_in_another_order_of_rows_give_the_same_parse() -> None:
    weights, vectors = drawn()
    turned = np.array([0, 1, 7, 6, 5, 4, 3, 2])
    other = replace(DATA, rows=turned[DATA.rows].astype(np.int32))
    first = parsed(weights, vectors, DATA, system="arc-hybrid", root_label=1)
    second = parsed(weights, vectors[turned], other, system="arc-hybrid", root_label=1)
    assert first[0].tolist() == second[0].tolist()
    assert first[1].tolist() == second[1].tolist()
