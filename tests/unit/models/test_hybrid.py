from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from lydite.errors import InputError, UnsuitableModelError
from lydite.models.catalogue import load
from lydite.models.combination import Hybrid
from lydite.models.pairwise import cross_scores, pair_scores
from lydite.models.protocols import CrossModel, PairModel
from lydite.spaces.space import Space
from lydite.spec import parse
from lydite.types import Floats


class Told:
    """Scores by pair; NaN for a pair that it is not told of."""

    spec = "told"

    def __init__(self, scores: Mapping[str, float]) -> None:
        self.scores = scores

    def score(self, left: Sequence[str], right: Sequence[str]) -> Floats:
        pairs = zip(left, right, strict=True)
        return np.array([self.scores.get(a + b, np.nan) for a, b in pairs])


FIRST = Told({"ac": 1, "ad": 3, "bc": 5, "bd": 7})
SECOND = Told({"ac": 0.5, "ad": 0.25, "bc": 0, "bd": -1})
LEFT, RIGHT = ["a", "b"], ["c", "d"]


def test_the_sum_by_hand() -> None:
    model = Hybrid.open(FIRST, SECOND)
    assert isinstance(model, CrossModel)
    assert isinstance(model, PairModel)
    assert model.cross(LEFT, RIGHT).tolist() == [[1.5, 3.25], [5, 6]]
    assert model.score(LEFT, RIGHT).tolist() == [1.5, 6]


def test_weights_by_hand() -> None:
    model = Hybrid.open(FIRST, SECOND, weights="2,-4")
    assert model.cross(LEFT, RIGHT).tolist() == [[0, 5], [10, 18]]
    assert Hybrid.open(FIRST, SECOND, FIRST, weights="1, 0,1").score(["a"], ["d"]).tolist() == [6]


def test_weights_are_not_learned_where_nothing_is_labeled() -> None:
    # It used to be the same as standardised, without a word said.
    model = Hybrid.open(FIRST, SECOND, weights="learnt")
    with pytest.raises(UnsuitableModelError, match="weights are learned on labeled data"):
        model.cross(LEFT, RIGHT)
    with pytest.raises(UnsuitableModelError, match="weights are learned on labeled data"):
        model.score(LEFT, RIGHT)


def test_standardised_scores_have_deviation_1_each() -> None:
    weights = "standardised"
    # The deviation of 1, 3, 5, 7 is sqrt(5).
    constant = Told(dict.fromkeys(FIRST.scores, 4.0))
    expected = np.array([[1, 3], [5, 7]]) / np.sqrt(5)
    found = Hybrid.open(FIRST, constant, weights=weights).cross(LEFT, RIGHT)
    # What is the same for all pairs has no deviation, and is added as it is.
    np.testing.assert_allclose(found, expected + 4, atol=1e-12)
    second = np.array([[0.5, 0.25], [0, -1]])
    both = Hybrid.open(FIRST, SECOND, weights=weights).cross(LEFT, RIGHT)
    np.testing.assert_allclose(both, expected + second / second.std(), atol=1e-12)


def test_equal_scores_of_the_parts_are_equal_sums_wherever_they_stand() -> None:
    generator = np.random.default_rng(1)
    parts = [generator.normal(size=(1, 1)).repeat(37, axis=1) for _ in range(2)]
    for weights in ("0.3,0.7", "sum", "standardised"):
        total = Hybrid(parts=(FIRST, SECOND), weights=weights).combine(parts)
        assert len(np.unique(total)) == 1


def test_what_no_part_knows_is_not_known() -> None:
    # The first knows a and c alone, the second b and c.
    model = Hybrid.open(Told({"ac": 2}), Told({"bc": 3}))
    np.testing.assert_array_equal(model.cross(["a", "b", "x"], ["c", "d"]),
                                  [[2, np.nan], [3, np.nan], [np.nan, np.nan]])  # fmt: skip
    np.testing.assert_array_equal(model.score(["a", "b", "x"], ["c", "c", "d"]), [2, 3, np.nan])
    crossed = cross_scores(model, ["a", "b", "x"], ["c", "d"])
    assert crossed.scores.tolist() == [[2, 0], [3, 0], [0, 0]]
    assert crossed.left_known.tolist() == [True, True, False]
    assert crossed.right_known.tolist() == [True, False]
    assert pair_scores(model, ["x"], ["d"])[1].tolist() == [False]


def test_parts_of_every_kind_and_hybrids_of_hybrids() -> None:
    texts = ["a king sleeps", "the queen slept", "rain"]
    parts = ["overlap(lemmas=none)", "mean(random(8))"]
    inner = load(f'hybrid({", ".join(parts)}, weights="0.5,0.5")')
    outer = Hybrid.open(inner, FIRST)
    each = [cross_scores(load(part), texts, texts).scores for part in parts]
    np.testing.assert_allclose(inner.cross(texts, texts), sum(each) / 2, atol=1e-12)
    np.testing.assert_allclose(outer.cross(texts, texts), sum(each) / 2, atol=1e-12)
    paired = inner.score(texts, texts[::-1])
    np.testing.assert_allclose(paired, inner.cross(texts, texts[::-1]).diagonal(), atol=1e-12)


@pytest.mark.parametrize(
    "spec",
    [
        "hybrid(overlap(lemmas=none), mean(random(8)))",
        "hybrid(overlap(lemmas=none), mean(random(8)), weights=learnt)",
        'hybrid(overlap(lemmas=none), mean(random(8)), weights="0.3,0.7")',
        "hybrid(overlap(lemmas=none), hybrid(random(3), random(4)), weights=standardised)",
    ],
)
def test_a_spec_reads_back(spec: str) -> None:
    model = load(spec)
    assert load(model.spec) == model
    assert load(model.spec).fingerprint == model.fingerprint is not None


def test_the_fingerprint_is_that_of_all_parts() -> None:
    first, second = load("hybrid(random(3), random(4))"), load("hybrid(random(3), random(5))")
    assert first.fingerprint != second.fingerprint
    assert Hybrid.open("random(3)", FIRST).fingerprint is None


@pytest.mark.parametrize("count", [0, 1])
def test_fewer_than_two_models_are_refused(count: int) -> None:
    with pytest.raises(InputError, match=f"a hybrid has at least two models, got {count}"):
        Hybrid.open(*["random(3)"] * count)


@pytest.mark.parametrize(
    "weights", ["mean", "1", "1,2,3", "1,x", "1,nan", "inf,1", "", "1;2", "Sum"]
)
def test_wrong_weights_are_refused(weights: str) -> None:
    with pytest.raises(InputError, match="2 numbers separated by commas, got") as caught:
        Hybrid.open("random(3)", "random(4)", weights=weights)
    # What the hint says can be typed.
    assert parse(str(caught.value.hint)).param("weights") == "0.3,0.7"


def test_a_model_of_words_is_refused_with_a_hint() -> None:
    space = Space.of({"a": [1, 0], "b": [0, 1]})
    with pytest.raises(InputError, match="gives none") as caught:
        Hybrid.open("random(3)", space)
    assert "compose its words: 'mean(" in str(caught.value.hint)
