from __future__ import annotations

import json

import numpy as np
import pytest

from lydite.corpora.paraphrases.groups import ParaphraseGroups
from lydite.errors import InputError
from lydite.evaluations.localization.evaluation import confused_groups, group_rows
from lydite.types import Indices

GROUPS = ParaphraseGroups(
    texts=("a0", "a1", "a2", "b0", "b1", "c0", "c1", "d0"),
    labels=np.array([0, 0, 0, 1, 1, 2, 2, 3]),
    names=("A", "B", "C", "D"),
    changes={},
)
#: Two repeats. A: a0 for B once, a1 for B twice, a2 for C twice. B: b0 for A once. C: all right
#: but one that is unanswered. D: for C and for B, once each.
PREDICTED = np.array(
    [
        [0, 1, 2, 0, 1, 2, -1, 2],
        [1, 1, 2, 1, 1, 2, 2, 1],
    ]
)


def test_groups_by_hand() -> None:
    rows = group_rows(GROUPS, PREDICTED)
    assert rows[0].plain() == {
        "group": "A",
        "sentences": 3,
        "accuracy": pytest.approx(1 / 6),
        "unanswered": 0,
        "taken_for": "B",
        "times": 3,
        "example": "a1",
        "returned": "b0",
    }
    assert [row.group for row in rows] == ["A", "B", "C", "D"]
    assert [row.accuracy for row in rows[1:]] == [0.75, 0.75, 0]
    assert [row.unanswered for row in rows] == [0, 0, 1, 0]
    # No answer is no group to be taken for; D is taken for B and C as often, and B comes first.
    assert [row.taken_for for row in rows] == ["B", "A", None, "B"]
    assert [row.times for row in rows] == [3, 1, 0, 1]
    assert [row.example for row in rows] == ["a1", "b0", None, "d0"]
    assert [row.returned for row in rows] == ["b0", "a1", None, None]


def test_pairs_by_hand() -> None:
    pairs = confused_groups(GROUPS, PREDICTED)
    assert [(*pair.groups, pair.times) for pair in pairs] == [
        ("A", "B", 4),
        ("A", "C", 2),
        ("B", "D", 1),
        ("C", "D", 1),
    ]
    assert pairs[0].forwards == 3
    assert pairs[0].backwards == 1
    assert pairs[0].examples == ("a1", "b0")
    assert pairs[2].examples == (None, "d0")
    assert confused_groups(GROUPS, PREDICTED, most=2) == pairs[:2]


def test_of_equally_often_misplaced_sentences_the_first_is_the_example() -> None:
    assert group_rows(GROUPS, np.array([1, 1, 1, 1, 1, 2, 2, 3]))[0].example == "a0"


def test_one_repeat_needs_no_second_axis() -> None:
    assert group_rows(GROUPS, PREDICTED[0]) == group_rows(GROUPS, PREDICTED[:1])
    assert confused_groups(GROUPS, PREDICTED[0]) == confused_groups(GROUPS, PREDICTED[:1])


@pytest.mark.parametrize("predicted", [GROUPS.labels, np.full(8, -1)])
def test_without_wrong_answers_nothing_is_confused(predicted: Indices) -> None:
    assert confused_groups(GROUPS, predicted) == []
    assert {row.taken_for for row in group_rows(GROUPS, predicted)} == {None}


def test_counts_agree_with_the_predictions() -> None:
    generator = np.random.default_rng(0)
    predicted = generator.integers(-1, 4, size=(50, 8))
    wrong = (predicted != GROUPS.labels) & (predicted >= 0)
    pairs = confused_groups(GROUPS, predicted)
    assert sum(pair.times for pair in pairs) == wrong.sum()
    rows = group_rows(GROUPS, predicted)
    right = sum((row.accuracy or 0) * row.sentences for row in rows) / 8
    assert right == pytest.approx((predicted == GROUPS.labels).mean())
    # The order of repeats does not matter.
    assert group_rows(GROUPS, predicted[::-1]) == rows
    assert confused_groups(GROUPS, predicted[::-1]) == pairs


def test_it_is_plain_data() -> None:
    found = [*group_rows(GROUPS, PREDICTED), *confused_groups(GROUPS, PREDICTED)]
    told = [each.plain() for each in found]
    assert json.loads(json.dumps(told)) == told
    assert [type(each).read(plain) for each, plain in zip(found, told, strict=True)] == found


@pytest.mark.parametrize("tell", [group_rows, confused_groups])
def test_wrong_input_is_refused(tell: object) -> None:
    assert callable(tell)
    with pytest.raises(InputError, match="predictions of 8 sentences"):
        tell(GROUPS, PREDICTED[:, :7])
    with pytest.raises(InputError, match="from 0 to 3, or -1, got 4"):
        tell(GROUPS, PREDICTED + 2)
