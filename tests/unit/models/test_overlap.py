from __future__ import annotations

import numpy as np
import pytest

from lydite.errors import InputError, SpecError
from lydite.models.baselines import Overlap, content_lemmas
from lydite.models.pairwise import cross_scores
from lydite.models.protocols import CrossModel, PairModel

LEFT = ["The king saw the other king.", "A king.", "It is what it was!"]
RIGHT = ["King, king, KING: the queen saw.", "No word of it", "..."]

# Without function words: x1 = king saw king, x2 = king, x3 = nothing;
# y1 = king king king queen saw, y2 = word, y3 = nothing.
# M(x1, y1) = 3 (king, saw, king are in y1) + 4 (king three times and saw are in x1) = 7.
# M(x2, y1) = 1 + 3 = 4. All others share nothing.
SCORES = [[7, 0, 0], [4, 0, 0], [0, 0, 0]]


def test_equations_15_and_16_by_hand() -> None:
    assert Overlap.open(lemmas="none").cross(LEFT, RIGHT).tolist() == SCORES


def test_pairs_as_all_pairs() -> None:
    model = Overlap.open(lemmas="none")
    assert isinstance(model, CrossModel)
    assert isinstance(model, PairModel)
    for j in range(3):
        assert model.score(LEFT, [RIGHT[j]] * 3).tolist() == [row[j] for row in SCORES]


def test_the_order_of_a_pair_does_not_matter() -> None:
    model = Overlap.open(lemmas="none")
    np.testing.assert_array_equal(model.cross(LEFT, RIGHT).T, model.cross(RIGHT, LEFT))


def test_texts_without_any_content_word() -> None:
    model = Overlap.open(lemmas="none")
    assert model.cross(["", "the"], ["!"]).tolist() == [[0.0], [0.0]]
    assert model.score(["", "the"], ["!", "of"]).tolist() == [0.0, 0.0]
    assert model.cross([], ["a word"]).shape == (0, 1)
    assert cross_scores(model, [""], ["a word"]).scores.tolist() == [[0.0]]


def test_punctuation_is_no_lemma() -> None:
    assert content_lemmas("Well - 3.5 (per cent), IL-2!", "none") == ["3.5", "cent", "il-2"]


def test_lemmas_of_a_dictionary() -> None:
    pytest.importorskip("simplemma", reason="simplemma is absent")
    # Yahoo acquire Inktomi; Inktomi acquire Yahoo: "was" and "by" are function words.
    pair = ["Yahoo acquires Inktomi"], ["Inktomi was acquired by Yahoo"]
    assert Overlap.open().score(*pair).tolist() == [6.0]
    assert Overlap.open(lemmas="none").score(*pair).tolist() == [4.0]


def test_an_unknown_lemmatizer() -> None:
    with pytest.raises(SpecError, match="simplema"):
        Overlap.open(lemmas="simplema")


def test_one_text_instead_of_a_list() -> None:
    with pytest.raises(InputError, match="list of texts"):
        Overlap.open(lemmas="none").cross("the cat", ["the cat"])


def test_pairs_without_a_partner() -> None:
    with pytest.raises(InputError, match="2 and 1"):
        Overlap.open(lemmas="none").score(["a cat", "a dog"], ["a cat"])


def test_the_spec_names_the_model() -> None:
    assert (
        Overlap.open(lemmas="none").spec == Overlap.open(lemmas=None).spec == "overlap(lemmas=none)"
    )
    assert Overlap.open(lemmas=None) == Overlap.open(lemmas="none")
