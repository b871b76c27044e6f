import random
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydite.errors import InputError, SpecError, UnsuitableModelError
from lydite.models import composition
from lydite.models.catalogue import load
from lydite.models.composition import Composition, MeanOfWords, ProductOfWords, SumOfWords
from lydite.spaces.space import Space
from lydite.types import Floats, Lookup

KINDS: dict[str, type[Composition]] = {
    kind.name: kind for kind in (SumOfWords, MeanOfWords, ProductOfWords)
}
SPACE = Space.of(
    {"cat": [1, 2], "sat": [3, -4], "Mat": [0.5, 0.25], "mat": [8, 8], "zero": [0, 0]},
    spec="pets.txt",
)


@pytest.mark.parametrize(
    ("operation", "expected"),
    [
        # cat + sat + cat = (1 + 3 + 1, 2 - 4 + 2)
        ("sum", [5.0, 0.0]),
        # the sum by three words
        ("mean", [5 / 3, 0.0]),
        # (1 * 3 * 1, 2 * -4 * 2)
        ("multiply", [3.0, -16.0]),
    ],
)
def test_by_hand(operation: str, expected: list[float]) -> None:
    model = KINDS[operation](SPACE)
    vectors = model.encode(["cat sat cat"])
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(vectors, [expected], rtol=1e-7)


@pytest.mark.parametrize("operation", ["sum", "mean", "multiply"])
@pytest.mark.parametrize("text", ["cat emu sat", "cat, sat!", "cat zero sat", "  cat\nsat "])
def test_words_without_a_vector_are_left_out(operation: str, text: str) -> None:
    model = KINDS[operation](SPACE)
    assert model.encode([text]).tolist() == model.encode(["cat sat"]).tolist()


@pytest.mark.parametrize("operation", ["sum", "mean", "multiply"])
def test_a_text_without_known_words_has_the_zero_vector(operation: str) -> None:
    model = KINDS[operation](SPACE)
    assert model.encode(["", "emu", "cat", " ? ", "emu emu"]).tolist() == [
        [0, 0],
        [0, 0],
        [1, 2],
        [0, 0],
        [0, 0],
    ]


@pytest.mark.parametrize("operation", ["sum", "mean", "multiply"])
def test_no_texts_have_no_vectors_but_a_dimension(operation: str) -> None:
    assert KINDS[operation](SPACE).encode([]).shape == (0, 2)


def test_case_folds_only_words_that_are_absent_as_written() -> None:
    folded = SumOfWords(SPACE, case="fold")
    assert folded.encode(["CAT", "Mat", "mat", "MAT"]).tolist() == [
        [1, 2],
        [0.5, 0.25],
        [8, 8],
        [8, 8],
    ]
    exact = SumOfWords(SPACE, case="exact")
    assert exact.encode(["CAT", "Mat", "mat", "MAT"]).tolist() == [
        [0, 0],
        [0.5, 0.25],
        [8, 8],
        [0, 0],
    ]


def test_the_tokenizer_decides_what_a_word_is() -> None:
    space = Space.of({"cat": [1, 0], "cat.": [0, 1], ".": [5, 5]})
    assert SumOfWords(space).encode(["cat."]).tolist() == [[6, 5]]
    blanks = SumOfWords(space, tokenizer="whitespace")
    assert blanks.encode(["cat."]).tolist() == [[0, 1]]


def test_a_product_too_large_for_a_float_is_infinite_without_a_warning() -> None:
    space = Space.of({"big": [1e30, 1.0]})
    product = ProductOfWords(space).encode(["big big", "big " * 20])
    assert product.tolist() == [[np.inf, 1.0], [np.inf, 1.0]]


def test_sums_are_made_in_double_precision() -> None:
    # In float32 1e8 + 1 is 1e8 again; only the last step may round.
    space = Space.of({"big": [1e8], "one": [1.0], "minus": [-1e8]})
    assert SumOfWords(space).encode(["big one minus"]).tolist() == [[1.0]]


_TEXTS = st.lists(
    st.lists(
        st.sampled_from(["cat", "sat", "Mat", "mat", "emu", "zero", ".", "CAT"]), max_size=6
    ).map(" ".join),
    max_size=12,
)
_OPERATIONS: st.SearchStrategy[str] = st.sampled_from(["sum", "mean", "multiply"])


def _by_loop(operation: str, text: str) -> Floats:
    """Compose one text word by word."""
    known = {"cat": [1, 2], "sat": [3, -4], "Mat": [0.5, 0.25], "mat": [8, 8], "CAT": [1, 2]}
    vectors = [np.array(known[word]) for word in text.split() if word in known]
    if not vectors:
        return np.zeros(2)
    composed = np.ones(2) if operation == "multiply" else np.zeros(2)
    for vector in vectors:
        composed = composed * vector if operation == "multiply" else composed + vector
    return composed / len(vectors) if operation == "mean" else composed


@given(_OPERATIONS, _TEXTS)
def test_it_is_what_a_loop_over_words_gives(operation: str, texts: list[str]) -> None:
    expected = np.array([_by_loop(operation, text) for text in texts]).reshape(-1, 2)
    found = KINDS[operation](SPACE).encode(texts)
    np.testing.assert_allclose(found, expected, rtol=1e-6)


@given(_OPERATIONS, _TEXTS, st.randoms(use_true_random=False))
def test_order_of_texts_does_not_matter(
    operation: str, texts: list[str], shuffler: random.Random
) -> None:
    model = KINDS[operation](SPACE)
    order = list(range(len(texts)))
    shuffler.shuffle(order)
    shuffled = model.encode([texts[i] for i in order])
    np.testing.assert_array_equal(shuffled, model.encode(texts)[order])


@pytest.mark.parametrize("size", [1, 2, 3, 7])
@pytest.mark.parametrize("operation", ["sum", "mean", "multiply"])
def test_batches_do_not_matter(operation: str, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["cat sat", "", "emu", "mat Mat mat", "sat", "cat cat cat", "."]
    model = KINDS[operation](SPACE)
    whole = model.encode(texts)
    monkeypatch.setattr(composition, "_TEXTS", size)
    np.testing.assert_array_equal(model.encode(texts), whole)


def test_a_real_batch_boundary_is_not_seen() -> None:
    count = composition._TEXTS + 3
    model = MeanOfWords(SPACE)
    vectors = model.encode(["cat sat" if i % 2 else "mat" for i in range(count)])
    assert vectors.shape == (count, 2)
    np.testing.assert_array_equal(vectors[1::2], np.tile([[2.0, -1.0]], (count // 2, 1)))
    np.testing.assert_array_equal(vectors[::2], np.tile([[8.0, 8.0]], (count - count // 2, 1)))


@pytest.mark.parametrize(
    ("name", "factory"),
    [("sum", SumOfWords), ("mean", MeanOfWords), ("multiply", ProductOfWords)],
)
def test_spec_and_fingerprint_follow_from_the_words(
    name: str, factory: Callable[..., Composition]
) -> None:
    model = factory(SPACE)
    assert model.spec == f"{name}(pets.txt)"
    assert model.fingerprint == SPACE.fingerprint != ""
    other = factory(SPACE, tokenizer="whitespace", case="exact")
    assert other.spec == f"{name}(pets.txt, tokenizer=whitespace, case=exact)"


@pytest.mark.parametrize(
    "spec",
    [
        "sum(random(4))",
        "mean(random(4, seed=7), tokenizer=whitespace)",
        "multiply(random(4), case=exact)",
    ],
)
def test_spec_and_model_round_trip(spec: str) -> None:
    model = load(spec)
    assert model.spec == spec
    np.testing.assert_array_equal(load(model.spec).encode(["a b", "c"]), model.encode(["a b", "c"]))


@pytest.mark.parametrize("name", ["plain.txt", "two words.txt", "a(b), c=d.txt", "50", "mean"])
def test_spec_of_words_from_a_file_round_trips(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / name).write_text("cat 1 2\nsat 3 4\n")
    monkeypatch.chdir(tmp_path)
    model = MeanOfWords.open(Path(name))
    again = load(model.spec)
    assert again.spec == model.spec
    assert again.encode(["cat sat"]).tolist() == [[2, 3]]


class _Stranger:
    spec = "my model (version 2)!"

    def lookup(self, words: Sequence[str]) -> Lookup:
        return SPACE.lookup(words)


def test_words_of_a_stranger_may_have_any_name() -> None:
    model = MeanOfWords.open(_Stranger())
    assert model.spec == 'mean("my model (version 2)!")'
    assert model.fingerprint is None
    assert model.encode(["cat"]).tolist() == [[1, 2]]


class _TextsOnly:
    def encode(self, texts: Sequence[str], /) -> Floats:
        return np.zeros((len(texts), 2))


def test_a_model_without_words_cannot_be_composed() -> None:
    with pytest.raises(UnsuitableModelError) as caught:
        MeanOfWords.open(_TextsOnly())
    assert str(caught.value) == (
        "mean composes word vectors, but _TextsOnly has none\n"
        "hint: give it a vector file or a word model: mean(glove-6b-50d)"
    )


def test_a_composition_cannot_be_composed_again() -> None:
    with pytest.raises(UnsuitableModelError, match=r"but sum\(random\(2\)\) has none"):
        load("mean(sum(random(2)))")


def test_an_unknown_tokenizer_is_refused_before_texts_come() -> None:
    with pytest.raises(SpecError, match="there is no tokenizer called 'word'"):
        load("mean(random(2), tokenizer=word)")


@pytest.mark.parametrize("words", ["3", "true", "none"])
def test_numbers_are_no_models(words: str) -> None:
    with pytest.raises(InputError, match="expected a model, got"):
        load(f"mean({words})")
