from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer  # type: ignore[import-untyped]
from sklearn.metrics.pairwise import cosine_similarity  # type: ignore[import-untyped]

from lydite.corpora.tokens import words
from lydite.errors import InputError, SpecError
from lydite.models.baselines import BagOfWords
from lydite.models.catalogue import bind
from lydite.models.protocols import FittedToTexts, TextModel
from lydite.spec import parse

TEXTS = ["The cat sat, the dog sat.", "A Cat!", "", "Dogs & cats: the END..."]


def test_by_hand() -> None:
    vectors = BagOfWords().encode(["The cat saw the dog.", "Dog!"])
    # the columns are  !  .  cat dog saw the
    assert vectors.tolist() == [[0, 1, 1, 1, 1, 2], [1, 0, 0, 1, 0, 0]]
    assert vectors.dtype == np.float32


@pytest.mark.parametrize("lower", [True, False])
def test_counts_are_those_of_scikit_learn(lower: bool) -> None:
    theirs = CountVectorizer(tokenizer=words, token_pattern=None, lowercase=lower)
    expected = theirs.fit_transform(TEXTS)
    fitted = BagOfWords(lower=lower).fitted_to(TEXTS)
    assert fitted.tokens == tuple(theirs.get_feature_names_out())
    np.testing.assert_array_equal(fitted.encode(TEXTS), expected.toarray())
    counts = fitted.counts(TEXTS)
    np.testing.assert_array_equal(counts.toarray(), expected.toarray())
    assert counts.nnz == expected.nnz
    assert counts.has_canonical_format


def test_words_outside_the_texts_it_was_fitted_to_are_left_out() -> None:
    fitted = BagOfWords().fitted_to(["a cat", "a dog"])
    assert fitted.encode(["a zebra dog a", "zebra"]).tolist() == [[2, 0, 1], [0, 0, 0]]
    assert fitted.encode([]).shape == (0, 3)


def test_fitting_changes_the_fingerprint_but_not_the_spec() -> None:
    plain, one, other = (
        BagOfWords(),
        BagOfWords().fitted_to(["a cat"]),
        BagOfWords().fitted_to(["a dog"]),
    )
    assert plain.spec == one.spec == other.spec == "bow"
    assert len({plain.fingerprint, one.fingerprint, other.fingerprint}) == 3
    assert one.fingerprint == BagOfWords().fitted_to(["cat a cat"]).fingerprint
    assert plain.tokens is None


def test_fitted_again_it_forgets_the_first_texts() -> None:
    assert BagOfWords().fitted_to(["a cat"]).fitted_to(["dog"]).tokens == ("dog",)


def test_it_fulfils_the_protocols() -> None:
    assert isinstance(BagOfWords(), TextModel)
    assert isinstance(BagOfWords(), FittedToTexts)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("bow", ("!", ",", "a", "b-c", "it's")),
        ("bow(lower=false)", ("!", ",", "A", "b-c", "it's")),
        ("bow(punctuation=false)", ("a", "b-c", "it's")),
        ("bow(tokenizer=whitespace)", ("a,", "b-c", "it's!")),
        ("bow(punctuation=false, tokenizer=whitespace)", ("a,", "b-c", "it's!")),
    ],
)
def test_its_options_are_in_its_spec(text: str, tokens: tuple[str, ...]) -> None:
    bound = bind(parse(text), BagOfWords)
    model = BagOfWords(*bound.args, **bound.kwargs)
    assert model.spec == text
    assert model.fitted_to(["A, b-c it's!"]).tokens == tokens


def test_punctuation_is_left_out_also_of_texts_to_encode() -> None:
    fitted = BagOfWords(punctuation=False).fitted_to(["a cat."])
    assert fitted.encode(["a . cat !"]).tolist() == [[1, 1]]


def test_an_unknown_tokenizer_is_refused() -> None:
    with pytest.raises(SpecError, match="whitespac"):
        BagOfWords(tokenizer="whitespac")


@pytest.mark.parametrize("method", ["encode", "counts", "fitted_to"])
def test_one_text_is_no_list_of_texts(method: str) -> None:
    with pytest.raises(InputError, match="put it in a list"):
        getattr(BagOfWords(), method)("a cat")


@given(st.lists(st.text(alphabet="ab ,.É", max_size=12), min_size=1, max_size=6), st.data())
def test_cosines_do_not_depend_on_the_other_texts(texts: list[str], data: st.DataObject) -> None:
    whole = BagOfWords().fitted_to([*texts, "x y z", "a b"])
    order = data.draw(st.permutations(range(len(texts))))
    shuffled = BagOfWords().encode([texts[i] for i in order])
    alone, among = (
        cosine_similarity(v) if v.shape[1] else np.zeros((len(v), len(v)))
        for v in (shuffled, whole.encode([texts[i] for i in order]))
    )
    np.testing.assert_allclose(alone, among, atol=1e-6)


@given(st.lists(st.text(max_size=20), max_size=6))
def test_every_token_counts_once(texts: list[str]) -> None:
    counts = BagOfWords(lower=False).counts(texts)
    assert counts.sum(axis=1).tolist() == [len(words(text)) for text in texts]


@pytest.mark.parametrize(
    ("folder", "types", "of_penn"), [("msrp", 3004, 2976), ("opinosis", 1097, 1085)]
)
def test_types_of_the_authors_corpora_are_about_those_of_the_paper(
    shared_data: Path, folder: str, types: int, of_penn: int
) -> None:
    # White et al. (2015), section 3.2.4. Lower case, and Penn's tokens within sentences, give
    # their numbers to the unit; ours do not take "isn't" apart, and so on.
    path = shared_data / "localization" / f"{folder}-grouped" / "phrases.txt"
    fitted = BagOfWords().fitted_to(path.read_text(encoding="utf-8").splitlines())
    assert fitted.tokens is not None
    assert len(fitted.tokens) == types
    assert len(fitted.tokens) == pytest.approx(of_penn, rel=0.012)
