from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lydite.corpora.documents import open_corpus
from lydite.errors import FormatError, InputError, ResourceError
from lydite.trained.cheung_penn.contexts import PREPARATION
from lydite.trained.cheung_penn.mitchell_lapata import (
    CountVectors,
    MitchellLapataRecipe,
    open_vectors,
    train_mitchell_lapata,
)
from lydite.trained.parsed.load import open_parsed

TEXT = """The cat sees a dog.

The dog sees the cat.

A cat, a cat!
"""


def trained(tmp_path: Path, text: str = TEXT, **options: object) -> CountVectors:
    (tmp_path / "corpus.txt").write_text(text)
    recipe = MitchellLapataRecipe(**{"lemmas": "none", "window": 2, "contexts": 2, **options})  # type: ignore[arg-type]
    corpus = open_corpus([tmp_path / "corpus.txt"], PREPARATION)
    return train_mitchell_lapata(corpus, recipe, tmp_path / "model", provenance={"made": "here"})


def dense(vectors: CountVectors, words: list[str]) -> list[list[float]]:
    taken = vectors.rows.take(words)
    found = np.zeros(taken.shape)
    lengths = np.diff(taken.starts)
    found[np.repeat(np.arange(len(words)), lengths), taken.columns] = taken.values
    return found.tolist()


def test_information_by_hand(tmp_path: Path) -> None:
    vectors = trained(tmp_path)
    # cat 4, then the and a 3 each, sees and dog 2. Contexts: cat, then sees, met before dog.
    assert list(vectors.rows.dimensions) == ["cat", "sees"]
    assert list(vectors.rows.words) == ["cat", "sees", "the", "a", "dog"]
    # Within two words of the same sentence, (word, context):
    # the cat sees a dog: the-cat, the-sees, cat-sees, sees-cat, a-cat, a-sees, dog-sees
    # the dog sees the cat: the-sees, dog-sees, sees-cat, the-sees, the-cat, cat-sees
    # a cat a cat: a-cat, a-cat (0 to 1 and 2 to 1), a-cat (2 to 3), cat-cat (1 to 3), cat-cat
    # cat: cat 2, sees 2. sees: cat 2. the: cat 2, sees 3. a: cat 4, sees 1. dog: sees 2.
    counts = np.array([[2, 2], [2, 0], [2, 3], [4, 1], [0, 2]])
    expected = counts.sum(axis=1)[:, None] * counts.sum(axis=0)[None, :]
    with np.errstate(divide="ignore"):
        information = np.log(counts * counts.sum() / expected)
    np.testing.assert_allclose(
        dense(vectors, ["cat", "sees", "the", "a", "dog"]), np.maximum(information, 0), rtol=1e-6
    )


def test_forms_of_a_lemma_are_counted_as_one(tmp_path: Path) -> None:
    pytest.importorskip("simplemma", reason="simplemma is absent")
    # A form a sentence each time; mouse stands twice with eat, never with mice.
    vectors = trained(tmp_path, "Mice eat cheese.\n\nA mouse ate.\n", lemmas="simplemma")
    assert list(vectors.rows.words) == ["mouse", "eat", "cheese", "a"]
    assert dense(vectors, ["mice"]) == [[0, 0]]
    # (mouse, eat) 2 of 2; (eat, mouse) 2 of 2; cheese: mouse 1, eat 1; a: mouse 1, eat 1.
    assert dense(vectors, ["mouse"]) == [[0, pytest.approx(np.log(2 * 8 / (2 * 4)))]]


def test_fewer_lemmata_than_there_are(tmp_path: Path) -> None:
    assert list(trained(tmp_path, lemmata=3, contexts=3).rows.words) == ["cat", "the", "a"]


def test_rare_lemmata_have_no_vector(tmp_path: Path) -> None:
    vectors = trained(tmp_path, min_count=3)
    assert list(vectors.rows.words) == ["cat", "the", "a"]
    assert list(vectors.rows.dimensions) == ["cat"]


def test_how_it_was_made_is_kept(tmp_path: Path) -> None:
    vectors = trained(tmp_path)
    about = vectors.provenance
    assert about["made"] == "here"
    assert about["text"] == {"tokens": 14, "words": 5}
    assert about["recipe"]["window"] == 2
    assert vectors.preparation == replace(PREPARATION, language="en")
    again = open_vectors(tmp_path / "model")
    assert again.fingerprint == vectors.fingerprint
    for name in ("same", "other"):
        (tmp_path / name).mkdir()
    assert trained(tmp_path / "same").fingerprint == vectors.fingerprint
    assert trained(tmp_path / "other", window=1).fingerprint != vectors.fingerprint


def test_lemmas_of_parsed_text(tmp_path: Path) -> None:
    lines = ["1\tDogs\tdog\tNOUN", "2\tbark\tbark\tVERB", "3\t.\t.\tPUNCT", "4\tcats\tcat\tNOUN"]
    heads = ["\t2\tnsubj", "\t0\troot", "\t2\tpunct", "\t2\tdep"]
    text = "".join(f"{line}\t_\t_{head}\t_\t_\n" for line, head in zip(lines, heads, strict=True))
    (tmp_path / "some.conllu").write_text(text + "\n")
    recipe = MitchellLapataRecipe(lemmas="none", window=1, contexts=3)
    corpus = open_parsed([tmp_path / "some.conllu"])
    vectors = train_mitchell_lapata(corpus, recipe, tmp_path / "model")
    assert list(vectors.rows.words) == ["dog", "bark", "cat"]
    # The full stop takes up no place: bark stands beside dog and cat, one of four counts each;
    # dog and cat have it in 1 of 1, it has 2 of 4.
    log2 = pytest.approx(np.log(2))
    assert dense(vectors, ["dog", "bark", "cat"]) == [[0, log2, 0], [log2, 0, log2], [0, log2, 0]]


def test_a_folder_that_is_there_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "thesis.txt").write_text("years of work")
    with pytest.raises(InputError, match="new folder"):
        trained(tmp_path)
    assert (tmp_path / "model" / "thesis.txt").read_text() == "years of work"


def test_a_corpus_of_function_words(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="function words, got none among 3"):
        trained(tmp_path, "It is it was.\n")
    assert not (tmp_path / "model").exists()


def test_more_contexts_than_lemmata() -> None:
    with pytest.raises(InputError, match="3000 and 100"):
        MitchellLapataRecipe(lemmata=100)


def test_no_such_folder(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match="found none"):
        open_vectors(tmp_path / "model")


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "erk-pado"},
        {"kind": None},
        {"dimensions": None},
        {"dimensions": 6},
        {"preparation": 3},
    ],
)
def test_a_folder_of_something_else(tmp_path: Path, change: dict[str, object]) -> None:
    trained(tmp_path)
    meta = tmp_path / "model" / "meta.json"
    kept = json.loads(meta.read_text()) | change
    meta.write_text(json.dumps({key: value for key, value in kept.items() if value is not None}))
    with pytest.raises(FormatError, match="expected count vectors"):
        open_vectors(tmp_path / "model")


def test_an_array_cut_short(tmp_path: Path) -> None:
    trained(tmp_path)
    with (tmp_path / "model" / "values").open("r+b") as stream:
        stream.truncate(4)
    with pytest.raises(FormatError, match="values has 4 bytes"):
        open_vectors(tmp_path / "model")
