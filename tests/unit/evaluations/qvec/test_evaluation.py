from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from scipy import linalg, stats

from lydite.errors import InputError, UndefinedScoreError, UnsuitableModelError
from lydite.evaluations.qvec.evaluation import (
    Method,
    Qvec,
    alignment,
    canonical_directions,
    shared_matrices,
    word_folds,
)
from lydite.lexicons.oracles import read_oracle
from lydite.models.baselines import RandomModel
from lydite.resources.catalogue import Located
from lydite.results.record import Outcome
from lydite.spaces.space import Space
from lydite.stats import cca as shuffled_products
from lydite.stats.correlation import pearson
from lydite.stats.ridge import explain
from lydite.stats.seeds import child_seed
from lydite.storage import sha256_file
from lydite.types import Floats, Vectors

METHODS: tuple[Method, ...] = ("explained", "qvec", "cca", "cca-first")
FITTED: tuple[Method, ...] = ("qvec", "cca", "cca-first")

# The eight corners of a cube: a, b, c and their products are columns of mean 0 and variance 1,
# each uncorrelated with all others, so that correlations can be read off.
A, B, C = np.array([[i & 1, i >> 1 & 1, i >> 2 & 1] for i in range(8)], dtype=np.float64).T * 2 - 1
WORDS = [f"word{i}" for i in range(8)]


def linguistic(folder: Path, S: Floats, words: Sequence[str], name: str = "oracle") -> Located:
    path = folder / f"{name}.txt"
    rows = (
        f"{word}\t{json.dumps({f'{name}.{j}': value for j, value in enumerate(row) if value})}"
        for word, row in zip(words, S.tolist(), strict=True)
    )
    path.write_text("\n".join(rows), encoding="utf-8")
    return Located(name=name, paths=(path,), sha256=sha256_file(path))


def space(X: Floats, words: Sequence[str]) -> Space:
    return Space.of(dict(zip(words, X.tolist(), strict=True)), spec="corners")


def ask(folder: Path, X: Floats, S: Floats, seed: int = 1, **how: object) -> Outcome:
    words = [f"word{i}" for i in range(len(X))]
    evaluation = Qvec(**how)  # type: ignore[arg-type]
    return evaluation.run(space(X, words), [linguistic(folder, S, words)], seed=seed)


def related(n: int, d: int, p: int, seed: int) -> tuple[Floats, Floats, Floats]:
    """Draw Gaussian X and S; return the correlations of their columns in the population too."""
    generator = np.random.default_rng(seed)
    k = min(d, p)
    rho = np.pad(0.8 * 0.75 ** np.arange(k), (0, max(d, p) - k))
    U, V = generator.normal(size=(n, d)), generator.normal(size=(n, p))
    V = np.sqrt(1 - rho[:p] ** 2) * V
    V[:, :k] += rho[:k] * U[:, :k]
    fixed = np.random.default_rng(0)
    left = np.linalg.qr(fixed.normal(size=(d, d)))[0]
    right = np.linalg.qr(fixed.normal(size=(p, p)))[0]
    table = left[:k].T @ (rho[:k, None] * right[:k])
    return U @ left, V @ right, table


def test_two_dimensions_on_a_cube(tmp_path: Path) -> None:
    # r of a with 3a + 4c is 3/5 and with 5b + 12ac is 0; r of b with these is 0 and 5/13.
    X, S = np.column_stack([A, B]), np.column_stack([3 * A + 4 * C, 5 * B + 12 * A * C])
    expected = {"qvec": 3 / 5 + 5 / 13, "cca": (3 / 5 + 5 / 13) / 2, "cca-first": 3 / 5}
    for method, score in expected.items():
        outcome = ask(tmp_path, X, S, method=method, normalize=False)
        assert outcome.score == pytest.approx(score)
        assert outcome.metric == method
        assert np.mean(outcome.items["value"]) == pytest.approx(score)


def test_items_say_which_words_pull_the_score_up_and_down(tmp_path: Path) -> None:
    # u = a and v = (3a + 4c) / 5. Where a = c, v = ±7/5 and u v - 0.3 (u² + v²) = 0.512; where
    # a = -c, v = ∓1/5 and it is -0.512. The items are the score of 0.6 plus this.
    X, S = np.column_stack([A, B]), np.column_stack([3 * A + 4 * C, 5 * B + 12 * A * C])
    outcome = ask(tmp_path, X, S, method="cca-first", normalize=False)
    assert outcome.items["item"] == WORDS
    assert outcome.items["value"] == pytest.approx(np.where(A == C, 1.112, 0.088).tolist())
    # To QVEC, b with (5b + 12ac) / 13 adds 17/13 - 5/26 (1 + (17/13)²) = (12/13)³ where b = ac, and
    # its negative elsewhere.
    outcome = ask(tmp_path, X, S, method="qvec")
    pulled = np.where(A == C, 0.512, -0.512) + np.where(B == A * C, 1, -1) * (12 / 13) ** 3
    assert outcome.items["value"] == pytest.approx((3 / 5 + 5 / 13 + pulled).tolist())


def test_a_feature_may_serve_several_dimensions_and_negatives_count(tmp_path: Path) -> None:
    # Dimensions a, 2a + 1 and -a against the one feature a: 1 + 1 - 1.
    outcome = ask(tmp_path, np.column_stack([A, 2 * A + 1, -A]), A[:, None], method="qvec")
    assert outcome.score == pytest.approx(1)


def test_constant_dimensions_and_features_add_nothing(tmp_path: Path) -> None:
    # -a correlates by -1 with a; the constant feature correlates with nothing, not even by 0.
    X, S = np.column_stack([-A, np.full(8, 0.1)]), np.column_stack([A, np.full(8, 0.1)])
    outcome = ask(tmp_path, X, S, method="qvec")
    assert outcome.score == pytest.approx(-1)
    assert [row["dimension"] for row in outcome.details["dimensions"]] == [0]
    assert outcome.details["dimensions"][0]["feature"] == "oracle.0"
    assert list(outcome.details["explained"]) == ["oracle.0"]
    for method in ("cca", "cca-first"):
        score = ask(tmp_path, X, S, method=method, normalize=False).score
        assert score == pytest.approx(1)


def test_features_that_no_shared_word_has_are_dropped(tmp_path: Path) -> None:
    # A ninth word is the only one with the second feature, and the model lacks it.
    S = np.column_stack([np.append(A, 0.0), np.append(np.zeros(8), 1.0)])
    oracle = linguistic(tmp_path, S, [*WORDS, "emu"])
    outcome = Qvec(method="qvec").run(space(-A[:, None], WORDS), [oracle], seed=1)
    assert outcome.score == pytest.approx(-1)
    assert (outcome.n_items, outcome.n_covered, outcome.oov) == (9, 8, "skip")
    assert outcome.others["features"] == 1
    assert outcome.details["missing"] == ["emu"]
    assert outcome.items["covered"] == [True] * 8 + [False]
    assert outcome.items["value"][-1] is None


def test_a_zero_vector_is_no_vector(tmp_path: Path) -> None:
    oracle = linguistic(tmp_path, np.append(A, 1.0)[:, None] + 2, [*WORDS, "emu"])
    model = space(np.append(A, 0.0)[:, None], [*WORDS, "emu"])
    outcome = Qvec(method="qvec").run(model, [oracle], seed=1)
    assert (outcome.n_items, outcome.n_covered) == (9, 8)
    assert outcome.score == pytest.approx(1)


def test_qvec_is_a_double_loop_over_pearsonr(tmp_path: Path) -> None:
    X, S, _ = related(120, 9, 7, seed=1)
    outcome = ask(tmp_path, X, S, method="qvec")
    stored = X.astype(np.float32).astype(np.float64)
    expected = sum(
        max(stats.pearsonr(stored[:, i], S[:, j]).statistic for j in range(7)) for i in range(9)
    )
    assert outcome.score == pytest.approx(expected, abs=1e-9)


def test_cca_scales_rows_to_length_one_unless_told_not_to(tmp_path: Path) -> None:
    X, S, _ = related(120, 5, 4, seed=2)
    X, S = X + 1, np.abs(S)
    lengths = np.linalg.norm(X, axis=1, keepdims=True), np.linalg.norm(S, axis=1, keepdims=True)
    scaled = ask(tmp_path, X / lengths[0], S / lengths[1], method="cca", normalize=False).score
    assert ask(tmp_path, X, S, method="cca").score == pytest.approx(scaled, abs=1e-6)
    raw = ask(tmp_path, X, S, method="cca", normalize=False).score
    assert raw != pytest.approx(scaled, abs=1e-3)


def test_qvec_takes_raw_values_whatever_normalize_says(tmp_path: Path) -> None:
    X, S, _ = related(50, 3, 2, seed=3)
    scores = {ask(tmp_path, X, S, method="qvec", normalize=on).score for on in (True, False)}
    assert len(scores) == 1


@pytest.mark.parametrize("method", FITTED)
@pytest.mark.parametrize("normalize", [True, False])
@pytest.mark.parametrize(("d", "p"), [(12, 30), (30, 12)])
def test_the_null_of_a_sparse_oracle_is_that_of_its_dense_columns(
    monkeypatch: pytest.MonkeyPatch, method: Method, normalize: bool, d: int, p: int
) -> None:
    monkeypatch.setattr(shuffled_products, "_SMALL", 0)
    monkeypatch.setattr(shuffled_products, "_DENSE", 0.5)
    generator = np.random.default_rng(p)
    X, S = generator.normal(size=(150, d)) + 1, np.zeros((150, p))
    S[np.arange(150), generator.integers(1, p - 1, size=150)] = generator.random(150)
    # A property that all words have, and one that just two have, by little.
    S[:, 0], S[:2, -1] = 0.3, [1e-5, 3e-5]
    X[:, 0] = 7.0
    answer, _ = Qvec(method=method, normalize=normalize).answer(X, S, draws=6, seed=4)
    if normalize and method != "qvec":
        X, S = (M / np.linalg.norm(M, axis=1, keepdims=True) for M in (X, S))
    x, s = X - X.mean(axis=0), (S - S.mean(axis=0)) / S.max(axis=0)
    if method != "qvec":
        x, s = linalg.orth(x, rcond=1e-10), linalg.orth(s, rcond=1e-10)
    shuffles = np.random.default_rng(child_seed(4, "baseline"))
    expected = []
    for _ in range(6):
        shuffled = s[shuffles.permutation(150)]
        if method == "qvec":
            table = np.corrcoef(x[:, 1:].T, shuffled[:, 1:].T)[: d - 1, d - 1 :]
            expected.append(table.max(axis=1).sum())
        else:
            values = linalg.svdvals(x.T @ shuffled)
            expected.append(values[0] if method == "cca-first" else values.mean())
    assert answer.null == pytest.approx(np.array(expected), rel=1e-5)


def test_influence_on_qvec_is_what_leaving_a_word_out_shows() -> None:
    X, S, _ = related(200, 6, 5, seed=4)
    evaluation = Qvec(method="qvec")
    answer, _ = evaluation.answer(X, S)
    rows = np.arange(200)
    left_out = [evaluation.answer(X[rows != i], S[rows != i])[0].score for i in rows]
    jackknife = 199 * (answer.score - np.array(left_out))
    assert answer.influence.mean() == pytest.approx(0, abs=1e-12)
    assert pearson(answer.influence, jackknife - jackknife.mean()) > 0.999
    assert answer.influence.std() == pytest.approx(jackknife.std(), rel=0.05)


@pytest.mark.parametrize("method", FITTED)
def test_scores_that_are_fitted_have_no_interval_and_the_fair_one_beside_them(
    tmp_path: Path, method: Method
) -> None:
    X, S, _ = related(150, 8, 6, seed=6)
    fair, fitted = ask(tmp_path, X, S), ask(tmp_path, X, S, method=method)
    assert fitted.interval is None
    assert fitted.others["explained"] == pytest.approx(fair.score)
    assert fitted.details["explained"] == fair.details["explained"]


def test_variance_explained_is_that_of_the_ridge_with_its_control_beside_it(
    tmp_path: Path,
) -> None:
    X, S, _ = related(150, 8, 6, seed=6)
    outcome = ask(tmp_path, X, S)
    words = [f"word{i}" for i in range(150)]
    expected = explain(X.astype(np.float32), S, word_folds(words))
    assert outcome.metric == "explained"
    assert outcome.score == pytest.approx(expected.score)
    assert outcome.items["value"] == pytest.approx((expected.score + expected.influence).tolist())
    assert list(outcome.details["explained"].values()) == pytest.approx(
        expected.columns.tolist(), abs=1e-6
    )
    assert (outcome.baseline.kind, outcome.baseline.draws) == ("control task", 20)
    assert outcome.others["selectivity"] == pytest.approx(outcome.score - outcome.baseline.mean)
    assert outcome.interval is not None
    assert outcome.interval.low < outcome.score < outcome.interval.high


def test_a_projection_wins_by_cca_and_loses_by_variance_explained() -> None:
    # Twenty directions of which five hold most of what the features are about: the mean of five
    # canonical correlations is higher than that of twelve, though less is known.
    generator = np.random.default_rng(3)
    X = generator.normal(size=(2000, 20))
    weights = generator.normal(size=(20, 12)) * np.where(np.arange(20) < 5, 1.0, 0.2)[:, None]
    S = X @ weights + 2 * generator.normal(size=(2000, 12))
    methods: tuple[Method, ...] = ("explained", "cca")
    scores = {
        method: [Qvec(method=method, normalize=False).answer(M, S)[0].score for M in (X[:, :5], X)]
        for method in methods
    }
    assert scores["cca"][0] > scores["cca"][1]
    assert scores["explained"][0] < scores["explained"][1]


def test_ten_seeds_give_one_score_and_one_interval_but_for_the_control(tmp_path: Path) -> None:
    X, S, _ = related(120, 6, 4, seed=8)
    found = [ask(tmp_path, X, S, seed=seed) for seed in range(10)]
    assert len({outcome.score for outcome in found}) == 1
    lows = [outcome.interval.low for outcome in found if outcome.interval]
    assert np.ptp(lows) < 0.01
    assert np.ptp([outcome.others["selectivity"] for outcome in found]) < 0.02


@pytest.mark.parametrize("method", METHODS)
def test_random_vectors_score_as_the_baseline_says(tmp_path: Path, method: Method) -> None:
    _, S, _ = related(300, 8, 6, seed=7)
    words = [f"word{i}" for i in range(300)]
    oracle = linguistic(tmp_path, S, words)
    inside = 0
    for seed in range(20):
        outcome = Qvec(method=method).run(RandomModel(8, seed=seed), [oracle], seed=1)
        inside += outcome.baseline.low <= outcome.score <= outcome.baseline.high
    # 19 expected of 20; of the control there are 20 draws, which know its ends less well.
    assert inside >= (14 if method == "explained" else 16)


def test_the_same_seed_gives_the_same_bits(tmp_path: Path) -> None:
    X, S, _ = related(60, 4, 3, seed=8)
    one, two, other = (ask(tmp_path, X, S, seed=seed) for seed in (1, 1, 2))
    assert one == two
    assert one.baseline != other.baseline
    assert one.score == other.score


def test_several_oracles_are_joined_by_hand(tmp_path: Path) -> None:
    # The first oracle has words 0 to 6 with feature x, the second words 1 to 7 with feature y.
    x, y = np.arange(1.0, 8), np.array([9.0, 2, 7, 4, 5, 6, 1])
    oracles = [
        linguistic(tmp_path, x[:, None], WORDS[:7], "x"),
        linguistic(tmp_path, y[:, None], WORDS[1:], "y"),
    ]
    vector = np.array([3.0, 1, 4, 1, 5, 9, 2, 6])
    model = space(vector[:, None], WORDS)
    shared = Qvec(method="qvec").run(model, oracles, seed=1)
    best = max(pearson(vector[1:7], x[1:]), pearson(vector[1:7], y[:6]))
    assert (shared.n_items, shared.n_covered) == (6, 6)
    assert shared.score == pytest.approx(best)
    either = Qvec(method="qvec", join="union").run(model, oracles, seed=1)
    # A word that an oracle lacks has weight 0 for its features.
    best = max(pearson(vector, np.append(x, 0)), pearson(vector, np.append(0, y)))
    assert (either.n_items, either.n_covered) == (8, 8)
    assert either.score == pytest.approx(best)


def test_a_text_model_is_asked_for_each_word(tmp_path: Path) -> None:
    class Encoder:
        def encode(self, texts: Sequence[str], /) -> Vectors:
            return space(A[:, None], WORDS).lookup(texts).vectors

    oracle = linguistic(tmp_path, np.append(A, 1.0)[:, None], [*WORDS, "emu"])
    outcome = Qvec(method="qvec").run(Encoder(), [oracle], seed=1)
    assert outcome.score == pytest.approx(1)
    assert (outcome.n_items, outcome.n_covered) == (9, 8)


def test_a_pair_model_is_refused_with_the_reason(tmp_path: Path) -> None:
    class Scorer:
        def score(self, left: Sequence[str], right: Sequence[str]) -> Floats:
            raise NotImplementedError

    with pytest.raises(UnsuitableModelError, match="gives vectors of words, got Scorer"):
        Qvec().run(Scorer(), [linguistic(tmp_path, A[:, None], WORDS)], seed=1)


def test_too_few_words_are_an_error_that_says_how_many(tmp_path: Path) -> None:
    oracle = linguistic(tmp_path, A[:, None], WORDS)
    with pytest.raises(UndefinedScoreError) as caught:
        Qvec().run(space(A[:2, None], WORDS[:2]), [oracle], seed=1)
    assert str(caught.value) == (
        "a correlation needs at least 3 words, but corners has 2 of the 8 in the oracle\n"
        "hint: is the model for another language, or cased while the oracle is in lower case?"
    )
    with pytest.raises(UndefinedScoreError, match="8 items with 8 independent variables in all"):
        Qvec(method="cca", normalize=False).run(
            RandomModel(8), [linguistic(tmp_path, A[:, None] + B[:, None], WORDS)], seed=1
        )


def test_no_oracle_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="takes one oracle or several, got none"):
        Qvec().run(RandomModel(3), [], seed=1)


@pytest.mark.parametrize("method", METHODS)
def test_nothing_that_varies_is_an_error(tmp_path: Path, method: Method) -> None:
    constant = np.full((8, 1), 0.1)
    with pytest.raises(UndefinedScoreError, match=r"column.* of the (vectors|left matrix)"):
        ask(tmp_path, constant, A[:, None] + 2, method=method, normalize=False)
    with pytest.raises(UndefinedScoreError, match=r"column.* of the (oracle|right matrix)"):
        ask(tmp_path, A[:, None], constant, method=method, normalize=False)


def test_words_without_any_property_are_an_error(tmp_path: Path) -> None:
    oracle = linguistic(tmp_path, np.append(np.zeros(8), 1.0)[:, None], [*WORDS, "emu"])
    with pytest.raises(UndefinedScoreError, match=r"8 words that corners shares .* no property"):
        Qvec().run(space(A[:, None], WORDS), [oracle], seed=1)


def test_alignment_names_feature_and_top_words_of_each_dimension() -> None:
    # fish and cat are animals, tea and milk drinks. Dimension 0 is animals against drinks: r = 1,
    # top words fish and cat (ties in the order of the words); dimension 1 is 0 0 1 2, of mean
    # 3/4, against drinks 0 0 1 1: deviations -.75 -.75 .25 1.25 times ∓.5 give 1.5, and
    # 1.5 / sqrt(2.75 · 1) = 0.904534.
    X = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 2.0]])
    S = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])
    found = alignment(X, S, ["animal", "drink"], ["fish", "cat", "tea", "milk"])
    first, second = found.dimensions
    assert (first.dimension, first.feature, first.correlation) == (0, "animal", 1.0)
    assert first.words == ("fish", "cat", "tea", "milk")
    assert (second.dimension, second.feature, second.correlation) == (1, "drink", 0.904534)
    assert second.words == ("milk", "tea", "fish", "cat")


def test_alignment_keeps_the_clearest_dimensions_in_order() -> None:
    X = np.column_stack([A + 3 * C, A, A + C])
    found = alignment(X, A[:, None], ["a"], WORDS, most=2)
    assert [row.dimension for row in found.dimensions] == [1, 2]


def test_alignments_of_varying_columns_sum_to_qvec(tmp_path: Path) -> None:
    X, S, _ = related(80, 6, 4, seed=9)
    outcome = ask(tmp_path, X, S, method="qvec")
    total = sum(row["correlation"] for row in outcome.details["dimensions"])
    assert total == pytest.approx(outcome.score, abs=1e-5)
    assert all(len(row["words"]) == 5 for row in outcome.details["dimensions"])


def test_details_stay_small_for_many_dimensions(tmp_path: Path) -> None:
    generator = np.random.default_rng(10)
    X, S = generator.normal(size=(620, 512)), np.abs(generator.normal(size=(620, 41)))
    words = [f"averagely-long-word-{i}" for i in range(620)]
    outcome = Qvec(method="cca").run(space(X, words), [linguistic(tmp_path, S, words)], seed=1)
    assert len(outcome.details["dimensions"]) == 100
    assert len(outcome.details["directions"]) == 10
    assert outcome.others["dimensions"] == 512
    assert len(json.dumps(outcome.details)) < 32_000


def test_matrices_keep_the_order_of_the_oracle(tmp_path: Path) -> None:
    S = np.arange(1.0, 7).reshape(3, 2)
    oracle = read_oracle(linguistic(tmp_path, S, ["c", "a", "b"]).single())
    vectors: Mapping[str, list[float]] = {"a": [1.0], "b": [2.0], "c": [3.0], "d": [4.0]}
    X, kept, features, found = shared_matrices(Space.of(vectors), oracle)
    assert X.tolist() == [[3.0], [1.0], [2.0]]
    assert kept.tolist() == S.tolist()
    assert features == ["oracle.0", "oracle.1"]
    assert found.all()


def test_a_word_is_always_in_the_same_place_of_the_deal() -> None:
    words = [f"word{i}" for i in range(95)]
    folds = word_folds(words)
    assert sorted(np.bincount(folds).tolist()) == [9] * 5 + [10] * 5
    order = np.random.default_rng(1).permutation(95)
    assert word_folds([words[i] for i in order]).tolist() == folds[order].tolist()
    assert sorted(word_folds(["a", "b", "c"]).tolist()) == [0, 1, 2]


def test_directions_name_features_and_the_words_at_both_ends() -> None:
    # The vectors hold a and b of the cube exactly, and the features are a, and a mix of b and c:
    # the first direction is a, with r = 1, and the second b, with r = 5/13.
    X, S = np.column_stack([B, A]), np.column_stack([-A, 5 * B + 12 * C])
    first, second = canonical_directions(X, S, ["a", "b"], WORDS)
    assert (first.direction, second.direction) == (1, 2)
    assert first.correlation == 1.0
    assert second.correlation == pytest.approx(5 / 13, abs=1e-6)
    assert first.features["a"] == 1.0
    assert first.features["b"] == pytest.approx(0, abs=1e-6)
    assert next(iter(second.features)) == "b"
    # Where a is -1 the first feature is high: words 0, 2, 4, 6.
    assert set(first.words[:4]) == {"word0", "word2", "word4", "word6"}
    assert set(first.opposite[:4]) == {"word1", "word3", "word5", "word7"}
    assert len(canonical_directions(X, S, ["a", "b"], WORDS, most=1)) == 1


def test_repeated_words_of_an_oracle_are_told(tmp_path: Path) -> None:
    oracle = linguistic(tmp_path, np.append(A, [5.0, 7.0])[:, None] + 3, [*WORDS, "word1", "word1"])
    outcome = Qvec(method="qvec").run(space(A[:, None], WORDS), [oracle], seed=1)
    assert outcome.details["repeated"] == 2
    assert outcome.n_items == 8
