from __future__ import annotations

import numpy as np

from lydite.evaluations.downstream.parts import ClassCounts


def test_a_class_is_there_said_and_right() -> None:
    # Gold -1 is of no class: it is right for none, but what was said of it counts as said.
    predicted, gold = np.array([0, 1, 1, 2]), np.array([0, 0, 1, -1])
    found = ClassCounts.of_predictions(predicted, gold, ["a", "b", "c"])
    assert [each.plain() for each in found] == [
        {"class": "a", "test": 2, "taken_for": 1, "right": 1},
        {"class": "b", "test": 1, "taken_for": 2, "right": 1},
        {"class": "c", "test": 0, "taken_for": 1, "right": 0},
    ]
