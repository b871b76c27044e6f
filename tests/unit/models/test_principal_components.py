from __future__ import annotations

import logging
from collections.abc import Sequence

import numpy as np
import pytest
from sklearn.decomposition import PCA  # type: ignore[import-untyped]

from lydite.errors import InputError, UnsuitableModelError
from lydite.models import principal_components
from lydite.models.baselines import BagOfWords
from lydite.models.catalogue import bind, load
from lydite.models.principal_components import PrincipalComponents
from lydite.models.protocols import FittedToTexts, TextModel
from lydite.spaces.space import Space
from lydite.spec import Spec, parse
from lydite.types import Floats, Vectors

WORDS = [
    "the",
    "a",
    "cat",
    "dog",
    "bird",
    "sat",
    "ran",
    "flew",
    "on",
    "over",
    "mat",
    "road",
    "sky",
    "today",
    "here",
    ",",
    ".",
]


def sentences(count: int, seed: int = 0) -> list[str]:
    generator = np.random.default_rng(seed)
    lengths = generator.integers(3, 9, size=count).tolist()
    return [" ".join(generator.choice(WORDS, size=length)) for length in lengths]


class Fixed:
    """A stranger: vectors by the number that each text is."""

    def __init__(self, vectors: Floats) -> None:
        self.vectors = vectors.astype(np.float32)

    def encode(self, texts: Sequence[str], /) -> Vectors:
        return self.vectors[[int(text) for text in texts]]


def numbers(count: int) -> list[str]:
    # All of one length, so that the order of numbers is that of texts.
    return [f"{i:03}" for i in range(count)]


def test_by_hand() -> None:
    # The points (0, 0), (2, 0), (4, 0) moved by (5, 5): mean (7, 5), one axis, (1, 0).
    model = PrincipalComponents.open(
        Fixed(np.array([[5, 5], [7, 5], [9, 5], [0, 0]])), dim=2
    ).fitted_to(numbers(3))
    assert model.axes is not None
    np.testing.assert_allclose(model.axes.mean, [7, 5])
    np.testing.assert_allclose(model.axes.directions, [[1, 0]], atol=1e-12)
    np.testing.assert_allclose(model.axes.variances, [4])
    assert model.axes.total == pytest.approx(4)
    np.testing.assert_allclose(model.encode(numbers(4)), [[-2], [0], [2], [0]], atol=1e-6)


@pytest.mark.parametrize(("count", "dim"), [(12, 5), (12, 11), (60, 5), (60, 16)])
def test_it_is_scikit_learns_on_a_bag_of_words(count: int, dim: int) -> None:
    # 12 texts are fewer than the words, 60 are more: either side of the decomposition.
    train, test = sentences(count), sentences(20, seed=1)
    inner = BagOfWords().fitted_to(train)
    theirs = PCA(dim, svd_solver="full").fit(inner.encode(train).astype(np.float64))
    model = PrincipalComponents.open(BagOfWords(), dim=dim).fitted_to(train)
    assert model.axes is not None
    np.testing.assert_allclose(model.axes.variances, theirs.explained_variance_, rtol=1e-9)
    shares = model.axes.variances / model.axes.total
    np.testing.assert_allclose(shares, theirs.explained_variance_ratio_, rtol=1e-9)
    signs = np.sign((model.axes.directions * theirs.components_).sum(axis=1))
    expected = theirs.transform(inner.encode(test)) * signs
    np.testing.assert_allclose(model.encode(test), expected, atol=1e-5)


@pytest.mark.parametrize("shape", [(30, 8), (8, 30)])
def test_it_is_scikit_learns_on_dense_vectors(shape: tuple[int, int]) -> None:
    vectors = np.random.default_rng(3).normal(size=shape) + 100
    theirs = PCA(4, svd_solver="full").fit(vectors.astype(np.float32).astype(np.float64))
    model = PrincipalComponents.open(Fixed(vectors), dim=4).fitted_to(numbers(shape[0]))
    assert model.axes is not None
    np.testing.assert_allclose(abs(model.axes.directions), abs(theirs.components_), atol=1e-7)
    gram = model.axes.directions @ model.axes.directions.T
    np.testing.assert_allclose(gram, np.eye(4), atol=1e-10)


@pytest.mark.parametrize("count", [40, 14])
def test_the_long_way_round_gives_the_same(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    train = sentences(count)
    whole = PrincipalComponents.open(BagOfWords(), dim=3).fitted_to(train).encode(train)
    monkeypatch.setattr(principal_components, "_WHOLE", 5)
    monkeypatch.setattr(principal_components, "_ROWS", 7)
    np.testing.assert_allclose(
        PrincipalComponents.open(BagOfWords(), dim=3).fitted_to(train).encode(train),
        whole,
        atol=1e-5,
    )


def test_it_learns_nothing_from_the_texts_it_encodes() -> None:
    train, test = sentences(15), sentences(10, seed=2)
    model = PrincipalComponents.open(BagOfWords(), dim=4).fitted_to(train)
    alone = [model.encode([text])[0] for text in test]
    np.testing.assert_allclose(model.encode([*test, "xylophone sky"])[:10], alone, atol=1e-6)
    np.testing.assert_allclose(
        model.encode(["the cat xylophone"]), model.encode(["the cat"]), atol=1e-6
    )


def test_not_fitted_it_is_fitted_to_what_it_encodes() -> None:
    texts = sentences(15)
    model = PrincipalComponents.open(BagOfWords(), dim=4)
    np.testing.assert_array_equal(model.encode(texts), model.fitted_to(texts).encode(texts))
    assert model.axes is None


def test_the_order_of_texts_does_not_matter() -> None:
    texts = sentences(20)
    forwards, backwards = (
        PrincipalComponents.open(BagOfWords(), dim=6).fitted_to(texts),
        PrincipalComponents.open(BagOfWords(), dim=6).fitted_to(texts[::-1]),
    )
    assert forwards.axes is not None
    assert backwards.axes is not None
    assert forwards.axes.directions.tobytes() == backwards.axes.directions.tobytes()
    assert forwards.fingerprint == backwards.fingerprint


@pytest.mark.parametrize("seed", range(10))
def test_the_first_of_the_largest_entries_of_an_axis_is_positive(seed: int) -> None:
    # Along (1, -1, -1) up to its sign: all entries are of one size but for rounding.
    steps = np.random.default_rng(seed).integers(-99, 99, size=(20, 1))
    model = PrincipalComponents.open(Fixed(steps * [1, -1, -1] + 0.1), dim=1).fitted_to(numbers(20))
    assert model.axes is not None
    np.testing.assert_allclose(model.axes.directions * 3**0.5, [[1, -1, -1]], atol=1e-6)


def test_rotated_vectors_have_the_same_components_up_to_sign() -> None:
    generator = np.random.default_rng(5)
    vectors = generator.normal(size=(25, 6)) * [6, 5, 4, 3, 2, 1]
    turn, _ = np.linalg.qr(generator.normal(size=(6, 6)))
    one, other = (
        PrincipalComponents.open(Fixed(v), dim=3).encode(numbers(25))
        for v in (vectors, vectors @ turn + 9)
    )
    np.testing.assert_allclose(abs(one), abs(other), atol=1e-4)


@pytest.mark.parametrize(("count", "dim", "kept"), [(5, 300, 4), (60, 300, 17), (60, 2, 2)])
def test_more_dimensions_than_the_texts_vary_in_are_not_made_up(
    count: int, dim: int, kept: int, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        model = PrincipalComponents.open(BagOfWords(), dim=dim).fitted_to(sentences(count))
    assert model.axes is not None
    assert len(model.axes.variances) == kept
    assert model.dim == dim
    assert model.encode(["the cat"]).shape == (1, kept)
    assert model.encode([]).shape == (0, kept)
    assert (f"vary along {kept} axes" in caplog.text) == (kept < dim)


def test_copies_add_no_dimensions() -> None:
    model = PrincipalComponents.open(BagOfWords(), dim=300).fitted_to(
        [*sentences(6), *sentences(6)]
    )
    assert model.axes is not None
    assert len(model.axes.variances) == 5


def test_texts_without_a_vector_keep_the_zero_vector_and_do_not_move_the_mean() -> None:
    texts = sentences(10)
    one, other = (
        PrincipalComponents.open(BagOfWords(), dim=3).fitted_to(texts),
        PrincipalComponents.open(BagOfWords(), dim=3).fitted_to([*texts, "", " "]),
    )
    np.testing.assert_allclose(one.encode(texts), other.encode(texts), atol=1e-6)
    assert one.encode(["xylophone", "cat", ""]).any(axis=1).tolist() == [False, True, False]
    assert PrincipalComponents.open(BagOfWords()).encode([]).shape == (0, 0)


@pytest.mark.parametrize("texts", [["a cat"], ["a cat", "a cat"], ["a cat", ""], ["", " "]])
def test_texts_that_do_not_differ_are_refused(texts: list[str]) -> None:
    with pytest.raises(InputError, match=r"pca\(bow\) is fitted to texts that differ, got [012]"):
        PrincipalComponents.open(BagOfWords()).fitted_to(texts)


def test_equal_dense_vectors_are_refused_whatever_rounding_does() -> None:
    with pytest.raises(InputError, match="all with the same one"):
        PrincipalComponents.open(Fixed(np.full((7, 3), 0.1))).encode(numbers(7))


def test_nan_is_refused_and_the_text_named() -> None:
    with pytest.raises(InputError, match="'001'"):
        PrincipalComponents.open(Fixed(np.array([[1, 2], [np.nan, 1], [2, 1]]))).encode(numbers(3))


def test_its_spec_holds_that_of_the_inner_model() -> None:
    model = PrincipalComponents.open(BagOfWords(lower=False), dim=7)
    assert model.spec == "pca(bow(lower=false), dim=7)"
    assert PrincipalComponents.open("random(3)").spec == "pca(random(3))"
    assert PrincipalComponents.open(BagOfWords()).spec == "pca(bow)"
    assert model.fingerprint == BagOfWords(lower=False).fingerprint
    assert PrincipalComponents.open(Fixed(np.eye(2))).fingerprint is None
    bound = bind(parse("pca(random(4), dim=2)"), PrincipalComponents)
    assert bound.args == (Spec("random", (4,)),)
    again = PrincipalComponents.open(*bound.args, **bound.kwargs)
    texts = sentences(5)
    np.testing.assert_array_equal(
        again.encode(texts), PrincipalComponents.open(load("random(4)"), dim=2).encode(texts)
    )


def test_fitting_changes_the_fingerprint_but_not_the_spec() -> None:
    one, other = (
        PrincipalComponents.open("random(4)", dim=2).fitted_to(sentences(9, seed))
        for seed in (1, 2)
    )
    assert one.spec == other.spec == "pca(random(4), dim=2)"
    assert (
        len(
            {
                one.fingerprint,
                other.fingerprint,
                PrincipalComponents.open("random(4)", dim=2).fingerprint,
            }
        )
        == 3
    )


def test_it_fulfils_the_protocols_and_can_stand_on_itself() -> None:
    model = PrincipalComponents.open(PrincipalComponents.open(BagOfWords(), dim=5), dim=2)
    assert isinstance(model, TextModel)
    assert isinstance(model, FittedToTexts)
    texts = sentences(12)
    inner = PrincipalComponents.open(BagOfWords(), dim=5).fitted_to(texts).encode(texts)[:, :2]
    np.testing.assert_allclose(abs(model.fitted_to(texts).encode(texts)), abs(inner), atol=1e-5)


def test_models_of_words_are_refused_with_a_hint() -> None:
    with pytest.raises(UnsuitableModelError, match=r"pca\(mean\(pets.txt\)\)"):
        PrincipalComponents.open(Space.of({"cat": [1.0]}, spec="pets.txt"))


@pytest.mark.parametrize("dim", [0, -1, True, 2.5])
def test_a_dimension_is_a_whole_number_from_1(dim: int) -> None:
    with pytest.raises(InputError, match="dim"):
        PrincipalComponents.open(BagOfWords(), dim=dim)


def test_parameters_can_be_given_by_hand() -> None:
    assert PrincipalComponents(texts=BagOfWords()).dim == 300
