from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lydite.errors import InputError
from lydite.models.catalogue import load
from lydite.progress import watched_by
from lydite.trained.trees import Forest, branched
from lydite.trained.urae import TrainedUrae, UraeRecipe, train_urae


def forest(sentences: int = 60) -> Forest:
    random = np.random.default_rng(0)
    words = np.array(["the", "a", "cat", "dog", "sat", "ran", "here", "there"])
    drawn = [words[random.integers(8, size=random.integers(2, 7))] for _ in range(sentences)]
    return branched([line.tolist() for line in drawn], "balanced")


def trained(**changes: Any) -> TrainedUrae:  # noqa: ANN401
    recipe = UraeRecipe(**{"dim": 6, "epochs": 4, "batch": 8, "rate": 0.03, **changes})
    return train_urae(forest(), load("random(4)"), recipe)


def test_the_error_falls_below_that_of_the_mean_word() -> None:
    passes = trained(epochs=8).passes
    errors = [each.held_out for each in passes]
    assert len(errors) == 8
    assert errors[-1] < errors[0]
    assert errors[-1] < 0.9
    assert all(each.trained > 0 and each.seconds > 0 for each in passes)


def test_the_same_seed_gives_the_same_weights() -> None:
    one, same, other = trained(), trained(), trained(seed=1)
    np.testing.assert_array_equal(one.weights, same.weights)
    assert not np.array_equal(one.weights, other.weights)
    assert one.weights.dtype == np.float32


def test_it_stops_when_nothing_gets_better_and_keeps_the_best() -> None:
    # A rate at which the network runs away from what it learnt.
    ended = trained(epochs=30, rate=3.0, patience=2)
    errors = [each.held_out for each in ended.passes]
    assert len(errors) < 30
    assert ended.best == int(np.argmin(errors)) == len(errors) - 3
    shorter = trained(epochs=ended.best + 1, rate=3.0, patience=2)
    np.testing.assert_array_equal(ended.weights, shorter.weights)


def test_a_large_decay_makes_weights_small() -> None:
    lengths = [np.linalg.norm(trained(decay=decay).weights) for decay in (0.0, 1.0)]
    assert lengths[1] < lengths[0]


def test_how_many_tokens_are_unknown() -> None:
    space = load("random(4)")

    class Half:
        def lookup(self, words: list[str]) -> Any:  # noqa: ANN401
            found = space.lookup(words)
            found.found[:] = [word != "x" for word in words]
            return found

    lines = [["x", "cat", "dog", "sat"]] * 3
    recipe = UraeRecipe(dim=3, epochs=1)
    assert train_urae(branched(lines, "left"), Half(), recipe).unknown == 0.25


def test_progress_is_told() -> None:
    told: list[tuple[str, int, int | None]] = []
    with watched_by(lambda what, done, total: told.append((what, done, total))):
        trained(epochs=2)
    assert ("passes over the trees", 2, 2) in told
    # 60 trees less the 3 held out.
    assert ("trees, pass 2", 57, 57) in told


@pytest.mark.parametrize(
    "wrong",
    [
        {"dim": 0},
        {"epochs": 0},
        {"rate": 0.0},
        {"decay": -1.0},
        {"held_out": 0.0},
        {"held_out": 1.0},
        {"case": "upper"},
        {"seed": -1},
    ],
)
def test_what_no_recipe_can_say(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="expected"):
        UraeRecipe(**wrong)


def test_trees_of_one_word_teach_nothing() -> None:
    few = branched([["a"], ["b"], ["a", "b"]], "right")
    with pytest.raises(InputError, match="at least 2 trees of several words, got 1"):
        train_urae(few, load("random(4)"), UraeRecipe(dim=3))
