from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score  # type: ignore[import-untyped]

from lydite.errors import InputError, UndefinedScoreError
from lydite.evaluations.separation import tasks as pairs
from lydite.evaluations.separation.data import LabelledPairs
from lydite.evaluations.separation.tasks import PairsDetails, pairs_outcome
from lydite.models.combination import Hybrid
from lydite.types import Floats, Mask


class Told:
    """The score of a pair is the number that its right text is."""

    spec = "told"

    def score(self, left: Sequence[str], right: Sequence[str]) -> Floats:
        return np.array([float(text) for text in right])


def labelled(
    scores: Sequence[float] | Floats,
    similar: Sequence[int] | Mask,
    phenomena: Sequence[str] | None = None,
    bases: Sequence[str] | None = None,
) -> LabelledPairs:
    places = range(len(scores))
    return LabelledPairs(
        left=tuple(f"left {i}" for i in places),
        right=tuple(str(float(score)) for score in scores),
        similar=np.array(similar, dtype=np.bool_),
        dissimilar=~np.array(similar, dtype=np.bool_),
        phenomena=tuple(phenomena or [""] * len(scores)),
        bases=tuple(bases or [f"left {i}" for i in places]),
    )


@pytest.fixture(autouse=True)
def few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairs, "_PAIR_DRAWS", 100)


def test_the_area_by_hand() -> None:
    # H: 3, 2. L: 1, 2, 5. 3 beats two of three, 2 beats one and ties one: (2 + 1.5) / 6.
    outcome = pairs_outcome(Told(), labelled([3, 1, 2, 2, 5], [1, 0, 1, 0, 0]), "data", 0)
    assert outcome.score == pytest.approx(3.5 / 6)
    assert outcome.others == {"similar_pairs": 2.0}
    assert (outcome.metric, outcome.n_items, outcome.n_covered) == ("auc", 5, 5)


def random_pairs(seed: int, count: int = 300) -> tuple[Floats, Mask]:
    generator = np.random.default_rng(seed)
    similar = generator.random(count) < 0.4
    return (generator.normal(size=count) + similar).round(1), similar


def test_the_area_is_that_of_scikit_learn() -> None:
    scores, similar = random_pairs(1)
    outcome = pairs_outcome(Told(), labelled(scores, similar), "data", 0)
    assert outcome.score == pytest.approx(roc_auc_score(similar, scores), abs=1e-12)


def test_sides_exchanged_give_the_rest() -> None:
    scores, similar = random_pairs(2)
    first = pairs_outcome(Told(), labelled(scores, similar), "data", 0)
    second = pairs_outcome(Told(), labelled(scores, ~similar), "data", 0)
    assert first.score + second.score == pytest.approx(1)


def test_values_are_delongs_components() -> None:
    scores, similar = random_pairs(3)
    outcome = pairs_outcome(Told(), labelled(scores, similar), "data", 0)
    values = np.array(outcome.items["value"])
    assert values.mean() == pytest.approx(outcome.score, abs=1e-12)
    # DeLong, DeLong & Clarke-Pearson (1988): S10 / m + S01 / n, of components by double loops.
    high, low = scores[similar], scores[~similar]
    wins = (high[:, None] > low) + (high[:, None] == low) / 2
    m, n = wins.shape
    delong = wins.mean(axis=1).var(ddof=1) / m + wins.mean(axis=0).var(ddof=1) / n
    assert values.var(ddof=1) / len(values) == pytest.approx(delong, rel=0.02)
    width = (max(outcome.ends) - min(outcome.ends)) / (2 * 1.96)
    assert width == pytest.approx(np.sqrt(delong), rel=0.2)


def test_pairs_of_one_base_count_as_one() -> None:
    generator = np.random.default_rng(4)
    # Forty bases of six pairs each whose scores hang together.
    luck = generator.normal(size=40).repeat(6)
    similar = np.tile([True, False], 20).repeat(6)
    scores = luck + similar
    bases = [str(i // 6) for i in range(240)]
    apart = pairs_outcome(Told(), labelled(scores, similar), "data", 0).ends
    together = pairs_outcome(Told(), labelled(scores, similar, bases=bases), "data", 0).ends
    ratio = (max(together) - min(together)) / (max(apart) - min(apart))
    # Six equal items are one: sqrt(6) = 2.45.
    assert ratio == pytest.approx(2.45, rel=0.25)


@pytest.mark.parametrize("similar", [[1, 1, 1], [0, 0, 0], []])
def test_pairs_of_one_kind_alone_are_refused(similar: list[bool]) -> None:
    with pytest.raises(UndefinedScoreError, match="data: expected pairs of both kinds") as caught:
        pairs_outcome(Told(), labelled([1, 2, 3][: len(similar)], similar), "data", 0)
    assert "label pairs" in str(caught.value.hint)


def test_very_few_pairs_have_no_interval() -> None:
    # One pair on either side used to be called certain.
    outcome = pairs_outcome(Told(), labelled([1, 2], [1, 0]), "data", 0)
    assert (outcome.score, outcome.interval) == (0, None)
    two = labelled([1, 3, 2, 0, 0], [1, 1, 0, 0, 0])
    assert pairs_outcome(Told(), two, "data", 0).interval is None
    three = labelled([1, 3, 4, 2, 0, 0], [1, 1, 1, 0, 0, 0])
    outcome = pairs_outcome(Told(), three, "data", 0)
    assert outcome.score == pytest.approx(8 / 9)
    assert min(outcome.ends) < 0.5 < 8 / 9 < max(outcome.ends)


def test_pairs_of_a_single_base_have_no_interval() -> None:
    scores, similar = random_pairs(5, 80)
    outcome = pairs_outcome(Told(), labelled(scores, similar, bases=["b"] * 80), "data", 0)
    assert outcome.interval is None


def test_the_interval_does_not_depend_on_the_seed() -> None:
    scores, similar = random_pairs(5, 80)
    found = [pairs_outcome(Told(), labelled(scores, similar), "data", k) for k in range(3)]
    assert len({(each.score, each.interval) for each in found}) == 1


def test_pairs_within_a_base_are_set_against_each_other() -> None:
    # Base a: 3 beats 1. Base b: 5 loses to 6. Base c has L alone.
    data = labelled([3, 1, 5, 6, 0], [1, 0, 1, 0, 0], bases=["a", "a", "b", "b", "c"])
    assert pairs_outcome(Told(), data, "data", 0).others["paired"] == 0.5
    # Where most bases have pairs of one kind alone, that is not how the data are made.
    apart = labelled([3, 1, 5, 6, 0], [1, 0, 1, 0, 0], bases=["a", "a", "b", "c", "d"])
    assert "paired" not in pairs_outcome(Told(), apart, "data", 0).others


def test_graded_pairs_between_the_thresholds_count_for_the_correlation_alone() -> None:
    gold = np.array([5.0, 4, 3, 2, 0])
    data = LabelledPairs(
        left=("a", "b", "c", "d", "e"),
        right=("9", "7", "8", "1", "2"),
        similar=gold >= 4,
        dissimilar=gold <= 2,
        phenomena=("",) * 5,
        bases=("a", "b", "c", "d", "e"),
        gold=gold,
    )
    outcome = pairs_outcome(Told(), data, "data", 0)
    assert (outcome.score, outcome.n_items) == (1.0, 4)
    # Ranks 5 4 3 2 1 and 5 3 4 1 2: 1 - 6 * 4 / (5 * 24).
    assert outcome.others["spearman"] == pytest.approx(0.8)
    assert PairsDetails.read(outcome.details).between == 1


class Left:
    """The score of a pair is the number after the word of its left text."""

    spec = "left"

    def score(self, left: Sequence[str], right: Sequence[str]) -> Floats:
        return np.array([float(text.split()[-1]) for text in left])


def test_weights_are_learned_on_other_pairs() -> None:
    # The right texts know everything, the left ones nothing, and shout.
    similar = np.arange(60) % 2 == 0
    noise = np.random.default_rng(1).normal(size=60) * 1000
    data = LabelledPairs(
        left=tuple(f"base {each:.3f}" for each in noise),
        right=tuple(str(float(each)) for each in similar),
        similar=similar,
        dissimilar=~similar,
        phenomena=("",) * 60,
        bases=tuple(str(i) for i in range(60)),
    )
    for parts in ((Told(), Left()), (Left(), Told())):
        assert pairs_outcome(Hybrid.open(*parts, weights="learnt"), data, "d", 0).score > 0.99
        # As they are, or of one deviation each, what shouts takes part.
        assert pairs_outcome(Hybrid.open(*parts), data, "d", 0).score < 0.8
        equal = pairs_outcome(Hybrid.open(*parts, weights="standardised"), data, "d", 0)
        assert equal.score < 0.95


def test_weights_cannot_be_learned_from_one_base() -> None:
    data = labelled([1, 2, 3, 4], [1, 0, 1, 0], bases=["a"] * 4)
    with pytest.raises(InputError, match="at least two"):
        pairs_outcome(Hybrid.open(Told(), Told(), weights="learnt"), data, "data", 0)


def test_a_pair_that_the_model_does_not_know_scores_0_and_is_counted() -> None:
    outcome = pairs_outcome(Told(), labelled([2, np.nan, -1], [1, 0, 0]), "data", 0)
    assert outcome.items["score"] == [2, 0, -1]
    assert (outcome.score, outcome.n_items, outcome.n_covered) == (1, 3, 2)
    assert outcome.items["covered"] == [True, False, True]
    assert outcome.details["missing"] == ["left 1 / nan"]


def test_infinite_scores_are_refused() -> None:
    with pytest.raises(InputError, match="'left 1' and 'inf' with an infinity"):
        pairs_outcome(Told(), labelled([2, np.inf], [1, 0]), "data", 0)


def test_the_baseline_is_chance() -> None:
    scores, similar = random_pairs(6)
    baseline = pairs_outcome(Told(), labelled(scores, similar), "data", 0).baseline
    assert baseline.mean == pytest.approx(0.5, abs=0.02)
    assert baseline.low < 0.5 < baseline.high


def test_phenomena_by_hand() -> None:
    # voice: H 3 and 1 against its own L, 2: one of two comparisons. clause: H alone, 4, against
    # all of L: 2, 9 and 0: two of three. negation: L alone, 9 and 0, against all of H: 3, 1, 4:
    # 9 wins always, 0 never: three of six.
    names = ["voice", "voice", "voice", "clause", "negation", "negation"]
    data = labelled([3, 1, 2, 4, 9, 0], [1, 1, 0, 1, 0, 0], names)
    rows = PairsDetails.read(pairs_outcome(Told(), data, "data", 0).details).phenomena
    assert [(row.phenomenon, row.auc) for row in rows] == [
        ("negation", 0.5), ("voice", 0.5), ("clause", pytest.approx(2 / 3)),
    ]  # fmt: skip
    negation, voice, clause = rows
    assert (voice.similar, voice.dissimilar) == (2, 1)
    assert (voice.similar_score, voice.dissimilar_score) == (2, 2)
    assert (clause.similar, clause.dissimilar, clause.dissimilar_score) == (1, 0, None)
    assert (negation.similar, negation.similar_score) == (0, None)
    assert negation.example == ("left 4", "9.0", "L")
    # Of voice, 1 in H beats none of L, and 2 in L is beaten by one of two.
    assert voice.example == ("left 1", "1.0", "H")
    # Two of one kind are too few for an interval.
    assert (voice.low, voice.high) == (None, None)


def test_a_rare_phenomenon_does_not_take_the_others_down() -> None:
    scores, similar = random_pairs(7, 120)
    names = ["rare", *["often"] * 119]
    outcome = pairs_outcome(Told(), labelled(scores, similar, names), "data", 0)
    rows = {row["phenomenon"]: row for row in outcome.details["phenomena"]}
    assert set(rows) == {"rare", "often"}
    assert rows["rare"]["similar"] + rows["rare"]["dissimilar"] == 1


def test_pairs_without_a_phenomenon_have_no_row() -> None:
    outcome = pairs_outcome(Told(), labelled([1, 2], [1, 0]), "data", 0)
    assert outcome.details["phenomena"] == []


def test_the_same_seed_gives_the_same() -> None:
    scores, similar = random_pairs(8, 60)
    data = labelled(scores, similar, ["a", "b"] * 30)
    first, again = (pairs_outcome(Told(), data, "data", 3) for _ in range(2))
    assert (first.interval, first.baseline) == (again.interval, again.baseline)
    assert first.details == again.details
