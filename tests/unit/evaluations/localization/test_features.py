from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from sklearn.preprocessing import StandardScaler, normalize  # type: ignore[import-untyped]

from lydite.errors import InputError
from lydite.evaluations.localization.classifiers import Features, Scale, scaled
from lydite.models.baselines import BagOfWords
from lydite.models.combination import Ensemble
from lydite.models.principal_components import PrincipalComponents
from lydite.types import Vectors

TEXTS = ("one two", "two two", "three one", "four")
TRAIN, TEST = np.array([0, 2]), np.array([1, 3])


class Counting:
    """Encodes a text as its place among TEXTS, and remembers how often it was asked."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def encode(self, texts: Sequence[str], /) -> Vectors:
        self.asked.append(list(texts))
        return np.array([[TEXTS.index(text), 1] for text in texts], dtype=np.float32)


class Spy(Counting):
    """A model that is fitted to texts, and remembers to which."""

    def __init__(self) -> None:
        super().__init__()
        self.fitted: list[list[str]] = []

    def fitted_to(self, texts: Sequence[str], /) -> Spy:
        self.fitted.append(list(texts))
        return self


def test_a_model_that_is_not_fitted_is_asked_once() -> None:
    model = Counting()
    features = Features(model, TEXTS)
    train, test = features.split(TRAIN, TEST)
    features.split(TEST, TRAIN)
    assert model.asked == [list(TEXTS)]
    assert train[:, 0].tolist() == [0, 2]
    assert test[:, 0].tolist() == [1, 3]


def test_a_model_that_is_fitted_never_sees_test_texts() -> None:
    model = Spy()
    features = Features(model, TEXTS)
    before = len(model.fitted)
    features.split(TRAIN, TEST)
    features.split(TEST, TRAIN)
    assert model.fitted[before:] == [["one two", "three one"], ["two two", "four"]]


@pytest.mark.parametrize(
    "wrap",
    [
        lambda spy: PrincipalComponents.open(spy, dim=1),
        lambda spy: Ensemble.open(spy, BagOfWords()),
    ],
)
def test_nor_does_one_inside_another_model(wrap: object) -> None:
    assert callable(wrap)
    spy = Spy()
    features = Features(wrap(spy), TEXTS)
    before = len(spy.fitted)
    features.split(TRAIN, TEST)
    assert [sorted(texts) for texts in spy.fitted[before:]] == [["one two", "three one"]]


def test_a_bag_of_words_has_the_dimensions_of_the_training_texts() -> None:
    features = Features(BagOfWords(), TEXTS)
    assert features.vectors.shape == (4, 4)
    train, test = features.split(TRAIN, TEST)
    # one, three, two: four is in no training text.
    assert train.tolist() == [[1, 0, 1], [1, 1, 0]]
    assert test.tolist() == [[0, 0, 2], [0, 0, 0]]


@pytest.mark.parametrize("scale", ["unit", "standard"])
def test_scaling_is_scikit_learns(scale: Scale) -> None:
    vectors = np.random.default_rng(0).normal(3, 5, size=(12, 4)).astype(np.float32)
    ours = scaled(vectors[:8], vectors[8:], scale)
    train, test = vectors[:8].astype(np.float64), vectors[8:].astype(np.float64)
    scaler = StandardScaler().fit(train)
    transform = normalize if scale == "unit" else scaler.transform
    theirs = transform(train), transform(test)
    for mine, other in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-9, atol=1e-12)


def test_standard_is_what_the_training_texts_say() -> None:
    # Mean 2, deviation 1; the second does not vary in training, so it says nothing in the test.
    train = np.array([[1, 0.1], [3, 0.1]], dtype=np.float32)
    test = np.array([[5, 7]], dtype=np.float32)
    known, asked = scaled(train, test, "standard")
    assert known.tolist() == [[-1, 0], [1, 0]]
    assert asked.tolist() == [[3, 0]]


@pytest.mark.parametrize("rows", [3, 7, 100])
@pytest.mark.parametrize("value", [0.1, 1e-30, 3e30])
def test_rounding_does_not_make_a_constant_vary(rows: int, value: float) -> None:
    constant = np.full((rows, 1), value, dtype=np.float32)
    known, asked = scaled(constant, np.array([[1]], dtype=np.float32), "standard")
    assert not known.any()
    assert not asked.any()


def test_nothing_is_scaled_unless_asked_and_nothing_is_changed_in_place() -> None:
    train = np.array([[3, 4], [0, 0]], dtype=np.float32)
    assert scaled(train, train, "none")[1].tolist() == train.tolist()
    unit, _ = scaled(train, train, "unit")
    np.testing.assert_allclose(unit, [[0.6, 0.8], [0.0, 0.0]])
    assert train.tolist() == [[3, 4], [0, 0]]
    assert unit.dtype == np.float64


def test_a_model_that_stops_making_sense_in_a_fold_is_refused() -> None:
    class Broken(Spy):
        def encode(self, texts: Sequence[str], /) -> Vectors:
            return np.full((len(texts), 1), np.nan if len(texts) < 4 else 1, dtype=np.float32)

    with pytest.raises(InputError, match=r"Broken returns NaN .* 'one two'"):
        Features(Broken(), TEXTS).split(TRAIN, TEST)
