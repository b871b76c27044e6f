from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from lydite.errors import InputError
from lydite.evaluations.separation.tasks import unit_scores
from lydite.models.combination import Hybrid
from lydite.models.pairwise import cross_each
from lydite.types import Floats, Vectors

Units = list[tuple[Sequence[str], Sequence[str]]]


class Knows:
    """Gives the right sentence of some units a higher score than the wrong one, of others a lower.

    Texts are numbered by unit: ``3 right``, ``3 wrong``.
    """

    def __init__(self, units: Sequence[int], scale: float = 1.0) -> None:
        self.units, self.scale = units, scale

    @property
    def spec(self) -> str:
        return f"knows-{len(self.units)}"

    def score(self, left: Sequence[str], right: Sequence[str]) -> Floats:
        signs = [1 if int(text.split()[0]) in self.units else -1 for text in right]
        right_one = [1 if text.endswith("right") else -1 for text in right]
        return np.array([self.scale * a * b for a, b in zip(signs, right_one, strict=True)])


class Counting:
    """Random vectors, and how many texts it was asked for."""

    spec = "counting"

    def __init__(self) -> None:
        self.asked = 0

    def encode(self, texts: Sequence[str], /) -> Vectors:
        self.asked += len(texts)
        rows = [np.random.default_rng(sum(map(ord, text))).normal(size=4) for text in texts]
        return np.array(rows, dtype=np.float32)


def units_of(count: int) -> Units:
    return [(["q"], [f"{i} right", f"{i} wrong"]) for i in range(count)]


def value(_: int, scores: Floats) -> float:
    return float(np.sign(scores[0, 0] - scores[0, 1]) + 1) / 2


def values(model: object, count: int) -> list[float]:
    found = unit_scores(model, units_of(count), value)
    return [value(i, each.scores) for i, each in enumerate(found)]


def test_a_model_that_is_no_hybrid_is_asked_as_it_is() -> None:
    model = Knows(range(3))
    found = unit_scores(model, units_of(3), value)
    expected = cross_each(model, units_of(3))
    for each, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(each.scores, other.scores)


@pytest.mark.parametrize("weights", ["sum", "standardised", "0.2,0.8"])
def test_a_hybrid_is_scored_as_by_itself_and_every_text_encoded_once(weights: str) -> None:
    counting = Counting()
    model = Hybrid.open(Knows([1], 3.0), counting, weights=weights)
    units = units_of(6) + units_of(6)
    found = unit_scores(model, units, value)
    assert counting.asked == 13
    for (left, right), each in zip(units, found, strict=True):
        np.testing.assert_allclose(each.scores, model.cross(left, right), atol=1e-12)
        assert each.left_known.all()
        assert each.right_known.all()


def test_learnt_weights_find_the_part_that_knows() -> None:
    good, bad = Knows(range(12)), Knows([], scale=50.0)
    for model in (
        Hybrid.open(good, bad, weights="learnt"),
        Hybrid.open(bad, good, weights="learnt"),
    ):
        assert values(model, 12) == [1.0] * 12
    # Added up as they are, the louder one decides.
    assert values(Hybrid.open(good, bad), 12) == [0.0] * 12


def test_weights_are_not_learnt_on_what_is_scored() -> None:
    # The first knows all units but the last, which the second alone knows.
    model = Hybrid.open(Knows(range(11)), Knows([11]), weights="learnt")
    assert values(model, 12) == [1.0] * 11 + [0.0]


def test_each_of_two_units_is_scored_with_what_the_other_one_likes() -> None:
    # The first part knows the one, the second the other: what was learnt is always wrong.
    assert values(Hybrid.open(Knows([0]), Knows([1]), weights="learnt"), 2) == [0.0, 0.0]


def test_questions_on_one_document_are_held_out_together() -> None:
    # The first part knows the questions on the one document, the second those on the other.
    units = [units_of(1)[0]] * 3 + [units_of(2)[1]] * 3
    model = Hybrid.open(Knows([0]), Knows([1]), weights="learnt")
    found = unit_scores(model, units, value)
    assert [value(0, each.scores) for each in found] == [0.0] * 6


def test_questions_on_a_single_document_cannot_be_learnt_on() -> None:
    model = Hybrid.open(Knows([0]), Knows([1]), weights="learnt")
    with pytest.raises(InputError, match="got 2 and 1"):
        unit_scores(model, units_of(1) * 4, value)


def test_the_scale_of_a_part_does_not_matter_to_learnt_weights() -> None:
    models = [
        Hybrid.open(Knows([0]), Knows([1, 2, 3, 4], scale), weights="learnt")
        for scale in (1.0, 1000.0)
    ]
    first, second = (unit_scores(model, units_of(5), value) for model in models)
    for one, other in zip(first, second, strict=True):
        np.testing.assert_allclose(one.scores, other.scores, atol=1e-12)


def test_two_units_are_enough_to_learn_on() -> None:
    assert values(Hybrid.open(Knows([0, 1]), Knows([]), weights="learnt"), 2) == [1.0, 1.0]


@pytest.mark.parametrize(("parts", "count"), [(2, 1), (3, 5), (3, 1)])
def test_one_unit_or_three_parts_cannot_be_learnt(parts: int, count: int) -> None:
    model = Hybrid.open(*[Knows([0])] * parts, weights="learnt")
    with pytest.raises(InputError, match=f"got {parts} and {count}\n") as caught:
        values(model, count)
    assert caught.value.hint == "use weights=standardised"


class _Nothing:
    """Has nothing to say of anything, or of all but what is on the list."""

    spec = "nothing"

    def __init__(self, *known: str) -> None:
        self.known = known

    def score(self, left: Sequence[str], right: Sequence[str]) -> Floats:
        return np.array([1.0 if text in self.known else np.nan for text in right])


@pytest.mark.parametrize("weights", ["sum", "learnt"])
@pytest.mark.parametrize("first", [True, False])
def test_a_question_that_one_part_knows_is_known(weights: str, first: bool) -> None:
    parts = [_Nothing(), _Nothing("0 right")][:: -1 if first else 1]
    one, other = unit_scores(Hybrid.open(*parts, weights=weights), units_of(2), value)
    assert one.left_known.tolist() == [True]
    assert other.left_known.tolist() == [False]


@pytest.mark.parametrize("weights", ["sum", "standardised", "learnt"])
def test_what_any_part_knows_is_known(weights: str) -> None:
    model = Hybrid.open(_Nothing("0 right"), _Nothing("0 wrong"), weights=weights)
    first, second = unit_scores(model, units_of(2), value)
    assert first.right_known.tolist() == [True, True]
    assert (second.left_known.tolist(), second.right_known.tolist()) == ([False], [False, False])
    assert np.isfinite(first.scores).all()
    assert second.scores.tolist() == [[0, 0]]
