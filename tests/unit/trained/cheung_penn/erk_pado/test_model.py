from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lydite.errors import FormatError, InputError, ResourceError
from lydite.models.catalogue import bind
from lydite.models.combination import BackedOff, BackedOffTexts
from lydite.models.pairwise import cross_scores
from lydite.spec import parse
from lydite.trained.cheung_penn import erk_pado
from lydite.trained.cheung_penn.erk_pado import ErkPado, ErkPadoRecipe, train_erk_pado
from lydite.trained.cheung_penn.mitchell_lapata import MitchellLapataRecipe
from lydite.trained.cheung_penn.related_words import RelatedFolder
from lydite.trained.cheung_penn.texts import Compose
from lydite.trained.parsed.load import open_parsed
from lydite.types import Floats

SENTENCES = (
    *3 * ("dog bite man", "man walk dog"),
    *2 * ("wolf bite sheep", "man feed sheep", "woman walk dog"),
    *2 * ("man read book", "woman read letter"),
    "child write letter",
)
DOMAIN = 2 * ("virus infect cell", "virus bite cell", "cell feed virus")


def conllu(sentence: str) -> str:
    subject, verb, other = sentence.split()
    lines = ((subject, 2, "nsubj"), (verb, 0, "root"), (other, 2, "obj"))
    return "".join(
        f"{i}\t{word}\t{word}\t_\t_\t_\t{head}\t{label}\t_\t_\n"
        for i, (word, head, label) in enumerate(lines, 1)
    )


def trained(
    folder: Path, sentences: tuple[str, ...] = SENTENCES, *, theta: int = 0, contexts: int = 12
) -> RelatedFolder:
    folder.mkdir()
    path = folder / "corpus.conllu"
    path.write_text("\n".join(map(conllu, sentences)) + "\n")
    words = MitchellLapataRecipe(contexts=contexts, lemmas="none")
    recipe = ErkPadoRecipe(theta=theta, words=words)
    return train_erk_pado(open_parsed([path]), recipe, folder / "model", provenance={"by": "test"})


@pytest.fixture
def model(tmp_path: Path, svo: None) -> ErkPado:
    trained(tmp_path / "general")
    return ErkPado.open(str(tmp_path / "general" / "model"))


def test_only_triples_above_the_threshold_are_kept(tmp_path: Path) -> None:
    made = trained(tmp_path / "all")
    assert made.provenance["text"] == made.provenance["text"] | {"tokens": 51, "kept_triples": 15}
    # More than twice: the subject and the object of "dog bite man" and of "man walk dog".
    few = trained(tmp_path / "few", theta=2)
    assert few.provenance["text"]["kept_triples"] == 4
    assert few.provenance["recipe"]["theta"] == 2
    assert few.provenance["by"] == "test"
    assert few.fingerprint != made.fingerprint


@pytest.mark.parametrize("compose", ["add", "multiply"])
def test_who_does_what_to_whom_makes_a_difference(model: ErkPado, compose: Compose) -> None:
    model = replace(model, compose=compose)
    same, swapped = model.encode(["dog bite man", "man bite dog"])
    assert not np.allclose(same, swapped, rtol=1e-3)


def test_without_dependencies_order_makes_none(model: ErkPado) -> None:
    first, second = model.encode(["dog bite man now", "man bite dog now"])
    np.testing.assert_allclose(first, second, rtol=1e-6)


def test_a_sentence_by_hand(model: ErkPado) -> None:
    words = model.words.take(["man", "walk", "dog", "woman", "feed", "read"])
    table = np.zeros(words.shape)
    table[np.repeat(np.arange(6), np.diff(words.starts)), words.columns] = words.values
    man, walk, dog, woman, feed, read = table
    # Subjects of walk: man 3, woman 2. Its objects: dog 5. Man is subject of walk 3, feed 2 and
    # read 2; dog is object of walk 5.
    parts = [
        (man, man * (3 * man + 2 * woman)),
        (walk, walk * (3 * walk + 2 * feed + 2 * read) * (5 * walk)),
        (dog, dog * (5 * dog)),
    ]
    literal = [new for _, new in parts]
    kept = [new * np.linalg.norm(old) / np.linalg.norm(new) for old, new in parts]
    for made, words_in_context in ((model, literal), (replace(model, length="kept"), kept)):
        total = np.sum(words_in_context, axis=0)
        np.testing.assert_allclose(unit(made.encode(["man walk dog"])[0]), unit(total), rtol=1e-5)
        product = np.prod([each + 0.5 for each in words_in_context], axis=0)
        found = replace(made, compose="multiply", smoothing=0.5).encode(["man walk dog"])[0]
        np.testing.assert_allclose(found, product / product.max(), rtol=1e-4)


def test_a_word_with_frequent_neighbors_outweighs_the_others(model: ErkPado) -> None:
    # By the equations walk, with two neighbors, is longer than dog with one; with length=kept
    # neither is longer than it was.
    # The fixture's parser, which the module has in the place of spaCy.
    parser = vars(erk_pado)["parse_texts"]
    block = parser(["man walk dog"], lemmas=model.lemmas)
    by_equations = model.words_in_context(block).logs
    kept = replace(model, length="kept").words_in_context(block).logs
    places = {block.lemmas[number]: i for i, number in enumerate(block.tokens.tolist())}
    assert by_equations[places["walk"]] - by_equations[places["dog"]] > 1
    assert abs(kept[places["walk"]] - kept[places["dog"]]) < 1


def unit(vector: Floats) -> Floats:
    return np.asarray(vector / np.linalg.norm(vector))


@pytest.mark.parametrize("compose", ["add", "multiply"])
def test_unknown_words_and_no_words(model: ErkPado, compose: Compose) -> None:
    model = replace(model, compose=compose)
    texts = ["", "emu ogle yak", "the of it", "emu bite man", "dog bite man"]
    vectors = model.encode(texts)
    assert vectors.shape == (5, len(model.words.dimensions))
    assert vectors.dtype == np.float32
    assert np.isfinite(vectors).all()
    assert vectors.any(axis=1).tolist() == [False, False, False, True, True]
    crossed = cross_scores(model, texts, texts)
    assert crossed.left_known.tolist() == [False, False, False, True, True]
    assert model.encode([]).shape == (0, vectors.shape[1])


def test_the_order_of_texts_changes_nothing(model: ErkPado) -> None:
    texts = [*dict.fromkeys(SENTENCES)] * 50
    forth, back = model.encode(texts), model.encode(texts[::-1])[::-1]
    np.testing.assert_allclose(forth, back, rtol=1e-6)


def test_words_of_the_domain(tmp_path: Path, model: ErkPado) -> None:
    trained(tmp_path / "domain", DOMAIN)
    domain = ErkPado.open(str(tmp_path / "domain" / "model"))
    joined = BackedOff.open(model, domain)
    assert isinstance(joined, BackedOffTexts)
    assert not model.encode(["virus infect cell"]).any()
    # Of the dimensions of the domain the general model has bite and feed.
    assert joined.encode(["virus infect cell"]).any()
    np.testing.assert_allclose(joined.encode(["man walk dog"]), model.encode(["man walk dog"]))
    with pytest.raises(InputError, match="lemmas of one kind"):
        model.with_words_of(replace(domain, lemmas="simplemma"))


def test_the_spec_says_it_all(model: ErkPado) -> None:
    assert model.spec == f"erk-pado({model.folder})"
    kept = replace(model, length="kept")
    assert kept.spec == f"erk-pado({model.folder}, length=kept)"
    other = replace(model, compose="multiply", smoothing=0.5)
    assert other.spec == f"erk-pado({model.folder}, compose=multiply, smoothing=0.5)"
    bound = bind(parse(other.spec), ErkPado)
    again = ErkPado.open(*bound.args, **bound.kwargs)
    assert again.spec == other.spec
    assert again.fingerprint == model.fingerprint


def test_wrong_parameters(tmp_path: Path, model: ErkPado) -> None:
    with pytest.raises(InputError, match="one of add, multiply"):
        replace(model, compose="divide")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="smoothing"):
        replace(model, smoothing=0.0)
    with pytest.raises(InputError, match="theta"):
        ErkPadoRecipe(theta=-1)
    with pytest.raises(ResourceError, match="found none"):
        ErkPado.open(str(tmp_path / "nowhere"))


def test_a_folder_that_is_there_or_damaged(tmp_path: Path) -> None:
    trained(tmp_path / "one")
    folder = tmp_path / "one" / "model"
    corpus = open_parsed([tmp_path / "one" / "corpus.conllu"])
    with pytest.raises(InputError, match="a new folder"):
        train_erk_pado(corpus, ErkPadoRecipe(), folder)
    (folder / "values").write_bytes(b"\0")
    with pytest.raises(FormatError, match="values has 1 bytes"):
        ErkPado.open(str(folder))
