from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lydite.evaluations.subsumption.evaluation import breakdown, worst_violations
from lydite.evaluations.subsumption.inventory import Inventory
from lydite.evaluations.subsumption.scoring import Similarities


def inventory(count: int, **known: Any) -> Inventory:  # noqa: ANN401
    given: dict[str, Any] = {
        "a": [f"a{i}" for i in range(count)],
        "b": [f"b{i}" for i in range(count)],
        "c": [f"c{i}" for i in range(count)],
        "concepts": [("", "", "")] * count,
        "keys": {},
        "classes": [""] * count,
        "depth": np.full(count, -1),
        "below": np.full(count, -1),
        "steps": np.full((count, 2), -1),
        "information_content": None,
        "counts": None,
        "sisters": {},
        "funnel": (),
    }
    return Inventory(**{**given, **known})


def test_shares_by_class_depth_and_generality_by_hand() -> None:
    known = inventory(
        5,
        classes=["bird", "bird", "tree", "", "bird"],
        depth=np.array([2, 3, 3, -1, 2]),
        below=np.array([2, 10, 11, 10_001, 100]),
    )
    covered = np.array([True, True, True, True, False])
    kept = {"ss": np.array([True, False, True, False, True])}
    found = breakdown(known, covered, kept)
    assert {kind: [row.plain() for row in rows] for kind, rows in found.items()} == {
        "class": [{"group": "bird", "n": 2, "ss": 0.5}, {"group": "tree", "n": 1, "ss": 1.0}],
        "depth": [{"group": "2", "n": 1, "ss": 1.0}, {"group": "3", "n": 2, "ss": 0.5}],
        "generality": [
            {"group": "1 to 10", "n": 2, "ss": 0.5},
            {"group": "11 to 100", "n": 1, "ss": 1.0},
            {"group": "over 10,000", "n": 1, "ss": 0.0},
        ],
    }


def test_what_is_not_known_is_not_broken_down() -> None:
    everything = np.ones(2, dtype=np.bool_)
    assert breakdown(inventory(2), everything, {"ss": everything}) == {}
    one_depth = inventory(2, depth=np.array([4, 4]))
    assert breakdown(one_depth, everything, {"ss": everything}) == {}


def similarities(*rows: tuple[float, float, float]) -> Similarities:
    ab, bc, ac = np.array(rows).T
    return Similarities(ab=ab, bc=bc, ac=ac)


def test_violations_are_told_in_words_the_worst_first() -> None:
    found = worst_violations(
        inventory(4),
        similarities((0.5, 0.9, 0.6), (0.9, 0.1, 0.7), (0.8, 0.8, 0.8), (np.nan, 0.1, 0.9)),
    )
    assert [row.sentence for row in found] == [
        "c1 is closer to a1 (0.70) than to b1 (0.10)",
        "a0 is closer to c0 (0.60) than to b0 (0.50)",
    ]
    assert found[0].triple == ("a1", "b1", "c1")
    assert [row.condition for row in found] == ["reverse", "subsumption"]
    assert [row.margin for row in found] == pytest.approx([0.6, 0.1])


def test_both_violations_of_one_triple_are_told() -> None:
    found = worst_violations(inventory(1), similarities((0.1, 0.2, 0.9)))
    assert [row.condition for row in found] == ["subsumption", "reverse"]


def test_a_sentence_is_told_once_and_twenty_are_enough() -> None:
    same = inventory(30, a=["a"] * 30, b=["b"] * 30, c=["c"] * 30)
    assert len(worst_violations(same, similarities(*[(0.1, 0.9, 0.5)] * 30))) == 1
    many = worst_violations(
        inventory(60), similarities(*[(0.1, 0.9, 0.2 + i / 100) for i in range(60)])
    )
    assert len(many) == 20
    margins = [row.margin for row in many]
    assert margins == sorted(margins, reverse=True)
    assert margins[0] == pytest.approx(0.69)


def test_rounding_is_no_violation() -> None:
    assert worst_violations(inventory(1), similarities((0.5, 0.5, 0.5 + 1e-15))) == ()
