from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.metrics.pairwise import cosine_similarity  # type: ignore[import-untyped]

from lydite.errors import InputError, UnsuitableModelError
from lydite.models import pairwise as crossing
from lydite.models.catalogue import load
from lydite.models.pairwise import cross_each, cross_scores, pair_scores
from lydite.types import Floats, Vectors

Answer = Floats | list[float] | list[list[float]] | float


class Encoder:
    """Vectors by text, and how often it was asked."""

    spec = "encoder"

    def __init__(self, vectors: Mapping[str, Sequence[float]]) -> None:
        self.vectors = vectors
        self.asked: list[str] = []

    def encode(self, texts: Sequence[str], /) -> Vectors:
        self.asked += texts
        return np.array([self.vectors[text] for text in texts], dtype=np.float32)


class Lengths:
    """A pair's score is 10 times the length of the left text plus that of the right one."""

    spec = "lengths"

    def __init__(self) -> None:
        self.blocks: list[int] = []

    def score(self, left: Sequence[str], right: Sequence[str]) -> Floats:
        self.blocks.append(len(left))
        pairs = zip(left, right, strict=True)
        return np.array([10.0 * len(a) + len(b) if a and b else np.nan for a, b in pairs])


class Fixed:
    """Says one thing whatever it is asked."""

    spec = "fixed"

    def __init__(self, answer: Answer) -> None:
        self.answer = answer

    def score(self, left: Sequence[str], right: Sequence[str]) -> Floats:
        return np.asarray(self.answer)


class FixedCross:
    spec = "fixed"

    def __init__(self, answer: Answer) -> None:
        self.answer = answer

    def cross(self, left: Sequence[str], right: Sequence[str], /) -> Floats:
        return np.asarray(self.answer)


# Cosines by hand: (3, 4) and (4, 3): 24 / 25; (3, 4) and (0, 2): 4 / 5; zero with anything: 0.
VECTORS = {"a": (3, 4), "b": (4, 3), "c": (0, 2), "zero": (0, 0)}


def test_cosines_by_hand() -> None:
    crossed = cross_scores(Encoder(VECTORS), ["a", "zero"], ["b", "c", "zero", "a"])
    np.testing.assert_allclose(crossed.scores, [[0.96, 0.8, 0.0, 1.0], [0.0] * 4], atol=1e-12)
    assert crossed.left_known.tolist() == [True, False]
    assert crossed.right_known.tolist() == [True, True, False, True]


def test_cosines_are_those_of_scikit_learn_and_of_pairs() -> None:
    vectors = np.random.default_rng(1).normal(size=(12, 7)).astype(np.float32)
    names = [f"t{i}" for i in range(12)]
    model = Encoder(dict(zip(names, vectors.tolist(), strict=True)))
    crossed = cross_scores(model, names[:5], names[5:])
    expected = cosine_similarity(vectors[:5].astype(float), vectors[5:].astype(float))
    np.testing.assert_allclose(crossed.scores, expected, atol=1e-7)
    left, right = zip(*product(names[:5], names[5:]), strict=True)
    scores, known = pair_scores(model, left, right)
    np.testing.assert_allclose(scores, expected.ravel(), atol=1e-7)
    assert known.all()


def test_every_text_is_encoded_once() -> None:
    model = Encoder(VECTORS)
    units = [(["a"], ["b", "c"]), (["a"], ["c", "b"]), (["b"], ["zero", "a"])]
    crossed = cross_each(model, units)
    assert sorted(model.asked) == ["a", "b", "c", "zero"]
    np.testing.assert_array_equal(crossed[0].scores, crossed[1].scores[:, ::-1])
    assert crossed[2].scores.shape == (1, 2)


class Sparse:
    """The vectors of an encoder, of length 1 and sparse."""

    spec = "sparse"

    def __init__(self, vectors: Mapping[str, Sequence[float]]) -> None:
        self.vectors = vectors
        self.asked: list[str] = []

    def sparse_vectors(self, texts: Sequence[str], /) -> csr_array[np.float64]:
        self.asked += texts
        rows = np.array([self.vectors[text] for text in texts], dtype=np.float64)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return csr_array(rows / np.where(lengths > 0, lengths, 1))


def test_sparse_vectors_give_the_same_cosines_and_are_asked_for_once() -> None:
    units = [(["a", "zero"], ["b", "c", "zero", "a"]), (["b"], ["zero", "c"])]
    model = Sparse(VECTORS)
    for one, other in zip(
        cross_each(model, units), cross_each(Encoder(VECTORS), units), strict=True
    ):
        np.testing.assert_allclose(one.scores, other.scores, atol=1e-7)
        np.testing.assert_array_equal(one.left_known, other.left_known)
        np.testing.assert_array_equal(one.right_known, other.right_known)
    assert sorted(model.asked) == ["a", "b", "c", "zero"]


def test_texts_with_one_vector_tie_wherever_they_stand() -> None:
    generator = np.random.default_rng(2)
    for width in (3, 50, 300):
        vectors = generator.normal(size=(23, width)).astype(np.float32)
        rows = {f"t{i}": vectors[i] for i in range(23)}
        # Copies and multiples of one vector, at places where a product of matrices ends a block.
        rows |= {f"copy{i}": vectors[0] * 2.0**i for i in range(9)}
        model = Encoder({name: row.tolist() for name, row in rows.items()})
        names = sorted(rows)
        scores = cross_scores(model, names, names).scores
        same = [i for i, name in enumerate(names) if name == "t0" or name.startswith("copy")]
        assert len(same) == 10
        for j in range(len(names)):
            assert len(set(scores[same, j])) == 1
            assert len(set(scores[j, same])) == 1
        np.testing.assert_array_equal(scores, scores.T)


def test_a_pair_model_is_asked_for_all_pairs_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crossing, "_PAIRS", 4)
    model = Lengths()
    crossed = cross_scores(model, ["a", "bb", ""], ["ccc", "", "d"])
    assert crossed.scores.tolist() == [[13, 0, 11], [23, 0, 21], [0, 0, 0]]
    assert crossed.left_known.tolist() == [True, True, False]
    assert crossed.right_known.tolist() == [True, False, True]
    assert model.blocks == [4, 4, 1]


def test_pairs_of_a_pair_model() -> None:
    scores, known = pair_scores(Lengths(), ["a", "bb", ""], ["ccc", "", "d"])
    assert scores.tolist() == [13, 0, 0]
    assert known.tolist() == [True, False, False]


def test_pairs_of_a_model_that_only_crosses() -> None:
    scores, known = pair_scores(FixedCross([[np.nan]]), ["a", "b"], ["c", "d"])
    assert (scores.tolist(), known.tolist()) == ([0, 0], [False, False])
    scores, known = pair_scores(FixedCross([[-2.5]]), ["a"], ["c"])
    assert (scores.tolist(), known.tolist()) == ([-2.5], [True])


@pytest.mark.parametrize("answer", [0.5, [0.5], [0.1, 0.2, 0.3], [[0.1, 0.2]], []])
def test_a_wrong_number_of_scores_is_refused(answer: Answer) -> None:
    with pytest.raises(
        InputError, match="expected 2 scores from fixed, one per pair, got an array"
    ):
        cross_scores(Fixed(answer), ["a"], ["b", "c"])
    with pytest.raises(
        InputError, match="expected 2 scores from fixed, one per pair, got an array"
    ):
        pair_scores(Fixed(answer), ["a", "d"], ["b", "c"])


@pytest.mark.parametrize("answer", [0.5, [0.1, 0.2], [[0.1], [0.2]], [[0.1, 0.2], [0.3, 0.4]]])
def test_a_wrong_shape_of_crossed_scores_is_refused(answer: Answer) -> None:
    with pytest.raises(InputError, match="expected 1 x 2 scores from fixed, got an array of shape"):
        cross_scores(FixedCross(answer), ["a"], ["b", "c"])


@pytest.mark.parametrize("infinite", [np.inf, -np.inf])
def test_an_infinite_score_is_told_with_its_pair(infinite: float) -> None:
    said = "fixed scores 'a' and 'c' with an infinity"
    with pytest.raises(InputError, match=said):
        cross_scores(FixedCross([[0.5, infinite]]), ["a"], ["b", "c"])
    with pytest.raises(InputError, match=said):
        cross_scores(Fixed([0.5, infinite]), ["a"], ["b", "c"])
    with pytest.raises(InputError, match=said):
        pair_scores(Fixed([0.5, infinite]), ["a", "a"], ["b", "c"])


@pytest.mark.parametrize("answer", [["x", "y"], [1j, 2j], None, [None, 1.0], {"a": 1}])
def test_what_is_no_number_is_refused(answer: object) -> None:
    model = Fixed(answer)  # type: ignore[arg-type]
    said = "expected scores that are real numbers from fixed, got "
    with pytest.raises(InputError, match=said):
        cross_scores(model, ["a"], ["b", "c"])
    with pytest.raises(InputError, match=said):
        pair_scores(model, ["a", "a"], ["b", "c"])
    with pytest.raises(InputError, match=said):
        cross_scores(FixedCross(answer), ["a"], ["b", "c"])  # type: ignore[arg-type]


@pytest.mark.parametrize("answer", [[True, False], [1, 0], np.array([1, 0], dtype=np.float32)])
def test_numbers_of_other_kinds_will_do(answer: Answer) -> None:
    scores, known = pair_scores(Fixed(answer), ["a", "a"], ["b", "c"])
    assert scores.dtype == np.float64
    assert scores.tolist() == [1, 0]
    assert known.all()


class _Fails:
    spec = "fails"

    def score(self, left: Sequence[str], right: Sequence[str]) -> Floats:
        raise RuntimeError("out of luck")


def test_an_error_of_the_models_own_is_told_with_its_name() -> None:
    said = "fails cannot score .* the first 'a' and 'b': RuntimeError: out of luck"
    with pytest.raises(InputError, match=said) as caught:
        cross_scores(_Fails(), ["a"], ["b", "c"])
    assert isinstance(caught.value.__cause__, RuntimeError)
    with pytest.raises(InputError, match=said):
        pair_scores(_Fails(), ["a", "a"], ["b", "c"])


def test_vectors_with_nan_or_infinity_are_refused() -> None:
    for wrong in (np.nan, np.inf):
        model = Encoder({"a": (1, 0), "b": (wrong, 1)})
        with pytest.raises(InputError, match="NaN or an infinity for 1 of 2 texts, first for 'b'"):
            cross_scores(model, ["a"], ["b"])
        with pytest.raises(InputError, match="NaN or an infinity"):
            pair_scores(model, ["a"], ["b"])


class _Short:
    spec = "short"

    def encode(self, texts: Sequence[str], /) -> Vectors:
        return np.ones((1, 3), dtype=np.float32)


def test_too_few_vectors_are_refused() -> None:
    with pytest.raises(InputError, match="expected 2 vectors from short"):
        cross_scores(_Short(), ["a"], ["b"])


class _Words:
    """A model of words alone."""

    spec = "v.txt"

    def lookup(self, words: Sequence[str]) -> None:
        raise NotImplementedError


def test_a_model_of_words_is_refused_with_a_hint() -> None:
    for asked in (cross_scores, pair_scores):
        with pytest.raises(UnsuitableModelError, match=r"got v\.txt") as caught:
            asked(_Words(), ["a"], ["b"])
        assert caught.value.hint == "compose its words: 'mean(v.txt)'"


def test_what_is_no_model_is_refused() -> None:
    with pytest.raises(UnsuitableModelError, match="got object") as caught:
        cross_scores(object(), ["a"], ["b"])
    assert "scores pairs" in str(caught.value.hint)


def test_a_sentence_without_any_known_word_has_scores_of_0(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("v.txt").write_text("king 1 2\n? 0 1\n")
    texts = ["?!", "the king", "zzzqqq"]
    for model, known in (
        ("overlap(lemmas=none)", [True, True, True]),
        ("mean(v.txt)", [True, True, False]),
        ("hybrid(mean(v.txt), sum(v.txt))", [True, True, False]),
        ("hybrid(overlap(lemmas=none), mean(v.txt))", [True, True, True]),
    ):
        crossed = cross_scores(load(model), texts, texts)
        assert np.isfinite(crossed.scores).all(), model
        assert (crossed.scores[2, :2] == 0).all(), model
        assert crossed.left_known.tolist() == known, model
        scores, pairs_known = pair_scores(load(model), ["zzzqqq"], ["the king"])
        assert scores.tolist() == [0.0], model
        assert pairs_known.tolist() == [known[2]], model
