from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from lydite.evaluations.subsumption.evaluation import Subsumption, breakdown
from lydite.evaluations.subsumption.inventory import Inventory
from lydite.evaluations.subsumption.scoring import Answers, Similarities


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


def answers(*rows: tuple[float, float, float], aggregate: bool = False) -> Answers:
    ab, bc, ac = np.array(rows).T
    told = Similarities(ab=ab, bc=bc, ac=ac)
    quiet = Similarities(ab=np.ones(len(ab)), bc=np.ones(len(ab)), ac=np.zeros(len(ab)))
    return Answers(
        inventory=inventory(len(rows)),
        simple=quiet if aggregate else told,
        aggregate=told if aggregate else quiet,
        null=lambda approach, seed: {},
        null_kind="",
        level="word",
        names=[],
        found=np.ones(0, dtype=np.bool_),
    )


ROWS = ((0.5, 0.9, 0.6), (0.9, 0.1, 0.7), (0.8, 0.8, 0.8), (np.nan, 0.1, 0.9), (0.2, 0.5, 0.9))
CLOSER = {
    "ss": ["a4 is closer to c4 (0.90) than to b4 (0.20)",
           "a0 is closer to c0 (0.60) than to b0 (0.50)"],
    "rss": ["c1 is closer to a1 (0.70) than to b1 (0.10)",
            "c4 is closer to a4 (0.90) than to b4 (0.50)"],
}  # fmt: skip


@pytest.mark.parametrize("metric", ["ss", "rss"])
def test_violations_of_one_condition_are_told_in_words_the_worst_first(metric: Any) -> None:  # noqa: ANN401
    found = Subsumption(metric=metric).violations(answers(*ROWS))
    assert [row.sentence for row in found] == CLOSER[metric]
    assert {row.condition for row in found} == {metric}


def test_a_score_of_both_conditions_tells_one_after_the_other() -> None:
    found = Subsumption(metric="both").violations(answers(*ROWS))
    assert [row.sentence for row in found] == [*CLOSER["ss"], *CLOSER["rss"]]
    assert [row.condition for row in found] == ["ss", "ss", "rss", "rss"]
    assert found[0].triple == ("a4", "b4", "c4")
    assert [row.margin for row in found] == pytest.approx([0.7, 0.1, 0.6, 0.4])


def test_violations_are_those_of_the_approach_that_was_asked_for() -> None:
    said = answers(*ROWS, aggregate=True)
    assert Subsumption(metric="both").violations(said) == ()
    for metric, simple in (("as", "ss"), ("ras", "rss")):
        found = Subsumption(metric=metric).violations(said)  # type: ignore[arg-type]
        assert [row.sentence for row in found] == CLOSER[simple]
        assert {row.condition for row in found} == {metric}
    assert len(Subsumption(metric="aggregate-both").violations(said)) == 4


def test_a_sentence_is_told_once_and_as_many_as_are_wanted() -> None:
    same = replace(
        answers(*[(0.1, 0.9, 0.5)] * 30),
        inventory=inventory(30, a=["a"] * 30, b=["b"] * 30, c=["c"] * 30),
    )
    assert len(Subsumption().violations(same)) == 1
    many = answers(*[(0.1, 0.9, 0.2 + i / 100) for i in range(60)])
    assert len(Subsumption().violations(many)) == 60
    margins = [row.margin for row in Subsumption().violations(many, most=20)]
    assert margins == pytest.approx([0.69 - i / 100 for i in range(20)])


def test_rounding_is_no_violation() -> None:
    assert Subsumption(metric="both").violations(answers((0.5, 0.5, 0.5 + 1e-15))) == ()
