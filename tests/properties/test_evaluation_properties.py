from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from lydite.evaluations.qvec.evaluation import Method, Qvec
from lydite.evaluations.similarity.evaluation import Similarity
from lydite.models.baselines import RandomModel
from lydite.resources.catalogue import Located
from lydite.results.record import Outcome
from lydite.spaces.space import Space
from lydite.stats.cca import canonical_correlations
from lydite.types import Floats

# No time limit: a slow machine is no failure.
unhurried = settings(deadline=None, max_examples=30)

METHODS: tuple[Method, ...] = ("explained", "qvec", "cca", "cca-first")
methods = pytest.mark.parametrize("method", METHODS)
seeds = st.integers(0, 10_000)

Pair = tuple[str, str, float]


def matrices(seed: int) -> tuple[Floats, Floats]:
    """Draw vectors of 30 words and properties that are related to them, all positive."""
    generator = np.random.default_rng(seed)
    X = generator.normal(size=(30, 4))
    S = np.exp(X[:, :3] * 0.6 + generator.normal(size=(30, 3)) * 0.5)
    return X, S


def rotation(d: int, seed: int) -> Floats:
    return np.linalg.qr(np.random.default_rng(seed).normal(size=(d, d)))[0]


def invertible(d: int, seed: int) -> Floats:
    generator = np.random.default_rng(seed)
    stretch = np.exp(generator.uniform(-1, 1, size=d))
    return np.asarray(rotation(d, seed) * stretch @ rotation(d, seed + 1))


def located(text: str, folder: str) -> Located:
    path = Path(folder) / "resource.txt"
    path.write_text(text, encoding="utf-8")
    return Located(name="resource", paths=(path,), sha256="0" * 64)


def run_qvec(X: Floats, S: Floats, words: Sequence[str], model: Space, method: Method) -> Outcome:
    rows = zip(words, S.tolist(), strict=True)
    text = "\n".join(
        f"{word}\t{json.dumps({str(j): value for j, value in enumerate(row)})}"
        for word, row in rows
    )
    with tempfile.TemporaryDirectory() as folder:
        return Qvec(method=method).run(model, [located(text, folder)], seed=1)


def run_similarity(model: object, pairs: Iterable[Pair], **how: str) -> Outcome:
    text = "\n".join(f"{left} {right} {rating!r}" for left, right, rating in pairs)
    with tempfile.TemporaryDirectory() as folder:
        return Similarity(**how).run(model, [located(text, folder)], seed=1)  # type: ignore[arg-type]


def space(X: Floats) -> Space:
    return Space.of({f"w{i}": row for i, row in enumerate(X.tolist())})


@st.composite
def rated_pairs(draw: st.DrawFn) -> list[Pair]:
    """Draw pairs of 30 words, none twice in either order, with ratings that tie here and there."""
    words = st.integers(0, 29)
    chosen = draw(
        st.lists(
            st.tuples(words, words).filter(lambda pair: pair[0] < pair[1]),
            min_size=4,
            max_size=25,
            unique=True,
        )
    )
    ratings = [draw(st.integers(0, 8)) / 2 for _ in chosen]
    assume(len(set(ratings)) > 1)
    return [(f"w{a}", f"w{b}", rating) for (a, b), rating in zip(chosen, ratings, strict=True)]


@given(seeds, seeds)
@unhurried
def test_canonical_correlations_do_not_depend_on_the_basis(data: int, by: int) -> None:
    X, S = matrices(data)
    expected = canonical_correlations(X, S).correlations
    shift = np.random.default_rng(by).normal(size=4) * 10
    for changed in (X @ rotation(4, by), X @ invertible(4, by), X + shift, X * [9, 1, 0.01, 3]):
        assert canonical_correlations(changed, S).correlations == pytest.approx(expected)
        assert canonical_correlations(S, changed).correlations == pytest.approx(expected)


@pytest.mark.parametrize("method", ["explained", "cca", "cca-first"])
@pytest.mark.parametrize("normalize", [True, False])
@given(seeds, seeds)
@unhurried
def test_scores_do_not_depend_on_rotation(
    method: Method, normalize: bool, data: int, by: int
) -> None:
    evaluation = Qvec(method=method, normalize=normalize)
    X, S = matrices(data)
    expected, _ = evaluation.answer(X, S)
    found, _ = evaluation.answer(X @ rotation(4, by), S)
    assert found.score == pytest.approx(expected.score)
    assert found.influence == pytest.approx(expected.influence, abs=1e-9)


def test_cca_with_rows_of_length_one_depends_on_other_linear_maps() -> None:
    # Stretching one axis turns the rows towards it, and lengths of one do not undo that.
    X, S = matrices(1)
    stretched = X * [20, 1, 1, 1]
    kept, changed = (
        Qvec(method="cca", normalize=False).answer(M, S)[0].score for M in (X, stretched)
    )
    assert changed == pytest.approx(kept)
    kept, changed = (Qvec(method="cca").answer(M, S)[0].score for M in (X, stretched))
    assert abs(changed - kept) > 0.05


def test_qvec_depends_on_rotation() -> None:
    # The axes of a square are the two features themselves: 1 + 1. Turned by 45 degrees, each
    # axis lies midway between the two, and at r = 1/sqrt(2) from the better one.
    X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    turned = X @ np.array([[1.0, -1.0], [1.0, 1.0]]) / np.sqrt(2)
    evaluation = Qvec(method="qvec")
    assert evaluation.answer(X, X)[0].score == pytest.approx(2)
    assert evaluation.answer(turned, X)[0].score == pytest.approx(np.sqrt(2))


@given(seeds, st.lists(st.floats(0.01, 100), min_size=7, max_size=7), seeds)
@unhurried
def test_qvec_does_not_depend_on_units_and_origins(data: int, units: list[float], by: int) -> None:
    X, S = matrices(data)
    shift = np.random.default_rng(by).normal(size=7) * 10
    evaluation = Qvec(method="qvec")
    expected, _ = evaluation.answer(X, S)
    found, _ = evaluation.answer(X * units[:4] + shift[:4], S * units[4:] + shift[4:])
    assert found.score == pytest.approx(expected.score)
    assert found.influence == pytest.approx(expected.influence, abs=1e-6)


@methods
@given(seeds, seeds)
@unhurried
def test_scores_do_not_depend_on_the_order_of_words_or_features(
    method: Method, data: int, by: int
) -> None:
    X, S = matrices(data)
    generator = np.random.default_rng(by)
    rows, columns = generator.permutation(30), generator.permutation(3)
    evaluation, folds = Qvec(method=method), np.arange(30) % 10
    expected, _ = evaluation.answer(X, S, folds=folds)
    found, _ = evaluation.answer(X[rows], S[rows][:, columns], folds=folds[rows])
    assert found.score == pytest.approx(expected.score)
    assert found.influence == pytest.approx(expected.influence[rows], abs=1e-9)


@methods
@given(seeds, seeds)
@settings(deadline=None, max_examples=8)
def test_qvec_does_not_depend_on_the_order_of_the_vocabulary(
    method: Method, data: int, by: int
) -> None:
    X, S = matrices(data)
    words = [f"w{i}" for i in range(30)]
    vectors = dict(zip(words, X.tolist(), strict=True))
    shuffled = {words[i]: vectors[words[i]] for i in np.random.default_rng(by).permutation(30)}
    expected = run_qvec(X, S, words, Space.of(vectors), method)
    assert run_qvec(X, S, words, Space.of(shuffled), method) == expected


@methods
@given(seeds, st.sets(st.integers(0, 29), min_size=1, max_size=12))
@settings(deadline=None, max_examples=8)
def test_qvec_without_absent_words_is_that_of_the_restricted_oracle(
    method: Method, data: int, absent: set[int]
) -> None:
    X, S = matrices(data)
    words = [f"w{i}" for i in range(30)]
    kept = [i for i in range(30) if i not in absent]
    model = Space.of({words[i]: X[i].tolist() for i in kept})
    found = run_qvec(X, S, words, model, method)
    restricted = run_qvec(X[kept], S[kept], [words[i] for i in kept], model, method)
    assert found.score == restricted.score
    assert found.interval == restricted.interval
    assert found.baseline == restricted.baseline
    assert (found.n_items, found.n_covered) == (30, len(kept))
    assert (restricted.n_items, restricted.n_covered) == (len(kept), len(kept))


@given(seeds, rated_pairs(), seeds)
@unhurried
def test_similarity_does_not_depend_on_what_it_should_not(
    data: int, pairs: list[Pair], by: int
) -> None:
    generator = np.random.default_rng(by)
    X = matrices(data)[0].astype(np.float32).astype(np.float64)
    expected = run_similarity(space(X), pairs)
    swapped = [(right, left, rating) for left, right, rating in pairs]
    reordered = [pairs[i] for i in generator.permutation(len(pairs))]
    order = generator.permutation(30)
    vocabulary = Space.of({f"w{i}": X[i].tolist() for i in order})
    for model, asked in (
        (space(X), swapped),
        (space(X), reordered),
        (vocabulary, pairs),
        # Powers of two are exact in float32, so that ties stay ties.
        (space(X * 2.0 ** generator.integers(-3, 4, size=(30, 1))), pairs),
    ):
        found = run_similarity(model, asked)
        assert found.score == pytest.approx(expected.score)
        assert found.others["pearson"] == pytest.approx(expected.others["pearson"])
        assert min(found.ends) == pytest.approx(min(expected.ends), abs=1e-6)
        assert max(found.ends) == pytest.approx(max(expected.ends), abs=1e-6)


@given(seeds, rated_pairs(), seeds)
@unhurried
def test_similarity_does_not_depend_on_rotation(data: int, pairs: list[Pair], by: int) -> None:
    X, _ = matrices(data)
    expected = run_similarity(space(X), pairs, metric="pearson")
    found = run_similarity(space(X @ rotation(4, by)), pairs, metric="pearson")
    # Rotated vectors are rounded to float32 anew.
    assert found.score == pytest.approx(expected.score, abs=1e-4)
    assert np.array(found.items["predicted"]) == pytest.approx(
        np.array(expected.items["predicted"]), abs=1e-5
    )


@given(seeds, rated_pairs())
@unhurried
def test_spearman_depends_on_the_order_of_ratings_alone(data: int, pairs: list[Pair]) -> None:
    X, _ = matrices(data)
    warped = [(left, right, float(np.exp(rating) - 7)) for left, right, rating in pairs]
    turned = [(left, right, -rating) for left, right, rating in pairs]
    expected = run_similarity(space(X), pairs)
    found = run_similarity(space(X), warped)
    assert found.score == expected.score
    assert found.interval == expected.interval
    assert run_similarity(space(X), turned).score == pytest.approx(-expected.score)
    linear = [(left, right, 3 * rating - 1) for left, right, rating in pairs]
    assert run_similarity(space(X), linear).others["pearson"] == pytest.approx(
        expected.others["pearson"]
    )


@given(seeds, rated_pairs(), st.sets(st.integers(0, 29), min_size=1, max_size=10))
@unhurried
def test_skipping_absent_words_is_the_restricted_set(
    data: int, pairs: list[Pair], absent: set[int]
) -> None:
    X, _ = matrices(data)
    model = Space.of({f"w{i}": X[i].tolist() for i in range(30) if i not in absent})
    gone = {f"w{i}" for i in absent}
    kept = [pair for pair in pairs if not gone & {pair[0], pair[1]}]
    assume(len(kept) >= 3 and len({rating for *_, rating in kept}) > 1)
    found, restricted = run_similarity(model, pairs), run_similarity(model, kept)
    assert found.score == restricted.score
    assert found.interval == restricted.interval
    assert found.baseline == restricted.baseline
    assert (found.n_items, found.n_covered) == (len(pairs), len(kept))
    for oov in ("zero", "mean"):
        assert run_similarity(model, pairs, oov=oov).n_covered == len(kept)


@given(seeds, rated_pairs())
@unhurried
def test_the_same_seed_gives_the_same_bits(data: int, pairs: list[Pair]) -> None:
    model = space(matrices(data)[0])
    assert run_similarity(model, pairs) == run_similarity(model, pairs)


@pytest.mark.parametrize("metric", ["spearman", "pearson"])
def test_random_vectors_are_as_similar_as_the_baseline_says(metric: str) -> None:
    generator = np.random.default_rng(1)
    pairs = [
        (f"w{2 * i}", f"w{2 * i + 1}", float(rating))
        for i, rating in enumerate(generator.normal(size=60))
    ]
    outcomes = [run_similarity(RandomModel(20, seed=i), pairs, metric=metric) for i in range(40)]
    inside = sum(o.baseline.low <= o.score <= o.baseline.high for o in outcomes)
    covered = sum(min(o.ends) <= 0 <= max(o.ends) for o in outcomes)
    # 38 expected of 40, with a standard deviation of 1.4.
    assert inside >= 34
    assert covered >= 34
