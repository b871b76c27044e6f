from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations, product
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score  # type: ignore[import-untyped]

from lydite.errors import InputError, UndefinedScoreError
from lydite.evaluations.separation import tasks as relation
from lydite.evaluations.separation.data import EntityPair
from lydite.evaluations.separation.tasks import relation_outcome
from lydite.models.catalogue import load
from lydite.types import Floats, Mask, Vectors


class Told:
    """Scores by the numbers that two texts end with."""

    spec = "told"

    def __init__(self, scores: Floats | Sequence[Sequence[float]]) -> None:
        self.scores = np.asarray(scores, dtype=np.float64)

    def score(self, left: Sequence[str], right: Sequence[str]) -> Floats:
        places = [[int(text.split()[-1]) for text in side] for side in (left, right)]
        return np.asarray(self.scores[places[0], places[1]])


class Encoder:
    """Vectors by the number that a text ends with."""

    spec = "encoder"

    def __init__(self, vectors: Floats) -> None:
        self.vectors = vectors

    def encode(self, texts: Sequence[str], /) -> Vectors:
        rows = [int(text.split()[-1]) for text in texts]
        return self.vectors[rows].astype(np.float32)


def pair_of(expresses: Sequence[int], name: str = "a / b", start: int = 0) -> EntityPair:
    return EntityPair(
        name=name,
        relation="buys",
        texts=tuple(f"sentence {start + i}" for i in range(len(expresses))),
        expresses=np.array(expresses, dtype=np.bool_),
    )


def area_by_listing(scores: Floats, expresses: Mask) -> float:
    """Equations 6 and 7 written out, and the AUC of scikit-learn."""
    inside, outside = np.flatnonzero(expresses), np.flatnonzero(~expresses)
    high = [scores[i, j] for i, j in permutations(inside, 2)]
    low = [scores[i, j] for i, j in product(inside, outside)]
    labels = [1] * len(high) + [0] * len(low)
    return float(roc_auc_score(labels, [*high, *low]))


@pytest.fixture(autouse=True)
def few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relation, "_RELATION_DRAWS", 50)


def test_four_sentences_by_hand() -> None:
    # E = {0, 1}, NE = {2, 3}. H: s01 = 3, s10 = 2. L: s02 = 2, s03 = 1, s12 = 3, s13 = 9.
    # 3 beats 2 and 1, ties 3, loses to 9: 2.5. 2 ties 2, beats 1, loses twice: 1.5. 4 / 8.
    # What stands in the diagonal, and in the rows of NE, is no pair.
    scores = [[99, 3, 2, 1], [2, 99, 3, 9], [50, 50, 50, 50], [-5, -5, -5, -5]]
    outcome = relation_outcome(Told(scores), [pair_of([1, 1, 0, 0])], 2, "data", 0)
    assert outcome.score == 0.5
    assert outcome.metric == "auc"
    (row,) = outcome.details["pairs"]
    assert (row["auc"], row["expressing"], row["sentences"]) == (0.5, 2, 4)
    assert (outcome.n_items, outcome.n_covered) == (4, 4)


def test_the_area_is_that_of_all_pairs_listed_and_averaged_over_entities() -> None:
    generator = np.random.default_rng(1)
    # Rounded, so that there are ties; not symmetric.
    scores = generator.normal(size=(26, 26)).round(1)
    expresses = [generator.permutation(np.arange(13) < k) for k in (5, 9)]
    pairs = [pair_of(expresses[0].tolist(), "a"), pair_of(expresses[1].tolist(), "b", 13)]
    outcome = relation_outcome(Told(scores), pairs, 3, "data", 0)
    expected = [
        area_by_listing(scores[:13, :13], expresses[0]),
        area_by_listing(scores[13:, 13:], expresses[1]),
    ]
    assert [row["auc"] for row in outcome.details["pairs"]] == pytest.approx(expected, abs=1e-12)
    assert outcome.score == pytest.approx(np.mean(expected), abs=1e-12)
    assert outcome.others == {"entity_pairs": 2.0}


def test_perfect_and_useless_models() -> None:
    expresses = np.arange(10) < 5
    inside = np.outer(expresses, expresses).astype(float)
    for scores, area in ((inside, 1.0), (-inside, 0.0), (np.zeros((10, 10)), 0.5)):
        outcome = relation_outcome(Told(scores), [pair_of(expresses.tolist())], 3, "data", 0)
        assert outcome.score == area
        # Of ten sentences not even a perfect score is certain.
        assert min(outcome.ends) <= area <= max(outcome.ends)
        assert max(outcome.ends) - min(outcome.ends) > 0.3
        # Every sentence adds the same: there is nothing to vary.
        assert set(outcome.items["value"]) == {area}


def test_random_vectors_are_near_chance_and_so_is_the_baseline() -> None:
    generator = np.random.default_rng(2)
    model = Encoder(generator.normal(size=(240, 40)))
    pairs = [pair_of([i % 2 == 0 for i in range(60)], f"p{k}", 60 * k) for k in range(4)]
    outcome = relation_outcome(model, pairs, 3, "data", 0)
    assert outcome.score == pytest.approx(0.5, abs=0.06)
    assert outcome.baseline.mean == pytest.approx(0.5, abs=0.02)
    assert outcome.baseline.kind == "shuffled labels"
    assert min(outcome.ends) < 0.5 < max(outcome.ends)
    for row in outcome.details["pairs"]:
        assert row["chance_low"] < 0.5 < row["chance_high"]
        assert row["low"] < row["auc"] < row["high"]


def topics(generator: np.random.Generator, sizes: Sequence[int], strength: float) -> Floats:
    """Vectors of sentences whose relation, if they express it, is a direction."""
    rows = []
    for size in sizes:
        vectors = generator.normal(size=(size, 6))
        vectors[: size // 2, 0] += strength
        rows.append(vectors)
    return np.concatenate(rows)


def test_values_average_to_the_score_and_spread_like_the_interval() -> None:
    sizes = (40, 90)
    model = Encoder(topics(np.random.default_rng(3), sizes, 1.5))
    pairs = [
        pair_of([i < size // 2 for i in range(size)], f"p{size}", start)
        for size, start in zip(sizes, (0, 40), strict=True)
    ]
    outcome = relation_outcome(model, pairs, 3, "data", 0)
    values = np.array(outcome.items["value"])
    assert values.mean() == pytest.approx(outcome.score, abs=1e-12)
    error = values.std(ddof=1) / np.sqrt(len(values))
    # The width of a 95 % interval is 2 * 1.96 standard errors.
    width = (max(outcome.ends) - min(outcome.ends)) / (2 * 1.96)
    assert error == pytest.approx(width, rel=0.2)
    assert [len(values), outcome.n_items] == [130, 130]


def test_what_differs_between_entities_is_no_part_of_the_spread() -> None:
    # Both pairs come out with certainty, one at 1 and one at 0: nothing varies with the sentences.
    expresses = np.arange(6) < 3
    scores = np.zeros((24, 24))
    inside = np.outer(expresses, expresses).astype(float)
    scores[:6, :6] = inside
    wide = np.arange(18) < 9
    scores[6:, 6:] = -np.outer(wide, wide).astype(float)
    pairs = [pair_of(expresses.tolist(), "a"), pair_of(wide.tolist(), "b", 6)]
    outcome = relation_outcome(Told(scores), pairs, 3, "data", 0)
    assert outcome.score == 0.5
    np.testing.assert_allclose(outcome.items["value"], 0.5, atol=1e-12)


def test_the_interval_covers_the_true_area_about_as_often_as_it_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(relation, "_RELATION_DRAWS", 20)
    generator = np.random.default_rng(4)
    large = topics(generator, [1200], 1.5)
    truth = area_by_cosine(large, 600)
    held = 0
    pair = pair_of([i < 18 for i in range(36)])
    for seed in range(40):
        model = Encoder(topics(generator, [36], 1.5))
        ends = relation_outcome(model, [pair], 3, "data", seed).ends
        held += min(ends) <= truth <= max(ends)
    # 95 % of 40 are 38. Pairs taken for independent would hold it in about half of the cases.
    assert held >= 34


def area_by_cosine(vectors: Floats, positive: int) -> float:
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit.T
    high = cosines[:positive, :positive][~np.eye(positive, dtype=np.bool_)]
    low = cosines[:positive, positive:].ravel()
    return float(roc_auc_score(np.repeat([1, 0], [len(high), len(low)]), np.append(high, low)))


def test_two_sentences_that_express_are_few_but_scored() -> None:
    scores = np.random.default_rng(5).random((9, 9))
    outcome = relation_outcome(Told(scores), [pair_of([i < 2 for i in range(9)])], 2, "data", 0)
    assert outcome.interval is None
    assert outcome.details["pairs"][0]["low"] is None
    assert np.mean(outcome.items["value"]) == pytest.approx(outcome.score)


@pytest.mark.parametrize(
    ("expresses", "said"),
    [([True] * 5, "5 sentences express buys and 0 do not"),
     ([False] * 5, "0 sentences express buys and 5 do not"),
     ([True] * 5 + [False] * 2, "5 sentences express buys and 2 do not; 3 of either are needed")],
)  # fmt: skip
def test_a_pair_without_either_kind_is_refused(expresses: list[bool], said: str) -> None:
    model = Told(np.zeros((9, 9)))
    with pytest.raises(UndefinedScoreError, match="no pair of entities can be scored") as caught:
        relation_outcome(model, [pair_of(expresses)], 3, "data", 0)
    assert said in caught.value.message
    assert caught.value.hint


def test_a_pair_without_either_kind_is_left_out_beside_others() -> None:
    scores = np.random.default_rng(7).random((20, 20))
    good, bad = pair_of([i < 4 for i in range(8)], "good"), pair_of([True] * 5, "bad", 8)
    outcome = relation_outcome(Told(scores), [bad, good], 3, "data", 0)
    assert outcome.score == pytest.approx(area_by_listing(scores[:8, :8], good.expresses))
    assert list(outcome.details["left_out"]) == ["bad"]
    assert set(outcome.items["pair"]) == {"good"}


@pytest.mark.parametrize(
    ("model", "covered"),
    [("overlap(lemmas=none)", 7), ("mean(random(9))", 7), ("mean(v.txt)", 6),
     ("hybrid(mean(v.txt), sum(v.txt))", 6), ("hybrid(overlap(lemmas=none), mean(v.txt))", 7)],
)  # fmt: skip
def test_a_sentence_without_any_known_word_is_scored_and_counted(
    model: str, covered: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("v.txt").write_text("ann 1 0\nbuys 1 2\nbob 0 1\nsues -1 1\nlikes 2 -1\n")
    texts = ("ann buys bob", "buys bob", "ann buys", "zzz qqq", "ann sues bob", "likes bob", "sues")
    pair = EntityPair(
        name="a",
        relation="buys",
        texts=texts,
        expresses=np.array([1, 1, 1, 1, 0, 0, 0], dtype=bool),
    )
    outcome = relation_outcome(load(model), [pair], 3, "data", 0)
    assert np.isfinite(outcome.score)
    assert np.isfinite(outcome.items["value"]).all()
    assert (outcome.n_items, outcome.n_covered) == (7, covered)
    assert outcome.details["missing"] == (["zzz qqq"] if covered == 6 else [])
    assert outcome.items["covered"].count(False) == 7 - covered
    assert outcome.oov == "zero"


def test_scores_that_are_no_numbers_at_all_are_refused() -> None:
    model = Told(np.full((8, 8), np.nan))
    with pytest.raises(UndefinedScoreError, match="covers none of 8 items"):
        relation_outcome(model, [pair_of([i < 4 for i in range(8)])], 3, "data", 0)


def test_infinite_scores_are_refused() -> None:
    scores = np.zeros((8, 8))
    scores[2, 5] = np.inf
    with pytest.raises(InputError, match="'sentence 2' and 'sentence 5' with an infinity"):
        relation_outcome(Told(scores), [pair_of([i < 4 for i in range(8)])], 3, "data", 0)


def test_the_seed_changes_the_baseline_alone() -> None:
    model = Told(np.random.default_rng(8).random((12, 12)))
    pairs = [pair_of([i < 6 for i in range(12)])]
    first, again, other = (relation_outcome(model, pairs, 3, "data", seed) for seed in (1, 1, 2))
    assert (first.interval, first.baseline) == (again.interval, again.baseline)
    assert first.score == other.score
    assert first.interval == other.interval
    assert first.baseline != other.baseline


def test_curve_and_densities_are_those_of_all_pairs() -> None:
    scores = np.random.default_rng(9).random((10, 10))
    outcome = relation_outcome(Told(scores), [pair_of([i < 5 for i in range(10)])], 3, "d", 0)
    details: Mapping[str, list[list[float]]] = outcome.details
    false, true = np.array(details["curve"]).T
    assert float(np.trapezoid(true, false)) == pytest.approx(outcome.score, abs=1e-3)
