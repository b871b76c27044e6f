from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lydite.errors import FormatError, InputError, ResourceError
from lydite.models.catalogue import bind
from lydite.models.combination import BackedOff, BackedOffPairs
from lydite.models.pairwise import cross_scores, pair_scores
from lydite.models.protocols import CrossModel, PairModel
from lydite.spec import parse
from lydite.trained.cheung_penn.related_words import RelatedFolder, open_related
from lydite.trained.cheung_penn.texts import Compose
from lydite.trained.cheung_penn.thater import Thater, ThaterRecipe, train_thater
from lydite.trained.parsed.load import open_parsed

SENTENCES = (
    *3 * ("dog bite man", "man walk dog"),
    *2 * ("wolf bite sheep", "man feed sheep", "woman walk dog", "man bite sheep"),
    *2 * ("man read book", "woman read letter", "dog chase wolf", "man chase wolf"),
    "child write letter",
)
DOMAIN = 2 * ("virus infect cell", "virus enter cell", "drug infect host", "cell meet host")


def conllu(sentence: str) -> str:
    subject, verb, other = sentence.split()
    lines = ((subject, 2, "nsubj"), (verb, 0, "root"), (other, 2, "obj"))
    return "".join(
        f"{i}\t{word}\t{word}\t_\t_\t_\t{head}\t{label}\t_\t_\n"
        for i, (word, head, label) in enumerate(lines, 1)
    )


def trained(folder: Path, sentences: tuple[str, ...] = SENTENCES) -> RelatedFolder:
    folder.mkdir()
    path = folder / "corpus.conllu"
    path.write_text("\n".join(map(conllu, sentences)) + "\n")
    recipe = ThaterRecipe(min_count=1, pmi=0)
    return train_thater(open_parsed([path]), recipe, folder / "model", provenance={"by": "test"})


@pytest.fixture
def model(tmp_path: Path, svo: None) -> Thater:
    trained(tmp_path / "general")
    return Thater.open(str(tmp_path / "general" / "model"))


def test_a_folder_says_what_it_is(tmp_path: Path) -> None:
    made = trained(tmp_path / "one")
    assert made.provenance["by"] == "test"
    assert made.provenance["recipe"] == {"lemmata": 30_000, "min_count": 1, "pmi": 0}
    text = made.provenance["text"]
    assert text["tokens"] == 3 * len(SENTENCES)
    assert text["kept_triples"] <= text["triples"] == 19
    with pytest.raises(FormatError, match="of another kind"):
        open_related(tmp_path / "one" / "model", kind="erk-pado")
    with pytest.raises(ResourceError, match="found none"):
        Thater.open(str(tmp_path / "nowhere"))


@pytest.mark.parametrize("compose", ["add", "multiply"])
def test_who_does_what_to_whom_makes_a_difference(model: Thater, compose: Compose) -> None:
    model = replace(model, compose=compose)
    (scores,) = model.cross(["dog bite man"], ["dog bite man", "man bite dog"])
    assert scores[0] == pytest.approx(1)
    assert scores[1] < 0.99


def test_without_dependencies_order_makes_none(model: Thater) -> None:
    assert model.score(["dog bite man now"], ["man bite dog now"]) == pytest.approx(1)


@pytest.mark.parametrize("compose", ["add", "multiply"])
def test_scores(model: Thater, compose: Compose) -> None:
    model = replace(model, compose=compose)
    texts = list(dict.fromkeys(SENTENCES))
    scores = model.cross(texts, texts)
    np.testing.assert_allclose(np.diag(scores), 1)
    np.testing.assert_allclose(scores, scores.T, atol=1e-12)
    assert scores.min() >= 0
    np.testing.assert_allclose(model.score(texts, texts[::-1]), np.diag(scores[:, ::-1]))
    assert isinstance(model, CrossModel)
    assert isinstance(model, PairModel)


@pytest.mark.parametrize("compose", ["add", "multiply"])
def test_unknown_words_and_no_words(model: Thater, compose: Compose) -> None:
    model = replace(model, compose=compose)
    texts = ["", "emu ogle yak", "the of it", "emu bite man", "dog bite man"]
    scores = cross_scores(model, texts, texts).scores
    assert (np.diag(scores) > 0).tolist() == [False, False, False, True, True]
    assert not scores[:3].any()
    assert np.isfinite(scores).all()
    assert pair_scores(model, texts, texts)[0] == pytest.approx(np.diag(scores))
    assert model.cross([], ["dog bite man"]).shape == (0, 1)


def test_pairs_have_two_sides(model: Thater) -> None:
    with pytest.raises(InputError, match="pairs"):
        model.score(["dog bite man"], [])


def test_words_of_the_domain(tmp_path: Path, model: Thater) -> None:
    trained(tmp_path / "domain", DOMAIN)
    domain = Thater.open(str(tmp_path / "domain" / "model"))
    joined = BackedOff.open(model, domain)
    assert isinstance(joined, BackedOffPairs)
    pair = (["virus infect cell"], ["drug infect host"])
    assert model.score(*pair) == 0
    # No word is known to both, so what is said of each is what its own corpus says.
    assert joined.score(*pair) == pytest.approx(domain.score(*pair))
    assert domain.score(*pair) > 0
    texts = list(SENTENCES)
    np.testing.assert_allclose(joined.cross(texts, texts), model.cross(texts, texts))
    with pytest.raises(InputError, match="lemmas of one kind"):
        model.with_words_of(replace(domain, lemmas="simplemma"))


def test_the_spec_says_it_all(model: Thater) -> None:
    assert model.spec == f"thater({model.folder})"
    other = replace(model, compose="multiply", function_words=True)
    assert other.spec == f"thater({model.folder}, compose=multiply, function_words=true)"
    bound = bind(parse(other.spec), Thater)
    again = Thater.open(*bound.args, **bound.kwargs)
    assert again.spec == other.spec
    assert again.fingerprint == model.fingerprint
    with pytest.raises(InputError, match="one of add, multiply"):
        replace(model, compose="divide")  # type: ignore[arg-type]
