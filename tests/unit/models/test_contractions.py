from __future__ import annotations

import numpy as np
import pytest

from lydite.models.catalogue import load
from lydite.models.composition import Composition, MeanOfWords, ProductOfWords, SumOfWords
from lydite.models.contractions import contractions, split_contractions
from lydite.models.pooled import Pooled
from lydite.spaces.space import Space
from lydite.types import Context


def _space(*words: str) -> Space:
    return Space.of({word: [float(i), 1.0] for i, word in enumerate(words, 1)})


TREEBANK = _space("i", "do", "ca", "wo", "is", "n't", "'m", "'s", "john", "it", "like", "could")


@pytest.mark.parametrize(
    ("token", "pieces"),
    [
        ("don't", ("do", "n't")),
        ("don’t", ("do", "n't")),
        ("Don't", ("Do", "n't")),
        ("DON'T", ("DO", "N'T")),
        ("can't", ("ca", "n't")),
        ("won't", ("wo", "n't")),
        ("isn't", ("is", "n't")),
        ("I'm", ("I", "'m")),
        ("John's", ("John", "'s")),
        ("it’s", ("it", "'s")),
        ("Zoë's", ("Zoë", "'s")),
        ("couldn't've", None),  # "'ve" is not known, and "couldn't" is no word here
        ("o'clock", None),
        ("n't", None),
        ("like", None),
    ],
)
def test_a_space_of_treebank_tokens(token: str, pieces: tuple[str, ...] | None) -> None:
    assert contractions(TREEBANK, [token]).get(token) == pieces


def test_a_token_that_is_known_whole_stays_whole() -> None:
    space = _space("don't", "do", "n't", "can’t", "ca")
    assert contractions(space, ["don't", "Don't"]) == {}
    assert contractions(space, ["don’t", "can't"]) == {"don’t": ("don't",), "can't": ("can’t",)}


def test_a_space_without_apostrophes() -> None:
    space = _space("dont", "cant", "isnt", "its", "hell", "were", "john", "well")
    # Without its apostrophe "he'll" would be hell.
    found = contractions(space, ["don't", "can't", "isn't", "it's", "he'll", "we're", "John's"])
    assert found == {
        "don't": ("dont",),
        "can't": ("cant",),
        "isn't": ("isnt",),
        "John's": ("John", "'s"),
    }


def test_cant_is_another_word_where_nothing_says_that_apostrophes_were_dropped() -> None:
    assert contractions(_space("cant", "wont"), ["can't", "won't"]) == {}


def test_a_space_of_letters_alone() -> None:
    space = _space("don", "t", "s", "john")
    found = contractions(space, ["don't", "John's"])
    assert found == {"don't": ("don", "t"), "John's": ("John", "'s")}


def test_elided_words_of_french() -> None:
    space = _space("l'", "amour", "qu’", "il", "aujourd'hui")
    found = contractions(space, ["l'amour", "l’amour", "qu'il", "aujourd’hui"])
    assert found == {
        "l'amour": ("l'", "amour"),
        "l’amour": ("l'", "amour"),
        "qu'il": ("qu’", "il"),
        "aujourd’hui": ("aujourd'hui",),
    }


def test_case_is_kept_where_the_space_has_case() -> None:
    assert contractions(TREEBANK, ["DON'T"], case="exact") == {}
    assert contractions(TREEBANK, ["Don't"], case="exact") == {"Don't": ("Do", "n't")}


def test_sentences_keep_their_other_tokens() -> None:
    assert split_contractions(TREEBANK, [["I", "don't"], ["like", "it"]]) == [
        ("I", "do", "n't"),
        ("like", "it"),
    ]


@pytest.mark.parametrize("kind", [SumOfWords, MeanOfWords, ProductOfWords])
def test_mean_of_glove_deleted_negation(kind: type[Composition]) -> None:
    model = kind(load("glove-6b-50d"))
    negated, plain, cut, curly = model.encode(
        ["I don't like it.", "I like it.", "I do n't like it .", "I don’t like it."]
    )
    assert np.abs(negated - plain).max() > 0.01
    np.testing.assert_array_equal(negated, cut)
    np.testing.assert_array_equal(negated, curly)


def test_contexts_that_are_pooled_keep_their_negation() -> None:
    learner = Pooled.open("mean(glove-6b-50d)")
    negated = Context(tokens=("i", "don't", "like", "dogs"), start=3, stop=4)
    plain = Context(tokens=("i", "like", "dogs"), start=2, stop=3)
    assert np.abs(learner.learn([negated]) - learner.learn([plain])).max() > 0.01


def test_texts_that_are_cut_already_are_not_cut_again() -> None:
    model = SumOfWords(TREEBANK, tokenizer="whitespace")
    np.testing.assert_array_equal(*model.encode(["i don't like it", "i like it"]))
