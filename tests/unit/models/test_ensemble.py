from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from sklearn.metrics.pairwise import cosine_similarity  # type: ignore[import-untyped]

from lydite.errors import InputError, SpecError, UnsuitableModelError
from lydite.models.baselines import BagOfWords
from lydite.models.catalogue import bind, load
from lydite.models.combination import Ensemble, Joining
from lydite.models.composition import MeanOfWords
from lydite.models.principal_components import PrincipalComponents
from lydite.models.protocols import FittedToTexts, TextModel
from lydite.spaces.space import Space
from lydite.spec import parse
from lydite.types import Vectors

PETS = Space.of({"cat": [3, 4], "dog": [0, 2]}, spec="pets.txt")


class Letters:
    """A stranger that says no fingerprint."""

    def encode(self, texts: Sequence[str], /) -> Vectors:
        return np.array([[len(text), 1] for text in texts], dtype=np.float32)


def test_by_hand() -> None:
    model = Ensemble.open(MeanOfWords.open(PETS), BagOfWords())
    # (3, 4) / 5, then the tokens cat, dog, emu; the mean of no known word stays zero.
    expected = [[0.6, 0.8, 1, 0, 0], [0.3, 0.9, 0.5**0.5, 0.5**0.5, 0], [0, 0, 0, 0, 1]]
    mean = np.array([1.5, 3])
    expected[1][:2] = (mean / np.linalg.norm(mean)).tolist()
    vectors = model.encode(["cat", "cat dog", "emu"])
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(vectors, expected, atol=1e-6)


def test_cosines_are_the_means_of_the_members() -> None:
    texts = ["a cat", "the dog sat", "a dog ran"]
    members = [load("random(5)"), load("random(9, seed=2)")]
    mean = np.mean([cosine_similarity(m.encode(texts)) for m in members], axis=0)
    joined = cosine_similarity(Ensemble.open(*members).encode(texts))
    np.testing.assert_allclose(joined, mean, atol=1e-6)


@pytest.mark.parametrize(
    "text",
    [
        "ensemble(random(3), random(4))",
        "ensemble(random(3), random(4), random(5, seed=1), by=scores)",
        "ensemble(random(3), random(4), by=concatenation)",
    ],
)
def test_its_spec_makes_it_again(text: str) -> None:
    model, again = _from_spec(text), _from_spec(_from_spec(text).spec)
    assert model.spec == text
    assert again.fingerprint == model.fingerprint
    np.testing.assert_array_equal(again.encode(["a cat", "a"]), model.encode(["a cat", "a"]))


def _from_spec(text: str) -> Ensemble:
    bound = bind(parse(text), Ensemble)
    return Ensemble.open(*bound.args, **bound.kwargs)


def test_its_spec_holds_those_of_its_members() -> None:
    joined = Ensemble.open(
        "random(3)", PrincipalComponents.open(BagOfWords(), dim=2), by="concatenation"
    )
    assert Ensemble.open(joined, BagOfWords(lower=False), by="stacked").spec == (
        "ensemble(ensemble(random(3), pca(bow, dim=2), by=concatenation), bow(lower=false), "
        "by=stacked)"
    )


def test_members_and_joining_are_at_hand() -> None:
    model = Ensemble.open("random(3)", Letters(), by="stacked")
    assert model.by == "stacked"
    assert [type(member).__name__ for member in model.members] == ["RandomModel", "Letters"]


def test_the_fingerprint_is_that_of_all_members() -> None:
    one = Ensemble.open("random(3)", "random(4)").fingerprint
    assert one is not None
    assert one != Ensemble.open("random(4)", "random(3)").fingerprint
    assert one != Ensemble.open("random(3)", "random(5)").fingerprint
    assert Ensemble.open("random(3)", Letters()).fingerprint is None


def test_it_is_fitted_to_texts_if_a_member_is() -> None:
    assert not isinstance(Ensemble.open("random(3)", Letters()), FittedToTexts)
    model = Ensemble.open("random(3)", BagOfWords())
    assert isinstance(model, TextModel)
    assert isinstance(model, FittedToTexts)
    fitted = model.fitted_to(["a cat", "a dog"])
    assert isinstance(fitted, Ensemble)
    assert isinstance(fitted.members[1], BagOfWords)
    assert fitted.members[1].tokens == ("a", "cat", "dog")
    assert fitted.encode(["a zebra"]).shape == (1, 6)
    assert fitted.spec == model.spec
    assert fitted.fingerprint != model.fingerprint


@pytest.mark.parametrize("members", [(), ("random(3)",)])
def test_fewer_than_two_are_refused(members: tuple[str, ...]) -> None:
    with pytest.raises(InputError, match=f"at least two models, got {len(members)}"):
        Ensemble.open(*members)


def test_models_of_words_are_refused_with_a_hint() -> None:
    with pytest.raises(UnsuitableModelError, match=r"mean\(pets.txt\)"):
        Ensemble.open("random(3)", PETS)


@pytest.mark.parametrize("by", ["vote", "scores", "stacked"])
def test_what_votes_cannot_be_a_member(by: Joining) -> None:
    with pytest.raises(UnsuitableModelError, match="name its members themselves"):
        Ensemble.open(Ensemble.open("random(3)", "random(4)", by=by), "random(5)")


def test_a_member_that_gives_nan_is_named_with_the_text() -> None:
    class Broken:
        spec = "broken"

        def encode(self, texts: Sequence[str], /) -> Vectors:
            return np.array([[np.nan if t == "b" else 1.0] for t in texts], dtype=np.float32)

    with pytest.raises(InputError, match=r"broken returns NaN .* 'b'"):
        Ensemble.open("random(3)", Broken()).encode(["a", "b"])


def test_an_unknown_way_to_join_is_refused() -> None:
    with pytest.raises(SpecError, match="did you mean vote"):
        bind(parse("ensemble(random(3), random(4), by=votes)"), Ensemble)
    with pytest.raises(InputError, match="one of vote, scores, stacked, concatenation"):
        Ensemble.open("random(3)", "random(4)", by="votes")
