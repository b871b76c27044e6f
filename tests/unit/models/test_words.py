from collections.abc import Sequence

import numpy as np
import pytest

from lydite.errors import InputError, MissingWordError, UnsuitableModelError
from lydite.models.words import fill_absent, find_words
from lydite.spaces.space import Space
from lydite.types import Floats, Lookup, OovPolicy, Vectors

SPACE = Space.of({"cat": [1, 2], "Dog": [3, 4], "dog": [5, 6], "zero": [0, 0]}, spec="pets.txt")


class _Encoder:
    """A text model: the length of a text and the number of its a's."""

    def encode(self, texts: Sequence[str], /) -> Floats:
        return np.array([[len(text), text.count("a")] for text in texts], dtype=np.float64)


class _Answer:
    """A word model that answers anything with one array."""

    def __init__(self, vectors: object, found: object) -> None:
        self.vectors = vectors
        self.found = found

    def lookup(self, words: Sequence[str]) -> Lookup:
        return Lookup(vectors=np.array(self.vectors), found=np.array(self.found))


def test_exact_case_finds_words_as_written() -> None:
    lookup = find_words(SPACE, ["cat", "Cat", "Dog", "emu"])
    assert lookup.found.tolist() == [True, False, True, False]
    assert lookup.vectors[[0, 2]].tolist() == [[1, 2], [3, 4]]


def test_fold_asks_again_in_lower_case_for_absent_words_only() -> None:
    lookup = find_words(SPACE, ["CAT", "Dog", "DOG", "EMU", "cat"], case="fold")
    assert lookup.found.tolist() == [True, True, True, False, True]
    assert lookup.vectors[[0, 1, 2, 4]].tolist() == [[1, 2], [3, 4], [5, 6], [1, 2]]


def test_all_spellings_are_asked_for_at_once() -> None:
    asked: list[list[str]] = []

    class _Counting:
        def lookup(self, words: Sequence[str]) -> Lookup:
            asked.append(list(words))
            return SPACE.lookup(words)

    assert find_words(_Counting(), ["cat", "emu"], case="fold").found.tolist() == [True, False]
    find_words(_Counting(), ["cat", "emu", "Emu"], case="fold")
    assert asked == [["cat", "emu"], ["cat", "emu", "Emu", "emu"]]


def test_folding_does_not_change_what_the_model_handed_out() -> None:
    answer = SPACE.lookup(["CAT"])

    class _Keeping:
        def lookup(self, words: Sequence[str]) -> Lookup:
            return answer if list(words) == ["CAT"] else SPACE.lookup(words)

    assert find_words(_Keeping(), ["CAT"], case="fold").found.tolist() == [True]
    assert answer.found.tolist() == [False]
    assert answer.vectors.tolist() == [[0, 0]]


def test_a_zero_vector_is_absence() -> None:
    assert find_words(SPACE, ["zero", "cat"]).found.tolist() == [False, True]


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_vector_that_is_not_finite_is_absence(bad: float) -> None:
    model = _Answer([[1.0, bad], [1.0, 0.0]], [True, True])
    assert find_words(model, ["a", "b"]).found.tolist() == [False, True]


def test_a_text_model_is_given_each_word_as_a_text() -> None:
    lookup = find_words(_Encoder(), ("cat", "", "Banana"), case="fold")
    assert lookup.vectors.tolist() == [[3, 1], [0, 0], [6, 3]]
    assert lookup.vectors.dtype == np.float32
    assert lookup.found.tolist() == [True, False, True]


def test_an_object_that_gives_no_vectors_is_refused() -> None:
    with pytest.raises(UnsuitableModelError) as caught:
        find_words(object(), ["cat"])
    assert str(caught.value) == (
        "expected a model that gives vectors of words, got object\n"
        "hint: use a vector file or any text encoder"
    )


@pytest.mark.parametrize(
    ("vectors", "found"),
    [
        ([[1.0, 2.0]], [True]),
        ([1.0, 2.0], [True, True]),
        ([[1.0], [2.0]], [True]),
        ([[1.0], [2.0]], [[True], [True]]),
    ],
)
def test_a_stranger_must_give_one_row_a_word(vectors: object, found: object) -> None:
    with pytest.raises(InputError, match="expected 2 vectors from _Answer, one per word, got"):
        find_words(_Answer(vectors, found), ["a", "b"])


def test_an_encoder_must_give_one_row_a_text() -> None:
    class _Flat:
        def encode(self, texts: Sequence[str], /) -> Vectors:
            return np.zeros(3, dtype=np.float32)

    with pytest.raises(InputError, match=r"expected 3 vectors from _Flat.*shape \(3,\)"):
        find_words(_Flat(), ["a", "b", "c"])


@pytest.mark.parametrize(
    ("oov", "expected"),
    [
        ("zero", [0.0, 0.0]),
        # the mean of (1, 2), (3, 4), (5, 6) and (0, 0)
        ("mean", [2.25, 3.0]),
    ],
)
def test_a_policy_fills_the_rows_of_absent_words(oov: OovPolicy, expected: list[float]) -> None:
    words = ["cat", "emu"]
    lookup = Lookup(
        vectors=np.array([[1, 2], [7, 7]], dtype=np.float32), found=np.array([True, False])
    )
    filled = fill_absent(SPACE, words, lookup, oov)
    assert filled.vectors.tolist() == [[1.0, 2.0], expected]
    assert filled.found.tolist() == [True, False]
    assert lookup.vectors.tolist() == [[1, 2], [7, 7]]


def test_skip_changes_nothing() -> None:
    lookup = find_words(SPACE, ["emu"])
    assert fill_absent(SPACE, ["emu"], lookup, "skip") is lookup


def test_error_names_the_first_absent_word_and_the_count() -> None:
    words = ["cat", "emu", "gnu"]
    with pytest.raises(MissingWordError) as caught:
        fill_absent(SPACE, words, find_words(SPACE, words), "error")
    assert str(caught.value) == (
        "2 of 3 words are not in pets.txt, first 'emu'\n"
        "hint: the policies skip, zero and mean go on without them"
    )


@pytest.mark.parametrize("oov", ["skip", "zero", "mean", "error"])
def test_no_policy_touches_words_that_are_all_there(oov: OovPolicy) -> None:
    lookup = find_words(SPACE, ["cat"])
    assert fill_absent(_Encoder(), ["cat"], lookup, oov) is lookup


def test_a_model_without_a_mean_says_so() -> None:
    model = _Encoder()
    with pytest.raises(InputError) as caught:
        fill_absent(model, [""], find_words(model, [""]), "mean")
    assert str(caught.value) == (
        "the policy oov=mean needs the mean of all vectors, which _Encoder cannot give\n"
        "hint: use oov=skip or oov=zero"
    )
